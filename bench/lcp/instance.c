// SPDX-License-Identifier: Apache-2.0
// The named families of this benchmark.
#include "bench_lcp.h"

const Family families[FAMILIES] = {
    {"contact-4", "Stewart-Trinkle, 4 directions, masses 1:1e4, a third redundant", true, 4, 1e4,
     1.0 / 3.0, 0},
    {"contact-8", "Stewart-Trinkle, 8 directions, masses 1:1e4, a third redundant", true, 8, 1e4,
     1.0 / 3.0, 0},
    {"contact-easy", "Stewart-Trinkle, 4 directions, masses 1:10, none redundant", true, 4, 10.0,
     0.0, 0},
    {"frictionless", "normals only, symmetric positive semidefinite, a third redundant", false, 0,
     1e4, 1.0 / 3.0, 0},
    {"random-p", "positive definite plus skew", false, -1, 0.0, 0.0, UT_LCP_SKEW},
    {"spd", "A A' / n + 0.01 I", false, -1, 0.0, 0.0, UT_LCP_SPD},
    {"obstacle", "-1 2 -1, condition number 0.4 n^2", false, -1, 0.0, 0.0, UT_LCP_OBSTACLE},
};

static bool is_scene(const Family* family)
{
    return family->directions >= 0;
}

static utContactLcpDef scene_def(const Family* family, int n, uint64_t seed)
{
    utContactLcpDef def = ut_contact_lcp_def();
    int unknowns = family->directions > 0 ? family->directions + 2 : 1;
    def.directions = family->directions;
    def.contacts = (n + unknowns / 2) / unknowns;
    def.contacts = def.contacts > 0 ? def.contacts : 1;
    def.mass_ratio = family->mass_ratio;
    def.redundant = family->redundant;
    def.seed = seed;
    return def;
}

utStatus instance_create(const Family* family, int n, uint64_t seed, utArena* keep,
                         Instance* instance)
{
    *instance = (Instance){.contacts = 0};
    if (is_scene(family)) {
        utContactLcp contact;
        utContactLcpDef def = scene_def(family, n, seed);
        UT_TRY(ut_contact_lcp_create(&def, keep, &contact));
        instance->lcp = contact.lcp;
        instance->contacts = contact.contacts;
    } else {
        utLcpProblem problem;
        UT_TRY(ut_lcp_family_create(family->planted, n, seed, keep, &problem));
        instance->lcp = problem.lcp;
        instance->z = problem.z;
    }

    const size_t order = (size_t)instance->lcp.n;
    instance->columns = UT_PUSH(keep, double, order* order);
    if (instance->columns == NULL) {
        return UT_ERR_CAPACITY;
    }
    for (size_t i = 0; i < order; i++) {
        for (size_t j = 0; j < order; j++) {
            instance->columns[j * order + i] = instance->lcp.M[i * order + j];
        }
    }
    return UT_OK;
}
