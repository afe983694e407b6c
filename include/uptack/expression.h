// SPDX-License-Identifier: Apache-2.0
/// @file expression.h
/// Expressions in the time t, such as "-0.55 + 0.25*(1 - cos(2*t))", which model files use for
/// prescribed motions. An expression is read once and evaluated together with its first two time
/// derivatives, which are exact.
///
/// The syntax, highest precedence first; white space is allowed between the parts:
///
///     1  .5  2.5e-3                    decimal numbers, the same in every locale
///     t  pi                            the time and the number
///     sin(x) cos(x) tan(x)             angles in radians
///     exp(x) log(x) sqrt(x) abs(x)     log is the natural logarithm
///     atan2(y, x)                      the angle of the point (x, y)
///     min(x, y) max(x, y)
///     clamp(x, lo, hi)                 min(max(x, lo), hi)
///     step(x)                          0 below x = 0, 1 from 0 on
///     (x)
///     x^y                              from right to left: 2^3^2 = 2^9; x < 0 needs a whole y
///     -x  +x                           weaker than ^: -t^2 = -(t^2), and 2^-1 is 1/2
///     x*y  x/y                         from left to right
///     x+y  x-y                         from left to right
///
/// The evaluation uses + - * / and square roots in a fixed order, so all machines give the same bits.
/// Functions may be called from several threads at once when each thread has its own arena;
/// expressions never change and may be shared.
#ifndef UPTACK_EXPRESSION_H
#define UPTACK_EXPRESSION_H

#include <uptack/base.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    UT_EXPRESSION_LENGTH = 4096, ///< most bytes of a text
    UT_EXPRESSION_NESTING = 64,  ///< deepest nesting of parentheses, calls and exponents
    UT_EXPRESSION_STACK = 32,    ///< most intermediate values at a time
};

/// One operation of an expression; private.
struct utExpressionOp;

/// An expression in t as a postfix program, in the arena into which it was read or copied. {NULL, 0} is
/// the constant 0.
typedef struct utExpression {
    const struct utExpressionOp* op; ///< in the arena; NULL when count is 0
    int count;
} utExpression;

/// A quantity at an instant, with its time derivatives.
typedef struct utJet {
    double value;
    double rate;   ///< first time derivative
    double second; ///< second time derivative
} utJet;

/// Read an expression.
/// @param text borrowed for the call
/// @param keep receives the program
/// @param out  filled on UT_OK only
/// @param err  may be NULL; line is 1, column is the 1-based number of the byte in the text; a line
///             break counts as one byte
/// @return UT_ERR_FORMAT when the text is not an expression or exceeds a limit above, UT_ERR_CAPACITY
///         when there is no memory, UT_ERR_ARGUMENT for a NULL; `keep` is then unchanged
UT_API utStatus ut_expression_read(utText text, utArena* keep, utExpression* out, utError* err);

/// The expression and its derivatives at time t, by the rules of differentiation.
///
/// Where a derivative jumps (abs at 0, min and max of equal values, clamp at a bound) the result is the
/// derivative after t. A step has rate 0 everywhere, also at its jump.
///
/// Undefined values and derivatives are infinite or NaN: 1/0, log(-1), the rate of sqrt(t) and t^0.5 at
/// t = 0, and the rate of sqrt(t^2) and sqrt(t^4) at t = 0, which is 0/0 (abs(t) and t^2 have no such
/// problem). The caller has to check for this.
UT_API utJet ut_expression_at(const utExpression* expression, double t);

/// @return true when t does not occur in the expression: the value is then constant, and both
///         derivatives are 0 if they are defined
UT_API bool ut_expression_is_constant(const utExpression* expression);

/// The same program in another arena. @return {NULL, 0} when there is no memory
UT_API utExpression ut_expression_copy(const utExpression* expression, utArena* keep);

/// Hash of the program, continued from `hash`. Texts that differ only in white space and unnecessary
/// parentheses have the same hash, on every machine.
UT_API uint64_t ut_expression_hash(uint64_t hash, const utExpression* expression);

#ifdef __cplusplus
}
#endif

#endif
