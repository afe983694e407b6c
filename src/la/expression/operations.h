// SPDX-License-Identifier: Apache-2.0
// The operations of an expression's program, for its reader and its evaluation.
#ifndef UPTACK_LA_EXPRESSION_OPERATIONS_H
#define UPTACK_LA_EXPRESSION_OPERATIONS_H

#include <uptack/expression.h>

/// Operations, grouped by their effect on the stack.
typedef enum ExpressionCode {
    // push a value
    CODE_NUMBER,
    CODE_TIME,
    // replace the top value
    CODE_NEGATE,
    CODE_SIN,
    CODE_COS,
    CODE_TAN,
    CODE_EXP,
    CODE_LOG,
    CODE_SQRT,
    CODE_ABS,
    CODE_STEP,
    // replace the top two values by one
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

/// Change of the number of values on the stack by this operation.
static inline int code_growth(ExpressionCode code)
{
    return code <= CODE_TIME ? 1 : code < CODE_ADD ? 0 : -1;
}

#endif
