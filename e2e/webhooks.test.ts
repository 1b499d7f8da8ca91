// Programs that are notified of events: made with a secret shown once, tried, notified of a plan, the log, a
// failure repeated, paused, deleted; what each half sees; on a phone.
import { afterAll, describe, expect, test } from 'vitest'
import { expectedSignature, type Receiver, startReceiver } from '#server/webhooks/receiver.fixture.ts'
import { brokenRules } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { call, tokenOf } from './calls.ts'
import { oneServer } from './one-server.ts'

describe.skipIf(!hasBrowser())('programs that are told of events', () => {
  let receiver: Receiver
  const house = oneServer({
    env: async () => {
      receiver = await startReceiver()
      return { WEBHOOK_PRIVATE: 'on', WEBHOOK_EVERY_S: '1' }
    },
  })
  afterAll(() => receiver?.close())

  test('a receiver from its secret to its last delivery', { timeout: 120_000 }, async () => {
    const page = await house.visit('apus_admin', '/verwaltung/webhooks')
    const main = page.getByRole('main')
    await main.getByText('Noch kein Empfänger').waitFor()
    await main.getByText('Keine Zustellungen').waitFor()
    expect(await brokenRules(page, 'main')).toEqual([])

    await main.getByRole('button', { name: 'Empfänger anlegen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Empfänger anlegen' })
    // What is missing is said at the fields; the half of trees is not offered.
    await dialog.getByRole('button', { name: 'Anlegen und Geheimnis anzeigen' }).click()
    await dialog.getByText('Bitte nennen Sie das Programm').waitFor()
    await dialog.getByText('Bitte geben Sie die vollständige Adresse an').waitFor()
    expect(await dialog.getByLabel('Habitatbaum verloren').count()).toBe(0)
    expect(await brokenRules(page, 'dialog')).toEqual([])
    await dialog.getByLabel('Name').fill('Warenwirtschaft')
    await dialog.getByLabel('Adresse').fill('https://name:geheim@programm.example/')
    house.provokes(/400/)
    await dialog.getByRole('button', { name: 'Anlegen und Geheimnis anzeigen' }).click()
    await dialog.getByText('Bitte ohne Name und Passwort in der Adresse.').first().waitFor()
    await dialog.getByLabel('Adresse').fill(`${receiver.url}/`)
    for (const kind of ['Beleg ausgestellt', 'Angebot angenommen oder abgelehnt'])
      await dialog.getByLabel(kind).uncheck()
    await dialog.getByRole('button', { name: 'Anlegen und Geheimnis anzeigen' }).click()

    const shown = page.getByRole('dialog', { name: 'Geheimnis für Warenwirtschaft' })
    const secret = await shown.getByLabel('Geheimnis', { exact: true }).innerText()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(await brokenRules(page, 'dialog')).toEqual([])
    await page.keyboard.press('Escape')
    await shown.getByRole('button', { name: 'Ich habe es eingetragen' }).click()

    const receivers = main.getByRole('list', { name: 'Empfänger' })
    await receivers.getByText('noch nichts zugestellt').waitFor()
    await receivers.getByRole('button', { name: 'Test senden an Warenwirtschaft' }).click()
    await receivers.getByText('Der Test ist angekommen').waitFor()
    expect(receiver.received[0]?.headers['webhook-signature']).toBe(
      expectedSignature(secret, receiver.received[0]!),
    )
    receiver.answer = 500
    await receivers.getByRole('button', { name: 'Test senden an Warenwirtschaft' }).click()
    await receivers.getByText('Das Programm hat mit dem Status 500 geantwortet.').waitFor()
    expect(await brokenRules(page, 'main')).toEqual([])

    // A plan is released: sent, refused, and sent once more.
    const token = await tokenOf(page)
    const [plan] = (await call(house.app, token, '/rest/karte?select=id&order=id&limit=1')).json as {
      id: number
    }[]
    const release = (show_client: boolean) =>
      page.evaluate(
        async ({ id, show_client }) =>
          (
            await fetch(`/rest/karte?id=eq.${id}`, {
              method: 'PATCH',
              headers: {
                authorization: `Bearer ${localStorage.getItem('Admin-Token')}`,
                'content-type': 'application/json',
              },
              body: JSON.stringify({ show_client }),
            })
          ).status,
        { id: plan!.id, show_client },
      )
    expect(await release(false)).toBe(204)
    expect(await release(true)).toBe(204)
    await expect.poll(() => receiver.received.at(-1)?.body ?? '').toContain('plan.published')
    await page.reload()
    await receivers
      .getByText('Fehlgeschlagene Versuche in Folge: 1.')
      .or(receivers.getByText('antwortet nicht richtig'))
      .first()
      .waitFor()
    receiver.answer = 204
    const log = main.getByRole('list', { name: 'Zustellungen' })
    const again = log.getByRole('button', {
      name: /Plan freigegeben an Warenwirtschaft noch einmal zustellen/,
    })
    await again.first().click()
    await page.getByText('Wird noch einmal zugestellt.').waitFor()
    await log.getByText('Angekommen: Status 204').first().waitFor()
    await main.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'aufgegeben' })
    await log.getByText('Test', { exact: true }).waitFor()
    expect(await again.count()).toBe(0)
    await main.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'wartet' })
    await main.getByText('Zu dieser Auswahl gibt es keine.').waitFor()

    await receivers.getByRole('button', { name: 'Warenwirtschaft anhalten' }).click()
    await receivers.getByText('angehalten').waitFor()
    await receivers.getByRole('button', { name: 'Warenwirtschaft fortsetzen' }).click()
    await receivers.getByText('aktiv', { exact: true }).waitFor()
    await receivers.getByRole('button', { name: 'Warenwirtschaft ändern' }).click()
    const change = page.getByRole('dialog', { name: 'Empfänger ändern' })
    await change.getByLabel('Name').fill('Lager')
    await change.getByRole('button', { name: 'Speichern' }).click()
    await receivers.getByText('Lager').first().waitFor()
    await receivers.getByRole('button', { name: 'Neues Geheimnis für Lager' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Anlegen und anzeigen' }).click()
    const renewed = page.getByRole('dialog', { name: 'Geheimnis für Lager' })
    expect(await renewed.getByLabel('Geheimnis', { exact: true }).innerText()).not.toBe(secret)
    await renewed.getByRole('button', { name: 'Ich habe es eingetragen' }).click()
    await receivers.getByText(/das bisherige gilt noch bis/).waitFor()

    // The other half sees nothing of it.
    const other = await house.visit('ogf_admin', '/verwaltung/webhooks')
    await other.getByText('Noch kein Empfänger').waitFor()
    await other.getByText('Keine Zustellungen').waitFor()

    await receivers.getByRole('button', { name: 'Lager löschen' }).click()
    await page
      .getByRole('alertdialog', { name: 'Empfänger löschen?' })
      .getByRole('button', { name: 'Löschen' })
      .click()
    await main.getByText('Noch kein Empfänger').waitFor()
    expect(house.app.output()).not.toContain(secret.slice(6, 30))
  })

  test('fits a phone', { timeout: 60_000 }, async () => {
    const { page } = await house.visitor('ogf_admin', '/verwaltung/webhooks', {
      viewport: { width: 360, height: 740 },
    })
    const main = page.getByRole('main')
    await main.getByRole('button', { name: 'Empfänger anlegen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Empfänger anlegen' })
    await dialog.getByLabel('Name').fill('Ein Programm mit einem recht langen Namen, der umbricht')
    await dialog.getByLabel('Adresse').fill(`${receiver.url}/${'pfad/'.repeat(40)}`)
    await dialog.getByRole('button', { name: 'Anlegen und Geheimnis anzeigen' }).click()
    await page.getByRole('button', { name: 'Ich habe es eingetragen' }).click()
    await main.getByText('noch nichts zugestellt').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    expect(await brokenRules(page, 'main')).toEqual([])
  })

  test('what could not be loaded is said, and can be tried again', { timeout: 60_000 }, async () => {
    const { page } = await house.visitor('ogf_admin', '/')
    house.provokes(/500|503|Failed/)
    let isBroken = true
    await page.route('**/rpc/a_get_webhooks', (route) =>
      isBroken ? route.fulfill({ status: 500, body: '{}' }) : route.continue(),
    )
    await page.goto(`${house.app.origin}/verwaltung/webhooks`)
    const retry = page.getByRole('main').getByRole('button', { name: 'Erneut versuchen' }).first()
    await retry.waitFor({ timeout: 30_000 })
    isBroken = false
    await retry.click()
    await page.getByRole('main').getByRole('list', { name: 'Empfänger' }).waitFor()
  })
})
