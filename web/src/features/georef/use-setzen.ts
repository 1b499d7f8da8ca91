// Setting, pulling and nudging points: what a press on a pane means, and where the other half of a point should lie.
import { type RefObject, useCallback, useMemo } from 'react'
import { vorhersageOf } from '#domain/georef/auswertung.ts'
import { benutzte, type KartenOrt, type Punkt } from '#domain/georef/sitzung.ts'
import type { Umrechner } from '#domain/projektion.ts'
import { t } from '../../ui/text.ts'
import { istGrad } from './georef-words.ts'
import type { Ort } from './ol-punkte.ts'
import type { Flaechen, Rufe, Zeiger } from './use-flaechen.ts'
import type { SitzungGriff } from './use-sitzung.ts'

/** Points are set to a thousandth of a pixel and a tenth of a millimetre; no hand is finer, and the figures can be read. */
const rounded = (value: number, places: number): number => Number(value.toFixed(places))
const rundePixel = (value: number): number => rounded(value, 3)
/** Closer than this a place that is jumped to is looked at: pixels of the scan, metres of the ground. */
const CLOSE_SCAN = 1
const CLOSE_MAP = 1

/** Between the plan's system and that of the map on screen; both null where the plan's cannot be reckoned. */
export function useUmrechnung(umrechner: Umrechner, epsg: number) {
  const geht = umrechner.systeme.has(epsg)
  const zuKarte = useMemo(() => (geht ? umrechner.umrechnung(epsg, 3857) : null), [geht, umrechner, epsg])
  const vonKarte = useMemo(() => (geht ? umrechner.umrechnung(3857, epsg) : null), [geht, umrechner, epsg])
  const kartenOrt = useCallback(
    ([x, y]: Ort): KartenOrt | null => {
      if (vonKarte === null) return null
      const [ost, nord] = vonKarte([x, y])
      const places = istGrad(epsg) ? 9 : 4
      return { ost: rounded(ost, places), nord: rounded(nord, places) }
    },
    [vonKarte, epsg],
  )
  return { geht, zuKarte, kartenOrt }
}

/** Where the other half of a point is foretold to lie, once there are enough of them. */
export function useVorhersage(stand: SitzungGriff['jetzt'], zuKarte: ((ort: Ort) => Ort) | null) {
  const vorhersage = useMemo(() => vorhersageOf(stand.typ, benutzte(stand)), [stand])
  const gesucht = useMemo(() => {
    if (stand.halb === null || vorhersage === null) return { scan: null, karte: null }
    if (stand.halb.scan !== null) {
      const ort = vorhersage.zurKarte(stand.halb.scan.spalte, stand.halb.scan.zeile)
      return { scan: null, karte: zuKarte === null ? null : zuKarte(ort) }
    }
    const [spalte, zeile] = vorhersage.zumScan(stand.halb.karte.ost, stand.halb.karte.nord)
    return { scan: [spalte, -zeile] as const, karte: null }
  }, [stand.halb, vorhersage, zuKarte])
  return { vorhersage, gesucht }
}

export interface Setzen extends Rufe {
  /** The chosen point. */
  readonly punkt: Punkt | null
  /** A point is whole: it is chosen, and told. */
  readonly gesetzt: () => void
  /** Where the lens stands, and what it is told as. */
  readonly lupe: { readonly mitte: Ort | null; readonly was: string | null }
  readonly schub: (rechts: number, runter: number) => void
}

interface Mittel {
  readonly sitzung: Pick<SitzungGriff, 'jetzt' | 'tu'>
  readonly flaechen: Flaechen
  /** What holds the panes, to be scrolled to. */
  readonly rahmen: RefObject<HTMLElement | null>
  readonly umrechnung: ReturnType<typeof useUmrechnung>
  readonly vorhersage: ReturnType<typeof useVorhersage>['vorhersage']
  readonly gewaehlt: number | null
  readonly zeiger: Zeiger | null
  readonly onWahl: (punkt: number | null) => void
  /** For those who do not see it. */
  readonly sage: (text: string) => void
}

export function useSetzen({
  sitzung: { jetzt: stand, tu },
  flaechen: { scanEbene, kartenEbene },
  rahmen,
  umrechnung: { zuKarte, kartenOrt },
  vorhersage,
  gewaehlt,
  zeiger,
  onWahl,
  sage,
}: Mittel): Setzen {
  const gesetzt = () => {
    onWahl(stand.naechste)
    sage(t('Punkt {nr} gesetzt.', { nr: stand.punkte.length + 1 }))
  }
  const setzeScan = ([x, y]: Ort): void => {
    const ort = { spalte: rundePixel(x), zeile: rundePixel(-y) }
    const whole = stand.halb?.karte != null
    tu({ art: 'scan', ort })
    if (whole) return gesetzt()
    onWahl(null)
    sage(t('Ort im Scan gesetzt. Jetzt denselben Ort auf der Karte.'))
    if (vorhersage?.sicher && zuKarte !== null) kartenEbene?.gehe(zuKarte(vorhersage.zurKarte(ort.spalte, ort.zeile)))
    return undefined
  }
  const setzeKarte = (ort: Ort): void => {
    const place = kartenOrt(ort)
    if (place === null) return undefined
    const whole = stand.halb?.scan != null
    tu({ art: 'karte', ort: place })
    if (whole) return gesetzt()
    onWahl(null)
    sage(t('Ort auf der Karte gesetzt. Jetzt denselben Ort im Scan.'))
    if (vorhersage?.sicher) {
      const [spalte, zeile] = vorhersage.zumScan(place.ost, place.nord)
      scanEbene?.gehe([spalte, -zeile])
    }
    return undefined
  }
  const zieheScan = (punkt: number, [x, y]: Ort, zug: string) =>
    tu({ art: 'verschieben', id: punkt, ort: { spalte: rundePixel(x), zeile: rundePixel(-y) } }, zug)
  const zieheKarte = (punkt: number, ort: Ort, zug: string) => {
    const place = kartenOrt(ort)
    if (place !== null) tu({ art: 'verschieben', id: punkt, ort: place }, zug)
  }
  const gehe = (punkt: number) => {
    const one = stand.punkte.find((other) => other.id === punkt)
    if (one === undefined) return
    onWahl(punkt)
    // From far down in the table: what was jumped to is to be seen.
    rahmen.current?.scrollIntoView({ block: 'nearest' })
    scanEbene?.gehe([one.spalte, -one.zeile], CLOSE_SCAN)
    if (zuKarte !== null) kartenEbene?.gehe(zuKarte([one.ost, one.nord]), CLOSE_MAP)
  }
  const loesche = (ids: readonly number[]) => {
    tu({ art: 'loeschen', ids })
    onWahl(null)
    sage(t('Punkt gelöscht. Strg+Z holt ihn zurück.'))
  }

  const punkt = stand.punkte.find((one) => one.id === gewaehlt) ?? null
  // The lens stands at the chosen point, at an open half, or where the pointer is.
  const lupe =
    punkt !== null
      ? { mitte: [punkt.spalte, -punkt.zeile] as const, was: t('Punkt {nr}', { nr: stand.punkte.indexOf(punkt) + 1 }) }
      : stand.halb?.scan
        ? { mitte: [stand.halb.scan.spalte, -stand.halb.scan.zeile] as const, was: t('neuer Punkt') }
        : { mitte: zeiger?.wo === 'scan' ? zeiger.ort : null, was: null }
  const schub = (rechts: number, runter: number) => {
    const moved = ({ spalte, zeile }: { spalte: number; zeile: number }) => ({
      spalte: rundePixel(spalte + rechts),
      zeile: rundePixel(zeile + runter),
    })
    if (punkt !== null) tu({ art: 'verschieben', id: punkt.id, ort: moved(punkt) }, `schub ${punkt.id}`)
    else if (stand.halb?.scan) tu({ art: 'scan', ort: moved(stand.halb.scan) }, 'schub halb')
  }
  return { setzeScan, setzeKarte, zieheScan, zieheKarte, gehe, loesche, punkt, gesetzt, lupe, schub }
}
