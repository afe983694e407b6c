// SPDX-License-Identifier: Apache-2.0
// Runs the built page in a real browser: a small server, Debian's Chromium, and checks with names.
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { extname, join, normalize, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../../../..')
export const folder = process.env.UPTACK_PAGE ?? join(root, 'build/page')
const { chromium } = createRequire(join(root, 'apps/web/page/package.json'))('playwright-core')

const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.json': 'application/json',
  '.wasm': 'application/wasm', '.svg': 'image/svg+xml', '.jpg': 'image/jpeg', '.xml': 'application/xml' }

/** Serves a folder at http://127.0.0.1:PORT/sub/folder/: the page must work from any folder. */
export async function serve(extra = () => null) {
  const prefix = '/sub/folder'
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://x').pathname)
    const own = extra(path.slice(prefix.length), request)
    if (own) { response.writeHead(own.status ?? 200, { 'content-type': own.type ?? 'application/json' }); response.end(own.body); return }
    const file = join(folder, normalize(path.slice(prefix.length)).replace(/\/$/, '/index.html'))
    if (!path.startsWith(`${prefix}/`) || !file.startsWith(folder) || !existsSync(file) || statSync(file).isDirectory()) {
      response.writeHead(404).end('not here')
      return
    }
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file))
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${server.address().port}${prefix}/`, close: () => server.close() }
}

function browserPath() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM
  return execFileSync('sh', ['-c', 'command -v chromium || command -v chromium-browser || command -v google-chrome'], { encoding: 'utf8' }).trim()
}

export const launch = (args = []) => chromium.launch({ executablePath: browserPath(), headless: true,
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--hide-scrollbars', ...args] })

/** The command line, for numbers to compare with. */
export const uptack = (...args) => execFileSync(join(root, 'build/uptack'), args, { encoding: 'utf8', cwd: root, maxBuffer: 1 << 27 })

const WAIT = 60_000 // a loaded machine is slow

/** One page with what tests ask of it. Errors of its console and script are collected in `troubles`. */
export async function openPage(browser, url, { width = 1000, height = 700, dark = false, hash = '', reduced = true, touch = false, ...more } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light',
    reducedMotion: reduced ? 'reduce' : 'no-preference', hasTouch: touch, isMobile: touch, acceptDownloads: true,
    permissions: ['clipboard-read', 'clipboard-write'], ...more })
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT)
  const troubles = []
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type()) && !/GPU stall due to ReadPixels/.test(message.text())) troubles.push(message.text()) })
  page.on('pageerror', (error) => troubles.push(error.stack ?? String(error)))
  await page.goto(url + hash)
  const self = {
    page, troubles, context,
    /** Runs in the page with `app` and `ui`. */
    run: (body, argument) => page.evaluate(({ body, argument }) => new Function('app', 'ui', 'x', `return (async () => { ${body} })()`)(globalThis.uptackPage.app, globalThis.uptackPage.ui, argument), { body, argument }),
    until: (condition, argument) => page.waitForFunction(({ condition, argument }) => { const { app, ui } = globalThis.uptackPage ?? {}; return app && new Function('app', 'ui', 'x', `return ${condition}`)(app, ui, argument) }, { condition, argument }, { timeout: WAIT, polling: 50 }),
    async ready() { await self.until('app.view && app.description && app.fits()'); return self },
    async open(source, how = {}) { await self.run('await app.open(x.source, x.how); await new Promise(requestAnimationFrame)', { source, how }); return self.ready() },
    hash: () => self.run('return app.engine.hash()'),
    /** Numbers of the last frame. */
    now: () => self.run(`const d = app.frame.data; return { time: d[0], steps: d[1], outcome: d[2], E: d[3], contacts: d[7], index: d[18], count: d[19], running: app.running,
      q: [...d.subarray(app.frame.q, app.frame.q + d[12])], v: [...d.subarray(app.frame.q + d[12], app.frame.q + d[12] + d[13])] }`),
    /** Plays until this simulated time. */
    async playTo(time) { await self.run('await app.play(true)'); await self.until('app.frame.data[0] >= x', time); await self.run('await app.pause()') },
    /** Colours of the canvas: [distinct colours, share of the commonest]. */
    async colours() {
      const shot = await page.locator('#canvas').screenshot()
      return page.evaluate(async (bytes) => {
        const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)]))
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
        const ink = canvas.getContext('2d')
        ink.drawImage(bitmap, 0, 0)
        const data = new Uint32Array(ink.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer)
        const count = new Map()
        for (const c of data) count.set(c, (count.get(c) ?? 0) + 1)
        return [count.size, Math.max(...count.values()) / data.length]
      }, [...shot])
    },
    close: () => context.close(),
  }
  return self
}

export class Failure extends Error {}

export function expect(condition, words) {
  if (!condition) throw new Failure(words)
}

export function near(a, b, tolerance, words) {
  if (!(Math.abs(a - b) <= tolerance)) throw new Failure(`${words}: ${a} is not ${b} within ${tolerance}`)
}
