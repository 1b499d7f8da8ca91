import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import cases from './mail-address.cases.json' with { type: 'json' }
import { foldAddress } from './mail-address.ts'

for (const { why, address, folded } of cases) test(why, () => expect(foldAddress(address)).toBe(folded))

const ROOT = join(import.meta.dirname, '..')
const sources = [
  'server/identity',
  'server/dispatch',
  'server/notices',
  'db/nouns',
  'web/src/features/nutzer',
  'web/src/features/privacy',
  'web/src/members',
]
const lines = sources.flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => /\.(ts|tsx|sql)$/.test(name) && !name.includes('.test.'))
    .flatMap((name) =>
      readFileSync(join(ROOT, folder, name), 'utf8')
        .split('\n')
        .map((line) => `${folder}/${name}: ${line.trim()}`),
    ),
)

test('addresses are folded by this rule alone', () => {
  const sql = /\b(?:lower|upper|unaccent|normalize)\s*\([^()]*(?:mail|username|address|\bwer\b)/i
  const ts = /(?:mail|address|username)[^;]*\.(?:toLowerCase|toUpperCase|toLocaleLowerCase|normalize)\(/i
  expect(lines.length).toBeGreaterThan(1_000)
  expect(lines.filter((line) => sql.test(line) || ts.test(line))).toEqual([])
})
