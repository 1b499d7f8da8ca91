// The process that typesets documents one after the other; the server replaces it after a number of them.
import type { Beleg } from '#domain/beleg.ts'
import type { TypesetJob } from '#server/typeset-job.ts'
import { type Enclosures, createWorkbench, TypesetError } from './typesetter.ts'

export interface BelegRequest {
  readonly id: number
  readonly beleg: Beleg
  readonly enclosures: Enclosures
}
export type RenderRequest = BelegRequest | { readonly id: number; readonly bericht: TypesetJob }

export type RenderReply =
  | { readonly id: number; readonly kind: 'pdf'; readonly bytes: Uint8Array }
  | {
      readonly id: number
      readonly kind: 'failed'
      readonly code: TypesetError['code']
      readonly message: string
    }

if (process.send === undefined) throw new Error('this file is started by the renderer')

const workbench = createWorkbench()

function answer(request: RenderRequest): RenderReply {
  const { id } = request
  try {
    const bytes =
      'bericht' in request
        ? workbench.bericht(request.bericht)
        : workbench.beleg(request.beleg, request.enclosures)
    return { id, kind: 'pdf', bytes }
  } catch (error) {
    const code = error instanceof TypesetError ? error.code : 'satz'
    return { id, kind: 'failed', code, message: error instanceof Error ? error.message : String(error) }
  }
}

// Errors are ignored: if the server no longer reads the answer, 'disconnect' follows.
process.on(
  'message',
  (request: RenderRequest) => void process.send?.(answer(request), undefined, {}, () => undefined),
)
// Without the server there is nothing left to do.
process.on('disconnect', () => process.exit())
