// Measures the place of a tree: starts automatically or on request, collects fixes for some seconds and
// reports the mean after each one.
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Place, type Positioning, startPositioning, usePositioning } from './gnss.ts'
import { type Fix, isUsable, MEASURING_MS, type Mean, meanOf } from './position.ts'

export interface Measurement {
  readonly measuring: boolean
  readonly mittel: Mean | null
  readonly positioning: Positioning
  readonly start: () => void
  readonly stop: () => void
}

export function useMeasurement(automatic: boolean, onMean: (mittel: Mean) => void): Measurement {
  const positioning = usePositioning()
  const { ort } = positioning
  const [measuring, setMeasuring] = useState(automatic)
  const [average, setMean] = useState<Mean | null>(null)
  const fixes = useRef<Fix[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const stop = () => {
    clearTimeout(timer.current)
    timer.current = undefined
    setMeasuring(false)
  }
  const take = useEffectEvent((fix: Fix, { age, arrived }: Place) => {
    if (!measuring || !isUsable(fix, age === null ? null : age + performance.now() - arrived)) return
    fixes.current.push(fix)
    const mean = meanOf(fixes.current)!
    setMean(mean)
    onMean(mean)
    timer.current ??= setTimeout(stop, MEASURING_MS)
  })
  const isNow = positioning.stand === 'da'
  useEffect(() => {
    // What a receiver said before it fell silent is no measurement.
    if (ort !== null && isNow)
      take({ lon: ort.lon, lat: ort.lat, accuracy: ort.accuracy, zeit: ort.am, solution: ort.solution }, ort)
  }, [ort, isNow, measuring])
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    measuring,
    mittel: average,
    positioning,
    start: () => {
      clearTimeout(timer.current)
      timer.current = undefined
      fixes.current = []
      setMean(null)
      setMeasuring(true)
      startPositioning()
    },
    stop,
  }
}
