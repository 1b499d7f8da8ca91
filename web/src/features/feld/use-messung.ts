// Measures where the tree stands: begins of itself or by a press, takes the receiver's fixes for some seconds and tells the mean each time it gets better.
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Ortung, ortungAn, useOrtung } from './gnss.ts'
import { type Fix, istBrauchbar, MESSDAUER_MS, type Mittel, mittelOf } from './position.ts'

export interface Messung {
  readonly misst: boolean
  readonly mittel: Mittel | null
  readonly ortung: Ortung
  readonly starte: () => void
  readonly beende: () => void
}

export function useMessung(vonSelbst: boolean, onMittel: (mittel: Mittel) => void): Messung {
  const ortung = useOrtung()
  const { ort } = ortung
  const [misst, setMisst] = useState(vonSelbst)
  const [mittel, setMittel] = useState<Mittel | null>(null)
  const fixes = useRef<Fix[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const beende = () => {
    clearTimeout(timer.current)
    timer.current = undefined
    setMisst(false)
  }
  const nimm = useEffectEvent((fix: Fix) => {
    if (!misst || !istBrauchbar(fix, Date.now())) return
    fixes.current.push(fix)
    const mean = mittelOf(fixes.current)!
    setMittel(mean)
    onMittel(mean)
    timer.current ??= setTimeout(beende, MESSDAUER_MS)
  })
  useEffect(() => {
    if (ort !== null) nimm({ lon: ort.lon, lat: ort.lat, genauigkeit: ort.genauigkeit, zeit: ort.am })
  }, [ort, misst])
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    misst,
    mittel,
    ortung,
    starte: () => {
      clearTimeout(timer.current)
      timer.current = undefined
      fixes.current = []
      setMittel(null)
      setMisst(true)
      ortungAn()
    },
    beende,
  }
}
