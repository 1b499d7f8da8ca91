// Notices: from an expiring voucher to the bell, to a real mail server, and to the switches in the profile.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SmtpSink, startSmtpSink } from '../test/smtp-sink.ts'
import { type RunningApp, startApp } from './app.ts'
import { brokenRules } from './axe.ts'
import {
  demoPassword,
  type DemoRole,
  emailOf,
  enterCredentials,
  hasBrowser,
  launchBrowser,
  type Visitor,
} from './browser.ts'
import { borrowVisitor } from './reuse.ts'
import { call, tokenOf } from './calls.ts'

/** In five days, as an ISO date; GERMAN_DAY is the same as people write it. */
const DAY = new Date(Date.now() + 5 * 86_400_000).toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' })
/** Scheduled work runs every second or two to keep the test short. */
const QUICK = { UPKEEP_EVERY_S: '2', MAIL_EVERY_S: '1', LOGIN_RATE_PER_MIN: '1000' }
const GERMAN_DAY = DAY.split('-').reverse().join('.')

describe.skipIf(!hasBrowser())('notices', () => {
  let app: RunningApp
  let browser: Browser
  let sink: SmtpSink
  let password: string
  let voucher: number
  let address: string
  beforeAll(async () => {
    ;[app, browser, sink] = await Promise.all([startApp(), launchBrowser(), startSmtpSink()])
    password = demoPassword(app)
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    await app?.stop()
    sink?.close()
  })
  const withVisitor = async (
    role: DemoRole,
    path: string,
    work: (page: Page, visitor: Visitor) => Promise<void>,
  ) => {
    const visitor = await borrowVisitor(browser, app)
    try {
      await visitor.page.goto(path)
      await enterCredentials(visitor.page, emailOf(role), password)
      await visitor.page.getByRole('navigation').first().waitFor()
      await work(visitor.page, visitor)
      expect(visitor.complaints, 'console errors, faults, policy reports').toEqual([])
    } finally {
      await visitor.close()
    }
  }
  const addVoucher = async (page: Page): Promise<number> => {
    const token = await tokenOf(page)
    const voucher = { rabatt_abo: 12.5, rabatt_kawm: 7, expire_date: DAY, laufzeit: 12 }
    expect((await call(app, token, '/rest/gutschein?select=id', voucher)).status).toBe(201)
    const { json } = await call(
      app,
      token,
      `/rest/gutschein?expire_date=eq.${DAY}&rabatt_abo=eq.12.5&order=id.desc&limit=1`,
    )
    return (json as { id: number }[])[0]!.id
  }
  const bell = (page: Page) => page.getByRole('button', { name: /^Benachrichtigungen/ })
  const line = (page: Page) =>
    page.getByRole('listitem').filter({ hasText: `Gutschein ${voucher} läuft am ${GERMAN_DAY} ab` })

  test('without a mail server the profile says so; an empty list says what will stand there', () =>
    withVisitor('ogf_admin', '/profile/index', async (page) => {
      await page.getByText('Zurzeit werden keine E-Mails versendet').waitFor()
      const token = await tokenOf(page)
      voucher = await addVoucher(page)
      // The contact address is unconfirmed, so nothing is sent to it.
      await call(app, token, '/rest/rpc/__o_update_user', {
        first_name: 'Olga',
        last_name: 'Forst',
        mail: 'vertippt@fremd.example',
      })
      address = emailOf('ogf_admin')
      await page
        .getByRole('table')
        .getByRole('checkbox', { name: 'Ein Gutschein läuft bald ab: E-Mail' })
        .waitFor()
    }))

  test('a voucher that runs out is mailed once, with a link and the way to switch it off', async () => {
    const env = { ...QUICK, SMTP_URL: sink.url, MAIL_FROM: 'konto@forst.example' }
    app = await app.restart(env)
    const about = (id: number) =>
      sink.mails.filter(({ text, to }) => text.includes(`Gutschein ${id} (`) && to.includes(address))
    const mine = () => about(voucher)
    await expect.poll(() => mine().length, { timeout: 60_000 }).toBe(1)
    expect(mine()[0]?.text).toContain(`${app.origin}/gutschein/index`)
    expect(mine()[0]?.text).toContain(`12,5 % auf das Abo`)
    expect(mine()[0]?.text).toContain(`${app.origin}/profile/index`)
    // After another start and another run of both schedules, as the second voucher shows, the first notice is
    // not repeated.
    app = await app.restart(env)
    await withVisitor('ogf_admin', '/kunden/index', async (page) => {
      const later = await addVoucher(page)
      await expect.poll(() => about(later).length, { timeout: 60_000 }).toBe(1)
    })
    expect(mine()).toHaveLength(1)
    // The unconfirmed contact address gets only the request to confirm it.
    const typo = sink.mails.filter(({ to }) => to.includes('vertippt@fremd.example'))
    expect(typo.length).toBeLessThanOrEqual(1)
    expect(typo.filter(({ text }) => text.includes('Gutschein') || !text.includes('bestaetigen='))).toEqual(
      [],
    )
  }, 180_000)

  test('the bell counts it; the list leads there; ticking off can be taken back', () =>
    withVisitor('ogf_admin', '/kunden/index', async (page) => {
      await page.getByRole('button', { name: /^Benachrichtigungen, (eine|\d+) ungelesen/ }).click()
      await line(page).getByText('Ungelesen:').waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        // Colours fade from one scheme to the other.
        await page.waitForTimeout(500)
        expect(await brokenRules(page), colorScheme).toEqual([])
      }
      await page.getByRole('button', { name: 'Alle als gelesen markieren' }).click()
      await line(page).getByText('Ungelesen:').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Rückgängig' }).click()
      await line(page).getByText('Ungelesen:').waitFor()
      await page
        .getByRole('button', { name: /^Benachrichtigungen, (eine|\d+) ungelesen/ })
        .waitFor({ state: 'attached' })
      // One by itself, with its own button.
      await line(page)
        .getByRole('button', { name: /^Als gelesen markieren/ })
        .click()
      await line(page)
        .getByRole('button', { name: /^Als ungelesen markieren/ })
        .click()
      await line(page).getByText('Ungelesen:').waitFor()
      await line(page).getByRole('link').click()
      await page.waitForURL(/\/gutschein\/index$/)
      await bell(page).click()
      await line(page).waitFor()
      // The list is fetched again when it opens.
      await expect.poll(() => line(page).getByText('Ungelesen:').count()).toBe(0)
    }))

  test('others see nothing of it', () =>
    withVisitor('kundenadmin', '/kunde/index', async (page) => {
      const { json } = await call(app, await tokenOf(page), '/rest/meldung')
      expect(JSON.stringify(json)).not.toContain('gutschein')
      await bell(page).click()
      await page.getByRole('heading', { name: 'Benachrichtigungen' }).waitFor()
      expect(await line(page).count()).toBe(0)
    }))

  test('the profile switches a kind off and on, the choice goes with the person', () =>
    withVisitor('ogf_admin', '/profile/index', async (page) => {
      const box = page.getByRole('checkbox', { name: 'Ein Gutschein läuft bald ab: E-Mail' })
      await box.waitFor()
      expect(await page.getByText('Zurzeit werden keine E-Mails versendet').count()).toBe(0)
      expect(await box.isChecked()).toBe(true)
      const stored = async () =>
        JSON.stringify(
          (await call(app, await tokenOf(page), '/rest/einstellung?schluessel=eq.mutedNotices')).json,
        )
      await box.uncheck()
      await expect.poll(stored, { timeout: 20_000 }).toContain('gutschein_laeuft_ab.mail')
      await page.getByRole('button', { name: 'Rückgängig' }).click()
      await expect.poll(() => box.isChecked()).toBe(true)
      await expect.poll(stored, { timeout: 20_000 }).not.toContain('gutschein_laeuft_ab.mail')
    }))
})
