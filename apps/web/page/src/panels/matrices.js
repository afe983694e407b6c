// SPDX-License-Identifier: Apache-2.0
// The last step's system: as M, q, z, w, and in a paper's notation with the names of bodies, joints and contacts.
import { el, check, choice, field, button, fill } from '../app/dom.js';
import { number } from '../app/format.js';
import { save } from '../app/capture.js';

const notations = [
    ['lcp', 'M, q, z, w of the step'],
    ['berard', 'Berard'],
    ['dart', 'Tan, Siu, Liu'],
    ['dart-full', 'Tan, Siu, Liu, all unknowns'],
    ['igms', 'Son, Trinkle, Amato'],
    ['pfrommer', 'Pfrommer'],
    ['peiret', 'Peiret and others'],
    ['peiret-lcp', 'Peiret, as an LCP'],
];
const MOST = 64; // rows that are written out; larger matrices are drawn as dots

// letters as the papers print them
const greek = {
    nu: 'ν',
    rho: 'ρ',
    sigma: 'σ',
    beta: 'β',
    lambda: 'λ',
    zeta: 'ζ',
    kappa: 'κ',
    Phi: 'Φ',
    Psi: 'Ψ',
    psi: 'ψ',
    mu: 'μ',
    tau: 'τ',
    theta: 'θ',
};
export function letters(name) {
    return name
        .replace(
            /\b(nu|rho|sigma|beta|lambda|zeta|kappa|Phi|Psi|psi|mu|tau|theta)(?=[\b_'^+\-\/ ]|$)/g,
            (word) => greek[word] ?? word,
        )
        .replace(/vdot/g, 'v̇')
        .replace(/xdot/g, 'ẋ')
        .replace(/qdot/g, 'q̇');
}

/** A letter with its subscript as markup: p_n becomes p with a small n. */
function named(name) {
    const words = letters(name);
    if (!/_/.test(words)) return [words];
    return words
        .split(/(_\{[^}]*\}|_[A-Za-z0-9+\-]+)/)
        .map((part) => (part.startsWith('_') ? el('sub', {}, part.replace(/^_\{?|\}$/g, '')) : part));
}

const shown = (x) => (Math.abs(x) < 1e-12 ? '0' : number(x, 4));

// a column's head has no room for the names of both geoms: 1 left/floor +t becomes 1 +t
const short = (name) => name.replace(/(\d+) \S*\/\S*/, '$1');

function cell(x, extra = '') {
    const text = shown(x);
    return el(
        'td',
        { class: `${text === '0' ? 'zero' : x < 0 ? 'neg' : ''} ${extra}`.trim(), title: String(x) },
        text === '0' ? '·' : text,
    );
}

// rows with names; `bars`: indices before which a line stands
function table(rows, columns, values, { rowBars = [], columnBars = [], more = [] } = {}) {
    const bar = (list, i) => (list.includes(i) ? 'bar' : '');
    return el(
        'div',
        { class: 'matrix-scroll', tabindex: '0' },
        el(
            'table',
            { class: 'matrix' },
            columns &&
                el(
                    'thead',
                    {},
                    el(
                        'tr',
                        {},
                        el('th', {}),
                        columns.map((name, j) => el('th', { class: bar(columnBars, j) }, named(name))),
                    ),
                ),
            el(
                'tbody',
                {},
                values.map((row, i) =>
                    el(
                        'tr',
                        { class: bar(rowBars, i) },
                        el('th', { scope: 'row' }, named(rows[i] ?? '')),
                        row.map((x, j) => cell(x, bar(columnBars, j))),
                        more.map((column) => el('td', { class: 'bar' }, column[i])),
                    ),
                ),
            ),
        ),
    );
}

// a large matrix as a picture: dark where entries are not zero
function dots(values) {
    const n = values.length,
        m = values[0]?.length ?? 0;
    const canvas = el('canvas', {
        width: String(m),
        height: String(n),
        role: 'img',
        'aria-label': `${n} by ${m} matrix; a point for each entry that is not zero`,
        style: `width:${Math.min(320, m * 4)}px;image-rendering:pixelated;border:1px solid var(--line)`,
    });
    const ink = canvas.getContext('2d');
    const picture = ink.createImageData(m, n);
    const dark = document.documentElement.dataset.theme === 'dark';
    for (let i = 0; i < n; i++) {
        for (let j = 0; j < m; j++) {
            const x = values[i][j];
            if (Math.abs(x) < 1e-12) continue;
            picture.data.set(
                x > 0 ? (dark ? [86, 180, 233, 255] : [0, 114, 178, 255]) : [213, 94, 0, 255],
                4 * (i * m + j),
            );
        }
    }
    ink.putImageData(picture, 0, 0);
    return canvas;
}

const matrix = (rows, columns, values, more) =>
    values.length > MOST ? dots(values) : table(rows, columns, values, more);

/** Any form of a matrix as rows. */
function rowsOf(M, n) {
    if (M.length === 0 || Array.isArray(M[0]) || ArrayBuffer.isView(M[0])) return [...M].map((row) => [...row]);
    return Array.from({ length: n }, (_, i) => [...M.slice(i * n, (i + 1) * n)]);
}

function lcpView(lcp) {
    const n = lcp.q.length;
    const names = lcp.names ?? lcp.rows ?? Array.from({ length: n }, (_, i) => `${i + 1}`);
    const M = rowsOf(lcp.M, n);
    const on = (z) => el('span', { class: Math.abs(z) > 1e-12 ? 'mono' : 'dim' }, shown(z));
    const vectors = el(
        'div',
        { class: 'matrix-scroll', tabindex: '0' },
        el(
            'table',
            { class: 'matrix', id: 'lcp-vectors' },
            el(
                'thead',
                {},
                el(
                    'tr',
                    {},
                    ['', 'q', 'z', 'w', 'z w'].map((word) => el('th', {}, word)),
                ),
            ),
            el(
                'tbody',
                {},
                Array.from({ length: Math.min(n, 400) }, (_, i) =>
                    el(
                        'tr',
                        {},
                        el('th', { scope: 'row' }, letters(names[i])),
                        cell(lcp.q[i]),
                        el('td', { class: lcp.z[i] > 1e-12 ? 'on' : 'zero', title: String(lcp.z[i]) }, on(lcp.z[i])),
                        el('td', { class: lcp.w[i] > 1e-12 ? 'on' : 'zero', title: String(lcp.w[i]) }, on(lcp.w[i])),
                        el('td', { class: 'zero' }, (lcp.z[i] * lcp.w[i]).toExponential(0)),
                    ),
                ),
            ),
        ),
    );
    return [
        el(
            'div',
            { class: 'equation' },
            `w = M z + q,   0 ≤ z ⊥ w ≥ 0     ${n} unknowns${lcp.free ? `, the first ${lcp.free} free` : ''}`,
        ),
        vectors,
        n ? [el('h3', {}, `M, ${n} × ${n}`), matrix(names, names, M)] : [],
    ];
}

/** The block equation of a paper: unknowns and slacks by name. */
function head(system) {
    const bilateral = (part) => part.slack === '0';
    const left = system.parts.map((part) => letters(part.slack)),
        right = system.parts.map((part) => letters(part.unknown));
    const complementary = system.parts.filter((part) => !bilateral(part));
    return [
        `(${left.join(', ')}) = A (${right.join(', ')}) + b`,
        complementary.length
            ? `0 ≤ (${complementary.map((part) => letters(part.slack)).join(', ')}) ⊥ (${complementary.map((part) => letters(part.unknown)).join(', ')}) ≥ 0`
            : '',
    ]
        .filter(Boolean)
        .join('\n');
}

function systemView(system) {
    const bars = system.parts.map((part) => part.start).filter((start) => start > 0);
    const names = system.parts.flatMap((part) => part.names.map((name) => name));
    return [
        el(
            'p',
            {},
            el('b', {}, system.paper),
            `, ${system.title}, ${/^\d/.test(system.equation) ? 'Eq. ' : ''}${system.equation}; step ${system.step}, t = ${number(system.time, 6)} s, h = ${system.h} s`,
        ),
        el('div', { class: 'equation' }, head(system)),
        el(
            'div',
            { class: 'blocks' },
            system.parts.map((part) =>
                el(
                    'div',
                    {},
                    el(
                        'h3',
                        {},
                        named(part.unknown),
                        part.slack === '0' ? ', free' : [' ⊥ ', named(part.slack)],
                        el('span', { class: 'dim' }, ` ${part.unit}`),
                    ),
                    part.size > 400
                        ? el('p', { class: 'dim' }, `${part.size} values`)
                        : table(
                              part.names,
                              [part.unknown, ...(part.slack === '0' ? [] : [part.slack])],
                              part.z.map((z, i) => (part.slack === '0' ? [z] : [z, part.w[i]])),
                          ),
                ),
            ),
        ),
        el(
            'h3',
            {},
            `A and b, ${system.size} × ${system.size}${system.rank !== undefined && system.rank !== null ? `, rank ${system.rank}` : ''}${Number.isFinite(system.condition) ? `, condition ${number(system.condition, 4)}` : ''}`,
        ),
        system.size > MOST
            ? dots(system.A)
            : table(
                  names,
                  [...names, 'b'],
                  system.A.map((row, i) => [...row, system.b[i]]),
                  { rowBars: bars, columnBars: [...bars, system.size] },
              ),
        el(
            'details',
            { open: system.size <= 30 },
            el('summary', {}, 'Blocks of the print'),
            el(
                'div',
                { class: 'blocks' },
                Object.entries(system.blocks).map(([name, block]) =>
                    el(
                        'div',
                        {},
                        el(
                            'h3',
                            {},
                            named(name),
                            block.equation ? ` (${block.equation})` : '',
                            el('span', { class: 'dim' }, block.unit ? ` ${block.unit}` : ''),
                        ),
                        Array.isArray(block.values[0])
                            ? matrix(block.rows, block.columns, block.values)
                            : table(
                                  block.rows,
                                  null,
                                  block.values.map((x) => [x]),
                              ),
                    ),
                ),
            ),
        ),
        system.readings?.length > 0 &&
            el(
                'details',
                {},
                el('summary', {}, 'How the print is read'),
                el(
                    'ul',
                    { class: 'small' },
                    system.readings.map((line) => el('li', {}, letters(line))),
                ),
            ),
    ];
}

export function matricesPanel(app) {
    let notation = 'lcp',
        live = true,
        busy = false,
        stale = true,
        last = null;
    const body = el('div', { id: 'matrices' });
    const node = el(
        'div',
        {},
        field(
            'Notation',
            choice(
                'Notation',
                notations,
                notation,
                (value) => {
                    notation = value;
                    refresh(true);
                },
                { id: 'notation' },
            ),
        ),
        el(
            'div',
            { class: 'row' },
            check(
                'Live',
                live,
                (on) => {
                    live = on;
                    refresh(true);
                },
                { title: 'Follows the run, four times a second' },
            ),
            button('Save as JSON', {
                text: 'Save JSON',
                onclick: () =>
                    last && save(new Blob([JSON.stringify(last)], { type: 'application/json' }), `${notation}.json`),
            }),
        ),
        body,
    );

    async function refresh(now) {
        if (!node.isConnected || !app.description || (!now && !live)) return;
        stale = true;
        if (busy) return;
        busy = true;
        while (stale && node.isConnected) {
            stale = false;
            await draw();
            if (app.running) await new Promise((resolve) => setTimeout(resolve, 250));
        }
        busy = false;
    }

    async function draw() {
        const wanted = notation;
        try {
            const answer = await (wanted === 'lcp' ? app.engine.lcp() : app.engine.system(wanted));
            if (wanted !== notation) return;
            last = typeof answer === 'string' ? JSON.parse(answer) : answer;
            const at = body.querySelector('.matrix-scroll:last-of-type')?.scrollLeft ?? 0;
            fill(body, (wanted === 'lcp' ? lcpView(last) : systemView(last)).flat(9));
            const again = body.querySelector('.matrix-scroll:last-of-type');
            if (again) again.scrollLeft = at;
        } catch (error) {
            last = null;
            fill(
                body,
                el('p', { class: 'dim', id: 'matrix-none' }, String(error.message ?? error)),
                el(
                    'p',
                    { class: 'dim small' },
                    'A step must have been made, and the notation must apply to it. The teaching examples are ' +
                        'in the gallery under Pfrommer and Berard.',
                ),
            );
        }
    }

    app.on('frame', () => refresh(false));
    app.on('load', () => refresh(true));
    return {
        node,
        show: () => refresh(true),
        wide: true,
        get last() {
            return last;
        },
    };
}
