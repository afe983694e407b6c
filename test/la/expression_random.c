// SPDX-License-Identifier: Apache-2.0
// Random expressions against differences of an evaluation in long double that shares nothing with
// ours.
#include <uptack/expression.h>

#include "test.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- trees --------------------------------------------------------------------------------------

// A tree that is written as text and evaluated in long double by the C library, with none of our
// code. Its functions are composed so that each is smooth and its derivatives stay moderate.
enum { TREE_SIZE = 64, TREE_DEPTH = 5, TREE_TEXT = 8192 };

typedef enum Kind {
    LEAF_NUMBER,
    LEAF_TIME,
    ADD,
    SUBTRACT,
    MULTIPLY, // sin(a) cos(b)
    DIVIDE,   // sin(a) / (2 + cos b)
    SIN,
    COS,
    TAN,   // tan(sin a)
    EXP,   // exp(sin a)
    LOG,   // log(2 + cos a)
    SQRT,  // sqrt(1 + a^2)
    CUBE,  // (sin a)^3
    POWER, // (2 + cos a)^sin b
    ATAN2, // atan2(sin a, 2 + cos b)
    NEGATE,
    KINDS
} Kind;

static const struct {
    int arguments;
    const char* format;
} kinds[KINDS] = {
    [ADD] = {2, "(%s + %s)"},
    [SUBTRACT] = {2, "(%s-%s)"},
    [MULTIPLY] = {2, "sin(%s)*cos(%s)"},
    [DIVIDE] = {2, "sin(%s)/(2 + cos(%s))"},
    [SIN] = {1, "sin(%s)"},
    [COS] = {1, "cos( %s )"},
    [TAN] = {1, "tan(sin(%s))"},
    [EXP] = {1, "exp(sin(%s))"},
    [LOG] = {1, "log(2 + cos(%s))"},
    [SQRT] = {1, "sqrt(1 + (%s)^2)"},
    [CUBE] = {1, "sin(%s)^3"},
    [POWER] = {2, "(2 + cos(%s))^sin(%s)"},
    [ATAN2] = {2, "atan2(sin(%s), 2 + cos(%s))"},
    [NEGATE] = {1, "(-%s)"},
};

typedef struct Tree {
    Kind kind[TREE_SIZE];
    double number[TREE_SIZE];
    int first[TREE_SIZE], other[TREE_SIZE];
    int count;
} Tree;

static int grow(Tree* tree, utRng* rng, int depth)
{
    const int node = tree->count++;
    const bool leaf = depth == TREE_DEPTH || ut_rng_below(rng, 6) == 0;
    const Kind kind =
        (Kind)(leaf ? ut_rng_below(rng, 2) : ADD + ut_rng_below(rng, (int)KINDS - (int)ADD));
    tree->kind[node] = kind;
    // three digits, which the text has too
    tree->number[node] = ut_rng_below(rng, 2000) / 1000.0;
    tree->first[node] = kinds[kind].arguments > 0 ? grow(tree, rng, depth + 1) : -1;
    tree->other[node] = kinds[kind].arguments > 1 ? grow(tree, rng, depth + 1) : -1;
    return node;
}

static void write_node(const Tree* tree, int node, char text[TREE_TEXT])
{
    if (tree->kind[node] == LEAF_NUMBER) {
        snprintf(text, TREE_TEXT, "%.3f", tree->number[node]);
    } else if (tree->kind[node] == LEAF_TIME) {
        strcpy(text, "t");
    } else {
        char* first = malloc(2 * (size_t)TREE_TEXT);
        char* other = first + TREE_TEXT;
        other[0] = 0;
        write_node(tree, tree->first[node], first);
        if (tree->other[node] >= 0) {
            write_node(tree, tree->other[node], other);
        }
        const char* format = kinds[tree->kind[node]].format;
        const char* at_first = strstr(format, "%s");
        const char* at_other = strstr(at_first + 2, "%s");
        const int until = at_other != NULL ? (int)(at_other - at_first - 2) : 99;
        snprintf(text, TREE_TEXT, "%.*s%s%.*s%s%s", (int)(at_first - format), format, first, until,
                 at_first + 2, other, at_other != NULL ? at_other + 2 : "");
        free(first);
    }
}

static long double tree_at(const Tree* tree, int node, long double t)
{
    const int i = tree->first[node], j = tree->other[node];
    const long double a = i >= 0 ? tree_at(tree, i, t) : 0.0L;
    const long double b = j >= 0 ? tree_at(tree, j, t) : 0.0L;
    switch (tree->kind[node]) {
    case LEAF_NUMBER:
        return (long double)tree->number[node];
    case LEAF_TIME:
        return t;
    case ADD:
        return a + b;
    case SUBTRACT:
        return a - b;
    case MULTIPLY:
        return sinl(a) * cosl(b);
    case DIVIDE:
        return sinl(a) / (2.0L + cosl(b));
    case SIN:
        return sinl(a);
    case COS:
        return cosl(a);
    case TAN:
        return tanl(sinl(a));
    case EXP:
        return expl(sinl(a));
    case LOG:
        return logl(2.0L + cosl(a));
    case SQRT:
        return sqrtl(1.0L + a * a);
    case CUBE:
        return sinl(a) * sinl(a) * sinl(a);
    case POWER:
        return powl(2.0L + cosl(a), sinl(b));
    case ATAN2:
        return atan2l(sinl(a), 2.0L + cosl(b));
    default:
        return -a;
    }
}

// ---- differences --------------------------------------------------------------------------------

// Rounding. Over both operands the slopes of a kind add up to 4.3 at most (POWER: 1 + 3 ln 3), and
// k levels below the top values are below 2^(6-k), being sums of numbers below 2. With 6 roundings
// a level the value's error is below 6 eps sum_k 4.3^k 2^(6-k) < 2^15 eps. A rate is 4.3^5 < 2^11
// at most and carries as many roundings, a second derivative is of the order of its square.
#define STEP 0x1p-10
#define ROUNDING (0x1p15 * DBL_EPSILON)
#define RATE_ROUNDING (0x1p11 * ROUNDING)
#define SECOND_ROUNDING (0x1p22 * ROUNDING)
#define LONG_ROUNDING (0x1p15 * (double)LDBL_EPSILON)

// First and second derivative by central differences of step h. Their errors are c h^2 + O(h^4).
static void differences(const Tree* tree, long double t, long double h, long double d[2])
{
    const long double before = tree_at(tree, 0, t - h), after = tree_at(tree, 0, t + h);
    d[0] = (after - before) / (2.0L * h);
    d[1] = (after - 2.0L * tree_at(tree, 0, t) + before) / (h * h);
}

// One step of Richardson's extrapolation leaves c' h^4 of the error. From h to h/2 the result moves
// by 15/16 of that, and 1/16 remains: taking all of the move as the bound leaves a factor 15 for
// the higher orders.
static void derivative(const Tree* tree, double t, int k, double* value, double* bound)
{
    long double d[3][2];
    for (int i = 0; i < 3; i++) {
        differences(tree, (long double)t, (long double)(STEP * (4 >> i)), d[i]);
    }
    const long double coarse = (4.0L * d[1][k] - d[0][k]) / 3.0L;
    const long double fine = (4.0L * d[2][k] - d[1][k]) / 3.0L;
    *value = (double)fine;
    *bound = (double)fabsl(fine - coarse);
}

TEST(random_expressions_agree_with_differences_in_long_double)
{
    static char text[TREE_TEXT];
    utRng rng = ut_rng(63, 0);
    int sharp = 0, tried = 0;
    for (int i = 0; i < 20000; i++) {
        Tree tree = {.count = 0};
        grow(&tree, &rng, 0);
        write_node(&tree, 0, text);
        const double t = ut_rng_range(&rng, -2.0, 2.0);
        utArena keep = test_arena();
        utExpression e = {NULL, 0};
        utError err = {0};
        if (strlen(text) > UT_EXPRESSION_LENGTH) {
            continue;
        }
        if (!CHECK(ut_expression_read((utText){text, strlen(text)}, &keep, &e, &err) == UT_OK)) {
            test_note("%s: column %d: %s", text, err.column, err.message);
            continue;
        }
        const utJet jet = ut_expression_at(&e, t);
        double rate, second, rate_bound, second_bound;
        derivative(&tree, t, 0, &rate, &rate_bound);
        derivative(&tree, t, 1, &second, &second_bound);

        const double r = rate_bound + LONG_ROUNDING / STEP + RATE_ROUNDING;
        const double s = second_bound + 4.0 * LONG_ROUNDING / (STEP * STEP) + SECOND_ROUNDING;
        const bool ok =
            CHECK_NEAR(jet.value, (double)tree_at(&tree, 0, (long double)t), ROUNDING) &&
            CHECK_NEAR(jet.rate, rate, r) && CHECK_NEAR(jet.second, second, s);
        if (!ok) {
            test_note("%s at %.17g", text, t);
        }
        tried++;
        sharp += r <= 1e-6 * (1.0 + fabs(rate)) && s <= 1e-3 * (1.0 + fabs(second));
    }
    // the bounds must say something
    test_note("%d tried, %d with bounds of 1e-6 and 1e-3", tried, sharp);
    CHECK(tried > 19000 && sharp > tried - 100);
}
