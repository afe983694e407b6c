// SPDX-License-Identifier: Apache-2.0
// Meshes and height fields in MJCF: masses, inertias, frames and sizes against numbers that MuJoCo
// 3.14.0 gives for the same text, and hand cases.
#include "load.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TETRAHEDRON "vertex='0 0 0 1 0 0 0 1 0 0 0 1'"
#define ASSET(text) "<asset>" text "</asset>"
#define FREE(text) "<worldbody><body name='b'><freejoint/>" text "</body></worldbody>"

// Both programs add some hundred products of numbers of size 1 in double precision.
static const double tolerance = 1e-12;

// Largest moment first: the order of MuJoCo's principal moments of a mesh.
static utVec3 principal(utMat3 A)
{
    // roots of the characteristic polynomial by the trigonometric formula
    const double m = (A.m[0][0] + A.m[1][1] + A.m[2][2]) / 3.0;
    utMat3 K = A;
    for (int i = 0; i < 3; i++) {
        K.m[i][i] -= m;
    }
    double p = 0.0;
    for (int i = 0; i < 9; i++) {
        p += K.m[i / 3][i % 3] * K.m[i / 3][i % 3] / 6.0;
    }
    const double q = ut_mat3_determinant(K) / 2.0;
    const double c = p > 0.0 ? q / (p * sqrt(p)) : 1.0;
    const double phi = acos(fmax(-1.0, fmin(1.0, c))) / 3.0;
    const double pi = 3.14159265358979323846;
    const double large = m + 2.0 * sqrt(p) * cos(phi);
    const double small = m + 2.0 * sqrt(p) * cos(phi + 2.0 * pi / 3.0);
    return ut_vec3(large, 3.0 * m - large - small, small);
}

static void check_vec3(utVec3 got, const double want[3], double within)
{
    CHECK_NEAR(got.x, want[0], within);
    CHECK_NEAR(got.y, want[1], within);
    CHECK_NEAR(got.z, want[2], within);
}

// By hand: volume 1/6, centre of mass 1/4 1/4 1/4.
TEST(a_tetrahedron_sits_at_its_centre_of_mass)
{
    utModel* m = read_model(ASSET("<mesh name='m' " TETRAHEDRON "/>")
                                FREE("<geom type='mesh' mesh='m' pos='1 0 0'/>"),
                            NULL);
    if (m == NULL) {
        return;
    }
    CHECK_NEAR(m->body[1].mass, 1000.0 / 6.0, tolerance * 1000.0);
    check_vec3(m->geom[0].in_body.p, (const double[]){1.25, 0.25, 0.25}, tolerance);
    check_vec3(m->body[1].com, (const double[]){1.25, 0.25, 0.25}, tolerance);
    CHECK_INT(m->geom[0].shape.kind, UT_SHAPE_HULL);
    CHECK_INT(m->geom[0].shape.hull->vertices, 4);
    // a tenth of V about the diagonal, a sixteenth across it; the formula above loses half of the
    // digits where two moments are equal
    const utVec3 moments = principal(m->body[1].inertia);
    check_vec3(moments, (const double[]){50.0 / 3.0, 125.0 / 12.0, 125.0 / 12.0}, 1e-6);
    ut_model_destroy(m);
}

TEST(a_negative_scale_mirrors)
{
    utModel* m = read_model(ASSET("<mesh name='m' " TETRAHEDRON
                                  " face='0 2 1 0 1 3 0 3 2 1 2 3' inertia='exact' "
                                  "scale='-2 1 1'/>") FREE("<geom type='mesh' mesh='m'/>"),
                            NULL);
    if (m != NULL) {
        CHECK_NEAR(m->body[1].mass, 1000.0 / 3.0, tolerance * 1000.0);
        check_vec3(m->body[1].com, (const double[]){-0.5, 0.25, 0.25}, tolerance);
        ut_model_destroy(m);
    }
}

// MuJoCo 3.14.0 gives -1.5 -1.75 -2.75: refpos is subtracted before the vertices are scaled.
TEST(refpos_comes_before_scale)
{
    utModel* m = read_model(ASSET("<mesh name='m' " TETRAHEDRON " scale='2 1 1' refpos='1 2 3'/>")
                                FREE("<geom type='mesh' mesh='m'/>"),
                            NULL);
    if (m != NULL) {
        check_vec3(m->geom[0].in_body.p, (const double[]){-1.5, -1.75, -2.75}, tolerance);
        ut_model_destroy(m);
    }
}

// An L-shaped prism, which is not convex. MuJoCo 3.14.0 gives these numbers for the model below; with
// inertia="convex" the scale is positive, because MuJoCo rejects the mirrored one.
TEST(the_four_kinds_of_inertia_are_those_of_mujoco)
{
    static const struct {
        const char *kind, *scale;
        double mass, moments[3], pos[3], quat[4];
    } want[] = {
        {"legacy",
         "0.5 -0.4 0.3",
         249.68475969083204,
         {45.606971678566204, 36.576259678668556, 13.121841886727351},
         {0.85860037526962318, -0.13518747811991935, 0.14354628145696322},
         {0.34290843571855673, 0.54612628925751061, -0.75228284911857690, -0.13501998302811963}},
        {"exact",
         "0.5 -0.4 0.3",
         239.99999999999997,
         {44.908159060709458, 36.440610683206316, 12.462565436139508},
         {0.85394736842105257, -0.13073684210526312, 0.15199999999999994},
         {0.34501067513146422, 0.54478827340668512, -0.75164728096818401, -0.13856311275744476}},
        {"convex",
         "0.5 0.4 0.3",
         299.99999999999983,
         {53.669940868610610, 41.085647455444494, 17.580257289979919},
         {0.91982456140350899, -0.17802105263157889, 0.10369122807017545},
         {0.014310614093734852, 0.64263922705232235, -0.49083084279097033, 0.58812848421324038}},
        {"shell",
         "0.5 -0.4 0.3",
         2939.0602895770298,
         {705.16162798316566, 566.29562376021079, 237.52423424330323},
         {0.86970322295856417, -0.13488620773054200, 0.15034642676409055},
         {-0.54531095289624176, 0.35670986474104793, -0.14634298614044039, 0.74429682751931636}},
    };
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        char text[2000];
        snprintf(text, sizeof text,
                 ASSET("<mesh name='m' inertia='%s' scale='%s' refpos='0.1 0.2 0.3' "
                       "refquat='0.9 0.1 0.2 0.3' "
                       "vertex='0 0 0 3 0 0 3 1 0 1 1 0 1 2 0 0 2 0 0 0 1 3 0 1 3 1 1 1 1 1 1 2 1 "
                       "0 2 1' face='0 2 1 0 3 2 0 5 3 3 5 4 6 7 8 6 8 9 6 9 11 9 10 11 0 1 7 0 7 "
                       "6 1 2 8 1 8 7 2 3 9 2 9 8 3 4 10 3 10 9 4 5 11 4 11 10 5 0 6 5 6 11'/>")
                     FREE("<geom type='mesh' mesh='m' pos='0.3 0 0' quat='1 0.5 0 0'/>"),
                 want[k].kind, want[k].scale);
        utModel* m = read_model(text, NULL);
        if (m == NULL) {
            continue;
        }
        const utModelGeom* g = &m->geom[0];
        CHECK_NEAR(m->body[1].mass, want[k].mass, tolerance * want[k].mass);
        // the trigonometric formula loses half of the digits where two moments are close
        check_vec3(principal(m->body[1].inertia), want[k].moments, 1e-9 * want[k].moments[0]);
        check_vec3(g->in_body.p, want[k].pos, tolerance);
        // 1 - cos of half an angle of 1.4e-6, at which MuJoCo stops turning
        const double dot = g->quat.w * want[k].quat[0] + g->quat.x * want[k].quat[1] +
                           g->quat.y * want[k].quat[2] + g->quat.z * want[k].quat[3];
        CHECK_NEAR(fabs(dot), 1.0, 1e-12);
        ut_model_destroy(m);
    }
}

// MuJoCo 3.14.0 gives these sizes and places. It stops turning to the principal axes at angles of
// 1.4e-6 (where the cosine is 1 - 1e-12), which moves the bounding box of a mesh of 3 m by 4e-6.
TEST(shapes_are_fitted_to_meshes_as_mujoco_fits_them)
{
    static const struct {
        const char *type, *bounds;
        double size[3], pos[3];
    } want[] = {
        {"sphere",
         "false",
         {0.97380999092333087, 0.0000000000000000, 0.0000000000000000},
         {1.2500000000000000, 0.49999999999999989, 0.75000000000000000}},
        {"capsule",
         "false",
         {0.67473523617731868, 1.2345918823266957, 0.0000000000000000},
         {1.2500000000000000, 0.49999999999999989, 0.75000000000000000}},
        {"cylinder",
         "false",
         {0.67473523617731868, 1.5719595004153550, 0.0000000000000000},
         {1.2500000000000000, 0.49999999999999989, 0.75000000000000000}},
        {"ellipsoid",
         "false",
         {0.38999144680221987, 0.95947902555241749, 1.5719595004153550},
         {1.2500000000000000, 0.49999999999999989, 0.75000000000000000}},
        {"box",
         "false",
         {0.38999144680221987, 0.95947902555241749, 1.5719595004153550},
         {1.2500000000000000, 0.49999999999999989, 0.75000000000000000}},
        {"sphere",
         "true",
         {2.6019813665213545, 0.0000000000000000, 0.0000000000000000},
         {1.1049037236742623, 0.45151589401710845, 1.3245263837066896}},
        {"capsule",
         "true",
         {1.6027078883675518, 0.99927347815380263, 0.0000000000000000},
         {1.1049037236742623, 0.45151589401710845, 1.3245263837066896}},
        {"cylinder",
         "true",
         {1.6027078883675518, 2.6019813665213545, 0.0000000000000000},
         {1.1049037236742623, 0.45151589401710845, 1.3245263837066896}},
        {"ellipsoid",
         "true",
         {0.70461149263547207, 1.6027078883675518, 2.6019813665213545},
         {1.1049037236742623, 0.45151589401710845, 1.3245263837066896}},
        {"box",
         "true",
         {0.70461149263547207, 1.6027078883675518, 2.6019813665213545},
         {1.1049037236742623, 0.45151589401710845, 1.3245263837066896}},
    };
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "<compiler fitaabb='%s'/>" ASSET("<mesh name='m' " TETRAHEDRON " scale='1 2 3'/>")
                     FREE("<geom type='%s' mesh='m' fitscale='1.5' pos='1 0 0'/>"),
                 want[k].bounds, want[k].type);
        utModel* m = read_model(text, NULL);
        if (m != NULL) {
            const double within = strcmp(want[k].bounds, "true") == 0 ? 4e-6 : 1e-12;
            check_vec3(m->geom[0].shape.size, want[k].size, within);
            check_vec3(m->geom[0].in_body.p, want[k].pos, within);
            ut_model_destroy(m);
        }
    }
}

// MuJoCo 3.14.0 gives these masses and moments for density 1000. Its ellipsoid is a layer of finite
// thickness, which accounts for 3e-6.
TEST(shells_of_primitives_are_those_of_mujoco)
{
    static const struct {
        const char* geom;
        double mass, moments[3], within;
    } want[] = {
        {"type='sphere' size='.3'",
         1130.9733552923256,
         {67.85840131753953, 67.85840131753953, 67.85840131753953},
         1e-14},
        {"type='capsule' size='.3 .5'",
         3015.928947446201,
         {762.1503777608839, 762.1503777608839, 237.50440461138834},
         1e-14},
        {"type='cylinder' size='.3 .5'",
         2450.4422698000385,
         {395.99775398499344, 395.99775398499344, 195.09290378792613},
         1e-14},
        {"type='box' size='.3 .4 .5'",
         3760.0,
         {801.8666666666667, 682.1333333333333, 537.3333333333333},
         1e-14},
        {"type='box' size='.3 .4 .5' mass='2'",
         2.0,
         {0.4265248226950355, 0.3628368794326241, 0.28581560283687946},
         1e-14},
        {"type='ellipsoid' size='.3 .4 .5'",
         1995.0170443710083,
         {255.27787332981825, 217.16025983542204, 171.06257816962898},
         3e-6},
    };
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        char text[1000];
        snprintf(text, sizeof text, FREE("<geom %s shellinertia='true'/>"), want[k].geom);
        utModel* m = read_model(text, NULL);
        if (m != NULL) {
            const utMat3 I = m->body[1].inertia;
            CHECK_NEAR(m->body[1].mass, want[k].mass, 1e-13 * want[k].mass);
            check_vec3(ut_vec3(I.m[0][0], I.m[1][1], I.m[2][2]), want[k].moments,
                       (want[k].within + 1e-14) * want[k].moments[0]);
            ut_model_destroy(m);
        }
    }
}

// MuJoCo 3.14.0 gives the data 0.5 2/3 1 | 0 1/6 1/3 for these heights, the row of the least y first.
TEST(the_first_row_of_an_elevation_has_the_largest_y)
{
    static const double want[] = {0.5, 4.0 / 6.0, 1.0, 0.0, 1.0 / 6.0, 2.0 / 6.0};
    utModel* m =
        read_model(ASSET("<hfield name='h' nrow='2' ncol='3' size='2 1 0.5 0.1' "
                         "elevation='1 2 3 4 5 7'/>") "<worldbody><geom type='hfield' hfield='h' "
                                                      "pos='0 0 1'/></worldbody>",
                   NULL);
    if (m == NULL) {
        return;
    }
    const utShape* shape = &m->geom[0].shape;
    CHECK_INT(shape->kind, UT_SHAPE_HEIGHTS);
    check_vec3(shape->size, (const double[]){2.0, 1.0, 0.1}, 0.0);
    for (int k = 0; k < 6; k++) {
        CHECK_NEAR(shape->heights->height[k], 0.5 * want[k], 1e-15);
    }
    ut_model_destroy(m);
}

TEST(meshes_for_viewers_are_not_read)
{
    utNotes notes = {0};
    utModel* m = read_model(ASSET("<mesh name='v' file='not-there.stl'/>")
                                FREE("<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
                                     "<geom type='mesh' mesh='v' contype='0' conaffinity='0'/>"
                                     "<geom type='box' mesh='v' contype='0' conaffinity='0'/>"),
                            &notes);
    if (m != NULL) {
        CHECK_INT(m->ngeom, 0);
        CHECK_INT(notes.count, 2); // the geoms, and the mesh
        ut_notes_destroy(&notes);
        ut_model_destroy(m);
    }
    // outside the groups that count for the mass
    m = read_model("<compiler inertiagrouprange='0 1'/>" ASSET("<mesh file='not-there.stl'/>")
                       FREE("<geom size='1'/><geom type='mesh' mesh='not-there' contype='0' "
                            "conaffinity='0' group='2'/>"),
                   NULL);
    CHECK(m != NULL && m->ngeom == 1);
    ut_model_destroy(m);
}

// The edge from 1 to 3 belongs to two faces that run along it in the same direction. A face with an edge
// of no length has no side.
TEST(faces_that_are_turned_differently_are_noted)
{
    static const struct {
        const char* text;
        const char* note;
    } meshes[] = {
        {ASSET("<mesh name='m' " TETRAHEDRON " face='0 2 1 0 1 3 0 3 2 1 3 2'/>")
             FREE("<geom type='mesh' mesh='m'/>"),
         "text.xml:1:38: note: mesh 'm': faces have inconsistent orientation\n"},
        {ASSET("<mesh name='m' " TETRAHEDRON " face='0 2 1 0 1 3 0 3 2 1 2 3 1 1 3'/>")
             FREE("<geom type='mesh' mesh='m'/>"),
         ""},
        {ASSET("<mesh name='m' " TETRAHEDRON " face='0 2 1 0 1 3 0 3 2 1 3 2' inertia='convex'/>")
             FREE("<geom type='mesh' mesh='m'/>"),
         ""},
    };
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) {
        utNotes notes = {0};
        utModel* m = read_model(meshes[i].text, &notes);
        char text[200];
        CHECK(m != NULL);
        ut_notes_print(&notes, text, sizeof text);
        CHECK_TEXT(text, meshes[i].note);
        ut_notes_destroy(&notes);
        ut_model_destroy(m);
    }
}

// The mesh weighs but does not collide, so that it needs no hull; a flat one could not have one.
// By hand: a square of 1 m^2 and 1 kg/m^2 beside a sphere without mass.
TEST(a_flat_shell_that_does_not_collide_has_mass)
{
    utModel* m = read_model(
        ASSET("<mesh name='f' vertex='0 0 0 1 0 0 0 1 0 1 1 0' face='0 1 2 1 3 2' "
              "inertia='shell'/>") FREE("<geom size='1' mass='0'/>"
                                        "<geom type='mesh' mesh='f' density='1' contype='0' "
                                        "conaffinity='0'/>"),
        NULL);
    if (m != NULL) {
        CHECK_NEAR(m->body[1].mass, 1.0, tolerance);
        check_vec3(m->body[1].com, (const double[]){0.5, 0.5, 0.0}, tolerance);
        CHECK_INT(m->geom[1].shape.kind, UT_SHAPE_BOX);
        ut_model_destroy(m);
    }
}

// @return the message of a text that does not become a model
static void check_message(const char* what, const char* want)
{
    char text[2000];
    snprintf(text, sizeof text, "<mujoco xmlns:ut='urn:uptack'>%s</mujoco>", what);
    utModelDef* def = NULL;
    utModel* model = NULL;
    utError err = {0};
    CHECK(ut_model_def_create(NULL, &def) == UT_OK);
    if (ut_mjcf_read((utText){text, strlen(text)}, "t.xml", NULL, def, NULL, &err) == UT_OK) {
        CHECK(ut_model_compile(def, NULL, &model, &err) != UT_OK);
    }
    CHECK_TEXT(err.message, want);
    ut_model_destroy(model);
    ut_model_def_destroy(def);
}

TEST(meshes_that_cannot_be_are_refused)
{
    check_message(
        ASSET("<mesh name='f' vertex='0 0 0 1 0 0 0 1 0 1 1 0' face='0 1 2 1 3 2' "
              "inertia='shell'/>") FREE("<geom type='mesh' mesh='f' name='g'/>"),
        "geom 'g': hull: all points lie on one plane within 1e-09 m; a hull needs a volume; "
        "let a thin box collide instead, or set contype and conaffinity to 0");
    check_message(
        ASSET("<mesh name='m' " TETRAHEDRON " face='0 1 2 0 3 1 0 2 3 1 3 2' inertia='exact'/>")
            FREE("<geom type='mesh' mesh='m'/>"),
        "mesh 'm': its volume is negative, so its triangles face inward; turn them");
    check_message(
        ASSET("<mesh name='m' " TETRAHEDRON " face='0 2 1 0 1 3 0 3 2 1 3 2' inertia='exact'/>")
            FREE("<geom type='mesh' mesh='m'/>"),
        "mesh 'm': triangles at the edge between vertices 1 and 3 face different ways; "
        "turn them, or use another inertia than exact");
    check_message(ASSET("<hfield name='h' nrow='2' ncol='2' size='1 1 1 1'/>")
                      FREE("<geom size='1'/><geom name='g' type='hfield' hfield='h'/>"),
                  "geom 'g' is a height field on body 'b', which moves; height fields must be "
                  "fixed to the world");
}

TEST(exact_meshes_collide_as_their_triangles)
{
#define BOWL "<mesh name='m' " TETRAHEDRON " face='0 2 1 0 1 3 0 3 2 1 2 3'/>"
    utModel* m = read_model(
        ASSET(BOWL) "<worldbody><geom type='mesh' mesh='m' ut:mesh='exact'/></worldbody>", NULL);
    if (m != NULL) {
        CHECK_INT(m->geom[0].shape.kind, UT_SHAPE_MESH);
        CHECK_INT(m->geom[0].shape.mesh->triangles, 4);
        ut_model_destroy(m);
    }
    check_message(ASSET(BOWL) FREE("<geom name='g' type='mesh' mesh='m' ut:mesh='exact'/>"),
                  "geom 'g' is a mesh on body 'b', which moves; meshes must be fixed to the world");
}

// A ball of vertices with at most 20 of them: the hull has 20, each one of the ball's.
TEST(maxhullvert_limits_the_hull)
{
    char text[8000];
    int at = snprintf(text, sizeof text, "<asset><mesh name='m' maxhullvert='20' vertex='");
    for (int i = 0; i < 100; i++) {
        const double z = -0.99 + 0.02 * i, r = sqrt(1.0 - z * z), a = 2.4 * i;
        at += snprintf(text + at, sizeof text - (size_t)at, "%.9g %.9g %.9g ", r * cos(a),
                       r * sin(a), z);
    }
    snprintf(text + at, sizeof text - (size_t)at,
             "'/></asset>" FREE("<geom type='mesh' mesh='m'/>"));
    utModel* m = read_model(text, NULL);
    if (m != NULL) {
        const utHull* hull = m->geom[0].shape.hull;
        CHECK_INT(hull->vertices, 20);
        // the ball has 4.19 m^3; 20 well-placed points keep more than half of it
        CHECK(hull->volume > 2.1);
        ut_model_destroy(m);
    }
}

TEST(geoms_of_one_mesh_share_its_hull)
{
    utModel* m = read_model(ASSET("<mesh name='m' " TETRAHEDRON "/>")
                                FREE("<geom type='mesh' mesh='m'/>"
                                     "<geom type='mesh' mesh='m' pos='1 0 0'/>"),
                            NULL);
    if (m != NULL) {
        CHECK(m->geom[0].shape.hull == m->geom[1].shape.hull);
        ut_model_destroy(m);
    }
}

// MuJoCo 3.14.0 gives this mass: scale and inertia come from the class.
TEST(a_class_gives_the_scale_and_the_inertia_of_a_mesh)
{
    utModel* m = read_model(
        "<default><default class='c'><mesh scale='2 2 2' "
        "inertia='shell'/></default></default>" ASSET("<mesh name='m' class='c' " TETRAHEDRON "/>")
            FREE("<geom type='mesh' mesh='m'/>"),
        NULL);
    if (m != NULL) {
        CHECK_NEAR(m->body[1].mass, 9464.101615137753, 1e-12 * 9464.0);
        ut_model_destroy(m);
    }
}

// ---- files --------------------------------------------------------------------------------------

// Gives one OBJ file, whatever its name, and remembers the name.
static utStatus give_obj(void* context, const char* path, utArena* keep, utText* text, utError* err)
{
    static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n"
                              "f 2 3 4\n";
    (void)keep;
    (void)err;
    snprintf(context, 100, "%s", path);
    *text = (utText){obj, sizeof obj - 1};
    return UT_OK;
}

// Read a mesh by its file. @param asked receives the path that was asked for
static void read_file(const char* compiler, const char* file, const char* mesh, char asked[100])
{
    char text[1000];
    snprintf(text, sizeof text,
             "<mujoco><compiler %s/>" ASSET("<mesh file='%s'/>")
                 FREE("<geom type='mesh' mesh='%s'/>") "</mujoco>",
             compiler, file, mesh);
    utMjcfDef how = ut_mjcf_def();
    how.read = give_obj;
    how.read_context = asked;
    utModelDef* def = NULL;
    utModel* model = NULL;
    utError err = {0};
    asked[0] = 0;
    CHECK(ut_model_def_create(NULL, &def) == UT_OK);
    if (!CHECK_INT(
            ut_mjcf_read((utText){text, strlen(text)}, "robots/arm.xml", &how, def, NULL, &err),
            UT_OK) ||
        !CHECK_INT(ut_model_compile(def, NULL, &model, &err), UT_OK)) {
        test_note("%s", err.message);
    } else {
        CHECK_NEAR(model->mass, 1000.0 / 6.0, 1e-10);
    }
    ut_model_destroy(model);
    ut_model_def_destroy(def);
}

TEST(files_of_meshes_are_found_in_the_folders_of_the_compiler)
{
    char asked[100];
    read_file("", "part.v2.obj", "part.v2", asked);
    CHECK_TEXT(asked, "robots/part.v2.obj");
    read_file("meshdir='meshes'", "a/part.obj", "part", asked);
    CHECK_TEXT(asked, "robots/meshes/a/part.obj");
    read_file("assetdir='assets/'", "part.obj", "part", asked);
    CHECK_TEXT(asked, "robots/assets/part.obj");
    read_file("assetdir='assets' meshdir='../meshes'", "part.OBJ", "part", asked);
    CHECK_TEXT(asked, "meshes/part.OBJ");
    read_file("meshdir='meshes' strippath='true'", "a/b/part.obj", "part", asked);
    CHECK_TEXT(asked, "robots/meshes/part.obj");
    read_file("meshdir='meshes'", "a\\part.obj", "part", asked); // as on Windows
    CHECK_TEXT(asked, "robots/meshes/a/part.obj");
    read_file("meshdir='/data'", "part.obj", "part", asked);
    CHECK_TEXT(asked, "/data/part.obj");
    read_file("meshdir='meshes'", "/data/part.obj", "part", asked);
    CHECK_TEXT(asked, "/data/part.obj");
}
