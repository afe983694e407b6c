// SPDX-License-Identifier: Apache-2.0
// Height fields: what is refused, cells and triangles.
#include "geom/mesh_tree.h"

#include <math.h>
#include <string.h>

#include "test.h"

static const double slope[12] = {0.0, 1.0, 2.0, 3.0, 0.5, 1.5, 2.5, 3.5, 1.0, 2.0, 3.0, 4.0};

TEST(a_height_field_knows_its_lowest_and_highest_point)
{
    utHeights h;
    utError err;
    CHECK(ut_heights_build(4, 3, slope, &h, &err) == UT_OK);
    CHECK_INT(h.columns, 4);
    CHECK_INT(h.rows, 3);
    CHECK_NEAR(h.low, 0.0, 0.0);
    CHECK_NEAR(h.high, 4.0, 0.0);
}

TEST(what_cannot_be_a_height_field_is_named)
{
    utHeights h;
    utError err = {0};
    CHECK(ut_heights_build(1, 3, slope, &h, &err) == UT_ERR_ARGUMENT);
    CHECK(strstr(err.message, "1 columns") != NULL);
    CHECK(ut_heights_build(4, 0, slope, &h, &err) == UT_ERR_ARGUMENT);
    CHECK(ut_heights_build(-4, -4, slope, &h, &err) == UT_ERR_ARGUMENT);
    CHECK(ut_heights_build(1 << 20, 1 << 20, slope, &h, &err) == UT_ERR_ARGUMENT);
    double bad[12];
    memcpy(bad, slope, sizeof bad);
    bad[6] = (double)NAN;
    CHECK(ut_heights_build(4, 3, bad, &h, &err) == UT_ERR_ARGUMENT);
    CHECK(strstr(err.message, "row 1, column 2") != NULL);
    bad[6] = -HUGE_VAL;
    CHECK(ut_heights_build(4, 3, bad, &h, &err) == UT_ERR_ARGUMENT);
}

// z = x + 0.5 y on a grid of 1 m: all normals (-1, -0.5, 1) / 1.5
TEST(a_sloping_field_has_one_normal_and_no_convex_edge_inside)
{
    utHeights h;
    utError err;
    CHECK(ut_heights_build(4, 3, slope, &h, &err) == UT_OK);
    const Surface s = ut_surface_of_heights(&h, ut_vec3(1.5, 1.0, 1.0));
    for (int id = 0; id < 12; id++) {
        Triangle t;
        ut_surface_triangle(&s, id, &t);
        CHECK_NEAR(t.normal.x, -2.0 / 3.0, 1e-15);
        CHECK_NEAR(t.normal.y, -1.0 / 3.0, 1e-15);
        CHECK_NEAR(t.normal.z, 2.0 / 3.0, 1e-15);
        // counter-clockwise from above, half a cell
        const utVec3 a = ut_vec3_sub(t.v[1], t.v[0]), b = ut_vec3_sub(t.v[2], t.v[0]);
        CHECK_NEAR(a.x * b.y - a.y * b.x, 1.0, 1e-15);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(t.v[k].z, t.v[k].x + 1.5 + 0.5 * (t.v[k].y + 1.0), 1e-15);
            const int other = ut_surface_adjacent(&s, id, k);
            CHECK(ut_surface_edge_is_convex(&s, &t, k) == (other < 0));
            if (other >= 0) {
                // the neighbour's neighbour, over the same two points
                Triangle u;
                ut_surface_triangle(&s, other, &u);
                bool back = false;
                for (int l = 0; l < 3; l++) {
                    back = back || (ut_surface_adjacent(&s, other, l) == id &&
                                    u.corner[l] == t.corner[(k + 1) % 3] &&
                                    u.corner[(l + 1) % 3] == t.corner[k]);
                }
                CHECK(back);
            }
        }
    }
}

TEST(a_peak_is_convex_all_round_and_a_pit_is_not)
{
    double height[9] = {0.0};
    utHeights h;
    utError err;
    for (int sign = -1; sign <= 1; sign += 2) {
        height[4] = sign;
        CHECK(ut_heights_build(3, 3, height, &h, &err) == UT_OK);
        const Surface s = ut_surface_of_heights(&h, ut_vec3(1.0, 1.0, 2.0));
        for (int id = 0; id < 8; id++) {
            Triangle t;
            ut_surface_triangle(&s, id, &t);
            const int c = ut_triangle_find(&t, 4);
            for (int k = 0; c >= 0 && k < 3; k++) {
                // edges that leave the middle
                if (k != (c + 1) % 3) {
                    CHECK(ut_surface_edge_is_convex(&s, &t, k) == (sign > 0));
                }
            }
        }
    }
}

TEST(the_cells_below_a_box)
{
    utHeights h;
    utError err;
    CHECK(ut_heights_build(4, 3, slope, &h, &err) == UT_OK);
    const Surface s = ut_surface_of_heights(&h, ut_vec3(1.5, 1.0, 1.0));
    utBounds box = {ut_vec3(-0.4, 0.2, 0.0), ut_vec3(0.4, 0.3, 1.0)};
    Cells c = ut_heights_cells(&s, &box);
    CHECK(c.x0 == 1 && c.x1 == 2 && c.y0 == 1 && c.y1 == 2);
    box = (utBounds){ut_vec3(-9.0, -9.0, -9.0), ut_vec3(9.0, 9.0, 9.0)};
    c = ut_heights_cells(&s, &box);
    CHECK(c.x0 == 0 && c.x1 == 3 && c.y0 == 0 && c.y1 == 2);
    box = (utBounds){ut_vec3(1.6, 0.0, 0.0), ut_vec3(2.0, 0.5, 1.0)};
    c = ut_heights_cells(&s, &box);
    CHECK(c.x0 >= c.x1 || c.y0 >= c.y1);
    box = (utBounds){ut_vec3((double)NAN, (double)NAN, (double)NAN),
                     ut_vec3((double)NAN, (double)NAN, (double)NAN)};
    c = ut_heights_cells(&s, &box);
    CHECK(c.x0 >= c.x1 || c.y0 >= c.y1);
}
