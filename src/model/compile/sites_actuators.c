// SPDX-License-Identifier: Apache-2.0
// Sites and actuators.
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
