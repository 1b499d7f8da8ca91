// The habitat trees of a file become captures, accepted like those of a device, in one transaction: all of
// them or none. The preview does the same and rolls back.
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import {
  HABITAT_FILE_MOST_BYTES,
  type HabitatFileContent,
  type HabitatImportResult,
  type HabitatImportFault,
  type HabitatImportValues,
  type HabitatImportRow,
  type HabitatLayer,
} from '#contract/habitat-file.ts'
import type { HabitatSyncAnswer } from '#contract/habitat.ts'
import { HABITAT_FIELDS } from '#domain/habitat/file.ts'
import type { Caller } from '#server/caller.ts'
import type { Database, Transaction } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { asNutzer } from '#server/nutzer.ts'
import type { Limits } from '#server/reader/confined.ts'
import type { RunOptions } from '#server/reader/run-reader.ts'
import type { WorkKind, WorkQueue } from '#server/work-queue.ts'
import type { Store } from '../geodata/store.ts'
import { readForeign } from '../geodata/foreign.ts'
import { FileFault } from '../geodata/source.ts'
import { converter } from '../geodata/converter.ts'
import type { FileJob, FileMessage, ReadRow } from './file-work.ts'

const TIMEOUT_MS = 5 * 60_000
const SHOWN_FAULTS = 1_000
const MAY = {
  name: 'habitat_datei_darf',
  text: `select h."idHQ" from app.hq h where h."idHQ" = $1 and ((select rechte.has_role('ogf_admin')) or h."idHQ" = any ((select rechte.hqs_aktiv())::bigint[]))`,
}
const VERSIONS = {
  name: 'habitat_datei_staende',
  text: 'select t.kennung::text as kennung, t.version from app.habitatbaeume t where t."idHQ" = $1 and t.kennung = any ($2::uuid[])',
}
const SYNC = {
  name: 'habitat_datei_nehmen',
  text: 'select app.__o_sync_habitatbaeume($1::jsonb)::text as antworten',
}
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export interface FileImportOptions {
  readonly database: Database
  readonly fileStore: Store
  /** For the process that reads a file. */
  readonly limits: Limits
  readonly work: WorkQueue
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const run = (jobSpec: FileJob, options: RunOptions) =>
  readForeign<FileMessage>(new URL('./file-reader.ts', import.meta.url), jobSpec, options)
async function situationOf(
  jobSpec: Omit<FileJob, 'werte'>,
  options: RunOptions,
): Promise<HabitatFileContent> {
  for await (const message of run({ ...jobSpec, werte: null }, options))
    if (message.art === 'lage') return { format: message.format, schichten: message.schichten }
  throw new FileFault('datei_kaputt')
}

/** What a caller says about a file, accepted only as far as it fits the file. @throws Refusal */
function fieldValuesOf(text: string, schichten: readonly HabitatLayer[]): HabitatImportValues {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new Refusal('bad_value')
  }
  const schicht = isRecord(body) ? schichten.find(({ name }) => name === body['schicht']) : undefined
  if (!isRecord(body) || schicht === undefined)
    throw new Refusal('bad_value', 'Diese Schicht gibt es in der Datei nicht.')
  const { epsg, felder } = body
  if (typeof epsg !== 'number' || !converter().systems.has(epsg))
    throw new Refusal(
      'bad_value',
      'Dieses Koordinatensystem kann der Server nicht umrechnen. Bitte wählen Sie ein anderes.',
    )
  const columns = new Set(schicht.spalten.map(({ name }) => name))
  const chosen = HABITAT_FIELDS.flatMap(({ name }) => {
    const column = isRecord(felder) ? felder[name] : undefined
    return typeof column === 'string' && columns.has(column) ? [[name, column] as const] : []
  })
  if (!chosen.some(([name]) => name === 'art'))
    throw new Refusal('bad_value', 'Bitte wählen Sie die Spalte mit der Baumart.')
  const plain: HabitatImportValues = { schicht: schicht.name, epsg, felder: Object.fromEntries(chosen) }
  if (schicht.ort === null) return plain
  const of = (key: string): string => {
    const column = isRecord(body['ort']) ? body['ort'][key] : undefined
    return typeof column === 'string' && columns.has(column) ? column : ''
  }
  const ort = { x: of('x'), y: of('y'), wkt: of('wkt') }
  if (ort.wkt === '' && (ort.x === '' || ort.y === '' || ort.x === ort.y))
    throw new Refusal('bad_value', 'Bitte wählen Sie die Spalten mit Ost- und Nordwert.')
  return { ...plain, ort }
}

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

class RollbackError extends Error {}

export interface Sent {
  readonly body: Readable
  /** Aborts when the sender goes away. */
  readonly signal: AbortSignal
  readonly kind: WorkKind
}

export function createFileImport({ database, fileStore, limits, work: queue }: FileImportOptions) {
  async function mayWrite(caller: Caller, hq: string): Promise<void> {
    if (!/^[1-9]\d{0,14}$/.test(hq)) throw new Refusal('not_found')
    const { rows } = await database.once(asNutzer(caller, { readOnly: true }), { ...MAY, values: [hq] })
    if (rows.length === 0) throw new Refusal('not_found')
  }
  async function withFile<T>(
    caller: Caller,
    hq: string,
    sent: Sent,
    work: (filePath: string, sha256: string) => Promise<T>,
  ): Promise<T> {
    await mayWrite(caller, hq)
    const { filePath, sha256 } = await fileStore.take(sent.body, HABITAT_FILE_MOST_BYTES)
    try {
      return await queue.run(sent.kind, { person: caller.person, signal: sent.signal }, () =>
        work(filePath, sha256),
      )
    } finally {
      await rm(filePath, { force: true })
    }
  }

  async function take(
    tx: Transaction,
    { hq, sha256, schicht }: { readonly hq: string; readonly sha256: string; readonly schicht: string },
    zeilen: readonly ReadRow[],
    tell: (zeile: HabitatImportRow) => void,
    fault: (fehler: HabitatImportFault) => void,
  ): Promise<void> {
    const named = zeilen.map(({ nr, capture }) => {
      const given = capture['kennung']
      const own = typeof given === 'string' ? given.toLowerCase() : idOf(hq, sha256, schicht, nr)
      return { nr, kennung: own, capture: { ...capture, kennung: own } }
    })
    const known = new Map(
      (
        await tx.query<{ kennung: string; version: number }>({
          ...VERSIONS,
          values: [hq, named.map(({ kennung }) => kennung).filter((one) => UUID.test(one))],
        })
      ).rows.map((row) => [row.kennung, row.version]),
    )
    const erfassungen = named.map(({ kennung, capture }) => ({
      ...capture,
      idHQ: Number(hq),
      version: known.get(kennung) ?? null,
    }))
    const { rows } = await tx.query<{ antworten: string }>({ ...SYNC, values: [JSON.stringify(erfassungen)] })
    for (const [at, antwort] of (JSON.parse(rows[0]!.antworten) as HabitatSyncAnswer[]).entries()) {
      const { nr, capture } = named[at]!
      const { lon, lat, nummer, art } = capture as unknown as {
        lon: number
        lat: number
        nummer?: string | null
        art: string
      }
      const was = WAS[antwort.ergebnis]
      if (was !== undefined) tell([nr, lon, lat, was, nummer ?? null, art])
      else
        fault({
          nr,
          ort: [lon, lat],
          feld: antwort.feld,
          // Twice in the file, or changed between preview and import.
          regel:
            antwort.ergebnis === 'geloescht'
              ? 'habitat_geloescht'
              : antwort.ergebnis === 'konflikt'
                ? 'habitat_datei_doppelt'
                : (antwort.regel ?? 'habitat_wert'),
          wert: antwort.feld === null ? '' : String(capture[antwort.feld as never] ?? '').slice(0, 60),
        })
    }
  }

  return {
    lage: (caller: Caller, hq: string, name: string, { body, signal }: Omit<Sent, 'kind'>) =>
      withFile(caller, hq, { body, signal, kind: 'short' }, (datei) =>
        situationOf({ datei, name }, { limits, signal }),
      ),

    /** `isKept` false: a preview that is rolled back. */
    einspielen: (
      caller: Caller,
      hq: string,
      { name, werte: said, isKept }: { name: string; werte: string; isKept: boolean },
      sent: Omit<Sent, 'kind'>,
    ) =>
      withFile(caller, hq, { ...sent, kind: 'long' }, async (datei, sha256): Promise<HabitatImportResult> => {
        const werte = fieldValuesOf(said, (await situationOf({ datei, name }, { limits })).schichten)
        const fehler: HabitatImportFault[] = []
        const counted = { neu: 0, geaendert: 0, unveraendert: 0 }
        const zeilen: HabitatImportRow[] = []
        const tell = (zeile: HabitatImportRow): void => {
          counted[zeile[3]] += 1
          if (!isKept) zeilen.push(zeile)
        }
        let [anzahl, fehlerzahl] = [0, 0]
        const fault = (one: HabitatImportFault): void => {
          fehlerzahl += 1
          if (fehler.length < SHOWN_FAULTS) fehler.push(one)
        }
        const ended = new AbortController()
        try {
          await database.transaction(asNutzer(caller, { timeoutMs: TIMEOUT_MS }), async (tx) => {
            for await (const message of run({ datei, name, werte }, { limits, signal: ended.signal })) {
              if (message.art === 'zeilen')
                await take(tx, { hq, sha256, schicht: werte.schicht }, message.zeilen, tell, fault)
              if (message.art === 'fertig') {
                anzahl = message.anzahl
                fehlerzahl += message.fehlerzahl
                fehler.push(...message.fehler.slice(0, Math.max(0, SHOWN_FAULTS - fehler.length)))
              }
            }
            if (!isKept || fehlerzahl > 0) throw new RollbackError()
          })
        } catch (error) {
          if (!(error instanceof RollbackError)) throw error
        } finally {
          ended.abort()
        }
        const importiert = isKept && fehlerzahl === 0
        return {
          anzahl,
          ...counted,
          fehlerzahl,
          fehler: fehler.toSorted((a, b) => a.nr - b.nr),
          zeilen,
          importiert,
        }
      }),
  }
}
