// Writes PDF pages with one image each, lines, shapes and Helvetica text, positioned in millimetres from the
// upper left corner. Covers only what a printed map needs.
import { encodeWindows1252 } from '#domain/windows-1252.ts'

export interface Color {
  /** #rrggbb */
  readonly line?: string
  readonly fill?: string
  /** Line width in millimetres. */
  readonly breite?: number
  readonly dash?: readonly number[]
}
type Point = readonly [x: number, y: number]
interface Rectangle {
  readonly x: number
  readonly y: number
  readonly breite: number
  readonly hoehe: number
}
interface Picture extends Rectangle {
  readonly jpeg: Uint8Array
  readonly pixelWidth: number
  readonly pixelHeight: number
  /** The visible part; the rest is clipped. */
  readonly frame: Rectangle
}

const POINTS = 72 / 25.4
const n = (value: number): string => String(Math.round(value * 10_000) / 10_000)
const rgb = (hex: string): string =>
  [1, 3, 5].map((at) => n(Number.parseInt(hex.slice(at, at + 2), 16) / 255)).join(' ')
/** For approximating a circle by four Bézier curves. */
const KAPPA = 0.5523

export class PdfPage {
  readonly breite: number
  readonly hoehe: number
  private readonly commands: string[] = []
  private pictureData: Picture | null = null

  /** Size in millimetres. */
  constructor(width: number, height: number) {
    this.breite = width
    this.hoehe = height
  }

  private ort([x, y]: Point): string {
    return `${n(x * POINTS)} ${n((this.hoehe - y) * POINTS)}`
  }
  private male(filePath: string, { line, fill, breite = 0.2, dash = [] }: Color): void {
    const look = [
      ...(fill === undefined ? [] : [`${rgb(fill)} rg`]),
      ...(line === undefined
        ? []
        : [
            `${rgb(line)} RG ${n(breite * POINTS)} w [${dash.map((part) => n(part * POINTS)).join(' ')}] 0 d`,
          ]),
    ]
    const paint = fill === undefined ? 'S' : line === undefined ? 'f' : 'B'
    this.commands.push(`q ${look.join(' ')} ${filePath} ${paint} Q`)
  }

  line(from: Point, bis: Point, color: Color): void {
    this.male(`${this.ort(from)} m ${this.ort(bis)} l`, color)
  }
  polygon(points: readonly Point[], color: Color): void {
    this.male(`${points.map((point, at) => `${this.ort(point)} ${at === 0 ? 'm' : 'l'}`).join(' ')} h`, color)
  }
  rectangle({ x, y, breite, hoehe }: Rectangle, color: Color): void {
    this.polygon(
      [
        [x, y],
        [x + breite, y],
        [x + breite, y + hoehe],
        [x, y + hoehe],
      ],
      color,
    )
  }
  kreis([x, y]: Point, radius: number, color: Color): void {
    const k = radius * KAPPA
    const arc = (a: Point, b: Point, c: Point) => `${this.ort(a)} ${this.ort(b)} ${this.ort(c)} c`
    const filePath = [
      `${this.ort([x + radius, y])} m`,
      arc([x + radius, y + k], [x + k, y + radius], [x, y + radius]),
      arc([x - k, y + radius], [x - radius, y + k], [x - radius, y]),
      arc([x - radius, y - k], [x - k, y - radius], [x, y - radius]),
      arc([x + k, y - radius], [x + radius, y - k], [x + radius, y]),
    ]
    this.male(`${filePath.join(' ')} h`, color)
  }
  /** `groesse` in points; y is the baseline. */
  text(
    [x, y]: Point,
    text: string,
    {
      groesse = 9,
      bold = false,
      farbe = '#111111',
    }: { groesse?: number; bold?: boolean; farbe?: string } = {},
  ): void {
    const bytes = [...encodeWindows1252(text).bytes]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('')
    this.commands.push(
      `BT ${rgb(farbe)} rg /${bold ? 'F2' : 'F1'} ${n(groesse)} Tf ${this.ort([x, y])} Td <${bytes}> Tj ET`,
    )
  }
  /** At most one image per page, behind everything drawn after it. */
  bild(picture: Picture): void {
    const { x, y, breite, hoehe, frame } = picture
    this.pictureData = picture
    const points = (...lengths: readonly number[]) => lengths.map((length) => n(length * POINTS)).join(' ')
    const clip = points(frame.x, this.hoehe - frame.y - frame.hoehe, frame.breite, frame.hoehe)
    const placement = points(breite, 0, 0, hoehe, x, this.hoehe - y - hoehe)
    this.commands.push(`q ${clip} re W n ${placement} cm /Karte Do Q`)
  }

  /** A file with only this page. */
  write(details: Details): Uint8Array<ArrayBuffer> {
    return writePdf([this], details)
  }

  /** The page's content, for writePdf. */
  inhalt(): { readonly commands: string; readonly bild: Picture | null } {
    return { commands: this.commands.join('\n'), bild: this.pictureData }
  }
}

interface Details {
  readonly titel: string
  readonly createdAt: Date
}
/** Objects of every file before those of its pages: catalogue, page tree, two fonts, document information. */
const COMMON = 5

/** Numbered objects with their places in the file, and the table of these at its end. */
class ObjectWriter {
  readonly #parts: Uint8Array[] = []
  readonly #places: number[] = []
  #size = 0

  put(bytes: Uint8Array | string): void {
    const part = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes
    this.#parts.push(part)
    this.#size += part.length
  }
  object(head: string, stream?: Uint8Array): void {
    this.#places.push(this.#size)
    this.put(`${this.#places.length} 0 obj\n${head}`)
    if (stream !== undefined) {
      this.put('\nstream\n')
      this.put(stream)
      this.put('\nendstream')
    }
    this.put('\nendobj\n')
  }
  /** The whole file; its catalogue is the first object. */
  end(): Uint8Array<ArrayBuffer> {
    const start = this.#size
    const count = this.#places.length + 1
    const rows = this.#places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
    this.put(`xref\n0 ${count}\n0000000000 65535 f \n${rows}`)
    this.put(`trailer\n<< /Size ${count} /Root 1 0 R /Info ${COMMON} 0 R >>\nstartxref\n${start}\n%%EOF\n`)
    const whole = new Uint8Array(this.#size)
    let at = 0
    for (const part of this.#parts) {
      whole.set(part, at)
      at += part.length
    }
    return whole
  }
}

export function writePdf(pages: readonly PdfPage[], { titel, createdAt }: Details): Uint8Array<ArrayBuffer> {
  const contents = pages.map((page) => ({ seite: page, ...page.inhalt() }))
  // Each page has an object for itself, one for its content and, if needed, one for its image.
  let next = COMMON + 1
  const numbers = contents.map(({ bild }) => {
    const nr = next
    next += bild ? 3 : 2
    return nr
  })
  const font = (name: string) =>
    `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`
  const writer = new ObjectWriter()
  writer.put('%PDF-1.7\n%\u00e4\u00f6\u00fc\n')
  writer.object(
    '<< /Type /Catalog /Pages 2 0 R /Lang (de) /ViewerPreferences << /PrintScaling /None /DisplayDocTitle true >> >>',
  )
  const kids = numbers.map((nr) => `${nr} 0 R`).join(' ')
  writer.object(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`)
  writer.object(font('Helvetica'))
  writer.object(font('Helvetica-Bold'))
  writer.object(
    `<< /Title ${hexText(titel)} /Producer (Forstkontor) /CreationDate (D:${stamp(createdAt)}) >>`,
  )
  contents.forEach(({ seite, commands, bild }, at) => {
    const nr = numbers[at]!
    const content = new TextEncoder().encode(commands)
    const box = `[0 0 ${n(seite.breite * POINTS)} ${n(seite.hoehe * POINTS)}]`
    const resources = `/Font << /F1 3 0 R /F2 4 0 R >>${bild ? ` /XObject << /Karte ${nr + 2} 0 R >>` : ''}`
    writer.object(
      `<< /Type /Page /Parent 2 0 R /MediaBox ${box} /Contents ${nr + 1} 0 R /Resources << ${resources} >> >>`,
    )
    writer.object(`<< /Length ${content.length} >>`, content)
    if (bild) writer.object(imageHead(bild), bild.jpeg)
  })
  return writer.end()
}

const imageHead = ({ pixelWidth, pixelHeight, jpeg }: Picture): string =>
  [
    `<< /Type /XObject /Subtype /Image /Width ${pixelWidth} /Height ${pixelHeight}`,
    `/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>`,
  ].join(' ')

/** Width of a Helvetica text in millimetres: exact for digits, approximate for other characters. */
export const textWidth = (text: string, size: number): number =>
  ([...text].reduce((sum, sign) => sum + (/[.,: ]/.test(sign) ? 0.278 : sign === '-' ? 0.333 : 0.556), 0) *
    size) /
  POINTS

const hexText = (text: string): string =>
  `<feff${Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0')).join('')}>`
const stamp = (date: Date): string => date.toISOString().replaceAll(/[-:T]|\..*/g, '')
