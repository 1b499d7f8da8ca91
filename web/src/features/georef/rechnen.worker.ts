// Long splines are reckoned beside the page, so that a pull on a point never waits for them.
import { auswerten } from '#domain/georef/auswertung.ts'
import type { RechenAntwort, RechenFrage } from './rechner.ts'

interface Scope {
  onmessage: ((event: MessageEvent<RechenFrage>) => void) | null
  postMessage(message: RechenAntwort): void
}
const scope = globalThis as unknown as Scope

scope.onmessage = ({ data: { nr, typ, punkte, breite, hoehe } }) => {
  scope.postMessage({ nr, auswertung: auswerten(typ, punkte, breite, hoehe) })
}
