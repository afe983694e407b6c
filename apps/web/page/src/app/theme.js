// SPDX-License-Identifier: Apache-2.0
// Light or dark: the system's choice, until the switch is used.
const KEY = 'uptack-theme';
const system = matchMedia('(prefers-color-scheme: dark)');
let chosen = null;
try {
    chosen = localStorage.getItem(KEY);
} catch {
    /* a page without storage follows the system */
}

export const theme = () => chosen ?? (system.matches ? 'dark' : 'light');

function apply() {
    document.documentElement.dataset.theme = theme();
    dispatchEvent(new Event('themechange'));
}

export function toggleTheme() {
    chosen = theme() === 'dark' ? 'light' : 'dark';
    try {
        localStorage.setItem(KEY, chosen);
    } catch {
        /* as above */
    }
    apply();
}

system.addEventListener('change', apply);
apply();
