// Georeferencing a scan: points read from a file, set with mouse and keys, nudged, undone, saved, in conflict
// with another save, warped by the server, written out again.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Karte, Mappoint } from '#contract/karte.ts'
import type { KarteJob, KarteFile } from '#contract/karte-files.ts'
import { evaluatePoints } from '#domain/georef/evaluation.ts'
import { parsePoints, writePoints } from '#domain/georef/points-file.ts'
import { brokenRules } from './axe.ts'
import { hasBrowser, openVisitor } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

const [WIDTH, HEIGHT] = [3000, 2000]
/** Values that must survive without rounding, in the order of a surveyor who walked around the sheet. */
const POINTS = (
  [
    [300.125, 250.5],
    [2710.75, 310.0625],
    [1510.333333333, 1702.8],
    [420.1, 1650.25],
    [2650, 1580.5],
    [1450.5, 950.123456789],
  ] as const
).map(([column, row], i) => ({
  mapx: 412000.12345678 + 0.25 * column + 0.02 * row + (i % 3) * 0.11,
  mapy: 5987000.987654321 + 0.01 * column - 0.25 * row - (i % 2) * 0.07,
  pixelx: column,
  pixely: -row,
  enable: i !== 4,
  dx: null,
  dy: null,
  residual: null,
}))
const FILE = writePoints(POINTS, 'EPSG:25833')
const figures = ({
  mapx,
  mapy,
  pixelx,
  pixely,
  enable,
}: Pick<Mappoint, 'mapx' | 'mapy' | 'pixelx' | 'pixely' | 'enable'>) => ({
  mapx,
  mapy,
  pixelx,
  pixely,
  enable,
})
/** As the browser shows it. */
const german = (value: number, digits: number): string =>
  new Intl.NumberFormat('de-DE', { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
    value,
  )

/** Paper with a grid and lines, so that places on it can be distinguished. */
async function drawScan(): Promise<Buffer> {
  const lines = Array.from(
    { length: 14 },
    (_, i) => `<path d="M${150 + i * 210} 60V${HEIGHT - 60}" stroke="#666" stroke-width="3"/>`,
  )
  const rows = Array.from(
    { length: 9 },
    (_, i) => `<path d="M60 ${150 + i * 210}H${WIDTH - 60}" stroke="#b3261e" stroke-width="4"/>`,
  )
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">` +
    `<rect width="100%" height="100%" fill="#efe6cf"/>${lines.join('')}${rows.join('')}</svg>`
  return sharp(Buffer.from(svg)).removeAlpha().jpeg().toBuffer()
}

describe.skipIf(!hasBrowser())('the georeferencer', () => {
  const house = oneServer({
    // The server answers a save that came too late with 409.
    asked: /status of 409/,
  })

  async function visit(more: Parameters<typeof openVisitor>[2] = {}): Promise<{ page: Page; token: string }> {
    const visitor = await house.visitor('apus_team', '/', {
      viewport: { width: 1440, height: 1000 },
      ...more,
    })
    return { page: visitor.page, token: await tokenOf(visitor.page) }
  }
  const asked = async <T>(token: string, path: string, body?: object): Promise<T> => {
    const { status, json } = await call(house.app, token, path, body)
    expect(status, `${path} ${JSON.stringify(json)}`).toBeLessThan(300)
    return json as T
  }
  async function newPlan(token: string, name: string, more: object = {}): Promise<number> {
    const [kunde] = await asked<{ client_id: number }[]>(
      token,
      '/rest/kunde?select=client_id&order=client_id&limit=1',
    )
    const answer = await fetch(`${house.app.origin}/rest/karte`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        prefer: 'return=representation',
      },
      body: JSON.stringify({ client_id: kunde?.client_id, map_name: name, epsg: 25833, ...more }),
    })
    expect(answer.status).toBe(201)
    return ((await answer.json()) as [Karte])[0].id
  }
  const pointsOf = (token: string, karte: number) =>
    asked<Mappoint[]>(token, `/rest/mappoint?karte_id=eq.${karte}&order=nr`)
  const change = async (token: string, karte: number, values: Partial<Karte>): Promise<void> => {
    const answer = await fetch(`${house.app.origin}/rest/karte?id=eq.${karte}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        prefer: 'return=representation',
      },
      body: JSON.stringify(values),
    })
    expect([answer.status, await answer.json()]).toMatchObject([200, [values]])
  }
  const planOf = async (token: string, karte: number) =>
    (await asked<Karte[]>(token, `/rest/karte?id=eq.${karte}`))[0]!

  async function upload(token: string, karte: number): Promise<KarteFile> {
    const bytes = await drawScan()
    const text = (value: string) => Buffer.from(value).toString('base64')
    const headers = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
    const begun = await fetch(`${house.app.origin}/prod-api/karte/${karte}/upload`, {
      method: 'POST',
      headers: {
        ...headers,
        'upload-length': String(bytes.length),
        'upload-metadata':
          `filename ${text('Blatt 3.jpg')},sha256 ` +
          `${text(createHash('sha256').update(bytes).digest('hex'))}`,
      },
    })
    expect(begun.status, await begun.clone().text()).toBe(201)
    const sent = await fetch(new URL(begun.headers.get('location')!, house.app.origin), {
      method: 'PATCH',
      headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      body: new Uint8Array(bytes),
    })
    expect(sent.status, await sent.clone().text()).toBe(204)
    for (let look = 0; look < 200; look++) {
      const [scan] = await asked<KarteFile[]>(token, '/rest/rpc/a_get_karte_dateien', { karte_id: karte })
      if (scan?.kacheln) return scan
      await sleep(200)
    }
    throw new Error('the scan was not cut into tiles')
  }

  const heading = (page: Page) => page.getByRole('heading', { name: 'Georeferenzierung', level: 1 })
  const rows = (page: Page) => page.getByRole('table', { name: 'Passpunkte' }).locator('tbody tr')
  async function open(page: Page, karte: number): Promise<void> {
    await page.goto(`/karten/${karte}/georef`)
    await heading(page).waitFor()
  }
  async function readFile(page: Page, name: string, content: string): Promise<Locator> {
    await page.getByRole('button', { name: 'Datei und Stände' }).click()
    await page.getByRole('menuitem', { name: 'Punktdatei einlesen …' }).click()
    const dialog = page.getByRole('dialog', { name: 'Punktdatei einlesen' })
    await dialog
      .getByLabel('Punktdatei')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })
    return dialog
  }
  async function save(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    await page.getByText('Gespeichert.').waitFor()
  }
  async function download(page: Page, entry: string): Promise<string> {
    await page.getByRole('button', { name: 'Datei und Stände' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: entry }).click(),
    ])
    return readFileSync(await file.path(), 'utf8')
  }
  const numberOf = async (cell: Locator): Promise<number> =>
    Number(
      (await cell.innerText())
        .replaceAll('.', '')
        .replace(',', '.')
        .replace(/[^\d.-]/g, ''),
    )

  test('from a point file to a saved place, and back into a file with the same figures', async () => {
    const { page, token } = await visit()
    const karte = await newPlan(token, 'Dränplan Blatt 3')
    const scan = await upload(token, karte)
    await open(page, karte)
    await page.getByText('Noch keine Passpunkte').waitFor()
    await page.getByText('© GeoBasis-DE').waitFor()
    expect(await brokenRules(page)).toEqual([])

    // Errors in a file are listed by line, and nothing of it is imported.
    const dialog = await readFile(page, 'schlecht.points', FILE.replace('300.125', '3oo.125'))
    await dialog.getByText('Zeile 3, Spalte pixelx: „3oo.125“ ist keine Zahl.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Einlesen' }).isDisabled()).toBe(true)
    // If rows count downwards, flipping them is offered.
    const down = writePoints(
      POINTS.map((point) => ({ ...point, pixely: -point.pixely })),
      'EPSG:25833',
      'alt',
    )
    await dialog
      .getByLabel('Punktdatei')
      .setInputFiles({ name: 'runter.points', mimeType: 'text/plain', buffer: Buffer.from(down) })
    await dialog.getByText('Die Zeilen zählen nach unten').waitFor()
    expect(await dialog.getByLabel('Vorzeichen umdrehen').isChecked()).toBe(true)
    await dialog
      .getByLabel('Punktdatei')
      .setInputFiles({ name: 'gut.points', mimeType: 'text/plain', buffer: Buffer.from(FILE) })
    expect(await brokenRules(page, 'dialog[open]')).toEqual([])
    await dialog.getByRole('button', { name: '6 Punkte einlesen' }).click()
    await dialog.waitFor({ state: 'hidden' })

    // The figures on the screen are those of the domain code.
    const places = POINTS.map(({ mapx, mapy, pixelx, pixely, enable }) => ({
      ost: mapx,
      nord: mapy,
      spalte: pixelx,
      zeile: -pixely,
      enable,
    }))
    const expected = evaluatePoints('polynom1', places, WIDTH, HEIGHT)
    expect(await rows(page).count()).toBe(6)
    for (const [index, rest] of expected.rest.entries()) {
      const cells = await rows(page).nth(index).locator('td').allInnerTexts()
      expect(cells.slice(6, 8)).toEqual([german(rest!.dx, 2), german(rest!.dy, 2)])
      expect(cells[8]).toContain(german(rest!.laenge, 2))
      expect(cells[8]?.includes('größter')).toBe(index === expected.worstPoint)
      expect(cells[9]?.trim()).toBe(
        expected.leftOut[index] === null ? '–' : german(expected.leftOut[index]!, 2),
      )
    }
    await page.getByText(`${german(expected.quality!.rmse, 3)} Pixel`).waitFor()
    await page.getByText(`${german(expected.quality!.meanError, 3)} Pixel`).waitFor()

    await save(page)
    expect((await pointsOf(token, karte)).map(figures)).toEqual(POINTS.map(figures))
    const saved = await planOf(token, karte)
    expect(saved).toMatchObject({
      georef_typ: 'polynom1',
      epsg: 25833,
      georef_label: 'Polynom 1. Ordnung',
      res: null,
    })
    expect(saved.georef_bash).toContain(
      'gdal_translate -of GTiff -a_srs EPSG:25833 -gcp 300.125 250.5 412080.1647 5986941.3639',
    )
    expect(saved.georef_bash?.match(/-gcp/g)).toHaveLength(5)
    expect(saved.georef_bash).toContain('-order 1')

    // Reloaded and exported: every number is as imported, with both headers.
    await page.reload()
    await rows(page).nth(5).waitFor()
    expect(await page.getByRole('button', { name: 'Speichern', exact: true }).isDisabled()).toBe(true)
    for (const [entry, head] of [
      ['Punkte für QGIS speichern', 'sourceX'],
      ['Punkte für QGIS vor 3.26 speichern', 'pixelX'],
    ] as const) {
      const text = await download(page, entry)
      expect(text).toContain(head)
      const { datei } = parsePoints(text)
      expect(datei).toMatchObject({ epsg: 25833 })
      expect(datei?.punkte.map(figures)).toEqual(POINTS.map(figures))
    }
    expect((await download(page, 'Weltdatei speichern')).trim().split('\n')).toHaveLength(6)
    expect(await download(page, 'Restfehler als CSV')).toContain(
      `RMSE (Pixel);${String(expected.quality!.rmse).slice(0, 8).replace('.', ',')}`,
    )
    expect(await download(page, 'Restfehler als PDF')).toMatch(/^%PDF-1\.7/)
    expect(await brokenRules(page)).toEqual([])
    expect(scan).toMatchObject({ breite: WIDTH, hoehe: HEIGHT })
  })

  test('points are set, pulled, nudged and switched with mouse and keys; everything is taken back', async () => {
    const { page, token } = await visit()
    const karte = await newPlan(token, 'Dränplan Blatt 4')
    await upload(token, karte)
    await asked(token, '/rest/rpc/a_set_mappoints', {
      karte_id: karte,
      punkte: POINTS.slice(0, 4).map(figures),
      werte: { georef_typ: 'polynom1', epsg: 25833 },
    })
    await open(page, karte)
    await rows(page).nth(3).waitFor()
    const scan = page.getByRole('region', { name: 'Scan', exact: true })
    const ground = page.getByRole('region', { name: 'Karte', exact: true })
    await ground.locator('canvas').first().waitFor()
    await page.locator('canvas.georef-auflage').waitFor()
    const undo = page.getByRole('button', { name: /^Rückgängig/ })

    // The survey's tiles load on request, and can be hidden again.
    const [tile] = await Promise.all([
      page.waitForResponse((answer) => answer.url().includes('/kachel/') && answer.url().includes('.mvt')),
      page.getByLabel('Vermessenes zeigen und fangen').check(),
    ])
    expect([200, 204]).toContain(tile.status())
    await page.getByLabel('Vermessenes zeigen und fangen').uncheck()

    // After a click in the scan the map moves to the expected place; a click there creates the point.
    await page.getByRole('button', { name: 'Punkte setzen' }).click()
    const box = (await scan.boundingBox())!
    await scan.click({ position: { x: box.width * 0.5, y: box.height * 0.55 } })
    await page.getByText('Jetzt denselben Ort auf der Karte anklicken. Esc verwirft ihn.').waitFor()
    await page.waitForTimeout(400)
    const onGround = (await ground.boundingBox())!
    await ground.click({ position: { x: onGround.width / 2, y: onGround.height / 2 } })
    await rows(page).nth(4).waitFor()
    // The prediction fits the other points to within a screen pixel.
    expect(await numberOf(rows(page).nth(4).locator('td').nth(8))).toBeLessThan(12)

    // The other direction with keys only: N, the panes' arrows, Enter. Esc discards a half-set point.
    await page.keyboard.press('Escape')
    await page.getByText('Punkte anklicken und ziehen.').waitFor()
    await ground.focus()
    await page.keyboard.press('n')
    await page.keyboard.press('ArrowRight')
    await page.waitForTimeout(300)
    await page.keyboard.press('Enter')
    await page.getByText('Jetzt denselben Ort im Scan anklicken. Esc verwirft ihn.').waitFor()
    await page.keyboard.press('Escape')
    expect(await rows(page).count()).toBe(5)
    await page.keyboard.press('Enter')
    await page.waitForTimeout(400)
    await scan.focus()
    await page.keyboard.press('Enter')
    await rows(page).nth(5).waitFor()
    expect(await numberOf(rows(page).nth(5).locator('td').nth(8))).toBeLessThan(12)
    await page.keyboard.press('Escape')

    // In the magnifier: one pixel, ten, a tenth.
    const column = async () => numberOf(rows(page).nth(5).locator('td').nth(4))
    const line = async () => numberOf(rows(page).nth(5).locator('td').nth(5))
    const [x, y] = [await column(), await line()]
    await page.getByRole('region', { name: 'Lupe: Punkt 6' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Alt+ArrowLeft')
    await expect.poll(column).toBeCloseTo(x + 0.9, 2)
    expect(await line()).toBeCloseTo(y + 10, 2)
    // A series of arrow keys is one undo step.
    await page.keyboard.press('Control+z')
    await expect.poll(column).toBeCloseTo(x, 2)
    expect(await line()).toBeCloseTo(y, 2)
    await page.keyboard.press('Control+y')
    await expect.poll(column).toBeCloseTo(x + 0.9, 2)

    // Dragged in the scan.
    await page.getByRole('button', { name: 'Zu Punkt 6 springen' }).click()
    await page.waitForTimeout(400)
    const before = await column()
    const seen = (await scan.boundingBox())!
    const middle = { x: seen.x + seen.width / 2, y: seen.y + seen.height / 2 }
    await page.mouse.move(middle.x, middle.y)
    await page.mouse.down()
    for (const step of [10, 25, 40]) await page.mouse.move(middle.x + step, middle.y)
    await page.mouse.up()
    await expect.poll(column).toBeGreaterThan(before + 10)
    await undo.click()
    await expect.poll(column).toBeCloseTo(before, 2)

    // In the table: space toggles, arrows move on, Delete removes, and Ctrl+Z restores.
    await rows(page).nth(1).getByRole('checkbox').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press(' ')
    expect(await rows(page).nth(2).getByRole('checkbox').isChecked()).toBe(false)
    await page.getByText('Passpunkte (5 von 6 benutzt)').waitFor()
    await page.keyboard.press('Delete')
    await expect.poll(() => rows(page).count()).toBe(5)
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await page.getByText('Passpunkte (6 von 6 benutzt)').waitFor()

    // Typed in another system, as pasted from elsewhere; a place outside Central Europe needs confirmation.
    await page.getByRole('button', { name: 'Koordinaten eingeben' }).click()
    const typed = page.getByRole('dialog', { name: 'Punkt eingeben' })
    await typed.getByLabel('Koordinatensystem der Eingabe').selectOption('25832')
    await typed.getByRole('textbox', { name: /^Ost/ }).fill('5712000,5 598000,25')
    expect(await typed.getByRole('textbox', { name: /^Nord/ }).inputValue()).toBe('598000,25')
    await typed.getByLabel('Spalte im Scan').fill('1000,5')
    await typed.getByLabel('Zeile im Scan').fill('x')
    await typed.getByRole('button', { name: 'Übernehmen' }).click()
    await typed.getByText('Bitte eine Zahl wie 412345,67 eingeben.').waitFor()
    await typed.getByText(/Sind Ost und Nord vertauscht/).waitFor()
    expect(await brokenRules(page, 'dialog[open]')).toEqual([])
    await typed.getByRole('textbox', { name: /^Ost/ }).fill('598000 5712000')
    await typed.getByLabel('Zeile im Scan').fill('750')
    await typed.getByRole('button', { name: 'Übernehmen' }).click()
    await typed.waitFor({ state: 'hidden' })
    // A check point from PROJ: 598000 5712000 of zone 32 in zone 33.
    expect(await rows(page).nth(6).locator('td').allInnerTexts()).toEqual(
      expect.arrayContaining(['182.063,872', '5.721.028,776', '1.000,50', '750,00']),
    )
    await page.keyboard.press('Control+z')
    await expect.poll(() => rows(page).count()).toBe(6)

    // Every method says what it needs.
    await page.getByLabel('Verfahren').selectOption('polynom3')
    await page.getByText('Polynom 3. Ordnung braucht noch 4 Punkte.').waitFor()
    await page.getByLabel('Verfahren').selectOption('tps')
    await page.getByText(/Ein Spline geht durch jeden Punkt/).waitFor()
    expect(await brokenRules(page)).toEqual([])
  })

  test('a draft outlives the window, another’s save is met, earlier states come back, the server warps', async () => {
    const { page, token } = await visit()
    // In a browser without usable WebGL.
    await page.addInitScript(() => {
      const context = HTMLCanvasElement.prototype.getContext as (
        this: HTMLCanvasElement,
        kind: string,
        ...more: unknown[]
      ) => unknown
      HTMLCanvasElement.prototype.getContext = function (
        this: HTMLCanvasElement,
        kind: string,
        ...more: unknown[]
      ) {
        return kind.startsWith('webgl') ? null : context.call(this, kind, ...more)
      } as typeof HTMLCanvasElement.prototype.getContext
    })
    const karte = await newPlan(token, 'Dränplan Blatt 5')
    await upload(token, karte)
    await asked(token, '/rest/rpc/a_set_mappoints', {
      karte_id: karte,
      punkte: POINTS.map(figures),
      werte: { georef_typ: 'polynom1', epsg: 25833 },
    })
    await open(page, karte)
    await rows(page).nth(5).waitFor()
    // The scan still covers the map: its paper is visible in the middle of the points.
    const overlay = page.locator('canvas.georef-auflage')
    const drawn = () =>
      overlay.evaluate((canvas: HTMLCanvasElement) => [
        ...canvas.getContext('2d')!.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data,
      ])
    await expect.poll(async () => (await drawn())[3], { timeout: 10_000 }).toBe(255)
    expect(await overlay.evaluate((canvas) => canvas.style.opacity)).toBe('0.6')
    await page.getByLabel('Wischen').press('Home')
    await expect.poll(async () => (await drawn())[3], { timeout: 10_000 }).toBe(0)
    await page.getByLabel('Wischen').press('End')
    await page.getByRole('button', { name: 'Punkt 6 löschen' }).click()
    await expect.poll(() => rows(page).count()).toBe(5)
    await page.getByText('Bitte zuerst speichern: entzerrt wird, was gespeichert ist.').waitFor()
    await page.waitForTimeout(700)
    page.once('dialog', (question) => void question.accept())
    await page.reload()
    await page.getByText(/^Entwurf vom/).waitFor()
    expect(await rows(page).count()).toBe(6)
    await page.getByRole('button', { name: 'Wiederherstellen' }).click()
    await expect.poll(() => rows(page).count()).toBe(5)

    // Another person saves first.
    await asked(token, '/rest/rpc/a_set_mappoints', {
      karte_id: karte,
      punkte: POINTS.slice(0, 4).map(figures),
      werte: { georef_typ: 'helmert' },
    })
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    const conflict = page.getByRole('dialog', { name: 'Inzwischen geändert' })
    await conflict.waitFor()
    expect((await conflict.getByRole('row').allInnerTexts()).map((text) => text.split(/\s*\t\s*/))).toEqual(
      expect.arrayContaining([
        ['Punkte', '5', '4'],
        ['nur hier', '1', '0'],
        ['Verfahren', 'Polynom 1. Ordnung', 'Helmert'],
      ]),
    )
    expect(await brokenRules(page, 'dialog[open]')).toEqual([])
    await conflict.getByRole('button', { name: 'Meine Punkte speichern' }).click()
    await conflict.waitFor({ state: 'hidden' })
    await expect.poll(async () => (await pointsOf(token, karte)).length).toBe(5)

    // The other person's points are kept among the earlier versions.
    await page.getByRole('button', { name: 'Datei und Stände' }).click()
    await page.getByRole('menuitem', { name: 'Frühere Stände …' }).click()
    const states = page.getByRole('dialog', { name: 'Frühere Stände' })
    await states.getByText('zuletzt gespeichert').waitFor()
    expect(await states.getByRole('listitem').count()).toBe(3)
    await states.getByRole('button', { name: 'Ansehen' }).nth(1).click()
    await states.getByRole('region', { name: 'Punkte dieses Standes' }).waitFor()
    expect(await brokenRules(page, 'dialog[open]')).toEqual([])
    await states.getByRole('button', { name: 'Diesen Stand wieder aufnehmen' }).click()
    await expect.poll(() => rows(page).count()).toBe(4)
    expect(await page.getByLabel('Verfahren').inputValue()).toBe('helmert')
    await page.keyboard.press('Control+z')
    await expect.poll(() => rows(page).count()).toBe(5)

    // A result with far too fine a resolution is cancelled while it is being made; with a sensible resolution
    // the job is started again from the plan's own page.
    await change(token, karte, { res: 0.03 })
    await page.getByRole('button', { name: 'Entzerren', exact: true }).click()
    // The points are far from what this customer has: asked once, and remembered for the next attempt.
    await page.getByLabel('Ja, der Plan liegt dort').check()
    await page.getByRole('button', { name: 'Dort entzerren' }).click()
    await page.getByText('läuft', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Auftrag abbrechen' }).click()
    await page.getByText('abgebrochen', { exact: true }).waitFor()
    expect(
      await asked<KarteFile[]>(token, '/rest/rpc/a_get_karte_dateien', { karte_id: karte }),
    ).toMatchObject([{ art: 'scan' }])
    await change(token, karte, { res: null })
    await page.goto(`/karten/${karte}?ansicht=dateien`)
    await page.getByText('abgebrochen', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Noch einmal' }).click()
    await page.getByText('Der Auftrag ist neu gestellt.').waitFor()
    await page.getByText('Georeferenziert (GeoTIFF)').waitFor({ timeout: 60_000 })
    // Each job keeps its real state: the cancelled one stays in the list.
    expect(
      (await asked<KarteJob[]>(token, '/rest/rpc/a_get_karte_auftraege', { karte_id: karte })).map(
        ({ art, stand }) => [art, stand],
      ),
    ).toEqual([
      ['entzerren', 'fertig'],
      ['entzerren', 'abgebrochen'],
      ['entzerren', 'fehlgeschlagen'],
      ['kacheln', 'fertig'],
    ])

    await open(page, karte)
    await page.getByText('fertig', { exact: true }).waitFor()
    await page.getByLabel('auf der Karte zeigen').check()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Entzerrten Plan Dränplan Blatt 5 herunterladen' }).click(),
    ])
    expect(
      readFileSync(await file.path())
        .subarray(0, 2)
        .toString('latin1'),
    ).toMatch(/II|MM/)
    const [order] = await asked<KarteJob[]>(token, '/rest/rpc/a_get_karte_auftraege', { karte_id: karte })
    expect(order).toMatchObject({
      art: 'entzerren',
      stand: 'fertig',
      werte: { georef_typ: 'polynom1', verfahren: 'cubic' },
    })
    expect(order?.art === 'entzerren' && order.werte.punkte).toHaveLength(5)
    expect(await brokenRules(page)).toEqual([])

    // Rectifying changes the plan's state, but nobody's points: what is edited meanwhile is saved without a question.
    await change(token, karte, { status: 'gescannt' })
    await open(page, karte)
    await page.getByRole('button', { name: 'Neu entzerren' }).click()
    await expect
      .poll(async () => (await planOf(token, karte)).status, { timeout: 60_000 })
      .toBe('georeferenziert')
    await page.getByRole('button', { name: 'Punkt 5 löschen' }).click()
    await save(page)
    expect(await pointsOf(token, karte)).toHaveLength(4)
  })

  test('on a narrow screen, in the dark, without a scan, and for a plan that is not there', async () => {
    const { page, token } = await visit({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
    const karte = await newPlan(token, 'Dränplan Blatt 6', { width: WIDTH, height: HEIGHT })
    await open(page, karte)
    await page.getByText('Noch kein Scan').waitFor()
    const dialog = await readFile(page, 'gut.points', FILE)
    await dialog.getByRole('button', { name: '6 Punkte einlesen' }).click()
    await rows(page).nth(5).waitFor()
    expect(await brokenRules(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await save(page)
    await page.goto('/karten/999999999/georef')
    await page.getByText('Diesen Plan gibt es nicht').waitFor()
  })

  test('two crossings of the printed grid lead to all others; a click jumps to the crossing beside it', async () => {
    const { page, token } = await visit()
    const karte = await newPlan(token, 'Dränplan Blatt 7')
    await upload(token, karte)
    // The lines of the drawing are 210 pixels apart: 200 metres on the ground.
    const onGround = (column: number, row: number) => ({
      mapx: 412_000 + (column - 150) * (200 / 210),
      mapy: 5_987_000 - (row - 150) * (200 / 210),
    })
    const known = [
      [150 + 210 * 2, 150 + 210],
      [150 + 210 * 11, 150 + 210 * 6],
    ] as const
    await asked(token, '/rest/rpc/a_set_mappoints', {
      karte_id: karte,
      // A hand's breadth of a pixel beside the lines.
      punkte: known.map(([column, row], nr) => ({
        ...onGround(column, row),
        pixelx: column + 0.8 - nr,
        pixely: -row - 0.6,
        enable: true,
      })),
      werte: { georef_typ: 'helmert', epsg: 25833 },
    })
    await open(page, karte)
    await rows(page).nth(1).waitFor()
    // Four screen pixels beside a crossing: the point jumps to it, if asked to.
    const scan = page.getByRole('region', { name: 'Scan', exact: true })
    await page.getByLabel('Auf Gitterkreuze springen').check()
    await page.getByRole('button', { name: 'Punkte setzen' }).click()
    const box = (await scan.boundingBox())!
    const scale = Math.min((box.width - 24) / WIDTH, (box.height - 24) / HEIGHT)
    const [x, y] = [
      box.width / 2 + (150 + 210 * 7 - WIDTH / 2) * scale,
      box.height / 2 + (150 + 210 * 4 - HEIGHT / 2) * scale,
    ]
    await scan.click({ position: { x: x + 4, y: y - 3 } })
    await page.getByText('Auf das Gitterkreuz gesprungen.').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Gitterkreuze suchen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Gitterkreuze suchen' })
    const spacing = dialog.getByLabel('Gitterweite in Metern')
    expect(await spacing.inputValue()).toBe('200')
    await spacing.fill('130')
    await dialog.getByRole('button', { name: 'Suchen' }).click()
    await dialog.getByText('Die Passpunkte liegen nicht auf einem Gitter dieser Weite.').waitFor()
    await spacing.fill('zweihundert')
    await dialog.getByRole('button', { name: 'Suchen' }).click()
    await dialog.getByText('Bitte eine Zahl wie 200 eingeben.').waitFor()
    await spacing.fill('200')
    await dialog.getByRole('button', { name: 'Suchen' }).click()
    await dialog.getByRole('button', { name: 'Anhalten' }).click()
    await dialog.getByRole('button', { name: 'Abbrechen' }).waitFor()
    expect(await dialog.getByText(/gefunden/).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Suchen' }).click()
    await dialog.getByText('124 gefunden.').waitFor({ timeout: 60_000 })
    expect(await brokenRules(page, 'dialog[open]')).toEqual([])
    await dialog.getByRole('button', { name: 'Übernehmen' }).click()
    await page.getByText('124 Gitterkreuze als Passpunkte übernommen.').waitFor()
    await page.getByText('Am unsichersten Rand des Plans').waitFor()
    await save(page)
    const found = (await pointsOf(token, karte)).slice(2)
    expect(found).toHaveLength(124)
    for (const { mapx, mapy, pixelx, pixely } of found) {
      const [column, row] = [150 + ((mapx - 412_000) * 210) / 200, 150 - ((mapy - 5_987_000) * 210) / 200]
      expect(Math.hypot(pixelx - column, -pixely - row)).toBeLessThan(0.4)
    }
  })
})
