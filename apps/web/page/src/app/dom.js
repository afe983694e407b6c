// SPDX-License-Identifier: Apache-2.0
// Elements in one line each, and the few widgets that panels share.
import { number } from './format.js';

/** An element with properties (`class`, `on…` listeners, others as attributes or properties) and children. */
export function el(tag, props = {}, ...children) {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(props)) {
        if (value === undefined || value === null || value === false) continue;
        if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
        else if (key === 'class') node.className = value;
        else if (key === 'html') node.innerHTML = value;
        else if (key in node && typeof value !== 'string') node[key] = value;
        else node.setAttribute(key, value === true ? '' : value);
    }
    node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
    return node;
}

const paths = {
    play: '<path d="M7 4.5v15l12-7.5z" fill="currentColor"/>',
    pause: '<path d="M7 4.5h3.6v15H7zM13.4 4.5H17v15h-3.6z" fill="currentColor"/>',
    next: '<path d="M5 5v14l9-7z" fill="currentColor"/><path d="M16 5h3v14h-3z" fill="currentColor"/>',
    back: '<path d="M19 5v14l-9-7z" fill="currentColor"/><path d="M5 5h3v14H5z" fill="currentColor"/>',
    reset: '<path d="M5 4v6h6M5.6 15.5A7.5 7.5 0 1 0 6 8.2L5 10"/>',
    check: '<path d="M4.5 12.5 10 18 19.5 6.5" stroke-width="3"/>',
    cross: '<path d="M6 6l12 12M18 6 6 18" stroke-width="3"/>',
    minus: '<path d="M6 12h12" stroke-width="3"/>',
    controls:
        '<path d="M4 7h9M19 7h1M4 17h2M12 17h8"/><circle cx="16" cy="7" r="2.6"/><circle cx="9" cy="17" r="2.6"/>',
    eye:
        '<path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z"/><circle cx="12" ' +
        'cy="12" r="2.8"/>',
    plot: '<path d="M4 4v16h16M7.5 15l3.5-5 3.5 3 4.5-7"/>',
    matrix: '<path d="M7 4H4v16h3M17 4h3v16h-3M9 9h1M14 9h1M9 15h1M14 15h1"/>',
    compare: '<path d="M12 3v18M4 7h5v10H4zM15 7h5v10h-5z"/>',
    file: '<path d="M6 3h8l5 5v13H6zM14 3v5h5M9 13h7M9 17h5"/>',
    open: '<path d="M3 7a2 2 0 0 1 2-2h4l2 2.5h8a2 2 0 0 1 2 2V18a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z"/>',
    share:
        '<circle cx="6" cy="12" r="2.6"/><circle cx="18" cy="6" r="2.6"/><circle cx="18" cy="18" ' +
        'r="2.6"/><path d="m8.4 10.8 7.2-3.6M8.4 13.2l7.2 3.6"/>',
    camera: '<path d="M3 8h4l2-3h6l2 3h4v11H3z"/><circle cx="12" cy="13" r="3.6"/>',
    sun:
        '<circle cx="12" cy="12" r="4.2"/><path d="M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 ' +
        '2M7 17l-2 2"/>',
    moon: '<path d="M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z"/>',
    help: '<circle cx="12" cy="12" r="9"/><path d="M9.3 9.3a2.8 2.8 0 1 1 4 2.6c-1 .5-1.3 1-1.3 2M12 17v.2"/>',
    grid: '<path d="M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z"/>',
    hand:
        '<path d="M8 12V6a1.5 1.5 0 0 1 3 0v5-7a1.5 1.5 0 0 1 3 0v7-5a1.5 1.5 0 0 1 3 0v8c0 4-2.5 7-6 7-3 ' +
        '0-4.5-2-5.5-4L4 13.5c-.6-1.5 1.4-2.5 2.3-1.2z"/>',
    menu: '<path d="M4 6.5h16M4 12h16M4 17.5h16"/>',
    fit: '<path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5"/><circle cx="12" cy="12" r="3"/>',
    flag: '<path d="M6 21V4M6 4h11l-2 4 2 4H6"/>',
};

/** An icon of 24 x 24, drawn in the colour of the text. */
export function icon(name) {
    const node = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    node.setAttribute('viewBox', '0 0 24 24');
    node.setAttribute('aria-hidden', 'true');
    for (const [key, value] of Object.entries({
        fill: 'none',
        stroke: 'currentColor',
        'stroke-width': '1.9',
        'stroke-linecap': 'round',
        'stroke-linejoin': 'round',
    }))
        node.setAttribute(key, value);
    node.innerHTML = paths[name] ?? '';
    return node;
}

/** A button with an icon, words or both; `label` is what a screen reader and the tooltip say. */
export function button(label, { icon: name, text, onclick, class: kind, pressed, id, key } = {}) {
    const title = key ? `${label} (${key})` : label;
    return el(
        'button',
        {
            type: 'button',
            class: kind,
            onclick,
            id,
            title,
            'aria-label': label,
            'aria-pressed': pressed === undefined ? undefined : String(pressed),
        },
        name && icon(name),
        text && el('span', {}, text),
    );
}

/** A check box with its words; `change` gets the new boolean. */
export function check(label, value, change, { title, id } = {}) {
    const input = el('input', { type: 'checkbox', id, checked: value, onchange: () => change(input.checked) });
    return el('label', { class: 'check', title }, input, label);
}

/** A list of choices; entries are strings or [value, words]. */
export function choice(label, entries, value, change, { id, title } = {}) {
    const select = el(
        'select',
        { id, 'aria-label': label, title, onchange: () => change(select.value) },
        entries.map((entry) => {
            const [key, words] = Array.isArray(entry) ? entry : [entry, entry];
            return el('option', { value: String(key), selected: String(key) === String(value) }, String(words));
        }),
    );
    return select;
}

/** A row of a form. */
export function field(label, input) {
    if (!input.id) input.id = `field-${(field.count = (field.count ?? 0) + 1)}`;
    return el('div', { class: 'field' }, el('label', { for: input.id, title: label }, label), input);
}

/** A slider beside its number; `change(value)` comes with every move, at most once a frame. */
export function slider(label, { value, min, max, step, title, id }, change) {
    let waiting = null;
    const tell = (next) => {
        if (waiting === null)
            requestAnimationFrame(() => {
                const v = waiting;
                waiting = null;
                change(v);
            });
        waiting = next;
    };
    const range = el('input', {
        type: 'range',
        id,
        'aria-label': label,
        min: String(min),
        max: String(max),
        step: String(step ?? 'any'),
        oninput: () => {
            text.value = number(Number(range.value));
            tell(Number(range.value));
        },
    });
    const text = el('input', {
        type: 'text',
        inputmode: 'decimal',
        'aria-label': `${label}, as a number`,
        onchange: () => {
            const next = Number(text.value.replace(',', '.'));
            if (!Number.isFinite(next) || text.value.trim() === '') {
                text.value = number(Number(range.value));
                return;
            }
            if (next < Number(range.min)) range.min = String(next);
            if (next > Number(range.max)) range.max = String(next);
            range.value = String(next);
            tell(next);
        },
    });
    range.value = String(value);
    text.value = number(value);
    const node = el('div', { class: 'slider', title }, el('label', {}, label), range, text);
    node.show = (next) => {
        if (document.activeElement === text || document.activeElement === range) return;
        range.value = String(next);
        text.value = number(next);
    };
    return node;
}

/** Replaces all children, but only where something changes. */
export function fill(node, ...children) {
    node.replaceChildren(
        ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
    );
    return node;
}

/** Sets a text only where it changes, so that a busy page is not laid out again for nothing. */
export function say(node, text) {
    if (node.textContent !== text) node.textContent = text;
}
