// SPDX-License-Identifier: Apache-2.0
// Numbers in words that fit a label.

/** A number with up to `digits` significant digits, without trailing zeros. */
export function number(x, digits = 6) {
    if (!Number.isFinite(x)) return String(x);
    if (x === 0) return '0';
    const size = Math.abs(x);
    if (size < 1e-4 || size >= 10 ** Math.max(digits, 6)) return exponent(x, Math.min(digits, 3));
    return String(Number(x.toPrecision(digits)));
}

/** 2e-11, 1.5e-8: mantissa without trailing zeros. */
export function exponent(x, digits = 2) {
    if (!Number.isFinite(x)) return String(x);
    if (x === 0) return '0';
    const [mantissa, power] = x.toExponential(digits - 1).split('e');
    return `${Number(mantissa)}e${Number(power)}`;
}

/** Labels of a logarithmic axis: 10⁻⁸. */
export function power(x) {
    if (!(x > 0)) return '';
    const p = Math.round(Math.log10(x));
    if (Math.abs(Math.log10(x) - p) > 1e-6) return '';
    return `10${String(p).replace(/[-0-9]/g, (c) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[c] ?? '⁻')}`;
}

export const seconds = (t) => `${t.toFixed(t < 100 ? 3 : 1)} s`;

/** 1.2 MB, 340 kB. */
export function bytes(n) {
    return n >= 1e6 ? `${(n / 1e6).toFixed(1)} MB` : n >= 1000 ? `${Math.round(n / 1000)} kB` : `${n} B`;
}
