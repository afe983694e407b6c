// SPDX-License-Identifier: Apache-2.0
/// @file expression.h
/// Expressions in the time t, such as "-0.55 + 0.25*(1 - cos(2*t))", as a model file writes them
/// for prescribed motions: read once, evaluated with their first two time derivatives, which are
/// differentiated exactly.
///
/// What may be written, strongest first; white space between the parts is free:
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
///     x^y                              from right to left: 2^3^2 = 2^9; x < 0 wants a whole y
///     -x  +x                           weaker than ^: -t^2 = -(t^2), and 2^-1 is 1/2
///     x*y  x/y                         from left to right
///     x+y  x-y                         from left to right
///
/// All of it is computed of + - * / and square roots, in a fixed order: the same bits on every
/// machine.
#ifndef UPTACK_EXPRESSION_H
#define UPTACK_EXPRESSION_H

#include <uptack/base.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    UT_EXPRESSION_LENGTH = 4096, ///< the longest text that is read, in bytes
    UT_EXPRESSION_NESTING = 64,  ///< parentheses, calls and exponents within each other
    UT_EXPRESSION_STACK = 32,    ///< intermediate values at a time
};

/// One operation of an expression; the library's own.
struct utExpressionOp;

/// An expression in t as a postfix program. It never changes, borrows from nothing but the arena it
/// was read or copied into, and may be evaluated by several threads at once. {NULL, 0} is the
/// constant 0.
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
/// @param err  may be NULL; line is 1 and column the byte within the text, 1-based, where line
///             breaks count like every other byte
/// @return UT_ERR_FORMAT when the text is no expression or exceeds a limit above, UT_ERR_CAPACITY
///         when `keep` is too small, UT_ERR_ARGUMENT for a NULL; nothing is taken from `keep` then
UT_API utStatus ut_expression_read(utText text, utArena* keep, utExpression* out, utError* err);

/// The expression at time t. The derivatives are those of the formula, not differences.
///
/// Where a derivative jumps (abs at 0, min and max where both are equal, clamp at a bound) it is
/// the one to the right, of the times after t. A step has rate 0 everywhere, at its jump too.
///
/// What is not defined comes back as an infinity or NaN, in the value or in a derivative alone:
/// 1/0, log(-1), sqrt(t) and t^0.5 at t = 0 (the rate is infinite), sqrt(t^2) and sqrt(t^4) there
/// (it comes out as 0/0; abs(t) and t^2 do not). Checking for that is left to the caller.
UT_API utJet ut_expression_at(const utExpression* expression, double t);

/// Whether t does not occur, so that the value is the same at all times and both derivatives are 0
/// wherever they are defined.
UT_API bool ut_expression_is_constant(const utExpression* expression);

/// The same program in another arena. @return {NULL, 0} when there is no memory
UT_API utExpression ut_expression_copy(const utExpression* expression, utArena* keep);

/// Hash the program, going on from `hash`: equal for texts that differ in white space and needless
/// parentheses only, the same on every machine.
UT_API uint64_t ut_expression_hash(uint64_t hash, const utExpression* expression);

#ifdef __cplusplus
}
#endif

#endif
