// The queue on the device: what forms put in, what the sync takes out. Each function is one transaction, so that a crash leaves what was there before or what is there afterwards.
import type { Habitatbaum, HabitatErfassung, HabitatSyncAntwort, KontrolleErfassung } from '#contract/habitat.ts'
import type { BaumWerte } from '../../record/habitat/baum.ts'
import { aendere, beginne, entscheide, erfasseNeu, type Gesehen, legeNeuAn, nachAntwort, type Sicht, sichtOf } from './erfassung.ts'
import {
  type FeldBaum,
  type FeldBild,
  type FeldDb,
  type FeldEntwurf,
  type FeldErfassung,
  type FeldKonflikt,
  type FeldTx,
  type Kennung,
  lies,
  schreibe,
  type Sub,
  vonPerson,
} from './feld-db.ts'

// Every window of this device that shows the queue hears of a change.
const CHANNEL = 'forstkontor-feld'
const listeners = new Set<() => void>()
let channel: BroadcastChannel | null = null
export function beobachte(listener: () => void): () => void {
  if (channel === null && typeof BroadcastChannel === 'function') {
    channel = new BroadcastChannel(CHANNEL)
    // In Node a channel would keep the process alive.
    ;(channel as { unref?: () => void }).unref?.()
    channel.addEventListener('message', () => listeners.forEach((one) => one()))
  }
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export function geaendert() {
  for (const listener of listeners) listener()
  channel?.postMessage('geaendert')
}
async function aendernd<T>(work: Promise<T>): Promise<T> {
  const made = await work
  geaendert()
  return made
}

/* What forms put in --------------------------------------------------------------------------------------------------------------------------- */

/** How a saved tree is named to the person: the kennung may be another than the form's, if another window has saved the same form. */
interface NeuerBaum {
  readonly sub: Sub
  readonly kennung: Kennung
  readonly idHQ: number
  readonly werte: BaumWerte
  /** The form's draft, which ends with it. */
  readonly entwurf: string
  /** A number to take if the form's own was saved already. */
  readonly ersatz: Kennung
  readonly jetzt: Date
}
export const speichereNeu = (db: FeldDb, { sub, kennung, idHQ, werte, entwurf, ersatz, jetzt }: NeuerBaum): Promise<Kennung> =>
  aendernd(
    schreibe(db, ['erfassungen', 'baeume', 'bilder', 'entwuerfe'], async (tx) => {
      const erfassungen = tx.objectStore('erfassungen')
      const spent =
        (await erfassungen.getKey([sub, kennung])) !== undefined || (await tx.objectStore('baeume').getKey([sub, kennung])) !== undefined
      const under = spent ? ersatz : kennung
      await erfassungen.add(erfasseNeu({ sub, kennung: under, idHQ, jetzt: jetzt.toISOString() }, werte))
      await uebernimmBilder(tx, sub, kennung, under)
      await tx.objectStore('entwuerfe').delete([sub, entwurf])
      return under
    }),
  )

interface BaumAenderung {
  readonly sub: Sub
  readonly kennung: Kennung
  readonly werte?: Partial<BaumWerte>
  readonly kontrollen?: readonly KontrolleErfassung[]
  readonly gesehen?: Gesehen
  readonly entwurf?: string
  readonly jetzt: Date
}
export const speichereAenderung = (
  db: FeldDb,
  { sub, kennung, werte, kontrollen, gesehen, entwurf, jetzt }: BaumAenderung,
): Promise<void> =>
  aendernd(
    schreibe(db, ['erfassungen', 'baeume', 'bilder', 'entwuerfe'], async (tx) => {
      const erfassungen = tx.objectStore('erfassungen')
      const [before, baum] = await Promise.all([erfassungen.get([sub, kennung]), tx.objectStore('baeume').get([sub, kennung])])
      const idHQ = before?.idHQ ?? baum?.idHQ
      if (idHQ === undefined) throw new Error('a change of a tree that is not on this device')
      const after = aendere(
        before,
        baum,
        { sub, kennung, idHQ, jetzt: jetzt.toISOString() },
        { ...(werte && { werte }), ...(kontrollen && { kontrollen }), ...(gesehen && { gesehen }) },
      )
      await (after === null ? erfassungen.delete([sub, kennung]) : erfassungen.put(after))
      if (entwurf !== undefined) {
        await uebernimmBilder(tx, sub, kennung)
        await tx.objectStore('entwuerfe').delete([sub, entwurf])
      }
    }),
  )

/** Photos of a form that is saved now wait with its tree. */
async function uebernimmBilder(tx: FeldTx, sub: Sub, form: Kennung, baum: Kennung = form) {
  const bilder = tx.objectStore('bilder')
  const drafts = (await bilder.index('baum').getAll([sub, form])).filter(({ stand }) => stand === 'entwurf')
  await Promise.all(drafts.map((bild) => bilder.put({ ...bild, baum, stand: 'wartet' })))
}

export const merkeEntwurf = (db: FeldDb, entwurf: FeldEntwurf): Promise<void> =>
  schreibe(db, ['entwuerfe'], async (tx) => {
    await tx.objectStore('entwuerfe').put(entwurf)
  })
export const fetchEntwurf = (db: FeldDb, sub: Sub, name: string): Promise<FeldEntwurf | undefined> =>
  lies(() => db.get('entwuerfe', [sub, name]))
/** The form's photos go with it; those that are saved stay. */
export const verwirfEntwurf = (db: FeldDb, sub: Sub, name: string, baum: Kennung): Promise<void> =>
  aendernd(
    schreibe(db, ['entwuerfe', 'bilder'], async (tx) => {
      await tx.objectStore('entwuerfe').delete([sub, name])
      for await (const cursor of tx.objectStore('bilder').index('baum').iterate([sub, baum]))
        if (cursor.value.stand === 'entwurf') await cursor.delete()
    }),
  )

export const merkeBild = (db: FeldDb, bild: FeldBild): Promise<void> =>
  aendernd(
    schreibe(db, ['bilder'], async (tx) => {
      await tx.objectStore('bilder').add(bild)
    }),
  )
/** A photo that the person does not want. */
export const verwirfBild = (db: FeldDb, sub: Sub, kennung: Kennung): Promise<void> =>
  aendernd(
    schreibe(db, ['bilder'], async (tx) => {
      await tx.objectStore('bilder').delete([sub, kennung])
    }),
  )
export const fetchBilder = (db: FeldDb, sub: Sub, baum: Kennung): Promise<FeldBild[]> =>
  lies(async () => (await db.getAllFromIndex('bilder', 'baum', [sub, baum])).toSorted((a, b) => a.seit.localeCompare(b.seit)))

/* What screens show --------------------------------------------------------------------------------------------------------------------------- */

export interface BaumLage {
  readonly sicht: Sicht
  readonly baum: FeldBaum | undefined
  readonly erfassung: FeldErfassung | undefined
  readonly konflikt: FeldKonflikt | undefined
}
export const fetchBaum = (db: FeldDb, sub: Sub, kennung: Kennung): Promise<BaumLage | null> =>
  lies(async () => {
    const tx = db.transaction(['baeume', 'erfassungen', 'konflikte'])
    const [baum, erfassung, konflikt] = await Promise.all([
      tx.objectStore('baeume').get([sub, kennung]),
      tx.objectStore('erfassungen').get([sub, kennung]),
      tx.objectStore('konflikte').get([sub, kennung]),
    ])
    const sicht = sichtOf(baum, erfassung)
    return sicht === null ? null : { sicht, baum, erfassung, konflikt }
  })

/** All trees of a holding as the person on this device sees them. */
export const fetchSichten = (db: FeldDb, sub: Sub, idHQ: number): Promise<Sicht[]> =>
  lies(async () => {
    const tx = db.transaction(['baeume', 'erfassungen'])
    const [baeume, erfassungen] = await Promise.all([
      tx.objectStore('baeume').index('betrieb').getAll([sub, idHQ]),
      tx.objectStore('erfassungen').index('betrieb').getAll([sub, idHQ]),
    ])
    const waiting = new Map(erfassungen.map((one) => [one.kennung, one]))
    const known = baeume.map((baum) => {
      const erfassung = waiting.get(baum.kennung)
      waiting.delete(baum.kennung)
      return sichtOf(baum, erfassung)
    })
    return [...known, ...Array.from(waiting.values(), (one) => sichtOf(undefined, one))].filter((sicht) => sicht !== null)
  })

/** A photo without its bytes, for lists. */
export type BildZeile = Omit<FeldBild, 'original'>
export interface Schlange {
  readonly erfassungen: readonly FeldErfassung[]
  readonly bilder: readonly BildZeile[]
  readonly konflikte: readonly FeldKonflikt[]
  /** Trees that photos belong to and that do not wait themselves. */
  readonly baeume: ReadonlyMap<Kennung, Habitatbaum>
}
export const fetchSchlange = (db: FeldDb, sub: Sub): Promise<Schlange> =>
  lies(async () => {
    const tx = db.transaction(['erfassungen', 'bilder', 'konflikte', 'baeume'])
    const own = vonPerson(sub)
    const bilder: BildZeile[] = []
    const reading = (async () => {
      for await (const { value } of tx.objectStore('bilder').iterate(own)) {
        const { original: _original, ...zeile } = value
        if (zeile.stand !== 'entwurf') bilder.push(zeile)
      }
    })()
    const [erfassungen, konflikte] = await Promise.all([
      tx.objectStore('erfassungen').getAll(own),
      tx.objectStore('konflikte').getAll(own),
      reading,
    ])
    const baeume = new Map<Kennung, Habitatbaum>()
    for (const kennung of new Set([...erfassungen.map((one) => one.kennung), ...bilder.map(({ baum }) => baum)])) {
      const baum = await tx.objectStore('baeume').get([sub, kennung])
      if (baum !== undefined) baeume.set(kennung, baum.baum)
    }
    const bySince = <T extends { seit: string }>(list: readonly T[]) => list.toSorted((a, b) => a.seit.localeCompare(b.seit))
    return { erfassungen: bySince(erfassungen), bilder: bySince(bilder), konflikte, baeume }
  })

/** Everything of a person that exists on this device alone, what stands in forms included. */
export const fetchAlles = (db: FeldDb, sub: Sub) =>
  lies(async () => {
    const tx = db.transaction(['erfassungen', 'konflikte', 'entwuerfe', 'bilder'])
    const own = vonPerson(sub)
    const [erfassungen, konflikte, entwuerfe, bilder] = await Promise.all([
      tx.objectStore('erfassungen').getAll(own),
      tx.objectStore('konflikte').getAll(own),
      tx.objectStore('entwuerfe').getAll(own),
      tx.objectStore('bilder').getAll(own),
    ])
    return { erfassungen, konflikte, entwuerfe, bilder }
  })

/** How much waits, for the badge of the bar. */
export const zaehleWartende = (db: FeldDb, sub: Sub): Promise<{ baeume: number; bilder: number }> =>
  lies(async () => {
    const tx = db.transaction(['erfassungen', 'bilder'])
    const stand = tx.objectStore('bilder').index('stand')
    const [baeume, ...bilder] = await Promise.all([
      tx.objectStore('erfassungen').count(vonPerson(sub)),
      stand.count([sub, 'wartet']),
      stand.count([sub, 'gesendet']),
      stand.count([sub, 'abgelehnt']),
    ])
    return { baeume, bilder: bilder.reduce((sum, count) => sum + count, 0) }
  })

/* What the person decides ---------------------------------------------------------------------------------------------------------------------- */

/** Own values that are to hold against the server's present tree; an empty choice takes the server's whole. */
export const loeseKonflikt = (db: FeldDb, sub: Sub, kennung: Kennung, gewaehlt: Partial<BaumWerte>, jetzt: Date): Promise<void> =>
  aendernd(
    schreibe(db, ['erfassungen', 'konflikte'], async (tx) => {
      const [erfassung, konflikt] = await Promise.all([
        tx.objectStore('erfassungen').get([sub, kennung]),
        tx.objectStore('konflikte').get([sub, kennung]),
      ])
      // Answered in another window.
      if (erfassung?.stand !== 'konflikt' || konflikt === undefined) return
      const after = entscheide(erfassung, konflikt.server, gewaehlt, jetzt.toISOString())
      await (after === null ? tx.objectStore('erfassungen').delete([sub, kennung]) : tx.objectStore('erfassungen').put(after))
      await tx.objectStore('konflikte').delete([sub, kennung])
    }),
  )

interface Neuanlage {
  readonly sub: Sub
  readonly kennung: Kennung
  readonly neueKennung: () => Kennung
  readonly jetzt: Date
}
/** A tree that somebody deleted comes back as a new one, its photos with it. */
export const legeGeloeschtenNeuAn = (db: FeldDb, { sub, kennung, neueKennung, jetzt }: Neuanlage): Promise<Kennung | null> =>
  aendernd(
    schreibe(db, ['erfassungen', 'bilder', 'baeume'], async (tx) => {
      const erfassungen = tx.objectStore('erfassungen')
      const old = await erfassungen.get([sub, kennung])
      if (old?.stand !== 'geloescht') return null
      const fresh = neueKennung()
      const kontrollen = [...(old.unterwegs?.kontrollen ?? []), ...old.kontrollen].map(neueKennung)
      await erfassungen.add(legeNeuAn(old, fresh, kontrollen, jetzt.toISOString()))
      await erfassungen.delete([sub, kennung])
      await tx.objectStore('baeume').delete([sub, kennung])
      for (const bild of await tx.objectStore('bilder').index('baum').getAll([sub, kennung])) {
        await tx.objectStore('bilder').delete([sub, bild.kennung])
        await tx.objectStore('bilder').add({
          ...bild,
          kennung: neueKennung(),
          baum: fresh,
          stand: bild.stand === 'entwurf' ? 'entwurf' : 'wartet',
          upload: null,
          gesendet: 0,
          fehler: null,
          regel: null,
        })
      }
      return fresh
    }),
  )

/**
 * What waits of a tree is given up by the person, its photos with it. False: it is on its way, and nobody knows yet whether it has arrived; of a new tree it then would be there without the person knowing of it.
 */
export const verwirfErfassung = (db: FeldDb, sub: Sub, kennung: Kennung): Promise<boolean> =>
  aendernd(
    schreibe(db, ['erfassungen', 'bilder', 'konflikte', 'baeume'], async (tx) => {
      const erfassung = await tx.objectStore('erfassungen').get([sub, kennung])
      if (erfassung === undefined) return true
      if (erfassung.unterwegs !== null) return false
      await tx.objectStore('erfassungen').delete([sub, kennung])
      await tx.objectStore('konflikte').delete([sub, kennung])
      const geloescht = erfassung.stand === 'geloescht'
      if (geloescht) await tx.objectStore('baeume').delete([sub, kennung])
      // Photos of a tree that stays are work of their own.
      if (geloescht || erfassung.version === null)
        for (const key of await tx.objectStore('bilder').index('baum').getAllKeys([sub, kennung]))
          await tx.objectStore('bilder').delete(key)
      return true
    }),
  )

/** What was refused once goes with the next sync again: a right may have come back. */
export const versucheErneut = (db: FeldDb, sub: Sub, kennung: Kennung): Promise<void> =>
  aendernd(
    schreibe(db, ['erfassungen', 'bilder'], async (tx) => {
      const erfassung = await tx.objectStore('erfassungen').get([sub, kennung])
      if (erfassung?.stand === 'abgelehnt') await tx.objectStore('erfassungen').put({ ...erfassung, stand: 'wartet' })
      const bild = await tx.objectStore('bilder').get([sub, kennung])
      if (bild?.stand === 'abgelehnt') await tx.objectStore('bilder').put({ ...bild, stand: 'wartet', fehler: null, regel: null })
    }),
  )

/* What the sync takes out ---------------------------------------------------------------------------------------------------------------------- */

/** The next captures for the network, longest waiting first; `auslassen` had their turn often enough. */
export const beginneErfassungen = (db: FeldDb, sub: Sub, most: number, auslassen: ReadonlySet<Kennung>): Promise<HabitatErfassung[]> =>
  schreibe(db, ['erfassungen'], async (tx) => {
    const store = tx.objectStore('erfassungen')
    const next = (await store.getAll(vonPerson(sub)))
      .filter(({ stand, kennung }) => stand === 'wartet' && !auslassen.has(kennung))
      .toSorted((a, b) => a.seit.localeCompare(b.seit))
      .slice(0, most)
      .map(beginne)
    await Promise.all(next.map((one) => store.put(one)))
    return next.map(({ unterwegs }) => unterwegs)
  })

export interface Verbucht {
  readonly fertig: number
  readonly konflikte: number
  readonly abgelehnt: number
}
/** Answers as they came, each for the capture at its place. */
export const verbucheAntworten = (db: FeldDb, sub: Sub, antworten: readonly HabitatSyncAntwort[], jetzt: Date): Promise<Verbucht> =>
  aendernd(
    schreibe(db, ['erfassungen', 'baeume', 'konflikte'], async (tx) => {
      const erfassungen = tx.objectStore('erfassungen')
      const baeume = tx.objectStore('baeume')
      let [fertig, konflikte, abgelehnt] = [0, 0, 0]
      for (const antwort of antworten) {
        const kennung = antwort.kennung!
        const before = await erfassungen.get([sub, kennung])
        // Another window has taken this answer already.
        if (before?.unterwegs == null) continue
        const { erfassung, baum, konflikt } = nachAntwort(before, antwort, jetzt.toISOString())
        await (erfassung === null ? erfassungen.delete([sub, kennung]) : erfassungen.put(erfassung))
        await (konflikt === null ? tx.objectStore('konflikte').delete([sub, kennung]) : tx.objectStore('konflikte').put(konflikt))
        if (baum === null) await baeume.delete([sub, kennung])
        else if (baum !== undefined) {
          const known = await baeume.get([sub, kennung])
          await baeume.put({ sub, kennung, idHQ: baum.idHQ, baum, bilder: known?.bilder ?? 0 })
        }
        if (erfassung === null) fertig++
        else if (erfassung.stand === 'konflikt' || erfassung.stand === 'geloescht') konflikte++
        else if (erfassung.stand === 'abgelehnt') abgelehnt++
      }
      return { fertig, konflikte, abgelehnt }
    }),
  )

/** Photos whose tree is on the server, longest waiting first. */
export const fetchSendbare = (db: FeldDb, sub: Sub): Promise<BildZeile[]> =>
  lies(async () => {
    const tx = db.transaction(['bilder', 'erfassungen'])
    const erfassungen = await tx.objectStore('erfassungen').getAll(vonPerson(sub))
    const ohneBaum = new Set(
      erfassungen.filter(({ version, stand }) => version === null || stand === 'geloescht').map((one) => one.kennung),
    )
    const zeilen: BildZeile[] = []
    for (const stand of ['gesendet', 'wartet'] as const)
      for await (const { value } of tx.objectStore('bilder').index('stand').iterate([sub, stand])) {
        const { original: _original, ...zeile } = value
        if (!ohneBaum.has(zeile.baum)) zeilen.push(zeile)
      }
    return zeilen.toSorted((a, b) => a.seit.localeCompare(b.seit))
  })
export const fetchBild = (db: FeldDb, sub: Sub, kennung: Kennung): Promise<FeldBild | undefined> =>
  lies(() => db.get('bilder', [sub, kennung]))

/** How far it came. Nothing, where the person has discarded it meanwhile. */
export const merkeBildstand = (
  db: FeldDb,
  sub: Sub,
  kennung: Kennung,
  change: Partial<Pick<FeldBild, 'stand' | 'upload' | 'gesendet' | 'versuche' | 'fehler' | 'regel'>>,
): Promise<void> =>
  schreibe(db, ['bilder'], async (tx) => {
    const bild = await tx.objectStore('bilder').get([sub, kennung])
    if (bild !== undefined) await tx.objectStore('bilder').put({ ...bild, ...change })
  })

/** The server has named the photo with the same SHA-256: only now its bytes leave the device. */
export const verbucheBild = (db: FeldDb, sub: Sub, { kennung, sha256 }: { kennung: Kennung; sha256: string }): Promise<boolean> =>
  aendernd(
    schreibe(db, ['bilder', 'baeume'], async (tx) => {
      const bild = await tx.objectStore('bilder').get([sub, kennung])
      if (bild === undefined || bild.sha256 !== sha256) return false
      await tx.objectStore('bilder').delete([sub, kennung])
      const baum = await tx.objectStore('baeume').get([sub, bild.baum])
      if (baum !== undefined) await tx.objectStore('baeume').put({ ...baum, bilder: baum.bilder + 1 })
      return true
    }),
  )
