import { chromium } from 'playwright-core'
import { findChromium } from './test/chromium.ts'
import { readFileSync } from 'node:fs'
const pass = process.argv[2]!
const b = await chromium.launch({ executablePath: findChromium()!, args: ['--no-sandbox'] })
for (const [name, mail, w, scheme, path] of [
  ['std', 'ogf_standard@probe.forstkontor.example', 1440, 'light', '/dashboard'], ['std390', 'ogf_standard@probe.forstkontor.example', 390, 'dark', '/dashboard'], ['apus', 'apus_admin@probe.forstkontor.example', 1024, 'light', '/dashboard'],
  ['wald', 'ogf_standard@probe.forstkontor.example', 1440, 'light', '/waldbestand/index'],
] as const) {
  const c = await b.newContext({ viewport: { width: w, height: 900 }, colorScheme: scheme, locale: 'de-DE', baseURL: 'http://localhost:4001' })
  const p = await c.newPage()
  p.on('console', (m) => { if (m.type() === 'error') console.log(name, m.text()) })
  await p.goto(path)
  if (await p.getByRole('link', { name: /Trotzdem/ }).count()) await p.getByRole('link', { name: /Trotzdem/ }).click()
  await p.waitForTimeout(1500)
  await p.fill('input[name="login"], input[type="email"], input[name="email"]', mail)
  await p.fill('input[type="password"]', pass)
  await p.keyboard.press('Enter')
  await p.waitForTimeout(6000)
  if (!p.url().includes(path)) await p.goto(path)
  await p.waitForTimeout(5000)
  await p.screenshot({ path: `/tmp/lead/${name}.png`, fullPage: true })
  console.log(name, p.url())
  await c.close()
}
await b.close()
