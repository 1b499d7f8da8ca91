// Draws habitat trees as a forester photographs them: the upright trunk in front of the forest and the
// feature it is kept for, with the place, direction and time that a camera records.
//  node db/seeds/draw-tree-photo.ts <folder> draws one of each
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import sharp from 'sharp'

export const MOTIFS = ['hoehle', 'pilze', 'spalte', 'totholz', 'markierung', 'moos'] as const
export type Motif = (typeof MOTIFS)[number]
/** Beech and hornbeam are smooth, oak and ash furrowed, birch white, pine red. */
export type Bark = 'glatt' | 'rau' | 'birke' | 'kiefer'

export interface PhotoRequest {
  readonly seed: number
  readonly motif: Motif
  readonly bark: Bark
  /** Shown on the plate below the mark. */
  readonly nummer: string | null
  readonly lon: number
  readonly lat: number
  /** Degrees clockwise from north. */
  readonly richtung: number
  /** Local time of the camera: 2026-05-12T10:22:31. */
  readonly am: string
}

/** Size of the drawing and of the photo: small files, because a trial makes them during its first start. */
const [WIDTH, HEIGHT] = [960, 1280]
const [PIXEL_WIDTH, PIXEL_HEIGHT] = [720, 960]
const COLOURS: Readonly<Record<Bark, readonly [dunkel: string, center: string, hell: string]>> = {
  glatt: ['#4d5049', '#8b8d83', '#b3b4a8'],
  rau: ['#3a2f25', '#6d5b49', '#93806a'],
  birke: ['#83837b', '#d9d6ca', '#f3f0e6'],
  kiefer: ['#532f1f', '#935a38', '#bd8054'],
}

/** Random numbers that are the same everywhere for the same seed (mulberry32). */
function random(seed: number): (from: number, to: number) => number {
  let state = seed >>> 0
  return (from, to) => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return from + (to - from) * (((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296)
  }
}
type Random = ReturnType<typeof random>

/** Factor by which the background is drawn smaller. */
const FAR = 6
const DEFS = `<linearGradient id="luft" x2="0" y2="1"><stop offset="0" stop-color="#dfe9c6"/><stop
  offset="0.6" stop-color="#93a86b"/><stop offset="1" stop-color="#3c4a2b"/></linearGradient>
<linearGradient id="boden" x2="0" y2="1"><stop offset="0" stop-color="#59603a"/><stop offset="1"
  stop-color="#33281a"/></linearGradient>
<linearGradient id="rund"><stop offset="0" stop-color="#0c0f08" stop-opacity="0.62"/><stop offset="0.3"
  stop-opacity="0"/><stop offset="0.66" stop-opacity="0"/><stop offset="1" stop-color="#0c0f08"
  stop-opacity="0.72"/></linearGradient>
<radialGradient id="loch"><stop offset="0" stop-color="#060403"/><stop offset="0.75"
  stop-color="#130c07"/><stop offset="1" stop-color="#3a2617"/></radialGradient>`
const svg = (wide: number, high: number, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.round(wide)}" height="${Math.round(high)}" ` +
  `viewBox="0 0 ${WIDTH} ${HEIGHT}"><defs>${DEFS}</defs>${content}</svg>`
const f = (value: number): string => value.toFixed(1)
const many = (count: number, make: (nr: number) => string): string =>
  Array.from({ length: count }, (_, nr) => make(nr)).join('')

interface Trunk {
  /** Half the width and the centre of the trunk at a height of the picture. */
  readonly half: (y: number) => number
  readonly center: (y: number) => number
}
function trunkOf(z: Random): Trunk {
  const [half, lean, bend, at] = [z(175, 235), z(-30, 30), z(8, 26), z(0, 6)]
  return {
    // Roots spread at the foot.
    half: (y) => half * (0.86 + (0.16 * y) / HEIGHT) + 90 * Math.max(0, (y - 1080) / 200) ** 2,
    center: (y) => WIDTH / 2 + lean * (y / HEIGHT - 0.5) + bend * Math.sin(at + y / 330),
  }
}
const edge = ({ half, center }: Trunk, side: -1 | 1): string[] =>
  Array.from({ length: 33 }, (_, nr) => {
    const y = (nr * HEIGHT) / 32
    return `${f(center(y) + side * (half(y) + 3 * Math.sin(y / 23 + side)))},${f(y)}`
  })
const outline = (trunk: Trunk): string =>
  `M${[...edge(trunk, -1), ...edge(trunk, 1).toReversed()].join('L')}Z`

/**
 * The background is drawn small: scaled up it is as soft as it should be, at a fraction of the cost of a blur
 * filter.
 */
function backdrop(z: Random): string {
  const trees = many(9, () => {
    const [x, wide, light] = [z(-20, WIDTH), z(18, 70), z(38, 84)]
    return (
      `<rect x="${f(x)}" y="0" width="${f(wide)}" height="${f(z(760, 930))}" fill="hsl(${f(z(70, 105))} ` +
      `14% ${f(light * 0.6)}%)"/>`
    )
  })
  const leaves = many(
    120,
    () =>
      `<circle cx="${f(z(0, WIDTH))}" cy="${f(z(0, 620))}" r="${f(z(12, 60))}" ` +
      `fill="hsl(${f(z(72, 110))} ${f(z(30, 55))}% ${f(z(38, 70))}%)" opacity="${f(z(0.2, 0.6))}"/>`,
  )
  return svg(
    WIDTH / FAR,
    HEIGHT / FAR,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#luft)"/>${leaves}${trees}`,
  )
}

function ground(z: Random): string {
  const leaves = many(260, () => {
    const y = z(860, HEIGHT)
    const size = (y - 700) / 26
    return (
      `<ellipse cx="${f(z(0, WIDTH))}" cy="${f(y)}" rx="${f(size)}" ry="${f(size * 0.4)}" ` +
      `fill="hsl(${f(z(24, 62))} ${f(z(22, 48))}% ${f(z(22, 46))}%)"/>`
    )
  })
  return `<rect y="850" width="${WIDTH}" height="${HEIGHT - 850}" fill="url(#boden)"/>${leaves}`
}

function bark(z: Random, art: Bark, { half, center }: Trunk): string {
  const x = (y: number, reach = 0.96) => center(y) + z(-reach, reach) * half(y)
  if (art === 'rau' || art === 'kiefer')
    return many(art === 'rau' ? 260 : 150, () => {
      const [y, long] = [z(-40, HEIGHT), z(60, 190)]
      const from = x(y)
      return (
        `<path d="M${f(from)},${f(y)}q${f(z(-9, 9))},${f(long / 2)} ${f(z(-12, 12))},${f(long)}" ` +
        `stroke="${z(0, 1) < 0.72 ? '#1d150f' : '#d8c3a3'}" ` +
        `stroke-width="${f(z(2, art === 'rau' ? 7 : 10))}" opacity="${f(z(0.16, 0.5))}" fill="none" ` +
        'stroke-linecap="round"/>'
      )
    })
  const lines = many(art === 'birke' ? 70 : 90, () => {
    const y = z(0, HEIGHT)
    const [wide, strong] = art === 'birke' ? [z(24, 120), z(0.35, 0.85)] : [z(40, 170), z(0.08, 0.25)]
    return (
      `<path d="M${f(x(y))},${f(y)}q${f(wide / 2)},${f(z(4, 13))} ${f(wide)},${f(z(-4, 4))}" ` +
      `stroke="#22211c" stroke-width="${f(art === 'birke' ? z(4, 13) : z(2, 5))}" opacity="${f(strong)}" ` +
      'fill="none"/>'
    )
  })
  const lichen = many(44, () => {
    const y = z(0, HEIGHT)
    return (
      `<ellipse cx="${f(x(y))}" cy="${f(y)}" rx="${f(z(6, 34))}" ry="${f(z(6, 26))}" ` +
      `fill="${z(0, 1) < 0.5 ? '#dfe3cf' : '#9fae7c'}" opacity="${f(z(0.12, 0.4))}"/>`
    )
  })
  return lines + lichen
}

function moos(z: Random, { half, center }: Trunk, from: number): string {
  return many(150, () => {
    const y = from + (HEIGHT - from) * Math.sqrt(z(0, 1))
    const x = center(y) + z(-1, 0.25) * half(y)
    return (
      `<ellipse cx="${f(x)}" cy="${f(y)}" rx="${f(z(12, 46))}" ry="${f(z(8, 30))}" ` +
      `fill="hsl(${f(z(75, 104))} ${f(z(38, 62))}% ${f(z(20, 42))}%)" opacity="${f(z(0.3, 0.7))}"/>`
    )
  })
}

function cavity(z: Random, { center }: Trunk): string {
  const y = z(380, 520)
  const [x, wide] = [center(y) + z(-60, 60), z(70, 92)]
  const high = wide * z(1.15, 1.4)
  const chips = many(
    14,
    () =>
      `<path d="M${f(x + z(-wide, wide))},${f(y + high + z(10, 220))}l${f(z(6, 20))},${f(z(2, 10))}" ` +
      'stroke="#d9b98a" stroke-width="4" opacity="0.7"/>',
  )
  return (
    `<ellipse cx="${f(x)}" cy="${f(y)}" rx="${f(wide * 1.3)}" ry="${f(high * 1.24)}" fill="#3b2d20" ` +
    `opacity="0.5"/><ellipse cx="${f(x)}" cy="${f(y)}" rx="${f(wide * 1.13)}" ry="${f(high * 1.1)}" ` +
    `fill="#a5794c"/><ellipse cx="${f(x)}" cy="${f(y)}" rx="${f(wide)}" ry="${f(high)}" ` +
    `fill="url(#loch)"/>${chips}`
  )
}

function fungi(z: Random, { half, center }: Trunk): string {
  const all = many(5, (nr) => {
    const y = 330 + nr * 150 + z(-36, 36)
    const [side, wide] = [nr % 2 === 0 ? 1 : -1, z(92, 150)]
    const x = center(y) + side * (half(y) - z(20, 70))
    const high = wide * z(0.5, 0.66)
    const bands = ['#6d6256', '#94836d', '#5d5044', '#b7a184', '#efe4cc']
    return bands
      .map((color, at) => {
        const [rx, ry] = [wide * (1 - at * 0.06), high * (1 - at * 0.17)]
        return (
          `${
            at === 0
              ? `<ellipse cx="${f(x)}" cy="${f(y + high * 0.42)}" rx="${f(wide * 0.96)}" ` +
                `ry="${f(high * 0.3)}" opacity="0.35"/>`
              : ''
          }<path ` +
          `d="M${f(x - rx)},${f(y)}a${f(rx)},${f(ry)} 0 0 1 ${f(2 * rx)},0a${f(rx)},${f(ry * 0.3)} 0 0 1 ` +
          `${f(-2 * rx)},0z" fill="${color}" transform="translate(0 ${f(at * high * 0.07)})"/>`
        )
      })
      .join('')
  })
  return all
}

function crack(z: Random, { center }: Trunk): string {
  const points: string[] = []
  const back: string[] = []
  for (let nr = 0; nr <= 14; nr++) {
    const y = 250 + nr * 52
    const wide = 46 * Math.sin((Math.PI * nr) / 14) + 2
    const x = center(y) + z(-10, 10)
    points.push(`${f(x - wide * z(0.7, 1.2))},${f(y)}`)
    back.unshift(`${f(x + wide * z(0.7, 1.2))},${f(y)}`)
  }
  const path = `M${[...points, ...back].join('L')}Z`
  return (
    `<path d="${path}" fill="none" stroke="#b58d5f" stroke-width="34" stroke-linejoin="round"/>` +
    `<path d="${path}" fill="url(#loch)"/>`
  )
}

function deadwood(z: Random, trunk: Trunk): string {
  const wood = many(90, () => {
    const y = z(120, 900)
    return (
      `<path d="M${f(trunk.center(y) + z(-0.55, 0.5) * trunk.half(y))},${f(y)}` +
      `q${f(z(-4, 4))},${f(z(60, 120))} ` +
      `${f(z(-6, 6))},${f(z(140, 260))}" stroke="${z(0, 1) < 0.5 ? '#6f5a41' : '#e3cfa9'}" ` +
      `stroke-width="${f(z(1, 4))}" opacity="0.5" fill="none"/>`
    )
  })
  const holes = many(46, () => {
    const y = z(160, 960)
    return (
      `<circle cx="${f(trunk.center(y) + z(-0.5, 0.45) * trunk.half(y))}" cy="${f(y)}" r="${f(z(3, 9))}" ` +
      'fill="#241a11"/>'
    )
  })
  const side = (part: number) =>
    Array.from({ length: 12 }, (_, nr) => 90 + nr * 82).map(
      (y) => `${f(trunk.center(y) + part * trunk.half(y) + z(-16, 16))},${f(y)}`,
    )
  return `<path d="M${[...side(-0.6), ...side(0.55).toReversed()].join('L')}Z" fill="#c9ad80"/>${wood}${holes}`
}

/** A white wavy line around the trunk, and a plate if the tree has a number. */
function marking(z: Random, { half, center }: Trunk, treeNumber: string | null): string {
  const y = z(560, 640)
  const steps = Array.from({ length: 41 }, (_, nr) => {
    const share = nr / 20 - 1
    return `${f(center(y) + share * half(y) * 0.99)},${f(y + 34 * Math.sin(nr * 0.78) + 26 * share * share)}`
  })
  const plate =
    treeNumber === null
      ? ''
      : `<g><rect x="${f(center(y) - 58)}" y="${f(y + 118)}" width="124" height="74" rx="8" ` +
        `opacity="0.45"/><rect x="${f(center(y) - 62)}" y="${f(y + 110)}" width="124" height="74" rx="8" ` +
        'fill="#2f5f9c" stroke="#e9eef5" stroke-width="4"/>' +
        `<text x="${f(center(y))}" y="${f(y + 163)}" font-family="DejaVu Sans, Arial, ` +
        'sans-serif" font-size="44" font-weight="700" fill="#fff" ' +
        `text-anchor="middle">${treeNumber.replaceAll(/[^\w ./-]/g, '')}</text></g>`
  return (
    `<polyline points="${steps.join(' ')}" fill="none" stroke="#f4f4ee" stroke-width="46" ` +
    `opacity="0.9" stroke-linecap="round" stroke-linejoin="round"/>${plate}`
  )
}

function pictureOf(z: Random, { motif, bark: art, nummer }: PhotoRequest): string {
  const trunk = trunkOf(z)
  const [dark, middle, light] = COLOURS[art]
  const what = {
    hoehle: () => cavity(z, trunk),
    pilze: () => fungi(z, trunk),
    spalte: () => crack(z, trunk),
    totholz: () => deadwood(z, trunk),
    markierung: () => marking(z, trunk, nummer),
    moos: () => moos(z, trunk, 420),
  }
  const defs =
    `<linearGradient id="stamm"><stop offset="0" stop-color="${dark}"/>` +
    `<stop offset="0.34" stop-color="${light}"/><stop offset="0.62" stop-color="${middle}"/>` +
    `<stop offset="1" stop-color="${dark}"/></linearGradient><clipPath id="form">` +
    `<path d="${outline(trunk)}"/></clipPath>`
  const inside = [
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#stamm)"/>`,
    bark(z, art, trunk),
    motif === 'pilze' ? '' : what[motif](),
    moos(z, trunk, 1_060),
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#rund)"/>`,
  ].join('')
  return svg(
    PIXEL_WIDTH,
    PIXEL_HEIGHT,
    `<defs>${defs}</defs>${ground(z)}<g clip-path="url(#form)">${inside}</g>${motif === 'pilze' ? what.pilze() : ''}`,
  )
}

/** Degrees, minutes and hundredths of a second, as fractions. */
function exifDegrees(degrees: number): string {
  const hundredths = Math.round(Math.abs(degrees) * 360_000)
  return (
    `${Math.floor(hundredths / 360_000)}/1 ${Math.floor((hundredths % 360_000) / 6_000)}/1 ` +
    `${hundredths % 6_000}/100`
  )
}

/** By the month. */
const isSummer = (am: string): boolean => Number(am.slice(5, 7)) >= 4 && Number(am.slice(5, 7)) <= 10

/** A JPEG as a phone produces it. */
export async function drawTreePhoto(request: PhotoRequest): Promise<Buffer> {
  const { lon, lat, richtung, am } = request
  const z = random(request.seed)
  const far = await sharp(Buffer.from(backdrop(z)))
    .resize(PIXEL_WIDTH, PIXEL_HEIGHT, { kernel: 'cubic', fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  // Grain makes the drawing look less smooth.
  const grain = await sharp({
    create: {
      width: PIXEL_WIDTH / 2,
      height: PIXEL_HEIGHT / 2,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 20 },
    },
  })
    .resize(PIXEL_WIDTH, PIXEL_HEIGHT)
    .raw()
    .toBuffer({ resolveWithObject: true })
  const rawOf = ({ info: { width, height, channels } }: typeof grain) => ({ width, height, channels })
  return sharp(far.data, { raw: rawOf(far) })
    .composite([
      { input: Buffer.from(pictureOf(z, request)) },
      { input: grain.data, raw: rawOf(grain), blend: 'soft-light' },
    ])
    .flatten({ background: '#3c4a2b' })
    .withExif({
      IFD0: { Make: 'Forstkontor', Model: 'Beispielkamera', Software: 'db/seeds/draw-tree-photo.ts' },
      IFD2: {
        DateTimeOriginal: am.replaceAll('-', ':').replace('T', ' '),
        OffsetTimeOriginal: isSummer(am) ? '+02:00' : '+01:00',
      },
      IFD3: {
        GPSLatitudeRef: lat < 0 ? 'S' : 'N',
        GPSLatitude: exifDegrees(lat),
        GPSLongitudeRef: lon < 0 ? 'W' : 'E',
        GPSLongitude: exifDegrees(lon),
        GPSImgDirectionRef: 'T',
        GPSImgDirection: `${Math.round(richtung * 10)}/10`,
      },
    })
    .jpeg({ quality: 80 })
    .toBuffer()
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === import.meta.filename) {
  const folder = process.argv[2] ?? 'fotos'
  mkdirSync(folder, { recursive: true })
  for (const [nr, motif] of MOTIFS.entries()) {
    const barks: readonly Bark[] = ['glatt', 'birke', 'rau', 'kiefer', 'glatt', 'rau']
    const request = {
      seed: nr + 1,
      motif,
      bark: barks[nr]!,
      nummer: String(nr + 11),
      lon: 9.5,
      lat: 51.2,
      richtung: 40 * nr,
      am: '2026-05-12T10:22:31',
    }
    // oxlint-disable-next-line no-await-in-loop -- one after the other is fast enough
    writeFileSync(join(folder, `${motif}.jpg`), await drawTreePhoto(request))
  }
}
