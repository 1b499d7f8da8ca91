// npm run screenshots: the pictures of the README, taken from a trial of its own.
import { join } from 'node:path'
import { generateImportFile } from '../db/seeds/import-file.ts'
import { startApp } from './app.ts'
import { launchBrowser, openVisitor, signIn } from './browser.ts'

const folder = join(import.meta.dirname, '../docs/bilder')
const picture = (name: string) => ({ path: join(folder, `${name}.png`) })

const app = await startApp()
const browser = await launchBrowser()
try {
  const visitor = await openVisitor(browser, app)
  const { page } = visitor
  await page.goto('/')
  await page.getByLabel('E-Mail').waitFor()
  await page.screenshot(picture('anmeldung'))
  await signIn(visitor, app, 'ogf_admin', '/kunden/index')
  await page.getByText('500 Kunden').waitFor()
  await page.waitForLoadState('networkidle')
  await page.screenshot(picture('kunden'))
  await page.locator('tbody a').nth(4).click()
  await page.getByLabel('Nachname').waitFor()
  await page.waitForLoadState('networkidle')
  await page.screenshot(picture('kunde'))
  await page.getByRole('navigation').first().getByRole('link', { name: 'Kunden' }).click()
  await page.getByRole('link', { name: 'Importieren' }).click()
  const file = generateImportFile({ rows: 400, faults: 24, seed: 3, now: new Date() })
  await page.locator('input[type=file]').setInputFiles({
    name: 'kunden-2026.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: Buffer.from(await file.xlsx()),
  })
  await page.getByRole('button', { name: 'Weiter zur Prüfung' }).click()
  await page.getByText('Fehler').first().waitFor()
  await page.waitForTimeout(500)
  await page.screenshot(picture('import'))
  await page.goto('/verwaltung/betrieb')
  await page.getByRole('heading', { name: 'Datenbank' }).waitFor()
  await page.screenshot(picture('betrieb'))
} finally {
  await browser.close()
  await app.stop()
}
