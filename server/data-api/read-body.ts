// Collects a request body up to its limit. A larger one is refused before it has been read to the end.
import type { IncomingMessage } from 'node:http'
import { badBody, bodyTooLarge } from './faults.ts'

export const NO_BODY = new Uint8Array(0)

export function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > limit) return Promise.reject(bodyTooLarge(limit))
  if (
    request.headers['content-encoding'] !== undefined &&
    request.headers['content-encoding'] !== 'identity'
  ) {
    return Promise.reject(badBody(`Content-Encoding not acceptable: ${request.headers['content-encoding']}`))
  }
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let size = 0
    // A body that is too large keeps flowing unread (server/http-faults.ts): stopping in the middle would cut
    // off the refusal.
    request.on('data', (piece: Buffer) => {
      size += piece.length
      if (size <= limit) return void pieces.push(piece)
      pieces.length = 0
      reject(bodyTooLarge(limit))
    })
    request.on('end', () => {
      if (size <= limit) resolve(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, size))
    })
    // The sender has hung up: their fault, and nobody is left to hear of it.
    const endedEarly = () => reject(badBody('Empty or invalid json', 'the body ended early'))
    request.on('error', endedEarly)
    request.on('close', () => {
      if (!request.complete) endedEarly()
    })
  })
}
