// SPDX-License-Identifier: Apache-2.0
// The bar below the picture: reset, step back, play, step, the seek bar over the history, time, speed, keyframes.
import { el, button, icon, choice, fill, say } from '../app/dom.js';
import { speeds } from '../app/app.js';
import { seconds } from '../app/format.js';
import * as frames from '../app/frames.js';

const speedWords = (s) => (s === 0 ? 'fastest' : s < 1 ? `1/${Math.round(1 / s)} ×` : `${s} ×`);

export function transport(root, app) {
    const reset = button('Back to the start', {
        icon: 'reset',
        key: 'Backspace',
        id: 'reset',
        onclick: () => app.reset(),
    });
    const back = button('One step back', { icon: 'back', key: '←', id: 'back', onclick: () => app.back() });
    const play = button('Play', {
        icon: 'play',
        key: 'Space',
        class: 'primary play',
        id: 'play',
        onclick: () => app.ask(() => app.play()),
    });
    const step = button('One step', { icon: 'next', key: '→', id: 'step', onclick: () => app.step() });
    const seek = el('input', {
        type: 'range',
        class: 'seek',
        id: 'seek',
        min: '0',
        max: '0',
        step: '1',
        value: '0',
        'aria-label': 'Position in the history',
        oninput: () => seekTo(Number(seek.value)),
    });
    const time = el('output', { class: 'time', id: 'time', 'aria-label': 'Simulated time' }, '0.000 s');
    const speed = choice(
        'Speed',
        speeds.map((s) => [s, speedWords(s)]),
        1,
        (value) => app.speed(Number(value)),
        { id: 'speed', title: 'Speed: 1 × is real time (+ and −)' },
    );
    const keyframe = el('span', {});
    fill(root, reset, back, play, step, seek, time, keyframe, speed);

    // a dragged seek bar asks for one state at a time
    let busy = false,
        wanted = null;
    async function seekTo(index) {
        wanted = index;
        if (busy) return;
        busy = true;
        while (wanted !== null) {
            const next = wanted;
            wanted = null;
            await app.seek(next);
        }
        busy = false;
    }

    app.on('load', (description) => {
        const names = description.keyframes ?? [];
        fill(
            keyframe,
            names.length === 0
                ? []
                : choice(
                      'Keyframe',
                      [[-1, 'model pose'], ...names.map((name, i) => [i, name || `key ${i}`])],
                      description.keyframe ?? -1,
                      (value) => app.reset(Number(value)),
                      { id: 'keyframe', title: 'Begin at this keyframe' },
                  ),
        );
    });
    app.on('state', (state) => {
        const running = app.running;
        if (play.dataset.running !== String(running)) {
            play.dataset.running = String(running);
            fill(play, icon(running ? 'pause' : 'play'));
            play.setAttribute('aria-label', running ? 'Pause' : 'Play');
            play.title = running ? 'Pause (Space)' : 'Play (Space)';
        }
        seek.max = String(Math.max(0, state.count - 1));
        if (!busy && wanted === null) seek.value = String(state.index);
        back.disabled = state.index <= 0;
        if (Number(speed.value) !== state.speed) {
            if (![...speed.options].some((option) => Number(option.value) === state.speed)) {
                speed.append(el('option', { value: String(state.speed) }, speedWords(state.speed)));
            }
            speed.value = String(state.speed);
        }
    });
    app.on('frame', (frame) => {
        say(time, seconds(frames.time(frame)));
        const count = frames.count(frame),
            index = frames.index(frame);
        seek.max = String(Math.max(0, count - 1));
        if (!busy && wanted === null) seek.value = String(index);
        seek.setAttribute('aria-valuetext', seconds(frames.time(frame)));
        back.disabled = index <= 0;
    });
}
