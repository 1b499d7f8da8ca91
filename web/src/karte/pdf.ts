// Pages of PDF: one picture each, lines, shapes and text in Helvetica, placed in millimetres from the upper left corner. As much of the format as a printed map needs.
import { encodeWindows1252 } from '#domain/windows-1252.ts'

export interface Farbe {
  /** #rrggbb */
  readonly linie?: string
  readonly fuellung?: string
  /** Millimetres. */
  readonly breite?: number
  readonly strich?: readonly number[]
}
type Punkt = readonly [x: number, y: number]
interface Rechteck {
  readonly x: number
  readonly y: number
  readonly breite: number
  readonly hoehe: number
}
interface Bild extends Rechteck {
  readonly jpeg: Uint8Array
  readonly pixelBreite: number
  readonly pixelHoehe: number
  /** What is seen of it. */
  readonly rahmen: Rechteck
}

const POINTS = 72 / 25.4
const n = (value: number): string => String(Math.round(value * 10_000) / 10_000)
const rgb = (hex: string): string => [1, 3, 5].map((at) => n(Number.parseInt(hex.slice(at, at + 2), 16) / 255)).join(' ')
/** Of a circle by four curves. */
const KAPPA = 0.5523

export class PdfSeite {
  readonly breite: number
  readonly hoehe: number
  private readonly befehle: string[] = []
  private bildDaten: Bild | null = null

  /** Millimetres. */
  constructor(breite: number, hoehe: number) {
    this.breite = breite
    this.hoehe = hoehe
  }

  private ort([x, y]: Punkt): string {
    return `${n(x * POINTS)} ${n((this.hoehe - y) * POINTS)}`
  }
  private male(pfad: string, { linie, fuellung, breite = 0.2, strich = [] }: Farbe): void {
    const look = [
      ...(fuellung === undefined ? [] : [`${rgb(fuellung)} rg`]),
      ...(linie === undefined
        ? []
        : [`${rgb(linie)} RG ${n(breite * POINTS)} w [${strich.map((part) => n(part * POINTS)).join(' ')}] 0 d`]),
    ]
    const paint = fuellung === undefined ? 'S' : linie === undefined ? 'f' : 'B'
    this.befehle.push(`q ${look.join(' ')} ${pfad} ${paint} Q`)
  }

  linie(von: Punkt, bis: Punkt, farbe: Farbe): void {
    this.male(`${this.ort(von)} m ${this.ort(bis)} l`, farbe)
  }
  vieleck(punkte: readonly Punkt[], farbe: Farbe): void {
    this.male(`${punkte.map((punkt, at) => `${this.ort(punkt)} ${at === 0 ? 'm' : 'l'}`).join(' ')} h`, farbe)
  }
  rechteck({ x, y, breite, hoehe }: Rechteck, farbe: Farbe): void {
    this.vieleck(
      [
        [x, y],
        [x + breite, y],
        [x + breite, y + hoehe],
        [x, y + hoehe],
      ],
      farbe,
    )
  }
  kreis([x, y]: Punkt, radius: number, farbe: Farbe): void {
    const k = radius * KAPPA
    const bogen = (a: Punkt, b: Punkt, c: Punkt) => `${this.ort(a)} ${this.ort(b)} ${this.ort(c)} c`
    const pfad = [
      `${this.ort([x + radius, y])} m`,
      bogen([x + radius, y + k], [x + k, y + radius], [x, y + radius]),
      bogen([x - k, y + radius], [x - radius, y + k], [x - radius, y]),
      bogen([x - radius, y - k], [x - k, y - radius], [x, y - radius]),
      bogen([x + k, y - radius], [x + radius, y - k], [x + radius, y]),
    ]
    this.male(`${pfad.join(' ')} h`, farbe)
  }
  /** `groesse` in points; y is the line that letters stand on. */
  text(
    [x, y]: Punkt,
    text: string,
    { groesse = 9, fett = false, farbe = '#111111' }: { groesse?: number; fett?: boolean; farbe?: string } = {},
  ): void {
    const bytes = [...encodeWindows1252(text).bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    this.befehle.push(`BT ${rgb(farbe)} rg /${fett ? 'F2' : 'F1'} ${n(groesse)} Tf ${this.ort([x, y])} Td <${bytes}> Tj ET`)
  }
  /** One picture per page, behind everything that is drawn after it. */
  bild(bild: Bild): void {
    const { x, y, breite, hoehe, rahmen } = bild
    this.bildDaten = bild
    const clip = `${n(rahmen.x * POINTS)} ${n((this.hoehe - rahmen.y - rahmen.hoehe) * POINTS)} ${n(rahmen.breite * POINTS)} ${n(rahmen.hoehe * POINTS)} re W n`
    this.befehle.push(
      `q ${clip} ${n(breite * POINTS)} 0 0 ${n(hoehe * POINTS)} ${n(x * POINTS)} ${n((this.hoehe - y - hoehe) * POINTS)} cm /Karte Do Q`,
    )
  }

  /** This page alone as a file. */
  schreibe(angaben: Angaben): Uint8Array<ArrayBuffer> {
    return schreibePdf([this], angaben)
  }

  /** What stands on it, for the file. */
  inhalt(): { readonly befehle: string; readonly bild: Bild | null } {
    return { befehle: this.befehle.join('\n'), bild: this.bildDaten }
  }
}

interface Angaben {
  readonly titel: string
  readonly erzeugt: Date
}
/** Objects that every file has, before those of its pages: catalogue, pages, two fonts, what the file is. */
const COMMON = 5

export function schreibePdf(seiten: readonly PdfSeite[], { titel, erzeugt }: Angaben): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = []
  const places: number[] = []
  let size = 0
  const put = (bytes: Uint8Array | string) => {
    const part = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes
    parts.push(part)
    size += part.length
  }
  const object = (head: string, stream?: Uint8Array) => {
    places.push(size)
    put(`${places.length} 0 obj\n${head}`)
    if (stream !== undefined) {
      put('\nstream\n')
      put(stream)
      put('\nendstream')
    }
    put('\nendobj\n')
  }
  const contents = seiten.map((seite) => ({ seite, ...seite.inhalt() }))
  // A page, what is written on it, and its picture where it has one.
  let next = COMMON + 1
  const numbers = contents.map(({ bild }) => {
    const nr = next
    next += bild ? 3 : 2
    return nr
  })
  const font = (name: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`
  put('%PDF-1.7\n%\u00e4\u00f6\u00fc\n')
  object('<< /Type /Catalog /Pages 2 0 R /Lang (de) /ViewerPreferences << /PrintScaling /None /DisplayDocTitle true >> >>')
  object(`<< /Type /Pages /Kids [${numbers.map((nr) => `${nr} 0 R`).join(' ')}] /Count ${seiten.length} >>`)
  object(font('Helvetica'))
  object(font('Helvetica-Bold'))
  object(`<< /Title ${hexText(titel)} /Producer (Forstkontor) /CreationDate (D:${stamp(erzeugt)}) >>`)
  contents.forEach(({ seite, befehle, bild }, at) => {
    const nr = numbers[at]!
    const content = new TextEncoder().encode(befehle)
    const box = `[0 0 ${n(seite.breite * POINTS)} ${n(seite.hoehe * POINTS)}]`
    object(
      `<< /Type /Page /Parent 2 0 R /MediaBox ${box} /Contents ${nr + 1} 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R >>${bild ? ` /XObject << /Karte ${nr + 2} 0 R >>` : ''} >> >>`,
    )
    object(`<< /Length ${content.length} >>`, content)
    if (bild)
      object(
        `<< /Type /XObject /Subtype /Image /Width ${bild.pixelBreite} /Height ${bild.pixelHoehe} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${bild.jpeg.length} >>`,
        bild.jpeg,
      )
  })
  const start = size
  put(
    `xref\n0 ${places.length + 1}\n0000000000 65535 f \n${places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')}`,
  )
  put(`trailer\n<< /Size ${places.length + 1} /Root 1 0 R /Info ${COMMON} 0 R >>\nstartxref\n${start}\n%%EOF\n`)
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Of a text in Helvetica, in millimetres: exact for figures, near for the rest. */
export const textBreite = (text: string, groesse: number): number =>
  ([...text].reduce((sum, sign) => sum + (/[.,: ]/.test(sign) ? 0.278 : sign === '-' ? 0.333 : 0.556), 0) * groesse) / POINTS

const hexText = (text: string): string =>
  `<feff${Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0')).join('')}>`
const stamp = (date: Date): string => date.toISOString().replaceAll(/[-:T]|\..*/g, '')
