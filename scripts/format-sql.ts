// npm run format and check: the nouns of the database in the house's layout. --check only names the files
// that are not.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatSql } from './sql-format/format-sql.ts'

const FOLDER = join(import.meta.dirname, '../db/nouns')
const isCheck = process.argv.includes('--check')

const changed = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.sql'))
  .filter((name) => {
    const file = join(FOLDER, name)
    const before = readFileSync(file, 'utf8')
    const after = formatSql(before)
    if (after !== before && !isCheck) writeFileSync(file, after)
    return after !== before
  })
if (isCheck && changed.length > 0) {
  console.error(`Not formatted: ${changed.join(', ')}. npm run format does it.`)
  process.exitCode = 1
} else console.log(`${changed.length} files of SQL formatted`)
