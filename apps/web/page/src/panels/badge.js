// SPDX-License-Identifier: Apache-2.0
// The mark over the picture: is this step certified, how exact is it, and does it run in real time?
import { el, icon, fill, say } from '../app/dom.js'
import { verdict } from '../app/certificate.js'
import { number } from '../app/format.js'
import * as frames from '../app/frames.js'

const marks = { good: 'check', flagged: 'flag', bad: 'cross', idle: 'minus' }

export function badge(root, app) {
  const mark = el('span', { class: 'mark' })
  const title = el('span', { class: 'title' })
  const words = el('span', { class: 'why small' })
  const pill = el('div', { class: 'badge idle', id: 'certificate', role: 'status' }, mark, el('span', {}, title, words))
  const real = el('b'), contacts = el('b'), step = el('b')
  const facts = el('div', { class: 'facts' }, el('span', { title: 'Simulated seconds a second of the clock' }, real, ' × real time'),
    el('span', {}, contacts, ' contacts'), el('span', { title: 'Computing time of one step' }, step, ' a step'))
  const legend = el('div', { class: 'legend', 'aria-label': 'Colours of contacts' },
    ...[['stick', '#0072b2'], ['slip', '#e69f00'], ['impact', '#d55e00']].map(([name, colour]) =>
      el('span', { class: name }, el('i', { style: `background:${colour}` }), name)))
  fill(root, pill, facts, legend)

  let last = ''
  function show(frame) {
    if (!frame) return
    const state = { steps: frames.steps(frame), outcome: frames.outcome(frame), reason: frames.reason(frame), E: frames.E(frame),
      stopped: app.state.stopped, recorded: app.isRecording, tolerance: app.description?.tolerance }
    const said = verdict(state)
    const key = `${said.kind}${said.title}${said.words}`
    if (key !== last) {
      if (pill.dataset.kind !== said.kind) {
        pill.dataset.kind = said.kind
        pill.className = `badge ${said.kind}`
        fill(mark, icon(marks[said.kind]))
      }
      say(title, said.title)
      pill.title = said.words
      words.hidden = said.kind !== 'bad'
      say(words, said.kind === 'bad' ? ` ${said.words}` : '')
      words.style.display = said.kind === 'bad' ? 'block' : ''
      last = key
    }
    const factor = frames.factor(frame)
    say(real, app.running ? number(factor, 2) : '–')
    say(contacts, String(frames.contacts(frame)))
    const cost = frames.cost(frame)
    say(step, cost >= 1e-3 ? `${number(cost * 1e3, 2)} ms` : `${number(cost * 1e6, 2)} µs`)
    legend.hidden = frames.contacts(frame) === 0
  }
  app.on('frame', show)
  app.on('state', () => show(app.frame))
}
