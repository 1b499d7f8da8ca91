// Bytes of a tile and of its mask.
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import sharp from 'sharp'
import { TILE } from './cog-levels.ts'

const JPEG_QUALITY = 80
export const deflated = promisify(deflate)

export type CogCompression = 'JPEG' | 'DEFLATE'

export const encoded = (data: Uint8Array, channels: 1 | 3, compression: CogCompression): Promise<Buffer> =>
  compression === 'JPEG' ? jpeg(data, channels) : deflated(differences(data, channels))

const jpeg = (data: Uint8Array, channels: 1 | 3): Promise<Buffer> =>
  sharp(data, { raw: { width: TILE, height: TILE, channels } })
    // Otherwise grey would be written with three channels.
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .jpeg({ quality: JPEG_QUALITY, chromaSubsampling: '4:2:0' })
    .toBuffer()

/** One bit per pixel, the first in the highest bit. */
export function bitsOf(mask: Uint8Array): Uint8Array {
  const bits = new Uint8Array(mask.length / 8)
  for (let i = 0; i < mask.length; i++) if (mask[i] !== 0) bits[i >> 3]! |= 0x80 >> (i & 7)
  return bits
}

/** The difference of each pixel to the one before it, which compresses better (TIFF predictor 2). */
function differences(data: Uint8Array, channels: number): Uint8Array {
  const line = TILE * channels
  const result = new Uint8Array(data.length)
  for (let start = 0; start < data.length; start += line)
    for (let i = 0; i < line; i++)
      result[start + i] = data[start + i]! - (i < channels ? 0 : data[start + i - channels]!)
  return result
}
