// SPDX-License-Identifier: Apache-2.0
// Parts of the page that need no browser: the plots' rows, links, the user's files, words of the certificate, numbers.
import { check, equal, failure, near, test } from './harness.mjs';
import { Series, channels } from '../page/src/app/series.js';
import { decode, encode } from '../page/src/app/share.js';
import { interpret, place } from '../page/src/app/files.js';
import { reasons, verdict } from '../page/src/app/certificate.js';
import { exponent, number, power } from '../page/src/app/format.js';

const row = (series, t, E) => {
    const out = new Float64Array(series.width);
    out[0] = t;
    out[1] = E;
    return out;
};

test('page parts: a run of a million rows fits, in order of time, and its peak stays', () => {
    const series = new Series();
    const memory = series.data.length;
    for (let i = 0; i < 1_000_000; i++) {
        series.add(row(series, i * 1e-3, i === 654_321 ? 5e-9 : 1e-12));
    }
    equal(series.data.length, memory, 'numbers in the buffer');
    check(series.rows > 1000 && series.rows <= series.room, `${series.rows} rows`);
    const t = series.column('t');
    check(t.every((x, i) => i === 0 || x > t[i - 1]), 'times grow');
    equal(t[0], 0, 'first time');
    equal(Math.max(...series.column('E')), 5e-9, 'the peak of E');
    const peak = series.column('E').indexOf(5e-9);
    near(t[peak], 654.321, 2 * (t[1] - t[0]), 'time of the peak');
});

test('page parts: going on from an earlier time forgets what came after', () => {
    const series = new Series();
    for (let i = 0; i < 10; i++) {
        series.add(row(series, i, i));
    }
    series.add(row(series, 4.5, 99));
    equal([...series.column('t')].join(), '0,1,2,3,4,4.5', 'times');
    equal(series.at(3.4), 3, 'nearest row');
    equal(series.at(100), 5, 'nearest row at the end');
});

test('page parts: columns are q, v and the places of moving bodies', () => {
    const series = new Series();
    series.begin({
        nq: 8, nv: 7,
        bodies: [{ name: 'world', parent: -1, fixed: true, mass: 0 }, { name: 'box', parent: 0, mass: 1 }, { name: 'arm', parent: 0, mass: 1 }],
        joints: [{ name: 'free', q: 0, v: 0 }, { name: 'hinge', q: 7, v: 6 }],
    });
    const labels = series.columns.slice(channels.length).map((column) => column.label);
    equal(labels.slice(0, 3).join(), 'box.x,box.y,box.z', 'places');
    equal(labels.length, 6 + 8 + 7, 'columns');
    check(labels.includes('q free.z') && labels.includes('q hinge') && labels.includes('v hinge'), labels.join());
});

test('page parts: a link holds a state, and a damaged one is refused', async () => {
    const state = { v: 1, source: { name: 'λ.xml', text: '<mujoco/>'.repeat(500) }, set: ['a.b=1 2'], snapshot: 'AAEC' };
    const hash = await encode(state);
    check(/^#s=[\w-]+$/.test(hash), 'signs that addresses do not like');
    check(hash.length < 400, `${hash.length} characters`);
    equal(JSON.stringify(await decode(hash)), JSON.stringify(state), 'state');
    check(/damaged/.test(await failure(() => decode(hash.slice(0, -8)))), 'a cut link');
    equal((await decode('#scene=stack:30&play=0&set=a.b=1')).set[0], 'a.b=1', 'the short form');
    equal(await decode(''), null, 'no link');
});

test('page parts: of several files the model is the one that no other includes', async () => {
    const file = (text) => new File([text], 'x');
    const found = await interpret([
        ['robot/a_parts.xml', file('<mujoco/>')],
        ['robot/robot.xml', file('<mujoco><include file="a_parts.xml"/></mujoco>')],
        ['robot/meshes/b.obj', file('v 0 0 0')],
    ]);
    equal(found.name, 'robot/robot.xml', 'the model');
    equal(found.files.size, 3, 'files');
    equal((await interpret([['run.utr', file('UTR')]])).kind, 'recording', 'a recording');
    check(/no model/.test(await failure(() => interpret([['cat.jpg', file('')]]))), 'a picture');
});

test('page parts: a message says where, and its line is found', () => {
    const where = place('bad.xml:2:7: error: no', (name) => (name === 'bad.xml' ? 'one\ntwo three\n' : undefined));
    equal(`${where.line} ${where.column} ${where.text}`, '2 7 two three', 'place');
    equal(place('the worker cannot start', () => undefined), null, 'a message without a place');
});

test('page parts: the mark says certified, flagged, stopped and why', () => {
    const step = { steps: 5, outcome: 0, reason: 0, E: 2e-11, stopped: null };
    equal(verdict(step).title, 'certified · E 2e-11', 'certified');
    equal(verdict({ ...step, outcome: 1 }).kind, 'flagged', 'flagged');
    equal(verdict({ ...step, steps: 0 }).kind, 'idle', 'nothing yet');
    const stopped = verdict({ ...step, stopped: { reason: 'cone', message: 'the step fails' } });
    equal(stopped.title, 'not certified: cone', 'stopped');
    check(stopped.words.includes(reasons.find(([name]) => name === 'cone')[1]), 'the sentence of the law');
});

test('page parts: numbers for people', () => {
    equal([0, 0.4, 1e-8, 123456.789, -2.5e-11].map((x) => number(x)).join(' '), '0 0.4 1e-8 123457 -2.5e-11', 'numbers');
    equal(exponent(3.44e-11), '3.4e-11', 'exponent');
    equal([1e-8, 1, 100].map(power).join(' '), '10⁻⁸ 10⁰ 10²', 'powers');
});
