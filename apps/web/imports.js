// SPDX-License-Identifier: Apache-2.0
// What the engine asks of the worker: the bytes of a file, which `Module.readFile(path)` returns as a Uint8Array,
// or null when there is no such file.
mergeInto(LibraryManager.library, {
    engine_js_read__deps: ['malloc'],
    engine_js_read: function(path, size) {
        const bytes = Module['readFile'](UTF8ToString(path));
        if (!bytes) {
            return 0;
        }
        const at = _malloc(bytes.length + 1);
        if (at) {
            HEAPU8.set(bytes, at);
            HEAPU32[size >> 2] = bytes.length;
        }
        return at;
    }
});
