// Quality figures for the current points. Short computations run at once, long ones in a worker; meanwhile
// the previous figures stay, marked as outdated.
import { useEffect, useMemo, useState } from 'react'
import type { GeorefType } from '#domain/georef/transform.ts'
import {
  type Evaluation,
  type EvaluationPoint,
  evaluatePoints,
  takesLong,
} from '#domain/georef/evaluation.ts'

/** Message to the worker, which responds with an Evaluation. */
export interface ComputeQuestion {
  readonly typ: GeorefType
  readonly punkte: readonly EvaluationPoint[]
  readonly breite: number
  readonly hoehe: number
}
const PAUSE_MS = 120

const NOTHING: Evaluation = {
  rest: [],
  leftOut: [],
  quality: null,
  worstPoint: -1,
  defects: [],
  mesh: null,
  affin: null,
  aufloesung: null,
}

export function useEvaluation(
  kind: GeorefType,
  points: readonly EvaluationPoint[],
  width: number,
  height: number,
): { readonly evaluation: Evaluation; readonly isComputing: boolean } {
  const long = takesLong(kind, points.filter(({ enable }) => enable).length)
  const short = useMemo(
    () => (long ? null : evaluatePoints(kind, points, width, height)),
    [long, kind, points, width, height],
  )
  const [late, setLate] = useState<{
    readonly of: readonly EvaluationPoint[]
    readonly evaluation: Evaluation
  } | null>(null)
  useEffect(() => {
    if (!long) return undefined
    let worker: Worker | null = null
    // Delayed, so as not to run for every move of a drag.
    const timer = setTimeout(() => {
      worker = new Worker(new URL('./compute.worker.ts', import.meta.url), { type: 'module' })
      worker.onmessage = ({ data }: MessageEvent<Evaluation>) => setLate({ of: points, evaluation: data })
      worker.postMessage({
        typ: kind,
        punkte: points,
        breite: width,
        hoehe: height,
      } satisfies ComputeQuestion)
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      // Its pending computation would only delay the next one.
      worker?.terminate()
    }
  }, [long, kind, points, width, height])
  if (short !== null) return { evaluation: short, isComputing: false }
  return { evaluation: late?.evaluation ?? NOTHING, isComputing: late?.of !== points }
}
