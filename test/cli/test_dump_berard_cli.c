// SPDX-License-Identifier: Apache-2.0
// uptack dump --eq berard against the recipes once more as Berard prints them (support/berard_recipe.h): the
// whole of Eq. 34, its blocks and its solution, in the runs of all seven scenes.
#ifdef __EMSCRIPTEN__

#include "test.h"

TEST(the_dump_of_berard)
{
    test_skip("no program can be started here");
}

#else

#include "dump_cases.h"
#include "support/berard_recipe.h"

enum { MAX_Z = RECIPE_Z };

// A block as a dense array of the size that the example has.
static void take(const double* from, int stride, int rows, int cols, double* to)
{
    for (int i = 0; i < rows; i++) {
        memcpy(to + i * cols, from + i * stride, (size_t)cols * sizeof *to);
    }
}

// Equations of the blocks, by example; "" for a block that it does not have.
typedef struct Numbers {
    const char *system, *M, *W_b, *W_n, *W_f, *E, *app, *phi, *b_n;
} Numbers;

static const Numbers numbers[RECIPE_COUNT] = {
    [RECIPE_4_1] = {"46", "36", "45", "", "", "", "46", "47", ""},
    [RECIPE_4_2] = {"58", "53", "54", "54", "", "", "55", "56", "58"},
    [RECIPE_4_3] = {"64", "60", "60", "61", "62", "63", "61", "56", "64"},
    [RECIPE_4_4] = {"70", "66", "66", "67", "68", "69", "66", "56", "70"},
    [RECIPE_4_4_TIP] = {"70", "66", "66", "67", "68", "69", "66", "56", "70"},
    [RECIPE_4_5] = {"70, 72", "66", "66", "67", "68", "69", "66", "56", "70"},
    [RECIPE_4_6] = {"88", "74", "75", "76", "77", "78", "87", "56", "88"},
};

static bool any(const double* x, int count)
{
    bool found = false;
    for (int k = 0; k < count; k++) {
        found = found || fabs(x[k]) > 1e-12;
    }
    return found;
}

static void check_blocks(const utJson* root, const Recipe* k)
{
    const Numbers* eq = &numbers[k->example];
    double x[MAX_Z * MAX_Z];
    RecipeBlocks b;
    recipe_blocks(k, &b);
    take(&b.M[0][0], RECIPE_NU, k->nu, k->nu, x);
    dump_block(root, "M", eq->M, k->nu, k->nu, x, 1e-15);
    take(&b.Wb[0][0], RECIPE_B, k->nu, k->bilaterals, x);
    dump_block(root, "W_b", eq->W_b, k->nu, k->bilaterals, x, 1e-11);
    dump_block(root, "l_app", eq->app, k->nu, 1, b.app, 1e-8);
    for (int j = 0; j < k->bilaterals; j++) {
        x[j] = b.phi[j] / k->h;
    }
    dump_block(root, "Phi/h + dPhi/dt", eq->phi, k->bilaterals, 1, x, 1e-9);
    dump_block(root, "nu^l", "", k->nu, 1, k->v, 1e-11);
    if (k->contacts > 0) {
        take(&b.Wn[0][0], RECIPE_C, k->nu, k->contacts, x);
        dump_block(root, "W_n", eq->W_n, k->nu, k->contacts, x, 1e-11);
        dump_block(root, "Psi_n", "57", k->contacts, 1, b.psi, 1e-11);
        for (int i = 0; i < k->contacts; i++) {
            x[i] = b.psi[i] / k->h + b.psi_t[i];
        }
        dump_block(root, "Psi_n/h + dPsi_n/dt", eq->b_n, k->contacts, 1, x, 1e-9);
        if (any(b.psi_t, k->contacts)) {
            dump_block(root, "dPsi_n/dt", eq->b_n, k->contacts, 1, b.psi_t, 1e-9);
        }
    }
    if (k->sigmas > 0) {
        take(&b.Wf[0][0], RECIPE_F, k->nu, k->directions, x);
        dump_block(root, "W_f", eq->W_f, k->nu, k->directions, x, 1e-11);
        if (any(b.slip_t, k->directions)) { // on the belt, or by a pusher that moves along t_3
            dump_block(root, "dPsi_f/dt", k->example == RECIPE_4_5 ? "72" : eq->b_n, k->directions,
                       1, b.slip_t, 1e-11);
        }
        take(&b.E[0][0], RECIPE_C, k->directions, k->sigmas, x);
        dump_block(root, "E", eq->E, k->directions, k->sigmas, x, 0.0);
        take(&b.U[0][0], RECIPE_C, k->sigmas, k->contacts, x);
        dump_block(root, "U", eq->E, k->sigmas, k->contacts, x, 0.0);
    }
    dump_check_all_compared(root);
}

// nu and p_b are unique, impulses of the contacts are not (docs/recipes.md).
static void check_solution(const utJson* root, Recipe* k)
{
    const utJson* nu = dump_part(root, "nu");
    const utJson* p_b = dump_part(root, "p_b");
    double force[RECIPE_B];
    CHECK(recipe_step(k));
    dump_check_by_step(root);
    dump_same(ut_json_member(nu, "z"), "nu", k->nu, 1, k->z, 1e-9);
    dump_same(ut_json_member(p_b, "z"), "p_b", k->bilaterals, 1, k->z + k->nu, 1e-9);
    for (int j = 0; j < k->bilaterals; j++) {
        force[j] = k->z[k->nu + j] / k->h;
    }
    dump_same(ut_json_member(p_b, "force"), "force", k->bilaterals, 1, force, 1e-7);
    CHECK_TEXT(dump_text(p_b, "unit"), "N s");
}

// @param steps before the one that is printed; both integrate on their own
static void compare(RecipeExample example, int steps)
{
    utArena arena = test_arena();
    char arguments[128];
    double A[MAX_Z * MAX_Z], b[MAX_Z];
    Recipe k = recipe(example, 0.01);
    for (int step = 0; step < steps; step++) {
        CHECK(recipe_step(&k));
    }
    snprintf(arguments, sizeof arguments, "scenes/seeds/berard-%s.xml --eq berard --step %d",
             recipe_name(example), steps + 1);
    const utJson* root = dump_json(arguments, &arena);
    if (root == NULL) {
        return;
    }
    const int n = recipe_size(&k);
    CHECK_TEXT(dump_text(root, "equation"), numbers[example].system);
    CHECK_NEAR(dump_number(root, "size"), n, 0.0);
    CHECK_NEAR(dump_number(root, "free"), k.nu + k.bilaterals, 0.0);
    recipe_mixed(&k, A, b);
    // states agree to 1e-13 and entries are lengths; Phi/h and Psi/h lose 1/h, and M nu + h l_app nothing
    dump_matrix(root, "A", n, n, A, 1e-11);
    dump_matrix(root, "b", n, 1, b, 1e-9);
    check_blocks(root, &k);
    check_solution(root, &k);
}

static void compare_example(RecipeExample example)
{
    if (program() == NULL) {
        return;
    }
    compare(example, 0);
    compare(example, 19);
    compare(example, 74);
}

TEST(dump_prints_4_1_entry_by_entry)
{
    compare_example(RECIPE_4_1);
}

TEST(dump_prints_4_2_entry_by_entry)
{
    compare_example(RECIPE_4_2);
}

TEST(dump_prints_4_3_entry_by_entry)
{
    compare_example(RECIPE_4_3);
}

TEST(dump_prints_4_4_entry_by_entry)
{
    compare_example(RECIPE_4_4);
    compare_example(RECIPE_4_4_TIP);
}

TEST(dump_prints_4_5_entry_by_entry)
{
    compare_example(RECIPE_4_5);
}

TEST(dump_prints_4_6_entry_by_entry)
{
    compare_example(RECIPE_4_6);
}

// Signs and order by hand: Eq. 64 of the first step, in the letters of the paper.
TEST(dump_prints_the_signs_of_Eq_64)
{
    if (program() == NULL) {
        return;
    }
    utArena arena = test_arena();
    const utJson* root = dump_json("scenes/seeds/berard-4.3.xml --eq berard", &arena);
    if (root == NULL) {
        return;
    }
    dump_check_order(root, "nu 0 9, p_b 0 4, p_n rho_n 2, p_f rho_f 4, sigma s 2, ");
    const double s = 0.5 * sqrt(0.5);
    // rods from the pins: A by +-1/2 (-sin 45, cos 45), B's top by 0.4 (-sin 30, cos 30); O is at (0.1, 0.05)
    const double W_b[9][4] = {{1, 0, 0, 0},  {0, 1, 0, 0},  {-0.05, 0.1, 0, 0},
                              {-1, 0, 1, 0}, {0, -1, 0, 1}, {s, s, s, s},
                              {0, 0, -1, 0}, {0, 0, 0, -1}, {0, 0, 0.4 * cos(acos(-1.0) / 6), 0.2}};
    dump_block(root, "W_b", "60", 9, 4, &W_b[0][0], 1e-15);
    const double app[] = {0, -19.62, 0, 0, -9.81, 0, 0, -4.905, 0};
    dump_block(root, "l_app", "61", 9, 1, app, 1e-12);
    // -M in front, and h lambda_app among the constants
    const utJson* first = ut_json_member(root, "A")->first;
    CHECK_NEAR(first->first->number, -2.0, 0.0);
    CHECK_NEAR(ut_json_member(root, "b")->first->next->number, -0.1962, 1e-15);
    CHECK_NEAR(dump_number(root, "rank"), 20, 0.0);
}

#endif
