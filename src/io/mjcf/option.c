// SPDX-License-Identifier: Apache-2.0
// The elements compiler, option, ut:contact and ut:run: settings of the whole model.
#include "io/internal.h"

#include <string.h>

static utStatus read_eulerseq(Mjcf* m, const XmlNode* node, MjcfCompiler* c)
{
    XmlAttribute* a = ut_xml_attribute(node, "eulerseq");
    if (a == NULL) {
        return UT_OK;
    }
    if (strlen(a->value) != 3 || strspn(a->value, "xyzXYZ") != 3) {
        return ut_mjcf_fail_at(
            m, (MjcfFound){node, a}, 0,
            "eulerseq must be three letters of xyz (axes of the body) or XYZ (fixed axes)");
    }
    memcpy(c->eulerseq, a->value, 4);
    return UT_OK;
}

static utStatus read_group_range(const MjcfPlace* p, int range[2])
{
    static const double MAX_GROUP = 1e6; // far above MJCF's groups 0 to 5, and an int
    double x[2] = {range[0], range[1]};
    const MjcfFound found = ut_mjcf_find(p, "inertiagrouprange");
    UT_TRY(ut_mjcf_get(p, "inertiagrouprange", 2, x));
    for (int i = 0; i < 2; i++) {
        if (!(fabs(x[i]) <= MAX_GROUP && floor(x[i]) == x[i])) {
            return ut_mjcf_fail_at(p->m, found, 0, "inertiagrouprange needs whole numbers");
        }
        range[i] = (int)x[i];
    }
    return UT_OK;
}

static utStatus read_compiler(Mjcf* m, const XmlNode* node, MjcfCompiler* c)
{
    MjcfPlace p;
    UT_TRY(ut_mjcf_place(m, node, NULL, &p));
    int angle = c->radian ? 0 : 1;
    int coordinate = 0;
    UT_TRY(ut_mjcf_get_word(&p, "angle", "radian degree", &angle));
    UT_TRY(ut_mjcf_get_word(&p, "coordinate", "local global", &coordinate));
    if (coordinate == 1) {
        return ut_mjcf_fail_at(m, ut_mjcf_find(&p, "coordinate"), 0,
                               "MJCF no longer has global coordinates; write local ones");
    }
    c->radian = angle == 0;
    UT_TRY(read_eulerseq(m, node, c));
    UT_TRY(ut_mjcf_get_bool(&p, "autolimits", &c->autolimits));
    UT_TRY(ut_mjcf_get_not_negative(&p, "boundmass", &c->boundmass));
    UT_TRY(ut_mjcf_get_not_negative(&p, "boundinertia", &c->boundinertia));
    UT_TRY(ut_mjcf_get(&p, "settotalmass", 1, &c->settotalmass));
    UT_TRY(ut_mjcf_get_bool(&p, "balanceinertia", &c->balanceinertia));
    UT_TRY(ut_mjcf_get_word(&p, "inertiafromgeom", "false true auto", &c->inertiafromgeom));
    UT_TRY(ut_mjcf_get_bool(&p, "strippath", &c->strippath));
    UT_TRY(ut_mjcf_get_bool(&p, "fitaabb", &c->fitaabb));
    UT_TRY(ut_mjcf_get_bool(&p, "alignfree", &c->alignfree));
    const XmlAttribute* meshdir = ut_xml_attribute(node, "meshdir");
    const XmlAttribute* assetdir = ut_xml_attribute(node, "assetdir");
    c->meshdir = meshdir != NULL ? meshdir->value : c->meshdir;
    c->assetdir = assetdir != NULL ? assetdir->value : c->assetdir;
    return read_group_range(&p, c->group);
}

// Several elements act as one; the last value counts.
utStatus ut_mjcf_compiler(Mjcf* m, MjcfModel* model)
{
    model->compiler = (MjcfCompiler){
        .eulerseq = "xyz",
        .autolimits = true,
        .settotalmass = -1.0,
        .inertiafromgeom = MJCF_FROM_GEOM_AUTO,
        .group = {0, 5},
    };
    for (const XmlNode* n = model->root->first; n != NULL; n = n->next) {
        if (strcmp(n->name, "compiler") == 0) {
            UT_TRY(read_compiler(m, n, &model->compiler));
        }
    }
    return UT_OK;
}

// ---- option -------------------------------------------------------------------------------------

static utStatus read_integrator(const MjcfPlace* p)
{
    static const utIntegrator kinds[] = {UT_INTEGRATOR_EULER, UT_INTEGRATOR_RK4,
                                         UT_INTEGRATOR_IMPLICIT, UT_INTEGRATOR_IMPLICIT};
    Mjcf* m = p->m;
    int kind = -1;
    UT_TRY(ut_mjcf_get_word(p, "integrator", "Euler RK4 implicit implicitfast", &kind));
    if (kind >= 0) {
        m->options.integrator = kinds[kind];
    }
    if (kind == 3) {
        UT_TRY(ut_mjcf_note(m, p->node, ut_xml_attribute(p->node, "integrator"), false,
                            "option.integrator", "implicitfast is read as implicit"));
    }
    int ours = -1;
    UT_TRY(ut_mjcf_get_word(p, "ut:integrator", "midpoint", &ours));
    if (ours >= 0) {
        m->options.integrator = UT_INTEGRATOR_MIDPOINT;
    }
    return UT_OK;
}

static utStatus read_planar(const MjcfPlace* p)
{
    static const utPlanar kinds[] = {UT_PLANAR_NONE, UT_PLANAR_XY, UT_PLANAR_XZ, UT_PLANAR_YZ};
    int kind = -1;
    UT_TRY(ut_mjcf_get_word(p, "ut:planar", "none xy xz yz", &kind));
    if (kind >= 0) {
        p->m->options.planar = kinds[kind];
    }
    return UT_OK;
}

// Note a component of gravity out of the plane, which the model ignores.
static utStatus note_gravity(Mjcf* m)
{
    const XmlNode* node = NULL; // the option with gravity, else the one with ut:planar
    for (const XmlNode* n = m->root->first; n != NULL; n = n->next) {
        const bool option = strcmp(n->name, "option") == 0;
        const bool given = option && ut_xml_attribute(n, "gravity") != NULL;
        const bool plane = option && ut_xml_attribute(n, "ut:planar") != NULL;
        node = given || (plane && node == NULL) ? n : node;
    }
    const utVec3 normal = ut_plane(m->options.planar).normal;
    if (m->options.planar == UT_PLANAR_NONE || node == NULL ||
        ut_vec3_dot(normal, m->options.gravity) == 0.0) {
        return UT_OK;
    }
    return ut_mjcf_note_missing(m, node, ut_xml_attribute(node, "gravity"), "option.gravity",
                                "has a component out of the plane of ut:planar, which is ignored");
}

static utStatus read_option(Mjcf* m, const XmlNode* node)
{
    MjcfPlace p;
    UT_TRY(ut_mjcf_place(m, node, NULL, &p));
    UT_TRY(ut_mjcf_get_positive(&p, "timestep", &m->options.dt));
    UT_TRY(ut_mjcf_get_vec3(&p, "gravity", &m->options.gravity));
    UT_TRY(ut_mjcf_get_vec3(&p, "magnetic", &m->options.magnetic));
    UT_TRY(read_integrator(&p));
    UT_TRY(ut_mjcf_read_disabled_groups(&p));
    UT_TRY(read_planar(&p));
    for (const XmlNode* child = node->first; child != NULL; child = child->next) {
        UT_TRY(ut_mjcf_read_flags(m, child));
    }
    return UT_OK;
}

// ---- ut:contact and ut:run ----------------------------------------------------------------------

// Read a setting that makes steps inexact, and note it.
static utStatus read_inexact(const MjcfPlace* p, const char* name, double* x)
{
    UT_TRY(ut_mjcf_get_not_negative(p, name, x));
    if (!(*x > 0.0)) {
        return UT_OK;
    }
    return ut_mjcf_note(p->m, p->node, ut_xml_attribute(p->node, name), true, name,
                        "inexact: steps are certified only when their error is within tolerance");
}

// Settings of the LCP with friction polygons.
static utStatus read_problem(const MjcfPlace* p)
{
    utOptions* options = &p->m->options;
    int evaluate = options->midpoint ? 1 : 0;
    UT_TRY(read_inexact(p, "regularization", &options->regularization));
    UT_TRY(read_inexact(p, "relaxation", &options->relaxation));
    UT_TRY(ut_mjcf_get_not_negative(p, "rho", &options->rho));
    UT_TRY(ut_mjcf_get_bool(p, "scale_dt", &options->scale_dt));
    UT_TRY(ut_mjcf_get_bool(p, "mixed", &options->mixed));
    UT_TRY(ut_mjcf_get_bool(p, "minnorm", &options->minnorm));
    UT_TRY(ut_mjcf_get_word(p, "evaluate", "start midpoint", &evaluate));
    options->midpoint = evaluate == 1;
    return UT_OK;
}

// Settings of impacts. The words have the order of the enums.
static utStatus read_impacts(const MjcfPlace* p)
{
    utOptions* options = &p->m->options;
    int detection = (int)options->detection;
    UT_TRY(ut_mjcf_get_not_negative(p, "bounce", &options->bounce));
    UT_TRY(ut_mjcf_get_word(p, "impact", "newton poisson stronge", &options->impact));
    UT_TRY(ut_mjcf_get_word(p, "simultaneous", "moreau poisson propagate", &options->simultaneous));
    UT_TRY(ut_mjcf_get_word(p, "detection", "located step", &detection));
    options->detection = (utDetection)detection;
    return UT_OK;
}

static utStatus read_contact(Mjcf* m, const XmlNode* node)
{
    // in the order of utFormulation
    static const char formulations[] =
        "coulomb stewart-trinkle stewart-trinkle-velocity anitescu-potra peiret "
        "peiret-acceleration convex mirtich hybrid";
    static const char solvers[] = "auto lemke pivot pgs newton enumerate ipm proximal nsgs";
    MjcfPlace p;
    UT_TRY(ut_mjcf_place(m, node, NULL, &p));
    UT_TRY(ut_mjcf_get_word(&p, "formulation", formulations, &m->options.formulation));
    int index = -1;
    UT_TRY(ut_mjcf_get_word(&p, "solver", solvers, &index));
    if (index >= 0) {
        m->options.solver = ut_xml_attribute(node, "solver")->value;
    }
    index = -1;
    UT_TRY(ut_mjcf_get_word(&p, "coordinates", "generalized maximal", &index));
    if (index >= 0) {
        m->options.coordinates = (utCoordinates)index;
    }
    UT_TRY(ut_mjcf_get_positive(&p, "tolerance", &m->options.tolerance));
    UT_TRY(read_problem(&p));
    UT_TRY(read_impacts(&p));
    UT_TRY(ut_mjcf_get_int(&p, "relinearize", &m->options.relinearize));
    if (m->options.relinearize < 0) {
        return ut_mjcf_fail_at(
            m, ut_mjcf_find(&p, "relinearize"), 0,
            "relinearize is a number of re-linearisations; it must not be negative");
    }
    UT_TRY(ut_mjcf_get_int(&p, "directions", &m->options.directions));
    if (m->options.directions < 2 || m->options.directions % 2 != 0) {
        return ut_mjcf_fail_at(
            m, ut_mjcf_find(&p, "directions"), 0,
            "directions, the edges of the friction polygon, must be even and at least 2");
    }
    return UT_OK;
}

static utStatus read_run(Mjcf* m, const XmlNode* node)
{
    MjcfPlace p;
    UT_TRY(ut_mjcf_place(m, node, NULL, &p));
    UT_TRY(ut_mjcf_get_not_negative(&p, "time", &m->options.time));
    return ut_mjcf_get_positive(&p, "dt", &m->options.dt);
}

// ---- all ----------------------------------------------------------------------------------------

// Several elements of a name act as one; the last value counts. ut:run overrides the step size of
// option, also when it comes first.
utStatus ut_mjcf_options(Mjcf* m)
{
    m->options = ut_options();
    m->flags = ut_mjcf_flags();
    XmlAttribute* name = ut_xml_attribute(m->root, "model");
    m->model_name = name != NULL ? name->value : NULL;
    for (const XmlNode* n = m->root->first; n != NULL; n = n->next) {
        if (strcmp(n->name, "option") == 0) {
            UT_TRY(read_option(m, n));
        } else if (strcmp(n->name, "ut:contact") == 0) {
            UT_TRY(read_contact(m, n));
        }
    }
    for (const XmlNode* n = m->root->first; n != NULL; n = n->next) {
        if (strcmp(n->name, "ut:run") == 0) {
            UT_TRY(read_run(m, n));
        }
    }
    ut_mjcf_finish_flags(m);
    return note_gravity(m);
}
