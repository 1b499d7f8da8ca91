// One survey object in the office: found from list and map, changed, moved, with photos, in conflict with a device,
// deleted and taken back; and what a customer's person sees of it.
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { VermessungsObject } from '#contract/vermessung.ts'
import { type RunningApp, startApp } from './app.ts'
import { brokenRules } from './axe.ts'
import { hasBrowser, launchBrowser, openVisitor, signIn, type DemoRole, type Visitor } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import type { Browser, Page } from 'playwright-core'

describe.skipIf(!hasBrowser())('a survey object in the office', () => {
  let app: RunningApp
  let browser: Browser
  const visitors: Visitor[] = []
  beforeAll(async () => {
    ;[app, browser] = await Promise.all([startApp({ env: { LOGIN_RATE_PER_MIN: '1000' } }), launchBrowser()])
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await app?.stop()
  })
  afterEach(async () => {
    await Promise.all(visitors.splice(0).map((visitor) => visitor.close()))
  })
  async function visit(role: DemoRole, path: string, width = 1440): Promise<Page> {
    const visitor = await openVisitor(browser, app, { viewport: { width, height: 900 } })
    visitors.push(visitor)
    await signIn(visitor, app, role, path)
    return visitor.page
  }
  const looksRight = async (page: Page) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await brokenRules(page), colorScheme).toEqual([])
    }
    await page.emulateMedia({ colorScheme: 'light' })
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      'nothing sticks out',
    ).toBeLessThanOrEqual(0)
  }
  async function sample(page: Page, token: string) {
    const [kunde] = (
      await call(app, token, '/rest/benutzer_kunde?select=client_id&kataster_enabled=is.true&limit=1')
    ).json as { client_id: number }[]
    const rows = async (path: string) => (await call(app, token, `/rest/${path}`)).json as VermessungsObject[]
    const [manhole] = await rows(
      `schacht?schluessel=not.is.null&order=id&limit=1${kunde ? `&client_id=eq.${kunde.client_id}` : ''}`,
    )
    return { rows, manhole: manhole!, page }
  }

  test('found from list and map, changed, moved by hand, with photos; the history says it all', async () => {
    const page = await visit('apus_team', '/kataster/index')
    const token = await tokenOf(page)
    const { rows, manhole } = await sample(page, token)
    const { id, client_id: kunde, schluessel } = manhole
    await page.goto(`/kataster/index?kunde=${kunde}&art=schacht`)
    await page.getByRole('link', { name: schluessel!, exact: true }).first().click()
    await page.getByRole('heading', { name: `Schacht ${schluessel}`, level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/kataster/objekt/schacht.${id}`)
    await page.getByText('Noch kein Foto').waitFor()
    await looksRight(page)

    // Wrong input says so at its field, and nothing is saved.
    await page.getByRole('textbox', { name: 'Nennweite (mm)' }).fill('0')
    await page.getByRole('textbox', { name: 'Breite und Länge in Grad' }).fill('12,9 53,5')
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    await page.getByText('Bitte eine ganze Zahl zwischen 1 und 10.000.').waitFor()
    await page.getByText('Diese Lage liegt außerhalb von Deutschland. Breite steht vor Länge.').waitFor()
    await page.getByRole('button', { name: 'Verwerfen' }).click()

    // Set into the middle of the map: what a receiver said of the place before is gone.
    await call(
      app,
      token,
      `/rest/schacht?id=eq.${id}`,
      { lage_fix: 'rtk_fixed', genauigkeit_geschaetzt: false, genauigkeit_cm: 1.4 },
      'PATCH',
    )
    await page.reload()
    await page.getByText('GNSS-Lösung: RTK fixed').waitFor()
    const map = page.getByRole('region', { name: `Lage von Schacht ${schluessel}` })
    await map.locator('canvas').first().waitFor()
    await map.focus()
    await page.keyboard.press('ArrowRight')
    await page.waitForTimeout(400)
    await page.keyboard.press('Enter')
    await page.getByText('Die Lage ist von Hand gesetzt').waitFor()
    await page.getByRole('textbox', { name: 'Nennweite (mm)' }).fill('1200')
    await page.getByRole('textbox', { name: 'Material' }).fill('Beton')
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    await page.getByText('Gespeichert.').waitFor()
    const [moved] = await rows(`schacht?id=eq.${id}`)
    expect(moved).toMatchObject({
      dn: 1200,
      material: 'Beton',
      lage_fix: null,
      genauigkeit_geschaetzt: null,
      genauigkeit_cm: null,
      import_id: null,
    })
    expect(JSON.stringify(moved)).not.toContain(
      JSON.stringify((manhole as unknown as { geom: unknown }).geom),
    )

    // A photo: uploaded, shown large with its text, left by the keyboard.
    const picture = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#456' } })
      .jpeg()
      .toBuffer()
    await page
      .locator('.foto-ablage input[type=file]')
      .first()
      .setInputFiles({ name: 'Deckel.jpg', mimeType: 'image/jpeg', buffer: picture })
    await page.getByRole('heading', { name: 'Fotos (1)' }).waitFor({ timeout: 30_000 })
    await page.getByRole('button', { name: 'Foto 1 groß zeigen: Deckel.jpg' }).click()
    await page.getByRole('img', { name: `Foto von Schacht ${schluessel}: Deckel.jpg` }).waitFor()
    await looksRight(page)
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Verlauf' }).click()
    await page.getByText('Foto hinzugefügt').waitFor()
    await page.getByText('RTK fixed').first().waitFor()
    await page
      .getByText(/^Ost [\d.]+,\d\d, Nord/)
      .first()
      .waitFor()
    await looksRight(page)

    // On the map's panel, too, and for the customer's people without anything to change.
    await page.goto(`/kataster/index?kunde=${kunde}&art=schacht&objekt=schacht.${id}`)
    const chosen = page.getByRole('region', { name: 'Gewähltes Objekt' })
    await chosen.getByRole('button', { name: /^Foto 1 groß zeigen/ }).waitFor({ timeout: 30_000 })
    await chosen.getByRole('link', { name: 'Öffnen und ändern' }).waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/kataster/objekt/schacht.${id}`)
    await page.getByRole('heading', { name: 'Fotos (1)' }).waitFor()
    await looksRight(page)
  }, 180_000)

  test('changed on a device meanwhile: each difference is asked about; deleted, and taken back', async () => {
    const page = await visit('apus_admin', '/kataster/index')
    const token = await tokenOf(page)
    const { rows, manhole } = await sample(page, token)
    const [other] = await rows(
      `schacht?client_id=eq.${manhole.client_id}&id=neq.${manhole.id}&order=id&limit=1`,
    )
    const { id, schluessel, kennung } = other!
    await page.goto(`/kataster/objekt/schacht.${id}`)
    await page.getByRole('textbox', { name: 'Zustand' }).fill('wie neu')
    const { version } = (await rows(`schacht?id=eq.${id}`))[0]!
    await call(app, token, '/rest/rpc/a_sync_vermessung', {
      erfassungen: [{ kennung, tabelle: 'schacht', version, zustand: 'eingestürzt', dn: 800 }],
    })
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    const conflict = page.getByRole('dialog', { name: 'Inzwischen geändert' })
    await conflict.getByRole('radio', { name: /^Zustand, meine Eingabe: wie neu/ }).check()
    await conflict.getByRole('button', { name: 'Auswahl speichern' }).click()
    await page.getByText('Gespeichert.').waitFor()
    expect((await rows(`schacht?id=eq.${id}`))[0]).toMatchObject({ zustand: 'wie neu', dn: 800 })

    await page.getByRole('button', { name: 'Objekt löschen' }).click()
    const ask = page.getByRole('alertdialog', { name: 'Objekt löschen?' })
    await ask.getByText('Das Objekt wird aus dem Kataster gelöscht.').waitFor()
    await ask.getByRole('button', { name: 'Löschen' }).click()
    await ask.getByText('Bitte sagen Sie kurz, warum es gelöscht wird.').waitFor()
    await ask.getByRole('textbox', { name: 'Grund' }).fill('zurückgebaut')
    await ask.getByRole('button', { name: 'Löschen' }).click()
    await page.getByText(`Schacht ${schluessel} wurde gelöscht.`).waitFor()
    expect(await rows(`schacht?id=eq.${id}`)).toEqual([])
    await page.getByRole('button', { name: 'Rückgängig' }).click()
    await page.getByRole('heading', { name: `Schacht ${schluessel}`, level: 1 }).waitFor()
    const [again] = await rows(
      `schacht?client_id=eq.${manhole.client_id}&schluessel=eq.${encodeURIComponent(schluessel!)}`,
    )
    expect(again).toMatchObject({ id, zustand: 'wie neu', dn: 800, version: version + 3 })
    await page.getByRole('tab', { name: /Verlauf/ }).click()
    await page.getByText('Gelöscht, Grund: zurückgebaut').waitFor()
    // Later, from the list of what was deleted.
    await call(app, token, '/rest/rpc/a_sync_vermessung', {
      erfassungen: [
        { kennung, tabelle: 'schacht', version: again!.version, geloescht: true, loeschgrund: 'doppelt' },
      ],
    })
    await page.goto(`/kataster/objekt/schacht.${id}`)
    await page.getByText('Dieses Vermessungsobjekt gibt es nicht').waitFor()
    await page.goto(`/kataster/index?kunde=${manhole.client_id}`)
    await page.getByRole('button', { name: 'Gelöschte Objekte' }).click()
    const gone = page.getByRole('dialog', { name: 'Gelöschte Objekte' })
    await gone.getByText('doppelt', { exact: true }).waitFor()
    expect(await brokenRules(page)).toEqual([])
    await gone.getByRole('button', { name: `Schacht ${schluessel} wiederherstellen` }).click()
    await page.getByRole('heading', { name: `Schacht ${schluessel}`, level: 1 }).waitFor()
    await page.goto('/kataster/objekt/kunde.1')
    await page.getByText('Dieses Vermessungsobjekt gibt es nicht').waitFor()
  }, 120_000)

  test('a drain is moved by its points; a customer’s person sees everything and changes nothing', async () => {
    const page = await visit('appuser_admin', '/kataster/index')
    const token = await tokenOf(page)
    const [drain] = (await call(app, token, '/rest/draenage?order=id&limit=1')).json as VermessungsObject[]
    await page.goto(`/kataster/objekt/draenage.${drain!.id}`)
    await page.getByRole('heading', { name: 'Angaben' }).waitFor()
    await page.getByText('Zu diesem Objekt ist noch kein Foto aufgenommen.').waitFor()
    for (const name of ['Speichern', 'Objekt löschen', 'Fotos wählen'])
      expect(await page.getByRole('button', { name }).count(), name).toBe(0)
    await looksRight(page)

    const staff = await visit('apus_team', `/kataster/objekt/draenage.${drain!.id}`)
    const points = staff.getByRole('textbox', { name: 'Punkte der Linie' })
    const lines = (await points.inputValue()).split('\n')
    expect(lines.length).toBeGreaterThan(1)
    await points.fill(lines[0]!)
    await points.blur()
    await staff.getByText('Eine Dränage braucht mindestens zwei Punkte an verschiedenen Stellen.').waitFor()
    await points.fill([...lines, lines[0]!.replace(/\d{4} /, '0000 ')].join('\n'))
    await staff.getByRole('button', { name: 'Speichern', exact: true }).click()
    await staff.getByText('Gespeichert.').waitFor()
    const [after] = (await call(app, token, `/rest/draenage?id=eq.${drain!.id}`)).json as {
      version: number
    }[]
    expect(after!.version).toBe(drain!.version + 1)
    await looksRight(staff)
  }, 120_000)
})
