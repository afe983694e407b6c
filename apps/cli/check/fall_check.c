// SPDX-License-Identifier: Apache-2.0
// Free trees that fall, because neither contacts nor ties can hold them.
#include "check/start_check.h"

#include <uptack/dyn.h>

// The search stops after this many pairs of geoms, because it grows with the square of their number.
enum { MAX_PAIRS = 20000000 };

// A search for free trees that no contact can hold.
typedef struct Fall {
    const utModel* model;
    utKinematics kin;
    utVec3 down;   // direction of gravity
    bool* held;    // ntree: something may hold the tree
    bool* touches; // ntree: some contact of the tree is possible
    int pairs;     // of geoms so far
} Fall;

// Does a tie between two bodies hold the tree? A tie within the tree does not.
static bool ties(const utModel* model, int tree, int body1, int body2)
{
    return (model->body[body1].tree == tree) != (model->body[body2].tree == tree);
}

// Does a tendon connect the tree with something else?
static bool tendon_ties(const utModel* model, int tree, const utModelTendon* tendon)
{
    bool inside = false, outside = false;
    for (int i = 0; tendon->kind == UT_TENDON_SPATIAL && i < tendon->wraps; i++) {
        if (tendon->wrap[i].kind == UT_WRAP_SITE) {
            const int body = model->site[tendon->wrap[i].object].body;
            inside = inside || model->body[body].tree == tree;
            outside = outside || model->body[body].tree != tree;
        }
    }
    return inside && outside;
}

// Do equalities, springs, tendons or explicit contacts connect the tree with something else?
static bool is_tied(const utModel* model, int tree)
{
    bool tied = false;
    for (int i = 0; i < model->nequality; i++) {
        const utModelEquality* e = &model->equality[i];
        const bool bodies = e->kind != UT_EQUALITY_JOINT && e->kind != UT_EQUALITY_TENDON;
        tied = tied || (e->active && bodies && ties(model, tree, e->body1, e->body2));
    }
    for (int i = 0; i < model->nspring; i++) {
        tied = tied || ties(model, tree, model->site[model->spring[i].site1].body,
                            model->site[model->spring[i].site2].body);
    }
    for (int i = 0; i < model->ntendon; i++) {
        tied = tied || tendon_ties(model, tree, &model->tendon[i]);
    }
    for (int i = 0; i < model->npoint; i++) {
        tied = tied || ties(model, tree, model->site[model->point[i].site].body,
                            model->geom[model->point[i].geom].body);
    }
    return tied;
}

// Is the tree on a joint with the world, tied to something, or without weight?
static bool is_held(const utModel* model, int tree)
{
    const utModelTree* t = &model->tree[tree];
    const utModelJoint* root = &model->joint[model->body[t->body].joint];
    const bool jointed =
        root->kind == UT_JOINT_BALL || root->kind == UT_JOINT_HINGE || root->kind == UT_JOINT_SLIDE;
    double weight = 0.0;
    for (int b = t->body; b < t->body + t->bodies; b++) {
        weight += model->body[b].mass * (1.0 - model->body[b].gravcomp);
    }
    return jointed || root->stiffness > 0.0 || !(weight > 0.0) || is_tied(model, tree);
}

// May the fixed geom be below the other one? By bounding spheres, so that the answer no is certain.
static bool is_below(const Fall* fall, int fixed, int geom)
{
    const utFrame at = ut_geom_frame(&fall->kin, fixed);
    if (fall->model->geom[fixed].shape.kind == UT_SHAPE_PLANE) {
        return ut_vec3_dot(ut_mat3_column(at.R, 2), fall->down) < 0.0;
    }
    utVec3 apart = ut_vec3_sub(at.p, ut_geom_frame(&fall->kin, geom).p);
    if (fall->model->options.planar != UT_PLANAR_NONE) {
        const utVec3 normal = ut_plane(fall->model->options.planar).normal;
        apart = ut_vec3_add_scaled(apart, -ut_vec3_dot(apart, normal), normal);
    }
    const double reach = fall->model->geom[fixed].radius + fall->model->geom[geom].radius;
    const double depth = ut_vec3_dot(apart, fall->down);
    const utVec3 aside = ut_vec3_add_scaled(apart, -depth, fall->down);
    return !(depth < -reach) && !(ut_vec3_norm(aside) > reach);
}

// Mark a free tree that touches a fixed geom below it or a tree that is held. @return it is new
static bool hold(Fall* fall, int tree)
{
    const utModel* model = fall->model;
    const utModelTree* t = &model->tree[tree];
    const int first = model->body[t->body].geom;
    const utModelBody* last = &model->body[t->body + t->bodies - 1];
    for (int g = first; g < last->geom + last->geoms && fall->pairs <= MAX_PAIRS; g++) {
        fall->pairs += model->ngeom;
        for (int other = 0; other < model->ngeom; other++) {
            const int of = model->body[model->geom[other].body].tree;
            if (of == tree || !ut_model_collides(model, g, other)) {
                continue;
            }
            fall->touches[tree] = true;
            if (of >= 0 ? fall->held[of] : is_below(fall, other, g)) {
                fall->held[tree] = true;
                return true;
            }
        }
    }
    return false;
}

static void report_falls(const Fall* fall, CliFindings* findings)
{
    const utModel* model = fall->model;
    if (fall->pairs > MAX_PAIRS) {
        cli_add_finding(findings, "falls",
                        "which bodies fall is not known: the search for floors below them stopped "
                        "after %d pairs of geoms",
                        MAX_PAIRS);
        return;
    }
    for (int t = 0; t < model->ntree; t++) {
        CliName room;
        const int b = model->tree[t].body;
        const char* name = cli_name(model->body[b].name, "body", b, &room);
        if (!fall->held[t] && fall->touches[t]) {
            cli_add_finding(
                findings, "falls",
                "body %s falls: no fixed geom that it can touch is below it; a floor would be "
                "<geom "
                "type=\"plane\" size=\"1 1 0.1\"/> in worldbody",
                name);
        } else if (!fall->held[t]) {
            cli_add_finding(
                findings, "falls",
                "body %s falls: there is no other geom that it can touch (contype, conaffinity, "
                "contact/pair); a floor would be <geom type=\"plane\" size=\"1 1 0.1\"/>",
                name);
        }
    }
}

utStatus cli_find_falls(const CliModel* loaded, utArena scratch, CliFindings* findings)
{
    const utModel* model = loaded->model;
    const CliPose pose = cli_start_pose(loaded);
    Fall fall = {.model = model};
    if (!ut_vec3_normalize(model->options.gravity, &fall.down)) {
        return UT_OK;
    }
    UT_TRY(ut_kinematics_create(model, &scratch, &fall.kin));
    fall.held = UT_PUSH(&scratch, bool, model->ntree);
    fall.touches = UT_PUSH(&scratch, bool, model->ntree);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    ut_kinematics_place(&fall.kin, pose.q, pose.mocap_pos, pose.mocap_quat);
    for (int t = 0; t < model->ntree; t++) {
        fall.held[t] = is_held(model, t);
        fall.touches[t] = false;
    }
    // a tree that rests on a held tree is held, too
    bool found = true;
    while (found) {
        found = false;
        for (int t = 0; t < model->ntree; t++) {
            found = (!fall.held[t] && hold(&fall, t)) || found;
        }
    }
    report_falls(&fall, findings);
    return UT_OK;
}
