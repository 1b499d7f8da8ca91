// Long splines are reckoned beside the page, so that a pull on a point never waits for them.
import { type Auswertung, auswerten } from '#domain/georef/auswertung.ts'
import type { RechenFrage } from './rechner.ts'

interface Scope {
  onmessage: ((event: MessageEvent<RechenFrage>) => void) | null
  postMessage(message: Auswertung): void
}
const scope = globalThis as unknown as Scope

scope.onmessage = ({ data: { typ, punkte, breite, hoehe } }) => scope.postMessage(auswerten(typ, punkte, breite, hoehe))
