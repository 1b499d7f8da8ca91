// Reads a large statement beside the page.
import type { CamtAuszug } from '#domain/camt.ts'
import { AuszugFault, type AuszugFaultWerte, readAuszuege } from './auszug-lesen.ts'

export interface AuszugAntwort {
  readonly auszuege?: CamtAuszug[]
  readonly fault?: AuszugFaultWerte
}
interface Scope {
  onmessage: ((event: MessageEvent<Uint8Array<ArrayBuffer>>) => void) | null
  postMessage(message: AuszugAntwort): void
}
const scope = globalThis as unknown as Scope

scope.onmessage = ({ data }) => {
  readAuszuege(data).then(
    (auszuege) => scope.postMessage({ auszuege }),
    (error: unknown) =>
      scope.postMessage({ fault: error instanceof AuszugFault ? error.werte : { code: 'unbekannt', was: '', datei: '' } }),
  )
}
