// Loops, whose rows are redundant in space and not in the plane.
#include "lab.h"

// A four-bar linkage in the xz plane, hinges about y: ground, crank, coupler and rocker, closed by
// a connect at the rocker's foot, with a ball on the coupler that a table holds up.
#define FOUR_BAR(planar)                                                                      \
    "<mujoco xmlns:ut='urn:uptack'>" planar                                                   \
    "<default><geom contype='0' conaffinity='0'/><joint axis='0 1 0'/></default>"             \
    "<worldbody><geom name='table' type='plane' size='5 5 1' contype='1' "                    \
    "friction='.5'/>"                                                                         \
    "<body name='crank' pos='0 0 1' euler='0 30 0'><joint name='crank'/>"                     \
    "<geom type='box' size='.02 .02 .2' pos='0 0 -.2' mass='1'/>"                             \
    "<body name='coupler' pos='0 0 -.4' euler='0 -30 0'><joint name='coupler'/>"              \
    "<geom type='box' size='.3 .02 .02' pos='.3 0 0' mass='1'/>"                              \
    "<geom name='foot' type='sphere' size='.1' pos='.3 0 -.52' mass='1' conaffinity='1'/>"    \
    "<body name='rocker' pos='.6 0 0' euler='0 30 0'><joint name='rocker'/>"                  \
    "<geom type='box' size='.02 .02 .25' pos='0 0 .25' mass='1'/></body></body></body>"       \
    "</worldbody><equality><connect name='close' body1='rocker' anchor='0 0 .5'/></equality>" \
    "<keyframe><key qvel='-1 0 1'/></keyframe></mujoco>"

static void run_four_bar(const char* text, const char* name, const char* formulation, bool maximal)
{
    utModel* tree = lab_model(text);
    utModel* model = maximal ? lab_maximal(tree) : tree;
    utSim* sim = NULL;
    const LabRun run = lab_run(model, formulation, 0.001, 1.0, &sim);
    test_note("%-12s %-16s %-11s %d of %d certified, %d flagged, %d contacts, drift %.1e m, "
              "bilateral %.1e, E %.1e, energy %.4f -> %.4f J%s%s",
              name, formulation, maximal ? "maximal" : "generalized", run.certified, run.steps,
              run.flagged, run.contacts, run.drift, run.bilateral, run.E, run.energy_start,
              run.energy_end, run.reason[0] != '\0' ? ", first: " : "", run.reason);
    CHECK_INT(run.certified, run.steps);
    CHECK(run.contacts > 0);
    ut_sim_destroy(sim);
    if (maximal) {
        ut_model_destroy(model, NULL);
    }
    ut_model_destroy(tree, NULL);
}

TEST(a_four_bar_loop_with_friction_is_certified)
{
    static const char* const formulations[] = {"coulomb", "stewart-trinkle", "peiret", "convex"};
    for (size_t k = 0; k < sizeof formulations / sizeof *formulations; k++) {
        run_four_bar(FOUR_BAR(""), "in space", formulations[k], false);
        run_four_bar(FOUR_BAR(""), "in space", formulations[k], true);
        run_four_bar(FOUR_BAR("<option ut:planar='xz'/>"), "in the plane", formulations[k], false);
        run_four_bar(FOUR_BAR("<option ut:planar='xz'/>"), "in the plane", formulations[k], true);
    }
}
