// The chain of the books in an auditor's archive: the entries from the period on, and the records of the period
// as the entries cover them. With both, scripts/verify-archive.mjs proves the archive without the database.
// What the files contain: docs/verify-archive.md.
import type { Head } from '#server/anchors.ts'
import type { Caller } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { asNutzer } from '#server/nutzer.ts'
import type { ZipFile } from '#server/write-zip.ts'
import { OUTSIDE_TABLES, outsideStatement } from './outside.ts'
import { keysStatement, SEALED_TABLES } from './table.ts'

export interface Range {
  /** The first entry in the archive, and the hash of the one before. */
  readonly ab: number
  readonly vorher: string
  readonly head: Head
}
type Period = Readonly<Record<'von' | 'bis', string>>

const NOTHING = '0'.repeat(64)
/** Rows of a file: about 20 MB of seals, and of records as many as one answer may have. */
const [MOST_SEALS, MOST_RECORDS] = [50_000, 500]
const TIMEOUT_MS = 60_000
const ANSWER_BYTES = 256 * 2 ** 20

const RANGE = {
  name: 'pruefung_siegel_ab',
  text: `select s.nr, coalesce((select encode(d.hash, 'hex') from app.siegel d where d.nr = s.nr - 1), $2) as vorher
    from app.siegel s where s.zeit >= ($1::date::timestamp at time zone 'Europe/Berlin') order by s.nr limit 1`,
}
const HEAD = {
  name: 'pruefung_siegel_kopf',
  text: `select s.nr, encode(s.hash, 'hex') as kopf from app.siegel s order by s.nr desc limit 1`,
}
const SEALS = {
  name: 'pruefung_siegel',
  text: `select jsonb_build_object('nr', s.nr,
      'zeit', to_char(s.zeit at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'tabelle', s.tabelle,
      'schluessel', s.schluessel, 'art', s.art, 'user_id', s.user_id, 'durch', s.durch, 'form', s.form,
      'felder', encode(s.felder, 'hex'), 'pruefsumme', encode(s.pruefsumme, 'hex'),
      'hash', encode(s.hash, 'hex'))::text as zeile
    from app.siegel s where s.nr between $1 and $2 order by s.nr limit $3`,
}
const FORMS = {
  name: 'pruefung_siegel_formen',
  text: `select jsonb_build_object('form', f.form, 'tabelle', f.tabelle, 'spalten', f.spalten)::text as zeile
    from app.siegel_form f order by f.form`,
}
const RECORDS = {
  name: 'pruefung_siegel_saetze',
  text: `select nr, schluessel, werte from app.a_get_siegel_saetze($1, $2)`,
}

export interface SealSource {
  readonly database: Database
  readonly caller: Caller
  readonly period: Period
}

const reading = (caller: Caller) => ({
  ...asNutzer(caller, { readOnly: true, timeoutMs: TIMEOUT_MS }),
  answerBytes: ANSWER_BYTES,
})
const linesFile = (folder: string, at: number, lines: readonly string[]): ZipFile => ({
  name: `kette/${folder}-${String(at).padStart(5, '0')}.jsonl`,
  inhalt: Buffer.from(`${lines.join('\n')}\n`),
  compress: true,
})

/**
 * The records first: whatever changes while they are read gets a later entry, which is read afterwards. Returns
 * what the signature covers.
 */
export async function* chainFiles(source: SealSource): AsyncGenerator<ZipFile, Range> {
  yield* recordFiles(source)
  const { database, caller, period } = source
  const once = <Row>(statement: { name: string; text: string }, values: readonly unknown[] = []) =>
    database.once<Row>(reading(caller), { ...statement, values })
  const [last] = (await once<Head>(HEAD)).rows
  const head = last === undefined ? { nr: 0, kopf: NOTHING } : { nr: Number(last.nr), kopf: last.kopf }
  const [first] = (await once<{ nr: number; vorher: string }>(RANGE, [period.von, NOTHING])).rows
  const range = { ab: Number(first?.nr ?? head.nr + 1), vorher: first?.vorher ?? head.kopf, head }
  const forms = await once<{ zeile: string }>(FORMS)
  yield linesFile(
    'formen',
    1,
    forms.rows.map(({ zeile }) => zeile),
  )
  for (let [from, at] = [range.ab, 1]; from <= head.nr; at++) {
    // oxlint-disable-next-line no-await-in-loop -- one file at a time is in memory
    const { rows } = await once<{ zeile: string }>(SEALS, [from, head.nr, MOST_SEALS])
    if (rows.length === 0) break
    yield linesFile(
      'siegel',
      at,
      rows.map(({ zeile }) => zeile),
    )
    from = (JSON.parse(rows.at(-1)?.zeile ?? '{}') as { nr: number }).nr + 1
  }
  yield* outsideFiles(source, range)
  return range
}

/** Always one file: an archive without it is not complete. */
async function* outsideFiles(
  { database, caller, period }: SealSource,
  { ab, head }: Range,
): AsyncGenerator<ZipFile> {
  let at = 0
  for (const table of OUTSIDE_TABLES)
    for (let after = 0; ; ) {
      // oxlint-disable-next-line no-await-in-loop -- one file at a time is in memory
      const { rows } = await database.once<{ nr: number; zeile: string }>(reading(caller), {
        text: outsideStatement(table),
        values: [period.von, period.bis, ab, head.nr, after, MOST_SEALS],
      })
      if (rows.length > 0)
        yield linesFile(
          'uebrige',
          ++at,
          rows.map(({ zeile }) => zeile),
        )
      if (rows.length < MOST_SEALS) break
      after = Number(rows.at(-1)?.nr)
    }
  if (at === 0) yield linesFile('uebrige', 1, [])
}

async function* recordFiles({ database, caller, period }: SealSource): AsyncGenerator<ZipFile> {
  let at = 0
  for (const table of SEALED_TABLES) {
    // oxlint-disable-next-line no-await-in-loop -- one table at a time is in memory
    const found = await database.once<{ schluessel: string }>(reading(caller), {
      text: keysStatement(table),
      values: [period.von, period.bis],
    })
    const keys = found.rows.map(({ schluessel }) => schluessel)
    for (let from = 0; from < keys.length; from += MOST_RECORDS) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      const { rows } = await database.once<{ nr: number; schluessel: string; werte: string }>(
        reading(caller),
        {
          ...RECORDS,
          values: [table, keys.slice(from, from + MOST_RECORDS)],
        },
      )
      if (rows.length === 0) continue
      yield linesFile(
        'saetze',
        ++at,
        rows.map(({ nr, schluessel, werte }) =>
          JSON.stringify({ nr: Number(nr), tabelle: table, schluessel, werte }),
        ),
      )
    }
  }
}
