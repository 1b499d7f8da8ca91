// What a pack holds beyond its row: the stands' addresses, which part of the holding it is, and the map beneath. Reads and writes the device's storage; what is
// fetched from the server is paket-holen.ts.
import type { BestandKurz, Umriss } from '#contract/bestand.ts'
import type { Grundkarte } from '#contract/grundkarte.ts'
import type { Habitatbaum } from '#contract/habitat.ts'
import { adresseText } from '#domain/bestand.ts'
import { hasOneOf } from '#domain/rollen.ts'
import { type FeldDb, type FeldPaket, type FeldPerson, lies, schreibe, type Sub, vonPerson } from './feld-db.ts'
import { bestaendeIm, gehoert, type Kachelort, kachelKey, kaestenVon, kastenUm, kastenVonOrt, type Teil } from './paket-umfang.ts'

/** A stand as the field mode needs it. */
export type Bestandsmerkmal = Pick<BestandKurz, 'id' | 'l' | 's' | 'ha' | 'bestandestyp' | 'alter'>

export interface PaketKarte extends Pick<Grundkarte, 'id' | 'titel' | 'namensnennung' | 'min'> {
  /** Deepest level that was saved; the map enlarges it. */
  readonly max: number
  /** Under which name the tiles lie: another one for each saving, so that the old ones stay until the new ones are there. */
  readonly ebene: string
  readonly kacheln: number
  readonly bytes: number
  /** Asked for and not got. */
  readonly fehlend: number
  readonly geholt_am: string
}
export interface PaketMehr {
  readonly teil: Teil
  readonly bestaende: readonly Bestandsmerkmal[]
  readonly karte: PaketKarte | null
}
export function mehrOf({ weiteres }: FeldPaket): PaketMehr {
  const mehr = (weiteres ?? {}) as Partial<PaketMehr>
  return { teil: mehr.teil ?? { art: 'ganz' }, bestaende: mehr.bestaende ?? [], karte: mehr.karte ?? null }
}

/** What the server said of a holding. */
export interface Geholt {
  readonly idHQ: number
  readonly client_id: number
  readonly sHQ: string
  readonly ebenen: readonly string[]
  readonly bestaende: readonly BestandKurz[]
  readonly umrisse: readonly Umriss[]
  readonly baeume: readonly Habitatbaum[]
  /** Photos of each tree, by the tree's number. */
  readonly bilder: ReadonlyMap<number, number>
}

export const pakete = (db: FeldDb, sub: Sub): Promise<FeldPaket[]> =>
  lies(async () => (await db.getAll('pakete', vonPerson(sub))).filter(({ fertig }) => fertig))

const groesse = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length

/**
 * Puts a holding on the device, or what it is now in the place of what it was: all of it or nothing. Trees that are gone from the server go here as well, unless something of theirs waits to be
 * transferred: what the person will be asked about then needs them. The tiles of an older saving stay.
 */
export async function legeAb(db: FeldDb, sub: Sub, geholt: Geholt, teil: Teil, now: Date): Promise<FeldPaket> {
  const bestaende = bestaendeIm(teil, geholt.bestaende, geholt.umrisse)
  const darin = new Set(bestaende.map(({ id }) => id))
  const umrisse = geholt.umrisse.filter(([id]) => darin.has(id))
  const baeume = geholt.baeume.filter((baum) => gehoert(teil, baum))
  const merkmale = bestaende.map(({ id, l, s, ha, bestandestyp, alter }): Bestandsmerkmal => ({ id, l, s, ha, bestandestyp, alter }))
  const { idHQ, client_id, sHQ, ebenen } = geholt
  return schreibe(db, ['pakete', 'baeume', 'erfassungen'], async (tx) => {
    const before = await tx.objectStore('pakete').get([sub, idHQ])
    const karte = before === undefined ? null : mehrOf(before).karte
    const paket: FeldPaket = {
      sub,
      idHQ,
      client_id,
      sHQ,
      ebenen: [...ebenen],
      umrisse,
      kasten: teil.art === 'kasten' ? [...teil.kasten] : (kastenUm(kaestenVon(umrisse)) ?? kastenUm(baeume.map(kastenVonOrt))),
      geholt_am: now.toISOString(),
      fertig: true,
      baeume: baeume.length,
      kacheln: karte?.kacheln ?? 0,
      bytes: groesse([umrisse, merkmale, baeume]) + (karte?.bytes ?? 0),
      weiteres: { teil, bestaende: merkmale, karte } satisfies PaketMehr,
    }
    const store = tx.objectStore('baeume')
    const [known, waiting] = await Promise.all([
      store.index('betrieb').getAllKeys([sub, idHQ]),
      tx.objectStore('erfassungen').index('betrieb').getAllKeys([sub, idHQ]),
    ])
    const kept = new Set([...baeume.map(({ kennung }) => kennung), ...waiting.map(([, kennung]) => kennung)])
    // Not waited for one by one: a single one that fails undoes them all, and the end of the transaction tells.
    const quietly = (work: Promise<unknown>) => void work.catch(() => undefined)
    for (const key of known) if (!kept.has(key[1])) quietly(store.delete(key))
    for (const baum of baeume) quietly(store.put({ sub, kennung: baum.kennung, idHQ, baum, bilder: geholt.bilder.get(baum.id) ?? 0 }))
    await tx.objectStore('pakete').put(paket)
    return paket
  })
}
// Tiles -------------------------------------------------------------------------------------------------------------------------------------------------------------------

export interface Kachelbild {
  readonly ort: Kachelort
  readonly typ: string
  readonly bytes: ArrayBuffer
}
/** A batch of tiles of a saving that is not finished: nobody sees them yet. */
export const legeKacheln = (db: FeldDb, sub: Sub, idHQ: number, ebene: string, bilder: readonly Kachelbild[]): Promise<void> =>
  schreibe(db, ['kacheln'], async (tx) => {
    const store = tx.objectStore('kacheln')
    await Promise.all(bilder.map(({ ort, typ, bytes }) => store.put({ sub, idHQ, ebene, ort: kachelKey(ort), typ, bytes })))
  })
/** From now on these tiles are shown, and those of the saving before are gone. Null: none at all. */
export const wechsleKarte = (db: FeldDb, sub: Sub, idHQ: number, karte: PaketKarte | null): Promise<FeldPaket | null> =>
  schreibe(db, ['pakete', 'kacheln'], async (tx) => {
    const paket = await tx.objectStore('pakete').get([sub, idHQ])
    // Removed in another window while the tiles were fetched.
    if (paket === undefined) {
      await tx.objectStore('kacheln').delete(vonPerson(sub, idHQ))
      return null
    }
    const before = mehrOf(paket)
    const next: FeldPaket = {
      ...paket,
      kacheln: karte?.kacheln ?? 0,
      bytes: paket.bytes - (before.karte?.bytes ?? 0) + (karte?.bytes ?? 0),
      weiteres: { ...before, karte } satisfies PaketMehr,
    }
    await tx.objectStore('pakete').put(next)
    if (before.karte !== null && before.karte.ebene !== karte?.ebene)
      await tx.objectStore('kacheln').delete(vonPerson(sub, idHQ, before.karte.ebene))
    return next
  })

export const kachel = (db: FeldDb, sub: Sub, idHQ: number, ebene: string, ort: Kachelort) =>
  lies(() => db.get('kacheln', [sub, idHQ, ebene, kachelKey(ort)]))

/** Tiles of savings that were broken off, or whose pack is gone: nobody will ever ask for them. */
export async function raeumeAuf(db: FeldDb, sub: Sub): Promise<void> {
  const shown = new Set(
    (await pakete(db, sub)).flatMap((paket) => {
      const { karte } = mehrOf(paket)
      return karte === null ? [] : [`${paket.idHQ} ${karte.ebene}`]
    }),
  )
  const lost = new Map<string, [number, string]>()
  await lies(async () => {
    // From one layer to the next, not tile by tile.
    const tx = db.transaction('kacheln')
    let cursor = await tx.store.openKeyCursor(vonPerson(sub))
    while (cursor !== null) {
      const [, idHQ, ebene] = cursor.key
      if (!shown.has(`${idHQ} ${ebene}`)) lost.set(`${idHQ} ${ebene}`, [idHQ, ebene])
      // oxlint-disable-next-line no-await-in-loop -- each step begins where the one before ended
      cursor = await cursor.continue([sub, idHQ, ebene, '\uffff'])
    }
  })
  if (lost.size === 0) return
  await schreibe(db, ['kacheln'], async (tx) => {
    await Promise.all([...lost.values()].map(([idHQ, ebene]) => tx.objectStore('kacheln').delete(vonPerson(sub, idHQ, ebene))))
  })
}

/** Packs of holdings in which this person may not capture any more. */
export const nichtMehr = (all: readonly FeldPaket[], { roles, hqs }: Pick<FeldPerson, 'roles' | 'hqs'>): FeldPaket[] =>
  hasOneOf(roles, ['ogf_admin']) ? [] : all.filter(({ idHQ }) => !hqs.some((hq) => hq.idHQ === idHQ && hq.fb_enabled))

/** What waits to be transferred stays, with the trees it is about. */
export const entferne = (db: FeldDb, sub: Sub, idHQ: number): Promise<void> =>
  schreibe(db, ['pakete', 'kacheln', 'baeume', 'erfassungen'], async (tx) => {
    const store = tx.objectStore('baeume')
    const [known, waiting] = await Promise.all([
      store.index('betrieb').getAllKeys([sub, idHQ]),
      tx.objectStore('erfassungen').index('betrieb').getAllKeys([sub, idHQ]),
    ])
    const kept = new Set(waiting.map(([, kennung]) => kennung))
    await Promise.all([
      ...known.filter(([, kennung]) => !kept.has(kennung)).map((key) => store.delete(key)),
      tx.objectStore('kacheln').delete(vonPerson(sub, idHQ)),
      tx.objectStore('pakete').delete([sub, idHQ]),
    ])
  })

export const bestandText = (merkmal: Pick<Bestandsmerkmal, 'l' | 's'>, ebenen: readonly string[]): string => adresseText(merkmal, ebenen)

/** For the map: without the large levels that are the same for all stands of the pack, and the rest as short as foresters write it ('5a1'). */
export function kurzTexte(bestaende: readonly Bestandsmerkmal[]): Map<number, string> {
  const first = bestaende[0]
  let from = 0
  while (first !== undefined && from < 4 && bestaende.every(({ l }) => (l[from] ?? '') === (first.l[from] ?? ''))) from++
  return new Map(
    bestaende.map(({ id, l, s }) => {
      const parts = [...l.slice(from), s === null ? null : String(s)].filter((part) => part !== null && part !== '')
      return [id, parts.join(' ')]
    }),
  )
}
