// Work on the control points of a plan: what can be done to them, and everything taken back and done again. Pure; screens, drafts and tests use the same.
import type { GeorefTyp, Passpunkt } from './abbildung.ts'

export interface Punkt extends Passpunkt {
  /** Of this session; the number people see is the place in the list. */
  readonly id: number
  readonly enable: boolean
}
export type ScanOrt = Pick<Passpunkt, 'spalte' | 'zeile'>
export type KartenOrt = Pick<Passpunkt, 'ost' | 'nord'>
/** One side of a point, the other one is still to be set. */
export type Halb = { readonly scan: ScanOrt; readonly karte: null } | { readonly scan: null; readonly karte: KartenOrt }

export interface Werte {
  readonly typ: GeorefTyp
  readonly epsg: number
  /** Units of the map per pixel of the result; null: as fine as the scan. */
  readonly res: number | null
  readonly label: string | null
}
export interface Stand extends Werte {
  readonly punkte: readonly Punkt[]
  readonly halb: Halb | null
  /** The next point's. */
  readonly naechste: number
}

export type NeuerPunkt = Passpunkt & { readonly enable?: boolean }
export type Tat =
  | { readonly art: 'scan'; readonly ort: ScanOrt }
  | { readonly art: 'karte'; readonly ort: KartenOrt }
  | { readonly art: 'halb_weg' }
  | { readonly art: 'neu'; readonly punkt: NeuerPunkt }
  | { readonly art: 'verschieben'; readonly id: number; readonly ort: Partial<Passpunkt> }
  | { readonly art: 'loeschen'; readonly ids: readonly number[] }
  | { readonly art: 'benutzen'; readonly ids: readonly number[]; readonly enable: boolean }
  | { readonly art: 'werte'; readonly werte: Partial<Werte> }
  /** Another system: the same places in its coordinates, as many as there are points; and the open half. */
  | { readonly art: 'system'; readonly epsg: number; readonly orte: readonly KartenOrt[]; readonly halb: KartenOrt | null }
  /** Points of a file or of an earlier state in place of those that are there, or behind them. */
  | { readonly art: 'laden'; readonly punkte: readonly NeuerPunkt[]; readonly werte?: Partial<Werte>; readonly anhaengen?: boolean }

export const MEISTE = 10_000

export const standOf = (werte: Werte, punkte: readonly NeuerPunkt[]): Stand => ({
  ...werte,
  punkte: punkte.map((punkt, index) => punktOf(punkt, index + 1)),
  halb: null,
  naechste: punkte.length + 1,
})
const punktOf = ({ ost, nord, spalte, zeile, enable = true }: NeuerPunkt, id: number): Punkt => ({ id, ost, nord, spalte, zeile, enable })

/** The state afterwards; the very same where nothing changes. */
export function tun(stand: Stand, tat: Tat): Stand {
  switch (tat.art) {
    case 'scan':
      return stand.halb?.karte
        ? append({ ...stand, halb: null }, [{ ...stand.halb.karte, ...tat.ort }])
        : { ...stand, halb: { scan: tat.ort, karte: null } }
    case 'karte':
      return stand.halb?.scan
        ? append({ ...stand, halb: null }, [{ ...stand.halb.scan, ...tat.ort }])
        : { ...stand, halb: { scan: null, karte: tat.ort } }
    case 'halb_weg':
      return stand.halb === null ? stand : { ...stand, halb: null }
    case 'neu':
      return append({ ...stand, halb: null }, [tat.punkt])
    case 'verschieben':
      return changed(stand, [tat.id], (punkt) => (isSame(punkt, tat.ort) ? punkt : { ...punkt, ...tat.ort }))
    case 'benutzen':
      return changed(stand, tat.ids, (punkt) => (punkt.enable === tat.enable ? punkt : { ...punkt, enable: tat.enable }))
    case 'loeschen': {
      const punkte = stand.punkte.filter(({ id }) => !tat.ids.includes(id))
      return punkte.length === stand.punkte.length ? stand : { ...stand, punkte }
    }
    case 'werte':
      return isSame(stand, tat.werte) ? stand : { ...stand, ...tat.werte }
    case 'system':
      if (tat.orte.length !== stand.punkte.length) return stand
      return {
        ...stand,
        epsg: tat.epsg,
        punkte: stand.punkte.map((punkt, index) => ({ ...punkt, ...tat.orte[index]! })),
        halb: stand.halb?.karte ? tat.halb && { scan: null, karte: tat.halb } : stand.halb,
      }
    case 'laden': {
      const before = tat.anhaengen ? stand : { ...stand, punkte: [], halb: null }
      return append({ ...before, ...tat.werte }, tat.punkte)
    }
  }
}
const isSame = <T extends object>(whole: T, part: Partial<T>): boolean =>
  (Object.keys(part) as (keyof T)[]).every((key) => Object.is(whole[key], part[key]))

const append = (stand: Stand, neue: readonly NeuerPunkt[]): Stand => ({
  ...stand,
  punkte: [...stand.punkte, ...neue.map((punkt, index) => punktOf(punkt, stand.naechste + index))],
  naechste: stand.naechste + neue.length,
})
function changed(stand: Stand, ids: readonly number[], change: (punkt: Punkt) => Punkt): Stand {
  const punkte = stand.punkte.map((punkt) => (ids.includes(punkt.id) ? change(punkt) : punkt))
  return punkte.every((punkt, index) => punkt === stand.punkte[index]) ? stand : { ...stand, punkte }
}

/** Points whole and in use, as a fit takes them. */
export const benutzte = ({ punkte }: Pick<Stand, 'punkte'>): readonly Punkt[] => punkte.filter(({ enable }) => enable)

/** States share what did not change between them, so keeping whole ones costs little and nothing can be undone by half. */
export interface Sitzung {
  readonly jetzt: Stand
  readonly vergangen: readonly Schritt[]
  readonly zukunft: readonly Schritt[]
}
export interface Schritt {
  readonly tat: Tat
  /** Before the deed in the past, after it in the future. */
  readonly stand: Stand
  /** Deeds of one pull or one run of the arrow keys are one step. */
  readonly zug: string | null
}
/** Steps that can be taken back. */
export const SCHRITTE = 500

export const sitzungOf = (stand: Stand): Sitzung => ({ jetzt: stand, vergangen: [], zukunft: [] })

export function weiter(sitzung: Sitzung, tat: Tat, zug: string | null = null): Sitzung {
  const jetzt = tun(sitzung.jetzt, tat)
  if (jetzt === sitzung.jetzt) return sitzung
  const last = sitzung.vergangen.at(-1)
  if (zug !== null && last?.zug === zug && sitzung.zukunft.length === 0) return { ...sitzung, jetzt }
  return { jetzt, vergangen: [...sitzung.vergangen, { tat, stand: sitzung.jetzt, zug }].slice(-SCHRITTE), zukunft: [] }
}
export function zurueck(sitzung: Sitzung): Sitzung {
  const last = sitzung.vergangen.at(-1)
  if (last === undefined) return sitzung
  return { jetzt: last.stand, vergangen: sitzung.vergangen.slice(0, -1), zukunft: [...sitzung.zukunft, { ...last, stand: sitzung.jetzt }] }
}
export function wieder(sitzung: Sitzung): Sitzung {
  const next = sitzung.zukunft.at(-1)
  if (next === undefined) return sitzung
  return { jetzt: next.stand, zukunft: sitzung.zukunft.slice(0, -1), vergangen: [...sitzung.vergangen, { ...next, stand: sitzung.jetzt }] }
}

/** What is saved of a state: what is compared to know whether there is something to save. */
export const gespeichertes = ({ punkte, typ, epsg, res, label }: Stand): string =>
  JSON.stringify([punkte.map(({ ost, nord, spalte, zeile, enable }) => [ost, nord, spalte, zeile, enable]), typ, epsg, res, label])

/** How two sets of points differ, for whoever must choose between them: points are the same where all four figures are. */
export function unterschied(
  eine: readonly NeuerPunkt[],
  andere: readonly NeuerPunkt[],
): { readonly nurEine: number; readonly nurAndere: number; readonly beide: number } {
  const key = ({ ost, nord, spalte, zeile, enable = true }: NeuerPunkt) => [ost, nord, spalte, zeile, enable].join()
  const left = eine.map(key)
  const counts = new Map<string, number>()
  for (const one of left) counts.set(one, (counts.get(one) ?? 0) + 1)
  let beide = 0
  for (const one of andere.map(key)) {
    const rest = counts.get(one) ?? 0
    if (rest === 0) continue
    counts.set(one, rest - 1)
    beide++
  }
  return { nurEine: eine.length - beide, nurAndere: andere.length - beide, beide }
}
