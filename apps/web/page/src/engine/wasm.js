// SPDX-License-Identifier: Apache-2.0
// The engine's flat functions (apps/web/engine.h) with JavaScript's texts and arrays. Views of the engine's memory
// are made anew at every call, because memory that grows detaches them.

// The functions that numbers go into and come out of as they are.
export class Wasm {
    // @param module what engine.mjs's function resolves to
    constructor(module) {
        this.module = module;
        this.engine = module._engine_create();
        if (!this.engine) {
            throw new Error('there is no memory for an engine');
        }
        this.readFile = () => null;
        module.readFile = (path) => this.readFile(path);
        this.numbers = module._malloc(16 * 8); // arguments and results of a few numbers
    }

    close() {
        this.module._engine_destroy(this.engine);
        this.module._free(this.numbers);
    }

    // Call a function with numbers and texts. Texts are copied into the engine for the call.
    call(name, ...args) {
        const m = this.module;
        const texts = [];
        const values = args.map((arg) => {
            if (typeof arg !== 'string') {
                return arg;
            }
            const size = m.lengthBytesUTF8(arg) + 1;
            const at = this.allocate(size);
            m.stringToUTF8(arg, at, size);
            texts.push(at);
            return at;
        });
        try {
            return m['_engine_' + name](this.engine, ...values);
        } finally {
            texts.forEach((at) => m._free(at));
        }
    }

    // The same for functions that return 0 on success. @return what they return, when it is not 1
    check(name, ...args) {
        const status = this.call(name, ...args);
        if (status === 1) {
            throw new Error(this.error());
        }
        return status;
    }

    error() {
        return this.module.UTF8ToString(this.call('error'));
    }

    // The text that a function returns; null stands for a failure.
    text(name, ...args) {
        const at = this.call(name, ...args);
        if (!at) {
            throw new Error(this.error());
        }
        return this.module.UTF8ToString(at);
    }

    allocate(size) {
        const at = this.module._malloc(size);
        if (!at) {
            throw new Error('the engine is out of memory');
        }
        return at;
    }

    // Call a function with the address and the size of bytes in the engine.
    withBytes(bytes, call) {
        const at = this.allocate(Math.max(bytes.length, 1));
        try {
            this.module.HEAPU8.set(bytes, at);
            return call(at, bytes.length);
        } finally {
            this.module._free(at);
        }
    }

    // Put a few numbers where functions expect them. @return their address
    put(numbers, place = 0) {
        const at = this.numbers + 8 * place;
        this.module.HEAPF64.set(numbers, at / 8);
        return at;
    }

    doubles(at, count) {
        return this.module.HEAPF64.subarray(at / 8, at / 8 + count);
    }

    bytes(at, size) {
        return this.module.HEAPU8.subarray(at, at + size);
    }

    integers(at, count) {
        return this.module.HEAP32.subarray(at / 4, at / 4 + count);
    }

    hash() {
        const half = (k) => (this.call('hash', k) >>> 0).toString(16).padStart(8, '0');
        return half(0) + half(1);
    }

    // The description of the loaded model, with typed arrays of its own.
    describe() {
        return JSON.parse(this.text('describe'), (key, value) => {
            if (value && value.f64 !== undefined) {
                return Float32Array.from(this.doubles(value.f64, value.count));
            }
            return value && value.i32 !== undefined ? Uint32Array.from(this.integers(value.i32, value.count)) : value;
        });
    }
}
