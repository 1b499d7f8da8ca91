// The requests of an upload in pieces (tus.io), as a client sends them.
import { createHash } from 'node:crypto'

export const TUS = { 'tus-resumable': '1.0.0' }
export const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Names and values as its header carries them. */
export const encoded = (metadata: Readonly<Record<string, string>>): string =>
  Object.entries(metadata)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')

/** Announces these bytes. */
export const beginning = (
  bytes: Uint8Array,
  filename: string,
  metadata: Readonly<Record<string, string>> = {},
): RequestInit => ({
  method: 'POST',
  headers: {
    ...TUS,
    'upload-length': String(bytes.length),
    'upload-metadata': encoded({ filename, sha256: sha(bytes), ...metadata }),
  },
})

/** Sends bytes from `offset` on. */
export const piece = (bytes: Uint8Array, offset: number): RequestInit => ({
  method: 'PATCH',
  headers: { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
  body: Buffer.from(bytes),
})
