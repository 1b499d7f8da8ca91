// Files sent as photos that are none, or cannot be used: generated here, each with the code of its refusal.
import { deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

export const photo = (width = 1200, height = 900): Promise<Buffer> =>
  quarters(width, height).jpeg({ quality: 85 }).toBuffer()
/** Each quarter has its own colour: red, green above; blue, white below. */
export function quarters(width: number, height: number): Sharp {
  const half = { width: Math.ceil(width / 2), height: Math.ceil(height / 2) }
  const quarter = (background: string, left: number, top: number) => ({
    input: { create: { ...half, channels: 3 as const, background } },
    left: left * Math.floor(width / 2),
    top: top * Math.floor(height / 2),
  })
  return sharp({ create: { width, height, channels: 3, background: '#ffffff' } }).composite([
    quarter('#d02020', 0, 0),
    quarter('#20b020', 1, 0),
    quarter('#2020d0', 0, 1),
  ])
}

/** A PNG that claims this size but contains one line. */
export function pngOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const whole = Buffer.alloc(body.length + 8)
    whole.writeUInt32BE(data.length)
    body.copy(whole, 4)
    whole.writeUInt32BE(crc(body), body.length + 4)
    return whole
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(Math.max(1, width + 1)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
function crc(bytes: Buffer): number {
  let value = 0xffffffff
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0)
  }
  return (value ^ 0xffffffff) >>> 0
}

/** Changes the size that a JPEG claims in its frame header. */
export function jpegSaying(jpeg: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(jpeg)
  for (let at = 2; at < copy.length - 9; ) {
    const [marker, length] = [copy[at + 1]!, copy.readUInt16BE(at + 2)]
    if (marker >= 0xc0 && marker <= 0xc2) {
      copy.writeUInt16BE(height, at + 5)
      copy.writeUInt16BE(width, at + 7)
      return copy
    }
    at += 2 + length
  }
  throw new Error('no frame')
}

export async function badPhotos(): Promise<
  readonly (readonly [what: string, bytes: Buffer, hint: string])[]
> {
  const [gut, small, onePixel, webp] = await Promise.all([
    photo(),
    quarters(20, 20).png().toBuffer(),
    quarters(1, 1).jpeg().toBuffer(),
    quarters(600, 400).webp().toBuffer(),
  ])
  const heic = Buffer.concat([
    Buffer.from([0, 0, 0, 24]),
    Buffer.from('ftypheic\0\0\0\0mif1heic', 'latin1'),
    Buffer.alloc(500),
  ])
  const avif = Buffer.concat([
    Buffer.from([0, 0, 0, 24]),
    Buffer.from('ftypavif\0\0\0\0avifmif1', 'latin1'),
    Buffer.alloc(500),
  ])
  return [
    ['a page that is called a photo', Buffer.from('<!doctype html><script>alert(1)</script>'), 'bild_typ'],
    [
      'a drawing in SVG',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
      'bild_typ',
    ],
    [
      'a JPEG with a page in its beginning',
      Buffer.concat([gut.subarray(0, 20), Buffer.from('<html><script>'), gut.subarray(20)]),
      'bild_typ',
    ],
    ['a PDF', Buffer.from('%PDF-1.7\n'), 'bild_typ'],
    ['a TIFF', await quarters(100, 100).tiff().toBuffer(), 'bild_typ'],
    ['a GIF', await quarters(100, 100).gif().toBuffer(), 'bild_typ'],
    ['AVIF', avif, 'bild_typ'],
    ['HEIC', heic, 'bild_heic'],
    [
      'a photo with an archive at its end',
      Buffer.concat([gut, Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]),
      'bild_typ',
    ],
    ['bytes by chance', Buffer.from(Array.from({ length: 3_000 }, (_, i) => (i * 7919) % 251)), 'bild_typ'],
    ['a beginning and nothing else', gut.subarray(0, 4), 'bild_kaputt'],
    ['a JPEG that ends in the middle', gut.subarray(0, Math.floor(gut.length / 2)), 'bild_kaputt'],
    ['a WebP that ends in the middle', webp.subarray(0, Math.floor(webp.length / 2)), 'bild_kaputt'],
    ['a JPEG of no width', jpegSaying(gut, 0, 900), 'bild_kaputt'],
    ['a PNG of no pixels', pngOf(0, 0), 'bild_kaputt'],
    ['a PNG with one line of a thousand', pngOf(1000, 1000), 'bild_kaputt'],
    ['one pixel', onePixel, 'bild_klein'],
    ['twenty pixels', small, 'bild_klein'],
    ['more than 50 megapixels', pngOf(8000, 6251), 'bild_pixel'],
    ['a bomb of four gigapixels', pngOf(65_000, 65_000), 'bild_pixel'],
    ['a JPEG that says it is one', jpegSaying(gut, 65_000, 65_000), 'bild_pixel'],
  ]
}
