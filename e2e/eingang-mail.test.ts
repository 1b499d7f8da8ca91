// An invoice that comes by mail, from the mailbox to the tax adviser: taken in, approved, booked with its picture; a
// mail without an invoice is named until somebody has looked after it.
import { readFileSync } from 'node:fs'
import type { Download } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { datevPicturesPath } from '#contract/datev.ts'
import { cii } from '#domain/eingang/files.fixture.ts'
import { SENT } from './sent-invoice.ts'
import {
  asMailProgram,
  findMailServer,
  type MailServer,
  startMailServer,
  supplierMail,
} from '../test/mail-server.ts'
import { unpackZip } from '../web/src/data/unpack-zip.ts'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { LIEFERANT } from './lieferant.ts'
import { oneServer } from './one-server.ts'

const root = findMailServer()
const XML = Buffer.from(cii({ ...SENT, number: 'POST-1' }))

describe.skipIf(!hasBrowser() || root === undefined)('an invoice that comes by mail', () => {
  let mails: MailServer | undefined
  const house = oneServer({
    env: async () => {
      mails = await startMailServer(root!)
      await asMailProgram(mails, 'eingang', async (client) => {
        await client.append('INBOX', await supplierMail({ files: [['rechnung.xml', XML]] }))
        await client.append('INBOX', await supplierMail({ subject: 'Werbung' }))
      })
      return { EINGANG_IMAP_URL: mails.urlOf('eingang'), EINGANG_IMAP_EVERY_S: '10' }
    },
  })
  afterAll(() => mails?.stop())
  const saved = async (download: Promise<Download>) => readFileSync(await (await download).path())

  test('from the mailbox to the tax adviser', { timeout: 180_000 }, async () => {
    const page = await house.visit('apus_admin', '/buchhaltung/eingang')
    const ask = async (name: string, body: object) =>
      (await call(house.app, await tokenOf(page), `/rest/rpc/${name}`, body)).json
    await expect
      .poll(async () => (await ask('a_get_eingang_postfach', {})) as { geschaut_am: string | null }, {
        timeout: 60_000,
      })
      .toMatchObject({ geschaut_am: expect.any(String) as string, mails: [{ betreff: 'Werbung' }] })
    await page.reload()
    await page.getByText('Postfach eingang@127.0.0.1, zuletzt gelesen am').waitFor()
    const refused = page.getByRole('list', { name: 'Mails, die nicht ganz übernommen wurden' })
    await refused.getByText('Die Mail hat keine Rechnung als Anlage').waitFor()
    expect(await brokenRules(page)).toEqual([])
    await refused.getByRole('button', { name: 'Erledigt' }).click()
    await refused.waitFor({ state: 'detached' })

    await page.getByRole('row').filter({ hasText: 'POST-1' }).getByRole('link').first().click()
    await page.getByText('Müller & Söhne <rechnung@mueller.example>').waitFor()
    await page.getByRole('button', { name: 'Freigeben', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Freigeben' }).click()
    await page.getByText('freigegeben', { exact: true }).waitFor()

    // The tax adviser's accounts; the batch has a line for it, and the picture of the line is what came by mail.
    await ask('a_set_lieferant', { werte: { ...LIEFERANT, datev_berater: '29098', datev_mandant: '55003' } })
    const suppliers = (await ask('a_get_kreditoren', {})) as { id: number; name: string; version: number }[]
    const { id, version } = suppliers.find(({ name }) => name === 'Baumschule Müller & Söhne')!
    await ask('a_save_kreditor', { id, version, werte: { konto: '70001', aufwandskonto: '4980' } })
    await page.goto('/buchhaltung/pruefung')
    await page.getByRole('textbox', { name: /^Von/ }).fill('01.03.2026')
    await page.getByRole('textbox', { name: /^Bis/ }).fill('31.03.2026')
    await page.getByLabel('Eingangsrechnungen mitgeben').check()
    await page.getByText('Eingangsrechnungen: 1').waitFor()
    expect(await brokenRules(page)).toEqual([])
    const [batch] = await Promise.all([
      saved(page.waitForEvent('download')),
      page.getByRole('button', { name: 'Stapel herunterladen' }).click(),
    ])
    const lines = new TextDecoder('windows-1252').decode(batch).split('\r\n')
    const line = lines.find((one) => one.includes('"POST-1"'))!
    expect(line.split(';').slice(0, 9)).toEqual([
      '119,00',
      '"H"',
      '"EUR"',
      '',
      '',
      '""',
      '70001',
      '4980',
      '"0009"',
    ])
    const [zip] = await Promise.all([
      saved(page.waitForEvent('download')),
      page.getByRole('button', { name: 'Belegbilder (ZIP)' }).click(),
    ])
    const files = await unpackZip(new Uint8Array(zip), () => true)
    const list = Buffer.from(files.find(({ name }) => name === 'document.xml')!.data).toString('utf8')
    const [, number = ''] = /BEDI ""([\dA-F-]{36})""/.exec(line) ?? []
    expect(list).toContain(`<document guid="${number}"`)
    expect(
      Buffer.from(files.find(({ name }) => name.endsWith('.xml') && name !== 'document.xml')!.data),
    ).toEqual(XML)
    // The next batch leaves it out.
    await page.getByText('1 Eingangsrechnung noch einmal mitgeben').waitFor()
    const auditor = await house.visit('pruefer', '/buchhaltung/pruefung')
    const nr = ((await ask('a_get_protokoll', { art: 'datev' })) as { nr: number; ereignis: string }[]).find(
      ({ ereignis }) => ereignis === 'exportiert',
    )!.nr
    const seen = await fetch(`${house.app.origin}/prod-api/${datevPicturesPath(nr)}`, {
      headers: { authorization: `Bearer ${await tokenOf(auditor)}` },
    })
    expect(seen.status).toBe(200)
  })
})
