// SPDX-License-Identifier: Apache-2.0
// Meshes and height fields of descriptions made in C: copies, checks and masses.
#include <string.h>

#include "build.h"

static const double corner[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const int face[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static utMeshDef tetrahedron(void)
{
    utMeshDef mesh = ut_mesh_def();
    mesh.name = "tetra";
    mesh.vertices = 4;
    mesh.vertex = corner;
    mesh.triangles = 4;
    mesh.triangle = face;
    return mesh;
}

// A description with one mesh on a free body.
static utModelDef* with_mesh(const utMeshDef* mesh, const utGeomDef* geom)
{
    utModelDef* def = new_def();
    const int body = add_body(def, 0, "b", ut_vec3_zero());
    add_joint(def, body, UT_JOINT_FREE, NULL);
    CHECK_INT(ut_model_def_mesh(def, mesh), 0);
    utGeomDef g = *geom;
    g.body = body;
    CHECK_INT(ut_model_def_geom(def, &g), 0);
    return def;
}

static utGeomDef hull_geom(void)
{
    utGeomDef geom = ut_geom_def(0, UT_SHAPE_HULL, ut_vec3_zero());
    geom.name = "g";
    geom.mesh = 0;
    return geom;
}

TEST(a_description_owns_its_meshes_and_so_does_its_copy)
{
    double vertex[12];
    int triangle[12];
    memcpy(vertex, corner, sizeof vertex);
    memcpy(triangle, face, sizeof triangle);
    utMeshDef mesh = tetrahedron();
    mesh.vertex = vertex;
    mesh.triangle = triangle;
    const utGeomDef geom = hull_geom();
    utModelDef* def = with_mesh(&mesh, &geom);
    memset(vertex, 0, sizeof vertex);
    memset(triangle, 0, sizeof triangle);
    utModelDef* copy = NULL;
    CHECK_INT(ut_model_def_copy(def, NULL, &copy), UT_OK);
    utModel *first = NULL, *second = NULL;
    utError err = {0};
    CHECK_INT(ut_model_compile(def, NULL, &first, &err), UT_OK);
    ut_model_def_destroy(def);
    CHECK_INT(ut_model_compile(copy, NULL, &second, &err), UT_OK);
    if (first != NULL && second != NULL) {
        CHECK(first->hash == second->hash);
        CHECK_NEAR(first->mass, 1000.0 / 6.0, 1e-10);
    }
    ut_model_def_destroy(copy);
    ut_model_destroy(first);
    ut_model_destroy(second);
}

static void check_refused(const utMeshDef* mesh, const utGeomDef* geom, utStatus status,
                          const char* want)
{
    utModelDef* def = with_mesh(mesh, geom);
    utModel* model = NULL;
    utError err = {0};
    CHECK_INT(ut_model_compile(def, NULL, &model, &err), status);
    CHECK_TEXT(err.message, want);
    ut_model_destroy(model);
    ut_model_def_destroy(def);
}

TEST(wrong_meshes_are_named)
{
    const utGeomDef good_geom = hull_geom();
    utMeshDef mesh = tetrahedron();
    mesh.vertices = 3;
    check_refused(&mesh, &good_geom, UT_ERR_ARGUMENT,
                  "mesh 'tetra' has 3 vertices; a mesh needs at least 4");
    mesh = tetrahedron();
    mesh.triangles = INT32_MAX;
    check_refused(&mesh, &good_geom, UT_ERR_ARGUMENT,
                  "mesh 'tetra' has 0 vertices; a mesh needs at least 4");
    mesh = tetrahedron();
    const int outside[12] = {0, 2, 4};
    mesh.triangle = outside;
    check_refused(&mesh, &good_geom, UT_ERR_ARGUMENT,
                  "triangle 0 of mesh 'tetra' has vertex 4; there are 0 to 3");
    mesh = tetrahedron();
    mesh.scale.y = 0.0;
    check_refused(&mesh, &good_geom, UT_ERR_ARGUMENT,
                  "scale of mesh 'tetra' must be finite and not 0");
    mesh = tetrahedron();
    mesh.cookie = 0;
    check_refused(&mesh, &good_geom, UT_ERR_DEF,
                  "mesh #0 did not come from ut_mesh_def(); begin with that");
}

TEST(wrong_references_to_meshes_are_named)
{
    const utMeshDef mesh = tetrahedron();
    utGeomDef geom = hull_geom();
    geom.mesh = 1;
    check_refused(&mesh, &geom, UT_ERR_ARGUMENT,
                  "geom 'g' refers to mesh 1 and height field -1; there are 1 and 0");
    geom = hull_geom();
    geom.shape.kind = UT_SHAPE_PLANE;
    check_refused(&mesh, &geom, UT_ERR_ARGUMENT, "geom 'g' is a plane, which cannot take a mesh");
    geom = hull_geom();
    geom.shell = true;
    check_refused(&mesh, &geom, UT_ERR_ARGUMENT,
                  "geom 'g' is a mesh with shell; set the inertia of the mesh to shell instead");
    geom = hull_geom();
    geom.mesh = -1;
    check_refused(&mesh, &geom, UT_ERR_ARGUMENT,
                  "geom 'g': hull: its data are missing; build it first");
}

// The mesh of a pair collides although its masks are 0, so that it has its hull.
TEST(a_mesh_in_a_pair_has_its_hull)
{
    const utMeshDef mesh = tetrahedron();
    utGeomDef geom = hull_geom();
    geom.contype = geom.conaffinity = 0;
    utModelDef* def = with_mesh(&mesh, &geom);
    utModel* model = NULL;
    utError err = {0};
    CHECK_INT(ut_model_compile(def, NULL, &model, &err), UT_OK);
    CHECK(model != NULL && model->geom[0].shape.kind == UT_SHAPE_BOX);
    ut_model_destroy(model);
    model = NULL;
    const utGeomDef plane = ut_geom_def(0, UT_SHAPE_PLANE, ut_vec3_zero());
    CHECK_INT(ut_model_def_geom(def, &plane), 1);
    const utPairDef pair = ut_pair_def(0, 1);
    CHECK_INT(ut_model_def_pair(def, &pair), 0);
    CHECK_INT(ut_model_compile(def, NULL, &model, &err), UT_OK);
    CHECK(model != NULL && ut_model_find_geom(model, "g") >= 0 &&
          model->geom[ut_model_find_geom(model, "g")].shape.kind == UT_SHAPE_HULL);
    ut_model_destroy(model);
    ut_model_def_destroy(def);
}
