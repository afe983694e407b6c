// SPDX-License-Identifier: Apache-2.0
// Collada: lists of triangles, transformations of the scene, units and axes, on the tetrahedron with the
// corners 0, ex, ey, ez, whose volume is 1/6.
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/mesh/mesh_file.h"

#define Z_UP "<asset><up_axis>Z_UP</up_axis></asset>"
#define INPUT "<input semantic='VERTEX' source='#v' offset='0'/>"
#define TRIANGLES "<triangles>" INPUT "<p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>"
#define INSTANCE "<instance_geometry url='#g'/>"
#define SCENE(node) "<node>" node INSTANCE "</node>"

// Decode a file with one geometry. @param scene the contents of the visual scene; NULL: no scene
static bool decode(const char* asset, const char* positions, const char* lists, const char* scene,
                   MeshData* data)
{
    static char text[8192];
    utArena arena = test_arena();
    utError err = {0};
    const int size = snprintf(
        text, sizeof text,
        "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema'>%s<library_geometries>"
        "<geometry id='g'><mesh><source id='s'><float_array>%s</float_array></source>"
        "<vertices id='v'><input semantic='POSITION' source='#s'/></vertices>%s</mesh></geometry>"
        "</library_geometries><library_nodes><node id='again'><translate>0 0 5</translate>" INSTANCE
        "</node></library_nodes><library_visual_scenes><visual_scene id='sc'>%s</visual_scene>"
        "</library_visual_scenes>%s</COLLADA>",
        asset, positions, lists, scene != NULL ? scene : "",
        scene != NULL ? "<scene><instance_visual_scene url='#sc'/></scene>" : "");
    CHECK(size > 0 && (size_t)size < sizeof text);
    const utStatus status =
        ut_mesh_decode((utText){text, (size_t)size}, "m.DAE", NULL, &arena, data, &err);
    if (!CHECK(status == UT_OK)) {
        test_note("%s", err.message);
    }
    return status == UT_OK;
}

static const char corners[] = "0 0 0 1 0 0 0 1 0 0 0 1";

static utVec3 vertex(const MeshData* data, int i)
{
    return ut_vec3(data->vertex[3 * i], data->vertex[3 * i + 1], data->vertex[3 * i + 2]);
}

// The signed volume that the triangles enclose: positive when they are counter-clockwise from outside.
static double volume(const MeshData* data)
{
    double sum = 0.0;
    for (int i = 0; i < data->triangles; i++) {
        const int* t = data->triangle + (size_t)3 * (size_t)i;
        sum +=
            ut_vec3_dot(vertex(data, t[0]), ut_vec3_cross(vertex(data, t[1]), vertex(data, t[2]))) /
            6.0;
    }
    return sum;
}

// Is there a vertex at a point? Coordinates are of single precision.
static bool has_vertex(const MeshData* data, double x, double y, double z)
{
    for (int i = 0; i < data->vertices; i++) {
        if (ut_vec3_norm(ut_vec3_sub(vertex(data, i), ut_vec3(x, y, z))) < 1e-6) {
            return true;
        }
    }
    return false;
}

static void check_tetrahedron(const char* lists)
{
    MeshData data;
    if (decode(Z_UP, corners, lists, SCENE(""), &data)) {
        CHECK_INT(data.vertices, 4);
        CHECK_INT(data.triangles, 4);
        CHECK_NEAR(volume(&data), 1.0 / 6.0, 1e-12);
    }
}

TEST(collada_has_many_kinds_of_lists)
{
    check_tetrahedron(TRIANGLES);
    check_tetrahedron("<triangles>" INPUT "<input semantic='NORMAL' source='#n' offset='1'/>"
                      "<p>0 9 2 9 1 9 0 9 1 9 3 9 0 9 3 9 2 9 1 9 2 9 3 9</p></triangles>");
    check_tetrahedron("<polylist>" INPUT
                      "<vcount>3 3 3 3</vcount><p>0 2 1 0 1 3 0 3 2 1 2 3</p></polylist>");
    check_tetrahedron("<polygons>" INPUT
                      "<p>0 2 1</p><p>0 1 3</p><p>0 3 2</p><p>1 2 3</p></polygons>");
    check_tetrahedron("<trifans>" INPUT "<p>0 2 1 3 2</p></trifans><lines>" INPUT
                      "<p>0 1</p></lines><triangles>" INPUT "<p>1 2 3</p></triangles>");
    // a strip: 0 2 1, then 1 2 3 turned, then 1 3 0, then 0 3 2 turned
    check_tetrahedron("<tristrips>" INPUT "<p>0 2 1 3 0 2</p></tristrips>");
}

TEST(comments_between_numbers_of_collada_are_skipped)
{
    MeshData data;
    check_tetrahedron("<triangles>" INPUT "<p><!-- a --> 0 2 1 <!--b--><!-- - -->0 1 3 0 3 2"
                      "<!-- the last --> 1 2 3<!-- c --></p></triangles>");
    if (decode(Z_UP, "0 0 0 1 0 0 <!-- 7 7 7 --> 0 1 0 0 0 1", TRIANGLES, NULL, &data)) {
        CHECK_NEAR(volume(&data), 1.0 / 6.0, 1e-12);
        CHECK(data.foreign);
    }
}

// A square of two triangles and four corners: a polygon with four corners is a fan of two.
TEST(polygons_of_collada_become_fans)
{
    MeshData data;
    if (decode(Z_UP, "0 0 0 1 0 0 1 1 0 0 1 0 9 9 9",
               "<polylist>" INPUT "<vcount>4</vcount><p>0 1 2 3</p></polylist>", NULL, &data)) {
        CHECK_INT(data.triangles, 2);
        CHECK_INT(data.vertices, 4); // the fifth belongs to no polygon
        CHECK(!has_vertex(&data, 9, 9, 9));
    }
}

TEST(transformations_of_collada_act_in_the_order_of_the_file)
{
    MeshData data;
    // a quarter turn about z takes x to y; then 10 along x
    if (decode(Z_UP, corners, TRIANGLES,
               SCENE("<translate>10 0 0</translate><rotate>0 0 1 90</rotate>"), &data)) {
        CHECK(has_vertex(&data, 10, 1, 0) && has_vertex(&data, 9, 0, 0));
    }
    if (decode(Z_UP, corners, TRIANGLES,
               "<node><matrix>2 0 0 1  0 2 0 0  0 0 2 0  0 0 0 1</matrix>" SCENE("") "</node>",
               &data)) {
        CHECK(has_vertex(&data, 3, 0, 0) && has_vertex(&data, 1, 0, 2));
        CHECK_NEAR(volume(&data), 8.0 / 6.0, 1e-12);
    }
    // a mirror turns triangles inside out, so their corners are swapped
    if (decode(Z_UP, corners, TRIANGLES, SCENE("<scale>-1 1 1</scale>"), &data)) {
        CHECK(has_vertex(&data, -1, 0, 0));
        CHECK_NEAR(volume(&data), 1.0 / 6.0, 1e-12);
    }
}

TEST(collada_instances_repeat_geometries_and_nodes)
{
    MeshData data;
    if (decode(Z_UP, corners, TRIANGLES, SCENE("") "<node><instance_node url='#again'/></node>",
               &data)) {
        CHECK_INT(data.vertices, 8);
        CHECK_INT(data.triangles, 8);
        CHECK(has_vertex(&data, 1, 0, 5));
    }
}

// Right, up and toward the viewer are x y z with Y_UP (the default), x z -y with Z_UP and -y x z with
// X_UP.
TEST(units_and_axes_of_collada_become_metres_and_z_up)
{
    static const struct {
        const char* asset;
        double x[3], y[3], z[3]; // where the corners go
    } cases[] = {
        {"", {1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
        {"<asset><up_axis>Y_UP</up_axis></asset>", {1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
        {"<asset><up_axis>X_UP</up_axis></asset>", {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}},
        {"<asset><unit name='inch' meter='0.0254'/><up_axis>Z_UP</up_axis></asset>",
         {0.0254, 0, 0},
         {0, 0.0254, 0},
         {0, 0, 0.0254}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        MeshData data;
        if (decode(cases[i].asset, corners, TRIANGLES, NULL, &data)) {
            CHECK(has_vertex(&data, cases[i].x[0], cases[i].x[1], cases[i].x[2]));
            CHECK(has_vertex(&data, cases[i].y[0], cases[i].y[1], cases[i].y[2]));
            CHECK(has_vertex(&data, cases[i].z[0], cases[i].z[1], cases[i].z[2]));
            CHECK(volume(&data) > 0.0);
        }
    }
}
