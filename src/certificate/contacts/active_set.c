// SPDX-License-Identifier: Apache-2.0
// Active set: do contacts and rows belong to the formulation, and do their friction, bounds and
// compliance agree with the model?
#include "certificate/internal.h"

double ut_certify_gap_velocity(const Judge* judge, double gap)
{
    const utGapTerm term = judge->traits.gap;
    return term == UT_GAP_NONE
               ? 0.0
               : (gap > 0.0 || term == UT_GAP_SIGNED ? gap : 0.0) / judge->report->h;
}

// ---- contacts -----------------------------------------------------------------------------------

// The slip speed of a contact at the start of the step; kin_contact is moved with v.
static double slip_before(const Judge* judge, int i)
{
    const utContact* c = &judge->report->contact[i];
    const utVec3 u = ut_vec3_add(contact_velocity(judge, i), ut_certify_belts(judge, c));
    const bool planar = judge->model->options.planar != UT_PLANAR_NONE;
    const double a = ut_vec3_dot(c->frame[1], u);
    const double b = planar ? 0.0 : ut_vec3_dot(c->frame[2], u);
    return sqrt(a * a + b * b);
}

// Is mu the static coefficient, or the kinetic one of a contact that slips? Near the
// border either is valid.
// @param moved is kin_contact moved with v? It is afterwards, if that is needed
static bool has_friction(Judge* judge, int i, double friction, double kinetic, bool* moved)
{
    const double mu = judge->report->contact[i].mu;
    if (friction == kinetic) {
        return same_value(mu, friction);
    }
    if (!*moved) {
        ut_kinematics_set_velocities(&judge->kin_contact, judge->v, judge->report->mocap_velocity);
        *moved = true;
    }
    const double slip = slip_before(judge, i);
    const bool sticks = same_value(mu, friction) && slip <= UT_SLIPS + BORDER_SLACK;
    const bool slips = same_value(mu, kinetic) && slip >= UT_SLIPS - BORDER_SLACK;
    return sticks || slips;
}

// The numbers of a pair of geoms. Contacts of one pair follow each other.
typedef struct Pair {
    int geom1, geom2; // -1: none
    bool collides;
    int condim;
    double friction, kinetic, margin;
} Pair;

static Pair find_pair(const utModel* model, int geom1, int geom2)
{
    return (Pair){
        .geom1 = geom1,
        .geom2 = geom2,
        .collides = ut_model_collides(model, geom1, geom2),
        .condim = ut_model_condim(model, geom1, geom2),
        .friction = ut_model_friction(model, geom1, geom2),
        .kinetic = ut_model_kinetic(model, geom1, geom2),
        .margin = ut_model_margin(model, geom1, geom2),
    };
}

// @param pair  of the contact before; receives that of the contact
// @param moved as for has_friction
static bool contact_belongs(Judge* judge, int i, Pair* pair, bool* moved)
{
    const utModel* model = judge->model;
    const utContact* c = &judge->report->contact[i];
    if (c->geom2 >= model->ngeom) {
        const int p = ut_certify_point(judge, c);
        const int condim = ut_model_condim(model, c->geom1, c->geom2);
        return p >= 0 && ut_certify_spin_belongs(judge, c, condim) &&
               has_friction(judge, i, model->point[p].friction, model->point[p].kinetic, moved);
    }
    if (c->geom1 != pair->geom1 || c->geom2 != pair->geom2) {
        *pair = find_pair(model, c->geom1, c->geom2);
    }
    const utContactReach reach = judge->traits.reach;
    const bool flat = model->options.planar == UT_PLANAR_NONE ||
                      (c->r[2] == 0.0 && c->u[2] == 0.0 && c->b[2] == 0.0);
    return flat && pair->collides && ut_certify_spin_belongs(judge, c, pair->condim) &&
           has_friction(judge, i, pair->friction, pair->kinetic, moved) &&
           (reach != UT_REACH_TOUCHING || c->gap <= BORDER_SLACK) &&
           (reach != UT_REACH_MARGIN || c->gap <= pair->margin + BORDER_SLACK);
}

// Is every explicit contact present, unless the formulation lets it bounce?
static bool has_explicit_contacts(const Judge* judge)
{
    const utModel* model = judge->model;
    int needed = 0, found = 0;
    for (int p = 0; p < model->npoint; p++) {
        const utModelPoint* point = &model->point[p];
        const int one = model->body[model->geom[point->geom].body].tree;
        const int two = model->body[model->site[point->site].body].tree;
        needed += (one >= 0 && !sleeps(judge, one)) || (two >= 0 && !sleeps(judge, two));
    }
    for (int i = 0; model->npoint > 0 && i < judge->report->contacts; i++) {
        found += ut_certify_point(judge, &judge->report->contact[i]) >= 0;
    }
    // accelerations and instants have touching contacts only, and a bouncing contact has
    // no row in free flight
    const bool some = judge->traits.acceleration || judge->traits.events || judge->report->instant;
    return some ? found <= needed : found == needed;
}

// ---- rows ---------------------------------------------------------------------------------------

// A row of a joint as the model and the state define it, per joint velocity: a lower limit has
// u = v + gap / h. The row's r times its length is the impulse on the joint velocity.
typedef struct RowLaw {
    double direction[3];
    double gap;
    double low, high;  // N s or N m s
    double compliance; // of the velocity: 1/kg or 1/(kg m^2)
    double b;          // of the velocity
} RowLaw;

static bool limit_law(const Judge* judge, const utRow* row, RowLaw* law)
{
    const utModelJoint* joint = &judge->model->joint[row->joint];
    const double* q = judge->q + joint->q;
    const bool scalar = joint->kind == UT_JOINT_HINGE || joint->kind == UT_JOINT_SLIDE;
    *law = (RowLaw){.low = 0.0, .high = HUGE_VAL};
    if (!joint->limited || row->dof != joint->v) {
        return false;
    }
    if (row->kind == UT_ROW_BALL) {
        // the angle from the modelled pose grows at the rate axis . w
        const utVec3 rotation = ut_quat_log(ut_quat(q[0], q[1], q[2], q[3]));
        const double angle = ut_vec3_norm(rotation);
        law->gap = joint->range[1] - angle;
        law->direction[0] = -rotation.x / angle;
        law->direction[1] = -rotation.y / angle;
        law->direction[2] = -rotation.z / angle;
        if (angle == 0.0) {
            // the angle grows in every direction, so any unit axis is valid
            const utVec3 axis = load3(row->direction);
            const double size = fabs(ut_vec3_norm(axis) - 1.0) <= SAME_VALUE ? 1.0 : (double)NAN;
            law->direction[0] = size * axis.x;
            law->direction[1] = size * axis.y;
            law->direction[2] = size * axis.z;
        }
    } else {
        const bool lower = row->kind == UT_ROW_LOWER;
        law->gap = lower ? q[0] - joint->range[0] : joint->range[1] - q[0];
        law->direction[0] = lower ? 1.0 : -1.0;
    }
    // limits have a gap term in every formulation, even when contacts have none
    const bool has_gap =
        !judge->report->instant && (law->gap > 0.0 || judge->traits.gap == UT_GAP_SIGNED);
    law->b = has_gap ? law->gap / judge->report->h : 0.0;
    return row->kind == UT_ROW_BALL ? joint->kind == UT_JOINT_BALL && row->dofs == 3
                                    : scalar && row->dofs == 1;
}

static bool friction_law(const Judge* judge, const utRow* row, RowLaw* law)
{
    const double bound = judge->report->h * judge->model->joint[row->joint].frictionloss;
    *law = (RowLaw){.direction = {1.0}, .low = -bound, .high = bound};
    return row->dofs == 1 && bound > 0.0;
}

static bool actuator_law(const Judge* judge, const utRow* row, RowLaw* law)
{
    ActuatorRowLaw x;
    if (row->dofs != 1 || !ut_certify_actuator_law(judge, row, &x)) {
        return false;
    }
    *law = (RowLaw){
        .direction = {1.0}, .low = x.low, .high = x.high, .compliance = x.compliance, .b = x.b};
    return true;
}

static bool find_law(const Judge* judge, const utRow* row, RowLaw* law)
{
    switch (row->kind) {
    case UT_ROW_LOWER:
    case UT_ROW_UPPER:
    case UT_ROW_BALL:
        return limit_law(judge, row, law);
    case UT_ROW_FRICTION:
        return friction_law(judge, row, law);
    case UT_ROW_ACTUATOR:
        return actuator_law(judge, row, law);
    case UT_ROW_EQUALITY:
    case UT_ROW_JOINT:
    case UT_ROW_SPRING:
    case UT_ROW_TENDON_LOWER:
    case UT_ROW_TENDON_UPPER:
    case UT_ROW_TENDON_FRICTION:
    case UT_ROW_TENDON_SPRING:
    case UT_ROW_COUPLING:
    case UT_ROW_KIND_COUNT:
        break;
    }
    return false;
}

double ut_certify_row_b(const Judge* judge, int row)
{
    const utRow* r = &judge->report->row[row];
    RowLaw law;
    if (r->terms > 0) {
        return r->kind == UT_ROW_ACTUATOR ? ut_certify_actuator_b(judge, r)
                                          : ut_certify_terms_b(judge, r);
    }
    if (r->kind == UT_ROW_SPRING) {
        utRow expected;
        return ut_certify_spring(judge, r, &expected) ? expected.b : (double)NAN;
    }
    if (r->dof < 0) {
        return ut_certify_equality_b(judge, r);
    }
    return find_law(judge, r, &law) ? r->length * law.b : (double)NAN;
}

static bool spring_row_belongs(const Judge* judge, const utRow* row)
{
    utRow s;
    return ut_certify_spring(judge, row, &s) && row->body1 == s.body1 && row->body2 == s.body2 &&
           same_point(row->linear, s.linear) && same_point(row->angular, s.angular) &&
           same_point(row->point1, s.point1) && same_point(row->point2, s.point2) &&
           fabs(row->gap - s.gap) <= SAME_GAP && row->low == s.low && row->high == s.high &&
           same_value(row->compliance, s.compliance);
}

// Is a limit reached? The gap of a hinge is an angle, so it is scaled by the reach of the joint.
static bool limit_touches(const Judge* judge, const utRow* row)
{
    const bool turns = row->dof >= 0 && row->dof < judge->model->nv;
    const double length = turns            ? ut_dof_length(judge->model, row->dof)
                          : row->terms > 0 ? row->length
                                           : 1.0;
    return row->gap * length <= BORDER_SLACK;
}

static bool row_belongs(const Judge* judge, const utRow* row)
{
    RowLaw law;
    if (judge->report->instant && ut_row_is_limit(row) && !limit_touches(judge, row)) {
        return false;
    }
    if (row->terms > 0) {
        return row->kind == UT_ROW_ACTUATOR ? ut_certify_actuator_terms(judge, row)
                                            : ut_certify_terms_row(judge, row);
    }
    if (row->kind == UT_ROW_SPRING) {
        return spring_row_belongs(judge, row);
    }
    if (row->dof < 0) {
        return ut_certify_equality_row(judge, row);
    }
    if (!find_law(judge, row, &law)) {
        return false;
    }
    bool good = fabs(row->gap - law.gap) <= SAME_GAP &&
                same_value(row->low * row->length, law.low) &&
                same_value(row->high * row->length, law.high) &&
                same_value(row->compliance, law.compliance * row->length * row->length);
    for (int k = 0; k < row->dofs; k++) {
        good = good && fabs(row->direction[k] - law.direction[k]) <= SAME_VALUE;
    }
    return good;
}

bool ut_certify_active_set(Judge* judge)
{
    const utStepReport* report = judge->report;
    bool good = ut_certify_mocap(judge) && has_explicit_contacts(judge) &&
                ut_certify_springs(judge) && ut_certify_equalities(judge) &&
                ut_certify_all_terms(judge);
    // with collisions only, contacts act in instants and never in a sub-step
    good = good && (!judge->traits.collisions_only || report->instant || report->contacts == 0);
    bool moved = false;
    Pair pair = {.geom1 = -1, .geom2 = -1};
    for (int i = 0; i < report->contacts; i++) {
        good = good && contact_belongs(judge, i, &pair, &moved);
    }
    for (int j = 0; j < report->rows; j++) {
        good = good && row_belongs(judge, &report->row[j]);
    }
    return good;
}
