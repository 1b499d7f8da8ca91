// Fetches a pack's contents from the server: stands, trees and, if the operator allows it, base map tiles.
import { TREE_INPUTS } from '#domain/habitatbaum-fields.ts'
import type { BaseMap } from '#contract/base-map.ts'
import type { Habitatbaum } from '#contract/habitat.ts'
import { eq, gt } from '../../data/addresses.ts'
import { selectOne, selectPage } from '../../data/rows.ts'
import { rpc } from '../../data/rpc.ts'
import { fetchBaseTile } from '../../karte/base-maps.data.ts'
import type { FieldworkDb, FieldworkPacket, Sub } from './fieldwork-db.ts'
import {
  type FetchedBetrieb,
  type TileImage,
  putTiles,
  detailsOf,
  type PacketKarte,
  switchKarte,
} from './packet.ts'
import { MAX_BYTES, type TileCoord, type Box, tilesOver, outlineBoxesOf } from './packet-extent.ts'

const AT_ONCE = 5_000
const LONG_MS = 60_000
/** All columns of a tree but none that the list adds: changes are later compared with this state. */
const COLUMNS = [
  ...TREE_INPUTS,
  'id',
  'kennung',
  'client_id',
  'idHQ',
  'angelegt_am',
  'angelegt_von',
  'version',
  'geaendert_am',
  'geaendert_von',
] as const satisfies readonly (keyof Habitatbaum)[]

/**
 * Pages by id, each starting where the last ended, because the operator may have set a lower limit than
 * requested.
 */
async function allOf<T extends { readonly id: number }>(
  table: string,
  select: readonly string[],
  idHQ: number,
  signal: AbortSignal,
): Promise<T[]> {
  const all: T[] = []
  for (let last = 0; ; ) {
    // oxlint-disable-next-line no-await-in-loop -- see above
    const { rows } = await selectPage<T>(table, {
      select,
      filters: [eq('idHQ', idHQ), gt('id', last)],
      order: [{ column: 'id' }],
      limit: AT_ONCE,
      count: 'none',
      signal,
      timeoutMs: LONG_MS,
    })
    if (rows.length === 0) return all
    all.push(...rows)
    last = rows.at(-1)!.id
  }
}

/** `onStep`: how many of the four steps are done. */
export async function fetchBetrieb(
  idHQ: number,
  signal: AbortSignal,
  onStep: (done: number) => void,
): Promise<FetchedBetrieb> {
  let done = 0
  const step = async <T>(work: Promise<T>): Promise<T> => {
    const value = await work
    onStep(++done)
    return value
  }
  const [{ client_id }, waldbestand, outlines, trees, pictures, borders] = await Promise.all([
    selectOne<{ client_id: number }>('hq', [eq('idHQ', idHQ)], { select: ['client_id'], signal }),
    step(rpc('a_get_waldbestand', { hq_id: idHQ }, { signal, timeoutMs: LONG_MS })),
    step(rpc('a_get_bestand_umrisse', { hq_id: idHQ }, { signal, timeoutMs: LONG_MS })),
    step(allOf<Habitatbaum>('habitatbaeume', COLUMNS, idHQ, signal)),
    step(allOf<{ id: number; habitat_id: number }>('habitatbilder', ['id', 'habitat_id'], idHQ, signal)),
    rpc('a_get_bestand_grenzen', { hq_id: idHQ }, { signal, timeoutMs: LONG_MS }),
  ])
  const counts = new Map<number, number>()
  for (const { habitat_id } of pictures) counts.set(habitat_id, (counts.get(habitat_id) ?? 0) + 1)
  return {
    idHQ,
    client_id,
    sHQ: waldbestand?.sHQ ?? '',
    ebenen: waldbestand?.ebenen ?? [],
    bestaende: waldbestand?.bestaende ?? [],
    umrisse: outlines,
    borders,
    baeume: trees,
    bilder: counts,
  }
}

// The base map

/** One box per stand: for a scattered holding, the land in between is not needed. */
export const tileBoxesOf = (
  { umrisse, kasten }: Pick<FieldworkPacket, 'umrisse' | 'kasten'>,
  part: { readonly art: string },
): Box[] => {
  if (part.art === 'kasten' && kasten !== null) return [kasten]
  const each = outlineBoxesOf(umrisse)
  return each.length > 0 || kasten === null ? each : [kasten]
}

export interface TileProgress {
  readonly fertig: number
  readonly alle: number
  readonly bytes: number
}
export interface TileJob {
  readonly db: FieldworkDb
  readonly sub: Sub
  readonly packet: FieldworkPacket
  readonly karte: BaseMap
  readonly signal: AbortSignal
  readonly onProgress: (stand: TileProgress) => void
  readonly now: Date
  /** An empty response means the service has nothing there. */
  readonly kachel?: (ort: TileCoord, signal: AbortSignal) => Promise<Blob>
}
const CONCURRENCY = 6
const BATCH = 60
/** After this many failures in a row the service counts as down, and the rest is not requested. */
const MAX_FAILURES = 24

/**
 * Stores the new tiles next to the old ones and switches at the end. Rejects if cancelled or if the service
 * does not respond; everything is then as before.
 */
export async function fetchKarte({
  db,
  sub,
  packet,
  karte,
  signal,
  onProgress,
  now,
  kachel = tileFetcherOf(karte),
}: TileJob): Promise<FieldworkPacket | null> {
  const places = tilesOver(tileBoxesOf(packet, detailsOf(packet).teil), karte)
  if (places.length === 0) return switchKarte(db, sub, packet.idHQ, null)
  const level = `${karte.id}@${now.toISOString()}`
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const queue = places.values()
  let batch: TileImage[] = []
  let [done, bytes, saved, missing, inRow] = [0, 0, 0, 0, 0]
  let fault: unknown = null
  const worker = async () => {
    for (const ort of queue) {
      if (either.aborted || bytes >= MAX_BYTES) return
      try {
        // oxlint-disable-next-line no-await-in-loop -- limits concurrency
        const blob = await kachel(ort, either)
        inRow = 0
        // oxlint-disable-next-line no-await-in-loop -- as above
        const content = await blob.arrayBuffer()
        if (blob.size > 0) {
          batch.push({ ort, typ: blob.type, bytes: content })
          bytes += blob.size
          saved++
        }
      } catch (error) {
        if (either.aborted) return
        missing++
        fault = error
        if (++inRow >= MAX_FAILURES) return stop.abort()
      }
      onProgress({ fertig: ++done, alle: places.length, bytes })
      if (batch.length >= BATCH) {
        const full = batch
        batch = []
        // oxlint-disable-next-line no-await-in-loop -- as above
        await putTiles(db, sub, packet.idHQ, level, full)
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  signal.throwIfAborted()
  if (stop.signal.aborted || (saved === 0 && fault !== null)) throw fault
  await putTiles(db, sub, packet.idHQ, level, batch)
  const { id, titel, namensnennung, min } = karte
  const max = Math.max(...places.map(({ z }) => z))
  const made: PacketKarte = {
    id,
    titel,
    namensnennung,
    min,
    max,
    ...(karte.datei?.form === 'vektor' && { form: 'vektor' as const }),
    ebene: level,
    kacheln: saved,
    bytes,
    fehlend: places.length - done + missing,
    geholt_am: now.toISOString(),
  }
  return switchKarte(db, sub, packet.idHQ, saved === 0 ? null : made)
}
const tileFetcherOf =
  (karte: BaseMap) =>
  (ort: TileCoord, signal: AbortSignal): Promise<Blob> =>
    fetchBaseTile(karte, ort, signal)
