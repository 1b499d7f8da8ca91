// Computes long splines off the main thread, so that dragging a point never waits for them.
import { type Evaluation, evaluatePoints } from '#domain/georef/evaluation.ts'
import type { ComputeQuestion } from './use-evaluation.ts'

interface Scope {
  onmessage: ((event: MessageEvent<ComputeQuestion>) => void) | null
  postMessage(message: Evaluation): void
}
const scope = globalThis as unknown as Scope

scope.onmessage = ({ data: { typ, punkte, breite, hoehe } }) =>
  scope.postMessage(evaluatePoints(typ, punkte, breite, hoehe))
