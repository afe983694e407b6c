// SPDX-License-Identifier: Apache-2.0
// What the reader of expressions and their evaluation share: the operations of a program.
#ifndef UPTACK_LA_EXPRESSION_OPERATIONS_H
#define UPTACK_LA_EXPRESSION_OPERATIONS_H

#include <uptack/expression.h>

/// Grouped by what they do to the stack.
typedef enum ExpressionCode {
    // put a value on it
    CODE_NUMBER,
    CODE_TIME,
    // replace its top
    CODE_NEGATE,
    CODE_SIN,
    CODE_COS,
    CODE_TAN,
    CODE_EXP,
    CODE_LOG,
    CODE_SQRT,
    CODE_ABS,
    CODE_STEP,
    // replace its top two by one
    CODE_ADD,
    CODE_SUBTRACT,
    CODE_MULTIPLY,
    CODE_DIVIDE,
    CODE_POWER,
    CODE_MIN,
    CODE_MAX,
    CODE_ATAN2,
    CODE_NONE, ///< not an operation
} ExpressionCode;

typedef struct utExpressionOp {
    ExpressionCode code;
    double value; ///< of a CODE_NUMBER, otherwise 0
} utExpressionOp;

/// How many values more than before are on the stack after this operation.
static inline int code_growth(ExpressionCode code)
{
    return code <= CODE_TIME ? 1 : code < CODE_ADD ? 0 : -1;
}

#endif
