// SPDX-License-Identifier: Apache-2.0
// Lengths, rates and forces of actuators at a state, and activations after a step of 2 ms, without
// gravity and contacts. The numbers are what MuJoCo 3.14.0 gives for these models: actuator_length,
// actuator_velocity, actuator_force, qfrc_actuator, and act after mj_step.
#include "lab.h"

enum { MOST = 8 };

typedef struct Case {
    const char* name;
    const char* world;
    const char* actuators;
    double q[MOST], v[MOST], act[MOST], ctrl[MOST];
    double length[MOST], rate[MOST], force[MOST], qfrc[MOST], next[MOST];
} Case;

#define SLIDE                                                                   \
    "<worldbody><body><joint name='j' type='slide' axis='1 0 0' range='-1 2'/>" \
    "<geom size='.1' mass='2'/></body></worldbody>"
#define HINGES                                                                               \
    "<worldbody><body><joint name='h' axis='0 1 0'/><geom size='.1' pos='.3 0 0' mass='2'/>" \
    "<body pos='.5 0 0'><joint name='k' axis='0 1 0' pos='0 .1 0'/>"                         \
    "<geom size='.1' pos='.2 0 .1' mass='1'/></body></body></worldbody>"
#define BALL                                                        \
    "<worldbody><body><joint name='j' type='ball' pos='.1 .2 .3'/>" \
    "<geom size='.1 .2 .3' type='box' mass='2' pos='.4 0 0'/></body></worldbody>"
#define FREE                                                   \
    "<worldbody><body pos='0 0 1'><freejoint name='f'/>"       \
    "<geom size='.1 .2 .3' type='box' mass='2' pos='.1 0 0'/>" \
    "<site name='s' pos='.1 .2 .3' euler='10 20 30'/></body></worldbody>"
#define TREE                                                                              \
    "<worldbody><site name='s0' pos='1 2 3' euler='5 6 7'/><body name='a'>"               \
    "<joint name='j0' axis='1 2 3'/><geom size='.1' mass='2'/>"                           \
    "<body name='b' pos='1 0 0' euler='10 20 30'>"                                        \
    "<joint name='j1' axis='0 1 0' pos='.1 .2 .3'/><geom size='.1' mass='2'/>"            \
    "<site name='s1' pos='.1 .2 .3'/></body><body name='c' pos='0 1 0' euler='30 20 10'>" \
    "<joint name='j2' axis='1 1 0'/><geom size='.1' mass='2'/>"                           \
    "<site name='s2' pos='.3 .1 .2'/></body></body></worldbody>"
#define RANGES                                                                         \
    "<worldbody><body><joint name='j' type='slide' actuatorfrcrange='-1 3'/>"          \
    "<geom size='.1' mass='2'/><body pos='1 0 0'>"                                     \
    "<joint name='k' axis='0 1 0' actuatorfrcrange='-2 2'/><geom size='.1' mass='2'/>" \
    "</body></body></worldbody>"
#define CLASSES                                                                            \
    "<default><position kp='7' kv='2'/><default class='v'><velocity kv='3'/></default>"    \
    "<default class='g'><general gainprm='2' biasprm='5'/></default></default><worldbody>" \
    "<body><joint name='j' type='slide' axis='1 0 0' range='-1 2'/>"                       \
    "<geom size='.1' mass='2'/></body></worldbody>"
#define TENDONS                                                                              \
    "<worldbody><body><joint name='h' axis='0 1 0'/><geom size='.1' pos='.3 0 0' mass='2'/>" \
    "<body pos='.5 0 0'><joint name='k' axis='0 1 0'/>"                                      \
    "<geom size='.1' pos='.2 0 .1' mass='1'/><site name='e' pos='.3 0 0'/></body></body>"    \
    "<site name='o' pos='0 0 .7'/></worldbody><tendon><fixed name='t'>"                      \
    "<joint joint='h' coef='1.5'/><joint joint='k' coef='-.5'/></fixed>"                     \
    "<spatial name='p' range='0 3'><site site='o'/><site site='e'/></spatial></tendon>"
#define TENDON_RANGES                                                                        \
    "<worldbody><body><joint name='h' axis='0 1 0'/><geom size='.1' pos='.3 0 0' mass='2'/>" \
    "<body pos='.5 0 0'><joint name='k' axis='0 1 0'/>"                                      \
    "<geom size='.1' pos='.2 0 .1' mass='1'/><site name='e' pos='.3 0 0'/></body></body>"    \
    "<site name='o' pos='0 0 .7'/></worldbody><tendon>"                                      \
    "<fixed name='t' actuatorfrcrange='-1 .5'><joint joint='h' coef='1.5'/>"                 \
    "<joint joint='k' coef='-.5'/></fixed><spatial name='p' actuatorfrcrange='-.2 .2'>"      \
    "<site site='o'/><site site='e'/></spatial></tendon>"

static const Case cases[] = {
    {.name = "motor and forcerange",
     .world = SLIDE,
     .actuators = "<motor joint='j' gear='3' ctrlrange='-2 2'/>"
                  "<motor joint='j' gear='-2' forcerange='-.5 .5'/>",
     .q = {0.3},
     .v = {0.7},
     .ctrl = {5, 0.8},
     .length = {0.8999999999999999, -0.6},
     .rate = {2.0999999999999996, -1.4},
     .force = {2, 0.5},
     .qfrc = {5}},
    {.name = "position with kv and gear",
     .world = SLIDE,
     .actuators = "<position joint='j' kp='20' kv='3' gear='2'/>"
                  "<position joint='j' kp='50' forcerange='-4 4'/>",
     .q = {0.3},
     .v = {0.7},
     .ctrl = {0.5, 1},
     .length = {0.6, 0.3},
     .rate = {1.4, 0.7},
     .force = {-6.199999999999999, 4},
     .qfrc = {-8.399999999999999}},
    {.name = "position with dampratio",
     .world = HINGES,
     .actuators = "<position joint='h' kp='20' dampratio='1'/>"
                  "<position joint='k' kp='30' dampratio='.5' gear='3'/>",
     .q = {0.3, -0.2},
     .v = {0.7, 0.4},
     .ctrl = {0.5, 0.1},
     .length = {0.3, -0.6000000000000001},
     .rate = {0.7, 1.2000000000000002},
     .force = {-1.2083010665667153, 20.49088311754569},
     .qfrc = {-1.2083010665667153, 61.47264935263706}},
    {.name = "velocity",
     .world = SLIDE,
     .actuators = "<velocity joint='j' kv='4'/><velocity joint='j' gear='.5'/>",
     .q = {0.3},
     .v = {0.7},
     .ctrl = {0.2, 3},
     .length = {0.3, 0.15},
     .rate = {0.7, 0.35},
     .force = {-1.9999999999999998, 2.65},
     .qfrc = {-0.6749999999999998}},
    {.name = "intvelocity",
     .world = SLIDE,
     .actuators = "<intvelocity joint='j' kp='10' kv='2' actrange='-1 1'/>"
                  "<intvelocity joint='j' kp='5' dampratio='1' inheritrange='.5'/>",
     .q = {0.3},
     .v = {0.7},
     .act = {0.4, -0.6},
     .ctrl = {1, 2},
     .length = {0.3, 0.3},
     .rate = {0.7, 0.7},
     .force = {-0.40000000000000036, -8.92718872423573},
     .qfrc = {-9.32718872423573},
     .next = {0.402, -0.25}},
    {.name = "damper",
     .world = SLIDE,
     .actuators = "<damper joint='j' kv='4' ctrlrange='0 1'/>"
                  "<damper joint='j' kv='2' gear='3' ctrlrange='0 5'/>",
     .q = {0.3},
     .v = {0.7},
     .ctrl = {0.6, 2},
     .length = {0.3, 0.8999999999999999},
     .rate = {0.7, 2.0999999999999996},
     .force = {-1.68, -8.399999999999999},
     .qfrc = {-26.879999999999995}},
    {.name = "cylinder",
     .world = SLIDE,
     .actuators = "<cylinder joint='j' timeconst='.3' area='2' bias='1 -2 -3'/>"
                  "<cylinder joint='j' diameter='.5'/>",
     .q = {0.3},
     .v = {0.7},
     .act = {0.4, -0.6},
     .ctrl = {1, 2},
     .length = {0.3, 0.3},
     .rate = {0.7, 0.7},
     .force = {-0.8999999999999997, -0.11780972450961724},
     .qfrc = {-1.017809724509617},
     .next = {0.404, -0.5948}},
    {.name = "general affine gain",
     .world = SLIDE,
     .actuators = ""
                  "<general joint='j' gaintype='affine' gainprm='1 2 3' biastype='affine' "
                  "biasprm='4 5 6' gear='2'/>"
                  "<general joint='j' gainprm='7' biasprm='1 2 3'/>",
     .q = {0.3},
     .v = {0.7},
     .ctrl = {0.5, -2},
     .length = {0.6, 0.3},
     .rate = {1.4, 0.7},
     .force = {18.599999999999998, -14},
     .qfrc = {23.199999999999996}},
    {.name = "general with dynamics",
     .world = SLIDE,
     .actuators =
         ""
         "<general joint='j' dyntype='filterexact' dynprm='.2' gainprm='3' biastype='affine' "
         "biasprm='0 -3 -1'/>"
         "<general joint='j' dyntype='filter' dynprm='.1' actrange='-1 1' gainprm='2'/>"
         "<general joint='j' dyntype='integrator' actearly='true' actrange='0 .41' gainprm='2'/>",
     .q = {0.3},
     .v = {0.7},
     .act = {0.4, -0.6, 0.4},
     .ctrl = {1, 2, 9},
     .length = {0.3, 0.3, 0.3},
     .rate = {0.7, 0.7, 0.7},
     .force = {-0.3999999999999997, -1.2, 0.82},
     .qfrc = {-0.7799999999999997},
     .next = {0.40597009975049914, -0.5479999999999999, 0.41}},
    {.name = "ball",
     .world = BALL,
     .actuators = "<motor joint='j' gear='1 2 3'/><position joint='j' kp='5' kv='1' gear='0 0 2'/>"
                  "<motor jointinparent='j' gear='1 2 3'/>"
                  "<position jointinparent='j' kp='5' gear='0 1 0'/>",
     .q = {0.8295613557843402, 0.20739033894608505, -0.3110855084191276, 0.4147806778921701},
     .v = {0.1, 0.2, 0.3},
     .ctrl = {1, 0.5, 2, 0.3},
     .length = {1.7603163901026755, 1.7603163901026755, 1.7603163901026757, -0.6601186462885034},
     .rate = {1.4, 0.6, 0.6645161290322583, -0.010752688172042946},
     .force = {1, -6.901581950513377, 2, 4.800593231442517},
     .qfrc = {10.97452524768829, 5.897112271682296, -12.468037244691063}},
    {.name = "free",
     .world = FREE,
     .actuators =
         "<motor joint='f' gear='1 2 3 4 5 6'/><motor jointinparent='f' gear='1 2 3 4 5 6'/>",
     .q = {0.1, 0.2, 0.3, 0.8295613557843402, 0.20739033894608505, -0.3110855084191276,
           0.4147806778921701},
     .v = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6},
     .ctrl = {1, -0.5},
     .length = {0, 0},
     .rate = {9.1, 4.919354838709676},
     .force = {1, -0.5},
     .qfrc = {0.5, 1, 1.5, -0.38709677419354804, 4.951612903225806, 6.032258064516129}},
    {.name = "site",
     .world = FREE,
     .actuators = "<motor site='s' gear='0 0 2 0 0 .1'/>"
                  "<general site='s' gear='1 2 3 4 5 6' biastype='affine' biasprm='0 0 -.5'/>",
     .q = {0.1, 0.2, 0.3, 0.8295613557843402, 0.20739033894608505, -0.3110855084191276,
           0.4147806778921701},
     .v = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6},
     .ctrl = {3, -0.5},
     .length = {0, 0},
     .rate = {0.5005067354857076, 8.280287891894226},
     .force = {3, -4.640143945947113},
     .qfrc = {9.479388242679208, -0.6205674146211217, -8.952318935443742, -12.829721483008042,
              -24.40182428051961, -29.542560755104347}},
    {.name = "site and refsite",
     .world = TREE,
     .actuators = "<position site='s1' refsite='s2' kp='3' kv='.2' gear='1 2 3 0 0 0'/>"
                  "<position site='s1' refsite='s2' kp='3' gear='0 0 0 1 2 3'/>"
                  "<motor site='s2' refsite='s0' gear='1 2 3 0 0 0'/>",
     .q = {0.3, -0.4, 0.5},
     .v = {0.1, 0.2, 0.3},
     .ctrl = {1, 0.5, 2},
     .length = {2.7197947893324614, -0.9645326242763617, -11.473542451128692},
     .rate = {0.1697056274847713, -0.7353624334195034, -0.18486783053956884},
     .force = {-5.1933254934943385, 4.393597872829085, 2},
     .qfrc = {-0.07813075070041875, -2.1740912925726903, -13.464425707770081}},
    {.name = "slider crank",
     .world = TREE,
     .actuators =
         "<position cranksite='s1' slidersite='s2' cranklength='3' gear='2' kp='4' kv='.3'/>"
         "<motor cranksite='s1' slidersite='s0' cranklength='.2'/>",
     .q = {0.3, -0.4, 0.5},
     .v = {0.1, 0.2, 0.3},
     .ctrl = {1, 0.5},
     .length = {-3.6341814522855027, -2.659111745123799},
     .rate = {0.15479331044664776, -0.054681555792714845},
     .force = {18.490287816008017, 0.5},
     .qfrc = {-0.2734077789635701, 8.673585265650688e-16, 9.540576207170657}},
    {.name = "actuatorfrcrange",
     .world = RANGES,
     .actuators = "<motor joint='j' gear='2'/><position joint='j' kp='10'/>"
                  "<motor joint='k' gear='-5' forcerange='-.1 .1'/>",
     .q = {0.3, 0.2},
     .v = {0.7, 0.1},
     .ctrl = {1, 0.5, 7},
     .length = {0.6, 0.3, -1},
     .rate = {1.4, 0.7, -0.5},
     .force = {1, 2, 0.1},
     .qfrc = {3, -0.5}},
    {.name = "classes",
     .world = CLASSES,
     .actuators = "<general joint='j'/><position joint='j'/><general class='v' joint='j'/>"
                  "<position class='v' joint='j' kp='4'/><motor class='g' joint='j'/>"
                  "<general class='g' joint='j'/><cylinder joint='j'/>",
     .q = {0.3},
     .v = {0.7},
     .act = {0.25},
     .ctrl = {1, 0.5, 2, 0.3, 0.4, 0.6, 0.8},
     .length = {0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3},
     .rate = {0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7},
     .force = {3.5, 0, 3.9000000000000004, -2.0999999999999996, 0.4, 2.7, -1.75},
     .qfrc = {6.650000000000002},
     .next = {0.2511}},
    {.name = "tendons",
     .world = TENDONS,
     .actuators = "<motor tendon='t' gear='2'/><position tendon='t' kp='5' kv='1'/>"
                  "<position tendon='p' kp='3' kv='.5' gear='2' forcerange='-1 1'/>"
                  "<velocity tendon='p' kv='2'/>",
     .q = {0.3, -0.4},
     .v = {0.7, 0.1},
     .ctrl = {1, 0.5, 0.2, 0.6},
     .length = {1.2999999999999998, 0.6499999999999999, 2.254996592345217, 1.1274982961726085},
     .rate = {1.9999999999999996, 0.9999999999999998, 0.7220577026482616, 0.3610288513241308},
     .force = {1, -1.7499999999999991, -1, 0.4779422973517383},
     .qfrc = {-0.3584488511382108, -0.48592548239398975}},
    {.name = "tendon actuatorfrcrange",
     .world = TENDON_RANGES,
     .actuators = "<motor tendon='t' gear='2'/><position tendon='t' kp='5' kv='1' gear='.5'/>"
                  "<motor tendon='p' gear='3' forcerange='-.1 1'/>",
     .q = {0.3, -0.4},
     .v = {0.7, 0.1},
     .ctrl = {3, 0.5, -2},
     .length = {1.2999999999999998, 0.32499999999999996, 3.382494888517826},
     .rate = {1.9999999999999996, 0.4999999999999999, 1.0830865539723926},
     .force = {0.4444444444444444, 0.055555555555555615, -0.1},
     .qfrc = {1.2304360620109076, -0.5294723213820796}},
    {.name = "damping ratios",
     .world = "<worldbody><body><joint name='h' axis='0 1 0'/>"
              "<geom size='.1' pos='.3 0 0' mass='2'/><body pos='.5 0 0'>"
              "<joint name='k' axis='0 1 0'/><geom size='.1' pos='.2 0 .1' mass='1'/>"
              "<site name='e' pos='.3 0 0'/></body></body><site name='o' pos='0 0 .7'/>"
              "<body name='a'><joint name='j0' axis='1 2 3'/><geom size='.1' mass='2'/>"
              "<site name='s1' pos='.1 .2 .3'/><body pos='0 1 0' euler='30 20 10'>"
              "<joint name='j2' axis='1 1 0' armature='.1'/><geom size='.1' mass='2'/>"
              "<site name='s2' pos='.3 .1 .2'/></body></body></worldbody><tendon>"
              "<fixed name='t'><joint joint='h' coef='1.5'/><joint joint='k' coef='-.5'/>"
              "</fixed><spatial name='p' range='0 3'><site site='o'/><site site='e'/></spatial>"
              "</tendon>",
     .actuators = "<position tendon='t' kp='5' dampratio='.7' gear='2'/>"
                  "<position site='s1' refsite='s2' kp='3' dampratio='1' gear='1 2 3 0 0 0'/>"
                  "<position site='s2' refsite='o' kp='3' dampratio='.5' gear='1 2 3 1 0 0'/>",
     .q = {0.3, -0.4, 0.1, 0.2},
     .v = {0.7, 0.1, 0.3, -0.5},
     .ctrl = {3, 0.5, -2},
     .length = {1.2999999999999998, -0.20779217544626416, 1.4364558270683416},
     .rate = {1.9999999999999996, -0.28284271247461884, 0.13045127783657295},
     .force = {6.234863261424504, 2.6925865051691007, -13.139019522503986},
     .qfrc = {18.704589784273512, -6.234863261424504, -3.5115506750960064, 2.844230308792209}},
};

static const char* const parts[] = {"length", "rate", "force", "qfrc", "next"};

// The largest difference of two vectors, over the largest entry.
static double apart(int n, const double* got, const double* want)
{
    double largest = 1.0, difference = 0.0;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fabs(want[i]));
        difference = fmax(difference, fabs(got[i] - want[i]));
    }
    return difference / largest;
}

static void compare(const Case* c, utModel* model)
{
    double length[MOST], rate[MOST] = {0}, force[MOST], qfrc[MOST], next[MOST] = {0}, input[MOST];
    int terms, index[MOST];
    double moment[MOST];
    utArena arena = test_arena();
    utKinematics kin;
    CHECK_INT(ut_kinematics_create(model, &arena, &kin), UT_OK);
    ut_kinematics_place(&kin, c->q, NULL, NULL);
    for (int i = 0; i < model->nu; i++) {
        const utModelActuator* a = &model->actuator[i];
        const double* range = a->ctrl_range;
        input[i] = a->ctrl_limited ? fmin(fmax(c->ctrl[i], range[0]), range[1]) : c->ctrl[i];
        if (a->act >= 0) {
            next[a->act] = ut_actuator_activate(a, c->act[a->act], input[i], 0.002);
            input[i] = a->act_early ? next[a->act] : c->act[a->act];
        }
        length[i] = ut_actuator_length(&kin, c->q, i, &terms, index, moment);
        for (int k = 0; k < terms; k++) {
            rate[i] += moment[k] * c->v[index[k]];
        }
    }
    CHECK_INT(ut_actuator_forces(&kin, c->q, c->v, input, arena, force, qfrc), UT_OK);
    const double* const got[] = {length, rate, force, qfrc, next};
    const double* const want[] = {c->length, c->rate, c->force, c->qfrc, c->next};
    const int n[] = {model->nu, model->nu, model->nu, model->nv, model->na};
    for (size_t k = 0; k < sizeof n / sizeof *n; k++) {
        const double difference = apart(n[k], got[k], want[k]);
        if (!CHECK(difference <= 1e-12)) { // a dozen operations on numbers of about 1
            test_note("%s: %s differs by %.2g", c->name, parts[k], difference);
        }
    }
}

TEST(forces_of_all_kinds_and_transmissions_are_those_of_mujoco)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Case* c = &cases[i];
        char text[4096];
        snprintf(text, sizeof text, "%s<actuator>%s</actuator>", c->world, c->actuators);
        utModel* model = lab_model(text, 0);
        if (model != NULL) {
            compare(c, model);
        }
        ut_model_destroy(model);
    }
}

// A step takes these models and is certified, whatever the integrator.
TEST(a_step_with_each_of_them_is_certified)
{
    static const utIntegrator integrators[] = {UT_INTEGRATOR_EULER, UT_INTEGRATOR_RK4,
                                               UT_INTEGRATOR_MIDPOINT};
    for (size_t i = 0; i < 3 * sizeof cases / sizeof *cases; i++) {
        const Case* c = &cases[i / 3];
        char text[4096];
        snprintf(text, sizeof text, "%s<actuator>%s</actuator>", c->world, c->actuators);
        Lab lab = lab_open(text, integrators[i % 3]);
        if (lab.sim != NULL) {
            CHECK_INT(ut_sim_set(lab.sim, 0.0, c->q, c->v, NULL), UT_OK);
            CHECK_INT(ut_sim_set_act(lab.sim, c->act, NULL), UT_OK);
            if (!lab_steps(&lab, 20, c->ctrl)) {
                test_note("%s, %s", c->name, ut_integrator_name(integrators[i % 3]));
            }
        }
        lab_close(&lab);
    }
}
