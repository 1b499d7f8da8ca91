// Writes db/nouns/printable.sql: the characters of domain/printable.ts as SQL knows them, those that are removed
// or replaced before printing included. Run it after the font has changed.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unprintable } from '../domain/printable.ts'

export const PRINTABLE_SQL = join(import.meta.dirname, '../db/nouns/printable.sql')

/** Ranges of code points that can be in a text to be printed, in NFC. */
function stretches(): string[] {
  const found: string[] = []
  let from: number | null = null
  for (let code = 1; code <= 0x110000; code += 1) {
    const isUsable =
      code < 0x110000 &&
      (code < 0xd800 || code > 0xdfff) &&
      unprintable(String.fromCodePoint(code)).length === 0
    if (isUsable) from ??= code
    else if (from !== null) {
      found.push(`[${from},${code - 1}]`)
      from = null
    }
  }
  return found
}

/** What most texts consist of, for one quick look at the whole text: the first stretch, and punctuation. */
const lastOf = (stretch: string): string => {
  const last = Number(/,(\d+)\]/.exec(stretch)![1])
  return `\\u${last.toString(16).toUpperCase().padStart(4, '0')}`
}
const usual = (): string => [...'–—‘’‚“”„…•€→×≤≥'].filter((sign) => unprintable(sign).length === 0).join('')

function literalLines(all: readonly string[]): string {
  const lines: string[] = []
  let line = '{'
  for (const stretch of all) {
    if (line.length + stretch.length > 95) {
      lines.push(line)
      line = ''
    }
    line += `${line === '' || line === '{' ? '' : ','}${stretch}`
    if (line === stretch && lines.length > 0) line = `,${stretch}`
  }
  lines.push(`${line}}`)
  return lines.map((each, at) => `    ${at === 0 ? '' : '|| '}'${each}'`).join('\n')
}

const HEAD = `-- Which characters the documents can print. Written by scripts/printable-sql.ts from
-- domain/printable.ts, and compared with it by domain/printable.test.ts.
`

export function printableSql(): string {
  const all = stretches()
  return `${HEAD}
-- Code points of texts in NFC, with those that are removed or replaced before printing.
create or replace function checks.printable()
  returns int4multirange language sql immutable parallel safe set search_path = pg_catalog as $$
  select (
${literalLines(all)}
  )::int4multirange
$$;
grant execute on function checks.printable() to forst_definer;

-- Whether a text has a character without a glyph, which PDF/A does not allow.
create or replace function checks.is_unprintable(value text)
  returns boolean language sql immutable parallel safe set search_path = pg_catalog as $$
  select value !~ '^[\\u0001-${lastOf(all[0]!)}${usual()}]*$'
    and exists (
      select from string_to_table(normalize(value, nfc), null) sign
      where not ascii(sign) <@ checks.printable()
    )
$$;
grant execute on function checks.is_unprintable(text) to forst_definer;
`
}

if (process.argv[1] === import.meta.filename) writeFileSync(PRINTABLE_SQL, printableSql())
