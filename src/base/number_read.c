// SPDX-License-Identifier: Apache-2.0
// Reads a double from text, correctly rounded to nearest even, in every locale.
//
// A number is D 10^e with a whole number D. If D has few digits and e is small, one multiplication or
// division is exact up to its rounding (Clinger 1990). All other numbers use whole-number arithmetic:
// D 10^e = (q + rest) 2^p with a quotient q of 63 or 64 bits and 0 <= rest < 1. Rounding needs only q,
// p and whether the rest is zero.
#include <uptack/base.h>

#include <float.h>
#include <string.h>

enum {
    // a double, or the middle between two, has at most 768 significant digits, so digits after the
    // 800th only decide whether the number is above such a middle
    MAX_DIGITS = 800,
    // 10^800 has 2658 bits and 5^(800 + 323) has 2608; a shift adds up to 96 to the shorter one
    MAX_WORDS = 96,
    // so many digits always fit 64 bits
    SHORT_DIGITS = 19,
    // numbers of at least 10^309 overflow, numbers below 10^-324 underflow to zero
    MAX_SCALE = 309,
    MIN_SCALE = -323,
};

// A number as scanned from text: D 10^exponent.
typedef struct Decimal {
    bool negative;
    const char* first; // first digit of D, which is not 0
    int64_t count;     // digits of D; 0 when D is zero
    uint64_t lead;     // the first SHORT_DIGITS digits of D
    int64_t exponent;
} Decimal;

// A natural number, lowest word first. The highest word is never 0; zero has no words.
typedef struct Big {
    int size;
    uint32_t word[MAX_WORDS];
} Big;

// ---- scanning -----------------------------------------------------------------------------------

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Scan digits with at most one point. @return the character after them, or NULL without a digit
static const char* scan_digits(const char* p, const char* end, Decimal* d)
{
    bool any = false;
    bool point = false;
    for (; p < end && (is_digit(*p) || (*p == '.' && !point)); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        any = true;
        d->exponent -= point;
        if (d->count == 0 && *p == '0') {
            continue;
        }
        if (d->count == 0) {
            d->first = p;
        }
        if (d->count < SHORT_DIGITS) {
            d->lead = 10 * d->lead + (uint64_t)(*p - '0');
        }
        d->count++;
    }
    return any ? p : NULL;
}

// Scan the exponent. An 'e' without digits does not belong to the number. @return the character after
// the number
static const char* scan_exponent(const char* p, const char* end, Decimal* d)
{
    const char* c = p;
    if (c == end || (*c != 'e' && *c != 'E')) {
        return p;
    }
    c++;
    const bool negative = c < end && *c == '-';
    if (c < end && (*c == '-' || *c == '+')) {
        c++;
    }
    if (c == end || !is_digit(*c)) {
        return p;
    }

    // larger exponents than any text can balance all mean overflow or zero
    const int64_t plenty = INT64_C(1) << 58;
    int64_t exponent = 0;
    for (; c < end && is_digit(*c); c++) {
        if (exponent < plenty) {
            exponent = 10 * exponent + (*c - '0');
        }
    }
    d->exponent += negative ? -exponent : exponent;
    return c;
}

// ---- natural numbers ----------------------------------------------------------------------------

static void big_set(Big* x, uint64_t value)
{
    x->size = 0;
    for (; value > 0; value >>= 32) {
        x->word[x->size++] = (uint32_t)value;
    }
}

// x = x factor + term
static void big_multiply_add(Big* x, uint32_t factor, uint32_t term)
{
    uint64_t carry = term;
    for (int i = 0; i < x->size; i++) {
        carry += (uint64_t)x->word[i] * factor;
        x->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry > 0) {
        x->word[x->size++] = (uint32_t)carry;
    }
}

static void big_multiply_power_of_5(Big* x, int power)
{
    // 5^13 is the largest that fits a word
    for (; power >= 13; power -= 13) {
        big_multiply_add(x, 1220703125, 0);
    }
    uint32_t factor = 1;
    for (; power > 0; power--) {
        factor *= 5;
    }
    big_multiply_add(x, factor, 0);
}

static int leading_zeros(uint64_t x)
{
    int zeros = 0;
    for (int step = 32; step > 0; step /= 2) {
        if (x >> (64 - step) == 0) {
            x <<= step;
            zeros += step;
        }
    }
    return zeros;
}

// Position of the highest bit, counted from 1; x is not zero.
static int big_bits(const Big* x)
{
    return 32 * x->size + 32 - leading_zeros(x->word[x->size - 1]);
}

// x = x 2^shift
static void big_shift_left(Big* x, int shift)
{
    const int words = shift / 32;
    memmove(x->word + words, x->word, (size_t)x->size * sizeof x->word[0]);
    memset(x->word, 0, (size_t)words * sizeof x->word[0]);
    x->size += words;
    big_multiply_add(x, UINT32_C(1) << shift % 32, 0);
}

// u -= q v for the v->size + 1 words at u. @return whether the result is negative (and wrapped)
static bool subtract_product(uint32_t* u, const Big* v, uint32_t q)
{
    uint64_t carry = 0;
    uint64_t borrow = 0;
    for (int i = 0; i < v->size; i++) {
        carry += (uint64_t)q * v->word[i];
        const uint64_t difference = (uint64_t)u[i] - (uint32_t)carry - borrow;
        u[i] = (uint32_t)difference;
        borrow = difference >> 63;
        carry >>= 32;
    }
    const uint64_t difference = (uint64_t)u[v->size] - carry - borrow;
    u[v->size] = (uint32_t)difference;
    return difference >> 63 != 0;
}

// u += v for the v->size + 1 words at u. @return whether the sum wrapped back to >= 0
static bool add_back(uint32_t* u, const Big* v)
{
    uint64_t carry = 0;
    for (int i = 0; i < v->size; i++) {
        carry += (uint64_t)u[i] + v->word[i];
        u[i] = (uint32_t)carry;
        carry >>= 32;
    }
    carry += u[v->size];
    u[v->size] = (uint32_t)carry;
    return carry >> 32 != 0;
}

// One word of a quotient, by long division: u = u - q v for the v->size + 1 words at u. With the
// highest bit of v set the guess from the leading words is at most 2 too large (Knuth, The Art of
// Computer Programming 2, 4.3.1).
static uint32_t divide_word(uint32_t* u, const Big* v)
{
    const uint64_t lead = (uint64_t)u[v->size] << 32 | u[v->size - 1];
    uint64_t q = lead / v->word[v->size - 1];
    if (q > UINT32_MAX) {
        q = UINT32_MAX;
    }
    bool below = subtract_product(u, v, (uint32_t)q);
    while (below) {
        q--;
        below = !add_back(u, v);
    }
    return (uint32_t)q;
}

// ---- rounding -----------------------------------------------------------------------------------

// The double nearest to (q + rest) 2^p, with q > 0. Of the rest in [0, 1) only zero or not is known.
// A q of less than 55 bits is exact (rest is zero). @return false when it overflows
static bool round_to_double(uint64_t q, bool rest, int p, double* value)
{
    // shifted up, q is 1.xxx 2^exponent
    const int zeros = leading_zeros(q);
    const uint64_t top = q << zeros;
    const int exponent = p - zeros + 63;

    // 53 bits remain; fewer below 2^-1022, where the last bit is always 2^-1074
    const int lowest = -1022;
    const int drop = exponent >= lowest ? 11 : 11 + lowest - exponent;
    if (drop > 64) {
        *value = 0.0;
        return true;
    }
    uint64_t kept = drop < 64 ? top >> drop : 0;
    const uint64_t lost = drop < 64 ? top << (64 - drop) : top;
    const uint64_t half = UINT64_C(1) << 63;
    if (lost > half || (lost == half && (rest || kept % 2 == 1))) {
        kept++;
    }

    // the leading bit of `kept` adds 1 to the exponent field, and so does a carry out of it
    const uint64_t field = exponent > lowest ? (uint64_t)(exponent - lowest) : 0;
    const uint64_t bits = (field << 52) + kept;
    if (bits >= UINT64_C(0x7ff) << 52) {
        return false;
    }
    memcpy(value, &bits, sizeof bits);
    return true;
}

// D 5^e 2^e with e >= 0: the leading 64 bits of D 5^e.
static bool round_product(Big* D, int e, bool rest, double* value)
{
    big_multiply_power_of_5(D, e);
    const int below = big_bits(D) - 64;
    if (below <= 0) {
        const uint64_t high = D->size > 1 ? D->word[1] : 0;
        return round_to_double(high << 32 | D->word[0], rest, e, value);
    }

    uint64_t q = 0;
    for (int bit = 63; bit >= 0; bit -= 32) {
        // 32 bits that end at bit `last` of D
        const int last = below + bit - 31;
        const uint64_t low = D->word[last / 32];
        const uint64_t high = last / 32 + 1 < D->size ? D->word[last / 32 + 1] : 0;
        q = q << 32 | (uint32_t)((high << 32 | low) >> last % 32);
    }
    for (int i = 0; i < below / 32; i++) {
        rest = rest || D->word[i] != 0;
    }
    rest = rest || (D->word[below / 32] & ((UINT32_C(1) << below % 32) - 1)) != 0;
    return round_to_double(q, rest, below + e, value);
}

// D 5^-k 2^-k with k > 0: D and 5^k are shifted so that the quotient has 63 or 64 bits.
static bool round_quotient(Big* D, int k, bool rest, double* value)
{
    Big V;
    big_set(&V, 1);
    big_multiply_power_of_5(&V, k);

    // shift V until its highest bit is set, and by whole words if D is more than 63 bits longer
    int v_shift = 32 * V.size - big_bits(&V);
    const int excess = big_bits(D) - 32 * V.size - 63;
    if (excess > 0) {
        v_shift += (excess + 31) / 32 * 32;
    }
    big_shift_left(&V, v_shift);
    const int shift = 32 * V.size + 63 - big_bits(D);
    big_shift_left(D, shift);

    // now D has V.size + 2 words and is less than V 2^64
    const uint64_t high = divide_word(D->word + 1, &V);
    const uint64_t low = divide_word(D->word, &V);
    for (int i = 0; i < V.size; i++) {
        rest = rest || D->word[i] != 0;
    }
    return round_to_double(high << 32 | low, rest, v_shift - shift - k, value);
}

// Read the first MAX_DIGITS digits. @return whether another digit is not zero
static bool digits_to_big(const Decimal* d, Big* D)
{
    big_set(D, 0);
    const char* p = d->first;
    int64_t taken = 0;
    for (; taken < d->count && taken < MAX_DIGITS; p++) {
        if (*p != '.') {
            big_multiply_add(D, 10, (uint32_t)(*p - '0'));
            taken++;
        }
    }
    for (; taken < d->count; p++) {
        if (*p != '.') {
            if (*p != '0') {
                return true;
            }
            taken++;
        }
    }
    return false;
}

// ---- the three cases ----------------------------------------------------------------------------

// D and the power of ten are exact doubles, so one operation rounds correctly.
static bool convert_short(const Decimal* d, double* value)
{
    static const double power_of_10[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const bool usable = FLT_EVAL_METHOD == 0 && d->count <= SHORT_DIGITS &&
                        d->lead <= UINT64_C(1) << 53 && d->exponent >= -22 && d->exponent <= 22;
    if (usable && d->exponent >= 0) {
        *value = (double)d->lead * power_of_10[d->exponent];
    } else if (usable) {
        *value = (double)d->lead / power_of_10[-d->exponent];
    }
    return usable;
}

static bool convert_long(const Decimal* d, double* value)
{
    Big D;
    bool rest = false;
    int64_t exponent = d->exponent;
    if (d->count <= SHORT_DIGITS) {
        big_set(&D, d->lead);
    } else {
        rest = digits_to_big(d, &D);
        exponent += d->count > MAX_DIGITS ? d->count - MAX_DIGITS : 0;
    }
    return exponent >= 0 ? round_product(&D, (int)exponent, rest, value)
                         : round_quotient(&D, (int)-exponent, rest, value);
}

static bool convert(const Decimal* d, double* value)
{
    // the number is in [10^(scale - 1), 10^scale)
    const int64_t scale = d->count + d->exponent;
    if (d->count == 0 || scale < MIN_SCALE) {
        *value = 0.0;
        return true;
    }
    if (scale > MAX_SCALE) {
        return false;
    }
    return convert_short(d, value) || convert_long(d, value);
}

const char* ut_number_read(const char* begin, const char* end, double* value)
{
    Decimal d = {0};
    const char* p = begin;
    if (p < end && (*p == '-' || *p == '+')) {
        d.negative = *p == '-';
        p++;
    }
    p = scan_digits(p, end, &d);
    if (p == NULL) {
        return NULL;
    }
    p = scan_exponent(p, end, &d);

    double magnitude;
    if (!convert(&d, &magnitude)) {
        return NULL;
    }
    *value = d.negative ? -magnitude : magnitude;
    return p;
}
