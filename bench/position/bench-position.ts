// npm run bench:position: typing in a document of 500 lines with the CPU slowed down four times. From the key
// to the next frame, as the browser itself measures it.
import type { Page } from 'playwright-core'
import { startApp } from '../../e2e/app.ts'
import { launchBrowser, openVisitor, signIn } from '../../e2e/browser.ts'
import { call, tokenOf } from '../../e2e/calls.ts'
import { SHORT } from '../extent.ts'
import { atMost, type Figure, median, report, shown } from '../figures.ts'

const LINES = Number(process.argv[2] ?? (SHORT ? 30 : 500))
const LIMIT_MS = 50
const SLOWED = SHORT ? 1 : 4

const figures: Figure[] = []
const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN

interface Watched {
  times: number[]
}
/** Records the time from each key to the frame after it. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = { times: [] as number[] }
    ;(window as unknown as { seen: Watched }).seen = seen
    document.addEventListener(
      'keydown',
      () => {
        const begun = performance.now()
        requestAnimationFrame(() => {
          const channel = new MessageChannel()
          channel.port1.onmessage = () => seen.times.push(performance.now() - begun)
          channel.port2.postMessage(null)
        })
      },
      { capture: true },
    )
  })
}
async function measure(page: Page, name: string, keys: readonly string[]): Promise<void> {
  await page.evaluate(() => {
    ;(window as unknown as { seen: Watched }).seen.times = []
  })
  for (const key of keys) {
    await page.keyboard.press(key)
    // People pause between keys, so work after a key may finish.
    await page.waitForTimeout(SHORT ? 20 : 120)
  }
  const { times } = await page.evaluate(() => (window as unknown as { seen: Watched }).seen)
  if (times.length < keys.length) throw new Error(`${name}: ${times.length} of ${keys.length} keys were seen`)
  figures.push(atMost(`${name}, p95`, LIMIT_MS, percentile(times, 0.95), 'ms'))
  figures.push(
    shown(`${name}, p50`, median(times), 'ms'),
    shown(`${name}, slowest`, Math.max(...times), 'ms'),
  )
}

const app = await startApp({ env: { LOGIN_RATE_PER_MIN: '1000' } })
const browser = await launchBrowser()
try {
  const visitor = await openVisitor(browser, app)
  const { page } = visitor
  await signIn(visitor, app, 'apus_admin', '/buchhaltung/rechnungen')
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  const token = await tokenOf(page)
  const { json: id } = await call(app, token, '/rest/rpc/a_add_invoice', {
    client_id: 41,
    rn_datum: null,
    le_date: '2026-11-02',
    ust_satz: '19',
  })
  const positions = Array.from({ length: LINES }, (_, nr) => ({
    art: nr % 20 === 0 ? 'ueberschrift' : 'position',
    bez: `Position ${nr + 1} mit einer Bezeichnung üblicher Länge`,
    anzahl: String((nr % 40) + 0.5),
    einheit: 'ha',
    ep: `${nr}.2345`,
  }))
  const saved = await call(app, token, '/rest/rpc/a_save_positions', {
    rechnung_id: id,
    positionen: positions,
  })
  if (saved.status !== 200) throw new Error(JSON.stringify(saved.json))
  const cdp = await visitor.context.newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
  const sums = page.getByLabel('Summen', { exact: true })
  // Once to load the code; then measured from the click in the list to lines and sums.
  const listed = page.locator(`main a[href$="/update/${id as number}"]`)
  for (const round of ['first', 'again']) {
    await page.goto(`${app.origin}/buchhaltung/rechnungen`)
    await listed.waitFor()
    await page.waitForLoadState('networkidle')
    const begun = performance.now()
    await listed.click()
    await page.locator('[data-cell="0.5"]').waitFor()
    await sums.waitFor()
    if (round === 'again') figures.push(shown(`${LINES} lines, opening`, performance.now() - begun, 'ms'))
  }
  figures.push(shown(`${LINES} lines, rows in the page`, await page.locator('[data-row]').count(), ''))
  await page.waitForLoadState('networkidle')
  const middle = Math.floor(LINES / 2) + 1
  await page.locator('[data-cell="0.5"]').click()
  for (let row = 0; row < middle; row += 10) await page.keyboard.press('PageDown')
  await page.locator('[data-cell]:focus').waitFor()
  await page.waitForTimeout(500)
  await watch(page)
  const digits = Array.from({ length: 40 }, (_, nr) => String(nr % 10))
  await measure(page, `${LINES} lines, typing a price`, [
    '1',
    ...digits.slice(0, 6),
    'Backspace',
    'Backspace',
    ...digits.slice(0, 2),
  ])
  await page.keyboard.press('Escape')
  await measure(
    page,
    `${LINES} lines, arrows`,
    Array.from({ length: 20 }, (_, nr) => (nr % 2 === 0 ? 'ArrowDown' : 'ArrowRight')),
  )
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await measure(page, `${LINES} lines, typing a description`, [...'Vermessung der neuen Strecke'])
  await measure(page, `${LINES} lines, Enter to the next line`, [
    'Enter',
    ...Array.from({ length: 9 }, () => ['F2', 'x', 'Enter']).flat(),
  ])
  await measure(
    page,
    `${LINES} lines, moving a line`,
    Array.from({ length: 10 }, () => 'Alt+ArrowUp'),
  )

  // Pasting the same number of lines from Excel into an empty draft: to the next frame, and to the sums.
  const { json: other } = await call(app, token, '/rest/rpc/a_add_invoice', {
    client_id: 41,
    rn_datum: null,
    le_date: '2026-11-02',
    ust_satz: '19',
  })
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(`${app.origin}/buchhaltung/rechnungen/rechnung/update/${other as number}`)
  await page.getByRole('button', { name: 'Position hinzufügen' }).click()
  await page.locator('[data-cell="0.2"]:focus').waitFor()
  const table = Array.from(
    { length: LINES },
    (_, nr) => `Leistung ${nr + 1} aus der Tabelle\t${(nr % 9) + 1},5\tha\t${nr},25`,
  ).join('\r\n')
  const pasted = await page.evaluate(async (text) => {
    const data = new DataTransfer()
    data.setData('text/plain', text)
    const begun = performance.now()
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    )
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    const painted = performance.now() - begun
    const shows = () => /[1-9]/.test(document.querySelector('[aria-label="Summen"] dd')?.textContent ?? '')
    while (!shows()) await new Promise((resolve) => setTimeout(resolve, 5))
    return { painted, summed: performance.now() - begun }
  }, table)
  figures.push(shown(`${LINES} lines pasted, to the next picture`, pasted.painted, 'ms'))
  figures.push(shown(`${LINES} lines pasted, to the sums`, pasted.summed, 'ms'))
} finally {
  await browser.close()
  await app.stop()
}
report('position', figures)
