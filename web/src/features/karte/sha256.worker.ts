// Hashes a file off the main thread: a gigabyte takes some seconds, and typing must not wait for it.
import { makeSha256 } from './sha256.ts'

const PIECE = 8 * 1024 * 1024

export type HashMessage = { readonly done: number } | { readonly sha256: string } | { readonly failed: true }

const scope = self as unknown as {
  postMessage(message: HashMessage): void
  onmessage: (event: MessageEvent<File>) => void
}

scope.onmessage = ({ data: file }) => {
  void hash(file).catch(() => scope.postMessage({ failed: true }))
}
async function hash(file: File): Promise<void> {
  const sha = makeSha256()
  for (let at = 0; at < file.size; at += PIECE) {
    // Sequential, because the hash depends on the sequence of the bytes.
    // oxlint-disable-next-line no-await-in-loop
    sha.update(new Uint8Array(await file.slice(at, at + PIECE).arrayBuffer()))
    scope.postMessage({ done: Math.min(file.size, at + PIECE) })
  }
  scope.postMessage({ sha256: sha.digest() })
}
