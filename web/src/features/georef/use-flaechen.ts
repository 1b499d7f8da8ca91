// The two panes of the georeferencer and what lies on them: points, the half that waits for the other one, the scan over the ground.
import { type RefObject, useEffect, useState } from 'react'
import type { Auswertung } from '#domain/georef/auswertung.ts'
import type { Punkt, Stand } from '#domain/georef/sitzung.ts'
import type { FlaecheGriff } from '../../karte/Flaeche.tsx'
import { Auflage } from './ol-auflage.ts'
import { fangenAn } from './ol-fang.ts'
import { type Ort, type PunktBild, PunktEbene } from './ol-punkte.ts'

export interface Zeiger {
  readonly wo: 'scan' | 'karte'
  readonly ort: Ort
}
/** What is done on a pane. */
export interface Rufe {
  readonly setzeScan: (ort: Ort) => void
  readonly setzeKarte: (ort: Ort) => void
  readonly zieheScan: (punkt: number, ort: Ort, zug: string) => void
  readonly zieheKarte: (punkt: number, ort: Ort, zug: string) => void
  readonly gehe: (punkt: number) => void
  readonly loesche: (ids: readonly number[]) => void
}
export interface Flaechen {
  readonly scanFlaeche: FlaecheGriff | null
  readonly kartenFlaeche: FlaecheGriff | null
  readonly scanEbene: PunktEbene | null
  readonly kartenEbene: PunktEbene | null
  readonly auflage: Auflage | null
  readonly bereitScan: (flaeche: FlaecheGriff) => () => void
  readonly bereitKarte: (flaeche: FlaecheGriff) => () => void
}

/** A pane is told once whom to call, and always calls today's: `rufe`. */
export function useFlaechen(
  rufe: RefObject<Rufe | null>,
  onWahl: (punkt: number | null) => void,
  onZeiger: (zeiger: Zeiger | null) => void,
): Flaechen {
  const [scanFlaeche, setScanFlaeche] = useState<FlaecheGriff | null>(null)
  const [kartenFlaeche, setKartenFlaeche] = useState<FlaecheGriff | null>(null)
  const [scanEbene, setScanEbene] = useState<PunktEbene | null>(null)
  const [kartenEbene, setKartenEbene] = useState<PunktEbene | null>(null)
  const [auflage, setAuflage] = useState<Auflage | null>(null)
  const bereitScan = (flaeche: FlaecheGriff) => {
    const ebene = new PunktEbene(flaeche.map, {
      setzen: (ort) => rufe.current?.setzeScan(ort),
      waehlen: onWahl,
      ziehen: (...zug) => rufe.current?.zieheScan(...zug),
      zeigen: (ort) => onZeiger(ort === null ? null : { wo: 'scan', ort }),
      fangen: (ort) => ort,
    })
    setScanFlaeche(flaeche)
    setScanEbene(ebene)
    return () => ebene.schliessen()
  }
  const bereitKarte = (flaeche: FlaecheGriff) => {
    const ebene = new PunktEbene(flaeche.map, {
      setzen: (ort) => rufe.current?.setzeKarte(ort),
      waehlen: onWahl,
      ziehen: (...zug) => rufe.current?.zieheKarte(...zug),
      zeigen: (ort) => onZeiger(ort === null ? null : { wo: 'karte', ort }),
      fangen: (ort, pixel) => fangenAn(flaeche.map, ort, pixel),
    })
    const over = new Auflage(flaeche.map)
    setKartenFlaeche(flaeche)
    setKartenEbene(ebene)
    setAuflage(over)
    return () => {
      ebene.schliessen()
      over.schliessen()
    }
  }
  return { scanFlaeche, kartenFlaeche, scanEbene, kartenEbene, auflage, bereitScan, bereitKarte }
}

interface Gezeichnet {
  readonly stand: Stand
  readonly auswertung: Auswertung
  readonly gewaehlt: number | null
  readonly setzt: boolean
  /** Where the other half of an open point should lie. */
  readonly gesucht: { readonly scan: Ort | null; readonly karte: Ort | null }
  readonly zuKarte: ((ort: Ort) => Ort) | null
}

/** Draws points, the open half and its likely place on both panes. */
export function usePunkteAufFlaechen(
  { scanEbene, kartenEbene }: Flaechen,
  { stand, auswertung, gewaehlt, setzt, gesucht, zuKarte }: Gezeichnet,
): void {
  const { punkte, halb } = stand
  // A spline passes through every point: its arrows would say nothing.
  const pfeile = stand.typ !== 'tps'
  useEffect(() => {
    const art = (index: number, enable: boolean): PunktBild['art'] =>
      !enable ? 'aus' : index === auswertung.schlechtester ? 'schlecht' : 'benutzt'
    const bilder = (ortOf: (punkt: Punkt) => Ort | null, fehlerOf: (index: number) => Ort | null): PunktBild[] =>
      punkte.flatMap((punkt, index) => {
        const ort = ortOf(punkt)
        if (ort === null || !ort.every(Number.isFinite)) return []
        return [
          { id: punkt.id, nr: index + 1, ort, art: art(index, punkt.enable), gewaehlt: punkt.id === gewaehlt, fehler: fehlerOf(index) },
        ]
      })
    scanEbene?.zeige(
      bilder(
        ({ spalte, zeile }) => [spalte, -zeile],
        (index) => {
          const rest = auswertung.rest[index]
          return rest && pfeile ? [rest.dx, -rest.dy] : null
        },
      ),
    )
    kartenEbene?.zeige(
      bilder(
        ({ ost, nord }) => (zuKarte === null ? null : zuKarte([ost, nord])),
        () => null,
      ),
    )
  }, [scanEbene, kartenEbene, punkte, auswertung, gewaehlt, zuKarte, pfeile])
  useEffect(() => {
    scanEbene?.zeigeHalb(halb?.scan ? [halb.scan.spalte, -halb.scan.zeile] : null, gesucht.scan)
    kartenEbene?.zeigeHalb(halb?.karte && zuKarte ? zuKarte([halb.karte.ost, halb.karte.nord]) : null, gesucht.karte)
  }, [scanEbene, kartenEbene, halb, gesucht, zuKarte])
  useEffect(() => {
    scanEbene?.schalteSetzen(setzt)
    kartenEbene?.schalteSetzen(setzt)
  }, [scanEbene, kartenEbene, setzt])
}
