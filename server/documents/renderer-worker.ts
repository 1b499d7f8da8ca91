// The thread that sets documents, one after the other; its other side ends it after so many.
import { parentPort } from 'node:worker_threads'
import type { Beleg } from '#domain/beleg.ts'
import { type Beilagen, createSetzer, Satzfehler } from './setzen.ts'

export interface RenderRequest {
  readonly id: number
  readonly beleg: Beleg
  readonly beilagen: Beilagen
}

export type RenderReply =
  | { readonly id: number; readonly kind: 'pdf'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly id: number; readonly kind: 'failed'; readonly code: Satzfehler['code']; readonly message: string }

const port = parentPort
if (port === null) throw new Error('this file runs as a worker')

const setzen = createSetzer()

function answer({ id, beleg, beilagen }: RenderRequest): RenderReply {
  try {
    // Into memory of its own: a Buffer of the compiler may share its memory with others and cannot be handed over.
    return { id, kind: 'pdf', bytes: new Uint8Array(setzen(beleg, beilagen)) }
  } catch (error) {
    const code = error instanceof Satzfehler ? error.code : 'satz'
    return { id, kind: 'failed', code, message: error instanceof Error ? error.message : String(error) }
  }
}

port.on('message', (request: RenderRequest) => {
  const reply = answer(request)
  port.postMessage(reply, reply.kind === 'pdf' ? [reply.bytes.buffer] : [])
})
