// SPDX-License-Identifier: Apache-2.0
// A window over the page: its head, its body, closed by Escape, the cross or a click beside it.
import { el, button } from '../app/dom.js';

export function dialog(id, title, head, body) {
    const node = el(
        'dialog',
        { id, 'aria-label': title },
        el(
            'div',
            { class: 'dialog-head' },
            el('h2', { class: 'grow' }, title),
            head,
            button('Close', { icon: 'cross', class: 'plain', onclick: () => node.close() }),
        ),
        body,
    );
    node.addEventListener('click', (event) => {
        if (event.target === node) node.close();
    });
    document.body.append(node);
    return node;
}
