// The home page by role: a holding at a glance, one of several that is chosen and remembered, and what awaits
// the provider's people.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Place } from '#contract/places.ts'
import { bare, hasReader, onPaper } from '../server/documents/paper.fixture.ts'
import { unpackZip } from '../web/src/data/unpack-zip.ts'
import { type DemoRole, hasBrowser } from './browser.ts'
import { brokenRules } from './axe.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

describe.skipIf(!hasBrowser())('the home page', () => {
  // The browser logs every failed response.
  const server = oneServer({ asked: /503/ })
  const as = async (role: DemoRole, work: (page: Page) => Promise<void>): Promise<void> => {
    const visitor = await server.visitor(role, '/dashboard')
    await work(visitor.page)
    await visitor.context.close()
  }
  const part = (page: Page, title: string) =>
    page.locator('section.card').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

  test('staff begin KAWM with the holdings that have it: trees, how many are needed, and the deadline', async () => {
    const { page } = await server.visitor('ogf_team', '/kawm/index')
    const main = page.getByRole('main')
    const { json } = await call(server.app, await tokenOf(page), '/rest/rpc/__o_get_places', { was: 'kawm' })
    const places = json as Place[]
    expect(places.length).toBeGreaterThan(0)
    for (const { name, anzahl, soll, frist } of places.slice(0, 3)) {
      const row = main.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
      const [n, required] = [anzahl.toLocaleString('de-DE'), soll?.toLocaleString('de-DE')]
      await row.getByText(required === undefined ? n : `${n} von ${required}`, { exact: true }).waitFor()
      if (frist !== null) await row.getByText(frist.split('-').toReversed().join('.')).waitFor()
    }
    expect(await brokenRules(page)).toEqual([])
    await main.getByRole('link', { name: places[0]!.name, exact: true }).click()
    await page.waitForURL(`**/kawm/index?fb=${places[0]!.id}`)
    await main.getByRole('link', { name: 'Alle Forstbetriebe' }).waitFor()
  })

  test('a forester sees the grant as the database counts it, the trees, the place and the subscription', () =>
    as('ogf_standard', async (page) => {
      const kawm = part(page, 'KAWM: Klimaangepasstes Waldmanagement')
      await kawm.getByText('Für den Nachweis fehlt noch').waitFor()
      const token = await tokenOf(page)
      const hq = (
        await call(server.app, token, '/rest/hq?select=idHQ,sHQ&fb_enabled=is.true&order=idHQ&limit=1')
      ).json as {
        idHQ: number
        sHQ: string
      }[]
      const { soll, erfasst, baeume } = (
        await call(server.app, token, '/rest/rpc/__o_get_kawm', { idHQ: hq[0]!.idHQ })
      ).json as Record<string, number>
      expect(soll).toBeGreaterThan(0)
      await kawm
        .getByText(`${erfasst!.toLocaleString('de-DE')} von ${soll!.toLocaleString('de-DE')} (`)
        .waitFor()
      await kawm
        .getByText(
          `Noch ${(soll! - erfasst!).toLocaleString('de-DE')} Bäume fehlen bis zum Soll von ` +
            `${soll!.toLocaleString('de-DE')}.`,
        )
        .waitFor()
      expect(await part(page, 'Habitatbäume').locator('dd').first().innerText()).toBe(
        baeume!.toLocaleString('de-DE'),
      )
      await part(page, 'Lage und Waldbestand').locator('svg path').first().waitFor()
      await part(page, 'Abo').getByRole('link', { name: 'Abo verwalten' }).waitFor()
      await part(page, 'Neu seit Ihrem letzten Besuch').waitFor()
      await part(page, 'Lage und Waldbestand').getByRole('link', { name: 'Waldbestand öffnen' }).click()
      await page.getByRole('heading', { level: 1, name: 'Waldbestand' }).waitFor()
      expect(new URL(page.url()).searchParams.get('fb')).toBe(String(hq[0]!.idHQ))
    }))

  test('of several holdings the one chosen last is there the next time, also on another machine', async () => {
    let chosen = ''
    await as('multiple_fb', async (page) => {
      const choice = page.getByRole('main').getByLabel('Forstbetrieb', { exact: true })
      await choice.waitFor()
      const names = await choice.locator('option').allInnerTexts()
      expect(names.length).toBeGreaterThan(1)
      chosen = names.at(-1)!
      const told = page.waitForResponse(
        (answer) => answer.url().endsWith('/rpc/__o_set_einstellungen') && answer.ok(),
      )
      await choice.selectOption({ label: chosen })
      await page.getByRole('heading', { level: 2, name: chosen }).waitFor()
      await told
    })
    await as('multiple_fb', async (page) => {
      await page.getByRole('heading', { level: 2, name: chosen }).waitFor()
      const choice = page.getByRole('main').getByLabel('Forstbetrieb', { exact: true })
      const shown = () => choice.locator('option:checked').innerText()
      expect(await shown()).toBe(chosen)

      // The same choice applies on every page and also here; an address that names a holding takes precedence
      // and changes nothing.
      const others = (await choice.locator('option').allInnerTexts()).filter((name) => name !== chosen)
      const frame = page.getByRole('navigation').first()
      await frame.getByRole('link', { name: 'Waldbestand' }).click()
      await page.getByRole('heading', { level: 1, name: 'Waldbestand' }).waitFor()
      await choice.waitFor()
      expect(await shown()).toBe(chosen)
      await frame.getByRole('link', { name: 'Habitatbäume' }).click()
      await page.getByRole('heading', { level: 1, name: 'Habitatbäume' }).waitFor()
      await choice.waitFor()
      expect(await shown()).toBe(chosen)
      await choice.selectOption({ label: others[0]! })
      const id = new URL(page.url()).searchParams.get('fb')
      await frame.getByRole('link', { name: 'Waldbestand' }).click()
      await page.getByRole('heading', { level: 1, name: 'Waldbestand' }).waitFor()
      await expect.poll(shown).toBe(others[0])
      const [named] = (
        await call(
          server.app,
          await tokenOf(page),
          `/rest/hq?select=idHQ&sHQ=eq.${encodeURIComponent(chosen)}`,
        )
      ).json as {
        idHQ: number
      }[]
      expect(String(named!.idHQ)).not.toBe(id)
      await page.goto(`/waldbestand/index?fb=${named!.idHQ}`)
      await choice.waitFor()
      expect(await shown()).toBe(chosen)
      await page.goto('/dashboard')
      await page.getByRole('heading', { level: 2, name: others[0]! }).waitFor()
    })
  })

  test('apus_admin sees what waits, and each figure leads to just these rows', () =>
    as('apus_admin', async (page) => {
      const names = [
        /zu georeferenzieren/,
        /Rückfragen von Kunden/,
        /Rechnungen offen/,
        /(?:ist|sind) mahnbar/,
      ]
      for (const name of names) {
        const link = part(page, 'Was auf Sie wartet').getByRole('link', { name })
        const figure = await link.locator('strong').innerText()
        await link.click()
        await page
          .getByText(new RegExp(`(?:^|\\s)${figure} (?:Treffer|von)|von ${figure}\\b`))
          .first()
          .waitFor()
        await page.goBack()
      }
    }))

  test.each(['kundenadmin', 'appuser_admin', 'apus_team', 'ogf_team'] as const)(
    'whatever waits for %s leads to just its rows',
    (role) =>
      as(role, async (page) => {
        const links = part(page, 'Was auf Sie wartet').getByRole('link')
        await page.getByRole('heading', { name: 'Was auf Sie wartet' }).waitFor()
        await page.waitForLoadState('networkidle')
        for (let nr = 0; nr < (await links.count()); nr++) {
          const name = await links.nth(nr).innerText()
          const figure = await links.nth(nr).locator('strong').innerText()
          await links.nth(nr).click()
          await page
            .getByText(new RegExp(`(?:^|\\s)${figure} (?:Treffer|von)|von ${figure}\\b`))
            .first()
            .waitFor()
            .catch(() => expect.fail(`${name} leads to ${page.url()}`))
          await page.goBack()
          await links.first().waitFor()
        }
      }),
  )

  test('what waits for the forest half leads to just these people and holdings', () =>
    as('ogf_admin', async (page) => {
      const tasks = part(page, 'Was auf Sie wartet')
      await tasks.getByRole('link').first().waitFor()
      const names = [/neue Nutzer sind noch nicht zugeordnet/, /sind nicht freigeschaltet/]
      for (const name of names) {
        const link = tasks.getByRole('link', { name })
        const figure = await link.locator('strong').innerText()
        await link.click()
        await page
          .getByText(new RegExp(`(?:^|\\s)${figure} (?:Treffer|von)|von ${figure}\\b`))
          .first()
          .waitFor()
        await page.goBack()
      }
      await part(page, 'Zahlen und Entwicklung').locator('svg .chart-series-1').first().waitFor()
      await part(page, 'Karte der Forstbetriebe').locator('canvas').first().waitFor()
      expect(await brokenRules(page)).toEqual([])
    }))

  test('blocks are hidden and moved, for this person alone and on every machine', async () => {
    const MOVED = ['Zahlen und Entwicklung', 'Was auf Sie wartet', 'Zuletzt geöffnet', 'Karte der Kunden']
    const heads = (page: Page) => page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts()
    await as('apus_team', async (page) => {
      await part(page, 'Zahlen und Entwicklung').waitFor()
      await page.getByRole('button', { name: 'Startseite anpassen' }).click()
      const dialog = page.getByRole('dialog', { name: 'Startseite anpassen' })
      expect(await brokenRules(page)).toEqual([])
      await dialog.getByRole('switch', { name: 'Neu seit Ihrem letzten Besuch' }).click()
      for (let nr = 0; nr < 4; nr++)
        await dialog.getByRole('button', { name: 'Zahlen und Entwicklung nach oben' }).click()
      await dialog.getByRole('button', { name: 'Fertig' }).click()
      await expect.poll(() => heads(page)).toEqual(MOVED)
      // Changes are sent a moment later, perhaps in several calls.
      const token = await tokenOf(page)
      const stored = async () =>
        JSON.stringify(
          (await call(server.app, token, '/rest/einstellung?schluessel=eq.deskOrder&select=wert')).json,
        )
      await expect.poll(stored).toContain('["numbers"')
    })
    await as('apus_team', async (page) => {
      await expect.poll(() => heads(page)).toEqual(MOVED)
      await page.getByRole('button', { name: 'Startseite anpassen' }).click()
      await page.getByRole('button', { name: 'Zurücksetzen' }).click()
      await part(page, 'Neu seit Ihrem letzten Besuch').waitFor()
    })
  })

  test('a drainage customer sees plans and survey as the database counts them; a bar leads to its objects', () =>
    as('appuser_admin', async (page) => {
      const token = await tokenOf(page)
      const of = async <T>(name: string, args: object) =>
        (await call(server.app, token, `/rest/rpc/${name}`, args)).json as T
      const [kunde] = (await call(server.app, token, '/rest/kunde?select=client_id&order=client_id'))
        .json as { client_id: number }[]
      const states = await of<{ status: string; anzahl: number; wartend: number }[]>('a_get_karten_stand', {})
      const plans = part(page, 'Ihre Pläne')
      const waiting = plans.getByRole('link', { name: /warten auf Ihre Antwort/ })
      expect(await waiting.locator('strong').innerText()).toBe(
        String(states.reduce((sum, { wartend }) => sum + wartend, 0)),
      )
      const { status, anzahl } = states.find((one) => one.status === 'georeferenziert') ?? states[0]!
      await plans.locator(`a[href="/karten/index?status=${status}"]`).click()
      await page
        .getByText(new RegExp(`(?:^|\\s)${anzahl} (?:Treffer|von)|von ${anzahl}\\b`))
        .first()
        .waitFor()
      await page.goBack()

      const { objekte } = await of<{ objekte: { tabelle: string; vermutet: number }[] }>(
        'a_get_kataster_overview',
        kunde!,
      )
      const manholes = objekte.find(({ tabelle }) => tabelle === 'schacht')!
      expect(manholes.vermutet).toBeGreaterThan(0)
      const pictures = part(page, 'Vermessen und vermutet')
      await part(page, 'Wie die Dränagen dazukamen').locator('svg').waitFor()
      expect(await brokenRules(page)).toEqual([])
      await pictures
        .getByRole('link', { name: `Schächte, vermutet: ${manholes.vermutet.toLocaleString('de-DE')}` })
        .click()
      await page.getByRole('heading', { level: 1, name: 'Kataster' }).waitFor()
      await page.getByRole('tab', { name: /Schächte/, selected: true }).waitFor()
      await page
        .getByText(new RegExp(`${manholes.vermutet.toLocaleString('de-DE')} (?:Treffer|von)`))
        .first()
        .waitFor()
      await page.getByRole('button', { name: /^Schächte, vermutet/, pressed: true }).waitFor()

      // If one part fails, the other remains; without the switch nothing of the survey is drawn.
      await page.route('**/rest/benutzer_kunde?*', (route) => route.fulfill({ status: 503, body: '' }))
      await page.goto('/dashboard')
      await part(page, 'Kataster').getByRole('alert').waitFor()
      await waiting.waitFor()
      await page.unroute('**/rest/benutzer_kunde?*')
      const { page: staff } = await server.visitor('apus_admin', '/dashboard')
      const off = { client_id: kunde!.client_id, kataster_status: false }
      expect(
        (await call(server.app, await tokenOf(staff), '/rest/rpc/a_set_kataster_for_client', off)).status,
      ).toBeLessThan(300)
      await part(page, 'Kataster').getByRole('button', { name: 'Erneut versuchen' }).click()
      await part(page, 'Kataster').getByText('Das Kataster ist für Sie nicht freigeschaltet').waitFor()
    }))

  test('the grant has a page: what is missing and where, trees by stand, their report, the evidence', () =>
    as('ogf_standard', async (page) => {
      const token = await tokenOf(page)
      await part(page, 'KAWM: Klimaangepasstes Waldmanagement')
        .getByRole('link', { name: 'KAWM öffnen' })
        .click()
      await page.getByRole('heading', { level: 1, name: 'KAWM' }).waitFor()
      const hq = new URL(page.url()).searchParams.get('fb')!
      const kawm = (await call(server.app, token, '/rest/rpc/__o_get_kawm', { idHQ: hq })).json as Record<
        string,
        number
      >
      const { bestaende } = (await call(server.app, token, '/rest/rpc/a_get_kawm_bestaende', { idHQ: hq }))
        .json as {
        bestaende: [id: number, l: unknown, s: number, ha: number, erfasst: number][]
      }
      await part(page, 'Stand der Förderung')
        .getByText(`${kawm['erfasst']} von ${kawm['soll']!.toLocaleString('de-DE')} (`)
        .waitFor()
      await part(page, 'Bäume je Hektar').locator('canvas').first().waitFor()
      expect(await brokenRules(page)).toEqual([])

      // The stand with the most trees comes first, and its figures are shown.
      await page.getByRole('columnheader', { name: 'Erfasst' }).getByRole('button').click()
      const most = Math.max(...bestaende.map((row) => row[4]))
      await page
        .getByRole('row')
        .nth(1)
        .getByRole('cell', { name: String(most), exact: true })
        .first()
        .waitFor()
      await page.getByRole('row').nth(1).getByRole('button').click()
      const panel = page.getByRole('region', { name: /^Bestand / })
      await panel.getByText(String(most), { exact: true }).first().waitFor()

      // A report of the unmarked trees, as filtered.
      const left = kawm['erfasst']! - kawm['markiert']!
      await part(page, 'Für den Nachweis').getByRole('link', { name: 'Bäume ohne Markierung' }).click()
      await page.getByRole('heading', { level: 1, name: 'Habitatbäume' }).waitFor()
      await page.getByText(new RegExp(`: ${left} Treffer`)).waitFor()
      await page.getByRole('button', { name: 'PDF-Bericht' }).click()
      const dialog = page.getByRole('dialog', { name: 'PDF-Bericht' })
      await dialog.getByText(/Filter: .*nicht markiert/).waitFor()
      await dialog.getByText('keine Fotos').click()
      expect(await brokenRules(page)).toEqual([])
      const [pdf] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'Bericht erstellen' }).click(),
      ])
      expect(pdf.suggestedFilename()).toMatch(/^Habitatbaeume_.*\.pdf$/)
      const bytes = readFileSync(await pdf.path())
      expect(bytes.toString('latin1', 0, 5)).toBe('%PDF-')
      if (hasReader) {
        const text = onPaper(bytes)
        expect(text).toContain(bare(`Liste der Bäume (${left})`))
        expect(text).toContain(bare('nicht markiert'))
        expect(text).not.toContain('Wellenlinie')
      }
      await dialog.waitFor({ state: 'detached' })

      await page.goto(`/kawm/index?fb=${hq}`)
      const evidence = part(page, 'Nachweis')
      await evidence.getByLabel('Stichtag').fill('31.12.2999')
      await evidence.getByRole('button', { name: 'Nachweis erstellen' }).click()
      await evidence.getByText('Der Stichtag liegt in der Zukunft.').waitFor()
      await evidence.getByLabel('Stichtag').fill('30.06.2026')
      const [zip] = await Promise.all([
        page.waitForEvent('download'),
        evidence.getByRole('button', { name: 'Nachweis erstellen' }).click(),
      ])
      const archive = readFileSync(await zip.path())
      const files = await unpackZip(new Uint8Array(archive), () => true)
      expect(files.map(({ name }) => name)).toEqual([
        'LIESMICH.txt',
        'Nachweis.pdf',
        'Nachweis.xlsx',
        'Nachweis.gpkg',
      ])
      if (hasReader) expect(onPaper(files[1]!.data)).toContain(bare('KAWM-Nachweis: Habitatbäume'))
      // The author is listed below, with the digest of this very file.
      await evidence
        .getByRole('row', { name: /30\.06\.2026/ })
        .getByText(createHash('sha256').update(archive).digest('hex').slice(0, 16))
        .waitFor()
      expect(await brokenRules(page)).toEqual([])

      const { page: admin } = await server.visitor('ogf_admin', '/dashboard')
      const toggle = async (kawm_enabled: boolean) =>
        expect(
          (
            await call(
              server.app,
              await tokenOf(admin),
              `/rest/kunde_hq?hqid=eq.${hq}`,
              { kawm_enabled },
              'PATCH',
            )
          ).status,
        ).toBeLessThan(300)
      await toggle(false)
      await page.reload()
      await page.getByText(/^KAWM ist für .* nicht freigeschaltet$/).waitFor()
      await page.getByRole('main').getByRole('link', { name: 'Abo abschließen' }).waitFor()
      await toggle(true)
    }))

  test('a part that cannot be loaded says so and leaves the others', () =>
    as('ogf_standard', async (page) => {
      await part(page, 'Habitatbäume').getByRole('link').waitFor()
      await page.route('**/rpc/__o_get_area_from_hq', (route) => route.fulfill({ status: 503, body: '' }))
      await page.reload()
      await part(page, 'KAWM: Klimaangepasstes Waldmanagement')
        .getByText('Für den Nachweis fehlt noch')
        .waitFor()
      const situation = part(page, 'Lage und Waldbestand')
      await situation.getByRole('alert').waitFor()
      await page.unroute('**/rpc/__o_get_area_from_hq')
      await situation.getByRole('button', { name: 'Erneut versuchen' }).click()
      await situation.locator('svg path').first().waitFor()
    }))
})
