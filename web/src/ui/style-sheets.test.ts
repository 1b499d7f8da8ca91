// Style sheets that were loaded once stay: two that define the same class would change each other's pages,
// depending on what was opened before.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SRC = join(import.meta.dirname, '..')
/** Changes how everything looks, on paper. */
const PAPER = 'app/shell/print.css'

test('the look of a class is defined in one style sheet', () => {
  const sheets = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.css') && file !== PAPER,
  )
  expect(sheets.length).toBeGreaterThan(40)
  const definedIn = new Map<string, Set<string>>()
  for (const file of sheets) {
    const css = readFileSync(join(SRC, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')
    for (const [, selectors = ''] of css.matchAll(/(?:^|[{}])\s*([^{}@]+)(?=\{)/g))
      for (const selector of selectors.split(',').map((one) => one.trim()))
        if (/^\.[\w-]+$/.test(selector))
          definedIn.set(selector, (definedIn.get(selector) ?? new Set()).add(file))
  }
  expect([...definedIn].filter(([, files]) => files.size > 1)).toEqual([])
})
