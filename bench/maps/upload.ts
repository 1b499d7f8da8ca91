// Uploads a file as the browser does, in pieces and with its hash. On request the connection is cut in the
// middle of a piece, and the upload continues after what has arrived.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { kartePaths, UPLOAD_PIECE } from '#contract/karte-files.ts'
import { GENERAL, type House } from './house.ts'

const TUS = { 'tus-resumable': '1.0.0' }
const TYPE = 'application/offset+octet-stream'

export interface Uploaded {
  readonly datei: number
  readonly sha256: string
  /** Connections that were cut while bytes were being sent. */
  readonly cuts: number
  /** performance.now() when the last piece was answered. */
  readonly endedAt: number
}

export async function shaOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of stream) hash.update(chunk)
  return hash.digest('hex')
}

export async function uploadScan(
  { app, token }: House,
  karte: number,
  path: string,
  cuts: number,
): Promise<Uploaded> {
  const { size } = await stat(path)
  const sha256 = await shaOf(createReadStream(path))
  const headers = { ...TUS, authorization: `Bearer ${token}` }
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  const begun = await fetch(`${app.origin}${GENERAL}${kartePaths.upload(karte)}`, {
    method: 'POST',
    headers: {
      ...headers,
      'upload-length': String(size),
      'upload-metadata': `filename ${encoded(basename(path))},sha256 ${encoded(sha256)}`,
    },
  })
  if (begun.status !== 201) throw new Error(`upload refused: ${begun.status} ${await begun.text()}`)
  const address = new URL(begun.headers.get('location')!, app.origin).href
  const file = await open(path)
  let [offset, cut, last] = [0, 0, null as Response | null]
  try {
    while (offset < size) {
      const piece = Buffer.alloc(Math.min(UPLOAD_PIECE, size - offset))
      await file.read(piece, 0, piece.length, offset)
      if (cut < cuts && offset > ((cut + 1) * size) / (cuts + 2)) {
        await cutOff(address, headers, piece, offset)
        const answer = await fetch(address, { method: 'HEAD', headers })
        const arrived = Number(answer.headers.get('upload-offset'))
        if (answer.status !== 200 || arrived < offset || arrived >= offset + piece.length)
          throw new Error(`after a cut at ${offset}: ${answer.status} ${arrived}`)
        offset = arrived
        cut += 1
        continue
      }
      last = await fetch(address, {
        method: 'PATCH',
        headers: { ...headers, 'content-type': TYPE, 'upload-offset': String(offset) },
        body: piece,
      })
      if (last.status !== 204) throw new Error(`piece at ${offset}: ${last.status} ${await last.text()}`)
      offset += piece.length
    }
  } finally {
    await file.close()
  }
  return { datei: Number(last?.headers.get('karte-datei')), sha256, cuts: cut, endedAt: performance.now() }
}

/** Sends two thirds of a piece, then drops the connection. */
function cutOff(
  address: string,
  headers: Readonly<Record<string, string>>,
  piece: Buffer,
  offset: number,
): Promise<void> {
  return new Promise((resolve) => {
    const sending = request(address, {
      method: 'PATCH',
      headers: { ...headers, 'content-type': TYPE, 'content-length': piece.length, 'upload-offset': offset },
    })
    sending.on('error', () => undefined)
    sending.write(piece.subarray(0, Math.floor((piece.length * 2) / 3)), () => {
      void sleep(50).then(() => {
        sending.destroy()
        return sleep(200).then(resolve)
      })
    })
  })
}
