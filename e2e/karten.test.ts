// Plans: staff create, maintain and share them; a customer's people see what was shared with them, and their
// admin replies.
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { greySheet, tiffOf } from '../server/karten/several-sheets.fixture.ts'
import { kartePaths } from '#contract/karte-files.ts'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

/** The customer of appuser and appuser_admin. */
const KUNDE = 2

interface Plan {
  readonly id: number
  readonly map_name: string
  readonly version: number
  readonly client_status: string
  readonly bem_client: string | null
  readonly show_client: boolean
}

describe.skipIf(!hasBrowser())('plans', () => {
  const house = oneServer({ asked: /\/upload(?:\/[^ ]*)?\)$/ })
  const { visit } = house
  const rows = async (token: string, query: string): Promise<Plan[]> =>
    (await call(house.app, token, `/rest/karte?${query}`)).json as Plan[]

  test('the staff finds plans by customer, stage and words, and the jump-to search finds them too', async () => {
    const page = await visit('apus_team', '/karten/index')
    await page.getByText(/^\d+ Pläne$/).waitFor()
    await page.getByRole('button', { name: 'Filter' }).click()
    const customer = page.getByRole('combobox', { name: 'Kunde', exact: true })
    const token = await tokenOf(page)
    const { json } = await call(house.app, token, `/rest/kunde?client_id=eq.${KUNDE}&select=name`)
    const [{ name } = { name: '' }] = json as { name: string }[]
    await customer.fill(name)
    await page.getByRole('listbox', { name: 'Kunde' }).getByRole('option').first().click()
    await page.waitForURL(new RegExp(`kunde=${KUNDE}`))
    await page.getByText('14 Treffer').waitFor()
    await page.goto('/karten/index?georef=ohne&sichtbar=ja')
    await page.getByText('Keine Pläne gefunden').waitFor()
    // Sorted by customer name, so the first row is the first in the alphabet.
    await page.goto('/karten/index?sort=-kunde')
    await expect
      .poll(async () => (await page.locator('tbody tr').first().getByRole('cell').allInnerTexts()).length)
      .toBeGreaterThan(3)
    const { json: last } = await call(
      house.app,
      token,
      '/rest/karte_liste?select=map_name&order=kunde_sortname.desc,id.desc&limit=1',
    )
    await page
      .locator('tbody tr')
      .first()
      .getByText((last as Plan[])[0]!.map_name)
      .waitFor()
    expect(await brokenRules(page)).toEqual([])
    const [plan] = await rows(token, `client_id=eq.${KUNDE}&order=id&limit=1`)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Name, Ort, Nummer, Betrag oder Seite' }).fill(plan!.map_name)
    await page.getByRole('option', { name: plan!.map_name }).first().click()
    await page.waitForURL(`**/karten/${plan!.id}`)
    await page.getByRole('heading', { name: plan!.map_name, level: 1 }).waitFor()
  })

  test('a plan is made, kept, disputed, shown and deleted', async () => {
    const page = await visit('apus_admin', '/karten/index')
    const token = await tokenOf(page)
    await page.getByRole('button', { name: 'Neuer Plan' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Neuer Plan' })
    await dialog.getByRole('button', { name: 'Anlegen' }).click()
    await dialog.getByText('Bitte geben Sie den Namen des Plans ein.').waitFor()
    await dialog.getByText('Bitte wählen Sie den Kunden, dem der Plan gehört.').waitFor()
    const { json } = await call(house.app, token, `/rest/kunde?client_id=eq.${KUNDE}&select=name,epsg`)
    const [kunde] = json as { name: string; epsg: number }[]
    await dialog.getByRole('combobox', { name: 'Kunde' }).fill(kunde!.name)
    await dialog.getByRole('listbox', { name: 'Kunde' }).getByRole('option').first().click()
    await expect.poll(() => dialog.getByLabel('Koordinatensystem').inputValue()).toBe(String(kunde!.epsg))
    await dialog.getByLabel('Name').fill('Probeblatt Nord')
    await dialog.getByLabel('Jahr').fill('74')
    await dialog.getByLabel('Maßstab').fill('1 : 2.500')
    await dialog.getByLabel('Registernummer').fill('002-01')
    await dialog.getByText('Diese Registernummer hat schon ein anderer Plan dieses Kunden').waitFor()
    await dialog.getByRole('button', { name: 'Anlegen' }).click()
    await dialog.getByText('Bitte ein Jahr von 1700 bis 2100').waitFor()
    await dialog.getByLabel('Jahr').fill('1974')
    expect(await brokenRules(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page
      .getByRole('alertdialog', { name: 'Eingaben verwerfen?' })
      .getByRole('button', { name: 'Weiter bearbeiten' })
      .click()
    await dialog.getByRole('button', { name: 'Anlegen' }).click()
    await page.getByRole('heading', { name: 'Probeblatt Nord', level: 1 }).waitFor()
    const [made] = await rows(token, 'map_name=eq.Probeblatt Nord')
    expect(made).toMatchObject({
      client_id: KUNDE,
      jahr: 1974,
      scale: 2500,
      epsg: kunde!.epsg,
      status: 'neu',
      show_client: false,
    })
    expect(new URL(page.url()).pathname).toBe(`/karten/${made!.id}`)

    // Edited by two people at once: each field is decided.
    await page.getByLabel('Kreis').fill('Mein Kreis')
    await page.getByLabel('Interne Bemerkung').fill('nur für uns')
    await page.getByLabel('Für den Kunden sichtbar').check()
    await page.getByText(`${kunde!.name} sieht den Plan mit dem Status „Aufgenommen“`).waitFor()
    await call(
      house.app,
      token,
      `/rest/karte?id=eq.${made!.id}`,
      { kreis: 'Anderer Kreis', jahr: 1980 },
      'PATCH',
    )
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    const conflict = page.getByRole('dialog').filter({ hasText: 'Anderer Kreis' })
    await conflict.getByText('Mein Kreis').first().waitFor()
    expect(await rows(token, `id=eq.${made!.id}&kreis=eq.Mein Kreis`)).toEqual([])
    await conflict.getByRole('radio', { name: /^Kreis, meine Eingabe/ }).check()
    await conflict.getByRole('button', { name: 'Auswahl speichern' }).click()
    await page.getByText('Gespeichert.').waitFor()
    const [saved] = await rows(token, `id=eq.${made!.id}`)
    expect(saved).toMatchObject({
      kreis: 'Mein Kreis',
      jahr: 1980,
      bem_apus: 'nur für uns',
      show_client: true,
    })

    // Leaving unsaved work needs confirmation.
    await page.getByLabel('Gemarkung').fill('Halb')
    await page.getByRole('link', { name: 'Karten', exact: true }).first().click()
    const asked = page.getByRole('alertdialog')
    await asked.waitFor()
    await asked.getByRole('button').first().click()
    expect(new URL(page.url()).pathname).toBe(`/karten/${made!.id}`)
    await page.getByRole('button', { name: 'Verwerfen', exact: true }).click()
    await page.getByRole('tab', { name: 'Verlauf' }).click()
    await page.getByText('Mein Kreis').waitFor()
    await page.getByText('nur für uns').waitFor()
    await page.getByRole('tab', { name: 'Dateien' }).click()
    await page.getByText('Noch keine Dateien').waitFor()
    expect(await brokenRules(page)).toEqual([])

    await page.getByRole('button', { name: 'Plan löschen' }).click()
    const confirm = page.getByRole('alertdialog', { name: 'Plan löschen?' })
    await confirm.getByText('Der Kunde kann den Plan danach nicht mehr öffnen.').waitFor()
    await confirm.getByRole('button', { name: 'Endgültig löschen' }).click()
    await page.getByText('Probeblatt Nord wurde gelöscht.').waitFor()
    await page.waitForURL('**/karten/index')
    expect(await rows(token, `id=eq.${made!.id}`)).toEqual([])
  })

  test('from the customer’s page: the list, the next plan, and what is done to several', async () => {
    const page = await visit('apus_team', `/member-management/client/${KUNDE}?ansicht=karten`)
    const token = await tokenOf(page)
    const ordered = await rows(token, `client_id=eq.${KUNDE}&order=sortname,id`)
    const hidden = ordered.filter(({ show_client }) => !show_client).slice(0, 2)
    for (const { map_name } of hidden)
      await page.getByRole('checkbox', { name: `${map_name} auswählen`, exact: true }).check()
    await page.getByRole('button', { name: 'Status setzen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Status von 2 Plänen setzen' })
    await dialog.getByLabel('Neuer Status').selectOption('geprueft')
    await dialog.getByRole('button', { name: 'Setzen' }).click()
    await page.getByText('2 Pläne: Geprüft.').waitFor()
    const [first] = await rows(token, `id=eq.${hidden[0]!.id}`)
    expect(first).toMatchObject({ status: 'geprueft', show_client: false })
    await page.getByRole('link', { name: ordered[0]!.map_name }).first().click()
    await page.getByRole('heading', { name: ordered[0]!.map_name, level: 1 }).waitFor()
    await page.getByText('Kein vorheriger Plan').waitFor({ state: 'attached' })
    // The team may not delete.
    expect(await page.getByRole('button', { name: 'Plan löschen' }).count()).toBe(0)
    await page.getByRole('link', { name: `Nächster Plan: ${ordered[1]!.map_name}` }).click()
    await page.getByRole('heading', { name: ordered[1]!.map_name, level: 1 }).waitFor()
  })

  test('a customer’s admin starts at the plans, sees those that were shown, and answers', async () => {
    const page = await visit('appuser_admin', '/')
    expect(new URL(page.url()).pathname).toBe('/karten/index')
    const token = await tokenOf(page)
    const shown = await rows(token, 'order=id')
    expect(shown.length).toBeGreaterThan(3)
    expect(shown.every(({ show_client }) => show_client)).toBe(true)
    await page.getByText(`${shown.length} Pläne`).first().waitFor()
    const waiting = shown.filter(
      ({ client_status }) => client_status === 'offen' || client_status === 'in_pruefung',
    )
    await page.getByRole('button', { name: 'Diese Pläne zeigen' }).click()
    await page.getByText(`${waiting.length} Treffer`).waitFor()
    expect(await brokenRules(page)).toEqual([])
    const plan = waiting[0]!
    await page.getByRole('link', { name: plan.map_name }).first().click()
    await page.getByRole('heading', { name: plan.map_name, level: 1 }).waitFor()
    expect(await page.getByText('Interne Bemerkung').count()).toBe(0)
    // It is asked whether the plan agrees with the ground if, and only if, both can be seen.
    const isOnGround = page.getByRole('heading', { name: 'Plan und Gelände' })
    const { json: kept } = await call(house.app, token, '/rest/rpc/a_get_karte_dateien', {
      karte_id: plan.id,
    })
    const isPlaced = (kept as { art: string }[]).some(({ art }) => art === 'ergebnis')
    await expect.poll(() => isOnGround.count()).toBe(isPlaced ? 1 : 0)
    // Once the first piece of it is drawn.
    await expect.poll(() => page.getByText('Stimmt der Plan mit dem Gelände').count()).toBe(isPlaced ? 1 : 0)
    await page.getByLabel('Ich habe eine Rückfrage').check()
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    await page.getByText('Bitte schreiben Sie, was nicht stimmt').waitFor()
    await page.getByLabel('Ihre Bemerkung').fill('Der Sammler liegt weiter östlich.')
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    await page.getByText('Gespeichert.').waitFor()
    await page.getByText('Nichts zu tun: Ihre Rückfrage liegt bei uns').waitFor()
    expect(await rows(token, `id=eq.${plan.id}`)).toMatchObject([
      { client_status: 'rueckfrage', bem_client: 'Der Sammler liegt weiter östlich.' },
    ])
    expect(await brokenRules(page)).toEqual([])
    const staff = await visit('apus_team', `/karten/${plan.id}`)
    await staff.getByText('Der Sammler liegt weiter östlich.').waitFor()
  })

  test('who only looks is offered no answer, and nobody opens what is not theirs', async () => {
    const page = await visit('appuser', '/')
    expect(new URL(page.url()).pathname).toBe('/karten/index')
    const token = await tokenOf(page)
    const [plan] = await rows(token, 'order=id&limit=1')
    const staff = await visit('apus_team', '/karten/index')
    const all = await rows(await tokenOf(staff), 'order=id')
    const foreign = (all as (Plan & { client_id: number })[]).find(
      ({ client_id, show_client }) => client_id !== KUNDE && show_client,
    )!
    const closed = (all as (Plan & { client_id: number })[]).find(
      ({ client_id, show_client }) => client_id === KUNDE && !show_client,
    )!
    await page.goto(`/karten/${plan!.id}`)
    await page.getByRole('heading', { name: plan!.map_name, level: 1 }).waitFor()
    expect(await page.getByRole('radio').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Speichern' }).count()).toBe(0)
    await call(house.app, token, `/rest/karte?id=eq.${plan!.id}`, { bem_client: 'heimlich' }, 'PATCH')
    expect(await rows(token, `id=eq.${plan!.id}&bem_client=eq.heimlich`)).toEqual([])
    for (const { id, map_name } of [foreign, closed]) {
      await page.goto(`/karten/${id}`)
      await page.getByText('Diesen Plan gibt es nicht').waitFor()
      expect(await page.getByText(map_name).count()).toBe(0)
    }
  })

  test('a scan is uploaded over a cut line and a reload, seen in depth and taken along', async () => {
    const page = await visit('apus_team', '/karten/index')
    const token = await tokenOf(page)
    const [plan] = await rows(token, `client_id=neq.${KUNDE}&status=eq.neu&order=id&limit=1`)
    page.on('dialog', (dialog) => void dialog.accept())
    await page.goto(`/karten/${plan!.id}?ansicht=dateien`)
    await page.getByText('Noch keine Dateien').waitFor()
    // Noise does not compress: three pieces.
    const raw = { width: 2000, height: 1500, channels: 3 as const }
    const buffer = await sharp(randomBytes(raw.width * raw.height * 3), { raw })
      .png({ compressionLevel: 0 })
      .toBuffer()
    const file = { name: 'Blatt 7.png', mimeType: 'image/png', buffer }
    const choose = () => page.getByLabel('Scan', { exact: true }).setInputFiles(file)
    const offsets: string[] = []
    const PIECES = '**/upload/*'
    let passed = 0
    await page.route(PIECES, (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      passed += 1
      return passed === 1 ? route.continue() : route.abort('connectionfailed')
    })
    await choose()
    await page.getByText('Verbindung unterbrochen').waitFor()
    await page.reload()
    await page.getByText('Ein Upload ist begonnen').waitFor()
    await page.unroute(PIECES)
    page.on(
      'request',
      (request) => request.method() === 'PATCH' && offsets.push(request.headers()['upload-offset'] ?? ''),
    )
    await choose()
    await page.getByText(/^fertig, /).waitFor()
    // It continued after what had already arrived.
    expect(Number(offsets[0])).toBeGreaterThan(0)
    const storedFiles = page.locator('.karte-dateien').first()
    await storedFiles.getByText('Blatt 7.png').waitFor()
    await storedFiles.getByText('2.000 × 1.500 Pixel').waitFor()
    await storedFiles.getByText('Prüfsumme (SHA-256)').click()
    await storedFiles.getByText(createHash('sha256').update(buffer).digest('hex')).waitFor()
    const loaded = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Blatt 7.png herunterladen' }).click()
    expect(readFileSync(await (await loaded).path()).equals(buffer)).toBe(true)
    await page.getByText('Scan für die Ansicht aufbereiten').waitFor()
    expect(await rows(token, `id=eq.${plan!.id}`)).toMatchObject([
      { status: 'gescannt', width: 2000, height: 1500 },
    ])
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('tab', { name: 'Plan', exact: true }).click()
    await page.getByRole('region', { name: `Scan von ${plan!.map_name}` }).waitFor()
    // The automatic change of stage does not count as input here.
    await page.reload()
    await page.getByRole('region', { name: `Scan von ${plan!.map_name}` }).waitFor()
    expect(await page.getByText(/^Entwurf vom/).count()).toBe(0)

    // A file that is not a scan is refused with a hint on what to do.
    await page.getByRole('tab', { name: 'Dateien' }).click()
    await page
      .getByLabel('Scan', { exact: true })
      .setInputFiles({ name: 'falsch.tif', mimeType: 'image/tiff', buffer: Buffer.from('kein Bild') })
    await page.getByText('Diese Datei ist kein Scan, der sich verwenden lässt.').waitFor()
    await page.getByRole('button', { name: 'falsch.tif ausblenden' }).click()
    await page.getByRole('button', { name: 'Blatt 7.png löschen' }).click()
    await page
      .getByRole('alertdialog', { name: 'Datei löschen?' })
      .getByRole('button', { name: 'Löschen' })
      .click()
    await page.getByText('Noch keine Dateien').waitFor()
  })

  test('a scan that is cut off, unreadable or damaged says so, and what to do', async () => {
    const page = await visit('apus_team', '/karten/index')
    const token = await tokenOf(page)
    const [plan] = await rows(token, `client_id=neq.${KUNDE}&status=eq.neu&order=id.desc&limit=1`)
    await page.goto(`/karten/${plan!.id}?ansicht=dateien`)
    const raw = { width: 600, height: 400, channels: 3 as const }
    const noise = () => sharp(randomBytes(raw.width * raw.height * 3), { raw })
    const choose = (name: string, buffer: Buffer) =>
      page.getByLabel('Scan', { exact: true }).setInputFiles({ name, mimeType: 'image/png', buffer })
    const jpeg = await noise().jpeg().toBuffer()
    await choose('Halb.jpg', jpeg.subarray(0, jpeg.length / 2))
    await page.getByText('Die Datei hört mitten im Bild auf.').waitFor()
    await page.getByRole('button', { name: 'Halb.jpg ausblenden' }).click()

    // Whole by its structure and checksums, but no picture comes out of it.
    await choose('Leer.png', emptyPng(await noise().png().toBuffer()))
    await page.getByText('Der Auftrag ist fehlgeschlagen').waitFor()
    await page.getByRole('tab', { name: 'Plan', exact: true }).click()
    const notice = page.getByText('Leer.png lässt sich nicht anzeigen')
    await notice.waitFor()
    await page.getByText('sie ist beschädigt oder unvollständig').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.goto(`/karten/${plan!.id}/georef`)
    await page.getByText('Der Scan lässt sich nicht anzeigen').waitFor()
    await page.goto(`/karten/${plan!.id}`)
    await page.getByRole('button', { name: 'Noch einmal' }).click()
    await notice.waitFor()

    await page.getByRole('button', { name: 'Anderen Scan hochladen' }).click()
    jpeg.fill(0, 20 * 512, 40 * 512)
    await choose('Kopie.jpg', jpeg)
    await page.getByText('Der Scan hat schadhafte Stellen').waitFor()
    const grey = Uint16Array.from({ length: 400 * 300 }, (_, i) => 800 + (i % 400))
    const deep = sharp(grey, { raw: { width: 400, height: 300, channels: 1 } }).toColourspace('grey16')
    await choose('Tief.png', await deep.png().toBuffer())
    await page.getByText('Werte 800 (schwarz) bis 1.199 (weiß)').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('tab', { name: 'Plan', exact: true }).click()
    await page.getByRole('region', { name: `Scan von ${plan!.map_name}` }).waitFor()
  })
  /** Its head, and data that are none. */
  function emptyPng(png: Buffer): Buffer {
    const part = (name: string, body: Buffer) => {
      const all = Buffer.concat([Buffer.from(name, 'latin1'), body])
      const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
      length.writeUInt32BE(body.length)
      sum.writeUInt32BE(crc32(all))
      return Buffer.concat([length, all, sum])
    }
    const head = png.subarray(0, 33)
    return Buffer.concat([head, part('IDAT', randomBytes(900)), part('IEND', Buffer.alloc(0))])
  }

  test('the first plans of a trial have scans: a small picture in the list, the sheet, and its place', async () => {
    const page = await visit('appuser_admin', '/karten/index')
    const token = await tokenOf(page)
    const { json } = await call(
      house.app,
      token,
      '/rest/karte_liste?select=id,map_name,scan&scan=not.is.null&order=id',
    )
    const scanned = json as { id: number; map_name: string; scan: number }[]
    expect(scanned.length).toBeGreaterThanOrEqual(3)
    const [plan] = scanned
    const row = page.getByRole('row').filter({ hasText: plan!.map_name }).first()
    await expect
      .poll(() => row.locator('img').evaluate((img) => (img as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(100)
    const onGround = page.waitForResponse(
      (answer) => answer.url().includes('/auflage/') && answer.status() === 200,
    )
    await page.goto(`/karten/${plan!.id}`)
    await page.getByRole('region', { name: `Scan von ${plan!.map_name}` }).waitFor()
    // Whether the plan is right is asked beside plan and ground.
    await page.getByRole('region', { name: `${plan!.map_name} auf der Karte` }).waitFor()
    await onGround
    await page.getByLabel('Deckkraft').fill('30')
    await page.getByText('30 %', { exact: true }).waitFor()
    await page.getByText('Stimmt der Plan mit dem Gelände überein?').waitFor()
    expect(await brokenRules(page)).toEqual([])
    const headers = { authorization: `Bearer ${token}` }
    for (const { id } of scanned) {
      const files = (await call(house.app, token, '/rest/rpc/a_get_karte_dateien', { karte_id: id }))
        .json as {
        id: number
        art: string
      }[]
      expect(files.map(({ art }) => art)).toEqual(['ergebnis', 'scan'])
      for (const file of files) {
        const tile = await fetch(`${house.app.origin}/prod-api${kartePaths.kachel(id, file.id, 0, 0, 0)}`, {
          headers,
        })
        expect([file.art, tile.status]).toEqual([file.art, 200])
        // Paper with something on it.
        const { channels } = await sharp(Buffer.from(await tile.arrayBuffer())).stats()
        expect(channels[0]!.stdev).toBeGreaterThan(2)
      }
    }
    const staff = await visit('apus_team', '/karten/index')
    await expect
      .poll(() =>
        staff
          .locator('tbody tr')
          .first()
          .locator('img')
          .evaluate((img) => (img as HTMLImageElement).naturalWidth),
      )
      .toBeGreaterThan(100)
  })

  test('several scans become several plans, named after their files', async () => {
    const page = await visit('apus_team', `/member-management/client/${KUNDE}?ansicht=karten`)
    const token = await tokenOf(page)
    await page.getByRole('button', { name: 'Neuer Plan' }).first().click()
    const dialog = page.getByRole('dialog')
    const picture = async (width: number) =>
      sharp({ create: { width, height: 300, channels: 3, background: '#fdfdf6' } })
        .jpeg()
        .toBuffer()
    await dialog.getByLabel('Scans des neuen Plans').setInputFiles([
      { name: 'Gutshof West.jpg', mimeType: 'image/jpeg', buffer: await picture(400) },
      { name: 'Gutshof Ost.jpg', mimeType: 'image/jpeg', buffer: await picture(500) },
    ])
    await dialog.getByLabel('Name des Plans aus Gutshof Ost.jpg').fill('Gutshof Osten')
    await dialog.getByLabel('Auftragsnummer').fill('G 1')
    await dialog.getByRole('button', { name: '2 Pläne anlegen' }).click()
    await page.getByText('Alle Scans sind hochgeladen').waitFor()
    expect(
      await rows(token, 'auftr_nr=eq.G 1&order=map_name&select=map_name,status,width,client_id'),
    ).toEqual([
      { map_name: 'Gutshof Osten', status: 'gescannt', width: 500, client_id: KUNDE },
      { map_name: 'Gutshof West', status: 'gescannt', width: 400, client_id: KUNDE },
    ])
    // The thumbnail is next to the name.
    const row = page.getByRole('row').filter({ hasText: 'Gutshof West' })
    await row.scrollIntoViewIfNeeded()
    await row.locator('img').waitFor()
  })

  test('a file of three pages is one plan; the others become plans on request, with a page each', async () => {
    const page = await visit('apus_team', `/member-management/client/${KUNDE}?ansicht=karten`)
    const token = await tokenOf(page)
    await page.getByRole('button', { name: 'Neuer Plan' }).first().click()
    const dialog = page.getByRole('dialog')
    const buffer = tiffOf([3, 5, 7].map((seed) => greySheet(400 + seed, 300, seed)))
    await dialog
      .getByLabel('Scans des neuen Plans')
      .setInputFiles([{ name: 'Stapel.tif', mimeType: 'image/tiff', buffer }])
    await dialog.getByRole('button', { name: 'Anlegen', exact: true }).click()
    await page.getByText('Die Datei hat 3 Seiten').waitFor()
    expect(await rows(token, 'map_name=like.Stapel*&select=map_name')).toEqual([{ map_name: 'Stapel' }])
    expect(await brokenRules(page)).toEqual([])
    await page.getByRole('button', { name: 'Die weiteren Seiten als Pläne anlegen' }).click()
    await page.getByText('Die weiteren Seiten sind jetzt Pläne dieses Kunden.').waitFor()
    expect(
      await rows(token, 'map_name=like.Stapel*&order=map_name&select=map_name,status,width,client_id'),
    ).toEqual([
      { map_name: 'Stapel', status: 'gescannt', width: 403, client_id: KUNDE },
      { map_name: 'Stapel, Seite 2', status: 'gescannt', width: 405, client_id: KUNDE },
      { map_name: 'Stapel, Seite 3', status: 'gescannt', width: 407, client_id: KUNDE },
    ])
  })

  test('scans with a world file, with points or with tags of their own are georeferenced at once', async () => {
    const page = await visit('apus_team', `/member-management/client/${KUNDE}?ansicht=karten`)
    const token = await tokenOf(page)
    await page.getByRole('button', { name: 'Neuer Plan' }).first().click()
    const dialog = page.getByRole('dialog')
    const picture = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#fdfdf6' } })
      .jpeg()
      .toBuffer()
    const text = (name: string, lines: readonly string[]) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(lines.join('\r\n')),
    })
    await dialog
      .getByLabel('Scans des neuen Plans')
      .setInputFiles([
        { name: 'Lage Welt.jpg', mimeType: 'image/jpeg', buffer: picture },
        text('Lage Welt.jgw', ['0,5', '0', '0', '-0,5', '412000,25', '5986999,75']),
        { name: 'Lage Punkte.jpg', mimeType: 'image/jpeg', buffer: picture },
        text('Lage Punkte.jpg.points', [
          '#CRS: EPSG:32633',
          'mapX;mapY;sourceX;sourceY;enable',
          '412000;5987000;0;0;1',
          '412200,5;5987000;400;0;1',
          '412200;5986850;400;-300;1',
          '412000;5986850;0;-300;1',
        ]),
        text('Lage allein.tfw', ['1']),
      ])
    await page.getByText('Ohne Scan gleichen Namens bleibt weg: Lage allein.tfw').waitFor()
    await dialog.getByText('+ Lage Welt.jgw').waitFor()
    await dialog.getByRole('button', { name: '2 Pläne anlegen' }).click()
    await page.getByText('Die Lage wurde übernommen').waitFor()
    await page.getByText('Die Passpunkte wurden übernommen').waitFor()
    expect(await brokenRules(page)).toEqual([])
    const plans = (await rows(
      token,
      'map_name=like.Lage *&order=map_name&select=id,map_name,georef_typ,epsg,res',
    )) as unknown as { id: number; map_name: string; georef_typ: string; epsg: number; res: number | null }[]
    expect(plans).toMatchObject([
      { map_name: 'Lage Punkte', georef_typ: 'polynom1', epsg: 25833, res: null },
      { map_name: 'Lage Welt', georef_typ: 'linear', res: 0.5 },
    ])
    const { json } = await call(house.app, token, `/rest/mappoint?karte_id=eq.${plans[0]!.id}&order=nr`)
    expect(json).toMatchObject([{ mapx: 412_000 }, { mapx: 412_200.5 }, { pixely: -300 }, { pixely: -300 }])
    await page.goto(`/karten/${plans[1]!.id}?ansicht=dateien`)
    // These numbers are in the customer's own zone elsewhere: nothing is made before somebody says so.
    await page.getByText('Liegt der Plan wirklich dort?').waitFor()
    expect(await page.getByText('Lage Welt_georef.tif').count()).toBe(0)
    expect(await brokenRules(page)).toEqual([])
    await page.getByLabel('Ja, der Plan liegt dort').check()
    await page.getByRole('button', { name: 'Dort entzerren' }).click()
    await page.getByText('Lage Welt_georef.tif').waitFor()
  })
})
