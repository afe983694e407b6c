// SPDX-License-Identifier: Apache-2.0
// Expressions with their derivatives, by closed forms and by hand.
#include <uptack/expression.h>

#include "test.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static utText text_of(const char* text)
{
    return (utText){text, strlen(text)};
}

// The expression at t, after a check that it reads.
static utJet at(const char* text, double t)
{
    utArena keep = test_arena();
    utExpression e = {NULL, 0};
    utError err = {0};
    if (!CHECK(ut_expression_read(text_of(text), &keep, &e, &err) == UT_OK)) {
        test_note("%s: column %d: %s", text, err.column, err.message);
        return (utJet){(double)NAN, (double)NAN, (double)NAN};
    }
    return ut_expression_at(&e, t);
}

// Values of order 1 from a handful of operations, each within an ulp or two.
static void check_jet(const char* text, double t, double value, double rate, double second)
{
    const utJet jet = at(text, t);
    const double tolerance = 32.0 * DBL_EPSILON;
    const bool ok = CHECK_NEAR(jet.value, value, tolerance * fmax(1.0, fabs(value))) &&
                    CHECK_NEAR(jet.rate, rate, tolerance * fmax(1.0, fabs(rate))) &&
                    CHECK_NEAR(jet.second, second, tolerance * fmax(1.0, fabs(second)));
    if (!ok) {
        test_note("%s at t = %g", text, t);
    }
}

static bool same(utJet jet, double value, double rate, double second)
{
    return jet.value == value && jet.rate == rate && jet.second == second;
}

// ---- grammar ------------------------------------------------------------------------------------

TEST(operators_bind_as_in_mathematics)
{
    CHECK(same(at("1 + 2*3", 0), 7, 0, 0));
    CHECK(same(at("(1 + 2)*3", 0), 9, 0, 0));
    CHECK(same(at("7 - 2 - 1", 0), 4, 0, 0));
    CHECK(same(at("8/4/2", 0), 1, 0, 0));
    CHECK(same(at("8/4*2", 0), 4, 0, 0));
    CHECK(same(at("2^3^2", 0), 512, 0, 0));
    CHECK(same(at("-2^2", 0), -4, 0, 0));
    CHECK(same(at("(-2)^2", 0), 4, 0, 0));
    CHECK(same(at("2^-1", 0), 0.5, 0, 0));
    CHECK(same(at("2^-2^2", 0), 0.0625, 0, 0));
    CHECK(same(at("2*-3", 0), -6, 0, 0));
    CHECK(same(at("1--1", 0), 2, 0, 0));
    CHECK(same(at("2*--3", 0), 6, 0, 0));
    CHECK(same(at("---1", 0), -1, 0, 0));
    CHECK(same(at("+1 - +3", 0), -2, 0, 0));
    CHECK(same(at("-3*-t", 2), 6, 3, 0));
    CHECK(same(at("-t*2", 3), -6, -2, 0));
}

TEST(numbers_names_and_white_space)
{
    CHECK(same(at("1.5e-3", 0), 1.5e-3, 0, 0));
    CHECK(same(at(".5", 0), 0.5, 0, 0));
    CHECK(same(at("5.", 0), 5, 0, 0));
    CHECK(same(at("1E2", 0), 100, 0, 0));
    CHECK(same(at("1e2+t", 1), 101, 1, 0));
    CHECK(same(at("pi", 0), pi, 0, 0));
    CHECK(same(at("t", 4), 4, 1, 0));
    CHECK(same(at(" \t\r\n t \n* \t2\r ", 4), 8, 2, 0));
    CHECK(same(at("max\n(\t1 , t )", 4), 4, 1, 0));
    CHECK(same(at("t-1", 4), 3, 1, 0));
    CHECK(same(at("1e-400", 4), 0, 0, 0));
}

TEST(no_operations_are_the_constant_zero)
{
    const utExpression none = {NULL, 0};
    CHECK(same(ut_expression_at(&none, 3.0), 0, 0, 0));
    CHECK(ut_expression_is_constant(&none));
    utArena keep = test_arena();
    CHECK(ut_expression_copy(&none, &keep).count == 0);
    CHECK(ut_expression_hash(UT_HASH_START, &none) == UT_HASH_START);
}

// ---- each function by its closed form -----------------------------------------------------------

TEST(the_motion_of_the_manual)
{
    for (double t = -2.0; t < 3.0; t += 0.37) {
        check_jet("-0.55 + 0.25*(1 - cos(2*t))", t, -0.55 + 0.25 * (1 - cos(2 * t)),
                  0.5 * sin(2 * t), cos(2 * t));
    }
}

TEST(functions_of_t_and_of_an_inner_function)
{
    for (double t = 0.13; t < 1.4; t += 0.11) {
        const double s = sin(t), c = cos(t), q = t * t, r = 1 + q;
        check_jet("sin(t)", t, s, c, -s);
        check_jet("cos(t)", t, c, -s, -c);
        check_jet("tan(t)", t, s / c, 1 / (c * c), 2 * s / (c * c * c));
        check_jet("exp(t)", t, exp(t), exp(t), exp(t));
        check_jet("log(t)", t, log(t), 1 / t, -1 / q);
        check_jet("sqrt(t)", t, sqrt(t), 0.5 / sqrt(t), -0.25 / (t * sqrt(t)));

        check_jet("sin(t^2)", t, sin(q), 2 * t * cos(q), 2 * cos(q) - 4 * q * sin(q));
        check_jet("cos(t*t)", t, cos(q), -2 * t * sin(q), -2 * sin(q) - 4 * q * cos(q));
        check_jet("exp(-t^2)", t, exp(-q), -2 * t * exp(-q), (4 * q - 2) * exp(-q));
        check_jet("log(1 + t^2)", t, log(r), 2 * t / r, 2 * (1 - q) / (r * r));
        check_jet("sqrt(1 + t^2)", t, sqrt(r), t / sqrt(r), 1 / (r * sqrt(r)));
        check_jet("1/(1 + t^2)", t, 1 / r, -2 * t / (r * r), (6 * q - 2) / (r * r * r));
        check_jet("t*sin(t)", t, t * s, s + t * c, 2 * c - t * s);
        // the quotient's rule by hand: (s / t)' = (c - s/t) / t
        check_jet("sin(t)/t", t, s / t, (c - s / t) / t, (-s - 2 * (c - s / t) / t) / t);
    }
}

TEST(angles_turn_at_the_speed_of_their_point)
{
    // (cos w t, sin w t) turns at w; (1, t) at 1 / (1 + t^2)
    for (double t = -0.9; t < 0.9; t += 0.17) {
        const double r = 1 + t * t;
        check_jet("atan2(sin(3*t), cos(3*t))", t, 3 * t, 3, 0);
        check_jet("atan2(1e200*sin(3*t), 1e200*cos(3*t))", t, 3 * t, 3, 0);
        check_jet("atan2(1e-200*sin(3*t), 1e-200*cos(3*t))", t, 3 * t, 3, 0);
        check_jet("atan2(t, 1)", t, atan(t), 1 / r, -2 * t / (r * r));
        check_jet("atan2(1, t)", t, pi / 2 - atan(t), -1 / r, 2 * t / (r * r));
    }
    CHECK(same(at("atan2(0, -1)", 0), pi, 0, 0));
    CHECK(same(at("atan2(0, 0)", 0), 0, 0, 0));
    CHECK(isnan(at("atan2(t, t)", 0).rate));
}

TEST(whole_powers_are_products)
{
    CHECK(same(at("t^0", 0), 1, 0, 0));
    CHECK(same(at("t^1", 0), 0, 1, 0));
    CHECK(same(at("t^2", 0), 0, 0, 2));
    CHECK(same(at("t^2", -3), 9, -6, 2));
    CHECK(same(at("t^3", -2), -8, 12, -12));
    CHECK(same(at("t^(1 + 2)", -2), -8, 12, -12));
    CHECK(same(at("t^-1", -2), -0.5, -0.25, -0.25));
    CHECK(same(at("t^-2", 2), 0.25, -0.25, 0.375));
    CHECK(same(at("(2*t)^5", 0.5), 1, 10, 80));
    CHECK(same(at("3^20", 0), 3486784401.0, 0, 0));
    CHECK(same(at("(-1)^1001", 0), -1, 0, 0));
    CHECK(same(at("0^0", 0), 1, 0, 0));
    CHECK(same(at("2^1023", 0), 0x1p1023, 0, 0));
    CHECK(same(at("2^-1022", 0), 0x1p-1022, 0, 0));
    // 3^7 by hand, through a step that is whole at each instant
    CHECK(same(at("3^(7*step(t))", 1), 2187, 0, 0));
}

TEST(real_powers_and_powers_that_vary)
{
    for (double t = 0.13; t < 1.4; t += 0.11) {
        const double l = log(t), p = exp(t * l), two = exp(t * log(2.0));
        check_jet("t^0.5", t, sqrt(t), 0.5 / sqrt(t), -0.25 / (t * sqrt(t)));
        check_jet("t^1.5", t, t * sqrt(t), 1.5 * sqrt(t), 0.75 / sqrt(t));
        check_jet("(4*t)^-0.5", t, 0.5 / sqrt(t), -0.25 / (t * sqrt(t)), 0.375 / (t * t * sqrt(t)));
        check_jet("2^t", t, two, two * log(2.0), two * log(2.0) * log(2.0));
        check_jet("t^t", t, p, p * (l + 1), p * ((l + 1) * (l + 1) + 1 / t));
    }
    CHECK(same(at("t^2.5", 0), 0, 0, 0));
    CHECK(same(at("t^1.5", 0), 0, 0, (double)INFINITY));
    CHECK(same(at("4^1.5", 0), 8, 0, 0));
}

TEST(choices_between_two)
{
    CHECK(same(at("min(t, 2*t)", 3), 3, 1, 0));
    CHECK(same(at("max(t, 2*t)", 3), 6, 2, 0));
    CHECK(same(at("min(t^2, 5)", 3), 5, 0, 0));
    CHECK(same(at("abs(t^2 - 10)", 3), 1, -6, -2));
    CHECK(same(at("abs(t^2 - 8)", 3), 1, 6, 2));
    CHECK(same(at("clamp(t, 1, 2)", 0.5), 1, 0, 0));
    CHECK(same(at("clamp(t, 1, 2)", 1.5), 1.5, 1, 0));
    CHECK(same(at("clamp(t, 1, 2)", 2.5), 2, 0, 0));
    CHECK(same(at("clamp(t, 2, 1)", 1.5), 1, 0, 0));
    CHECK(same(at("step(t - 1)", 0.999), 0, 0, 0));
    CHECK(same(at("step(t - 1)", 1), 1, 0, 0));
    CHECK(same(at("step(1 - t)", 1), 1, 0, 0));
    CHECK(same(at("t*step(t - 1)", 2), 2, 1, 0));
}

TEST(where_a_derivative_jumps_it_is_the_one_to_the_right)
{
    CHECK(same(at("abs(t)", 0), 0, 1, 0));
    CHECK(same(at("abs(-t)", 0), 0, 1, 0));
    CHECK(same(at("-abs(3*t)", 0), 0, -3, 0));
    CHECK(same(at("abs(t^2)", 0), 0, 0, 2));
    CHECK(same(at("abs(-t^2)", 0), 0, 0, 2));
    CHECK(same(at("min(t, 2*t)", 0), 0, 1, 0));
    CHECK(same(at("min(2*t, t)", 0), 0, 1, 0));
    CHECK(same(at("max(t, 2*t)", 0), 0, 2, 0));
    CHECK(same(at("max(t + t^2, t)", 0), 0, 1, 2));
    CHECK(same(at("min(t + t^2, t)", 0), 0, 1, 0));
    CHECK(same(at("clamp(t, 1, 2)", 1), 1, 1, 0));
    CHECK(same(at("clamp(t, 1, 2)", 2), 2, 0, 0));
    CHECK(same(at("clamp(3 - t, 1, 2)", 1), 2, -1, 0));
}

TEST(what_is_not_defined_is_not_finite)
{
    const double inf = (double)INFINITY;
    CHECK(at("1/0", 0).value == inf);
    CHECK(isnan(at("log(-1)", 0).value) && isnan(at("sqrt(-1)", 0).value));
    CHECK(isnan(at("(-2)^0.5", 0).value) && isnan(at("(-2)^t", 3).value));
    CHECK(at("log(t)", 0).value == -inf);
    CHECK(at("sqrt(t)", 0).rate == inf && at("t^0.5", 0).rate == inf);
    CHECK(at("exp(t)", 1000).value == inf);
    CHECK(isnan(at("min(1, log(-1))", 0).value) && isnan(at("min(log(-1), 1)", 0).value));
    CHECK(isnan(at("max(1, log(-1))", 0).value) && isnan(at("abs(log(-1))", 0).value));
    CHECK(isnan(at("step(log(-1))", 0).value) && isnan(at("0*log(-1)", 0).value));
    CHECK(isnan(at("clamp(1, log(-1), 2)", 0).value));
    CHECK(isnan(at("sin(t)", inf).value) && isnan(at("t", (double)NAN).value));
    // |t| and t^2, but two derivatives of the root's argument do not say so
    CHECK(!isfinite(at("sqrt(t^2)", 0).rate) && !isfinite(at("sqrt(t^4)", 0).rate));
    CHECK(!isfinite(at("(t^3)^(2/3)", 0).second));
    CHECK(!isfinite(at("sqrt(max(t^3, 0))", 0).rate) && !isfinite(at("sqrt(max(0, t^3))", 0).rate));
    // one side of the tie has no slope to compare
    CHECK(at("min(sqrt(t^2), 0)", 0).value == 0 && isnan(at("min(sqrt(t^2), 0)", 0).rate));
    // what stands still has the rate 0 even where a root is vertical
    CHECK(same(at("sqrt(0)", 0), 0, 0, 0));
    CHECK(same(at("sqrt(max(t - 1, 0))", 0.5), 0, 0, 0));
    CHECK(at("sqrt(max(t - 1, 0))", 1).rate == inf);
}

TEST(constant_is_what_does_not_mention_t)
{
    utArena keep = test_arena();
    utExpression e;
    CHECK(ut_expression_read(text_of("2*sin(pi/4) - 1e3"), &keep, &e, NULL) == UT_OK);
    CHECK(ut_expression_is_constant(&e));
    CHECK(ut_expression_read(text_of("0*t"), &keep, &e, NULL) == UT_OK);
    CHECK(!ut_expression_is_constant(&e));
}

// ---- memory, copies, hashes ---------------------------------------------------------------------

TEST(a_read_takes_what_it_needs_and_copies_are_equal)
{
    const utText text = text_of("  clamp( t , -(1) , 2^0.5 )   ");
    utArena keep = test_arena();
    utExpression e;
    CHECK(ut_expression_read(text, &keep, &e, NULL) == UT_OK);
    CHECK_INT(e.count, 8); // t 1 - max 2 0.5 ^ min
    CHECK_INT(keep.next - (const unsigned char*)e.op, 8 * 16);
    utArena more;
    CHECK(ut_arena_create(16, NULL, &more) == UT_OK);
    const utExpression copy = ut_expression_copy(&e, &more);
    CHECK(copy.count == e.count && copy.op != e.op);
    CHECK(ut_expression_hash(1, &copy) == ut_expression_hash(1, &e));
    const utJet a = ut_expression_at(&e, 1.2), b = ut_expression_at(&copy, 1.2);
    CHECK(same(a, b.value, b.rate, b.second));

    // what is too small stays as it was
    utArena none = test_arena();
    none.end = none.next + 16;
    const utArena before = none;
    utExpression kept = copy;
    utError err;
    CHECK(ut_expression_read(text, &none, &kept, &err) == UT_ERR_CAPACITY);
    CHECK(!ut_arena_failed(&none));
    CHECK(ut_expression_copy(&e, &none).op == NULL);
    CHECK(none.next == before.next && kept.op == copy.op && kept.count == copy.count);
    CHECK(ut_expression_read(text, NULL, &kept, &err) == UT_ERR_ARGUMENT);
    CHECK(ut_expression_read(text, &none, NULL, NULL) == UT_ERR_ARGUMENT);
    CHECK(ut_expression_read((utText){NULL, 3}, &none, &kept, NULL) == UT_ERR_ARGUMENT);
    ut_arena_destroy(&more);
}

static uint64_t hash_of(const char* text)
{
    utArena keep = test_arena();
    utExpression e = {NULL, 0};
    CHECK(ut_expression_read(text_of(text), &keep, &e, NULL) == UT_OK);
    return ut_expression_hash(UT_HASH_START, &e);
}

TEST(hashes_tell_programs_apart_and_not_their_spelling)
{
    CHECK(hash_of("1+t*2") == hash_of(" 1.0 + ((t) * 2)"));
    CHECK(hash_of("1+t*2") != hash_of("1+t*3"));
    CHECK(hash_of("1+t*2") != hash_of("1-t*2"));
    CHECK(hash_of("1+t*2") != hash_of("(1+t)*2"));
    CHECK(hash_of("min(1, t)") != hash_of("max(1, t)"));
    CHECK(hash_of("t") != hash_of("0"));
}

TEST(the_bits_are_the_same_for_every_compiler)
{
    static const char* const texts[] = {
        "-0.55 + 0.25*(1 - cos(2*t))", "exp(-t/3)*sin(7*t) + tan(t/9)",   "log(1 + t^2)^1.7 - 2^-t",
        "sqrt(2 + t)*atan2(t, 3 - t)", "clamp(t^3/50, -1, abs(t - 1))^3",
    };
    uint64_t hash = UT_HASH_START;
    for (int i = 0; i < (int)(sizeof texts / sizeof *texts); i++) {
        for (double t = -1.75; t < 8.0; t += 0.09375) {
            const utJet jet = at(texts[i], t);
            hash = ut_hash_doubles(hash, (const double[]){jet.value, jet.rate, jet.second}, 3);
        }
    }
    if (!CHECK(hash == UINT64_C(0xf10c754b14e663a5))) {
        test_note("the bits of this build: %016llx", (unsigned long long)hash);
    }
}
