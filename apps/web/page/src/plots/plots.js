// SPDX-License-Identifier: Apache-2.0
// Plots of the run: E, energy, gaps, impulses and any coordinate, drawn with uPlot from the series. They follow the
// seek
// bar with a line at the present time, and a click goes to the time below it.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { el, button, choice, fill, say } from '../app/dom.js';
import { number, exponent, power } from '../app/format.js';
import { theme } from '../app/theme.js';
import { SERIES } from '../view/colours.js';
import * as frames from '../app/frames.js';

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const inks = () => SERIES[theme()];

/** Plots to begin with; `keys` are columns of the series. */
const standard = [
    { id: 'E', title: 'E: error of the contact law', keys: ['E'], log: true, limit: true },
    { id: 'energy', title: 'Energy', unit: 'J', keys: ['energy', 'kinetic'], names: ['total', 'kinetic'] },
    {
        id: 'impulses',
        title: 'Impulses per step',
        unit: 'N s',
        keys: ['impulse', 'friction'],
        names: ['normal', 'friction'],
    },
    { id: 'gaps', title: 'Smallest gap', unit: 'm', keys: ['gap'] },
];
const E_FLOOR = 1e-17; // where E = 0 is drawn

function options(plot, width, app) {
    const colours = inks();
    const axis = {
        stroke: css('--dim'),
        grid: { stroke: css('--line'), width: 1 },
        ticks: { stroke: css('--line'), width: 1 },
        font: '11px system-ui, sans-serif',
    };
    const y = plot.log
        ? { distr: 3, log: 10, range: () => [E_FLOOR, 1] }
        : { range: (u, low, high) => (low === null || high === null ? [-1, 1] : padded(low, high)) };
    return {
        width,
        height: 148,
        legend: { show: false },
        padding: [8, 10, 0, 0],
        cursor: {
            drag: { x: false, y: false },
            points: { show: false },
            y: false,
            bind: { mousedown: (u) => () => goTo(u, app) },
        },
        scales: { x: { time: false }, y },
        axes: [
            { ...axis, size: 24, gap: 2, space: 60, values: (u, ticks) => ticks.map((t) => number(t, 4)) },
            // uPlot prints small numbers of a logarithmic axis as 0
            {
                ...axis,
                size: 58,
                gap: 3,
                ...(plot.log
                    ? { splits: () => [1e-16, 1e-12, 1e-8, 1e-4, 1], filter: (u, ticks) => ticks }
                    : { space: 26 }),
                values: (u, ticks) => ticks.map((v) => (v === null ? null : plot.log ? power(v) : number(v, 3))),
            },
        ],
        series: [
            {},
            ...plot.keys.map((key, i) => ({
                label: plot.names?.[i] ?? key,
                stroke: colours[i % colours.length],
                width: 1.6,
                dash: i === 1 ? [6, 3] : undefined,
                points: { show: false },
            })),
        ],
        hooks: { draw: [(u) => marks(u, plot, app)] },
    };
}

function padded(low, high) {
    const middle = (low + high) / 2;
    const half = Math.max(((high - low) / 2) * 1.08, Math.abs(middle) * 1e-9, 1e-12);
    return [middle - half, middle + half];
}

// the present time, and the limit of E
function marks(u, plot, app) {
    const { ctx, bbox } = u;
    ctx.save();
    ctx.lineWidth = devicePixelRatio;
    if (plot.limit) {
        const y = u.valToPos(app.description?.tolerance ?? 1e-8, 'y', true);
        ctx.strokeStyle = css('--bad');
        ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
        ctx.beginPath();
        ctx.moveTo(bbox.left, y);
        ctx.lineTo(bbox.left + bbox.width, y);
        ctx.stroke();
    }
    if (app.frame) {
        const x = u.valToPos(frames.time(app.frame), 'x', true);
        if (x >= bbox.left && x <= bbox.left + bbox.width) {
            ctx.strokeStyle = css('--text');
            ctx.setLineDash([]);
            ctx.beginPath();
            ctx.moveTo(x, bbox.top);
            ctx.lineTo(x, bbox.top + bbox.height);
            ctx.stroke();
        }
    }
    ctx.restore();
}

// the state of the history nearest to the pointer's time
function goTo(u, app) {
    const t = u.posToVal(u.cursor.left, 'x');
    const { index, count } = app.state;
    const now = app.frame ? frames.time(app.frame) : 0;
    const step = app.description.dt || 1e-3;
    app.seek(Math.max(0, Math.min(count - 1, index + Math.round((t - now) / step))));
}

export class Plots {
    constructor(app) {
        this.app = app;
        this.node = el('div', { id: 'plots' });
        this.list = el('div', {});
        this.adder = el('div', {});
        this.chosen = [];
        this.wide = true;
        fill(
            this.node,
            el('p', { class: 'dim small' }, 'The line is the present. Click to go to a time.'),
            this.list,
            this.adder,
        );
        this.#rebuild();
        app.on('load', () => this.#rebuild());
        app.on('frame', () => this.#soon());
        app.on('state', () => this.#soon());
        addEventListener('themechange', () => this.#rebuild());
        new ResizeObserver(() => this.#resize()).observe(this.node);
    }

    show() {
        this.#rebuild();
    }

    /** Plots one more column. */
    add(key) {
        if (!this.app.series.index.has(key)) return;
        if (!this.chosen.includes(key)) this.chosen.push(key);
        this.#rebuild();
    }

    /** Points of a plot, for tests: {x, y: [...]} of what is drawn. */
    drawn(id) {
        const found = this.plots.find((plot) => plot.def.id === id);
        return found ? found.chart.data.map((array) => [...array]) : null;
    }

    #rebuild() {
        for (const plot of this.plots ?? []) plot.chart.destroy();
        this.plots = [];
        const { series } = this.app;
        const own = this.chosen
            .filter((key) => series.index.has(key))
            .map((key) => {
                const column = series.columns[series.index.get(key)];
                return { id: key, title: column.label, unit: column.unit, keys: [key], own: true };
            });
        const width = this.#width();
        this.plots = [...standard, ...own].map((def) => this.#plot(def, width));
        fill(
            this.list,
            this.plots.map((plot) => plot.node),
        );
        fill(
            this.adder,
            el(
                'div',
                { class: 'field' },
                el('label', {}, 'Plot also'),
                choice(
                    'Plot also',
                    [['', 'choose …'], ...series.columns.slice(1).map((column) => [column.key, column.label])],
                    '',
                    (key) => {
                        if (key) this.add(key);
                    },
                    { id: 'plot-also' },
                ),
            ),
        );
        this.#update();
    }

    #plot(def, width) {
        const value = el('span', { class: 'value' });
        const host = el('div', {});
        const node = el(
            'div',
            { class: 'plot', id: `plot-${def.id}` },
            el(
                'div',
                { class: 'plot-title' },
                el(
                    'span',
                    {},
                    def.title + (def.unit ? `, ${def.unit}` : ''),
                    def.own &&
                        button(`Remove ${def.title}`, {
                            icon: 'cross',
                            class: 'plain',
                            onclick: () => {
                                this.chosen = this.chosen.filter((key) => key !== def.id);
                                this.#rebuild();
                            },
                        }),
                ),
                value,
            ),
            host,
        );
        const chart = new uPlot(options(def, width, this.app), [[], ...def.keys.map(() => [])], host);
        chart.root.setAttribute('role', 'img');
        chart.root.setAttribute('aria-label', `Plot of ${def.title} over time`);
        return { def, node, value, chart };
    }

    #width() {
        return Math.max(220, Math.floor((this.node.clientWidth || 300) - 2));
    }

    #resize() {
        const width = this.#width();
        if (this.node.isConnected)
            for (const { chart } of this.plots) if (chart.width !== width) chart.setSize({ width, height: 148 });
    }

    // at most ten times a second, and only where somebody looks
    #soon() {
        if (this.timer || !this.node.isConnected) return;
        this.timer = setTimeout(() => {
            this.timer = null;
            this.#update();
        }, 100);
    }

    #update() {
        if (!this.node.isConnected) return;
        const { series } = this.app;
        const time = series.column('t');
        const row = this.app.frame ? series.at(frames.time(this.app.frame)) : -1;
        for (const { def, chart, value } of this.plots) {
            const data = def.keys.map((key) =>
                def.log ? series.column(key).map((x) => Math.max(x, E_FLOOR)) : gaps(series.column(key)),
            );
            chart.setData([time, ...data]);
            say(
                value,
                row < 0
                    ? ''
                    : def.keys
                          .map((key, i) => {
                              const x = series.value(row, key);
                              return `${def.names ? `${def.names[i]} ` : ''}${Number.isFinite(x) ? (def.log ? exponent(x) : number(x, 5)) : '–'}`;
                          })
                          .join(', '),
            );
        }
    }
}

// uPlot knows holes as null
function gaps(column) {
    return column.every(Number.isFinite) ? column : Array.from(column, (x) => (Number.isFinite(x) ? x : null));
}
