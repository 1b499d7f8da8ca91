// A pack's contents beyond its row: the stands' addresses, which part of the holding it is, and the base map.
// Reads and writes the device's storage; packet-fetch.ts fetches from the server.
import type { ShortBestand, Outline } from '#contract/bestand.ts'
import type { BaseMap } from '#contract/base-map.ts'
import type { KnownBorder } from '#contract/border.ts'
import type { Habitatbaum } from '#contract/habitat.ts'
import { addressText } from '#domain/bestand.ts'
import { hasOneOf, type Role } from '#domain/roles.ts'
import {
  type FieldworkDb,
  type FieldworkObject,
  type FieldworkTree,
  type FieldworkTx,
  isSurvey,
  type FieldworkPacket,
  type FieldworkPerson,
  readFrom,
  write,
  type Sub,
  personRange,
} from './fieldwork-db.ts'
import {
  bestaendeIn,
  belongs,
  type TileCoord,
  tileKey,
  outlineBoxesOf,
  enclosingBox,
  placeBoxOf,
  type Part,
} from './packet-extent.ts'

/** A stand as the field mode needs it. */
export type BestandFacts = Pick<ShortBestand, 'id' | 'l' | 's' | 'ha' | 'bestandestyp' | 'alter'>

export interface PacketKarte extends Pick<BaseMap, 'id' | 'titel' | 'namensnennung' | 'min'> {
  /** What its tiles are; without it, pictures. */
  readonly form?: 'vektor'
  /** Deepest saved level; the map upscales it. */
  readonly max: number
  /**
   * Layer name of the tiles. Each save uses a new one, so that the old tiles stay until the new ones are
   * complete.
   */
  readonly ebene: string
  readonly kacheln: number
  readonly bytes: number
  /** Requested but not received. */
  readonly fehlend: number
  readonly geholt_am: string
}
export interface PacketDetails {
  readonly teil: Part
  readonly bestaende: readonly BestandFacts[]
  readonly karte: PacketKarte | null
  /** Exact, for those who walk borders; packs of older versions have none. */
  readonly borders?: readonly KnownBorder[]
}
export function detailsOf({ weiteres }: FieldworkPacket): PacketDetails {
  const extra = (weiteres ?? {}) as Partial<PacketDetails>
  return {
    teil: extra.teil ?? { art: 'ganz' },
    bestaende: extra.bestaende ?? [],
    karte: extra.karte ?? null,
    borders: extra.borders ?? [],
  }
}

/** The server's data of a holding. */
export interface FetchedBetrieb {
  readonly idHQ: number
  readonly client_id: number
  readonly sHQ: string
  readonly ebenen: readonly string[]
  readonly bestaende: readonly ShortBestand[]
  readonly umrisse: readonly Outline[]
  readonly borders?: readonly KnownBorder[]
  readonly baeume: readonly Habitatbaum[]
  /** Number of photos by the tree's id. */
  readonly bilder: ReadonlyMap<number, number>
}

export const packetsOf = (db: FieldworkDb, sub: Sub): Promise<FieldworkPacket[]> =>
  readFrom(async () => (await db.getAll('pakete', personRange(sub))).filter(({ fertig }) => fertig))

const size = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length

/**
 * Stores a holding on the device or replaces the stored one, all or nothing. Trees deleted on the server are
 * removed here too, unless a pending change needs them for a later decision. Tiles of an earlier save stay.
 */
export async function putAway(
  db: FieldworkDb,
  sub: Sub,
  fetched: FetchedBetrieb,
  part: Part,
  now: Date,
): Promise<FieldworkPacket> {
  const bestaende = bestaendeIn(part, fetched.bestaende, fetched.umrisse)
  const inside = new Set(bestaende.map(({ id }) => id))
  const outlines = fetched.umrisse.filter(([id]) => inside.has(id))
  const borders = (fetched.borders ?? []).filter(([id]) => inside.has(id))
  const trees = fetched.baeume.filter((tree) => belongs(part, tree))
  const bestandFacts = bestaende.map(
    ({ id, l, s, ha, bestandestyp, alter }): BestandFacts => ({ id, l, s, ha, bestandestyp, alter }),
  )
  const { idHQ, client_id, sHQ, ebenen } = fetched
  return write(db, ['pakete', 'baeume', 'erfassungen'], async (tx) => {
    const before = await tx.objectStore('pakete').get([sub, idHQ])
    const karte = before === undefined ? null : detailsOf(before).karte
    const packet: FieldworkPacket = {
      sub,
      idHQ,
      client_id,
      sHQ,
      ebenen: [...ebenen],
      umrisse: outlines,
      kasten:
        part.art === 'kasten'
          ? [...part.kasten]
          : (enclosingBox(outlineBoxesOf(outlines)) ?? enclosingBox(trees.map(placeBoxOf))),
      geholt_am: now.toISOString(),
      fertig: true,
      baeume: trees.length,
      kacheln: karte?.kacheln ?? 0,
      bytes: size([outlines, bestandFacts, trees, borders]) + (karte?.bytes ?? 0),
      weiteres: { teil: part, bestaende: bestandFacts, karte, borders } satisfies PacketDetails,
    }
    await replaceRows(
      tx,
      { sub, idHQ },
      trees.map((tree) => ({
        sub,
        kennung: tree.kennung,
        idHQ,
        baum: tree,
        bilder: fetched.bilder.get(tree.id) ?? 0,
      })),
    )
    await tx.objectStore('pakete').put(packet)
    return packet
  })
}

/** Puts rows in the place of those stored before, except what a pending change needs for a later decision. */
export async function replaceRows(
  tx: FieldworkTx,
  { sub, idHQ }: Pick<FieldworkPacket, 'sub' | 'idHQ'>,
  rows: readonly (FieldworkTree | FieldworkObject)[],
): Promise<void> {
  const store = tx.objectStore('baeume')
  const [known, waiting] = await Promise.all([
    store.index('betrieb').getAllKeys([sub, idHQ]),
    tx.objectStore('erfassungen').index('betrieb').getAllKeys([sub, idHQ]),
  ])
  const kept = new Set([
    ...rows.map(({ kennung }) => kennung),
    ...waiting.map(([, identifier]) => identifier),
  ])
  // Not awaited one by one: a failure aborts the transaction, and its end reports it.
  const quietly = (work: Promise<unknown>) => void work.catch(() => undefined)
  for (const key of known) if (!kept.has(key[1])) quietly(store.delete(key))
  for (const row of rows) quietly(store.put(row))
}
// Tiles

export interface TileImage {
  readonly ort: TileCoord
  readonly typ: string
  readonly bytes: ArrayBuffer
}
/** A batch of tiles of an unfinished save, not visible yet. */
export const putTiles = (
  db: FieldworkDb,
  sub: Sub,
  idHQ: number,
  level: string,
  pictures: readonly TileImage[],
): Promise<void> =>
  write(db, ['kacheln'], async (tx) => {
    const store = tx.objectStore('kacheln')
    await Promise.all(
      pictures.map(({ ort, typ, bytes }) =>
        store.put({ sub, idHQ, ebene: level, ort: tileKey(ort), typ, bytes }),
      ),
    )
  })
/** Switches to these tiles and deletes those of the previous save. Null for no base map. */
export const switchKarte = (
  db: FieldworkDb,
  sub: Sub,
  idHQ: number,
  karte: PacketKarte | null,
): Promise<FieldworkPacket | null> =>
  write(db, ['pakete', 'kacheln'], async (tx) => {
    const packet = await tx.objectStore('pakete').get([sub, idHQ])
    // Removed in another window while the tiles were fetched.
    if (packet === undefined) {
      await tx.objectStore('kacheln').delete(personRange(sub, idHQ))
      return null
    }
    const before = detailsOf(packet)
    const next: FieldworkPacket = {
      ...packet,
      kacheln: karte?.kacheln ?? 0,
      bytes: packet.bytes - (before.karte?.bytes ?? 0) + (karte?.bytes ?? 0),
      weiteres: { ...before, karte } satisfies PacketDetails,
    }
    await tx.objectStore('pakete').put(next)
    if (before.karte !== null && before.karte.ebene !== karte?.ebene)
      await tx.objectStore('kacheln').delete(personRange(sub, idHQ, before.karte.ebene))
    return next
  })

export const tileAt = (db: FieldworkDb, sub: Sub, idHQ: number, level: string, ort: TileCoord) =>
  readFrom(() => db.get('kacheln', [sub, idHQ, level, tileKey(ort)]))

/** Deletes tiles of cancelled saves or of removed packs. */
export async function tidyUp(db: FieldworkDb, sub: Sub): Promise<void> {
  const shown = new Set(
    (await packetsOf(db, sub)).flatMap((packet) => {
      const { karte } = detailsOf(packet)
      return karte === null ? [] : [`${packet.idHQ} ${karte.ebene}`]
    }),
  )
  const lost = new Map<string, [number, string]>()
  await readFrom(async () => {
    // Skips from layer to layer instead of reading every tile key.
    const tx = db.transaction('kacheln')
    let cursor = await tx.store.openKeyCursor(personRange(sub))
    while (cursor !== null) {
      const [, idHQ, level] = cursor.key
      if (!shown.has(`${idHQ} ${level}`)) lost.set(`${idHQ} ${level}`, [idHQ, level])
      // oxlint-disable-next-line no-await-in-loop -- each step starts where the last one ended
      cursor = await cursor.continue([sub, idHQ, level, '\uffff'])
    }
  })
  if (lost.size === 0) return
  await write(db, ['kacheln'], async (tx) => {
    await Promise.all(
      [...lost.values()].map(([idHQ, level]) =>
        tx.objectStore('kacheln').delete(personRange(sub, idHQ, level)),
      ),
    )
  })
}

/** Packs of holdings in which this person may no longer capture. */
export const noLongerAllowed = (
  all: readonly FieldworkPacket[],
  { roles, hqs }: Pick<FieldworkPerson, 'roles' | 'hqs'>,
): FieldworkPacket[] =>
  all.filter((packet) =>
    isSurvey(packet)
      ? !hasOneOf(roles, SURVEYORS)
      : !hasOneOf(roles, ['ogf_admin']) && !hqs.some((hq) => hq.idHQ === packet.idHQ && hq.fb_enabled),
  )
/** Who captures survey objects. */
export const SURVEYORS: readonly Role[] = ['apus_team', 'apus_admin']

/** Removes a pack; pending changes stay, with the trees they are about. */
export const remove = (db: FieldworkDb, sub: Sub, idHQ: number): Promise<void> =>
  write(db, ['pakete', 'kacheln', 'baeume', 'erfassungen'], async (tx) => {
    const store = tx.objectStore('baeume')
    const [known, waiting] = await Promise.all([
      store.index('betrieb').getAllKeys([sub, idHQ]),
      tx.objectStore('erfassungen').index('betrieb').getAllKeys([sub, idHQ]),
    ])
    const kept = new Set(waiting.map(([, identifier]) => identifier))
    await Promise.all([
      ...known.filter(([, identifier]) => !kept.has(identifier)).map((key) => store.delete(key)),
      tx.objectStore('kacheln').delete(personRange(sub, idHQ)),
      tx.objectStore('pakete').delete([sub, idHQ]),
    ])
  })

export const bestandText = (facts: Pick<BestandFacts, 'l' | 's'>, levels: readonly string[]): string =>
  addressText(facts, levels)

/**
 * Labels for the map: without the upper levels that all stands of the pack share, and the rest in foresters'
 * shorthand ('5a1').
 */
export function shortTexts(bestaende: readonly BestandFacts[]): Map<number, string> {
  const first = bestaende[0]
  let from = 0
  while (
    first !== undefined &&
    from < 4 &&
    bestaende.every(({ l }) => (l[from] ?? '') === (first.l[from] ?? ''))
  )
    from++
  return new Map(
    bestaende.map(({ id, l, s }) => {
      const parts = [...l.slice(from), s === null ? null : String(s)].filter(
        (part) => part !== null && part !== '',
      )
      return [id, parts.join(' ')]
    }),
  )
}
