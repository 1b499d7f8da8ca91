// One tree that waits to be sent: how it comes about, what goes to the server, and what becomes of it with each answer. Pure: no storage, no network, no clock.
import type { Habitatbaum, HabitatErfassung, HabitatSyncAntwort, KontrolleErfassung } from '#contract/habitat.ts'
import { type Baum, baumOf, type BaumFeld, type BaumWerte, rowOf } from '../../record/habitat/baum.ts'
import { BAUM_FELDER } from '../../record/habitat/habitat-form.ts'
import type { ErfassungStand, FeldBaum, FeldErfassung, FeldKonflikt, Kennung, Sub } from './feld-db.ts'

/** What belongs together: whoever changes one of them has looked at all. */
const GRUPPEN: readonly (readonly BaumFeld[])[] = [
  ['lon', 'lat', 'genauigkeit_m', 'lage_methode'],
  ['art', 'art_text'],
  ['markierung_art', 'markierung_datum'],
  ['verlust_datum', 'verlust_grund'],
]
const gruppeVon = (feld: BaumFeld): readonly BaumFeld[] => GRUPPEN.find((gruppe) => gruppe.includes(feld)) ?? [feld]
const felderVon = (werte: Partial<BaumWerte>): BaumFeld[] => BAUM_FELDER.filter((feld) => Object.hasOwn(werte, feld))

export const werteVon = (baum: Habitatbaum): BaumWerte => {
  const made = baumOf(baum)
  return Object.fromEntries(BAUM_FELDER.map((feld) => [feld, made[feld] ?? null])) as unknown as BaumWerte
}
/** What is on its way, as forms have it. */
function werteUnterwegs({ unterwegs }: FeldErfassung): Partial<BaumWerte> {
  if (unterwegs === null) return {}
  const made = baumOf({ strukturen: [], ...unterwegs } as unknown as Habitatbaum)
  return Object.fromEntries(
    BAUM_FELDER.filter((feld) => Object.hasOwn(unterwegs, feld)).map((feld) => [feld, made[feld] ?? null]),
  ) as Partial<BaumWerte>
}
/** All that this device says of it and the server has not confirmed. */
export const eigeneWerte = (erfassung: FeldErfassung): Partial<BaumWerte> => ({ ...werteUnterwegs(erfassung), ...erfassung.werte })
export const eigeneKontrollen = ({ unterwegs, kontrollen }: FeldErfassung): KontrolleErfassung[] => [
  ...(unterwegs?.kontrollen ?? []),
  ...kontrollen,
]

/** A tree as the person on this device sees it: the server's state with what waits laid over it. */
export interface Sicht {
  readonly kennung: Kennung
  readonly idHQ: number
  /** The server's number; null: it does not know the tree yet. */
  readonly id: number | null
  readonly werte: BaumWerte
  /** Null: nothing of it waits. */
  readonly stand: ErfassungStand | null
}
export function sichtOf(baum: FeldBaum | undefined, erfassung: FeldErfassung | undefined): Sicht | null {
  const server = baum?.baum ?? erfassung?.basis ?? null
  const found = baum ?? erfassung
  if (found === undefined || (server === null && erfassung === undefined)) return null
  return {
    kennung: found.kennung,
    idHQ: found.idHQ,
    id: server?.id ?? null,
    werte: { ...(server === null ? LEER : werteVon(server)), ...(erfassung === undefined ? {} : eigeneWerte(erfassung)) },
    stand: erfassung?.stand ?? null,
  }
}
const LEER: BaumWerte = {
  ...(Object.fromEntries(BAUM_FELDER.map((feld) => [feld, null])) as unknown as BaumWerte),
  zustand: 'lebend',
  status: 'baum',
  strukturen: '',
  lage_methode: 'karte',
  kawm: true,
}

interface Wer {
  readonly sub: Sub
  readonly kennung: Kennung
  readonly idHQ: number
  /** ISO */
  readonly jetzt: string
}
const neueErfassung = ({ sub, kennung, idHQ, jetzt }: Wer): FeldErfassung => ({
  sub,
  kennung,
  idHQ,
  version: null,
  basis: null,
  werte: {},
  kontrollen: [],
  stand: 'wartet',
  unterwegs: null,
  versuche: 0,
  antwort: null,
  seit: jetzt,
  geaendert_am: jetzt,
})

/** A photo of which nothing has been sent yet. */
export const ungesendet = (jetzt: string) => ({ upload: null, gesendet: 0, versuche: 0, fehler: null, regel: null, seit: jetzt })

export const erfasseNeu = (wer: Wer, werte: BaumWerte): FeldErfassung => ({ ...neueErfassung(wer), werte })

/** The tree as it stood before the person when the form was opened. */
export interface Gesehen {
  /** Of the server's tree; null: it did not know the tree yet. */
  readonly version: number | null
  readonly werte: BaumWerte
}
export interface Aenderung {
  readonly werte?: Partial<BaumWerte>
  readonly kontrollen?: readonly KontrolleErfassung[]
  /** Left out: what is changed needs no look at the rest, such as a check-up. */
  readonly gesehen?: Gesehen
}
/** What was changed of a tree that the server has, or of one that waits already. Null: nothing of it waits any more, it was all set back. */
export function aendere(
  vorhanden: FeldErfassung | undefined,
  baum: FeldBaum | undefined,
  wer: Wer,
  { werte = {}, kontrollen = [], gesehen }: Aenderung,
): FeldErfassung | null {
  const before = vorhanden ?? { ...neueErfassung(wer), ...grundlage(baum, gesehen) }
  const made = { ...before.werte, ...werte }
  if (before.basis !== null) {
    const basis = werteVon(before.basis)
    const sent = werteUnterwegs(before)
    for (const feld of felderVon(made)) if (!Object.hasOwn(sent, feld) && made[feld] === basis[feld]) delete made[feld]
  }
  const after: FeldErfassung = {
    ...before,
    werte: made,
    kontrollen: [...before.kontrollen, ...kontrollen],
    // What was refused is tried again once somebody has worked on it; the other two are answered by a choice of their own.
    stand: before.stand === 'abgelehnt' ? 'wartet' : before.stand,
    geaendert_am: wer.jetzt,
  }
  return istLeer(after) ? null : after
}
/** What a change is measured against. A sync may have brought a newer tree while the form was open: the person has not seen that one. */
function grundlage(baum: FeldBaum | undefined, gesehen: Gesehen | undefined): Pick<FeldErfassung, 'version' | 'basis'> {
  if (baum === undefined) return { version: null, basis: null }
  if (gesehen === undefined) return { version: baum.baum.version, basis: baum.baum }
  // Seen as new, and sent since: its first version holds what was seen, unless somebody was there already. 0 is no version: the server then tells who changed what.
  const version = gesehen.version ?? (baum.baum.version === 1 ? 1 : 0)
  return { version, basis: { ...baum.baum, ...rowOf(gesehen.werte) } }
}
const istLeer = ({ version, unterwegs, werte, kontrollen }: FeldErfassung): boolean =>
  version !== null && unterwegs === null && kontrollen.length === 0 && felderVon(werte).length === 0

/** Makes ready for the network: what is handed over is kept as it is until there is an answer. */
export function beginne(erfassung: FeldErfassung): FeldErfassung & { unterwegs: HabitatErfassung } {
  const { kennung, version, idHQ, werte, kontrollen, versuche } = erfassung
  const unterwegs = erfassung.unterwegs ?? {
    kennung,
    version,
    ...(version === null && { idHQ }),
    ...rowOf(werte),
    ...(kontrollen.length > 0 && { kontrollen }),
  }
  const fresh = erfassung.unterwegs === null
  return {
    ...erfassung,
    unterwegs,
    werte: fresh ? {} : werte,
    kontrollen: fresh ? [] : kontrollen,
    versuche: versuche + 1,
  }
}

export interface Folge {
  /** Null: nothing of it waits any more. */
  readonly erfassung: FeldErfassung | null
  /** The tree as the server has it; null: it has none. Undefined: it did not say. */
  readonly baum: Habitatbaum | null | undefined
  readonly konflikt: FeldKonflikt | null
}

/** What follows from an answer to what was on its way; `erfassung` is as it is now, possibly changed since. */
export function nachAntwort(erfassung: FeldErfassung, { ergebnis, baum, regel, feld }: HabitatSyncAntwort, jetzt: string): Folge {
  const answered: FeldErfassung = { ...erfassung, antwort: { am: jetzt, ergebnis, regel, feld } }
  const zurueck: FeldErfassung = {
    ...answered,
    unterwegs: null,
    werte: eigeneWerte(erfassung),
    kontrollen: eigeneKontrollen(erfassung),
  }
  if (ergebnis === 'abgelehnt') return { erfassung: { ...zurueck, stand: 'abgelehnt' }, baum: undefined, konflikt: null }
  if (ergebnis === 'geloescht' || baum === null) return { erfassung: { ...zurueck, stand: 'geloescht' }, baum: null, konflikt: null }
  // Check-ups that were sent are with the tree whatever became of the rest.
  if (ergebnis === 'konflikt')
    return gegen({ ...zurueck, kontrollen: erfassung.kontrollen }, erfassung.basis === null ? null : werteVon(erfassung.basis), baum, jetzt)
  // Taken. What was changed since was changed by somebody who saw the tree with what is now taken.
  const gesehen = erfassung.basis === null ? null : werteVon(erfassung.basis)
  const seen = { ...(gesehen ?? werteVon(baum)), ...werteUnterwegs(erfassung) }
  return gegen({ ...answered, unterwegs: null }, seen, baum, jetzt)
}

/** Own changes against the server's present tree. Where both changed the same somebody has to decide; else the own changes go on top of the other's. */
function gegen(erfassung: FeldErfassung, gesehen: BaumWerte | null, server: Habitatbaum, jetzt: string): Folge {
  const theirs = werteVon(server)
  const werte: Partial<BaumWerte> = { ...erfassung.werte }
  for (const feld of felderVon(werte)) if (werte[feld] === theirs[feld]) delete werte[feld]
  const strittig = felderVon(werte).some((feld) =>
    gruppeVon(feld).some((nachbar) => gesehen === null || gesehen[nachbar] !== theirs[nachbar]),
  )
  if (strittig)
    return {
      erfassung: { ...erfassung, werte, stand: 'konflikt' },
      baum: server,
      konflikt: { sub: erfassung.sub, kennung: erfassung.kennung, server, am: jetzt },
    }
  const after: FeldErfassung = { ...erfassung, werte, version: server.version, basis: server, stand: 'wartet' }
  return { erfassung: istLeer(after) ? null : after, baum: server, konflikt: null }
}

/** The person has chosen: `gewaehlt` is what of the own is to hold against the server's tree. Null: all of it is the server's. */
export function entscheide(
  erfassung: FeldErfassung,
  server: Habitatbaum,
  gewaehlt: Partial<BaumWerte>,
  jetzt: string,
): FeldErfassung | null {
  const theirs = werteVon(server)
  const werte: Partial<BaumWerte> = { ...gewaehlt }
  for (const feld of felderVon(werte)) if (werte[feld] === theirs[feld]) delete werte[feld]
  const after: FeldErfassung = {
    ...erfassung,
    werte,
    version: server.version,
    basis: server,
    stand: 'wartet',
    antwort: null,
    geaendert_am: jetzt,
  }
  return istLeer(after) ? null : after
}

/** A tree that somebody deleted, once more as a new one: the number of the old one is spent. */
export const legeNeuAn = (erfassung: FeldErfassung, kennung: Kennung, kontrollen: readonly Kennung[], jetzt: string): FeldErfassung => ({
  ...neueErfassung({ sub: erfassung.sub, kennung, idHQ: erfassung.idHQ, jetzt }),
  werte: { ...(erfassung.basis === null ? LEER : werteVon(erfassung.basis)), ...eigeneWerte(erfassung) },
  kontrollen: eigeneKontrollen(erfassung).map((kontrolle, at) => ({ ...kontrolle, kennung: kontrollen[at] ?? kontrolle.kennung })),
  seit: erfassung.seit,
})

/** Both sides of a conflict as the dialog of records wants them. */
export function seiten(erfassung: FeldErfassung, server: Habitatbaum): { base: BaumWerte; mine: BaumWerte; theirs: Baum } {
  const theirs = baumOf(server)
  const base = erfassung.basis === null ? werteVon(server) : werteVon(erfassung.basis)
  return { base, mine: { ...base, ...eigeneWerte(erfassung) }, theirs }
}
