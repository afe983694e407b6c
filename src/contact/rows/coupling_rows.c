// SPDX-License-Identifier: Apache-2.0
// Rows of equalities between joints or tendons: the rate of y - p(x) is 0.
#include "contact/contact.h"

utStatus ut_contact_coupling_rows(const ContactScene* scene, const double* q, utArena* arena,
                                  utRow* row, int* count)
{
    const utModel* model = scene->model;
    *count = 0;
    for (int i = 0; i < model->nequality; i++) {
        const utModelEquality* e = &model->equality[i];
        if (!e->active || e->terms == 0) {
            continue;
        }
        double* coefficient = UT_PUSH(arena, double, e->terms);
        if (coefficient == NULL) {
            return UT_ERR_CAPACITY;
        }
        utRow* r = &row[(*count)++];
        *r = (utRow){
            .kind = UT_ROW_COUPLING,
            .joint = -1,
            .actuator = -1,
            .dof = -1,
            .length = e->reach,
            .equality = i,
            .terms = e->terms,
            .index = e->index,
            .coefficient = coefficient,
            .island = -1,
            .gap = ut_coupling_error(scene->kin, q, i, coefficient),
            .low = -HUGE_VAL,
            .high = HUGE_VAL,
        };
        // without a projection of positions the step removes their error
        const bool counts = !scene->formulation->projects && scene->h > 0.0;
        r->b = e->reach * ((counts ? r->gap / scene->h : 0.0) +
                           ut_coupling_mocap_rate(scene->kin, q, i, scene->mocap_velocity));
    }
    return UT_OK;
}
