// Figures of the points as they are now. Short ones at once, long ones by a worker; until that answers, the last ones stay and are called old.
import { useEffect, useMemo, useState } from 'react'
import type { GeorefTyp } from '#domain/georef/abbildung.ts'
import { type Auswertung, type AuswertungPunkt, auswerten, dauertLange } from '#domain/georef/auswertung.ts'

/** What a worker is asked; it answers an Auswertung. */
export interface RechenFrage {
  readonly typ: GeorefTyp
  readonly punkte: readonly AuswertungPunkt[]
  readonly breite: number
  readonly hoehe: number
}
const PAUSE_MS = 120

const NOTHING: Auswertung = {
  rest: [],
  ausgelassen: [],
  guete: null,
  schlechtester: -1,
  maengel: [],
  netz: null,
  affin: null,
  aufloesung: null,
}

export function useAuswertung(
  typ: GeorefTyp,
  punkte: readonly AuswertungPunkt[],
  breite: number,
  hoehe: number,
): { readonly auswertung: Auswertung; readonly rechnet: boolean } {
  const long = dauertLange(typ, punkte.filter(({ enable }) => enable).length)
  const short = useMemo(() => (long ? null : auswerten(typ, punkte, breite, hoehe)), [long, typ, punkte, breite, hoehe])
  const [late, setLate] = useState<{ readonly of: readonly AuswertungPunkt[]; readonly auswertung: Auswertung } | null>(null)
  useEffect(() => {
    if (!long) return undefined
    let worker: Worker | null = null
    // Not for every move of a pull.
    const timer = setTimeout(() => {
      worker = new Worker(new URL('./rechnen.worker.ts', import.meta.url), { type: 'module' })
      worker.onmessage = ({ data }: MessageEvent<Auswertung>) => setLate({ of: punkte, auswertung: data })
      worker.postMessage({ typ, punkte, breite, hoehe } satisfies RechenFrage)
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      // What it is still at would only hold up what is asked next.
      worker?.terminate()
    }
  }, [long, typ, punkte, breite, hoehe])
  if (short !== null) return { auswertung: short, rechnet: false }
  return { auswertung: late?.auswertung ?? NOTHING, rechnet: late?.of !== punkte }
}
