// SPDX-License-Identifier: Apache-2.0
// What a formulation asks of the contacts and rows of a step, and what the model says of them.
#include "certificate/internal.h"

static const double SLACK = 1e-9;    // m: what touches may be there whatever rounding does
static const double AGREES = 1e-12;  // relative: what is computed by the same few operations
static const double SAME_GAP = 1e-9; // rad or m

// ---- the formulation ----------------------------------------------------------------------------

// In an instant nothing has a gap but what touches, and that counts as closed.
static void restrict_to_instant(Formulation* formulation)
{
    formulation->without_gap = true;
    formulation->touching = true;
    formulation->within = false;
    formulation->signed_gap = false;
    formulation->joint_gaps = false;
}

bool ut_certify_formulation(const utStepReport* report, Formulation* formulation)
{
    const utFormulationTraits* traits = ut_formulation_traits(report->formulation);
    if (traits == NULL || (report->instant && traits->acceleration)) {
        return false;
    }
    *formulation = (Formulation){.section = ut_section_circle(),
                                 .convex = traits->convex,
                                 .signed_gap = traits->gap == UT_GAP_SIGNED,
                                 .without_gap = traits->gap == UT_GAP_NONE,
                                 .touching = traits->reach == UT_REACH_TOUCHING,
                                 .within = traits->reach == UT_REACH_MARGIN,
                                 .joint_gaps = !traits->projects,
                                 .explicit_forces = traits->explicit_forces,
                                 .acceleration = traits->acceleration,
                                 .hops = traits->collisions_only,
                                 .bounces = traits->events && !traits->collisions_only};
    if (report->instant) {
        restrict_to_instant(formulation);
    }
    if (report->model->options.planar != UT_PLANAR_NONE) {
        formulation->section = ut_section_segment(); // whatever is asked for
        return true;
    }
    // these take the circle, or a polygon with so many edges
    const bool any_section = traits->convex || traits->events;
    const utSectionKind kind = !any_section             ? traits->section
                               : report->directions > 0 ? UT_SECTION_INSCRIBED
                                                        : UT_SECTION_CIRCLE;
    return kind == UT_SECTION_CIRCLE ||
           ut_section_polygon(kind, report->directions, 0.0, &formulation->section, NULL) == UT_OK;
}

double ut_certify_gap_velocity(const Judge* judge, double gap)
{
    const Formulation* f = &judge->formulation;
    return f->without_gap ? 0.0 : (gap > 0.0 || f->signed_gap ? gap : 0.0) / judge->report->h;
}

static bool agrees(double a, double b)
{
    // an infinite bound agrees with itself alone
    return a == b || (isfinite(a - b) && fabs(a - b) <= AGREES * (fabs(a) + fabs(b)));
}

// ---- contacts -----------------------------------------------------------------------------------

// How fast a contact slips when the step begins; touch is moved with v.
static double slip_before(const Judge* judge, int i)
{
    const utContact* c = &judge->report->contact[i];
    const utVec3 one = ut_point_velocity(&judge->touch, contact_body(judge, i, 0), c->point);
    const utVec3 two = ut_point_velocity(&judge->touch, contact_body(judge, i, 1), c->point);
    const utVec3 u = ut_vec3_add(ut_vec3_sub(two, one), ut_certify_belts(judge, c));
    const bool planar = judge->model->options.planar != UT_PLANAR_NONE;
    const double a = ut_vec3_dot(c->frame[1], u);
    const double b = planar ? 0.0 : ut_vec3_dot(c->frame[2], u);
    return sqrt(a * a + b * b);
}

// Static friction, or kinetic where it slips; near the border either.
static bool friction_is(const Judge* judge, int i, double friction, double kinetic)
{
    const double mu = judge->report->contact[i].mu;
    if (friction == kinetic) {
        return agrees(mu, friction);
    }
    const double slip = slip_before(judge, i);
    const bool sticks = agrees(mu, friction) && slip <= UT_SLIPS + SLACK;
    const bool slips = agrees(mu, kinetic) && slip >= UT_SLIPS - SLACK;
    return sticks || slips;
}

static bool contact_belongs(const Judge* judge, int i)
{
    const utModel* model = judge->model;
    const utContact* c = &judge->report->contact[i];
    if (c->geom2 >= model->ngeom) {
        const int p = ut_certify_point(judge, c);
        return p >= 0 && friction_is(judge, i, model->point[p].friction, model->point[p].kinetic);
    }
    const double margin = model->geom[c->geom1].margin + model->geom[c->geom2].margin;
    const Formulation* f = &judge->formulation;
    const bool flat = model->options.planar == UT_PLANAR_NONE ||
                      (c->r[2] == 0.0 && c->u[2] == 0.0 && c->b[2] == 0.0);
    return flat && ut_model_collides(model, c->geom1, c->geom2) &&
           friction_is(judge, i, ut_model_friction(model, c->geom1, c->geom2),
                       ut_model_kinetic(model, c->geom1, c->geom2)) &&
           (!f->touching || c->gap <= SLACK) && (!f->within || c->gap <= margin + SLACK);
}

// Every explicit contact is in the set, unless the formulation lets it bounce.
static bool points_are_there(const Judge* judge)
{
    const utModel* model = judge->model;
    int wanted = 0, found = 0;
    for (int p = 0; p < model->npoint; p++) {
        const utModelPoint* point = &model->point[p];
        wanted += model->body[model->geom[point->geom].body].tree >= 0 ||
                  model->body[model->site[point->site].body].tree >= 0;
    }
    for (int i = 0; i < judge->report->contacts; i++) {
        found += ut_certify_point(judge, &judge->report->contact[i]) >= 0;
    }
    // accelerations and instants have a law where things touch alone; what bounces has no row while
    // it is away
    const Formulation* f = &judge->formulation;
    const bool some = f->acceleration || f->hops || f->bounces || judge->report->instant;
    return some ? found <= wanted : found == wanted;
}

// ---- rows ---------------------------------------------------------------------------------------

// What a row should be. A joint's lower limit has u = v + gap / h and so on; bounds are of r /
// length of the row, its impulse on the velocity.
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
        const utVec3 turn = ut_quat_log(ut_quat(q[0], q[1], q[2], q[3]));
        const double angle = ut_vec3_norm(turn);
        law->gap = joint->range[1] - angle;
        law->direction[0] = -turn.x / angle;
        law->direction[1] = -turn.y / angle;
        law->direction[2] = -turn.z / angle;
        if (angle == 0.0) {
            // it grows whichever way the joint turns
            const utVec3 axis = load3(row->direction);
            const double size = fabs(ut_vec3_norm(axis) - 1.0) <= AGREES ? 1.0 : (double)NAN;
            law->direction[0] = size * axis.x;
            law->direction[1] = size * axis.y;
            law->direction[2] = size * axis.z;
        }
    } else {
        const bool lower = row->kind == UT_ROW_LOWER;
        law->gap = lower ? q[0] - joint->range[0] : joint->range[1] - q[0];
        law->direction[0] = lower ? 1.0 : -1.0;
    }
    // every formulation has its limits with the gap, those without gaps in contacts too
    const bool counts =
        !judge->report->instant && (law->gap > 0.0 || judge->formulation.signed_gap);
    law->b = counts ? law->gap / judge->report->h : 0.0;
    return row->kind == UT_ROW_BALL ? joint->kind == UT_JOINT_BALL && row->dofs == 3
                                    : scalar && row->dofs == 1;
}

static bool friction_law(const Judge* judge, const utRow* row, RowLaw* law)
{
    const double most = judge->report->h * judge->model->joint[row->joint].frictionloss;
    *law = (RowLaw){.direction = {1.0}, .low = -most, .high = most};
    return row->dofs == 1 && most > 0.0;
}

// A position actuator pulls with h gear (kp (ctrl - gear (q + h v+)) - kv gear v+) as long as that
// is within its bounds: v+ + impulse / (h (D + h K)) = gear kp (ctrl - gear q) / (D + h K), where D
// = gear^2 kv and K = gear^2 kp.
static bool actuator_law(const Judge* judge, const utRow* row, RowLaw* law)
{
    const utModel* model = judge->model;
    const double h = judge->report->h;
    const utModelActuator* a = &model->actuator[row->actuator];
    const double one = h * a->gear * a->force_range[0];
    const double two = h * a->gear * a->force_range[1];
    const double stiff = a->gear * a->gear * (a->kv + h * a->kp);
    if (a->kind != UT_ACTUATOR_POSITION || !a->force_limited || a->dof != row->dof ||
        row->dofs != 1 || !(h * stiff > 0.0) || judge->report->ctrl == NULL) {
        return false;
    }
    const double wanted =
        a->gear * a->kp *
        (judge->report->ctrl[row->actuator] - a->gear * judge->q[model->joint[a->joint].q]);
    *law = (RowLaw){.direction = {1.0},
                    .low = one < two ? one : two,
                    .high = one < two ? two : one,
                    .compliance = 1.0 / (h * stiff),
                    .b = -wanted / stiff};
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
    case UT_ROW_KIND_COUNT:
        break;
    }
    return false;
}

double ut_certify_row_b(const Judge* judge, int row)
{
    const utRow* r = &judge->report->row[row];
    RowLaw law;
    if (r->kind == UT_ROW_SPRING) {
        utRow should;
        return ut_certify_spring(judge, r, &should) ? should.b : (double)NAN;
    }
    if (r->dof < 0) {
        return ut_certify_equality_b(judge, r);
    }
    return find_law(judge, r, &law) ? r->length * law.b : (double)NAN;
}

static bool near(utVec3 a, utVec3 b)
{
    return ut_vec3_norm(ut_vec3_sub(a, b)) <= AGREES * (1.0 + ut_vec3_norm(a) + ut_vec3_norm(b));
}

static bool spring_row_belongs(const Judge* judge, const utRow* row)
{
    utRow s;
    return ut_certify_spring(judge, row, &s) && row->body1 == s.body1 && row->body2 == s.body2 &&
           near(row->linear, s.linear) && near(row->angular, s.angular) &&
           near(row->point1, s.point1) && near(row->point2, s.point2) &&
           fabs(row->gap - s.gap) <= SAME_GAP && row->low == s.low && row->high == s.high &&
           agrees(row->compliance, s.compliance);
}

// Is a limit reached, as far as its joint moves points? The gap of a hinge is an angle.
static bool limit_touches(const Judge* judge, const utRow* row)
{
    const bool turns = row->dof >= 0 && row->dof < judge->model->nv;
    return row->gap * (turns ? dof_length(judge->model, row->dof) : 1.0) <= SLACK;
}

static bool row_belongs(const Judge* judge, const utRow* row)
{
    RowLaw law;
    if (judge->report->instant && row->kind <= UT_ROW_BALL && !limit_touches(judge, row)) {
        return false;
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
    bool good = fabs(row->gap - law.gap) <= SAME_GAP && agrees(row->low * row->length, law.low) &&
                agrees(row->high * row->length, law.high) &&
                agrees(row->compliance, law.compliance * row->length * row->length);
    for (int k = 0; k < row->dofs; k++) {
        good = good && fabs(row->direction[k] - law.direction[k]) <= AGREES;
    }
    return good;
}

bool ut_certify_active_set(Judge* judge)
{
    const utStepReport* report = judge->report;
    bool good = ut_certify_moved(judge) && points_are_there(judge) && ut_certify_springs(judge) &&
                ut_certify_equalities(judge);
    // where collisions are all there is, nothing is held
    good = good && (!judge->formulation.hops || report->instant || report->contacts == 0);
    ut_kinematics_move(&judge->touch, judge->v, report->mocap_velocity);
    for (int i = 0; i < report->contacts; i++) {
        good = good && contact_belongs(judge, i);
    }
    for (int j = 0; j < report->rows; j++) {
        good = good && row_belongs(judge, &report->row[j]);
    }
    return good;
}
