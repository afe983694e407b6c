// SPDX-License-Identifier: Apache-2.0
// `uptack view`: view.json beside the page says what was opened; the model is loaded again when its files change.

/** What view.json says, or null: a static host has one with the kind "none". */
export async function served() {
    try {
        const response = await fetch(new URL('view.json', document.baseURI), { cache: 'no-store' });
        const about = response.ok ? await response.json() : null;
        return about && about.kind && about.kind !== 'none' ? about : null;
    } catch {
        return null;
    }
}

/** Opens what view.json names. */
export async function openServed(app, about, how = {}) {
    const rest = { set: about.set ?? [], options: about.options ?? {}, play: false, ...how };
    if (about.kind === 'scene') return app.open({ scene: about.scene }, rest);
    const base = new URL(about.base ?? 'files/', document.baseURI).href;
    if (about.kind === 'recording') {
        const response = await fetch(new URL(about.name, base));
        if (!response.ok) throw new Error(`${about.name}: the server answers ${response.status}`);
        return app.open({ recording: new Uint8Array(await response.arrayBuffer()), name: about.name }, rest);
    }
    return app.open({ served: true, name: about.name, base }, rest);
}

/** Follows the files: a change loads the model again, with the present settings. Ends when the server goes. */
export async function follow(app, about, notice) {
    let version = about.version ?? 0;
    let failures = 0;
    while (failures < 5) {
        try {
            const response = await fetch(new URL(`changes?since=${version}`, document.baseURI), { cache: 'no-store' });
            failures = 0;
            if (response.status === 204) continue;
            if (!response.ok) return;
            version = (await response.json()).version;
            about = (await served()) ?? about; // a new include may change the names of the files
            const play = app.running;
            await openServed(app, about, {
                set: app.source?.served ? app.setList() : (about.set ?? []),
                options: app.source?.served ? app.settings : (about.options ?? {}),
                camera: app.view?.camera(),
                play,
            });
            notice({ text: `${about.name} has changed and was loaded again.` });
        } catch {
            failures++;
            await new Promise((resolve) => setTimeout(resolve, 1000 * failures));
        }
    }
    notice({ text: 'The server of this page has ended: changes of the file are no longer seen.', stay: true });
}
