// SPDX-License-Identifier: Apache-2.0
// Messages over the picture. Trouble stays until it is closed and shows the line of the file it means.
import { el, button, fill } from '../app/dom.js';
import { place } from '../app/files.js';
import { textOf } from '../app/source.js';

export function notices(root, app) {
    /** {text, kind, code: [line, column, text], action: [words, act], stay} */
    function notice({ text, kind = '', code, action, stay }) {
        const node = el(
            'div',
            { class: `notice ${kind}`, role: kind === 'error' ? 'alert' : 'status' },
            el('div', { class: 'body' }, el('div', { class: 'message' }, text), code && el('pre', {}, code)),
            action &&
                button(action[0], {
                    text: action[0],
                    onclick: () => {
                        node.remove();
                        action[1]();
                    },
                }),
            button('Close', { icon: 'cross', class: 'plain', onclick: () => node.remove() }),
        );
        if (kind === 'error') for (const old of root.querySelectorAll('.notice.error')) old.remove();
        root.append(node);
        while (root.children.length > 3) root.firstChild.remove();
        if (!stay && kind !== 'error') setTimeout(() => node.remove(), action ? 15_000 : 6_000);
        return node;
    }

    const decoder = new TextDecoder();
    app.on('trouble', async ({ message, source }) => {
        const own = (file) =>
            source?.name === file || source?.name?.endsWith(`/${file}`)
                ? source.text
                : source?.files?.has(file)
                  ? decoder.decode(source.files.get(file))
                  : undefined;
        let where = place(message, own);
        if (where && where.text === undefined && [source?.name, source?.file?.split('/').pop()].includes(where.file)) {
            const text = await textOf(source).catch(() => null);
            if (text !== null) where = { ...where, text: text.split('\n')[where.line - 1] };
        }
        const code =
            where?.text === undefined
                ? null
                : `${String(where.line).padStart(5)} │ ${where.text.slice(0, 400)}\n${' '.repeat(8 + Math.max(0, where.column - 1))}^`;
        const node = notice({ kind: 'error', text: message, code });
        if (!source) node.dataset.keep = 'yes'; // a damaged link: the first scene that opens instead does not answer it
    });
    app.on('opened', () =>
        fill(root, ...[...root.children].filter((node) => !node.classList.contains('error') || node.dataset.keep)),
    );
    return notice;
}
