// What lies over the ground beside the points: the scan as it is being placed, the finished plan, what is surveyed already.
import { useEffect, useState } from 'react'
import type { KarteDatei } from '#contract/karte-dateien.ts'
import type { Karte } from '#contract/karte.ts'
import type { Netz } from '#domain/georef/netz.ts'
import type { FlaecheGriff } from '../../karte/Flaeche.tsx'
import type { ScanQuelle } from '../../karte/ScanFlaeche.tsx'
import type { Auflage } from './ol-auflage.ts'
import { bestandLayer } from './ol-bestand.ts'
import { ergebnisLayer } from './ol-ergebnis.ts'
import type { Ort } from './ol-punkte.ts'
import { loadScanBild } from './scan-bild.ts'

export interface AuflageWahl {
  readonly an: boolean
  /** Per cent. */
  readonly deckung: number
  /** Per cent of the pane, from its left edge. */
  readonly wischen: number
}

/** The scan over the ground, where the points put it. */
export function useAuflage(
  auflage: Auflage | null,
  quelle: ScanQuelle | null,
  netz: Netz | null,
  zuKarte: ((ort: Ort) => Ort) | null,
  wahl: AuflageWahl,
): void {
  const [bildDa, setBildDa] = useState(0)
  useEffect(() => {
    if (auflage === null || quelle === null || !wahl.an) return undefined
    const ended = new AbortController()
    loadScanBild(quelle, ended.signal, (bild) => {
      auflage.setBild(bild)
      setBildDa((count) => count + 1)
    }).catch(() => {
      // The scan's own pane says what did not come.
    })
    return () => ended.abort()
  }, [auflage, quelle, wahl.an])
  useEffect(() => {
    auflage?.setNetz(netz, zuKarte)
  }, [auflage, netz, zuKarte, bildDa])
  useEffect(() => {
    auflage?.zeige(wahl.an, wahl.deckung / 100, wahl.wischen / 100)
  }, [auflage, wahl])
}

/** The finished plan and the survey, each as long as it is wanted. */
export function useEbenen(
  flaeche: FlaecheGriff | null,
  { id, client_id }: Pick<Karte, 'id' | 'client_id'>,
  ergebnis: KarteDatei | null,
  bestand: boolean,
): void {
  useEffect(() => {
    if (flaeche === null || ergebnis === null) return undefined
    const layer = ergebnisLayer(id, ergebnis.id)
    flaeche.map.addLayer(layer)
    return () => {
      flaeche.map.removeLayer(layer)
    }
  }, [flaeche, ergebnis, id])
  useEffect(() => {
    if (flaeche === null || !bestand) return undefined
    const layer = bestandLayer(client_id)
    flaeche.map.addLayer(layer)
    return () => {
      flaeche.map.removeLayer(layer)
    }
  }, [flaeche, bestand, client_id])
}
