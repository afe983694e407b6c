// SPDX-License-Identifier: Apache-2.0
// The points of tendons' paths, which viewers draw: lengths of their polygons by hand, and points on their geoms.
#include "lab.h"

static const double PI = 3.14159265358979323846;
enum { MOST = 20000 };

typedef struct Path {
    utTendonPoint point[MOST];
    int count;
} Path;

static Path* path_of(const utModel* model, int tendon, double step)
{
    utArena arena = test_arena();
    utKinematics kin;
    Path* path = calloc(1, sizeof *path);
    CHECK_INT(ut_kinematics_create(model, &arena, &kin), UT_OK);
    ut_kinematics_place(&kin, model->q0, NULL, NULL);
    path->count = ut_tendon_path(&kin, tendon, step, MOST, path->point);
    CHECK(path->count <= MOST);
    CHECK_INT(ut_tendon_path(&kin, tendon, step, 0, NULL), path->count);
    return path;
}

// The length of the polygon. An arc of angle A and radius r is longer by at most r A step^2 / 24.
static double polygon(const Path* path)
{
    double sum = 0.0;
    for (int k = 1; k < path->count; k++) {
        if (!path->point[k].first) {
            sum += ut_vec3_norm(ut_vec3_sub(path->point[k].point, path->point[k - 1].point));
        }
    }
    return sum;
}

static double least_radius(const Path* path, bool cylinder)
{
    double least = HUGE_VAL;
    for (int k = 0; k < path->count; k++) {
        const utVec3 p = path->point[k].point;
        const double r = sqrt(p.x * p.x + p.y * p.y + (cylinder ? 0.0 : p.z * p.z));
        least = r < least ? r : least;
    }
    return least;
}

static void check_path(const utModel* model, int tendon, bool cylinder, double length,
                       double radius)
{
    Path* path = path_of(model, tendon, 2e-3);
    CHECK_NEAR(polygon(path), length, 4e-8);
    CHECK_NEAR(least_radius(path, cylinder), radius, 1e-14);
    CHECK(path->point[0].first);
    for (int k = 1; k < path->count; k++) {
        CHECK(!path->point[k].first);
    }
    free(path);
}

// A helix on a cylinder of radius 0.1 (lengths.c): on the unrolled surface the path is straight. With the sites on
// the other side of y the helix turns the other way.
TEST(points_on_a_cylinder_follow_the_helix)
{
    utModel* model = test_model(
        "<mujoco><worldbody><site name='a' pos='-.2 0 0'/><site name='b' pos='.2 0 .3'/>"
        "<site name='up' pos='0 .5 0'/><site name='down' pos='0 -.5 0'/>"
        "<site name='c' pos='-.3 .2 0'/><site name='d' pos='.3 .2 .1'/>"
        "<geom name='c' type='cylinder' size='.1 1'/></worldbody><tendon>"
        "<spatial><site site='a'/><geom geom='c' sidesite='up'/><site site='b'/></spatial>"
        "<spatial><site site='a'/><geom geom='c' sidesite='down'/><site site='b'/></spatial>"
        "<spatial><site site='c'/><geom geom='c' sidesite='down'/><site site='d'/></spatial>"
        "</tendon></mujoco>");
    const double flat = 2.0 * sqrt(0.03) + 0.1 * PI / 3.0;
    check_path(model, 0, true, hypot(flat, 0.3), 0.1);
    check_path(model, 1, true, hypot(flat, 0.3), 0.1);
    // more than half a turn, below
    const double t = atan2(2.0, 3.0);
    const double arc = PI + 2.0 * t - 2.0 * acos(0.1 / sqrt(0.13));
    check_path(model, 2, true, hypot(2.0 * sqrt(0.13 - 0.01) + 0.1 * arc, 0.1), 0.1);
    Path *above = path_of(model, 0, 0.1), *below = path_of(model, 1, 0.1);
    CHECK(above->point[above->count / 2].point.y > 0.09);
    CHECK(below->point[below->count / 2].point.y < -0.09);
    free(above);
    free(below);
    ut_model_destroy(model);
}

TEST(points_on_a_sphere_follow_the_great_circle)
{
    utModel* model = test_model(
        "<mujoco><worldbody><site name='a' pos='-.12 .16 0'/><site name='b' pos='.12 -.16 0'/>"
        "<geom name='s' size='.1'/><site name='c' pos='-.3 .2 0'/><site name='d' pos='.3 .2 0'/>"
        "<site name='below' pos='0 -.5 0'/></worldbody><tendon>"
        "<spatial><site site='a'/><geom geom='s'/><site site='b'/></spatial>"
        "<spatial><site site='c'/><geom geom='s' sidesite='below'/><site site='d'/></spatial>"
        "<spatial><site site='c'/><geom geom='s'/><site site='d'/></spatial>"
        "</tendon></mujoco>");
    check_path(model, 0, false, 2.0 * sqrt(0.03) + 0.1 * PI / 3.0, 0.1);
    const double t = atan2(2.0, 3.0);
    const double arc = PI + 2.0 * t - 2.0 * acos(0.1 / sqrt(0.13));
    check_path(model, 1, false, 2.0 * sqrt(0.13 - 0.01) + 0.1 * arc, 0.1);
    // the sphere is not in the way: two points
    Path* straight = path_of(model, 2, 0.1);
    CHECK_INT(straight->count, 2);
    CHECK_NEAR(polygon(straight), 0.6, 1e-15);
    free(straight);
    ut_model_destroy(model);
}

TEST(every_branch_of_a_path_begins_with_a_first_point)
{
    utModel* model =
        test_model("<mujoco><worldbody><site name='a'/><site name='b' pos='1 0 0'/><site name='c' "
                   "pos='1 1 0'/>"
                   "<site name='d' pos='0 0 2'/><body pos='0 0 5'><joint name='j'/><geom size='.1' "
                   "pos='1 0 0'/></body>"
                   "</worldbody><tendon><spatial><site site='a'/><site site='b'/><site site='c'/>"
                   "<pulley divisor='2'/><site site='d'/><site site='a'/></spatial>"
                   "<fixed><joint joint='j' coef='1'/></fixed></tendon></mujoco>");
    Path* path = path_of(model, 0, 0.1);
    static const bool first[5] = {true, false, false, true, false};
    CHECK_INT(path->count, 5);
    for (int k = 0; k < 5; k++) {
        CHECK(path->point[k].first == first[k]);
    }
    CHECK_NEAR(path->point[3].point.z, 2.0, 0.0);
    CHECK_NEAR(polygon(path), 1.0 + 1.0 + 2.0, 1e-15);
    free(path);
    path = path_of(model, 1, 0.1);
    CHECK_INT(path->count, 0);
    free(path);
    ut_model_destroy(model);
}
