// SPDX-License-Identifier: Apache-2.0
// Named events without a library.
export class Events {
    #listeners = new Map();

    /** Calls `listener(data)` at every `emit(name, data)`; returns what ends it. */
    on(name, listener) {
        if (!this.#listeners.has(name)) this.#listeners.set(name, new Set());
        this.#listeners.get(name).add(listener);
        return () => this.#listeners.get(name).delete(listener);
    }

    emit(name, data) {
        for (const listener of this.#listeners.get(name) ?? []) listener(data);
    }
}
