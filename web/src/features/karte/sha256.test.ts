import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { makeSha256 } from './sha256.ts'

/** Bytes without a short period. */
const bytesOf = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => (at * 31 + (at >>> 8) * 7 + (at >>> 16)) & 255)
const wanted = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('SHA-256 by pieces', () => {
  // Around block boundaries, where the padding needs an extra block.
  test.each([0, 1, 3, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 1000, 100_003])(
    '%i bytes at once',
    (length) => {
      const bytes = bytesOf(length)
      const sha = makeSha256()
      sha.update(bytes)
      expect(sha.digest()).toBe(wanted(bytes))
    },
  )
  test.each([1, 7, 63, 64, 65, 1000])('in pieces of %i', (size) => {
    const bytes = bytesOf(5_003)
    const sha = makeSha256()
    for (let at = 0; at < bytes.length; at += size) sha.update(bytes.subarray(at, at + size))
    expect(sha.digest()).toBe(wanted(bytes))
  })
  test('the standard’s own case', () => {
    const sha = makeSha256()
    sha.update(new TextEncoder().encode('abc'))
    expect(sha.digest()).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})
