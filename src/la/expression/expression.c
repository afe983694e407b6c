// SPDX-License-Identifier: Apache-2.0
// Evaluates expressions. The program runs on values together with their first two time derivatives:
// each operation applies its rule of differentiation, so the derivatives are not approximations.
#include "operations.h"
#include "la/power.h"

#include <math.h>
#include <string.h>
#include <uptack/vec.h>

/// A utJet and whether it depends on t. Where the derivative of a function is infinite, 0 times
/// infinity is 0 for a constant argument, but undefined for an argument whose rate is zero only at
/// this instant, as in sqrt(t^4) at t = 0.
typedef struct Jet {
    double value, rate, second;
    bool varies;
} Jet;

static const Jet undefined = {(double)NAN, (double)NAN, (double)NAN, true};

static Jet constant(double value)
{
    return (Jet){value, 0.0, 0.0, false};
}

// ---- sums, products and quotients ---------------------------------------------------------------

static Jet negative(Jet u)
{
    return (Jet){-u.value, -u.rate, -u.second, u.varies};
}

static Jet sum(Jet u, Jet v)
{
    return (Jet){u.value + v.value, u.rate + v.rate, u.second + v.second, u.varies || v.varies};
}

static Jet product(Jet u, Jet v)
{
    return (Jet){
        u.value * v.value,
        u.rate * v.value + u.value * v.rate,
        u.second * v.value + 2.0 * (u.rate * v.rate) + u.value * v.second,
        u.varies || v.varies,
    };
}

// u = w v, differentiated and solved for w, w' and w''
static Jet quotient(Jet u, Jet v)
{
    const double value = u.value / v.value;
    const double rate = (u.rate - value * v.rate) / v.value;
    const double second = (u.second - 2.0 * (rate * v.rate) - value * v.second) / v.value;
    return (Jet){value, rate, second, u.varies || v.varies};
}

// ---- functions ----------------------------------------------------------------------------------

// f(u) by the chain rule, from f and its first two derivatives at u.
static Jet chain(Jet u, double f, double f1, double f2)
{
    if (!u.varies) {
        return constant(f);
    }
    return (Jet){f, f1 * u.rate, f2 * (u.rate * u.rate) + f1 * u.second, true};
}

static Jet sine(Jet u)
{
    double s, c;
    ut_sincos(u.value, &s, &c);
    return chain(u, s, c, -s);
}

static Jet cosine(Jet u)
{
    double s, c;
    ut_sincos(u.value, &s, &c);
    return chain(u, c, -s, -c);
}

static Jet tangent(Jet u)
{
    double s, c;
    ut_sincos(u.value, &s, &c);
    const double f = s / c;
    const double f1 = 1.0 + f * f;
    return chain(u, f, f1, 2.0 * f * f1);
}

static Jet exponential(Jet u)
{
    const double f = ut_exp(u.value);
    return chain(u, f, f, f);
}

static Jet logarithm(Jet u)
{
    const double f1 = 1.0 / u.value;
    return chain(u, ut_log(u.value), f1, -f1 * f1);
}

static Jet square_root(Jet u)
{
    const double f = sqrt(u.value);
    const double f1 = 0.5 / f;
    return chain(u, f, f1, -0.5 * f1 / u.value);
}

// With r^2 = x^2 + y^2, the angle a of (x, y) has
//   r^2 a' = x y' - y x'  and  r^2 a'' = x y'' - y x'' - 2 (x x' + y y') a'.
// Both sides are divided by the larger of |x| and |y|, because r^2 may overflow.
static Jet angle(Jet y, Jet x)
{
    const double value = ut_atan2(y.value, x.value);
    if (!x.varies && !y.varies) {
        return constant(value);
    }
    const double size = fmax(fabs(x.value), fabs(y.value));
    const double c = x.value / size;
    const double s = y.value / size;
    const double r = (c * c + s * s) * size;
    const double rate = (c * y.rate - s * x.rate) / r;
    const double along = c * x.rate + s * y.rate;
    const double second = ((c * y.second - s * x.second) - 2.0 * (along * rate)) / r;
    return (Jet){value, rate, second, true};
}

// ---- choices ------------------------------------------------------------------------------------

// Compare u and v just after this instant: negative when u is smaller, positive when v is, 0 when they
// stay equal, NaN when that is unknown.
static double order(Jet u, Jet v)
{
    const double a[] = {u.value, u.rate, u.second};
    const double b[] = {v.value, v.rate, v.second};
    for (int i = 0; i < 3; i++) {
        if (!(a[i] == b[i])) {
            return a[i] < b[i] ? -1.0 : a[i] > b[i] ? 1.0 : (double)NAN;
        }
    }
    return 0.0;
}

// The smaller of u and v for sign = 1, the larger for sign = -1.
static Jet choose(Jet u, Jet v, double sign)
{
    const double by = sign * order(u, v);
    if (isnan(by)) {
        // if both values are equal the value is known, only its derivatives are not
        const double value = u.value == v.value ? u.value : (double)NAN;
        return (Jet){value, (double)NAN, (double)NAN, true};
    }
    Jet chosen = by <= 0.0 ? u : v;
    chosen.varies = chosen.varies || (by == 0.0 && v.varies);
    return chosen;
}

static Jet step(Jet u)
{
    return isnan(u.value) ? undefined : constant(u.value >= 0.0 ? 1.0 : 0.0);
}

// ---- powers -------------------------------------------------------------------------------------

// x^n by repeated squaring
static double whole_power(double x, uint64_t n)
{
    double result = 1.0;
    for (; n > 0; n >>= 1) {
        result = (n & 1) != 0 ? result * x : result;
        x *= n > 1 ? x : 1.0;
    }
    return result;
}

// x^y; a whole y uses multiplications only, because x may be negative.
static double real_power(double x, double y)
{
    if (!(fabs(y) < 0x1p53 && y == floor(y))) {
        return ut_pow(x, y);
    }
    const double power = whole_power(x, (uint64_t)fabs(y));
    return y < 0.0 ? 1.0 / power : power;
}

// u^n with a constant n; a derivative with a factor of 0 is 0, even if the other factor is infinite
static Jet constant_power(Jet u, double n)
{
    const double f1 = n == 0.0 ? 0.0 : n * real_power(u.value, n - 1.0);
    const double f2 = n == 0.0 || n == 1.0 ? 0.0 : n * (n - 1.0) * real_power(u.value, n - 2.0);
    return chain(u, real_power(u.value, n), f1, f2);
}

// u^v = e^g with g = v ln u: the rate is e^g g' and the second derivative e^g (g'' + g'^2)
static Jet power(Jet u, Jet v)
{
    if (!v.varies) {
        return constant_power(u, v.value);
    }
    const double value = ut_pow(u.value, v.value);
    const Jet g = product(v, logarithm(u));
    return (Jet){value, value * g.rate, value * (g.second + g.rate * g.rate), true};
}

// ---- the program --------------------------------------------------------------------------------

static Jet apply_to_one(ExpressionCode code, Jet u)
{
    switch (code) {
    case CODE_NEGATE:
        return negative(u);
    case CODE_SIN:
        return sine(u);
    case CODE_COS:
        return cosine(u);
    case CODE_TAN:
        return tangent(u);
    case CODE_EXP:
        return exponential(u);
    case CODE_LOG:
        return logarithm(u);
    case CODE_SQRT:
        return square_root(u);
    case CODE_ABS:
        return choose(u, negative(u), -1.0);
    case CODE_STEP:
        return step(u);
    default:
        return undefined;
    }
}

static Jet apply_to_two(ExpressionCode code, Jet u, Jet v)
{
    switch (code) {
    case CODE_ADD:
        return sum(u, v);
    case CODE_SUBTRACT:
        return sum(u, negative(v));
    case CODE_MULTIPLY:
        return product(u, v);
    case CODE_DIVIDE:
        return quotient(u, v);
    case CODE_POWER:
        return power(u, v);
    case CODE_MIN:
        return choose(u, v, 1.0);
    case CODE_MAX:
        return choose(u, v, -1.0);
    case CODE_ATAN2:
        return angle(u, v);
    default:
        return undefined;
    }
}

utJet ut_expression_at(const utExpression* expression, double t)
{
    // the reader checked that the stack is large enough and that one value remains
    Jet stack[UT_EXPRESSION_STACK] = {{0}};
    int top = -1;
    for (int i = 0; i < expression->count; i++) {
        const utExpressionOp* op = &expression->op[i];
        const int growth = code_growth(op->code);
        top += growth;
        if (growth > 0) {
            stack[top] = op->code == CODE_TIME ? (Jet){t, 1.0, 0.0, true} : constant(op->value);
        } else if (growth == 0) {
            stack[top] = apply_to_one(op->code, stack[top]);
        } else {
            stack[top] = apply_to_two(op->code, stack[top], stack[top + 1]);
        }
    }
    return (utJet){stack[0].value, stack[0].rate, stack[0].second};
}

bool ut_expression_is_constant(const utExpression* expression)
{
    for (int i = 0; i < expression->count; i++) {
        if (expression->op[i].code == CODE_TIME) {
            return false;
        }
    }
    return true;
}

// ---- copies and hashes --------------------------------------------------------------------------

utExpression ut_expression_copy(const utExpression* expression, utArena* keep)
{
    const int count = expression->count;
    utExpressionOp* op = count > 0 ? UT_PUSH(keep, utExpressionOp, count) : NULL;
    if (op == NULL) {
        return (utExpression){NULL, 0};
    }
    memcpy(op, expression->op, (size_t)count * sizeof *op);
    return (utExpression){op, count};
}

uint64_t ut_expression_hash(uint64_t hash, const utExpression* expression)
{
    for (int i = 0; i < expression->count; i++) {
        const utExpressionOp* op = &expression->op[i];
        hash = ut_hash_doubles(hash, (const double[]){op->code, op->value}, 2);
    }
    return hash;
}
