// SPDX-License-Identifier: Apache-2.0
// The mark over the picture: is this step certified, how exact is it, and does it run in real time?
import { el, icon, fill, say } from '../app/dom.js';
import { verdict } from '../app/certificate.js';
import { number } from '../app/format.js';
import { theme } from '../app/theme.js';
import { STATES, stateColour } from '../view/colours.js';
import * as frames from '../app/frames.js';

const marks = { good: 'check', flagged: 'flag', bad: 'cross', idle: 'minus' };

export function badge(root, app) {
    const mark = el('span', { class: 'mark' });
    const title = el('span', { class: 'title' });
    const words = el('span', { class: 'why small' });
    const pill = el(
        'div',
        { class: 'badge idle', id: 'certificate', role: 'status' },
        mark,
        el('span', {}, title, words),
    );
    const contactWord = el('span');
    const pace = el('span');
    const tape = el('b', { class: 'tape', hidden: true }, '● recording');
    const real = el('b'),
        contacts = el('b'),
        step = el('b');
    const facts = el(
        'div',
        { class: 'facts' },
        tape,
        el('span', { title: 'Simulated seconds a second of the clock' }, real, pace),
        el('span', {}, contacts, contactWord),
        el('span', { title: 'Computing time of one step' }, step, ' per step'),
    );
    const legend = el(
        'div',
        { class: 'legend', 'aria-label': 'Colours of contacts' },
        STATES.slice(1).map((name) => el('span', { class: name }, el('i'), name)),
    );
    const paint = () =>
        legend.querySelectorAll('i').forEach((node, i) => {
            node.style.background = stateColour(i + 1, theme());
        });
    paint();
    addEventListener('themechange', paint);
    fill(root, pill, facts, legend);

    let last = '';
    function show(frame) {
        if (!frame) return;
        const state = {
            steps: frames.steps(frame),
            outcome: frames.outcome(frame),
            reason: frames.reason(frame),
            E: frames.E(frame),
            stopped: app.state.stopped,
            recorded: app.isRecording,
            tolerance: app.description?.tolerance,
        };
        const said = verdict(state);
        const key = `${said.kind}${said.title}${said.words}`;
        if (key !== last) {
            if (pill.dataset.kind !== said.kind) {
                pill.dataset.kind = said.kind;
                pill.className = `badge ${said.kind}`;
                fill(mark, icon(marks[said.kind]));
            }
            say(title, said.title);
            pill.title = said.words;
            words.hidden = said.kind !== 'bad';
            say(words, said.kind === 'bad' ? ` ${said.words}` : '');
            words.style.display = said.kind === 'bad' ? 'block' : '';
            last = key;
        }
        const factor = frames.factor(frame);
        say(real, app.running ? `${number(factor, 2)} ×` : 'paused');
        say(pace, app.running ? ' real time' : '');
        say(contacts, String(frames.contacts(frame)));
        say(contactWord, frames.contacts(frame) === 1 ? ' contact' : ' contacts');
        const cost = frames.cost(frame);
        say(step, cost >= 1e-3 ? `${number(cost * 1e3, 2)} ms` : `${number(cost * 1e6, 2)} µs`);
        legend.hidden = frames.contacts(frame) === 0;
    }
    app.on('frame', show);
    app.on('state', (state) => {
        tape.hidden = !state.recording;
        show(app.frame);
    });
}
