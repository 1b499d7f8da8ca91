// Parses a large statement off the main thread.
import type { CamtStatement } from '#domain/camt/statement.ts'
import { StatementFault, type StatementFaultValues, readStatements } from './read-statements.ts'

export interface StatementAnswer {
  readonly bankStatements?: CamtStatement[]
  readonly fault?: StatementFaultValues
}
interface Scope {
  onmessage: ((event: MessageEvent<Uint8Array<ArrayBuffer>>) => void) | null
  postMessage(message: StatementAnswer): void
}
const scope = globalThis as unknown as Scope

scope.onmessage = ({ data }) => {
  readStatements(data).then(
    (bankStatements) => scope.postMessage({ bankStatements }),
    (error: unknown) =>
      scope.postMessage({
        fault: error instanceof StatementFault ? error.werte : { code: 'unbekannt', was: '', datei: '' },
      }),
  )
}
