// SPDX-License-Identifier: Apache-2.0
// The last frame as the panels read it. Its numbers are copied, because the worker takes its buffer back.

const HEAD = 32, BODY = 13, GEOM = 7, JOINT = 6, SITE = 3, CONTACT = 24
const states = ['open', 'stick', 'slip', 'impact'] // utContactState

export class Kept {
  /** @param frame a frame of the engine: an object with its numbers as `data`, or the numbers */
  take(frame) {
    const source = frame.data ?? frame
    if (!this.data || this.data.length < source.length) this.data = new Float64Array(Math.ceil(source.length * 1.25))
    this.data.set(source)
    const d = this.data
    this.contacts = HEAD + BODY * d[8] + GEOM * d[9] + JOINT * d[10] + SITE * d[11]
    this.q = this.contacts + CONTACT * d[7]
    return this
  }
}

const head = (i) => (frame) => frame.data[i]
export const time = head(0), steps = head(1), outcome = head(2), E = head(3), energy = head(4), kinetic = head(5), penetration = head(6)
export const contacts = head(7), bodies = head(8), nq = head(12), nv = head(13), nu = head(14), reason = head(15), cost = head(16)
export const factor = head(17), index = head(18), count = head(19), held = head(20), iterations = head(28)

export const bodyPosition = (frame, body, k) => frame.data[HEAD + BODY * body + k]
export const q = (frame) => frame.data.subarray(frame.q, frame.q + nq(frame))
export const v = (frame) => frame.data.subarray(frame.q + nq(frame), frame.q + nq(frame) + nv(frame))
export const ctrl = (frame) => frame.data.subarray(frame.q + nq(frame) + nv(frame), frame.q + nq(frame) + nv(frame) + nu(frame))

/** A contact's numbers by name; the object is used again by the next call. */
const one = { state: '', gap: 0, mu: 0, geom1: 0, geom2: 0, point: null, normal: null, r: null, u: null }
export function contact(frame, i) {
  const at = frame.contacts + CONTACT * i
  const d = frame.data
  one.geom1 = d[at]
  one.geom2 = d[at + 1]
  one.state = states[d[at + 2]] ?? 'open'
  one.point = d.subarray(at + 4, at + 7)
  one.normal = d.subarray(at + 7, at + 10)
  one.gap = d[at + 16]
  one.mu = d[at + 17]
  one.r = d.subarray(at + 18, at + 21)
  one.u = d.subarray(at + 21, at + 24)
  return one
}
