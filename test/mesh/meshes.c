// SPDX-License-Identifier: Apache-2.0
// STL, OBJ and MSH: the same tetrahedron in every format, and files that are wrong.
#include "files.h"

// A tetrahedron with corners at the origin and at 1 along each axis.
static const float corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int face[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

// Six times the volume of the tetrahedra from the origin to the triangles.
static double six_volumes(const MeshData* m)
{
    double sum = 0.0;
    for (int i = 0; i < m->triangles; i++) {
        const double* v[3];
        for (int k = 0; k < 3; k++) {
            v[k] = m->vertex + 3 * m->triangle[3 * i + k];
        }
        sum += v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) -
               v[0][1] * (v[1][0] * v[2][2] - v[1][2] * v[2][0]) +
               v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
    }
    return sum;
}

static void check_tetrahedron(utText bytes, const char* file)
{
    utArena arena = test_arena();
    MeshData data;
    utError err = {0};
    if (!CHECK_INT(ut_mesh_decode(bytes, file, NULL, &arena, &data, &err), UT_OK)) {
        test_note("%s", err.message);
        return;
    }
    CHECK_INT(data.vertices, 4);
    CHECK_INT(data.triangles, 4);
    CHECK_NEAR(six_volumes(&data), 1.0, 0.0); // products of 0 and 1 are exact
}

static Bytes binary_stl(void)
{
    Bytes b = {.size = 0};
    memcpy(b.data, "solid", 5); // as some programs begin binary files
    put_zeros(&b, 80);
    memcpy(b.data, "solid", 5);
    put_little(&b, 4);
    for (int i = 0; i < 4; i++) {
        put_zeros(&b, 12);
        for (int k = 0; k < 9; k++) {
            put_float(&b, corner[face[i][k / 3]][k % 3]);
        }
        put_zeros(&b, 2);
    }
    return b;
}

static Bytes binary_msh(void)
{
    Bytes b = {.size = 0};
    put_little(&b, 4);
    put_little(&b, 0);
    put_little(&b, 4);
    put_little(&b, 4);
    for (int k = 0; k < 12; k++) {
        put_float(&b, corner[k / 3][k % 3]);
    }
    put_zeros(&b, 4 * 8); // texture coordinates
    for (int k = 0; k < 12; k++) {
        put_little(&b, (uint32_t)face[k / 3][k % 3]);
    }
    return b;
}

static const char text_stl[] = "solid tetra hedron\n"
                               " facet normal nan nan nan outer loop\n"
                               "  vertex 0 0 0 vertex 0 1 0 vertex 1 0 0 endloop endfacet\n"
                               " FACET NORMAL 0 -1 0 OUTER LOOP VERTEX 0 0 0 VERTEX 1 0 0\n"
                               "  VERTEX 0 0 1 ENDLOOP ENDFACET\n"
                               " facet normal -1 0 0 outer loop vertex 0 0 0 vertex 0 0 1\n"
                               "  vertex 0 1 0 endloop endfacet\n"
                               " facet normal 1 1 1 outer loop vertex 1.0e0 0 -0.0\n"
                               "  vertex 0 +1 0 vertex 0 0 1 endloop endfacet\n"
                               "endsolid tetra hedron\n";

TEST(one_tetrahedron_in_every_format)
{
    const Bytes stl = binary_stl(), msh = binary_msh();
    check_tetrahedron(text_of(&stl), "a.stl");
    check_tetrahedron(text_of(&stl), "folder.obj/a.STL");
    check_tetrahedron(text_of(&msh), "a.msh");
    check_tetrahedron(text(text_stl), "a.stl");
    check_tetrahedron(text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n"
                           "f 2 3 4"),
                      "a.obj");
}

TEST(obj_has_several_ways_to_name_a_corner)
{
    check_tetrahedron(text("# a comment\nmtllib x.mtl\r\no a\nv 0 0 0 1.0\nv 1 0 0 0.5 0.5 0.5\r\n"
                           "v 0 1 \\\n 0\nvt 0 0\nvn 0 0 1\nv 0 0 1 # the last\n"
                           "f 1/1 3/1 2/1\nf 1/1/1 2/1/1 4/1/1\nf 1//1 4//1 3//1\nf -3 -2 -1\n"),
                      "a.obj");
}

TEST(polygons_become_triangles)
{
    utArena arena = test_arena();
    MeshData data;
    utError err = {0};
    CHECK_INT(ut_mesh_decode(text("v 0 0 1\nv 1 0 1\nv 2 1 1\nv 1 2 1\nv 0 2 1\nf 1 2 3 4 5\n"),
                             "a.obj", NULL, &arena, &data, &err),
              UT_OK);
    CHECK_INT(data.triangles, 3);
    // 6 V = 2 (area of the pentagon) (height), and the area is 3
    CHECK_NEAR(six_volumes(&data), 6.0, 0.0);
}

// An L of area 3, from each of its corners: the triangles cover it once, so that their areas, all
// positive, add up to 3.
TEST(polygons_that_are_not_convex_are_covered_once)
{
    static const char* const corners[] = {"v 0 0 0\n", "v 2 0 0\n", "v 2 1 0\n",
                                          "v 1 1 0\n", "v 1 2 0\n", "v 0 2 0\n"};
    for (int first = 0; first < 6; first++) {
        char words[200] = "";
        for (int k = 0; k < 6; k++) {
            strcat(words, corners[(first + k) % 6]);
        }
        strcat(words, "f 1 2 3 4 5 6\n");
        utArena arena = test_arena();
        MeshData data;
        utError err = {0};
        CHECK_INT(ut_mesh_decode(text(words), "a.obj", NULL, &arena, &data, &err), UT_OK);
        CHECK_INT(data.triangles, 4);
        double sum = 0.0;
        for (int i = 0; i < 4; i++) {
            const double* a = data.vertex + 3 * data.triangle[3 * i];
            const double* b = data.vertex + 3 * data.triangle[3 * i + 1];
            const double* c = data.vertex + 3 * data.triangle[3 * i + 2];
            const double twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            CHECK(twice > 0.0);
            sum += 0.5 * twice;
        }
        CHECK_NEAR(sum, 3.0, 0.0);
    }
}

// By hand: a quadrilateral whose corner 3 is lifted by 3. Divided between corners 2 and 4, which are
// nearer to each other than 1 and 3, the corners 1, 2, 4 stay in the plane z = 0.
TEST(a_quadrilateral_is_divided_by_its_shorter_diagonal)
{
    static const char* const faces[] = {"f 1 2 3 4\n", "f 2 3 4 1\n", "f 4 1 2 3\n"};
    for (int k = 0; k < 3; k++) {
        char words[200] = "v 0 0 0\nv 1 0 0\nv 1 1 3\nv 0 1 0\n";
        strcat(words, faces[k]);
        utArena arena = test_arena();
        MeshData data;
        utError err = {0};
        CHECK_INT(ut_mesh_decode(text(words), "a.obj", NULL, &arena, &data, &err), UT_OK);
        CHECK_INT(data.triangles, 2);
        int flat = 0;
        for (int i = 0; i < 2; i++) {
            const int* t = data.triangle + 3 * i;
            flat += t[0] != 2 && t[1] != 2 && t[2] != 2;
        }
        CHECK_INT(flat, 1);
    }
}

TEST(the_first_object_of_several_is_counted)
{
    utArena arena = test_arena();
    MeshData data;
    utError err = {0};
    CHECK_INT(ut_mesh_decode(text("o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\no b\n"
                                  "f 2 3 1\n"),
                             "a.obj", NULL, &arena, &data, &err),
              UT_OK);
    CHECK_INT(data.triangles, 3);
    CHECK_INT(data.first_object, 2);
}

TEST(coordinates_are_those_of_single_precision)
{
    utArena arena = test_arena();
    MeshData data;
    utError err = {0};
    CHECK_INT(ut_mesh_decode(text("v 0.1 0 0\n"), "a.obj", NULL, &arena, &data, &err), UT_OK);
    CHECK_NEAR(data.vertex[0], 0x1.99999ap-4, 0.0); // 0.1 rounded to 24 bits
}

TEST(wrong_meshes_are_refused_with_their_place)
{
    check_refused(text("v 0 0 0\nv 1 x 0\n"), "a.obj", "a.obj:2:5: error: 'x' is not a coordinate");
    check_refused(text("v 0 0\n"), "a.obj", "a.obj:1:6: error: a vertex needs three coordinates");
    check_refused(text("v 0 0 1e39\n"), "a.obj", "a.obj:1:7: error: '1e39' is not a coordinate");
    check_refused(text("v 0 0 0\nf 1 1\n"), "a.obj",
                  "a.obj:2:6: error: a face needs at least three vertices");
    check_refused(text("v 0 0 0\nf 1 1 2147483648\n"), "a.obj",
                  "a.obj:2:7: error: '2147483648' is no vertex; the file has 1");
    check_refused(text("v 0 0 0\nf 1 1 99999999999999999999999\n"), "a.obj",
                  "a.obj:2:7: error: '99999999999999999999999' is not the number of a vertex");
    check_refused(text("v 0 0 0\nf 1 1 -2\n"), "a.obj",
                  "a.obj:2:7: error: '-2' is no vertex; the file has 1");
    check_refused(text("v 0 0 0\nf 1 1 0\n"), "a.obj",
                  "a.obj:2:7: error: '0' is no vertex; the file has 1");
    check_refused(text(""), "a.obj", "a.obj:1:1: error: an OBJ file without vertices");
    check_refused(text("solid x\nendsolid x\n"), "a.stl",
                  "a.stl:1:1: error: an STL file without triangles");
    check_refused(text("solid\nfacet normal 0 0 1 outer loop vertex 0 0 z\n"), "a.stl",
                  "a.stl:2:42: error: 'z' is not a number");
    check_refused(text("solid\nfacet normal 0 0 1 inner"), "a.stl",
                  "a.stl:2:20: error: 'inner' instead of 'outer'");
    check_refused(text("short"), "a.stl",
                  "a.stl: error: byte 5: the file ends within its header of 84 bytes");
    check_refused(text("$MeshFormat\n4.1 0 8\n"), "a.msh",
                  "a.msh: error: byte 0: this is a file of Gmsh; convert it to STL or OBJ");
    check_refused(
        text("x"), "a.ply",
        "a.ply: error: unknown kind of mesh file; convert it to .stl, .obj, .dae or .msh");
}

// The claims of these headers are not believed: no memory of that size is asked for.
TEST(a_header_that_claims_too_much_is_refused_at_once)
{
    Bytes stl = binary_stl(), msh = binary_msh();
    memset(stl.data + 80, 0xff, 4);
    memset(stl.data, 'x', 5);
    check_refused(text_of(&stl), "a.stl",
                  "a.stl: error: byte 80: the header says 4294967295 triangles, which need "
                  "214748364834 bytes, but the file has 284");
    memset(msh.data, 0xff, 4);
    check_refused(text_of(&msh), "a.msh",
                  "a.msh: error: byte 0: the header asks for 51539607636 bytes but the file has "
                  "144; is it a binary MSH file of MuJoCo?");
    Bytes wrong = binary_msh();
    wrong.data[wrong.size - 4] = 4;
    check_refused(text_of(&wrong), "a.msh",
                  "a.msh: error: byte 140: triangle 3 has vertex 4; there are 4");
    Bytes infinite = binary_stl();
    memcpy(infinite.data + 96, "\0\0\x80\x7f", 4);
    check_refused(text_of(&infinite), "a.stl",
                  "a.stl: error: byte 96: a coordinate of triangle 0 is not finite");
}

TEST(limits_of_meshes_are_named)
{
    const Bytes stl = binary_stl();
    utArena arena = test_arena();
    MeshData data;
    utError err = {0};
    utLimits limits = ut_limits();
    limits.triangles = 3;
    CHECK_INT(ut_mesh_decode(text_of(&stl), "a.stl", &limits, &arena, &data, &err), UT_ERR_FORMAT);
    CHECK_TEXT(err.message, "more than 3 triangles; utLimits.triangles sets the limit");
    limits = ut_limits();
    limits.vertices = 3;
    CHECK_INT(ut_mesh_decode(text_of(&stl), "a.stl", &limits, &arena, &data, &err), UT_ERR_FORMAT);
    CHECK_TEXT(err.message, "more than 3 vertices; utLimits.vertices sets the limit");
}
