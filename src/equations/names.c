// SPDX-License-Identifier: Apache-2.0
// Names of the rows and columns of a step's system: velocities by trees, joint rows by joints, contacts by
// their two sides.
#include "internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char* ut_eq_name(const char* name, const char* kind, int index, EqLabel* room)
{
    if (name != NULL && name[0] != '\0') {
        return name;
    }
    snprintf(room->text, sizeof room->text, "%s%d", kind, index);
    return room->text;
}

const char* ut_eq_side(const utModel* model, int side, EqLabel* room)
{
    const utSideLabel label = ut_model_side_label(model, side);
    snprintf(room->text, sizeof room->text, "%s%s", label.name, label.ending);
    return room->text;
}

// An axis while it is filled.
typedef struct Filler {
    EqAxis* axis;
    bool failed;
} Filler;

// @param most number of names; there are at most as many groups
static Filler begin(EqAxis* axis, int most, utArena* keep)
{
    *axis = (EqAxis){0};
    const size_t room = (size_t)(most > 0 ? most : 1);
    axis->name = ut_arena_push(keep, room, sizeof *axis->name);
    axis->label = ut_arena_push(keep, room, sizeof *axis->label);
    axis->group = ut_arena_push(keep, room, sizeof *axis->group);
    axis->start = UT_PUSH(keep, int, room + 1);
    return (Filler){axis, ut_arena_failed(keep)};
}

static void begin_group(Filler* f, const char* name)
{
    if (!f->failed) {
        EqAxis* a = f->axis;
        a->start[a->groups] = a->count;
        snprintf(a->group[a->groups++], EQ_NAME, "%.95s", name);
        a->start[a->groups] = a->count;
    }
}

// Add a name to the last group. @param separator between its name and the label, such as "."
static void add(Filler* f, const char* separator, const char* label)
{
    if (!f->failed) {
        EqAxis* a = f->axis;
        snprintf(a->label[a->count], EQ_NAME, "%s", label);
        snprintf(a->name[a->count], EQ_NAME, "%.70s%s%.20s", a->group[a->groups - 1],
                 label[0] != '\0' ? separator : "", label);
        a->count++;
        a->start[a->groups] = a->count;
    }
}

// ---- velocities ---------------------------------------------------------------------------------

static const char* plane_axis(const utModel* model, int k)
{
    static const char* const axes[3][2] = {{"x", "y"}, {"x", "z"}, {"y", "z"}};
    const int plane = model->options.planar == UT_PLANAR_XZ   ? 1
                      : model->options.planar == UT_PLANAR_YZ ? 2
                                                              : 0;
    return axes[plane][k];
}

static const char* velocity_label(const utModel* model, const utModelJoint* joint, int k)
{
    static const char* const free[] = {"x", "y", "z", "wx", "wy", "wz"};
    switch (joint->kind) {
    case UT_JOINT_FREE:
        return free[k];
    case UT_JOINT_BALL:
        return free[k + 3];
    case UT_JOINT_PLANAR:
    case UT_JOINT_PARTICLE:
        return k == 2 ? "th" : plane_axis(model, k);
    default:
        return "";
    }
}

static void name_velocities(const utModel* model, utArena* keep, EqAxis* axis)
{
    Filler f = begin(axis, model->nv, keep);
    for (int t = 0; t < model->ntree; t++) {
        EqLabel room, joint_room;
        const utModelTree* tree = &model->tree[t];
        begin_group(&f, ut_eq_name(model->body[tree->body].name, "body", tree->body, &room));
        for (int i = tree->dof; i < tree->dof + tree->dofs; i++) {
            const int j = model->dof_joint[i];
            const utModelJoint* joint = &model->joint[j];
            const char* label = velocity_label(model, joint, i - joint->v);
            const bool root = joint->kind == UT_JOINT_FREE || joint->kind == UT_JOINT_PLANAR ||
                              joint->kind == UT_JOINT_PARTICLE;
            char text[EQ_NAME];
            snprintf(text, sizeof text, "%.30s%s%s",
                     root ? "" : ut_eq_name(joint->name, "joint", j, &joint_room),
                     !root && label[0] != '\0' ? "." : "", label);
            add(&f, ".", text);
        }
    }
}

// ---- joint rows ---------------------------------------------------------------------------------

static const char* direction_label(const utRow* row)
{
    static const char* const labels[] = {"x", "y", "z", "rx", "ry", "rz"};
    const double parts[] = {row->linear.x,  row->linear.y,  row->linear.z,
                            row->angular.x, row->angular.y, row->angular.z};
    int others = 0, at = -1;
    for (int k = 0; k < 6; k++) {
        others += parts[k] != 0.0;
        at = fabs(parts[k]) > 0.0 && (at < 0 || fabs(parts[k]) > fabs(parts[at])) ? k : at;
    }
    return row->dof < 0 && row->terms == 0 && others == 1 ? labels[at] : NULL;
}

static const char* row_owner(const utModel* model, const utRow* row, EqLabel* room)
{
    switch (row->kind) {
    case UT_ROW_EQUALITY:
    case UT_ROW_COUPLING:
    case UT_ROW_JOINT:
        return ut_eq_name(model->equality[row->equality].name, "equality", row->equality, room);
    case UT_ROW_SPRING:
        return ut_eq_name(model->spring[row->equality].name, "spring", row->equality, room);
    default:
        return row->joint >= 0
                   ? ut_eq_name(model->joint[row->joint].name, "joint", row->joint, room)
                   : ut_row_kind_name(row->kind);
    }
}

static void name_rows(const EqStep* step, utArena* keep, EqAxis* axis)
{
    const utStepReport* report = &step->result.report;
    Filler f = begin(axis, step->problem.bilaterals, keep);
    const utRow* last = NULL;
    for (int k = 0; k < step->problem.bilaterals; k++) {
        EqLabel room;
        const utRow* row = step->named ? &report->row[step->row[k]] : NULL;
        if (k == 0 ||
            (row != NULL && (row->kind != last->kind || row->equality != last->equality))) {
            begin_group(&f, row != NULL ? row_owner(step->model, row, &room) : "row");
        }
        char text[EQ_NAME];
        const char* label = row != NULL ? direction_label(row) : NULL;
        snprintf(text, sizeof text, "%d", row != NULL ? row->component + 1 : k + 1);
        add(&f, ".", label != NULL ? label : text);
        last = row;
    }
}

// ---- contacts -----------------------------------------------------------------------------------

// "left/floor": the side on which the impulse acts, then the other one
static void contact_name(const EqStep* step, int i, char name[EQ_NAME])
{
    if (!step->named) {
        snprintf(name, EQ_NAME, "contact %d", i + 1);
        return;
    }
    EqLabel one, two;
    const utContact* c = &step->result.report.contact[i];
    // the moving side first
    const bool second = step->model->body[ut_model_side_body(step->model, c->geom2)].tree >= 0 ||
                        step->model->body[ut_model_side_body(step->model, c->geom1)].tree < 0;
    snprintf(name, EQ_NAME, "%d %.28s/%.28s", i + 1,
             ut_eq_side(step->model, second ? c->geom2 : c->geom1, &two),
             ut_eq_side(step->model, second ? c->geom1 : c->geom2, &one));
}

// "+t" and "-t" in the plane, "d1" ... "d8" in space
static void direction_name(int dimension, int j, const char* letter, char text[EQ_NAME])
{
    if (dimension == 2) {
        snprintf(text, EQ_NAME, "%ct", j == 0 ? '+' : '-');
    } else {
        snprintf(text, EQ_NAME, "%s%d", letter, j + 1);
    }
}

// Names per contact. @param count number of names of each contact; 0: it has no group either
// @param letter of the names; NULL: one name without an ending
static void name_contacts(const EqStep* step, const int* count, const char* letter, utArena* keep,
                          EqAxis* axis)
{
    int all = 0;
    for (int i = 0; i < step->problem.contacts; i++) {
        all += count[i];
    }
    Filler f = begin(axis, all, keep);
    for (int i = 0; i < step->problem.contacts; i++) {
        char text[EQ_NAME];
        contact_name(step, i, text);
        if (count[i] > 0) {
            begin_group(&f, text);
        }
        for (int j = 0; j < count[i]; j++) {
            text[0] = '\0';
            if (letter != NULL) {
                direction_name(step->problem.dimension, j, letter, text);
            }
            add(&f, " ", text);
        }
    }
}

static void name_kappa(const EqStep* step, const utPrinted* printed, int* count, utArena* keep,
                       EqAxis axis[EQ_KINDS])
{
    const utPolyhedral* form = &printed->form;
    const int p = step->problem.contacts;
    for (int i = 0; i < p; i++) {
        count[i] = form->first[i + 1] - form->first[i];
    }
    name_contacts(step, count, "e", keep, &axis[EQ_KAPPA_PLUS]);
    axis[EQ_KAPPA_MINUS] = axis[EQ_LINES] = axis[EQ_KAPPA_PLUS];
    for (int i = 0; i < p; i++) {
        count[i] = form->stick[i] >= 0 ? step->problem.dimension - 1 : 0;
    }
    name_contacts(step, count, "t", keep, &axis[EQ_T]);
}

utStatus ut_eq_name_axes(const EqStep* step, const utBlocks* blocks, const utPrinted* printed,
                         utArena* keep, EqAxis axis[EQ_KINDS])
{
    const int p = step->problem.contacts;
    int* count = UT_PUSH(keep, int, p);
    if (count == NULL) {
        return UT_ERR_CAPACITY;
    }
    name_velocities(step->model, keep, &axis[EQ_V]);
    name_rows(step, keep, &axis[EQ_B]);
    for (int i = 0; i < p; i++) {
        count[i] = 1;
    }
    name_contacts(step, count, NULL, keep, &axis[EQ_N]);
    if (printed->notation == UT_NOTATION_PEIRET) {
        name_kappa(step, printed, count, keep, axis);
    } else if (printed->notation != UT_NOTATION_PFROMMER) {
        for (int i = 0; i < p; i++) {
            count[i] = blocks->first[i + 1] - blocks->first[i];
        }
        name_contacts(step, count, "d", keep, &axis[EQ_F]);
        for (int i = 0; i < p; i++) {
            count[i] = count[i] > 0 ? 1 : 0;
        }
        name_contacts(step, count, NULL, keep, &axis[EQ_L]);
    }
    Filler one = begin(&axis[EQ_ONE], 1, keep);
    begin_group(&one, "");
    add(&one, "", "");
    return ut_arena_failed(keep) ? UT_ERR_CAPACITY : UT_OK;
}
