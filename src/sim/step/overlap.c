// SPDX-License-Identifier: Apache-2.0
// Overlaps that a step creates.
//
// Contacts are taken at the step's start, and their rows are right to first order in the bodies'
// rotation. A rod that turns by half a radian within the step can end it deep in the floor although
// every row is satisfied. So pairs that turn enough are checked at the end of the step. Islands with
// an overlap that was not there at the start are re-linearised: their contacts are taken at the end
// of the solution, q ⊕ h v_ahead with v_ahead = v, and the problem is solved again, until there is no
// overlap. All other trees keep their contacts. Of several solutions the one with the least overlap
// at its end is accepted. A large overlap that remains is flagged.
#include <string.h>

#include "sim/step.h"
#include "sim/tolerances.h"

enum {
    FULL_PASSES = 2, // passes with v_ahead = v
    MAX_PASSES = 16,
};
static const double DAMPING = 0.5; // later passes move v_ahead by this fraction towards v
static const double MAX_SIZE_BY_HALF_THICKNESS = 10.0; // the size of a thin shape

// Only uptack's own formulations are refined; those of papers stay as published.
static bool is_checked(const Step* step)
{
    const utFormulationTraits* f = step->sim->settings.traits;
    return f->projects && f->gap != UT_GAP_NONE && !f->events && !step->instant &&
           step->sim->model->options.planar == UT_PLANAR_NONE;
}

// ---- the end of the step ------------------------------------------------------------------------

// An estimate of the error of a pair's gap by the rotation of one body, m. The centre of a free ball
// moves straight on, so that its rotation causes none.
static double find_rotation_error(const Step* step, int geom)
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
    const utVec3 at = ut_frame_point(step->sim->work.kin.body[g->body], g->in_body.p);
    const utVec3 origin = step->sim->work.kin.body[body->weld].p;
    const utMotion twist = ut_contact_twist(&step->scene, g->body, at, step->v_next);
    const double turn = step->h * ut_vec3_norm(twist.angular);
    // a free body's centre circles about the weld's origin; on a joint it moves on an arc of h |v|
    const double arm =
        free ? ut_vec3_norm(ut_vec3_sub(at, origin)) : step->h * ut_vec3_norm(twist.linear);
    return turn * ((round ? 0.0 : g->radius) + (free ? turn * arm : arm));
}

// An upper bound on find_rotation_error with less work, for fixed geoms and those of free bodies.
// @return infinite: not known
static double bound_rotation_error(const Step* step, int geom)
{
    const utModel* model = step->sim->model;
    const utModelGeom* g = &model->geom[geom];
    const utModelBody* body = &model->body[g->body];
    if (body->tree < 0) {
        return model->nmocap == 0 ? 0.0 : HUGE_VAL;
    }
    const utModelTree* tree = &model->tree[body->tree];
    if (!tree->free || g->body != tree->body) {
        return HUGE_VAL;
    }
    // a body turns about three axes at right angles; twice, so that rounding does not matter
    const double* w = step->v_next + tree->dof + 3;
    const double turn = 2.0 * step->h * (fabs(w[0]) + fabs(w[1]) + fabs(w[2]));
    const utVec3 arm = g->in_body.p;
    return turn * (g->radius + turn * 2.0 * (fabs(arm.x) + fabs(arm.y) + fabs(arm.z)));
}

// The radius of a shape, or a multiple of its thickness where it is thin, m.
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
    return fmin(geom->radius, MAX_SIZE_BY_HALF_THICKNESS * half);
}

// The deepest overlap of a contact's pair, m.
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

// Overlaps at the end of a step.
typedef struct End {
    utKinematics kin;
    bool placed;    // kin is at the end
    bool* overlaps; // ntree: trees of pairs with more than the allowed overlap
    double worst;   // largest overlap over the size of its pair
} End;

// Check the pair of a contact.
static utStatus check_pair(Step* step, const utContact* c, End* end)
{
    const utModel* model = step->sim->model;
    if (c->geom2 >= model->ngeom ||
        (step->scene.continuous && ut_contact_is_fast(model, c->geom1, c->geom2))) {
        return UT_OK; // an explicit point; or a fast body, whose path is swept
    }
    const double size = fmin(size_of(&model->geom[c->geom1]), size_of(&model->geom[c->geom2]));
    if (bound_rotation_error(step, c->geom1) + bound_rotation_error(step, c->geom2) <=
            ALLOWED_OVERLAP * size ||
        !(find_rotation_error(step, c->geom1) + find_rotation_error(step, c->geom2) >
          ALLOWED_OVERLAP * size)) {
        return UT_OK;
    }
    if (!end->placed) {
        UT_TRY(ut_kinematics_create(model, &step->arena, &end->kin));
        ut_kinematics_place(&end->kin, step->next.q, step->next.mocap_pos, step->next.mocap_quat);
        end->placed = true;
    }
    const double depth = depth_of(model, &end->kin, c);
    // a pair that overlaps at the start, after the projection, cannot separate within the step
    if (depth > ALLOWED_OVERLAP * size &&
        depth_of(model, &step->sim->work.kin, c) <= ALLOWED_OVERLAP * size) {
        int tree[2];
        ut_contact_trees(model, c, tree);
        for (int side = 0; side < 2; side++) {
            if (tree[side] >= 0) {
                end->overlaps[tree[side]] = true;
            }
        }
        end->worst = fmax(end->worst, depth / size);
    }
    return UT_OK;
}

static utStatus check_pairs(Step* step, int contacts, const utContact* contact, End* end)
{
    for (int i = 0; i < contacts; i++) {
        const utContact* c = &contact[i];
        if (i == 0 || c->geom1 != c[-1].geom1 || c->geom2 != c[-1].geom2) {
            UT_TRY(check_pair(step, c, end));
        }
    }
    return UT_OK;
}

// @param first the step before any re-linearisation: pairs that lost their contacts count too
static utStatus check_end(Step* step, const Step* first, End* end)
{
    const int ntree = step->sim->model->ntree;
    *end = (End){.overlaps = UT_PUSH(&step->arena, bool, ntree)};
    if (end->overlaps == NULL) {
        return UT_ERR_CAPACITY;
    }
    memset(end->overlaps, 0, (size_t)ntree * sizeof *end->overlaps);
    UT_TRY(check_pairs(step, step->active.contacts, step->active.contact, end));
    return first == NULL ? UT_OK
                         : check_pairs(step, first->active.contacts, first->active.contact, end);
}

// ---- re-linearisation ---------------------------------------------------------------------------

// Mark the islands of a set of trees.
static void find_islands(const Step* step, const bool* trees, bool* island)
{
    const utModel* model = step->sim->model;
    int tree[2];
    memset(island, 0, (size_t)step->active.islands * sizeof *island);
    for (int i = 0; i < step->active.contacts; i++) {
        const utContact* c = &step->active.contact[i];
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

// Add the trees and mocap bodies of islands with overlaps to those that are re-linearised.
// @param ahead ntree + nmocap
static utStatus add_islands(Step* step, const End* end, bool* ahead)
{
    const utModel* model = step->sim->model;
    bool* island = UT_PUSH(&step->arena, bool, step->active.islands);
    if (island == NULL) {
        return UT_ERR_CAPACITY;
    }
    find_islands(step, end->overlaps, island);
    for (int t = 0; t < model->ntree; t++) {
        ahead[t] = ahead[t] || end->overlaps[t];
    }
    for (int i = 0; i < step->active.contacts; i++) {
        const utContact* c = &step->active.contact[i];
        for (int side = 0; side < 2 && island[c->island]; side++) {
            const int body = ut_model_side_body(model, side == 0 ? c->geom1 : c->geom2);
            const int mocap = ut_contact_mocap(model, body);
            mark(ahead, model->body[body].tree);
            mark(ahead, mocap >= 0 ? model->ntree + mocap : -1);
        }
    }
    for (int j = 0; j < step->active.rows; j++) {
        const utRow* row = &step->active.row[j];
        int cursor = 0;
        for (int tree = 0; tree >= 0 && island[row->island];) {
            tree = ut_row_next_tree(model, row, &cursor);
            mark(ahead, tree);
        }
    }
    return UT_OK;
}

// Move v_ahead of the re-linearised trees by a fraction towards the solution: with less than all of
// it, solutions that alternate between two features converge between them.
static utStatus linearize_further(Step* step, const bool* ahead, double fraction)
{
    const utModel* model = step->sim->model;
    double* v_ahead = UT_PUSH(&step->arena, double, model->nv);
    double* mocap_fraction = UT_PUSH(&step->arena, double, model->nmocap);
    if (ut_arena_failed(&step->arena)) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i < model->nv; i++) {
        const double before = ut_step_v_ahead(step, i);
        const double next = before + fraction * (step->v_next[i] - before);
        v_ahead[i] = ahead[model->body[model->dof_body[i]].tree] ? next : before;
    }
    for (int m = 0; m < model->nmocap; m++) {
        mocap_fraction[m] = ahead[model->ntree + m] ? 1.0 : ut_step_mocap_fraction(step, m);
    }
    return ut_step_linearize_at(step, v_ahead, mocap_fraction);
}

static utStatus flag_islands(Step* step, const End* end)
{
    bool* island = UT_PUSH(&step->arena, bool, step->active.islands);
    if (island == NULL) {
        return UT_ERR_CAPACITY;
    }
    find_islands(step, end->overlaps, island);
    for (int k = 0; k < step->active.islands; k++) {
        if (island[k]) {
            step->active.island[k].fallback = true;
            step->active.island[k].outcome = UT_ISLAND_OVERLAP;
        }
    }
    step->summary.flagged = true;
    return UT_OK;
}

utStatus ut_step_remove_overlaps(Step* step)
{
    const utModel* model = step->sim->model;
    End end;
    if (!is_checked(step)) {
        return UT_OK;
    }
    UT_TRY(check_end(step, NULL, &end));
    if (!(end.worst > ALLOWED_OVERLAP)) {
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
    for (int pass = 0; pass < MAX_PASSES && least.worst > ALLOWED_OVERLAP; pass++) {
        UT_TRY(add_islands(step, &end, ahead));
        UT_TRY(linearize_further(step, ahead, pass < FULL_PASSES ? 1.0 : DAMPING));
        UT_TRY(ut_step_solve(step));
        if (!ut_step_all_solved(step)) {
            break; // bodies that overlapped at the start cannot always separate within one step
        }
        UT_TRY(check_end(step, &first, &end));
        if (end.worst < least.worst) {
            best = *step;
            least = end;
        }
    }
    best.arena = step->arena;
    *step = best;
    return least.worst > FLAGGED_OVERLAP ? flag_islands(step, &least) : UT_OK;
}
