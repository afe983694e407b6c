// SPDX-License-Identifier: Apache-2.0
// Sites, actuators, and pairs of bodies that do not collide.
#include "model/internal.h"

void ut_model_fill_sites(Work* work)
{
    for (int i = 0; i < work->model->nsite; i++) {
        const utSiteDef* def = ut_model_site_def(work->def, i);
        utModelSite* site = &work->array.site[i];
        *site = (utModelSite){.name = ut_model_keep_text(work, def->name), .body = def->body};
        ut_model_unit(def->quat, &site->quat);
        site->in_body = ut_frame(ut_quat_to_mat3(site->quat), def->pos);
    }
}

void ut_model_fill_actuators(Work* work)
{
    for (int i = 0; i < work->model->nactuator; i++) {
        const utActuatorDef* def = ut_model_actuator_def(work->def, i);
        const int joint = def->equality < 0 ? work->scratch.joint_of_described[def->joint] : -1;
        work->array.actuator[i] = (utModelActuator){
            .name = ut_model_keep_text(work, def->name),
            .kind = def->kind,
            .joint = joint,
            .equality = def->equality,
            .dof = joint >= 0 ? work->array.joint[joint].v : -1,
            .gear = def->gear,
            .kp = def->kp,
            .kv = def->kv,
            .ctrl_limited = def->ctrl_limited,
            .force_limited = def->force_limited,
            .ctrl_range = {def->ctrl_range[0], def->ctrl_range[1]},
            .force_range = {def->force_range[0], def->force_range[1]},
        };
    }
}

// ---- excludes -----------------------------------------------------------------------------------

static bool before(const int* pair, int i, int j)
{
    const int* a = pair + 2 * i;
    const int* b = pair + 2 * j;
    return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

static void swap(int* pair, int i, int j)
{
    for (int k = 0; k < 2; k++) {
        const int kept = pair[2 * i + k];
        pair[2 * i + k] = pair[2 * j + k];
        pair[2 * j + k] = kept;
    }
}

static void sift_down(int* pair, int at, int count)
{
    for (;;) {
        int child = 2 * at + 1;
        if (child >= count) {
            return;
        }
        if (child + 1 < count && before(pair, child, child + 1)) {
            child++;
        }
        if (!before(pair, at, child)) {
            return;
        }
        swap(pair, at, child);
        at = child;
    }
}

// Heapsort: no memory, n log n whatever comes.
static void sort_pairs(int* pair, int count)
{
    for (int i = count / 2 - 1; i >= 0; i--) {
        sift_down(pair, i, count);
    }
    for (int i = count - 1; i > 0; i--) {
        swap(pair, 0, i);
        sift_down(pair, 0, i);
    }
}

void ut_model_fill_excludes(Work* work)
{
    int* pair = work->array.exclude;
    const int given = work->def->exclude.count;
    for (int i = 0; i < given; i++) {
        const ExcludeDef* def = ut_model_exclude_def(work->def, i);
        const bool ascending = def->body1 < def->body2;
        pair[2 * i] = ascending ? def->body1 : def->body2;
        pair[2 * i + 1] = ascending ? def->body2 : def->body1;
    }
    sort_pairs(pair, given);

    // a pair that is named again adds nothing
    int count = 0;
    for (int i = 0; i < given; i++) {
        if (count == 0 || before(pair, count - 1, i)) {
            pair[2 * count] = pair[2 * i];
            pair[2 * count + 1] = pair[2 * i + 1];
            count++;
        }
    }
    work->model->nexclude = count;
}
