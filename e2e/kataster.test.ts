// The survey as a customer sees it: charts that filter, the map by keyboard, a measured distance, a printed
// sheet that is true to scale; and how staff get there.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Place } from '#contract/places.ts'
import type { OwnerConnection } from '../server/database/database.ts'
import { type RunningApp, SAMPLE_URL, startApp } from './app.ts'
import { brokenRules } from './axe.ts'
import {
  type DemoRole,
  emailOf,
  hasBrowser,
  launchBrowser,
  openVisitor,
  signIn,
  type Visitor,
} from './browser.ts'
import { call, tokenOf } from './calls.ts'

const [EAST, NORTH] = [498_000, 5_830_000]
/** Distance between two manholes, on one northing near the middle of the zone. */
const METRES = 600
const SCALE = 5_000

/** Three drains per state, manholes at both ends, one of each other kind. */
async function survey(owner: OwnerConnection): Promise<void> {
  const { rows } = await owner.query<{ client_id: number }>(
    'select bk.client_id from app.benutzer_kunde bk join app.benutzer b using (user_id) ' +
      'where b.email = $1 order by 1 limit 1',
    [emailOf('appuser_admin')],
  )
  const kunde = rows[0]!.client_id
  await owner.query('update app.kunde set kataster_status = true where client_id = $1', [kunde])
  await owner.query('update app.benutzer_kunde set kataster_enabled = true where client_id = $1', [kunde])
  for (const art of ['draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf'])
    await owner.query(`delete from app.${art} where client_id = $1`, [kunde])
  const run = await owner.query<{ id: number }>(
    `insert into app.vermessung_import (client_id, dateiname, format, groesse, sha256, stand, modus)
      values ($1, 'probe.gpkg', 'gpkg', 1, repeat('0', 64), 'fertig', 'ersetzen')
      returning id`,
    [kunde],
  )
  const add = (art: string, geometry: string, values: readonly unknown[]) =>
    owner.query(
      `insert into app.${art} (client_id, import_id, geom, schluessel, vermessen, erfq, datum)
        values ($1, $2, st_setsrid(st_geomfromtext($3), 25833), $4, $5, $6, $7)`,
      [kunde, run.rows[0]!.id, geometry, ...values],
    )
  for (let nr = 0; nr < 9; nr++)
    await add(
      'draenage',
      `MULTILINESTRING((${EAST + 40} ${NORTH + nr * 12 + 8}, ${EAST + 240} ${NORTH + nr * 12 + 8}))`,
      [
        `D${nr + 1}`,
        nr < 4 ? true : nr < 7 ? false : null,
        nr % 3 === 0 ? 'GNSS/RTK' : nr % 3 === 1 ? 'Bestandsplan digitalisiert' : null,
        `2026-0${nr + 1}-10`,
      ],
    )
  await add('schacht', `POINT(${EAST} ${NORTH})`, ['S1', true, 'GNSS/RTK', '2026-03-01'])
  await owner.query(
    `update app.schacht set dn = 1000, material = 'Beton' where client_id = $1 and schluessel = 'S1'`,
    [kunde],
  )
  await add('schacht', `POINT(${EAST + METRES} ${NORTH})`, ['S2', true, 'GNSS/RTK', '2026-03-01'])
  await add('schacht', `POINT(${EAST + 300} ${NORTH + 150})`, ['S3', false, null, '2026-03-01'])
  await add('einlauf', `POINT(${EAST + 320} ${NORTH + 60})`, ['E1', null, null, '2026-03-01'])
}

describe.skipIf(!hasBrowser() || process.env[SAMPLE_URL] === undefined)('the survey', () => {
  let app: RunningApp
  let browser: Browser
  let stub: Server
  const asked: IncomingHttpHeaders[] = []
  const visitors: Visitor[] = []
  const folder = mkdtempSync(join(tmpdir(), 'forstkontor-kataster-'))

  beforeAll(async () => {
    const ground = await sharp({ create: { width: 256, height: 256, channels: 3, background: '#e8eee0' } })
      .png()
      .toBuffer()
    stub = createServer((request, response) => {
      asked.push(request.headers)
      response.end(ground)
    })
    await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve))
    const service = {
      id: 'probe',
      titel: 'Probekarte',
      typ: 'xyz',
      url: `http://127.0.0.1:${(stub.address() as AddressInfo).port}/{z}/{x}/{y}.png`,
      intern: true,
      namensnennung: '© Probekarte 2026',
    }
    ;[app, browser] = await Promise.all([
      startApp({
        env: { LOGIN_RATE_PER_MIN: '1000', KARTENDIENSTE: JSON.stringify([service]) },
        prepare: survey,
      }),
      launchBrowser(),
    ])
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    await app?.stop()
    stub?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  afterEach(async () => {
    const complaints = visitors.flatMap((visitor) => visitor.complaints)
    await Promise.all(visitors.splice(0).map((visitor) => visitor.close()))
    expect(complaints, 'console errors, faults, policy reports').toEqual([])
  })
  const visit = async (
    role: DemoRole,
    path = '/kataster/index',
    colorScheme: 'light' | 'dark' = 'light',
  ): Promise<Page> => {
    const visitor = await openVisitor(browser, app, { colorScheme })
    visitors.push(visitor)
    await signIn(visitor, app, role, path)
    await visitor.page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    return visitor.page
  }
  const shown = (page: Page, count: number) => page.locator(`[data-symbole="${count}"]`).waitFor()
  const map = (page: Page) => page.getByRole('region', { name: /^Karte der Vermessung/ })

  test('bars, map and list are one: a press narrows all three, the address keeps it, and back is back', async () => {
    const page = await visit('appuser_admin')
    await shown(page, 13)
    await expect(page.getByText('3 Objekte ohne Angabe sind nicht mitgezählt.').count()).resolves.toBe(1)
    const bar = page.getByRole('button', { name: 'Schächte, vermutet: 1' })
    await bar.click()
    await shown(page, 1)
    expect(new URL(page.url()).searchParams.get('vermessen')).toBe('nein')
    expect(await bar.getAttribute('aria-pressed')).toBe('true')
    await page.getByRole('button', { name: 'S3 in der Karte zeigen' }).waitFor()
    expect(await page.getByRole('table').getByRole('row').count()).toBe(2)
    await page.reload()
    await shown(page, 1)
    await page.goBack()
    await shown(page, 13)
    // Drains without a value count as "others"; since these are lengths of drains, everything else fades.
    await page.getByRole('button', { name: /^Andere: 600/ }).click()
    await shown(page, 3)
    expect(await page.getByRole('table').getByRole('row').count()).toBe(4)
    expect(await brokenRules(page)).toEqual([])
  })

  test('what is chosen in the list lies in the middle of the map, where the Enter key finds it again', async () => {
    const page = await visit('appuser_admin', '/kataster/index', 'dark')
    await shown(page, 13)
    await page.getByRole('button', { name: 'D5 in der Karte zeigen' }).click()
    const chosen = page.getByRole('region', { name: 'Gewähltes Objekt' })
    await chosen.getByRole('heading', { name: 'Dränage D5' }).waitFor()
    await page.getByRole('button', { name: 'Dorthin vergrößern' }).click()
    // Zoomed in: not everything is in sight any more.
    await expect
      .poll(() => page.locator('[data-symbole]').getAttribute('data-symbole'), { timeout: 10_000 })
      .not.toBe('13')
    await page.getByRole('button', { name: 'Auswahl aufheben' }).click()
    await chosen.waitFor({ state: 'detached' })
    await map(page).focus()
    await page.keyboard.press('Enter')
    await chosen.getByRole('heading', { name: 'Dränage D5' }).waitFor()
    await chosen.getByText('vermutet').waitFor()
    expect(await brokenRules(page)).toEqual([])
  })

  test('a manhole is found by Enter while the map still flies, and by a press; beside it is nothing', async () => {
    const page = await visit('appuser_admin', '/kataster/index?art=schacht')
    await shown(page, 13)
    await page.getByRole('button', { name: 'S1 in der Karte zeigen' }).click()
    const chosen = page.getByRole('region', { name: 'Gewähltes Objekt' })
    const manhole = chosen.getByRole('heading', { name: 'Schacht S1' })
    await manhole.waitFor()
    const clear = async () => {
      await page.getByRole('button', { name: 'Auswahl aufheben' }).click()
      await chosen.waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: 'Dorthin vergrößern' }).click()
    await clear()
    await map(page).focus()
    // On a busy machine the tiles may arrive after a click is forgotten, so try again.
    const found = (act: () => Promise<void>) =>
      expect
        .poll(
          async () => {
            await act()
            return manhole.waitFor({ timeout: 6000 }).then(
              () => true,
              () => false,
            )
          },
          { timeout: 40_000 },
        )
        .toBe(true)
    await found(() => page.keyboard.press('Enter'))
    await expect
      .poll(() => page.locator('[data-symbole]').getAttribute('data-symbole'), { timeout: 10_000 })
      .not.toBe('13')
    await clear()
    const box = (await map(page).boundingBox())!
    const press = (dx: number) => page.mouse.click(box.x + box.width / 2 + dx, box.y + box.height / 2)
    await found(() => press(5))
    for (const [label, value] of [
      ['Einmessung', 'vermessen'],
      ['Material', 'Beton'],
      ['Nennweite', 'DN 1000'],
      ['Erfassungsquelle', 'GNSS/RTK'],
    ] as const)
      expect(
        await chosen
          .getByRole('term')
          .filter({ hasText: label })
          .locator('xpath=following-sibling::dd[1]')
          .textContent(),
      ).toBe(value)
    // A click out of reach clears the selection.
    await press(60)
    await chosen.waitFor({ state: 'detached' })
    // What is not drawn cannot be found.
    await page.getByRole('checkbox', { name: 'Schächte', exact: true }).uncheck()
    await press(0)
    await page.waitForTimeout(1000)
    expect(await chosen.count()).toBe(0)
    await page.getByText('In der Karte ausgeblendet: Schächte').waitFor()
  })

  test('kinds that a bar lets step back are said among the filters, and go with them', async () => {
    const page = await visit('appuser_admin')
    await shown(page, 13)
    await page.getByRole('button', { name: 'Schächte, vermutet: 1' }).click()
    await shown(page, 1)
    const filters = page.getByRole('list', { name: 'Aktive Filter' })
    await filters.getByText('In der Karte ausgeblendet: Dränagen').waitFor()
    expect(await filters.getByRole('button', { name: /^Filter entfernen/ }).count()).toBe(5)
    await filters
      .getByRole('button', { name: 'Filter entfernen: In der Karte ausgeblendet: Dränagen' })
      .click()
    await shown(page, 4)
    await filters.getByRole('button', { name: 'Alle entfernen' }).click()
    await shown(page, 13)
    expect(new URL(page.url()).searchParams.has('aus')).toBe(false)
    for (const box of await page.getByLabel('Legende').getByRole('checkbox').all())
      expect(await box.isChecked()).toBe(true)
  })

  test('a distance is measured without a pointer', async () => {
    const page = await visit('appuser_admin')
    await shown(page, 13)
    await page.getByText('Strecke messen').click()
    await map(page).focus()
    await page.keyboard.press('Enter')
    for (let nr = 0; nr < 2; nr++) {
      await page.keyboard.press('ArrowRight')
      await page.waitForTimeout(250)
    }
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+Enter')
    const told = page.getByLabel('Werkzeuge der Karte').getByRole('status')
    await expect.poll(() => told.textContent()).toMatch(/^[1-9][\d.]* m$/)
  })

  test('on paper a millimetre is what the scale says, and it is told whose map lies below', async () => {
    const page = await visit('appuser_admin')
    await shown(page, 13)
    for (const name of ['Dränagen', 'Ausmündungen', 'Schlucker', 'Einläufe'])
      await page.getByRole('checkbox', { name, exact: true }).uncheck()
    await page.getByText('© Probekarte 2026').waitFor()
    await page.getByRole('button', { name: 'Als PDF drucken' }).click()
    const dialog = page.getByRole('dialog', { name: 'Karte als PDF' })
    await dialog.getByLabel('Titel').fill('Südschlag & Nord (Blatt 1)')
    await dialog.getByLabel('Maßstab').selectOption(String(SCALE))
    expect(await brokenRules(page, 'dialog')).toEqual([])
    // The name that the page requests: on a busy machine this browser sometimes named the file `download`
    // anyway.
    await page.evaluate(() =>
      addEventListener(
        'click',
        ({ target }) =>
          target instanceof HTMLAnchorElement && (document.body.dataset['file'] = target.download),
        true,
      ),
    )
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'PDF erstellen' }).click(),
    ])
    expect(await page.evaluate(() => document.body.dataset['file'])).toBe(
      'Südschlag-Nord-Blatt-1--1-5000.pdf',
    )
    const file = join(folder, 'karte.pdf')
    await download.saveAs(file)
    const text = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' })
    for (const part of ['Südschlag & Nord (Blatt 1)', 'Maßstab 1 : 5.000', '© Probekarte 2026', 'Schacht'])
      expect(text).toContain(part)
    expect(execFileSync('pdfinfo', [file], { encoding: 'utf8' })).toMatch(
      /Page size:\s+841\.89 x 595\.2\d+ pts \(A4\)/,
    )
    const dpi = 254
    execFileSync('pdftoppm', ['-r', String(dpi), '-png', '-singlefile', file, join(folder, 'karte')])
    const { data, info } = await sharp(readFileSync(join(folder, 'karte.png')))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    // The filled symbols of the two manholes, inside the frame; the legend below uses the same blue.
    const columns = new Set<number>()
    for (let y = 260; y < 1640; y++)
      for (let x = 110; x < info.width - 110; x++) {
        const at = (y * info.width + x) * 3
        if (data[at]! < 60 && data[at + 1]! < 130 && data[at + 2]! > 130) columns.add(x)
      }
    const xs = [...columns].toSorted((a, b) => a - b)
    const middle = (xs[0]! + xs.at(-1)!) / 2
    const centre = (part: readonly number[]) => (part[0]! + part.at(-1)!) / 2
    const mm = ((centre(xs.filter((x) => x > middle)) - centre(xs.filter((x) => x < middle))) / dpi) * 25.4
    expect(Math.abs(mm - (METRES * 1000) / SCALE)).toBeLessThan(0.4)
    // The tile service received nothing about the person.
    expect(asked.length).toBeGreaterThan(0)
    expect(
      asked
        .flatMap((headers) => Object.keys(headers))
        .filter((key) => /cookie|authorization|referer|origin|language|forwarded/.test(key)),
    ).toEqual([])
  })

  test('staff begin with the customers that have a survey; one without says what comes next', async () => {
    const page = await visit('apus_team')
    const main = page.getByRole('main')
    const places = (await call(app, await tokenOf(page), '/rest/rpc/__o_get_places', { was: 'kataster' }))
      .json as Place[]
    await page.locator(`[data-orte="${places.length}"]`).waitFor()
    expect(await brokenRules(page)).toEqual([])
    await main.getByRole('link', { name: places[0]!.name, exact: true }).click()
    await page.waitForURL(`**/kataster/index?kunde=${places[0]!.id}`)
    await main.getByRole('link', { name: 'Alle Kunden' }).click()
    await main.getByRole('link', { name: `Zuletzt geöffnet ${places[0]!.name}` }).waitFor()
    const { json } = await call(
      app,
      await tokenOf(page),
      '/rest/kunde?select=client_id,name&order=client_id.desc&limit=1',
    )
    const [{ name }] = json as [{ name: string }]
    await page.getByRole('combobox', { name: 'Anderen Kunden öffnen' }).fill(name)
    await page.getByRole('option', { name }).first().click()
    await page.getByRole('link', { name: 'Vermessung importieren' }).waitFor()
    expect(await brokenRules(page)).toEqual([])
  })
})
