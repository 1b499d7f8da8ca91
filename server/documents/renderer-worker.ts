// The process that sets documents, one after the other; the server ends it after so many.
import type { Beleg } from '#domain/beleg.ts'
import { type Beilagen, createSetzer, Satzfehler } from './setzen.ts'

export interface RenderRequest {
  readonly id: number
  readonly beleg: Beleg
  readonly beilagen: Beilagen
}

export type RenderReply =
  | { readonly id: number; readonly kind: 'pdf'; readonly bytes: Uint8Array }
  | { readonly id: number; readonly kind: 'failed'; readonly code: Satzfehler['code']; readonly message: string }

if (process.send === undefined) throw new Error('this file is started by the renderer')

const setzen = createSetzer()

function answer({ id, beleg, beilagen }: RenderRequest): RenderReply {
  try {
    return { id, kind: 'pdf', bytes: setzen(beleg, beilagen) }
  } catch (error) {
    const code = error instanceof Satzfehler ? error.code : 'satz'
    return { id, kind: 'failed', code, message: error instanceof Error ? error.message : String(error) }
  }
}

// Where nobody reads the answer any more, 'disconnect' follows.
process.on('message', (request: RenderRequest) => void process.send?.(answer(request), undefined, {}, () => undefined))
// Without the server there is nobody to set for.
process.on('disconnect', () => process.exit())
