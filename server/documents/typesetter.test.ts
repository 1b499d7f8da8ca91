import { createHash } from 'node:crypto'
import { Window } from 'happy-dom'
import readCode from 'jsqr'
import { describe, expect, test } from 'vitest'
import type { Beleg } from '#domain/beleg.ts'
import * as belege from './beleg.fixture.ts'
import { Pdf } from './pdf.fixture.ts'
import { createWorkbench, TypesetError } from './typesetter.ts'

const typeset = createWorkbench().beleg
const XML = `<?xml version="1.0" encoding="UTF-8"?>\n<a>${'Müßig &amp; Söhne '.repeat(400)}</a>\n`
const set = (beleg: Beleg, xml: string | null = null): Pdf => new Pdf(typeset(beleg, { logo: null, xml }))
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNkYPhfz0AEYBxVSF+FAP5FDvcfRYWgAAAAAElFTkSuQmCC',
  'base64',
)

const ALL = {
  'invoice of three rates': belege.threeRates,
  offer: belege.angebot,
  Storno: belege.storno,
  'view of an XRechnung': belege.xrechnung,
  '200 lines': belege.manyPositions,
  reminder: belege.mahnung,
  interest: belege.verzug,
  draft: belege.draftBeleg,
}

describe.each(Object.entries(ALL))('the file of the %s', (_name, make) => {
  const pdf = set(make())
  test('has a sound table of offsets', () => expect(pdf.dictionaries).toHaveLength(pdf.count))
  test('carries every font within', () => {
    const descriptors = pdf.dictionaries.filter((dictionary) => dictionary.includes('/Type /FontDescriptor'))
    expect(descriptors.length).toBeGreaterThan(1)
    for (const descriptor of descriptors) expect(descriptor).toMatch(/\/FontFile[23] \d+ 0 R/)
    for (const font of pdf.dictionaries.filter((dictionary) =>
      /\/Subtype \/(?:Type1|TrueType|Type3)\b/.test(dictionary),
    ))
      expect.fail(`a font that is not embedded: ${font}`)
  })
  test('says that it is PDF/A-3a in German, with title, author and structure', () => {
    const root = pdf.dictionary(pdf.root)
    expect(root).toContain('/Lang (de')
    expect(root).toContain('/StructTreeRoot')
    expect(root).toContain('/OutputIntents')
    const { xmp } = pdf
    expect(xmp).toContain('<pdfaid:part>3</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance>')
    expect(xmp).toContain('Waldvermessung Müßig &amp; Söhne GmbH</rdf:li></rdf:Seq></dc:creator>')
    expect(xmp).not.toContain('urn:factur-x')
    expect(pdf.attachments()).toEqual([])
  })
  test('is the same file each time, from another compiler as well', () =>
    expect(sha256(createWorkbench().beleg(make(), { logo: null, xml: null }))).toBe(
      sha256(typeset(make(), { logo: null, xml: null })),
    ))
})

describe('a hybrid invoice', () => {
  const hybrid = set(belege.threeRates(), XML)
  test('holds the XML byte for byte, as an alternative of itself', () => {
    const [attachment, ...others] = hybrid.attachments()
    expect(others).toEqual([])
    expect(attachment).toMatchObject({ name: 'factur-x.xml', relationship: 'Alternative', mime: 'text/xml' })
    expect(attachment!.bytes.equals(Buffer.from(XML))).toBe(true)
    expect(hybrid.dictionary(hybrid.root)).toMatch(/\/AF \[\d+ 0 R\]/)
  })
  test('has metadata that are sound XML and describe what they add', () => {
    const { window } = { window: new Window() }
    const document = new window.DOMParser().parseFromString(
      hybrid.xmp.replaceAll(/<\?xpacket.*?\?>/g, ''),
      'application/xml',
    )
    expect(document.querySelector('parsererror')).toBeNull()
    const text = (name: string): string[] =>
      [...document.getElementsByTagName(name)].map((element) => element.textContent)
    expect(text('fx:DocumentType')).toEqual(['INVOICE'])
    expect(text('fx:DocumentFileName')).toEqual(['factur-x.xml'])
    expect(text('fx:Version')).toEqual(['1.0'])
    expect(text('fx:ConformanceLevel')).toEqual(['EN 16931'])
    expect(text('pdfaSchema:prefix')).toContain('fx')
    expect(text('pdfaProperty:name')).toEqual(
      expect.arrayContaining(['DocumentFileName', 'DocumentType', 'Version', 'ConformanceLevel']),
    )
    expect(document.getElementsByTagName('pdfaExtension:schemas')).toHaveLength(1)
  })
  test('has a sound table of offsets, and one revision', () => {
    expect(hybrid.dictionaries).toHaveLength(hybrid.count)
    const file = Buffer.from(typeset(belege.threeRates(), { logo: null, xml: XML })).toString('latin1')
    expect(file.match(/^startxref$/gm)).toHaveLength(1)
    expect(file.match(/<\?xpacket begin/g)).toHaveLength(1)
  })
  test('is the same file each time', () =>
    expect(sha256(typeset(belege.threeRates(), { logo: null, xml: XML }))).toBe(
      sha256(createWorkbench().beleg(belege.threeRates(), { logo: null, xml: XML })),
    ))
  test('differs when one letter of the XML differs', () =>
    expect(sha256(typeset(belege.threeRates(), { logo: null, xml: XML.replace('Müßig', 'Mußig') }))).not.toBe(
      sha256(typeset(belege.threeRates(), { logo: null, xml: XML })),
    ))
  test('keeps XML that looks like a part of a PDF', () => {
    const hostile =
      `${XML}<!-- endstream endobj 1 0 obj << /Length 5 /Type /Metadata /Subtype /XML >> stream\n xref\n` +
      '0 3\n0000000001 00000 n \ntrailer startxref 5 %%EOF </rdf:RDF> -->'
    const pdf = set(belege.threeRates(), hostile)
    expect(pdf.attachments()[0]!.bytes.toString()).toBe(hostile)
    expect(pdf.dictionaries).toHaveLength(pdf.count)
    expect(pdf.xmp).toContain('<fx:DocumentType>')
  })
})

describe('the GiroCode', () => {
  /** As a camera sees it: painted from the path in the file, and decoded by an independent reader. */
  function scanned(pdf: Pdf): string[] {
    const DOTS = 4
    return pdf.codes().map((modules) => {
      const size =
        DOTS * Math.max(...modules.map(({ x, y, width, height }) => Math.max(x + width, y + height) + 4))
      const picture = new Uint8ClampedArray(4 * size * size).fill(255)
      for (const { x, y, width, height } of modules)
        for (let row = DOTS * y; row < DOTS * (y + height); row++)
          for (let column = DOTS * x; column < DOTS * (x + width); column++)
            picture.set([0, 0, 0], 4 * (row * size + column))
      return readCode(picture, size, size)?.data ?? 'not readable'
    })
  }
  test('of an invoice asks for its amount with its number', () =>
    expect(scanned(set(belege.threeRates()))).toEqual([
      'BCD\n002\n1\nSCT\nBYLADEM1001\nWaldvermessung Müßig & Söhne GmbH\nDE02120300000000202051\n' +
        'EUR5784.20\n\n\nRE-2026-0042',
    ]))
  test('of a reminder asks for what is open, with the number of the invoice', () =>
    expect(scanned(set(belege.mahnung()))).toEqual([
      expect.stringMatching(/\nEUR992\.50\n\n\nRE-2026-0042$/),
    ]))
  test('of the longest texts is still read', () => {
    const lieferant = { ...belege.threeRates().lieferant, kontoinhaber: 'Ä'.repeat(70) }
    const [code] = scanned(
      set(belege.belegOf({ lieferant, nummer: 'RE-'.padEnd(60, '9') }, [{ ep: '99999.99' }])),
    )
    expect(code).toContain(`\n${'Ä'.repeat(70)}\n`)
    expect(code).toContain(`\n${'RE-'.padEnd(60, '9')}`)
  })
  test('is not on a draft, a Storno or an offer', () => {
    for (const make of [belege.draftBeleg, belege.storno, belege.angebot])
      expect(scanned(set(make()))).toEqual([])
  })
})

describe('on paper', () => {
  test('all lines stand once and in order, and each page break carries over what was computed', () => {
    const beleg = belege.manyPositions()
    const pages = set(beleg).pages()
    expect(pages.length).toBeGreaterThan(4)
    const all = pages.flatMap(({ lines }) => lines)
    const numbers = all.flatMap((line) => /^(\d+) Grenzpunkt (\d+) /.exec(line)?.slice(1, 3) ?? [])
    expect(numbers).toEqual(beleg.positionen.flatMap(({ nr }) => [nr, nr]))
    const cents = (german: string): number => Number(german.replaceAll(/[.,]/g, ''))
    let running = 0
    for (const [index, { lines }] of pages.entries()) {
      const carried = lines
        .filter((line) => line.startsWith('Übertrag '))
        .map((line) => cents(line.slice('Übertrag '.length)))
      const rows = lines
        .flatMap((line) => /^\d+ Grenzpunkt .* ([\d.]+,\d\d)$/.exec(line)?.[1] ?? [])
        .map(cents)
      const before = running
      running += rows.reduce((sum, amount) => sum + amount, 0)
      const isLast = index === pages.length - 1
      expect(carried).toEqual([...(index === 0 ? [] : [before]), ...(isLast ? [] : [running])])
      if (rows.length > 0) expect(lines.some((line) => line.startsWith('Nr. Bezeichnung Menge'))).toBe(true)
      expect(lines).toContain(`Seite ${index + 1} von ${pages.length}`)
    }
    expect(running).toBe(cents(beleg.summen.positionen.replace('.', ',')))
  })

  test('no heading stands alone at the foot of a page, and no subtotal at the head of one', () => {
    for (let filler = 8; filler < 30; filler++) {
      const beleg = belege.belegOf({}, [
        ...Array.from({ length: filler }, (_, index) => ({ bez: `Füller ${index}` })),
        { art: 'ueberschrift' as const, bez: 'Überschrift Eins' },
        { bez: 'Darunter' },
        { art: 'ueberschrift' as const, bez: 'Überschrift Zwei' },
        { bez: 'Letzte' },
      ])
      for (const { lines } of set(beleg).pages()) {
        const at = (text: string): number => lines.findIndex((line) => line.includes(text))
        for (const [heading, below] of [
          ['Überschrift Eins', ' Darunter '],
          ['Überschrift Zwei', ' Letzte '],
        ] as const) {
          const head = lines.findIndex((line) => line.endsWith(heading) && !line.startsWith('Summe'))
          expect(at(below) > head).toBe(at(below) !== -1)
          expect(head === -1).toBe(at(below) === -1)
          expect(lines.some((line) => line.startsWith(`Summe`) && line.includes(heading))).toBe(
            at(below) !== -1,
          )
        }
      }
    }
  })

  test('commas of a column stand below each other', () => {
    const beleg = belege.belegOf({}, [
      { anzahl: '1', ep: '0.4217' },
      { anzahl: '12.5', ep: '1234.50' },
      { anzahl: '0.125', ep: '99999.999' },
    ])
    const { runs } = set(beleg).pages()[0]!
    const digit = 0.497 * 9.5
    const integerEnd = (text: string): number => {
      const run = runs.find((candidate) => candidate.text === text)!
      const [whole] = text.split(',')
      const dots = (whole!.match(/\./g) ?? []).length
      return run.x + (whole!.length - dots) * digit + dots * 0.249 * 9.5
    }
    const close = (texts: readonly string[]): void => {
      for (const text of texts)
        expect(Math.abs(integerEnd(text) - integerEnd(texts[0]!)), text).toBeLessThan(0.6)
    }
    close(['0,4217', '1.234,50', '99.999,999'])
    close(['12,5', '0,125'])
  })

  test('markup in a text is text', () => {
    const hostile =
      '#panic("x") *fett* _kursiv_ $x^2$ `roh` \\ [#read("/beleg.typ")] <marke> @ref // Kommentar'
    expect(
      set(belege.belegOf({ zuerl: hostile }, [{ bez: 'kurz' }]))
        .text()
        .replaceAll(/\s+/g, ' '),
    ).toContain(hostile)
  })

  test('a word without a place to break stays in its column and leaves no sign, as do amounts of billions', () => {
    const url = 'https://geo.example/'.padEnd(120, 'x')
    const pdf = set(
      belege.belegOf({ zuerl: url }, [
        { bez: 'W'.repeat(300), anzahl: '999999999.999', ep: '9999.9999', einheit: 'laufende Meter' },
      ]),
    )
    const [first] = pdf.pages()
    const quantity = first!.runs.find(({ text }) => text === '999.999.999,999')!
    const letters = first!.runs.filter(({ text }) => /^W+$/.test(text))
    expect(letters.map(({ text }) => text).join('')).toBe('W'.repeat(300))
    for (const { x, text } of letters) expect(x + text.length * 0.8 * 9.5).toBeLessThan(quantity.x)
    expect(
      pdf
        .pages()
        .flatMap(({ runs }) => runs.map(({ text }) => text))
        .join(''),
    ).toContain(url)
    for (const { x, text } of first!.runs.filter((run) => /^[\d.]+,\d+$/.test(run.text)))
      expect(x + text.length * 0.4 * 9.5).toBeLessThan(595 - 56)
  })

  test('a long address is set smaller and stays in the window with its last line', () => {
    const recipient = {
      ...belege.RECIPIENT,
      name: 'Forstbetriebsgemeinschaft Oberharz-Solling-Weserbergland w. V. und Partner mit sehr langem Namen',
      name_zusatz: 'zu Händen Frau Dr. Schmidt-Rüdesheim\nAbteilung Liegenschaften\nGebäude 4',
      strasse: 'Donaudampfschifffahrtsgesellschaftskapitänsstraße 123',
      land: 'AT',
    }
    const { runs } = set(belege.belegOf({ empfaenger: recipient }, [{}])).pages()[0]!
    expect((runs.find(({ text }) => text.startsWith('ÖSTERREICH'))!.y / 72) * 25.4).toBeLessThan(90)
  })

  test('an explanation of several pages is parted and complete', () => {
    const explanation = Array.from({ length: 240 }, (_, index) => `Zeile ${index + 1} der Erläuterung`).join(
      '\n',
    )
    const pages = set(belege.belegOf({}, [{ erl: explanation }, {}])).pages()
    const found = pages
      .flatMap(({ lines }) => lines.flatMap((line) => /Zeile (\d+) der/.exec(line)?.[1] ?? []))
      .map(Number)
    expect(found).toEqual(Array.from({ length: 240 }, (_, index) => index + 1))
  })

  test('a draft says so on each page, an issued document nowhere', () => {
    for (const { runs } of set(belege.draftBeleg()).pages())
      expect(runs.map(({ text }) => text)).toContain('ENTWURF')
    expect(set(belege.threeRates()).text()).not.toContain('ENTWURF')
  })

  test('the address is in the window of DIN 5008 form B', () => {
    const { runs } = set(belege.threeRates()).pages()[0]!
    const mm = (points: number): number => (points / 72) * 25.4
    for (const text of ['Niedersächsische Landesforsten', 'Forstamt Seesen', '38723 Seesen']) {
      const run = runs.find((candidate) => candidate.text === text)!
      expect(mm(run.x)).toBeCloseTo(25, 1)
      expect(mm(run.y)).toBeGreaterThan(62.7)
      expect(mm(run.y)).toBeLessThan(90)
    }
  })

  test('a document without lines can be printed', () =>
    expect(set(belege.belegOf({ anschreiben: '', zuerl: '' }, [])).pages()).toHaveLength(1))
})

describe('a logo', () => {
  test('is drawn', () => {
    const pdf = new Pdf(typeset(belege.xrechnung(), { logo: { bytes: PNG, typ: 'image/png' }, xml: null }))
    expect(pdf.dictionaries.some((dictionary) => dictionary.includes('/Subtype /Image'))).toBe(true)
  })
  test.each([
    ['no image', Buffer.from('kein Bild'), 'image/png'],
    ['an image of another kind', PNG, 'image/jpeg'],
    [
      'a drawing that asks for a file of the machine',
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><image href="file:///etc/passwd"/></svg>',
      ),
      'image/svg+xml',
    ],
  ] as const)('that is %s is told apart from a fault of the document', (_what, bytes, kind) => {
    const attempt = (): unknown => typeset(belege.xrechnung(), { logo: { bytes, typ: kind }, xml: null })
    expect(attempt).toThrow(TypesetError)
    expect(attempt).toThrow(expect.objectContaining({ code: 'logo' }))
  })
})
