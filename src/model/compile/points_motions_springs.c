// SPDX-License-Identifier: Apache-2.0
// Explicit contact points, prescribed motions, springs between sites, and moving surfaces of geoms:
// checks and compilation.
#include "model/internal.h"

#include <string.h>

// ---- expressions --------------------------------------------------------------------------------

static utText text_of(const char* text)
{
    return (utText){text, strlen(text)};
}

// Read an expression that has been checked; NULL is 0. A push that fails is remembered by
// `work->keep`.
static utExpression keep_expression(Work* work, const char* text)
{
    utExpression expression = {NULL, 0};
    if (text != NULL) {
        (void)ut_expression_read(text_of(text), &work->keep, &expression, NULL);
    }
    return expression;
}

// @param text may be NULL @param name of the attribute
static utStatus check_expression(const char* text, const char* name, Label label, utOrigin origin,
                                 utError* err)
{
    enum { ROOM = 32 * UT_EXPRESSION_LENGTH };
    unsigned char room[ROOM];
    utArena arena = ut_arena_on(room, sizeof room);
    utExpression read;
    utError why;
    if (text == NULL) {
        return UT_OK;
    }
    const utStatus status = ut_expression_read(text_of(text), &arena, &read, &why);
    if (status == UT_ERR_CAPACITY) {
        return UT_MODEL_FAIL(err, origin, "%s of %s is too long", name, label.text);
    }
    if (status != UT_OK) {
        return UT_MODEL_FAIL(err, origin, "%s of %s, column %d: %s", name, label.text, why.column,
                             why.message);
    }
    return UT_OK;
}

// ---- checks -------------------------------------------------------------------------------------

static bool within(int index, int count)
{
    return index >= 0 && index < count;
}

static utStatus check_point(const utModelDef* def, int i, utError* err)
{
    const utPointDef* point = ut_model_point_def(def, i);
    const Label label = ut_model_label("point", NULL, i);
    UT_TRY(ut_model_check_cookie(point->cookie, UT_POINT_DEF_COOKIE, label, "ut_point_def", err));
    if (!within(point->site, def->site.count) || !within(point->geom, def->geom.count)) {
        return UT_MODEL_FAIL(
            err, point->origin, "%s is of site %d and geom %d; there are %d sites and %d geoms",
            label.text, point->site, point->geom, def->site.count, def->geom.count);
    }
    const utGeomDef* geom = ut_model_geom_def(def, point->geom);
    const Label geom_label = ut_model_geom_label(def, point->geom);
    const bool plane = geom->shape.kind == UT_SHAPE_PLANE;
    if ((!plane && geom->shape.kind != UT_SHAPE_BOX) || !within((int)point->face, UT_FACE_COUNT) ||
        plane != (point->face == UT_FACE_PLANE)) {
        return UT_MODEL_FAIL(err, point->origin,
                             "%s is against %s of %s; it takes a plane, or a face of a box: -x, "
                             "+x, -y, +y, -z or +z",
                             label.text, ut_face_name(point->face), geom_label.text);
    }
    if (geom->body == ut_model_site_def(def, point->site)->body) {
        return UT_MODEL_FAIL(err, point->origin, "%s is between %s and %s, which are on one body",
                             label.text, ut_model_site_label(def, point->site).text,
                             geom_label.text);
    }
    if (!isfinite(point->friction)) {
        return UT_MODEL_FAIL(err, point->origin, "friction of %s is %s; it must be finite",
                             label.text, ut_model_number(point->friction).text);
    }
    return UT_OK;
}

static bool is_sequence(const char* s)
{
    bool good = s[3] == 0;
    for (int k = 0; k < 3; k++) {
        good = good && s[k] != 0 && strchr("xyzXYZ", s[k]) != NULL;
    }
    return good;
}

static utStatus check_motion(const utModelDef* def, int i, utError* err)
{
    static const char* const name[6] = {"x", "y", "z", "rx", "ry", "rz"};
    const utMotionDef* motion = ut_model_motion_def(def, i);
    Label label = ut_model_label("motion", NULL, i);
    UT_TRY(
        ut_model_check_cookie(motion->cookie, UT_MOTION_DEF_COOKIE, label, "ut_motion_def", err));
    if (!within(motion->body, def->body.count) || motion->body == 0) {
        return UT_MODEL_FAIL(err, motion->origin,
                             "%s is of body %d; there are 1 to %d, and the world cannot move",
                             label.text, motion->body, def->body.count - 1);
    }
    label = ut_model_label("the motion of", ut_model_body_def(def, motion->body)->name, i);
    for (int k = 0; k < i; k++) {
        if (ut_model_motion_def(def, k)->body == motion->body) {
            return UT_MODEL_FAIL(err, motion->origin, "%s is given twice; give it once",
                                 label.text);
        }
    }
    if (!is_sequence(motion->sequence)) {
        return UT_MODEL_FAIL(err, motion->origin,
                             "the sequence of %s must be three letters of xyzXYZ", label.text);
    }
    for (int k = 0; k < 6; k++) {
        UT_TRY(check_expression(motion->expression[k], name[k], label, motion->origin, err));
    }
    return UT_OK;
}

static utStatus check_spring(const utModelDef* def, int i, utError* err)
{
    const utSpringDef* spring = ut_model_spring_def(def, i);
    const Label label = ut_model_label("spring", spring->name, i);
    UT_TRY(
        ut_model_check_cookie(spring->cookie, UT_SPRING_DEF_COOKIE, label, "ut_spring_def", err));
    if (!within(spring->site1, def->site.count) || !within(spring->site2, def->site.count)) {
        return UT_MODEL_FAIL(err, spring->origin, "%s is between sites %d and %d; there are %d",
                             label.text, spring->site1, spring->site2, def->site.count);
    }
    if (ut_model_site_def(def, spring->site1)->body ==
        ut_model_site_def(def, spring->site2)->body) {
        return UT_MODEL_FAIL(err, spring->origin, "%s is between two sites of one body",
                             label.text);
    }
    return ut_model_check_attributes(ELEMENT_SPRING, spring, label, spring->origin, err);
}

utStatus ut_model_check_points_motions_springs(const utModelDef* def, utError* err)
{
    static const char* const name[3] = {"surfacevel x", "surfacevel y", "surfacevel z"};
    for (int i = 0; i < def->geom.count; i++) {
        const utGeomDef* geom = ut_model_geom_def(def, i);
        for (int k = 0; k < 3; k++) {
            UT_TRY(check_expression(geom->surface_expression[k], name[k],
                                    ut_model_geom_label(def, i), geom->origin, err));
        }
    }
    for (int i = 0; i < def->point.count; i++) {
        UT_TRY(check_point(def, i, err));
    }
    for (int i = 0; i < def->motion.count; i++) {
        UT_TRY(check_motion(def, i, err));
    }
    for (int i = 0; i < def->spring.count; i++) {
        UT_TRY(check_spring(def, i, err));
    }
    return UT_OK;
}

// ---- filling ------------------------------------------------------------------------------------

static const char* keep_expression_text(Work* work, const char* expression)
{
    return expression != NULL ? ut_model_keep_text(work, expression) : NULL;
}

static void fill_surface(Work* work, int i)
{
    const utGeomDef* def = ut_model_geom_def(work->def, work->scratch.described_geom[i]);
    utModelGeom* geom = &work->array.geom[i];
    const utVec3 zero = ut_vec3_zero();
    geom->belt = memcmp(&geom->surface_velocity, &zero, sizeof zero) != 0 ||
                 memcmp(&geom->surface_spin, &zero, sizeof zero) != 0;
    for (int k = 0; k < 3; k++) {
        geom->belt = geom->belt || def->surface_expression[k] != NULL;
        geom->surface[k] = keep_expression(work, def->surface_expression[k]);
        geom->surface_text[k] = keep_expression_text(work, def->surface_expression[k]);
    }
}

static double component(utVec3 v, int k)
{
    return k == 0 ? v.x : k == 1 ? v.y : v.z;
}

static void fill_point(Work* work, int i)
{
    const utPointDef* def = ut_model_point_def(work->def, i);
    const int geom = work->scratch.geom_of_described[def->geom];
    const utModelGeom* g = &work->array.geom[geom];
    utModelPoint* point = &work->array.point[i];
    *point = (utModelPoint){.site = def->site,
                            .geom = geom,
                            .normal = ut_vec3(0.0, 0.0, 1.0),
                            .friction = def->friction >= 0.0 ? def->friction : g->friction,
                            .kinetic = def->friction >= 0.0 ? def->friction : g->kinetic};
    if (def->face != UT_FACE_PLANE) {
        const int axis = ((int)def->face - 1) / 2;
        const double sign = (int)def->face % 2 == 1 ? -1.0 : 1.0;
        point->normal =
            ut_vec3(axis == 0 ? sign : 0.0, axis == 1 ? sign : 0.0, axis == 2 ? sign : 0.0);
        point->offset = component(g->shape.size, axis);
    }
}

static void fill_motion(Work* work, int i)
{
    const utMotionDef* def = ut_model_motion_def(work->def, i);
    utModelMotion* motion = &work->array.motion[i];
    *motion = (utModelMotion){.body = def->body};
    memcpy(motion->sequence, def->sequence, sizeof motion->sequence);
    for (int k = 0; k < 6; k++) {
        motion->given[k] = def->expression[k] != NULL;
        motion->at[k] = keep_expression(work, def->expression[k]);
        motion->text[k] = keep_expression_text(work, def->expression[k]);
    }
}

static void fill_spring(Work* work, int i)
{
    const utSpringDef* def = ut_model_spring_def(work->def, i);
    work->array.spring[i] = (utModelSpring){
        .name = ut_model_keep_text(work, def->name),
        .site1 = def->site1,
        .site2 = def->site2,
        .stiffness = def->stiffness,
        .length = def->length,
        .damping = def->damping,
        .full = def->full,
    };
}

void ut_model_fill_points_motions_springs(Work* work)
{
    for (int i = 0; i < work->model->ngeom; i++) {
        fill_surface(work, i);
    }
    for (int i = 0; i < work->model->npoint; i++) {
        fill_point(work, i);
    }
    for (int i = 0; i < work->model->nmotion; i++) {
        fill_motion(work, i);
    }
    for (int i = 0; i < work->model->nspring; i++) {
        fill_spring(work, i);
    }
}
