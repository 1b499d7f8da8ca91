// Writes the table of settings into README.md; `npm test` reports when it is outdated.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsTable } from '../server/settings.ts'

const FILE = join(import.meta.dirname, '../README.md')
const [BEGIN, END] = ['<!-- settings: npm run readme -->', '<!-- /settings -->']

const text = readFileSync(FILE, 'utf8')
const [before, rest] = text.split(BEGIN)
const after = rest?.split(END)[1]
if (before === undefined || after === undefined) throw new Error(`README.md has no ${BEGIN} … ${END}`)
writeFileSync(FILE, `${before}${BEGIN}\n${settingsTable()}\n${END}${after}`)
