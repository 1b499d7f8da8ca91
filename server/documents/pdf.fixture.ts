// Reads PDFs by Typst for the tests: objects by the table of offsets, text by the fonts' own
// tables, attachments, metadata.
import { inflateSync } from 'node:zlib'

export interface Run {
  readonly x: number
  /** From the upper edge of the sheet, in points. */
  readonly y: number
  readonly text: string
}

export interface Page {
  readonly runs: readonly Run[]
  /** Runs of the same height, from left to right. */
  readonly lines: readonly string[]
}

const SHEET = 841.8898

export class Pdf {
  readonly #bytes: Buffer
  readonly #text: string
  readonly #offsets = new Map<number, number>()
  readonly root: number

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes)
    this.#text = this.#bytes.toString('latin1')
    const start = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(this.#text)?.[1])
    const table = /^xref\r?\n0 (\d+)\r?\n/.exec(this.#text.slice(start))
    if (!table) throw new Error('no table of offsets where startxref says')
    let at = start + table[0].length
    for (let index = 0; index < Number(table[1]); index++, at += 20) {
      const [offset, , kind] = this.#text.slice(at, at + 18).split(' ')
      if (kind === 'n') this.#offsets.set(index, Number(offset))
    }
    this.root = Number(/\/Root (\d+) 0 R/.exec(this.#text.slice(at))?.[1])
  }

  get count(): number {
    return this.#offsets.size
  }

  /** Throws where an offset does not lead to its object. */
  dictionary(id: number): string {
    const offset = this.#offsets.get(id) ?? -1
    const head = `${id} 0 obj`
    if (!this.#text.startsWith(head, offset)) throw new Error(`object ${id} is not at ${offset}`)
    const end = this.#text.indexOf('endobj', offset)
    const stream = this.#text.indexOf('>>\nstream\n', offset)
    return this.#text.slice(offset + head.length, stream !== -1 && stream < end ? stream + 2 : end)
  }

  stream(id: number): Buffer {
    const dictionary = this.dictionary(id)
    const start = this.#text.indexOf('>>\nstream\n', this.#offsets.get(id)) + '>>\nstream\n'.length
    const data = this.#bytes.subarray(start, start + Number(/\/Length (\d+)/.exec(dictionary)?.[1]))
    return dictionary.includes('/FlateDecode') ? inflateSync(data) : data
  }

  get dictionaries(): string[] {
    return [...this.#offsets.keys()].map((id) => this.dictionary(id))
  }

  get xmp(): string {
    return this.stream(reference(this.dictionary(this.root), 'Metadata')).toString('utf8')
  }

  attachments(): { name: string; relationship: string; mime: string; bytes: Buffer }[] {
    return this.dictionaries
      .filter((dictionary) => dictionary.includes('/Type /Filespec'))
      .map((dictionary) => {
        const file = reference(dictionary, 'F')
        return {
          name: /\/UF \((.*)\)/.exec(dictionary)?.[1] ?? '',
          relationship: /\/AFRelationship \/(\w+)/.exec(dictionary)?.[1] ?? '',
          mime: (/\/Subtype \/(\S+)/.exec(this.dictionary(file))?.[1] ?? '').replace('#2F', '/'),
          bytes: this.stream(file),
        }
      })
  }

  pages(): Page[] {
    const kids =
      /\/Kids \[([^\]]*)\]/.exec(this.dictionary(reference(this.dictionary(this.root), 'Pages')))?.[1] ?? ''
    return [...kids.matchAll(/(\d+) 0 R/g)].map(([, id]) => this.#page(Number(id)))
  }

  /** All text, line by line. */
  text(): string {
    return this.pages()
      .map(({ lines }) => lines.join('\n'))
      .join('\n')
  }

  /**
   * Rectangles that follow each other in one path, where there are so many that they must be a QR code;
   * in units of its modules.
   */
  codes(): { x: number; y: number; width: number; height: number }[][] {
    const contents = this.dictionaries.flatMap(
      (dictionary) => /\/Contents (\d+) 0 R/.exec(dictionary)?.[1] ?? [],
    )
    return contents.flatMap((id) =>
      [
        ...this.stream(Number(id))
          .toString('latin1')
          .matchAll(/(?:[\d.]+ [\d.]+ [ml]\n){4}h\n(?:(?:[\d.]+ [\d.]+ [ml]\n){4}h\n){100,}f\n/g),
      ].map(([path]) =>
        [...path.matchAll(/([\d.]+) ([\d.]+) m\n[\d.]+ [\d.]+ l\n([\d.]+) ([\d.]+) l\n/g)].map(
          ([, ...corners]) => {
            const [x = 0, y = 0, right = 0, bottom = 0] = corners.map(Number)
            return { x, y, width: right - x, height: bottom - y }
          },
        ),
      ),
    )
  }

  #page(id: number): Page {
    const dictionary = this.dictionary(id)
    const fonts = new Map(
      [...dictionary.matchAll(/\/(f\d+) (\d+) 0 R/g)].map(([, name, font]) => [
        name!,
        this.#letters(Number(font)),
      ]),
    )
    const runs = runsOf(this.stream(reference(dictionary, 'Contents')).toString('latin1'), fonts)
    const heights = Map.groupBy(runs, ({ y }) => Math.round(y))
    const lines = [...heights]
      .sort(([a], [b]) => a - b)
      .map(([, line]) =>
        line
          .toSorted((a, b) => a.x - b.x)
          .map(({ text }) => text)
          .join(' '),
      )
    return { runs, lines }
  }

  #letters(font: number): Map<string, string> {
    const cmap = this.stream(reference(this.dictionary(font), 'ToUnicode')).toString('latin1')
    return new Map(
      [...cmap.matchAll(/<([0-9A-F]{4})> <((?:[0-9A-F]{4})+)>\n/g)].map(([, code, text]) => [
        code!,
        utf16(text!),
      ]),
    )
  }
}

const reference = (dictionary: string, key: string): number =>
  Number(new RegExp(`/${key} (\\d+) 0 R`).exec(dictionary)?.[1])

const utf16 = (hex: string): string =>
  String.fromCharCode(...hex.match(/.{4}/g)!.map((unit) => Number.parseInt(unit, 16)))

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
const unescaped = (literal: string): string =>
  literal.replaceAll(/\\(?:([0-7]{1,3})|(.))/gs, (_whole, octal: string | undefined, sign: string) =>
    octal === undefined ? (ESCAPES[sign] ?? sign) : String.fromCharCode(Number.parseInt(octal, 8)),
  )

function decoded(show: string, letters: Map<string, string>): string {
  const codes = [...show.matchAll(/\(((?:\\.|[^\\)])*)\)/gs)]
    .map(([, literal]) => unescaped(literal!))
    .join('')
  return (codes.match(/../gs) ?? [])
    .map(
      (pair) =>
        letters.get(
          [...pair]
            .map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0'))
            .join('')
            .toUpperCase(),
        ) ?? '\uFFFD',
    )
    .join('')
}

/** Text has its own coordinates: `a b c d x y cm`, then one TJ. */
function runsOf(content: string, fonts: Map<string, Map<string, string>>): Run[] {
  const runs: Run[] = []
  let [x, y] = [0, 0]
  let letters = new Map<string, string>()
  const TOKEN = new RegExp(
    [
      /(?:[-.\d]+ ){4}([-.\d]+) ([-.\d]+) cm/,
      /(?:[-.\d]+ ){4}([-.\d]+) ([-.\d]+) Tm/,
      /\/(f\d+) [\d.]+ Tf/,
      /(\[(?:\((?:\\.|[^\\)])*\)|[^\]()])*\]) TJ/,
      /(\((?:\\.|[^\\)])*\)) Tj/,
    ]
      .map(({ source }) => source)
      .join('|'),
    'gs',
  )
  let [dx, dy] = [0, 0]
  for (const [, cmX, cmY, tmX, tmY, font, array, single] of content.matchAll(TOKEN)) {
    if (cmX !== undefined) [x, y] = [Number(cmX), SHEET - Number(cmY)]
    else if (tmX !== undefined) [dx, dy] = [Number(tmX), Number(tmY)]
    else if (font !== undefined) letters = fonts.get(font) ?? letters
    else runs.push({ x: x + dx, y: y + dy, text: decoded(array ?? single!, letters) })
  }
  return runs
}
