// SPDX-License-Identifier: Apache-2.0
#include "clouds.h"

const char* cloud_name(CloudKind kind)
{
    static const char* const names[] = {"ball", "sphere", "grid",    "thin",   "tiny",
                                        "huge", "far",    "repeats", "facets", "lens"};
    return names[kind];
}

// Numbers are drawn one a statement: compilers differ in the order of a call's arguments.
utVec3 random_unit(utRng* rng)
{
    utVec3 n, a;
    do {
        a.x = ut_rng_normal(rng);
        a.y = ut_rng_normal(rng);
        a.z = ut_rng_normal(rng);
    } while (!ut_vec3_normalize(a, &n));
    return n;
}

utQuat random_turn(utRng* rng)
{
    utQuat q, a;
    do {
        a.w = ut_rng_normal(rng);
        a.x = ut_rng_normal(rng);
        a.y = ut_rng_normal(rng);
        a.z = ut_rng_normal(rng);
    } while (!ut_quat_normalize(a, &q));
    return q;
}

static utVec3 in_ball(utRng* rng)
{
    const utVec3 n = random_unit(rng);
    return ut_vec3_scale(n, cbrt(ut_rng_uniform(rng)));
}

static utVec3 on_box(utRng* rng)
{
    double c[3];
    for (int i = 0; i < 3; i++) {
        c[i] = ut_rng_range(rng, -1.0, 1.0);
    }
    const int face = ut_rng_below(rng, 6);
    c[face / 2] = face % 2 == 0 ? 1.0 : -1.0;
    return ut_vec3(c[0], 2.0 * c[1], 3.0 * c[2]);
}

static utVec3 near_pole(utRng* rng)
{
    const double s = pow(10.0, ut_rng_range(rng, -6.0, 0.0));
    const utVec3 u = random_unit(rng);
    utVec3 n;
    ut_vec3_normalize(ut_vec3(s * u.x, s * u.y, u.z < 0.0 ? -1.0 : 1.0), &n);
    return n;
}

static utVec3 cloud_point(CloudKind kind, utRng* rng, utQuat turn)
{
    int k;
    switch (kind) {
    case CLOUD_SPHERE:
        return random_unit(rng);
    case CLOUD_GRID:
        k = ut_rng_below(rng, 125);
        return ut_vec3(k % 5, k / 5 % 5, k / 25);
    case CLOUD_THIN: {
        const utVec3 p = in_ball(rng);
        return ut_quat_rotate(turn, ut_vec3(p.x, p.y, 1e-3 * p.z));
    }
    case CLOUD_TINY:
        return ut_vec3_scale(in_ball(rng), 1e-4);
    case CLOUD_HUGE:
        return ut_vec3_scale(in_ball(rng), 1e3);
    case CLOUD_FAR:
        return ut_vec3_add(in_ball(rng), ut_vec3(1e3, -1e3, 1e3));
    case CLOUD_FACETS:
        return ut_quat_rotate(turn, on_box(rng));
    case CLOUD_LENS:
        return near_pole(rng);
    case CLOUD_BALL:
    case CLOUD_REPEATS:
    case CLOUD_KINDS:
        break;
    }
    return in_ball(rng);
}

void fill_cloud(CloudKind kind, utRng* rng, int count, utVec3* point)
{
    const utQuat turn = random_turn(rng);
    const int distinct = count / 5 > 12 ? count / 5 : 12;
    for (int i = 0; i < count; i++) {
        point[i] = kind == CLOUD_REPEATS && i >= distinct ? point[ut_rng_below(rng, distinct)]
                                                          : cloud_point(kind, rng, turn);
    }
}

// ---- degenerate ones ----------------------------------------------------------------------------

typedef struct Scene {
    utVec3 plane[4][3]; // a point and two directions
    utVec3 site[4];
    double noise;
    double coarse; // rounded to multiples of this; 0: not
} Scene;

static utVec3 scene_point(utRng* rng, const Scene* scene)
{
    const int k = ut_rng_below(rng, 4);
    const utVec3* p = scene->plane[k];
    const double s = ut_rng_range(rng, -1.0, 1.0), t = ut_rng_range(rng, -1.0, 1.0);
    switch (ut_rng_below(rng, 6)) {
    case 0: // in a plane
        return ut_vec3_add_scaled(ut_vec3_add_scaled(p[0], s, p[1]), t, p[2]);
    case 1: // on a line
        return ut_vec3_add_scaled(p[0], s, p[1]);
    case 2: { // on a circle
        const double c = sqrt(1.0 - s * s);
        return ut_vec3_add_scaled(ut_vec3_add_scaled(p[0], s, p[1]), t < 0.0 ? -c : c, p[2]);
    }
    case 3: // near a site
        return ut_vec3_add_scaled(scene->site[k], pow(10.0, -11.0 + 5.0 * s), random_unit(rng));
    case 4: // a site
        return scene->site[k];
    default: // on the way between two
        return ut_vec3_add_scaled(scene->site[k], 0.25 * floor(2.5 + 2.5 * s),
                                  ut_vec3_sub(scene->site[t < 0.0 ? 0 : 1], scene->site[k]));
    }
}

static Scene random_scene(utRng* rng)
{
    Scene scene;
    // all in one plane, all on one line, or in space
    const int flatness = ut_rng_below(rng, 8);
    const utVec3 squeeze =
        ut_vec3(1.0, flatness == 0 ? 0.0 : 1.0, flatness <= 1 ? 0.0 : (flatness == 2 ? 1e-8 : 1.0));
    const utQuat turn = random_turn(rng);
    for (int k = 0; k < 4; k++) {
        const utQuat own = ut_rng_below(rng, 2) == 0 ? ut_quat_identity() : random_turn(rng);
        utVec3 v[4];
        v[0] = random_unit(rng);
        v[1] = ut_quat_rotate(own, ut_vec3(1.0, 0.0, 0.0));
        v[2] = ut_quat_rotate(own, ut_vec3(0.0, 1.0, 0.0));
        v[3] = random_unit(rng);
        for (int i = 0; i < 4; i++) {
            v[i] = ut_vec3(v[i].x * squeeze.x, v[i].y * squeeze.y, v[i].z * squeeze.z);
            v[i] = flatness % 2 == 0 ? ut_quat_rotate(turn, v[i]) : v[i];
        }
        scene.plane[k][0] = v[0];
        scene.plane[k][1] = v[1];
        scene.plane[k][2] = v[2];
        scene.site[k] = v[3];
    }
    scene.noise = ut_rng_below(rng, 2) == 0 ? 0.0 : pow(10.0, ut_rng_range(rng, -16.0, -7.0));
    scene.coarse = ut_rng_below(rng, 3) == 0 ? 0.125 : 0.0;
    return scene;
}

static double rounded(double x, double unit)
{
    return unit > 0.0 ? unit * floor(x / unit + 0.5) : x;
}

void fill_degenerate(utRng* rng, int count, utVec3* point)
{
    const Scene scene = random_scene(rng);
    const double scale = pow(10.0, ut_rng_range(rng, -4.0, 3.0));
    const double away = ut_rng_below(rng, 3) == 0 ? 1e3 * scale : 0.0;
    const utVec3 shift = ut_vec3_scale(random_unit(rng), away);
    for (int i = 0; i < count; i++) {
        const utVec3 p = scene_point(rng, &scene);
        const utVec3 q = ut_vec3(rounded(p.x, scene.coarse), rounded(p.y, scene.coarse),
                                 rounded(p.z, scene.coarse));
        point[i] =
            ut_vec3_add_scaled(shift, scale, ut_vec3_add_scaled(q, scene.noise, random_unit(rng)));
    }
    if (ut_rng_below(rng, 20) == 0 && count > 0) {
        static const double odd[] = {HUGE_VAL, -HUGE_VAL, 1e308, 1e-320};
        const int k = ut_rng_below(rng, 5);
        point[ut_rng_below(rng, count)].y = k < 4 ? odd[k] : (double)NAN;
    }
}
