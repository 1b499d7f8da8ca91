// What is made from a photo, and that a bad file does no harm.
import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exifDetails } from '#domain/habitat/exif.ts'
import { PhotoFault, PHOTO_SIZES } from './photo-work.ts'
import { createPhotoProcessor, type PhotoProcessor } from './photo-processor.ts'
import { tagsOf } from './draw-photo.ts'
import { photo, quarters, jpegSaying, badPhotos } from './bad-photos.fixture.ts'

let folder: string
let workshop: PhotoProcessor
const started: ChildProcess[] = []
let next = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foto-'))
  workshop = createPhotoProcessor({ processes: 1, onStart: (child) => void started.push(child) })
})
afterAll(async () => {
  await workshop.stop()
  await rm(folder, { recursive: true, force: true })
})

async function drawn(bytes: Buffer, in_ = workshop) {
  const base = join(folder, String(++next))
  await writeFile(base, bytes)
  const targets = { klein: `${base}.klein`, mittel: `${base}.mittel`, gross: `${base}.gross` }
  const result = await in_.draw({ filePath: base, targets })
  return { ...result, targets }
}
const EXIF = {
  IFD0: { Make: 'Kameraname', Model: 'Geheimes Modell', Copyright: 'Försterin Müller' },
  IFD2: { DateTimeOriginal: '2026:05:01 12:30:00', OffsetTimeOriginal: '+02:00' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '53/1 4/1 30/1',
    GPSLongitudeRef: 'E',
    GPSLongitude: '8/1 48/1 0/1',
    GPSImgDirectionRef: 'T',
    GPSImgDirection: '1234/10',
  },
}
const colourAt = async (path: string, x: number, y: number) => {
  const { data, info } = await sharp(path).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
  const [red = 0, green = 0] = data.subarray(at, at + 2)
  return red > 180 && green > 180 ? 'white' : red > 150 ? 'red' : green > 120 ? 'green' : 'blue'
}

describe('a photo', () => {
  test('comes in three sizes, never larger than it is, with the width and height it is looked at in', async () => {
    const { targets, breite, hoehe } = await drawn(await photo(2000, 1500))
    expect([breite, hoehe]).toEqual([2000, 1500])
    for (const name of ['klein', 'mittel', 'gross'] as const) {
      const { format, width, height } = await sharp(targets[name]).metadata()
      expect([format, width, height]).toEqual(['webp', PHOTO_SIZES[name], (PHOTO_SIZES[name] * 3) / 4])
    }
    const small = await drawn(await photo(400, 500))
    expect(
      await Promise.all(
        Object.values(small.targets).map(async (path) => (await sharp(path).metadata()).height),
      ),
    ).toEqual([320, 500, 500])
  })
  test('is upright in its derivatives, and nothing of what the camera wrote is in them', async () => {
    const bytes = await quarters(1200, 800)
      .jpeg()
      .withExif(EXIF)
      .withXmp(
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ' +
          'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">geheim-xmp</rdf:RDF></x:xmpmeta>',
      )
      .withIccProfile('p3')
      .withMetadata({ orientation: 6, icc: 'p3' })
      .toBuffer()
    expect(bytes.includes('Geheimes Modell') && bytes.includes('geheim-xmp')).toBe(true)
    const { targets, breite, hoehe, tags } = await drawn(bytes)
    expect([breite, hoehe]).toEqual([800, 1200])
    expect(exifDetails(tags, new Date('2026-11-22'))).toEqual({
      lon: 8.8,
      lat: 53.075,
      hoehe_m: null,
      richtung: 123.4,
      aufgenommen_am: '2026-05-01T10:30:00.000Z',
    })
    for (const path of Object.values(targets)) {
      // Turned clockwise by a quarter: what was at the lower left is now at the upper left.
      expect([
        await colourAt(path, 0.2, 0.2),
        await colourAt(path, 0.8, 0.2),
        await colourAt(path, 0.8, 0.8),
      ]).toEqual(['blue', 'red', 'green'])
      const file = readFileSync(path)
      for (const trace of [
        'Exif',
        'EXIF',
        'XMP',
        'ICCP',
        'GPS',
        'Kameraname',
        'Geheimes',
        'geheim-xmp',
        '2026:05:01',
        'Müller',
      ])
        expect(file.includes(trace), trace).toBe(false)
      const { exif, xmp, icc, iptc, orientation } = await sharp(path).metadata()
      expect([exif, xmp, icc, iptc, orientation]).toEqual(Array(5).fill(undefined))
    }
  })
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'of orientation %i is turned so that it is upright',
    async (orientation) => {
      // The pixels as a camera held this way stores them, so that the result always looks the same.
      const back = [
        null,
        [0, false],
        [0, true],
        [180, false],
        [180, true],
        [90, true],
        [270, false],
        [270, true],
        [90, false],
      ] as const
      const [angle, flop] = back[orientation]!
      const upright = await quarters(640, 480).png().toBuffer()
      const turned = await sharp(upright).rotate(angle).toBuffer()
      const held = flop ? await sharp(turned).flop().toBuffer() : turned
      const { targets, breite, hoehe } = await drawn(
        await sharp(held).jpeg().withMetadata({ orientation }).toBuffer(),
      )
      expect([breite, hoehe]).toEqual([640, 480])
      expect([
        await colourAt(targets.klein, 0.2, 0.2),
        await colourAt(targets.klein, 0.8, 0.2),
        await colourAt(targets.klein, 0.2, 0.8),
      ]).toEqual(['red', 'green', 'blue'])
    },
  )
  test.each([
    [
      'PNG with transparency',
      () =>
        sharp({
          create: { width: 500, height: 400, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
        })
          .png()
          .withExif(EXIF)
          .toBuffer(),
      'white',
    ],
    [
      'PNG of sixteen bits',
      () =>
        sharp({ create: { width: 500, height: 400, channels: 3, background: '#d02020' } })
          .toColourspace('rgb16')
          .png()
          .toBuffer(),
      'red',
    ],
    [
      'WebP',
      () =>
        sharp({ create: { width: 500, height: 400, channels: 3, background: '#20b020' } })
          .webp()
          .withExif(EXIF)
          .toBuffer(),
      'green',
    ],
    [
      'JPEG of printers',
      () =>
        sharp({ create: { width: 500, height: 400, channels: 3, background: '#d02020' } })
          .toColourspace('cmyk')
          .jpeg()
          .toBuffer(),
      'red',
    ],
    [
      'JPEG without colours',
      () =>
        sharp({ create: { width: 500, height: 400, channels: 3, background: '#ffffff' } })
          .toColourspace('b-w')
          .jpeg({ progressive: true })
          .toBuffer(),
      'white',
    ],
  ])('may be a %s', async (_what, make, colour) => {
    const { targets, tags } = await drawn(await make())
    expect(await colourAt(targets.klein, 0.5, 0.5)).toBe(colour)
    if (_what === 'WebP' || _what.includes('transparency'))
      expect(exifDetails(tags, new Date('2026-11-22'))).toMatchObject({ lat: 53.075, richtung: 123.4 })
  })
  test('with warnings of its decoder is one', async () => {
    const bytes = await photo()
    const { breite } = await drawn(Buffer.concat([bytes, Buffer.from('some camera writes more here')]))
    expect(breite).toBe(1200)
  })
})

describe('photos of real cameras', () => {
  const at = (name: string) => join(import.meta.dirname, '../../node_modules', name)
  const read = async (name: string) => {
    const { exif } = await sharp(at(name)).metadata()
    return exifDetails(await tagsOf(exif), new Date('2026-11-22'))
  }
  test('say where they were taken, which way and when', async () => {
    expect(await read('exif-parser/test/starfish.jpg')).toEqual({
      lat: expect.closeTo(55.03876, 5) as number,
      lon: expect.closeTo(8.45719, 5) as number,
      hoehe_m: 0.1,
      richtung: null,
      aufgenommen_am: '2013-05-10T13:21:35.000Z',
    })
    expect(await read('exif/test/test1.jpg')).toMatchObject({
      lat: 37.885,
      lon: -122.6225,
      hoehe_m: 122,
      richtung: 7.7,
    })
    expect(await read('exif/test/sony-alpha-6000.jpg')).toMatchObject({
      lat: null,
      lon: null,
      aufgenommen_am: '2014-04-18T18:33:53.000Z',
    })
  })
  test('are drawn, however old, rotated or strange; broken ones are refused with a word', async () => {
    const words: Record<string, string> = {}
    for (const name of (await readdir(at('exif/test'))).filter((file) => /\.jpe?g$/i.test(file)).sort()) {
      words[name] = await drawn(readFileSync(at(`exif/test/${name}`))).then(
        ({ breite, hoehe }) => `${breite > 0 && hoehe > 0}`,
        (fault: PhotoFault) => fault.code,
      )
    }
    const { 'lens_info.jpg': tiny, ...others } = words
    expect(tiny).toBe('bild_klein')
    expect([Object.keys(others).length, new Set(Object.values(others))]).toEqual([9, new Set(['true'])])
  })
})

describe('what is no photo', () => {
  test('is refused, nothing of it stays, and the next one is drawn', async () => {
    for (const [what, bytes, hint] of await badPhotos()) {
      if (['bild_typ', 'bild_heic'].includes(hint)) continue
      const before = next
      await expect(drawn(bytes), what).rejects.toMatchObject({ code: hint })
      expect(existsSync(join(folder, `${before + 1}.gross`)), what).toBe(false)
    }
    expect((await drawn(await photo())).breite).toBe(1200)
  })
  test('EXIF that leads nowhere leaves the photo one', async () => {
    const bytes = await sharp(await photo())
      .jpeg()
      .withExif(EXIF)
      .toBuffer()
    const at = bytes.indexOf('Exif\0\0')
    for (let i = 0; i < 60; i++) {
      const broken = Buffer.from(bytes)
      for (let k = 0; k < 4; k++) broken[at + 6 + ((i * 31 + k * 7) % 200)] = (i * 97 + k * 53) % 256
      const { exif } = await sharp(broken).metadata()
      const { lat, lon } = exifDetails(await tagsOf(exif), new Date('2026-11-22'))
      expect(lat === null ? lon === null : Math.abs(lat) <= 90 && Math.abs(lon!) <= 180).toBe(true)
    }
    const tail = Buffer.from(bytes)
    tail.fill(0xff, at + 6, at + 30)
    expect((await drawn(tail)).breite).toBe(1200)
  })
})

describe('the workshop', () => {
  test('draws one after the other in the same process, and in a new one after a refusal', async () => {
    await drawn(await photo())
    const count = started.length
    await Promise.all(Array.from({ length: 5 }, async () => drawn(await photo(300, 200))))
    expect(started.length).toBe(count)
    await expect(drawn(jpegSaying(await photo(), 65_000, 65_000))).rejects.toMatchObject({
      code: 'bild_pixel',
    })
    await drawn(await photo(300, 200))
    expect(started.length).toBe(count + 1)
  })
  test('tries once more when its process dies, and then gives up', async () => {
    const children: ChildProcess[] = []
    let deaths = 1
    const fragile = createPhotoProcessor({
      processes: 1,
      onStart: (child) => {
        children.push(child)
        if (deaths-- > 0) process.kill(child.pid!, 'SIGKILL')
      },
    })
    expect((await drawn(await photo(), fragile)).breite).toBe(1200)
    expect(children.length).toBe(2)
    children.at(-1)!.kill('SIGKILL')
    deaths = 2
    await new Promise((resolve) => children.at(-1)!.once('exit', resolve))
    await expect(drawn(await photo(), fragile)).rejects.toMatchObject({ code: 'bild_kaputt' })
    await fragile.stop()
  })
  test('gives a photo no more time and memory than it should take', async () => {
    const bytes = await photo(4000, 3000)
    const hasty = createPhotoProcessor({ processes: 1, timeoutMs: 30 })
    await expect(drawn(bytes, hasty)).rejects.toMatchObject({ code: 'bild_aufwand' })
    await hasty.stop()
    const narrow = createPhotoProcessor({
      processes: 1,
      memoryBytes: 1000,
      timeoutMs: 20_000,
      onStart: (child) => void process.kill(child.pid!, 'SIGSTOP'),
    })
    await expect(drawn(bytes, narrow)).rejects.toMatchObject({
      code: 'bild_aufwand',
      message: expect.stringContaining('MB') as string,
    })
    await narrow.stop()
  })
  test('ends what it began, also what waits', async () => {
    const short = createPhotoProcessor({ processes: 1, onStart: (child) => void started.push(child) })
    const waiting = [drawn(await photo(), short), drawn(await photo(), short)]
    const told = Promise.allSettled(waiting)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await short.stop()
    expect((await told).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect
      .poll(() => started.at(-1)!.exitCode !== null || started.at(-1)!.signalCode !== null)
      .toBe(true)
  })
})
