// SPDX-License-Identifier: Apache-2.0
// Reads the text of an expression into a postfix program, by recursive descent:
//
//   sum     = product { ("+" | "-") product }
//   product = signed { ("*" | "/") signed }
//   signed  = { "-" | "+" } power
//   power   = primary [ "^" signed ]
//   primary = number | "t" | "pi" | "(" sum ")" | name "(" sum { "," sum } ")"
//
// Every operation uses at least one byte of the text, so a program has at most as many operations as
// the text has bytes.
#include "operations.h"

#include <stdio.h>
#include <string.h>

typedef struct Reader {
    const char* begin;
    const char* next; // first byte that is not read yet
    const char* end;
    utExpressionOp* op; // one per byte of the text
    int count;
    int stack;   // values on the stack after op[count - 1]
    int nesting; // number of open parentheses, calls and exponents
    utError* err;
} Reader;

typedef struct Function {
    const char* name;
    int arguments;
    ExpressionCode after[3]; // operation after each argument
    const char* usage;
} Function;

static const Function functions[] = {
    {"sin", 1, {CODE_SIN}, "sin(x)"},
    {"cos", 1, {CODE_COS}, "cos(x)"},
    {"tan", 1, {CODE_TAN}, "tan(x)"},
    {"exp", 1, {CODE_EXP}, "exp(x)"},
    {"log", 1, {CODE_LOG}, "log(x)"},
    {"sqrt", 1, {CODE_SQRT}, "sqrt(x)"},
    {"abs", 1, {CODE_ABS}, "abs(x)"},
    {"step", 1, {CODE_STEP}, "step(x)"},
    {"min", 2, {CODE_NONE, CODE_MIN}, "min(x, y)"},
    {"max", 2, {CODE_NONE, CODE_MAX}, "max(x, y)"},
    {"atan2", 2, {CODE_NONE, CODE_ATAN2}, "atan2(y, x)"},
    {"clamp", 3, {CODE_NONE, CODE_MAX, CODE_MIN}, "clamp(x, lo, hi)"},
};

enum {
    FUNCTIONS = sizeof functions / sizeof *functions,
    QUOTE_SIZE = 32, // bytes of a quotation in a message
};

static utStatus read_sum(Reader* r);
static utStatus read_signed(Reader* r);

// ---- bytes --------------------------------------------------------------------------------------

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Skip white space. @return the next byte, or 0 at the end; a 0 byte within the text has
// r->next != r->end
static char peek(Reader* r)
{
    while (r->next < r->end && is_blank(*r->next)) {
        r->next++;
    }
    return r->next < r->end ? *r->next : 0;
}

static bool take(Reader* r, char c)
{
    if (peek(r) != c) {
        return false;
    }
    r->next++;
    return true;
}

static utText name_at(const Reader* r, const char* at)
{
    const char* end = at;
    while (end < r->end && (is_letter(*end) || is_digit(*end))) {
        end++;
    }
    return (utText){at, (size_t)(end - at)};
}

static bool is_name(utText name, const char* text)
{
    return strlen(text) == name.size && memcmp(name.data, text, name.size) == 0;
}

// ---- messages -----------------------------------------------------------------------------------

static int column(const Reader* r, const char* at)
{
    return (int)(at - r->begin) + 1;
}

#define FAIL_AT(r, at, ...) \
    ut_error_at((r)->err, UT_ERR_FORMAT, NULL, 1, column((r), (at)), __VA_ARGS__)

// A quotation of the text at r->next for a message: a word, a byte or "the end".
static const char* found(const Reader* r, char text[QUOTE_SIZE])
{
    if (r->next == r->end) {
        return "the end";
    }
    const unsigned char byte = (unsigned char)*r->next;
    if (is_letter(*r->next)) {
        const utText name = name_at(r, r->next);
        const int most = QUOTE_SIZE - 8;
        const bool whole = name.size <= (size_t)most;
        snprintf(text, QUOTE_SIZE, "'%.*s%s'", whole ? (int)name.size : most, name.data,
                 whole ? "" : "...");
    } else {
        snprintf(text, QUOTE_SIZE, byte > ' ' && byte < 0x7f ? "'%c'" : "the byte \\x%02x", byte);
    }
    return text;
}

static utStatus fail_unknown(const Reader* r)
{
    char text[QUOTE_SIZE];
    return FAIL_AT(
        r, r->next,
        "%s is not known; there are t, pi, sin, cos, tan, exp, log, sqrt, abs, min, max, "
        "clamp, step and atan2",
        found(r, text));
}

static utStatus fail_operand(const Reader* r)
{
    char text[QUOTE_SIZE];
    return FAIL_AT(r, r->next, "expected a number, t, pi, a function or '('; found %s",
                   found(r, text));
}

// Report that the text after an operand is not an operator.
static utStatus fail_operator(const Reader* r)
{
    const char c = *r->next;
    const bool factor = is_letter(c) || is_digit(c) || c == '.' || c == '(';
    char text[QUOTE_SIZE];
    return FAIL_AT(r, r->next, "expected an operator; found %s%s", found(r, text),
                   factor     ? "; products are written with '*'"
                   : c == ',' ? "; decimals are written with a point"
                              : "");
}

// ---- the grammar --------------------------------------------------------------------------------

// Append an operation. @param at position for a message
static utStatus emit(Reader* r, const char* at, ExpressionCode code, double value)
{
    r->stack += code_growth(code);
    if (r->stack > UT_EXPRESSION_STACK) {
        return FAIL_AT(r, at, "more than %d values wait for their operators; use fewer parentheses",
                       UT_EXPRESSION_STACK);
    }
    r->op[r->count++] = (utExpressionOp){code, value};
    return UT_OK;
}

static utStatus read_number(Reader* r)
{
    const char* at = r->next;
    double value;
    const char* behind = ut_number_read(at, r->end, &value);
    if (behind == NULL) {
        const bool digits = is_digit(*at) || (at + 1 < r->end && is_digit(at[1]));
        return FAIL_AT(r, at,
                       digits ? "the number is too large for a double" : "'.' has no digits");
    }
    r->next = behind;
    return emit(r, at, CODE_NUMBER, value);
}

// Enter a parenthesis, a call or an exponent that begins at `at`.
static utStatus nest(Reader* r, const char* at)
{
    r->nesting++;
    if (r->nesting > UT_EXPRESSION_NESTING) {
        return FAIL_AT(r, at, "more than %d parentheses, calls and exponents within each other",
                       UT_EXPRESSION_NESTING);
    }
    return UT_OK;
}

// Read the ')' of a parenthesis or call that was opened at `open`.
static utStatus unnest(Reader* r, const char* open)
{
    if (!take(r, ')')) {
        char text[QUOTE_SIZE];
        return FAIL_AT(r, r->next,
                       "expected an operator or the ')' for the '(' in column %d; found %s",
                       column(r, open), found(r, text));
    }
    r->nesting--;
    return UT_OK;
}

// Read the ',' before the next argument of a call.
static utStatus next_argument(Reader* r, const Function* f)
{
    if (take(r, ',')) {
        return UT_OK;
    }
    if (peek(r) == ')') {
        return FAIL_AT(r, r->next, "too few arguments; it is %s", f->usage);
    }
    char text[QUOTE_SIZE];
    return FAIL_AT(r, r->next, "expected an operator or ',' in %s; found %s", f->usage,
                   found(r, text));
}

static utStatus read_call(Reader* r, const Function* f)
{
    const char* name = r->next;
    r->next += strlen(f->name);
    const char* open = peek(r) == '(' ? r->next : NULL;
    if (open == NULL) {
        return FAIL_AT(r, name, "%s wants parentheses: %s", f->name, f->usage);
    }
    r->next++;
    UT_TRY(nest(r, open));
    for (int i = 0; i < f->arguments; i++) {
        if (i > 0) {
            UT_TRY(next_argument(r, f));
        }
        UT_TRY(read_sum(r));
        if (f->after[i] != CODE_NONE) {
            UT_TRY(emit(r, name, f->after[i], 0.0));
        }
    }
    if (peek(r) == ',') {
        return FAIL_AT(r, r->next, "too many arguments; it is %s", f->usage);
    }
    return unnest(r, open);
}

static utStatus read_name(Reader* r)
{
    const utText name = name_at(r, r->next);
    for (int i = 0; i < FUNCTIONS; i++) {
        if (is_name(name, functions[i].name)) {
            return read_call(r, &functions[i]);
        }
    }
    const bool time = is_name(name, "t");
    if (!time && !is_name(name, "pi")) {
        return fail_unknown(r);
    }
    r->next += name.size;
    return time ? emit(r, name.data, CODE_TIME, 0.0)
                : emit(r, name.data, CODE_NUMBER, 0x1.921fb54442d18p+1);
}

static utStatus read_primary(Reader* r)
{
    const char c = peek(r);
    if (is_digit(c) || c == '.') {
        return read_number(r);
    }
    if (is_letter(c)) {
        return read_name(r);
    }
    if (c != '(') {
        return fail_operand(r);
    }
    const char* open = r->next++;
    UT_TRY(nest(r, open));
    UT_TRY(read_sum(r));
    return unnest(r, open);
}

static utStatus read_power(Reader* r)
{
    UT_TRY(read_primary(r));
    if (peek(r) != '^') {
        return UT_OK;
    }
    const char* at = r->next++;
    UT_TRY(nest(r, at));
    UT_TRY(read_signed(r));
    r->nesting--;
    return emit(r, at, CODE_POWER, 0.0);
}

static utStatus read_signed(Reader* r)
{
    // two minus signs cancel
    bool minus = false;
    const char* at = r->next;
    for (char c = peek(r); c == '-' || c == '+'; c = peek(r)) {
        minus = minus != (c == '-');
        at = r->next++;
    }
    UT_TRY(read_power(r));
    return minus ? emit(r, at, CODE_NEGATE, 0.0) : UT_OK;
}

static utStatus read_product(Reader* r)
{
    UT_TRY(read_signed(r));
    for (char c = peek(r); c == '*' || c == '/'; c = peek(r)) {
        const char* at = r->next++;
        UT_TRY(read_signed(r));
        UT_TRY(emit(r, at, c == '*' ? CODE_MULTIPLY : CODE_DIVIDE, 0.0));
    }
    return UT_OK;
}

static utStatus read_sum(Reader* r)
{
    UT_TRY(read_product(r));
    for (char c = peek(r); c == '+' || c == '-'; c = peek(r)) {
        const char* at = r->next++;
        UT_TRY(read_product(r));
        UT_TRY(emit(r, at, c == '+' ? CODE_ADD : CODE_SUBTRACT, 0.0));
    }
    return UT_OK;
}

static utStatus read_whole(Reader* r)
{
    peek(r);
    if (r->next == r->end) {
        return FAIL_AT(r, r->begin, "the expression is empty; write 0 for nothing");
    }
    UT_TRY(read_sum(r));
    peek(r);
    if (r->next < r->end && *r->next == ')') {
        return FAIL_AT(r, r->next, "this ')' closes nothing");
    }
    return r->next < r->end ? fail_operator(r) : UT_OK;
}

// ---- public -----------------------------------------------------------------------------------

utStatus ut_expression_read(utText text, utArena* keep, utExpression* out, utError* err)
{
    if (keep == NULL || out == NULL || (text.data == NULL && text.size > 0)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "ut_expression_read: an argument is NULL");
    }
    // an empty text may have no address
    const char* begin = text.size > 0 ? text.data : "";
    Reader r = {.begin = begin, .next = begin, .end = begin + text.size, .err = err};
    if (text.size > UT_EXPRESSION_LENGTH) {
        return FAIL_AT(&r, r.begin + UT_EXPRESSION_LENGTH,
                       "the expression has %zu characters; %d are the most", text.size,
                       UT_EXPRESSION_LENGTH);
    }
    // an operation takes at least one character
    utArena rest = *keep;
    r.op = UT_PUSH(&rest, utExpressionOp, text.size);
    if (r.op == NULL) {
        return ut_error_set(err, UT_ERR_CAPACITY, "no memory for an expression of %zu characters",
                            text.size);
    }
    UT_TRY(read_whole(&r));

    // give back the memory behind the last operation
    rest.next = (unsigned char*)(r.op + r.count);
    *keep = rest;
    *out = (utExpression){r.op, r.count};
    return UT_OK;
}
