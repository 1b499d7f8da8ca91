// The field mode in a real browser: a holding is saved, the line is cut and the browser's own cache emptied,
// and it still starts, with stands, trees and background map. Returning to the network does not ask for a
// password unnecessarily, signing out asks about what was not transferred, and the next person on this device
// sees nothing of it.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { RunningApp } from './app.ts'
import { type BehindFront, startBehindFront } from './behind-front.ts'
import { brokenRules } from './axe.ts'
import {
  demoPassword,
  type DemoRole,
  emailOf,
  enterCredentials,
  hasBrowser,
  openVisitor,
  signIn,
  type Visitor,
} from './browser.ts'
import type { Front } from './front.ts'

const PHONE = {
  viewport: { width: 390, height: 844 },
  serviceWorkers: 'allow',
  permissions: ['geolocation'],
} satisfies BrowserContextOptions

/** A tile service of the operator: the same picture for every tile. */
async function openTiles(): Promise<{ server: Server; url: string }> {
  const picture = await sharp({ create: { width: 256, height: 256, channels: 3, background: '#a8c090' } })
    .png()
    .toBuffer()
  const server = createServer((_asked, answer) =>
    answer.writeHead(200, { 'content-type': 'image/png' }).end(picture),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/{z}/{x}/{y}` }
}

/** All rows of a store of the field mode. */
const rowsOf = (page: Page, store: string): Promise<Record<string, unknown>[]> =>
  page.evaluate(async (name) => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const asked = indexedDB.open('forstkontor-feld')
      asked.addEventListener('success', () => resolve(asked.result))
      asked.addEventListener('error', () => reject(asked.error))
    })
    try {
      return await new Promise<Record<string, unknown>[]>((resolve) => {
        const asked = db.transaction(name).objectStore(name).getAll()
        asked.addEventListener('success', () => resolve(asked.result as Record<string, unknown>[]))
      })
    } finally {
      db.close()
    }
  }, store)
/** As the form stores it. */
const putCapture = (page: Page, row: object) =>
  page.evaluate(async (value) => {
    const db = await new Promise<IDBDatabase>((resolve) => {
      const asked = indexedDB.open('forstkontor-feld')
      asked.addEventListener('success', () => resolve(asked.result))
    })
    await new Promise<void>((resolve) => {
      const tx = db.transaction('erfassungen', 'readwrite')
      tx.objectStore('erfassungen').put(value)
      tx.addEventListener('complete', () => resolve())
    })
    db.close()
  }, row)
const chip = (page: Page, text: string) => page.getByRole('status', { name: text, exact: true })
const pathOf = (page: Page) => new URL(page.url()).pathname

describe.skipIf(!hasBrowser())('the field mode', () => {
  let home: BehindFront
  let front: Front
  let tiles: Awaited<ReturnType<typeof openTiles>>
  let app: RunningApp
  let browser: Browser
  const visitors: Visitor[] = []
  beforeAll(async () => {
    tiles = await openTiles()
    const map = {
      id: 'haus',
      titel: 'Hauskarte',
      typ: 'xyz',
      url: tiles.url,
      namensnennung: '© Haus',
      intern: true,
      mitnehmen: true,
      max: 15,
    }
    home = await startBehindFront({ KARTENDIENSTE: JSON.stringify([map]) })
    ;({ front, app, browser } = home)
  }, 180_000)
  afterAll(async () => {
    await home?.close()
    tiles?.server.close()
  })
  afterEach(async () => {
    front.cut(false)
    await Promise.all(visitors.splice(0).map((visitor) => visitor.close()))
  })
  const visit = async (role: DemoRole): Promise<Visitor> => {
    const visitor = await openVisitor(browser, front, PHONE)
    visitors.push(visitor)
    await signIn(visitor, app, role, '/feld', { signInAgain: true })
    return visitor
  }
  /** Without a background map, so the map is ready immediately. */
  const save = async (page: Page) => {
    await page.getByLabel('Hintergrundkarte').selectOption({ label: 'Keine' })
    await page.getByRole('button', { name: 'Auf diesem Gerät speichern' }).click()
    await page.getByRole('region', { name: /^Karte von/ }).waitFor()
  }
  /**
   * No server answers, the browser is offline, and its cache is gone: only the worker's caches and the
   * storage are left.
   */
  const cutOff = async ({ context, page }: Visitor): Promise<Page> => {
    const session = await context.newCDPSession(page)
    await session.send('Network.clearBrowserCache')
    front.cut(true)
    await context.setOffline(true)
    await page.close()
    return context.newPage()
  }

  test('a saved holding is there after a cold start offline: map, stands, trees; the way back is free', async () => {
    const visitor = await visit('ogf_fb_admin')
    const { context } = visitor
    await visitor.page.getByRole('button', { name: 'Auf diesem Gerät speichern' }).click()
    // Meanwhile the worker caches the whole application.
    await visitor.page.getByText(/liegt jetzt auf diesem Gerät/).waitFor({ timeout: 120_000 })
    const [packet] = await rowsOf(visitor.page, 'pakete')
    const trees = (await rowsOf(visitor.page, 'baeume')) as {
      baum: { lon: number; lat: number; nummer: string | null }
    }[]
    expect(packet).toMatchObject({ fertig: true, baeume: trees.length })
    expect((await rowsOf(visitor.page, 'kacheln')).length).toBe(packet!['kacheln'])
    expect(Number(packet!['kacheln'])).toBeGreaterThan(20)
    // It can be installed, as far as the page can ensure it.
    const session = await context.newCDPSession(visitor.page)
    const manifest = await session.send('Page.getAppManifest')
    expect([new URL(manifest.url).pathname, manifest.errors]).toEqual(['/config/app.webmanifest', []])
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
    // The worker caches no picture, no tree and no name.
    const kept = await visitor.page.evaluate(async () => {
      const all = await Promise.all(
        (await caches.keys()).map(async (name) => (await caches.open(name)).matchAll()),
      )
      return Promise.all(
        all.flat().map(async (answer) => [new URL(answer.url).pathname, await answer.text()] as const),
      )
    })
    expect(
      kept.some(([path]) => path.startsWith('/assets/start-')),
      'the largest part of the start is kept',
    ).toBe(true)
    expect(kept.filter(([path]) => /^\/(?:prod-api|rest|config|realms)\//.test(path))).toEqual([])
    expect(
      kept.some(
        ([, text]) => text.includes(String(packet!['sHQ'])) || text.includes('@probe.forstkontor.example'),
      ),
    ).toBe(false)

    const page = await cutOff(visitor)
    const { lon, lat } = trees[0]!.baum
    await context.setGeolocation({ longitude: lon, latitude: lat, accuracy: 4 })
    await page.goto('/feld')
    await page.getByRole('heading', { level: 1, name: String(packet!['sHQ']) }).waitFor()
    await chip(page, 'Ohne Netz').waitFor()
    const map = page.getByRole('region', { name: `Karte von ${String(packet!['sHQ'])}` })
    await map.locator('canvas').first().waitFor()
    // What is around the saved tiles is on the device as well.
    await page.getByText(/© GeoBasis-DE/).waitFor()
    // The own position and what is near: the first tree is right there.
    const near = page.getByRole('list', { name: 'Nächste Bäume' }).getByRole('button')
    await near
      .first()
      .getByText(/^0,0 m /)
      .waitFor()
    await page.getByText('auf ± 4,0 m genau').waitFor()
    // Background, stands and trees are really drawn: all their colours occur on the map.
    await expect
      .poll(() =>
        map.evaluate((element) => {
          const colours = new Set<string>()
          for (const canvas of element.querySelectorAll('canvas')) {
            const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
            for (let at = 0; at < data.length; at += 4 * 17)
              if (data[at + 3]! > 250) colours.add([data[at], data[at + 1], data[at + 2]].join())
          }
          return ['168,192,144', '16,36,10', '11,87,208'].filter((colour) => colours.has(colour))
        }),
      )
      .toEqual(['168,192,144', '16,36,10', '11,87,208'])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await brokenRules(page), colorScheme).toEqual([])
    }
    // Targets are large enough for gloved fingers.
    const small = await page
      .locator('.feld :is(a, button):visible')
      .evaluateAll((all) =>
        all
          .filter(
            (one) => one.getBoundingClientRect().height < 47.5 || one.getBoundingClientRect().width < 47.5,
          )
          .map((one) => one.outerHTML.slice(0, 120)),
      )
    expect(small).toEqual([])

    // On a tablet in landscape the panel is next to the map.
    await page.setViewportSize({ width: 1180, height: 820 })
    await expect.poll(async () => (await map.boundingBox())?.width).toBeGreaterThan(700)
    const [wide, board] = [
      (await map.boundingBox())!,
      (await page.getByRole('region', { name: 'Wo ich bin' }).boundingBox())!,
    ]
    expect(wide.height).toBeGreaterThan(600)
    expect(board.x).toBeGreaterThanOrEqual(wide.x + wide.width - 1)
    await page.setViewportSize(PHONE.viewport)

    await page.getByRole('link', { name: 'Bäume' }).click()
    await page.getByText(`${trees.length} Bäume`).waitFor()
    const numbered = trees.find(({ baum }) => baum.nummer !== null)!.baum
    await page.getByRole('searchbox', { name: 'Bäume suchen' }).fill(String(numbered.nummer))
    await page
      .getByRole('link', { name: new RegExp(`^${numbered.nummer} ·`) })
      .first()
      .waitFor()

    // Every other page says that it needs a connection, and leads back.
    await page.goto('/dashboard')
    await page.getByRole('heading', { name: 'Keine Verbindung' }).waitFor()
    await page.getByRole('button', { name: 'Feldmodus öffnen' }).click()
    await chip(page, 'Ohne Netz').waitFor()

    front.cut(false)
    await context.setOffline(false)
    await chip(page, 'Verbunden').waitFor()
    expect(pathOf(page)).toBe('/feld')
    // Signed in to the whole application again.
    await page.getByRole('button', { name: 'Pakete und Gerät' }).click()
    await page.getByText('Verbunden und angemeldet.').waitFor()
    await page.getByRole('button', { name: 'Aktualisieren' }).click()
    // Takes long: hundreds of tiles, and the worker caches the whole application at the same time.
    await page.getByText(/liegt jetzt auf diesem Gerät/).waitFor({ timeout: 60_000 })
  }, 240_000)

  test('a sign-in that is over does not lock out: work goes on, one press leads to the sign-in and back', async () => {
    const visitor = await visit('ogf_fb_admin')
    const { context, page } = visitor
    await save(page)
    await context.clearCookies()
    await page.goto('/feld')
    await chip(page, 'Nicht angemeldet').waitFor()
    await page.getByRole('region', { name: /^Karte von/ }).waitFor()
    await page.getByRole('button', { name: 'Anmelden und übertragen' }).click()
    await enterCredentials(page, emailOf('ogf_fb_admin'), demoPassword(app))
    await chip(page, 'Verbunden').waitFor()
    expect(pathOf(page)).toBe('/feld/uebertragen')
  })

  test('signing out asks about what is not sent; the next sees nothing; who kept it finds it again', async () => {
    const visitor = await visit('ogf_fb_admin')
    const { page } = visitor
    await save(page)
    // The worker caches the whole application; leaving the page meanwhile could abort that.
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, {
      timeout: 60_000,
    })
    const [person] = await rowsOf(page, 'person')
    const [packet] = await rowsOf(page, 'pakete')
    const capture = {
      sub: person!['sub'],
      kennung: '11111111-1111-4111-8111-111111111111',
      idHQ: packet!['idHQ'],
      version: null,
      basis: null,
      werte: { nummer: 'GEHEIM 1', art: 'bu', lon: 10, lat: 51 },
      kontrollen: [],
      stand: 'konflikt',
      unterwegs: null,
      versuche: 0,
      antwort: null,
      seit: '2026-11-22T06:00:00Z',
      geaendert_am: '2026-11-22T06:00:00Z',
    }
    await putCapture(page, capture)
    const signOut = async () => {
      await page.getByRole('button', { name: 'Abmelden' }).click()
    }
    const signInAgain = async (role: DemoRole, path: string) => {
      await page.goto(path)
      await page.getByRole('button', { name: 'Wieder anmelden' }).click()
      await enterCredentials(page, emailOf(role), demoPassword(app))
      await page.locator('.frame').waitFor()
    }
    const asked = page.getByRole('alertdialog', { name: 'Noch nicht übertragen' })
    await page.goto('/feld/paket')
    await signOut()
    await asked.getByText('1 Erfassung.').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await asked.getByRole('button', { name: 'Abbrechen' }).click()
    await signOut()
    await asked.getByRole('radio', { name: 'Verwerfen' }).check()
    await asked.getByRole('button', { name: 'Verwerfen und abmelden' }).click()
    await asked.getByText('Bitte geben Sie „Verwerfen“ ein.').waitFor()
    await asked.getByRole('radio', { name: 'Auf diesem Gerät behalten' }).check()
    await asked.getByRole('button', { name: 'Behalten und abmelden' }).click()
    await page.getByText('Sie sind abgemeldet.').waitFor()
    expect(await rowsOf(page, 'erfassungen')).toHaveLength(1)
    for (const store of ['person', 'pakete', 'baeume', 'kacheln'])
      expect(await rowsOf(page, store), store).toEqual([])

    // Offline there is no person to continue as.
    front.cut(true)
    await page.goto('/feld')
    await page.getByRole('heading', { name: 'Keine Verbindung' }).waitFor()
    expect(await page.getByRole('button', { name: 'Feldmodus öffnen' }).count()).toBe(0)
    front.cut(false)

    await signInAgain('ogf_standard', '/feld')
    await page.getByRole('heading', { name: 'Forstbetrieb mitnehmen' }).waitFor()
    await save(page)
    const theirs = (await rowsOf(page, 'person')).map(({ sub }) => sub)
    expect(theirs).toHaveLength(1)
    expect(theirs[0]).not.toBe(capture.sub)
    for (const address of ['/feld', '/feld/baeume', '/feld/uebertragen', '/feld/paket']) {
      await page.goto(address)
      await chip(page, 'Verbunden').waitFor()
      expect(await page.locator('body').innerText(), address).not.toContain('GEHEIM 1')
    }
    // Nothing of theirs is waiting, so no question is asked and nothing remains.
    await signOut()
    await page.getByText('Sie sind abgemeldet.').waitFor()
    for (const store of ['person', 'pakete', 'baeume', 'kacheln'])
      expect(await rowsOf(page, store), store).toEqual([])

    await signInAgain('ogf_fb_admin', '/habitatbaeume/index')
    await page.getByText('Auf diesem Gerät wartet eine Erfassung von Ihnen.', { exact: false }).waitFor()
    await page.goto('/feld/paket')
    await page.getByRole('heading', { name: 'Forstbetrieb mitnehmen' }).waitFor()
    await signOut()
    await asked.getByRole('radio', { name: 'Verwerfen' }).check()
    await asked.getByLabel('Zur Bestätigung „Verwerfen“ eingeben').fill('verwerfen')
    await asked.getByRole('button', { name: 'Verwerfen und abmelden' }).click()
    await page.getByText('Sie sind abgemeldet.').waitFor()
    expect(await rowsOf(page, 'erfassungen')).toEqual([])
  }, 120_000)
})
