// SPDX-License-Identifier: Apache-2.0
// Runs the checks of the page in Chromium: node apps/web/test/app/main.js [word...]; without words, all of them.
import { checks } from './checks.js'
import { launch, openPage, serve } from './harness.js'

const words = process.argv.slice(2)
const chosen = checks.filter(([name]) => words.length === 0 || words.some((word) => name.includes(word)))
const server = await serve()
const browser = await launch()
const failed = []
for (const [i, [name, how, check]] of chosen.entries()) {
  const begin = Date.now()
  let page = null
  try {
    if (!how.skipOpen) {
      page = await openPage(browser, server.url, { ...how, hash: how.source?.scene ? `#scene=${how.source.scene}&play=0` : '' })
      if (how.source) {
        await page.ready()
        if (how.source.file || how.how) await page.open(how.source, how.how)
      }
    }
    await check(page, { browser, url: server.url })
    if (page && page.troubles.length > 0) throw new Error(`console: ${page.troubles.join('\n')}`)
    console.log(`ok ${i + 1} - ${name} (${((Date.now() - begin) / 1000).toFixed(1)} s)`)
  } catch (error) {
    failed.push(name)
    console.log(`not ok ${i + 1} - ${name}\n#   ${String(error.stack ?? error).split('\n').slice(0, 6).join('\n#   ')}`)
    if (page?.troubles.length) console.log(`#   console: ${page.troubles.slice(0, 3).join(' | ')}`)
  }
  await page?.close().catch(() => {})
}
await browser.close()
server.close()
// a run of nothing is no success
if (chosen.length === 0) { console.log('not ok - no check has these words'); process.exit(1) }
if (words.length === 0 && chosen.length < 30) { console.log('not ok - fewer than 30 checks'); process.exit(1) }
console.log(`# ${chosen.length - failed.length} of ${chosen.length} checks passed`)
process.exit(failed.length > 0 ? 1 : 0)
