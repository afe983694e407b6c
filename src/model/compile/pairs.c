// SPDX-License-Identifier: Apache-2.0
// Explicit contact pairs: checked, then sorted by geoms, so that a search can be binary.
#include "model/internal.h"

#include "base/sort.h"

// ---- checks -------------------------------------------------------------------------------------

static utStatus check_pair(const utModelDef* def, int i, utError* err)
{
    const utPairDef* pair = ut_model_pair_def(def, i);
    const Label label = ut_model_pair_label(def, i);
    UT_TRY(ut_model_check_cookie(pair->cookie, UT_PAIR_DEF_COOKIE, label, "ut_pair_def", err));
    const int geoms[2] = {pair->geom1, pair->geom2};
    for (int k = 0; k < 2; k++) {
        if (geoms[k] < 0 || geoms[k] >= def->geom.count) {
            return UT_MODEL_FAIL(err, pair->origin,
                                 "%s names geom %d, which does not exist; there are %d geoms",
                                 label.text, geoms[k], def->geom.count);
        }
    }
    if (pair->geom1 == pair->geom2) {
        return UT_MODEL_FAIL(err, pair->origin, "%s names %s twice; a pair needs two geoms",
                             label.text, ut_model_geom_label(def, pair->geom1).text);
    }
    const int condim = pair->condim;
    if (condim != 1 && condim != 3 && condim != 4 && condim != 6) {
        return UT_MODEL_FAIL(err, pair->origin, "condim of %s is %d; it must be 1, 3, 4 or 6",
                             label.text, condim);
    }
    if (pair->restitution > 1.0) {
        return UT_MODEL_FAIL(err, pair->origin, "restitution of %s is %s; it must not exceed 1",
                             label.text, ut_model_number(pair->restitution).text);
    }
    return ut_model_check_attributes(ELEMENT_PAIR, pair, label, pair->origin, err);
}

utStatus ut_model_check_pairs(const utModelDef* def, utError* err)
{
    for (int i = 0; i < def->pair.count; i++) {
        UT_TRY(check_pair(def, i, err));
    }
    return UT_OK;
}

// ---- filling ------------------------------------------------------------------------------------

static bool before(const void* a, const void* b, const void* context)
{
    const utModelPair* x = a;
    const utModelPair* y = b;
    (void)context;
    return x->geom1 < y->geom1 || (x->geom1 == y->geom1 && x->geom2 < y->geom2);
}

static utModelPair compile_pair(Work* work, int i)
{
    const utPairDef* def = ut_model_pair_def(work->def, i);
    const int one = work->scratch.geom_of_described[def->geom1];
    const int two = work->scratch.geom_of_described[def->geom2];
    const double* mu = def->friction;
    const double larger = mu[0] > mu[1] ? mu[0] : mu[1];
    const double sliding = def->condim == 1 ? 0.0 : larger;
    const bool own_kinetic = def->kinetic >= 0.0 && def->condim != 1;
    return (utModelPair){
        .name = ut_model_keep_text(work, def->name),
        .geom1 = one < two ? one : two,
        .geom2 = one < two ? two : one,
        .condim = def->condim,
        .friction = {mu[0], mu[1], mu[2], mu[3], mu[4]},
        .sliding = sliding,
        .kinetic = own_kinetic ? def->kinetic : sliding,
        .restitution = def->restitution >= 0.0 ? def->restitution : -1.0,
        .margin = def->margin,
        .gap = def->gap,
    };
}

// Two pairs of the same geoms would contradict each other.
static utStatus fail_double(const Work* work, const utModelPair* pair)
{
    const utModelDef* def = work->def;
    const int* geom_of = work->scratch.geom_of_described;
    int found[2] = {0, 0};
    for (int i = 0, count = 0; i < def->pair.count && count < 2; i++) {
        const utPairDef* p = ut_model_pair_def(def, i);
        const int one = geom_of[p->geom1], two = geom_of[p->geom2];
        if ((one == pair->geom1 && two == pair->geom2) ||
            (one == pair->geom2 && two == pair->geom1)) {
            found[count++] = i;
        }
    }
    const utPairDef* second = ut_model_pair_def(def, found[1]);
    return UT_MODEL_FAIL(
        work->err, second->origin, "%s is a second pair of %s and %s, after %s; keep one of them",
        ut_model_pair_label(def, found[1]).text, ut_model_geom_label(def, second->geom1).text,
        ut_model_geom_label(def, second->geom2).text, ut_model_pair_label(def, found[0]).text);
}

// Find the geoms that another geom may touch, so that a step leaves out those that are only seen.
static void mark_colliding(Work* work)
{
    const utModel* model = work->model;
    int contype = 0, conaffinity = 0; // bits of any geom
    for (int i = 0; i < model->ngeom; i++) {
        contype |= work->array.geom[i].contype;
        conaffinity |= work->array.geom[i].conaffinity;
    }
    for (int i = 0; i < model->ngeom; i++) {
        utModelGeom* geom = &work->array.geom[i];
        geom->collides = (geom->contype & conaffinity) != 0 || (geom->conaffinity & contype) != 0;
    }
    for (int i = 0; i < model->npair; i++) {
        work->array.geom[work->array.pair[i].geom1].collides = true;
        work->array.geom[work->array.pair[i].geom2].collides = true;
    }
}

utStatus ut_model_fill_pairs(Work* work)
{
    utModelPair* pair = work->array.pair;
    const int count = work->model->npair;
    for (int i = 0; i < count; i++) {
        pair[i] = compile_pair(work, i);
        const double reach = pair[i].margin + pair[i].gap;
        const int sides[2] = {pair[i].geom1, pair[i].geom2};
        for (int k = 0; k < 2; k++) {
            utModelGeom* geom = &work->array.geom[sides[k]];
            geom->widest_margin = reach > geom->widest_margin ? reach : geom->widest_margin;
        }
    }
    ut_sort(count, sizeof *pair, pair, work->scratch.pair_spare, before, NULL);
    for (int i = 1; i < count; i++) {
        if (!before(&pair[i - 1], &pair[i], NULL)) {
            return fail_double(work, &pair[i]);
        }
    }
    mark_colliding(work);
    return UT_OK;
}
