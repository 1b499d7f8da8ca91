// Gives the trees of a file to the database as captures, and counts what becomes of them.
import { createHash } from 'node:crypto'
import type { HabitatImportFault, HabitatImportResult, HabitatImportRow } from '#contract/habitat-file.ts'
import type { HabitatSyncAnswer } from '#contract/habitat.ts'
import type { Transaction } from '#server/database/database.ts'
import type { FileMessage, ReadRow } from './file-work.ts'

type FileEnd = Extract<FileMessage, { art: 'fertig' }>

const SHOWN_FAULTS = 1_000
const VERSIONS = {
  name: 'habitat_datei_staende',
  text:
    'select t.kennung::text as kennung, t.version, t.lon, t.lat from app.habitatbaeume t ' +
    'where t."idHQ" = $1 and t.kennung = any ($2::uuid[])',
}
const SYNC = {
  name: 'habitat_datei_nehmen',
  text: 'select app.__o_sync_habitatbaeume($1::jsonb)::text as antworten',
}
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The same row of the same file is the same tree, so that a file sent twice creates no tree twice. */
function idOf(...parts: readonly (string | number)[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

const WAS: Partial<Record<HabitatSyncAnswer['ergebnis'], HabitatImportRow[3]>> = {
  angelegt: 'neu',
  geaendert: 'geaendert',
  unveraendert: 'unveraendert',
}

/** Which rows of which file go where. */
export interface RowsOrigin {
  readonly hq: string
  readonly sha256: string
  readonly schicht: string
}
interface NamedRow extends ReadRow {
  readonly kennung: string
}

/** What became of the rows, in the order in which they were taken. */
export class Tally {
  #count = 0
  #faultCount = 0
  readonly #faults: HabitatImportFault[] = []
  readonly #counted = { neu: 0, geaendert: 0, unveraendert: 0 }
  readonly #rows: HabitatImportRow[] = []
  readonly #listsRows: boolean
  #hints: FileEnd['hinweise'] = []
  #fern: FileEnd['fern'] = null

  constructor(listsRows: boolean) {
    this.#listsRows = listsRows
  }

  get isFar(): boolean {
    return this.#fern !== null
  }

  get hasFaults(): boolean {
    return this.#faultCount > 0
  }

  add(row: HabitatImportRow): void {
    this.#counted[row[3]] += 1
    if (this.#listsRows) this.#rows.push(row)
  }

  addFaults(faults: readonly HabitatImportFault[], count = faults.length): void {
    this.#faultCount += count
    this.#faults.push(...faults.slice(0, Math.max(0, SHOWN_FAULTS - this.#faults.length)))
  }

  /** All rows of the file have been read. */
  end({ anzahl, hinweise, fern }: Pick<FileEnd, 'anzahl' | 'hinweise' | 'fern'>): void {
    this.#count = anzahl
    this.#hints = hinweise
    this.#fern = fern
  }

  result(isImported: boolean): HabitatImportResult {
    return {
      anzahl: this.#count,
      ...this.#counted,
      fehlerzahl: this.#faultCount,
      fehler: this.#faults.toSorted((a, b) => a.nr - b.nr),
      zeilen: this.#rows,
      hinweise: [...this.#hints],
      fern: this.#fern,
      importiert: isImported,
    }
  }
}

export async function takeRows(
  tx: Transaction,
  origin: RowsOrigin,
  lines: readonly ReadRow[],
  tally: Tally,
): Promise<void> {
  const named = lines.map((row) => namedRow(origin, row))
  const known = await knownOf(tx, origin.hq, named)
  const captures = named.map(({ kennung, capture }) => {
    const tree = known.get(kennung)
    return { ...placed(capture, tree), idHQ: Number(origin.hq), version: tree?.version ?? null }
  })
  const { rows } = await tx.query<{ antworten: string }>({ ...SYNC, values: [JSON.stringify(captures)] })
  for (const [at, answer] of (JSON.parse(rows[0]!.antworten) as HabitatSyncAnswer[]).entries())
    settle(named[at]!, answer, tally)
}

function namedRow({ hq, sha256, schicht }: RowsOrigin, { nr, capture }: ReadRow): NamedRow {
  const given = capture['kennung']
  const identifier = typeof given === 'string' ? given.toLowerCase() : idOf(hq, sha256, schicht, nr)
  return { nr, kennung: identifier, capture: { ...capture, kennung: identifier } }
}

interface Known {
  readonly kennung: string
  readonly version: number
  readonly lon: number
  readonly lat: number
}
async function knownOf(tx: Transaction, hq: string, named: readonly NamedRow[]): Promise<Map<string, Known>> {
  const ids = named.map(({ kennung }) => kennung).filter((one) => UUID.test(one))
  const { rows } = await tx.query<Known>({ ...VERSIONS, values: [hq, ids] })
  return new Map(rows.map((row) => [row.kennung, row]))
}

/** A tree where it was has not been placed by the file: what is known of its place stays, unless the file says it. */
function placed(capture: ReadRow['capture'], tree: Known | undefined): ReadRow['capture'] {
  const { lon, lat, ...others } = capture
  const isThere = tree !== undefined && Number(tree.lon) === lon && Number(tree.lat) === lat
  return isThere ? others : { lage_methode: 'import', ...capture }
}

function settle({ nr, capture }: NamedRow, answer: HabitatSyncAnswer, tally: Tally): void {
  const { lon, lat, nummer, art } = capture as unknown as {
    lon: number
    lat: number
    nummer?: string | null
    art: string
  }
  const was = WAS[answer.ergebnis]
  if (was !== undefined) return tally.add([nr, lon, lat, was, nummer ?? null, art])
  const { feld } = answer
  const wert = feld === null ? '' : String(capture[feld as never] ?? '').slice(0, 60)
  tally.addFaults([{ nr, ort: [lon, lat], feld, regel: ruleOf(answer), wert }])
}

function ruleOf({ ergebnis, regel }: HabitatSyncAnswer): string {
  if (ergebnis === 'geloescht') return 'habitat_geloescht'
  // Twice in the file, or changed between preview and import.
  return ergebnis === 'konflikt' ? 'habitat_datei_doppelt' : (regel ?? 'habitat_wert')
}
