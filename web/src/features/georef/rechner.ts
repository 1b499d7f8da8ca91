// Figures of the points as they are now. Short ones at once, long ones by a worker; until that answers, the last ones stay and are called old.
import { useEffect, useMemo, useRef, useState } from 'react'
import type { GeorefTyp } from '#domain/georef/abbildung.ts'
import { type Auswertung, type AuswertungPunkt, auswerten, dauertLange } from '#domain/georef/auswertung.ts'

export interface RechenFrage {
  readonly nr: number
  readonly typ: GeorefTyp
  readonly punkte: readonly AuswertungPunkt[]
  readonly breite: number
  readonly hoehe: number
}
export interface RechenAntwort {
  readonly nr: number
  readonly auswertung: Auswertung
}

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
  const worker = useRef<Worker | null>(null)
  useEffect(() => {
    if (!long) return undefined
    worker.current ??= new Worker(new URL('./rechnen.worker.ts', import.meta.url), { type: 'module' })
    const asked = worker.current
    const onMessage = ({ data }: MessageEvent<RechenAntwort>) => setLate({ of: punkte, auswertung: data.auswertung })
    asked.addEventListener('message', onMessage)
    asked.postMessage({ nr: 0, typ, punkte, breite, hoehe } satisfies RechenFrage)
    return () => {
      asked.removeEventListener('message', onMessage)
      // What it is still at would only hold up what is asked next.
      asked.terminate()
      worker.current = null
    }
  }, [long, typ, punkte, breite, hoehe])
  if (short !== null) return { auswertung: short, rechnet: false }
  return { auswertung: late?.auswertung ?? NOTHING, rechnet: late?.of !== punkte }
}
