// Steps whose length is chosen by their error.
//
// A step of length H is made as a whole and again in two halves; how far apart their ends are is
// the error. With local errors of order p + 1,
//
//     H next = 0.9 H (tolerance / error)^(1 / (p + 1)),   within a third and twice of H,
//
// p = 1 where contacts act, and what the integrator has where none does. A step with more error is
// made again, shorter. The halves are what is taken, so that every part of it is certified by
// itself.
//
// Where a contact comes or goes within the step its velocity jumps, by w say, and a moment that is
// missed by h moves the body by w h, however smooth all else is: steps of such moments are cut no
// further than to tolerance / w, and are then taken as they are.
#include <string.h>

#include "internal.h"

static const double SAFETY = 0.9, SHRINK = 1.0 / 3.0, GROW = 2.0;
static const double SHORTEST = 1e-6; // of dt
enum { TRIES = 60 };

// What came of one way to make the step.
typedef struct Way {
    const double* q;  // nq
    uint64_t active;  // a hash of what carries impulses in its first part
    uint64_t changed; // and in all of them, in order
    bool contacts;    // any does
    double jump;      // m/s: the largest change of a velocity by impulses
} Way;

// ---- one way ------------------------------------------------------------------------------------

// From where the sim is up to parts->until.
static utStatus advance(Parts* parts, utError* err)
{
    utSim* sim = parts->sim;
    if (sim->formulation->events) {
        return ut_step_events(parts, err);
    }
    Step step;
    UT_TRY(ut_parts_span(parts, parts->until - sim->time, &step, err));
    return ut_parts_take(parts, &step, parts->until);
}

static uint64_t hash_int(uint64_t hash, int x)
{
    const double d = x;
    return ut_hash_doubles(hash, &d, 1);
}

static uint64_t hash_active(const utStepReport* part, Way* way)
{
    uint64_t hash = UT_HASH_START;
    for (int i = 0; i < part->contacts; i++) {
        const utContact* c = &part->contact[i];
        if (c->r[0] > 0.0) {
            hash = hash_int(hash_int(hash, c->geom1), c->geom2);
            way->contacts = true;
        }
    }
    for (int j = 0; j < part->rows; j++) {
        const utRow* row = &part->row[j];
        if (row->kind <= UT_ROW_BALL && row->r > 0.0) {
            hash = hash_int(hash_int(hash, -1 - (int)row->kind), row->joint);
            way->contacts = true;
        }
    }
    return hash;
}

static double length_of(const utModel* model, int dof)
{
    const utModelJoint* joint = &model->joint[model->dof_joint[dof]];
    const bool slides = joint->kind == UT_JOINT_SLIDE || joint->kind == UT_JOINT_PARTICLE ||
                        (joint->kind == UT_JOINT_FREE && dof < joint->v + 3) ||
                        (joint->kind == UT_JOINT_PLANAR && dof < joint->v + 2);
    return slides ? 1.0 : joint->reach;
}

// The largest change of a velocity by impulses, m/s.
static double find_jump(const utStepReport* part)
{
    double most = 0.0;
    for (int i = 0; i < part->model->nv; i++) {
        const double jump = fabs(part->v_next[i] - part->v_free[i]) * length_of(part->model, i);
        most = jump > most ? jump : most;
    }
    return most;
}

static void describe(const Parts* parts, Way* way)
{
    way->contacts = false;
    way->jump = 0.0;
    way->changed = UT_HASH_START;
    for (int k = 0; k < parts->parts; k++) {
        const uint64_t active = hash_active(&parts->part[k], way);
        way->active = k == 0 ? active : way->active;
        way->changed = active != way->active ? UT_HASH_START + 1 : way->changed;
        way->jump = fmax(way->jump, find_jump(&parts->part[k]));
    }
}

// ---- the error ----------------------------------------------------------------------------------

// How far apart two ends are, m.
static utStatus find_error(const utSim* sim, const double* a, const double* b, double* error)
{
    const utModel* model = sim->model;
    utArena scratch = sim->step;
    double* d = UT_PUSH(&scratch, double, model->nv);
    if (d == NULL) {
        return UT_ERR_CAPACITY;
    }
    ut_model_difference(model, a, b, d);
    *error = 0.0;
    for (int i = 0; i < model->nv; i++) {
        const double off = fabs(d[i]) * length_of(model, i);
        *error = off <= *error ? *error : off;
    }
    return UT_OK;
}

// x^(1/n) by Newton's iteration, for x that matter to a factor of steps.
static double root(double x, int n)
{
    const double a = x < 1e-6 ? 1e-6 : x > 1e6 ? 1e6 : x;
    double y = a > 1.0 ? a : 1.0; // from above, so that it falls
    for (int k = 0; k < 60; k++) {
        double power = 1.0;
        for (int m = 1; m < n; m++) {
            power *= y;
        }
        y += (a / power - y) / n;
    }
    return y;
}

static double factor(const utSim* sim, bool contacts, double error)
{
    const int order = contacts                                    ? 1
                      : sim->integrator == UT_INTEGRATOR_RK4      ? 4
                      : sim->integrator == UT_INTEGRATOR_MIDPOINT ? 2
                                                                  : 1;
    if (!(error > 0.0)) {
        return GROW;
    }
    const double f = SAFETY * root(sim->adaptive / error, order + 1);
    return f < SHRINK ? SHRINK : f > GROW ? GROW : f;
}

// ---- the step -----------------------------------------------------------------------------------

// The step as a whole: only where it ends, and what acted.
static utStatus make_whole(utSim* sim, const utInput* input, double H, double* q, Way* way,
                           utError* err)
{
    Parts parts;
    UT_TRY(ut_parts_begin(sim, input, H, &parts, err));
    const utStatus status = advance(&parts, err);
    if (status == UT_OK) {
        memcpy(q, sim->q, (size_t)sim->model->nq * sizeof *q);
        describe(&parts, way);
    }
    ut_parts_undo(&parts);
    return status;
}

static utStatus make_halves(utSim* sim, const utInput* input, double H, Parts* parts, Way* way,
                            utError* err)
{
    UT_TRY(ut_parts_begin(sim, input, H, parts, err));
    parts->until = sim->time + 0.5 * H;
    utStatus status = advance(parts, err);
    if (status == UT_OK) {
        parts->until = parts->end;
        status = advance(parts, err);
    }
    if (status != UT_OK) {
        ut_parts_undo(parts);
        return status;
    }
    describe(parts, way);
    return UT_OK;
}

// Does the step pass, all of it?
static utStatus is_good(const utSim* sim, Parts* parts, bool* good)
{
    *good = !parts->flagged;
    for (int k = 0; k < parts->parts && *good; k++) {
        for (int i = 0; i < parts->part[k].islands; i++) {
            *good = *good && parts->part[k].island[i].solved;
        }
        if (!sim->no_certificate) {
            utCertificate certificate;
            UT_TRY(ut_certify(&parts->part[k], sim->tolerance, sim->step, &certificate));
            *good = *good && certificate.passed;
        }
    }
    return UT_OK;
}

// One length. @param taken false: *H is the one to try next
static utStatus try_length(utSim* sim, const utInput* input, double* H, double* q, Parts* parts,
                           bool* taken, utError* err)
{
    Way whole, halves;
    double error;
    bool good;
    UT_TRY(make_whole(sim, input, *H, q, &whole, err));
    UT_TRY(make_halves(sim, input, *H, parts, &halves, err));
    utStatus status = find_error(sim, q, sim->q, &error);
    if (status == UT_OK) {
        status = is_good(sim, parts, &good);
    }
    if (status != UT_OK) {
        ut_parts_undo(parts);
        return status;
    }
    const bool contacts = whole.contacts || halves.contacts;
    const bool changes = whole.active != halves.active || halves.changed != UT_HASH_START;
    const double jump = fmax(whole.jump, halves.jump);
    const double least =
        fmax(SHORTEST * sim->dt, changes && jump > 0.0 ? sim->adaptive / jump : 0.0);
    const bool enough = (error <= sim->adaptive && good) || *H <= least;
    if (!enough) {
        ut_parts_undo(parts);
        *H = fmax(least, *H * (good ? fmin(0.5, factor(sim, contacts, error)) : 0.5));
        *taken = false;
        return UT_OK;
    }
    sim->h_next = fmin(sim->dt, *H * factor(sim, contacts, error));
    *taken = true;
    return UT_OK;
}

// What is left before the sim is to stop is not cut into a sliver.
static double clip(const utSim* sim, double H)
{
    const double left = sim->stop - sim->time;
    return !(left > 0.0) || H <= 0.5 * left ? H : H < left ? 0.5 * left : left;
}

utStatus ut_step_adapt(utSim* sim, const utInput* input, Parts* parts, utError* err)
{
    const utArena all = sim->keep;
    double* q = UT_PUSH(&sim->keep, double, sim->model->nq);
    double H = clip(sim, sim->h_next);
    const bool clipped = H < sim->h_next;
    const double planned = sim->h_next;
    bool taken = false;
    utStatus status = q != NULL ? UT_OK : UT_ERR_CAPACITY;
    for (int k = 0; status == UT_OK && !taken && k < TRIES; k++) {
        status = try_length(sim, input, &H, q, parts, &taken, err);
    }
    sim->keep = all;
    if (status != UT_OK) {
        return status;
    }
    if (clipped) {
        sim->h_next = fmax(sim->h_next, fmin(planned, sim->dt));
    }
    sim->start = sim->time;
    sim->steps = 0;
    return UT_OK;
}
