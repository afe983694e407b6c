// SPDX-License-Identifier: Apache-2.0
// The page's state as an address: JSON, deflated, in base64 without signs that addresses do not like. Short forms for
// people to write: #scene=stack:30 and #file=seeds/berard-4.3.xml.

const text = new TextEncoder();

async function through(stream, bytes) {
    const response = new Response(new Blob([bytes]).stream().pipeThrough(stream));
    return new Uint8Array(await response.arrayBuffer());
}

export function toBase64(bytes) {
    let out = '';
    for (let i = 0; i < bytes.length; i += 0x8000) out += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    return btoa(out).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

export function fromBase64(code) {
    const raw = atob(code.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(raw, (c) => c.charCodeAt(0));
}

/** A plain object as a hash, with `#`. */
export async function encode(state) {
    const packed = await through(new CompressionStream('deflate-raw'), text.encode(JSON.stringify(state)));
    return `#s=${toBase64(packed)}`;
}

/** What a hash holds: a state of `encode`, a short form, or null. Throws for a damaged link. */
export async function decode(hash) {
    const query = new URLSearchParams(hash.replace(/^#/, ''));
    if (query.has('s')) {
        try {
            const plain = await through(new DecompressionStream('deflate-raw'), fromBase64(query.get('s')));
            return JSON.parse(new TextDecoder().decode(plain));
        } catch {
            throw new Error('The link is damaged: a part of it is missing or changed. Ask for it again, as a whole.');
        }
    }
    const short = {
        play: query.has('play') ? query.get('play') !== '0' : undefined,
        formulation: query.get('formulation') ?? undefined,
        set: query.getAll('set'),
    };
    const options = short.formulation ? { formulation: short.formulation } : {};
    if (query.has('scene')) return { source: { scene: query.get('scene') }, set: short.set, options, play: short.play };
    if (query.has('file')) return { source: { file: query.get('file') }, set: short.set, options, play: short.play };
    if (query.has('tour')) return { tour: Number(query.get('tour')) || 0 };
    return null;
}
