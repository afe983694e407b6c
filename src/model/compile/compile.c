// SPDX-License-Identifier: Apache-2.0
// Compilation: check the description, measure it, take the model's memory in one piece, fill it.
#include "model/internal.h"

#include <string.h>

// ---- strings ------------------------------------------------------------------------------------

size_t ut_model_text_size(const char* text)
{
    return text != NULL ? strlen(text) + 1 : 1;
}

const char* ut_model_keep_text(Work* work, const char* text)
{
    const size_t size = ut_model_text_size(text);
    char* copy = work->text;
    memcpy(copy, text != NULL ? text : "", size);
    work->text += size;
    return copy;
}

// The formulation that was named; else the default one, unless impacts are to be of a kind that
// only formulations with events have.
static utFormulation choose_formulation(const utOptions* options)
{
    const int NEWTON = 0; // of utImpactLaw
    if (options->formulation >= 0) {
        return (utFormulation)options->formulation;
    }
    const bool events = options->impact > NEWTON ||
                        options->simultaneous > UT_SIMULTANEOUS_MOREAU ||
                        options->detection == UT_DETECTION_STEP;
    return events ? UT_FORMULATION_HYBRID : UT_FORMULATION_COULOMB;
}

static size_t all_text(const utModelDef* def)
{
    size_t size = ut_model_text_size(def->name) + ut_model_text_size(def->options.solver);
    for (int i = 0; i < def->body.count; i++) {
        size += ut_model_text_size(ut_model_body_def(def, i)->name);
    }
    for (int i = 0; i < def->joint.count; i++) {
        size += ut_model_text_size(ut_model_joint_def(def, i)->name);
    }
    for (int i = 0; i < def->geom.count; i++) {
        size += ut_model_text_size(ut_model_geom_def(def, i)->name);
    }
    for (int i = 0; i < def->site.count; i++) {
        size += ut_model_text_size(ut_model_site_def(def, i)->name);
    }
    for (int i = 0; i < def->spring.count; i++) {
        size += ut_model_text_size(ut_model_spring_def(def, i)->name);
    }
    for (int i = 0; i < def->actuator.count; i++) {
        size += ut_model_text_size(ut_model_actuator_def(def, i)->name);
    }
    for (int i = 0; i < def->geom.count; i++) {
        for (int k = 0; k < 3; k++) {
            size += ut_model_text_size(ut_model_geom_def(def, i)->surface_expression[k]);
        }
    }
    for (int i = 0; i < def->motion.count; i++) {
        for (int k = 0; k < 6; k++) {
            size += ut_model_text_size(ut_model_motion_def(def, i)->expression[k]);
        }
    }
    for (int i = 0; i < def->equality.count; i++) {
        size += ut_model_text_size(ut_model_equality_def(def, i)->name);
    }
    for (int i = 0; i < def->keyframe.count; i++) {
        size += ut_model_text_size(ut_model_keyframe_def(def, i)->name);
    }
    return size;
}

// ---- memory -------------------------------------------------------------------------------------

// The sizes of a checked description.
static utModel measure(const utModelDef* def)
{
    utModel size = {
        .nbody = def->body.count,
        .njoint = def->joint.count,
        .ngeom = def->geom.count,
        .nsite = def->site.count,
        .npoint = def->point.count,
        .nmotion = def->motion.count,
        .nspring = def->spring.count,
        .nactuator = def->actuator.count,
        .nequality = def->equality.count,
        .nkeyframe = def->keyframe.count,
        .nu = def->actuator.count,
        .nexclude = def->exclude.count,
    };
    for (int i = 0; i < def->joint.count; i++) {
        const utJointKind kind = ut_model_joint_kind(def, i);
        size.nq += ut_joint_positions(kind);
        size.nv += ut_joint_velocities(kind);
    }
    for (int i = 0; i < def->body.count; i++) {
        size.nmocap += ut_model_def_mocap(def, i) ? 1 : 0;
    }
    return size;
}

// One array that a compilation takes: where its address goes, and its size.
typedef struct Piece {
    void* at; ///< a pointer to something of that size
    size_t count;
    size_t size;
} Piece;

#define PIECE(pointer, n)                                 \
    {                                                     \
        (void*)&(pointer), (size_t)(n), sizeof *(pointer) \
    }

static size_t need_of(const Piece* pieces, size_t count)
{
    size_t need = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t one = ut_arena_need(pieces[i].count, pieces[i].size);
        need = one < SIZE_MAX - need ? need + one : SIZE_MAX;
    }
    return need;
}

static void take(const Piece* pieces, size_t count, utArena* arena)
{
    for (size_t i = 0; i < count; i++) {
        const void* memory = ut_arena_push(arena, pieces[i].count, pieces[i].size);
        memcpy(pieces[i].at, &memory, sizeof memory);
    }
}

// Bytes for the five arrays of a keyframe.
static size_t keyframe_need(const utModel* n)
{
    const int widths[] = {n->nq, n->nv, n->nu, 3 * n->nmocap, 4 * n->nmocap};
    size_t need = 0;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        need += ut_arena_need((size_t)widths[i], sizeof(double));
    }
    return need;
}

// Memory for everything that stays, in one allocation.
static utStatus take_model(Work* work, const utModel* n, const utAllocator* allocator)
{
    NameTable names[NAMED_COUNT];
    const int named[NAMED_COUNT] = {n->nbody,     n->njoint,    n->ngeom,    n->nsite,
                                    n->nactuator, n->nequality, n->nkeyframe};
    for (int k = 0; k < NAMED_COUNT; k++) {
        names[k].mask = (uint32_t)(ut_model_name_slots(named[k]) - 1);
    }
    const size_t text = all_text(work->def);
    const Piece pieces[] = {
        PIECE(work->compiled, 1),
        PIECE(work->body, n->nbody),
        PIECE(work->joint, n->njoint),
        PIECE(work->geom, n->ngeom),
        PIECE(work->site, n->nsite),
        PIECE(work->point, n->npoint),
        PIECE(work->motion, n->nmotion),
        PIECE(work->spring, n->nspring),
        PIECE(work->actuator, n->nactuator),
        PIECE(work->equality, n->nequality),
        PIECE(work->keyframe, n->nkeyframe),
        PIECE(work->tree, n->nbody),
        PIECE(work->dof_parent, n->nv),
        PIECE(work->dof_joint, n->nv),
        PIECE(work->dof_body, n->nv),
        PIECE(work->dof_armature, n->nv),
        PIECE(work->dof_damping, n->nv),
        PIECE(work->q0, n->nq),
        PIECE(work->mocap_pos, 3 * n->nmocap),
        PIECE(work->mocap_quat, 4 * n->nmocap),
        PIECE(work->exclude, 2 * n->nexclude),
        PIECE(work->text, text),
        PIECE(names[NAMED_BODY].slot, (size_t)names[NAMED_BODY].mask + 1),
        PIECE(names[NAMED_JOINT].slot, (size_t)names[NAMED_JOINT].mask + 1),
        PIECE(names[NAMED_GEOM].slot, (size_t)names[NAMED_GEOM].mask + 1),
        PIECE(names[NAMED_SITE].slot, (size_t)names[NAMED_SITE].mask + 1),
        PIECE(names[NAMED_ACTUATOR].slot, (size_t)names[NAMED_ACTUATOR].mask + 1),
        PIECE(names[NAMED_EQUALITY].slot, (size_t)names[NAMED_EQUALITY].mask + 1),
        PIECE(names[NAMED_KEYFRAME].slot, (size_t)names[NAMED_KEYFRAME].mask + 1),
    };
    const size_t count = sizeof pieces / sizeof *pieces;
    const size_t keys = ut_arena_need((size_t)n->nkeyframe, keyframe_need(n));
    const size_t shapes = ut_model_shapes_need(work->def) + ut_model_figures_need(work->def);
    const size_t texts = ut_model_expressions_need(work->def);
    const size_t need = need_of(pieces, count);
    if (need == SIZE_MAX || keys > SIZE_MAX - need || shapes > SIZE_MAX - need - keys ||
        texts > SIZE_MAX - need - keys - shapes) {
        return UT_ERR_MEMORY;
    }
    utArena memory;
    UT_TRY(ut_arena_create(need + keys + shapes + texts, allocator, &memory));
    work->keep = memory;
    take(pieces, count, &work->keep);
    *work->compiled = (Compiled){.model = *n, .memory = memory};
    memcpy(work->compiled->names, names, sizeof names);
    work->model = &work->compiled->model;
    return UT_OK;
}

// Memory that compiling needs for itself.
static utStatus take_scratch(Work* work, const utModel* n, const utAllocator* allocator,
                             utArena* memory)
{
    const Piece pieces[] = {
        PIECE(work->joint_def, n->njoint), PIECE(work->joint_model, n->njoint),
        PIECE(work->geom_def, n->ngeom),   PIECE(work->body_end, n->nbody),
        PIECE(work->place, n->nbody),      PIECE(work->group, n->nbody),
        PIECE(work->first, n->nbody),
    };
    const size_t count = sizeof pieces / sizeof *pieces;
    const size_t need = need_of(pieces, count);
    if (need == SIZE_MAX) {
        return UT_ERR_MEMORY;
    }
    UT_TRY(ut_arena_create(need, allocator, memory));
    utArena left = *memory;
    take(pieces, count, &left);
    return UT_OK;
}

// ---- filling ------------------------------------------------------------------------------------

static void publish(Work* work)
{
    utModel* model = work->model;
    model->body = work->body;
    model->joint = work->joint;
    model->geom = work->geom;
    model->site = work->site;
    model->point = work->point;
    model->motion = work->motion;
    model->spring = work->spring;
    model->actuator = work->actuator;
    model->equality = work->equality;
    model->keyframe = work->keyframe;
    model->tree = work->tree;
    model->dof_parent = work->dof_parent;
    model->dof_joint = work->dof_joint;
    model->dof_body = work->dof_body;
    model->dof_armature = work->dof_armature;
    model->dof_damping = work->dof_damping;
    model->q0 = work->q0;
    model->mocap_pos = work->mocap_pos;
    model->mocap_quat = work->mocap_quat;
    model->exclude = work->exclude;
    model->allocation = work->compiled;
    model->name = ut_model_keep_text(work, work->def->name);
    model->missing = work->def->missing;
    model->options = work->def->options;
    model->options.gravity =
        ut_model_flat_gravity(work->def->options.planar, work->def->options.gravity);
    model->options.formulation = (int)choose_formulation(&work->def->options);
    model->options.solver = ut_model_keep_text(work, work->def->options.solver);
}

static utStatus fill(Work* work)
{
    publish(work);
    // these two are counted again while bodies are filled
    work->model->nmocap = 0;
    work->model->ntree = 0;
    ut_model_fill_tree(work);
    ut_model_fill_geoms(work);
    UT_TRY(ut_model_check_moving(work));
    UT_TRY(ut_model_fill_inertia(work));
    UT_TRY(ut_model_fill_reach(work));
    ut_model_fill_sites(work);
    ut_model_fill_extras(work);
    ut_model_fill_actuators(work);
    ut_model_fill_excludes(work);
    UT_TRY(ut_model_fill_equalities(work));
    UT_TRY(ut_model_fill_keyframes(work));
    UT_TRY(ut_model_fill_names(work));
    work->model->hash = ut_model_hash(work->model);
    return UT_OK;
}

utStatus ut_model_compile(const utModelDef* def, const utAllocator* allocator, utModel** model,
                          utError* err)
{
    if (def == NULL || model == NULL) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "no description or no place for the model");
    }
    if (def->short_of_memory) {
        return ut_error_set(err, UT_ERR_MEMORY,
                            "the description is incomplete: memory was short when it was made");
    }
    UT_TRY(ut_model_check(def, err));

    Work work = {.def = def, .err = err};
    const utModel size = measure(def);
    utArena scratch;
    utStatus status = take_scratch(&work, &size, allocator, &scratch);
    if (status == UT_OK) {
        status = take_model(&work, &size, allocator);
        if (status == UT_OK) {
            status = fill(&work);
        }
        ut_arena_destroy(&scratch);
    }
    if (status == UT_ERR_MEMORY) {
        ut_error_set(err, status, "memory is short for a model of %d bodies and %d velocities",
                     size.nbody, size.nv);
    }
    if (status != UT_OK) {
        ut_model_destroy(work.model);
        return status;
    }
    *model = work.model;
    return UT_OK;
}

void ut_model_destroy(utModel* model)
{
    if (model != NULL) {
        utArena memory = ((Compiled*)model)->memory;
        ut_arena_destroy(&memory);
    }
}
