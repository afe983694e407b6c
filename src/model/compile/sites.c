// SPDX-License-Identifier: Apache-2.0
// Sites.
#include "model/internal.h"

#include <string.h>

void ut_model_fill_sites(Work* work)
{
    for (int i = 0; i < work->model->nsite; i++) {
        const utSiteDef* def = ut_model_site_def(work->def, i);
        utModelSite* site = &work->array.site[i];
        *site = (utModelSite){
            .name = ut_model_keep_text(work, def->name), .body = def->body, .shape = def->shape};
        memcpy(site->rgba, def->rgba, sizeof site->rgba);
        ut_model_unit(def->quat, &site->quat);
        site->in_body = ut_frame(ut_quat_to_mat3(site->quat), def->pos);
    }
}
