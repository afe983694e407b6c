// SPDX-License-Identifier: Apache-2.0
// A step's system from a program: what it needs, what it leaves unchanged, and its texts. The numbers of the systems
// are tested through the command line (test/cli/test_dump_berard_cli.c, test/cli/test_dump_papers_cli.c).
#include <locale.h>
#include <math.h>
#include <string.h>
#include <uptack/json.h>
#include <uptack/lcp.h>
#include <uptack/load.h>
#include <uptack/problems.h>

#include "support/make_sim.h"
#include "test.h"

static utModel* load(const char* path, int coordinates)
{
    utModel* model = NULL;
    utError err = {0};
    utLoadDef def = ut_load_def();
    def.coordinates = coordinates;
    if (!CHECK_INT(ut_load_with(path, &def, &model, NULL, &err), UT_OK)) {
        test_note("%s", err.message);
        exit(1);
    }
    return model;
}

static double number(const utJson* object, const char* key)
{
    const utJson* value = ut_json_member(object, key);
    return value != NULL ? value->number : HUGE_VAL;
}

static double first_value(const utJson* blocks, const char* name)
{
    const utJson* values = ut_json_member(ut_json_member(blocks, name), "values");
    return values != NULL && values->first != NULL ? values->first->number : HUGE_VAL;
}

// A unit block of weight 9.81 N falls from 1 m with h = 0.01 s: after n steps z = 1 - g h^2 n (n + 1)/2, which is below
// 0 first for n = 45. Then lambda = -z/h^2, and here z = 1 - 9.81e-4 * 1035 = -0.015335.
TEST(the_system_of_the_45th_step_of_a_falling_block_has_the_impulse_of_the_notes)
{
    utModel* model = load("scenes/seeds/pfrommer-falling.xml", -1);
    utSim* sim = make_sim(model, NULL);
    utArena arena = test_arena();
    utEquations* system = NULL;
    utEquationsDef def = ut_equations_def("pfrommer");
    utError err = {0};
    utText text = {0};
    const utJson* root = NULL;
    CHECK_INT(ut_sim_reset(sim, ut_model_start_key(model), &err), UT_OK);
    for (int k = 1; k < 45; k++) {
        CHECK_INT(ut_sim_step(sim, NULL, NULL, &err), UT_OK);
    }
    const uint64_t hash = ut_sim_hash(sim);
    def.step = 45;
    CHECK_INT(ut_equations_create(sim, NULL, &def, &system, &err), UT_OK);
    CHECK(ut_sim_hash(sim) == hash);
    ut_sim_destroy(sim); // not needed any longer
    CHECK(ut_equations_solved(system));
    CHECK_INT(ut_equations_write(system, UT_EQUATIONS_JSON, &arena, &text), UT_OK);
    CHECK_INT(ut_json_read(text, "system", &arena, &root, &err), UT_OK);
    CHECK_NEAR(number(root, "step"), 45.0, 0.0);
    const utJson* solution = ut_json_member(root, "solution");
    const utJson* w = solution != NULL ? ut_json_member(solution, "w") : NULL;
    CHECK(w != NULL && w->count == 1);
    CHECK_NEAR(w != NULL && w->first != NULL ? w->first->number : HUGE_VAL, 153.35, 1e-8);
    const utJson* by = solution != NULL ? ut_json_member(solution, "by") : NULL;
    CHECK_TEXT(by != NULL ? by->string.data : "", "step");
    // 44 steps of free fall: v = -44 g h, x = 1 - g h^2 44 45 / 2
    const utJson* blocks = ut_json_member(root, "blocks");
    CHECK_NEAR(first_value(blocks, "x_k"), 1.0 - 9.81e-4 * 990.0, 1e-12);
    CHECK_NEAR(first_value(blocks, "xdot_k"), -0.44 * 9.81, 1e-12);
    CHECK_NEAR(first_value(blocks, "g"), 9.81, 1e-9);
    ut_equations_destroy(system);
    ut_model_destroy(model);
}

// The run of Peiret's block is on accelerations; the dart system of the same step is on velocities. The first unknown,
// f_n, is m g.
TEST(the_step_has_the_formulation_of_the_paper_whatever_the_run_has)
{
    utModel* model = load("scenes/seeds/peiret-block.xml", UT_COORDINATES_GENERALIZED);
    utArena arena = test_arena();
    utError err = {0};
    utSim* sim = make_sim(model, NULL);
    utEquations* system = NULL;
    const utEquationsDef def = ut_equations_def("dart");
    utText text = {0};
    const utJson* root = NULL;
    CHECK_INT(ut_sim_reset(sim, ut_model_start_key(model), &err), UT_OK);
    if (CHECK_INT(ut_equations_create(sim, NULL, &def, &system, &err), UT_OK)) {
        CHECK_INT(ut_equations_write(system, UT_EQUATIONS_JSON, &arena, &text), UT_OK);
        CHECK_INT(ut_json_read(text, "system", &arena, &root, &err), UT_OK);
        CHECK_TEXT(ut_json_member(root, "formulation")->string.data, "stewart-trinkle-velocity");
        CHECK_TEXT(ut_json_member(root, "run")->string.data, "peiret-acceleration");
        CHECK_NEAR(ut_json_member(ut_json_member(root, "solution"), "z")->first->number, 9.81,
                   1e-9);
    } else {
        test_note("%s", err.message);
    }
    ut_equations_destroy(system);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

TEST(every_notation_has_a_name_and_its_coordinates)
{
    static const struct {
        const char* name;
        int coordinates;
    } all[] = {{"berard", UT_COORDINATES_MAXIMAL},
               {"dart", UT_COORDINATES_GENERALIZED},
               {"dart-full", UT_COORDINATES_GENERALIZED},
               {"igms", UT_COORDINATES_GENERALIZED},
               {"pfrommer", -1},
               {"pfrommer-falling", -1},
               {"pfrommer-forward", -1},
               {"pfrommer-bidirectional", -1},
               {"peiret", UT_COORDINATES_GENERALIZED},
               {"peiret-lcp", UT_COORDINATES_GENERALIZED}};
    const int count = (int)(sizeof all / sizeof *all);
    for (int k = 0; k < count; k++) {
        CHECK_TEXT(ut_equations_notation(k), all[k].name);
        CHECK_INT(ut_equations_coordinates(all[k].name), all[k].coordinates);
    }
    CHECK(ut_equations_notation(count) == NULL && ut_equations_notation(-1) == NULL);
    CHECK_INT(ut_equations_coordinates("newton"), -1);
}

TEST(what_cannot_be_written_as_a_system_is_refused_with_a_reason)
{
    utModel* model = load("scenes/seeds/igms-ball.xml", -1);
    utSim* sim = make_sim(model, NULL);
    utEquations* system = NULL;
    utError err = {0};
    utEquationsDef def = ut_equations_def("igms");
    CHECK_INT(ut_sim_reset(sim, ut_model_start_key(model), &err), UT_OK);
    CHECK_INT(ut_equations_create(sim, NULL, &def, &system, &err), UT_ERR_ARGUMENT);
    CHECK_TEXT(err.message,
               "igms does not apply: step 1 has no contacts; a later step may have some");
    def.cookie = 0;
    CHECK_INT(ut_equations_create(sim, NULL, &def, &system, &err), UT_ERR_DEF);
    def = ut_equations_def("newton");
    CHECK_INT(ut_equations_create(sim, NULL, &def, &system, &err), UT_ERR_ARGUMENT);
    CHECK(strstr(err.message, "there is no notation 'newton'; there are berard, ") != NULL);
    def = ut_equations_def("peiret");
    def.rho = (double)NAN;
    CHECK_INT(ut_equations_create(sim, NULL, &def, &system, &err), UT_ERR_ARGUMENT);
    def = ut_equations_def("peiret");
    def.sim.tolerance = -1.0;
    CHECK_INT(ut_equations_create(sim, NULL, &def, &system, &err), UT_ERR_ARGUMENT);
    CHECK(strstr(err.message, "peiret does not apply: ") == err.message);
    CHECK(system == NULL);
    ut_equations_destroy(NULL);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// The four texts of the first step of Berard's 4.3.
typedef struct Texts {
    utModel* model;
    utEquations* system;
    utText text[UT_EQUATIONS_FORMAT_COUNT];
} Texts;

static Texts write_texts(utArena* arena)
{
    Texts t = {.model = load("scenes/seeds/berard-4.3.xml", UT_COORDINATES_MAXIMAL)};
    utError err = {0};
    utSim* sim = make_sim(t.model, NULL);
    const utEquationsDef def = ut_equations_def("berard");
    CHECK_INT(ut_sim_reset(sim, ut_model_start_key(t.model), &err), UT_OK);
    CHECK_INT(ut_equations_create(sim, NULL, &def, &t.system, &err), UT_OK);
    for (int k = 0; k < UT_EQUATIONS_FORMAT_COUNT; k++) {
        CHECK_INT(ut_equations_write(t.system, (utEquationsFormat)k, arena, &t.text[k]), UT_OK);
        CHECK(t.text[k].size > 0 && strlen(t.text[k].data) == t.text[k].size);
    }
    ut_sim_destroy(sim);
    return t;
}

static void free_texts(Texts* t)
{
    ut_equations_destroy(t->system);
    ut_model_destroy(t->model);
}

TEST(a_system_has_four_texts_and_its_LCP_has_its_solution)
{
    utArena arena = test_arena();
    utError err = {0};
    Texts t = write_texts(&arena);
    CHECK(strstr(t.text[UT_EQUATIONS_TEXT].data, "Berard Eq. 64: size 21 = 9 + 4 + 2 + 4 + 2\n") !=
          NULL);
    CHECK(strncmp(t.text[UT_EQUATIONS_TEX].data, "\\documentclass", strlen("\\documentclass")) ==
          0);
    utText none;
    CHECK_INT(ut_equations_write(t.system, UT_EQUATIONS_FORMAT_COUNT, &arena, &none),
              UT_ERR_ARGUMENT);

    // the mixed problem as a file, solved apart: nu and p_b are unique
    utLcp lcp;
    utLcpInfo info;
    const utJson* root = NULL;
    const utLcpDef lcp_def = ut_lcp_def();
    CHECK_INT(ut_lcp_read(t.text[UT_EQUATIONS_LCP], "lcp", UT_LCP_FORMAT_JSON, &arena, &lcp, &err),
              UT_OK);
    CHECK_INT(lcp.n, 21);
    CHECK_INT(lcp.free_count, 13);
    double z[21] = {0};
    CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_AUTO, &lcp_def, arena, z, &info), UT_OK);
    CHECK_INT(ut_json_read(t.text[UT_EQUATIONS_JSON], "json", &arena, &root, &err), UT_OK);
    const utJson* of_step = ut_json_member(ut_json_member(root, "solution"), "z");
    CHECK_INT(of_step->count, 21);
    const utJson* entry = of_step->first;
    for (int k = 0; k < 13; k++, entry = entry->next) {
        CHECK_NEAR(entry->number, z[k], 1e-9);
    }
    free_texts(&t);
}

TEST(a_locale_with_another_decimal_point_changes_no_text_of_a_system)
{
    utArena arena = test_arena();
    Texts plain = write_texts(&arena);
    const bool any = setlocale(LC_NUMERIC, "de_DE.UTF-8") != NULL ||
                     setlocale(LC_NUMERIC, "ps_AF.UTF-8") != NULL;
    Texts other = write_texts(&arena);
    setlocale(LC_NUMERIC, "C");
    for (int k = 0; k < UT_EQUATIONS_FORMAT_COUNT; k++) {
        CHECK_TEXT(other.text[k].data, plain.text[k].data);
    }
    free_texts(&plain);
    free_texts(&other);
    if (!any) {
        test_skip("no locale with a decimal comma is installed");
    }
}

// An arena that gives nothing after `left` blocks.
static void* give(void* context, size_t size)
{
    int* left = context;
    return --*left >= 0 ? malloc(size) : NULL;
}

static void take_back(void* context, void* memory, size_t size)
{
    (void)context;
    (void)size;
    free(memory);
}

TEST(a_system_without_memory_is_an_error_at_every_allocation)
{
    utModel* model = load("scenes/seeds/berard-4.3.xml", UT_COORDINATES_MAXIMAL);
    utSim* sim = make_sim(model, NULL);
    utError err = {0};
    CHECK_INT(ut_sim_reset(sim, ut_model_start_key(model), &err), UT_OK);
    utStatus status = UT_ERR_MEMORY;
    int blocks = 0;
    for (; status == UT_ERR_MEMORY && blocks < 200; blocks++) {
        int left = blocks;
        utEquations* system = NULL;
        utEquationsDef def = ut_equations_def("berard");
        const utAllocator allocator = {give, take_back, &left};
        def.sim.allocator = &allocator;
        status = ut_equations_create(sim, NULL, &def, &system, &err);
        CHECK((status == UT_OK) == (system != NULL));
        ut_equations_destroy(system);
    }
    CHECK_INT(status, UT_OK);
    CHECK(blocks > 2);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}
