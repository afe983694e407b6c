// SPDX-License-Identifier: Apache-2.0
// Overlaps that a step makes by itself.
//
// Contacts are taken where the bodies are at the step's start, and rows are right to first order in
// what bodies turn by. A rod that turns by half a radian within the step can end it deep in the
// floor, each row being satisfied. So pairs that turn enough are looked at where the step ends.
// Islands with an overlap that was not there at the start are re-linearised: their contacts are
// taken where the solution leads, at q ⊕ h v_ahead with v_ahead = v, and the problem is solved
// again, until nothing overlaps. All other trees keep the contacts they have. Of several solutions
// the one that ends with the least overlap is taken. What is left of it beyond a bound is flagged.
#include <string.h>

#include "internal.h"

enum {
    WHOLE = 2,   // passes that go all the way to the solution
    PASSES = 16, // all of them
};
static const double SHARE = 0.5;    // that the others go
static const double ALLOWED = 1e-3; // of the smaller size: an overlap that the next step undoes
static const double FLAGGED = 1e-2; // of it: an overlap that is no small one
static const double THIN = 10.0;    // half thicknesses that a shape counts as large at most

// Whose scheme is ours to refine: formulations of papers are what these say.
static bool is_checked(const Step* step)
{
    const utFormulationTraits* f = step->sim->formulation;
    return f->projects && f->gap != UT_GAP_NONE && !f->events && !step->instant &&
           step->sim->model->options.planar == UT_PLANAR_NONE;
}

// ---- where the step ends ------------------------------------------------------------------------

// How far off a pair's rows can be for what a body turns by, at most about, m. The centre of a free
// ball goes straight on, whatever it turns by.
static double bend_of(const Step* step, int geom)
{
    const utModel* model = step->sim->model;
    const utModelGeom* g = &model->geom[geom];
    const utModelBody* body = &model->body[g->body];
    if (body->tree < 0 && ut_contact_mocap(model, g->body) < 0) {
        return 0.0;
    }
    const bool free = body->tree >= 0 && model->tree[body->tree].free &&
                      body->weld == model->tree[body->tree].body;
    const bool round = g->shape.kind == UT_SHAPE_SPHERE;
    const utVec3 at = ut_frame_point(step->sim->kin.body[g->body], g->in_body.p);
    const utVec3 origin = step->sim->kin.body[body->weld].p;
    const utMotion twist = ut_contact_twist(&step->scene, g->body, at, step->v_next);
    const double turn = step->sim->h * ut_vec3_norm(twist.angular);
    // on a joint the centre's way is an arc: about the weld's origin, or one that the speed tells
    const double arm =
        free ? ut_vec3_norm(ut_vec3_sub(at, origin)) : step->sim->h * ut_vec3_norm(twist.linear);
    return turn * ((round ? 0.0 : g->radius) + (free ? turn * arm : arm));
}

// The radius of a shape, or what it is thick where it is thin, m.
static double size_of(const utModelGeom* geom)
{
    const utVec3 s = geom->shape.size;
    double half = HUGE_VAL;
    switch (geom->shape.kind) {
    case UT_SHAPE_CAPSULE:
        half = s.x;
        break;
    case UT_SHAPE_CYLINDER:
        half = fmin(s.x, s.y);
        break;
    case UT_SHAPE_BOX:
    case UT_SHAPE_ELLIPSOID:
        half = fmin(s.x, fmin(s.y, s.z));
        break;
    case UT_SHAPE_PLANE:
    case UT_SHAPE_SPHERE:
    case UT_SHAPE_HULL:
    case UT_SHAPE_MESH:
    case UT_SHAPE_HEIGHTS:
    case UT_SHAPE_KIND_COUNT:
        break;
    }
    return fmin(geom->radius, THIN * half);
}

// The deepest overlap of a pair where `kin` is, m.
static double depth_of(const utModel* model, const utKinematics* kin, const utContact* c)
{
    const utModelGeom *a = &model->geom[c->geom1], *b = &model->geom[c->geom2];
    utTouch touch[UT_TOUCH_MAX];
    const int count = ut_collide(&a->shape, ut_frame_mul(kin->body[a->body], a->in_body), &b->shape,
                                 ut_frame_mul(kin->body[b->body], b->in_body), 0.0, touch);
    double depth = 0.0;
    for (int i = 0; i < count; i++) {
        depth = fmax(depth, -touch[i].gap);
    }
    return depth;
}

// What a step ends with.
typedef struct End {
    utKinematics kin;
    bool placed;
    bool* bad;    // ntree: trees of pairs that overlap by more than what is allowed
    double worst; // overlap over the size of its pair
} End;

// Look at one pair, from its first contact on.
static utStatus look_at_pair(Step* step, const utContact* c, End* end)
{
    const utModel* model = step->sim->model;
    if (c->geom2 >= model->ngeom ||
        (step->scene.continuous && ut_contact_is_fast(model, c->geom1, c->geom2))) {
        return UT_OK; // an explicit point; the ways of fast bodies are swept
    }
    const double size = fmin(size_of(&model->geom[c->geom1]), size_of(&model->geom[c->geom2]));
    if (!(bend_of(step, c->geom1) + bend_of(step, c->geom2) > ALLOWED * size)) {
        return UT_OK;
    }
    if (!end->placed) {
        UT_TRY(ut_kinematics_create(model, &step->arena, &end->kin));
        ut_kinematics_place(&end->kin, step->q_next, step->mocap_pos_next, step->mocap_quat_next);
        end->placed = true;
    }
    const double depth = depth_of(model, &end->kin, c);
    // what overlaps at the start, after the projection, has no way out
    if (depth > ALLOWED * size && depth_of(model, &step->sim->kin, c) <= ALLOWED * size) {
        int tree[2];
        ut_contact_trees(model, c, tree);
        for (int side = 0; side < 2; side++) {
            if (tree[side] >= 0) {
                end->bad[tree[side]] = true;
            }
        }
        end->worst = fmax(end->worst, depth / size);
    }
    return UT_OK;
}

static utStatus look_at_pairs(Step* step, int contacts, const utContact* contact, End* end)
{
    for (int i = 0; i < contacts; i++) {
        const utContact* c = &contact[i];
        if (i == 0 || c->geom1 != c[-1].geom1 || c->geom2 != c[-1].geom2) {
            UT_TRY(look_at_pair(step, c, end));
        }
    }
    return UT_OK;
}

// @param first the step before it was re-linearised: what has no contact any more counts too
static utStatus look_at_end(Step* step, const Step* first, End* end)
{
    const int ntree = step->sim->model->ntree;
    *end = (End){.bad = UT_PUSH(&step->arena, bool, ntree)};
    if (end->bad == NULL) {
        return UT_ERR_CAPACITY;
    }
    memset(end->bad, 0, (size_t)ntree * sizeof *end->bad);
    UT_TRY(look_at_pairs(step, step->contacts, step->contact, end));
    return first == NULL ? UT_OK : look_at_pairs(step, first->contacts, first->contact, end);
}

// ---- taken anew ---------------------------------------------------------------------------------

// The islands that a set of trees is in.
static void find_islands(const Step* step, const bool* trees, bool* island)
{
    const utModel* model = step->sim->model;
    int tree[2];
    memset(island, 0, (size_t)step->islands * sizeof *island);
    for (int i = 0; i < step->contacts; i++) {
        const utContact* c = &step->contact[i];
        ut_contact_trees(model, c, tree);
        island[c->island] = island[c->island] || (tree[0] >= 0 && trees[tree[0]]) ||
                            (tree[1] >= 0 && trees[tree[1]]);
    }
}

static void mark(bool* marked, int which)
{
    if (which >= 0) {
        marked[which] = true;
    }
}

// Trees and, counted on, mocap bodies of islands with overlaps join those that are taken ahead.
static utStatus join(Step* step, const End* end, bool* ahead)
{
    const utModel* model = step->sim->model;
    bool* island = UT_PUSH(&step->arena, bool, step->islands);
    if (island == NULL) {
        return UT_ERR_CAPACITY;
    }
    find_islands(step, end->bad, island);
    for (int t = 0; t < model->ntree; t++) {
        ahead[t] = ahead[t] || end->bad[t];
    }
    for (int i = 0; i < step->contacts; i++) {
        const utContact* c = &step->contact[i];
        for (int side = 0; side < 2 && island[c->island]; side++) {
            const int body = ut_model_side_body(model, side == 0 ? c->geom1 : c->geom2);
            const int mocap = ut_contact_mocap(model, body);
            mark(ahead, model->body[body].tree);
            mark(ahead, mocap >= 0 ? model->ntree + mocap : -1);
        }
    }
    for (int j = 0; j < step->rows; j++) {
        int tree[2];
        ut_row_trees(model, &step->row[j], tree);
        for (int side = 0; side < 2 && island[step->row[j].island]; side++) {
            mark(ahead, tree[side]);
        }
    }
    return UT_OK;
}

// Trees that go on from where they were taken last do so by a share of the way to the solution:
// solutions that jump from one feature to another and back settle between the two.
static utStatus take_contacts(Step* step, const bool* ahead, double share)
{
    const utModel* model = step->sim->model;
    double* v_ahead = UT_PUSH(&step->arena, double, model->nv);
    double* mocap_ahead = UT_PUSH(&step->arena, double, model->nmocap);
    if (v_ahead == NULL || mocap_ahead == NULL) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i < model->nv; i++) {
        const double before = step->v_ahead != NULL ? step->v_ahead[i] : 0.0;
        const double next = before + share * (step->v_next[i] - before);
        v_ahead[i] = ahead[model->body[model->dof_body[i]].tree] ? next : before;
    }
    for (int m = 0; m < model->nmocap; m++) {
        const double before = step->mocap_ahead != NULL ? step->mocap_ahead[m]
                              : step->v_ahead != NULL   ? 1.0
                                                        : 0.0;
        mocap_ahead[m] = ahead[model->ntree + m] ? 1.0 : before;
    }
    return ut_step_take_ahead(step, v_ahead, mocap_ahead);
}

static bool all_solved(const Step* step)
{
    bool solved = true;
    for (int k = 0; k < step->islands; k++) {
        solved = solved && step->island[k].solved;
    }
    return solved;
}

static utStatus flag(Step* step, const End* end)
{
    bool* island = UT_PUSH(&step->arena, bool, step->islands);
    if (island == NULL) {
        return UT_ERR_CAPACITY;
    }
    find_islands(step, end->bad, island);
    for (int k = 0; k < step->islands; k++) {
        if (island[k]) {
            step->island[k].fallback = true;
            step->island[k].outcome = UT_ISLAND_OVERLAP;
        }
    }
    step->through = true;
    return UT_OK;
}

utStatus ut_step_separate(Step* step)
{
    const utModel* model = step->sim->model;
    End end;
    if (!is_checked(step)) {
        return UT_OK;
    }
    UT_TRY(look_at_end(step, NULL, &end));
    if (!(end.worst > ALLOWED)) {
        return UT_OK;
    }
    bool* ahead = UT_PUSH(&step->arena, bool, model->ntree + model->nmocap);
    if (ahead == NULL) {
        return UT_ERR_CAPACITY;
    }
    memset(ahead, 0, (size_t)(model->ntree + model->nmocap) * sizeof *ahead);
    const Step first = *step;
    Step best = *step;
    End least = end;
    for (int pass = 0; pass < PASSES && least.worst > ALLOWED; pass++) {
        UT_TRY(join(step, &end, ahead));
        UT_TRY(take_contacts(step, ahead, pass < WHOLE ? 1.0 : SHARE));
        UT_TRY(ut_step_solve(step));
        if (!all_solved(step)) {
            break; // bodies that overlapped at the start may have no way out within one step
        }
        UT_TRY(look_at_end(step, &first, &end));
        if (end.worst < least.worst) {
            best = *step;
            least = end;
        }
    }
    best.arena = step->arena;
    *step = best;
    return least.worst > FLAGGED ? flag(step, &least) : UT_OK;
}
