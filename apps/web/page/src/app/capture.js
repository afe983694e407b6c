// SPDX-License-Identifier: Apache-2.0
// Pictures, short videos and recordings of what is shown, saved as files.
import { titleOf } from './scenes.js';

/** Offers bytes as a download. */
export function save(blob, name) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const fileName = (app, ending) =>
    `${
        titleOf(app.source)
            .replace(/[^\w.-]+/g, '-')
            .replace(/\.(xml|urdf)$/, '')
            .toLowerCase() || 'uptack'
    }.${ending}`;

export async function picture(app, notice) {
    const blob = await app.ask(() => app.view.screenshot());
    if (!blob) return;
    save(blob, fileName(app, 'png'));
    notice({ text: 'The picture is in your downloads.' });
}

let camera = null; // the recorder while it films
let filmedBytes = 0;
export const filming = () => camera !== null;
/** Bytes of the present or last video so far. */
export const filmed = () => filmedBytes;

/** Begins a video of the canvas, or ends it; it ends by itself after 30 s. */
export async function film(app, notice) {
    if (camera) {
        camera.stop();
        return;
    }
    if (!globalThis.MediaRecorder) {
        notice({ kind: 'error', text: 'This browser cannot film (it has no MediaRecorder).' });
        return;
    }
    const type =
        ['video/webm;codecs=vp9', 'video/webm', 'video/mp4'].find((t) => MediaRecorder.isTypeSupported(t)) ?? '';
    const stream = app.view.stream(30);
    const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 8_000_000 });
    const parts = [];
    filmedBytes = 0;
    recorder.ondataavailable = (event) => {
        parts.push(event.data);
        filmedBytes += event.data.size;
    };
    const note = notice({ text: 'Filming … at most 30 s.', action: ['End', () => recorder.stop()], stay: true });
    const end = setTimeout(() => recorder.stop(), 30_000);
    recorder.onstop = () => {
        clearTimeout(end);
        camera = null;
        note.remove();
        for (const track of stream.getTracks()) track.stop();
        const blob = new Blob(parts, { type });
        if (blob.size === 0) {
            notice({ kind: 'error', text: 'The browser gave no picture for the video. Press play while it films.' });
            return;
        }
        save(blob, fileName(app, type.includes('mp4') ? 'mp4' : 'webm'));
        notice({ text: `The video (${Math.round(blob.size / 1000)} kB) is in your downloads.` });
    };
    camera = recorder;
    recorder.start(500);
}

/** Begins to keep every step, or ends and saves. */
export async function record(app, format, notice) {
    if (!app.state.recording) {
        const begun = await app.ask(async () => {
            await app.engine.recordStart();
            return true;
        });
        if (begun) notice({ text: 'Recording: every step from now on is kept. End it in the same menu.' });
        return;
    }
    const bytes = await app.ask(() => app.engine.recordStop(format));
    if (!bytes) return;
    save(
        new Blob([bytes], { type: format === 'csv' ? 'text/csv' : 'application/octet-stream' }),
        fileName(app, format),
    );
    notice({
        text:
            format === 'csv'
                ? 'The table is in your downloads.'
                : 'The recording is in your downloads: `uptack replay`, `uptack plot` and this page open it.',
    });
}
