// SPDX-License-Identifier: Apache-2.0
// A source of the page in the words of the engine.
import { exampleText } from './scenes.js'

/** What the engine's `load` wants for a source. */
export async function argument(source) {
  if (source.scene) return { scene: source.scene }
  if (source.file) return { name: source.file.split('/').pop(), text: await exampleText(source.file), files: new Map() }
  if (source.served) return { name: source.name, base: source.base }
  const files = new Map([...(source.files ?? [])].map(([path, bytes]) => [path, bytes]))
  return { name: source.name, text: source.text, files }
}
