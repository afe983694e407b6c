// SPDX-License-Identifier: Apache-2.0
// Compilation: check the description, push the arrays of the model, fill them part by part.
#include "model/internal.h"

#include <string.h>

#include "base/internal.h"

// ---- options ------------------------------------------------------------------------------------

// The formulation of the options. Without one the default is coulomb, or hybrid when the options ask
// for impacts that only formulations with events have.
static utFormulation choose_formulation(const utOptions* options)
{
    if (options->formulation >= 0) {
        return (utFormulation)options->formulation;
    }
    const bool events = options->impact > IMPACT_NEWTON ||
                        options->simultaneous > UT_SIMULTANEOUS_MOREAU ||
                        options->detection == UT_DETECTION_STEP;
    return events ? UT_FORMULATION_HYBRID : UT_FORMULATION_COULOMB;
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
        .ntendon = def->tendon.count,
        .nactuator = def->actuator.count,
        .nequality = def->equality.count,
        .npair = def->pair.count,
        .nkeyframe = def->keyframe.count,
        .nu = def->actuator.count,
        .nexclude = def->exclude.count,
        .nsensor = def->sensor.count,
        .missing_parts = def->missing.count,
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

const char* ut_model_keep_text(Work* work, const char* text)
{
    if (text == NULL || text[0] == 0) {
        return "";
    }
    const size_t size = strlen(text) + 1;
    char* copy = ut_arena_pack(&work->keep, size, 1);
    if (copy == NULL) {
        return "";
    }
    memcpy(copy, text, size);
    return copy;
}

// Push the arrays of the model, whose sizes are `n`.
static utStatus push_arrays(Work* work, const utModel* n)
{
    utArena* keep = &work->keep;
    work->compiled = UT_PUSH(keep, Compiled, 1);
    work->array = (ModelArrays){
        .body = UT_PUSH(keep, utModelBody, n->nbody),
        .joint = UT_PUSH(keep, utModelJoint, n->njoint),
        .geom = UT_PUSH(keep, utModelGeom, n->ngeom),
        .site = UT_PUSH(keep, utModelSite, n->nsite),
        .point = UT_PUSH(keep, utModelPoint, n->npoint),
        .motion = UT_PUSH(keep, utModelMotion, n->nmotion),
        .spring = UT_PUSH(keep, utModelSpring, n->nspring),
        .tendon = UT_PUSH(keep, utModelTendon, n->ntendon),
        .actuator = UT_PUSH(keep, utModelActuator, n->nactuator),
        .equality = UT_PUSH(keep, utModelEquality, n->nequality),
        .pair = UT_PUSH(keep, utModelPair, n->npair),
        .keyframe = UT_PUSH(keep, utModelKeyframe, n->nkeyframe),
        .sensor = UT_PUSH(keep, utModelSensor, n->nsensor),
        .tree = UT_PUSH(keep, utModelTree, n->nbody),
        .dof_parent = UT_PUSH(keep, int, n->nv),
        .dof_joint = UT_PUSH(keep, int, n->nv),
        .dof_body = UT_PUSH(keep, int, n->nv),
        .dof_armature = UT_PUSH(keep, double, n->nv),
        .dof_damping = UT_PUSH(keep, double, n->nv),
        .q0 = UT_PUSH(keep, double, n->nq),
        .mocap_pos = UT_PUSH(keep, double, 3 * n->nmocap),
        .mocap_quat = UT_PUSH(keep, double, 4 * n->nmocap),
        .exclude = UT_PUSH(keep, int, 2 * n->nexclude),
        .missing_part = UT_PUSH(keep, utMissing, n->missing_parts),
    };
    if (ut_arena_failed(keep)) {
        return UT_ERR_MEMORY;
    }
    *work->compiled = (Compiled){.model = *n};
    work->model = &work->compiled->model;
    return UT_OK;
}

static utStatus push_scratch(Work* work, const utModel* n, utArena* scratch)
{
    work->scratch = (CompileScratch){
        .described_joint = UT_PUSH(scratch, int, n->njoint),
        .joint_of_described = UT_PUSH(scratch, int, n->njoint),
        .described_geom = UT_PUSH(scratch, int, n->ngeom),
        .first = UT_PUSH(scratch, int, n->nbody),
        .subtree_end = UT_PUSH(scratch, int, n->nbody),
        .in_world = UT_PUSH(scratch, utFrame, n->nbody),
        .welded = UT_PUSH(scratch, utInertia, n->nbody),
        .exclude_spare = UT_PUSH(scratch, int, 2 * n->nexclude),
        .pair_spare = UT_PUSH(scratch, utModelPair, n->npair),
        .geom_of_described = UT_PUSH(scratch, int, n->ngeom),
        .moving = UT_PUSH(scratch, int, n->nv),
        .at_rest = UT_PUSH(scratch, utFrame, n->nbody),
    };
    return ut_arena_failed(scratch) ? UT_ERR_MEMORY : UT_OK;
}

// ---- filling ------------------------------------------------------------------------------------

static void publish(Work* work)
{
    utModel* model = work->model;
    model->body = work->array.body;
    model->joint = work->array.joint;
    model->geom = work->array.geom;
    model->site = work->array.site;
    model->point = work->array.point;
    model->motion = work->array.motion;
    model->spring = work->array.spring;
    model->tendon = work->array.tendon;
    model->actuator = work->array.actuator;
    model->equality = work->array.equality;
    model->pair = work->array.pair;
    model->keyframe = work->array.keyframe;
    model->sensor = work->array.sensor;
    model->tree = work->array.tree;
    model->dof_parent = work->array.dof_parent;
    model->dof_joint = work->array.dof_joint;
    model->dof_body = work->array.dof_body;
    model->dof_armature = work->array.dof_armature;
    model->dof_damping = work->array.dof_damping;
    model->q0 = work->array.q0;
    model->mocap_pos = work->array.mocap_pos;
    model->mocap_quat = work->array.mocap_quat;
    model->exclude = work->array.exclude;
    model->missing_part = work->array.missing_part;
    model->allocation = work->compiled;
    model->name = ut_model_keep_text(work, work->def->name);
    model->options = work->def->options;
    model->options.gravity =
        ut_model_flat_gravity(work->def->options.planar, work->def->options.gravity);
    model->options.formulation = (int)choose_formulation(&work->def->options);
    model->options.solver = ut_model_keep_text(work, work->def->options.solver);
}

static void fill_missing(Work* work)
{
    for (int i = 0; i < work->model->missing_parts; i++) {
        utMissing part = *ut_model_missing_def(work->def, i);
        part.what = ut_model_keep_text(work, part.what);
        part.file = ut_model_keep_text(work, part.file);
        work->array.missing_part[i] = part;
        work->model->missing += part.count;
    }
}

static utStatus fill(Work* work)
{
    publish(work);
    fill_missing(work);
    // filling the bodies counts these two
    work->model->nmocap = 0;
    work->model->ntree = 0;
    ut_model_fill_tree(work);
    UT_TRY(ut_model_fill_geoms(work));
    UT_TRY(ut_model_check_moving(work));
    UT_TRY(ut_model_fill_inertia(work));
    UT_TRY(ut_model_fill_reach(work));
    UT_TRY(ut_model_fill_spring_dampers(work));
    ut_model_fill_sites(work);
    ut_model_fill_points_motions_springs(work);
    ut_model_fill_tendons(work);
    ut_model_fill_actuators(work);
    ut_model_fill_excludes(work);
    UT_TRY(ut_model_fill_pairs(work));
    UT_TRY(ut_model_fill_equalities(work));
    UT_TRY(ut_model_fill_keyframes(work));
    ut_model_fill_sensors(work);
    UT_TRY(ut_model_fill_names(work));
    if (ut_arena_failed(&work->keep)) {
        return UT_ERR_MEMORY; // a string or an expression is missing
    }
    work->model->hash = ut_model_hash(work->model);
    work->compiled->memory = work->keep;
    return UT_OK;
}

// The three arenas of a compilation.
typedef struct Memory {
    utArena scratch;   // until the end of the compilation
    utArena temporary; // for one function at a time
    utArena* model;    // becomes the model's memory
} Memory;

static utStatus create_memory(const utAllocator* allocator, Memory* memory)
{
    UT_TRY(ut_arena_create(0, allocator, &memory->scratch));
    UT_TRY(ut_arena_create(0, allocator, &memory->temporary));
    return ut_arena_create(0, allocator, memory->model);
}

static utStatus compile(Work* work, const utModelDef* def, Memory* memory)
{
    UT_TRY(ut_model_check_assets(def, work->err));
    UT_TRY(ut_model_resolve_assets(def, &memory->scratch, memory->temporary, &work->assets,
                                   work->err));
    work->def = &work->assets.def;
    UT_TRY(ut_model_check(work->def, work->err));
    work->temporary = &memory->temporary;
    const utModel size = measure(work->def);
    work->temporary = &memory->scratch;
    UT_TRY(push_scratch(work, &size, &memory->scratch));
    UT_TRY(push_arrays(work, &size));
    return fill(work);
}

utStatus ut_model_compile(const utModelDef* def, const utAllocator* allocator, utModel** model,
                          utError* err)
{
    if (def == NULL || model == NULL) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "no description or no place for the model");
    }
    if (ut_arena_failed(&def->memory)) {
        return ut_error_set(err, UT_ERR_MEMORY,
                            "the description is incomplete: memory was short when it was made");
    }
    Work work = {.err = err};
    Memory memory = {.model = &work.keep};
    utStatus status = create_memory(allocator, &memory);
    if (status == UT_OK) {
        status = compile(&work, def, &memory);
    }
    ut_arena_destroy(&memory.scratch);
    ut_arena_destroy(&memory.temporary);
    if (status == UT_ERR_MEMORY) {
        ut_error_set(err, status, "memory is short for a model of %d bodies and %d joints",
                     def->body.count, def->joint.count);
    }
    if (status != UT_OK) {
        ut_arena_destroy(&work.keep);
        return status;
    }
    *model = work.model;
    return UT_OK;
}

void ut_model_destroy(utModel* model)
{
    if (model != NULL) {
        utArena memory = ((Compiled*)model)->memory; // *model lies in it
        ut_arena_destroy(&memory);
    }
}
