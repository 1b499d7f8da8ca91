// Hostile text in every text column that people can fill, checked on every page: shown as text, never run.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasBrowser, signIn } from './browser.ts'
import { borrowVisitor } from './reuse.ts'
import { call, tokenOf } from './calls.ts'
import { MARKS } from './hostile-strings.ts'
import { oneServer } from './one-server.ts'

/** Each would leave a mark on the page or in the console if it ran. */
const PAYLOADS = [
  ...MARKS,
  '<svg onload=globalThis.HIT=1>',
  '<iframe srcdoc="<script>parent.HIT=1</script>">',
  '<a href="javascript:globalThis.HIT=1">x</a>',
  '&lt;script&gt;globalThis.HIT=1&lt;/script&gt;',
  '<style>@import "//forst.example/x.css"</style>',
  "=cmd|' /C calc'!A0",
]

describe.skipIf(!hasBrowser())('hostile text', () => {
  const house = oneServer()

  const isUntouched = async (page: Page): Promise<void> => {
    expect(await page.evaluate(() => 'HIT' in globalThis)).toBe(false)
    expect(
      await page.locator('iframe, base, a[href^="javascript:" i], [onerror], [onload], [ontoggle]').count(),
    ).toBe(0)
  }

  test('in every text column of a customer, in lists, forms, history, titles and search', async () => {
    const visitor = await borrowVisitor(house.browser, house.app)
    const { page, complaints } = visitor
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).host))
    await signIn(visitor, house.app, 'ogf_admin')
    const token = await tokenOf(page)
    const ids: number[] = []
    for (const [at, payload] of PAYLOADS.entries()) {
      const fields = {
        name: `Marke ${payload}`,
        name_zusatz: payload,
        strasse: payload,
        ort: payload,
        ap_vorname: payload,
        ap_nachname: payload,
        plz: '37073',
      }
      const answer = await call(house.app, token, '/rest/kunde?select=client_id', fields)
      // The row may be refused, but only as a whole and with a reason.
      expect([201, 400], `${payload}: ${JSON.stringify(answer.json)}`).toContain(answer.status)
      if (answer.status !== 201) continue
      const found = (
        await call(house.app, token, `/rest/kunde?select=client_id&order=client_id.desc&limit=1`)
      ).json as { client_id: number }[]
      ids.push(found[0]?.client_id ?? 0)
      if (at === 0)
        await call(
          house.app,
          token,
          `/rest/kunde?client_id=eq.${found[0]?.client_id}`,
          { ort: `${payload}2` },
          'PATCH',
        )
    }
    expect(ids.length).toBe(PAYLOADS.length)
    await page.goto('/kunden/index')
    await page.getByLabel('Kunden suchen').fill('Marke')
    await page.getByText('Marke <script>globalThis.HIT=1</script>').first().waitFor()
    await isUntouched(page)
    for (const id of ids) {
      await page.goto(`/kunden/${id}?ansicht=stammdaten`)
      await page.getByLabel('Nachname').waitFor()
      await isUntouched(page)
    }
    for (const view of ['verlauf', 'personen', 'forstbetriebe']) {
      await page.goto(`/kunden/${ids[0]}?ansicht=${view}`)
      await page.getByRole('tab', { selected: true }).waitFor()
      await page.waitForLoadState('networkidle')
      await isUntouched(page)
    }
    expect(complaints).toEqual([])
    expect(new Set(asked)).toEqual(new Set([new URL(house.app.origin).host]))
    await visitor.close()
  }, 180_000)

  test('in the address: search, view, unknown paths and the sign-in target', async () => {
    const visitor = await borrowVisitor(house.browser, house.app)
    const { page, complaints } = visitor
    await signIn(visitor, house.app, 'ogf_admin')
    const places = [
      (text: string) => `/kunden/index?suche=${text}&q=${text}`,
      (text: string) => `/404?pfad=${text}`,
      (text: string) => `/${text}`,
      (text: string) => `/401?pfad=${text}`,
      (text: string) => `/redirect/${text}`,
      (text: string) => `/kunden/1?ansicht=${text}`,
    ]
    // One place per payload; each place gets several kinds.
    for (const [at, payload] of PAYLOADS.entries()) {
      for (const place of [places[at % places.length]]) {
        await page.goto(place?.(encodeURIComponent(payload)) ?? '/')
        // Reloading passes through the sign-in and back.
        await page.waitForLoadState('networkidle')
        await page.getByRole('button', { name: /Anna Ahorn/ }).waitFor()
        await isUntouched(page)
        expect(new URL(page.url()).origin).toBe(house.app.origin)
      }
    }
    expect(complaints).toEqual([])
    await visitor.close()
  }, 240_000)

  test('in the own name, which is in the frame of every page', async () => {
    const visitor = await borrowVisitor(house.browser, house.app)
    const { page, complaints } = visitor
    await signIn(visitor, house.app, 'ogf_standard')
    const token = await tokenOf(page)
    for (const payload of PAYLOADS.slice(0, 6)) {
      const { status } = await call(house.app, token, '/rest/rpc/__o_update_user', {
        first_name: payload,
        last_name: payload,
        mail: null,
      })
      expect(status, payload).toBeLessThan(500)
      await page.goto('/profile/index')
      await page.getByRole('main').waitFor()
      await page.waitForLoadState('networkidle')
      await isUntouched(page)
    }
    expect(complaints).toEqual([])
    await visitor.close()
  }, 120_000)
})
