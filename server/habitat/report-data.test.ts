// What a report contains, and that text typed by people stays text in it.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import sharp from 'sharp'
import { kawmOf } from '#domain/kawm.oracle.ts'
import { bare, hasReader, onPaper } from '../documents/paper.fixture.ts'
import { Pdf } from '../documents/pdf.fixture.ts'
import { createWorkbench } from '../documents/typesetter.ts'
import { treeOf, materialOf } from './report.fixture.ts'
import { reportData, type ReportChoice } from './report-data.ts'
import { bestandText } from './report-parts.ts'
import type { KawmFigures, Material } from './report-material.ts'

const workbench = createWorkbench()
const choiceOf = (material: Material, more: Partial<ReportChoice> = {}): ReportChoice => ({
  material,
  filter: [],
  bilder: [],
  gefragt: null,
  logo: null,
  stichtag: null,
  teil: { nr: 1, von: 1 },
  ...more,
})
const typeset = (
  choice: ReportChoice,
  pictures: { filePath: string; bytes: Uint8Array }[] = [],
): Uint8Array =>
  workbench.bericht({ template: 'report', tag: '2026-11-22', daten: reportData(choice), bilder: pictures })

/** 4 ha, 20 trees wanted; 12 recorded, 5 marked. */
const kawm: KawmFigures = (() => {
  const stand = {
    modul: true,
    eigene: true,
    flaeche_eigen: 4,
    flaeche_fe: 9,
    bewilligung: '2025-11-01',
    heute: '2026-11-22',
    erfasst: 12,
    markiert: 5,
    ohne_bild: 3,
  }
  return { ...stand, ...kawmOf(stand), anwaerter: 2, baeume: 10, verloren: 1, ohne_kawm: 4 }
})()

describe('the words of a report', () => {
  test('figures, species and the choice are told', () => {
    const trees = [
      treeOf(1),
      treeOf(2, {
        art: 'sei',
        status: 'anwaerter',
        markierung_art: null,
        markierung_datum: null,
        bhd_cm: null,
      }),
      treeOf(3, {
        zustand: 'stumpf',
        verlust_datum: '2026-05-01',
        verlust_grund: 'windwurf',
        kawm: false,
        erfasst_am: '2025-12-31',
      }),
    ]
    const { zahlen, verteilungen, info, listen } = reportData(
      choiceOf(materialOf(trees, { total: 8 }), { filter: ['Revier: 3', 'Foto: ohne'] }),
    )
    expect(Object.fromEntries(zahlen)).toEqual({
      Bäume: '3',
      'davon Habitatbäume': '2',
      'davon Anwärter': '1',
      markiert: '2',
      'abgestorben (stehend oder Stumpf)': '1',
      verloren: '1',
      'zählen nicht für die Förderung': '1',
      erfasst: '31.12.2025 bis 10.03.2026',
      'BHD im Mittel': '62 cm (2 Bäume gemessen)',
      'Lagegenauigkeit im Mittel': '± 2,5 m (Median)',
    })
    expect(verteilungen[0]!.zeilen).toEqual([
      ['Rotbuche', '2', '67 %'],
      ['Stieleiche', '1', '33 %'],
    ])
    expect(Object.fromEntries(info)).toMatchObject({
      Auswahl: '3 von 8 Bäume des Betriebs',
      Filter: 'Revier: 3; Foto: ohne',
    })
    expect(listen[0]!.zeilen[2]).toMatchObject({
      nummer: '3',
      bemerkung: 'Verlust am 01.05.2026: Windwurf.',
      zustand: ['Habitatbaum', 'Stumpf', 'nicht für KAWM'],
      markierung: ['Wellenlinie', '12.03.2026'],
      ort: ['320.042,0', '5.690.111,0'],
      genau: ['± 2,5 m', 'GNSS-Empfänger'],
      bestand: 'Rev. 3 / Abt. 17 / b / 2',
    })
  })
  test('a tree without a number is called by its place in the list, on the map as well', () => {
    const { listen, karten } = reportData(choiceOf(materialOf([treeOf(1), treeOf(2, { nummer: null })])))
    expect(listen[0]!.zeilen.map(({ nummer }) => nummer)).toEqual(['1', '(2)'])
    expect(karten[0]!.texte.map(({ text }) => text)).toContain('(2)')
  })
  test('a tree is in the stand of its address, and where that names none, in the one it lies in', () => {
    const levels = materialOf([]).kopf.ebenen
    const situation = { l: [null, '3', '2', 'a', null], s: 1 }
    expect(bestandText({ l: [null, '3', null, null, null], s: null, lage: null }, levels)).toBe('Rev. 3')
    expect(bestandText({ l: [null, null, null, null, null], s: null, lage: situation }, levels)).toBe(
      'Rev. 3 / Abt. 2 / a / 1 (nach Lage)',
    )
    expect(bestandText({ l: [null, '9', null, null, null], s: null, lage: situation }, levels)).toBe(
      'Rev. 9; Rev. 3 / Abt. 2 / a / 1 (nach Lage)',
    )
  })
  test('another system than the customer’s is told', () => {
    const material = materialOf([treeOf(1)])
    const { info } = reportData(choiceOf({ ...material, kopf: { ...material.kopf, epsg: 4326 } }))
    expect(Object.fromEntries(info)['Koordinaten']).toMatch(/25833 .* und WGS 84 \(EPSG 4326 des Kunden/)
  })
  test('photos that could not be printed are counted', () => {
    const { hinweise } = reportData(choiceOf(materialOf([treeOf(1)]), { gefragt: 3 }))
    expect(hinweise).toEqual([
      '3 Fotos fehlen, weil sie noch nicht verarbeitet sind oder sich nicht lesen ließen.',
    ])
  })
  test('a cover sheet says what is there and what is missing', () => {
    const { nachweis, titel } = reportData(
      choiceOf(materialOf([treeOf(1)], { kawm }), { stichtag: '2026-11-22' }),
    )
    expect(titel).toBe('KAWM-Nachweis: Habitatbäume')
    expect(nachweis!.grosse.map(({ name, wert, zusatz }) => [name, wert, zusatz])).toEqual([
      ['Soll (5 je Hektar)', '20', 'auf 4,00 ha'],
      ['Erfasst', '12', 'von 20'],
      ['Markiert', '5', 'von 20'],
      ['Fehlen noch', '8', 'zu markieren: 15'],
    ])
    expect(Object.fromEntries(nachweis!.zahlen)).toMatchObject({
      Förderfläche: '4,00 ha (eigene Angabe)',
      'Bewilligt am': '01.11.2025',
      'Markieren bis': '01.11.2027 (noch 344 Tage)',
      'Fläche natürlicher Entwicklung (5 %)': '0,20 ha (bis 100 ha freiwillig)',
    })
    expect(nachweis!.maengel).toEqual([
      'Es fehlen noch 8 Bäume bis zum Soll von 20 Habitatbäumen und Anwärtern.',
      '7 erfasste Bäume sind noch zu markieren.',
    ])
    expect(nachweis!.hinweise).toEqual(['3 Bäume haben kein Foto. Fotos erleichtern die Kontrolle vor Ort.'])
  })
  test('a later part holds its stretch of the list and nothing twice', () => {
    const trees = Array.from({ length: 2_003 }, (_, at) => treeOf(at + 1))
    const data = reportData(
      choiceOf(materialOf(trees, { kawm }), { stichtag: '2026-11-22', teil: { nr: 2, von: 2 } }),
    )
    expect([data.nachweis, data.karten, data.zahlen]).toEqual([null, [], []])
    expect(data.listen[0]!.titel).toBe('Liste der Bäume 2.001 bis 2.003 von 2.003')
    expect(data.listen[0]!.zeilen.map(({ nummer }) => nummer)).toEqual(['2001', '2002', '2003'])
  })
})

describe('on paper', () => {
  const info = (bytes: Uint8Array): string => {
    const folder = mkdtempSync(join(tmpdir(), 'forstkontor-bericht-'))
    try {
      writeFileSync(join(folder, 'x.pdf'), bytes)
      return execFileSync('pdfinfo', [join(folder, 'x.pdf')], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  test.skipIf(!hasReader)('it is tagged, German, archivable, and every page says which it is', () => {
    const pdf = typeset(
      choiceOf(
        materialOf(
          Array.from({ length: 60 }, (_, at) => treeOf(at + 1)),
          { kawm },
        ),
        { stichtag: '2026-11-22' },
      ),
    )
    const said = info(pdf)
    expect(said).toMatch(/Tagged:\s+yes/)
    expect(said).toMatch(/Title:\s+KAWM-Nachweis: Habitatbäume – Forstbetrieb Eichental/)
    const pages = Number(/Pages:\s+(\d+)/.exec(said)?.[1])
    const text = onPaper(pdf)
    expect(text).toContain(bare(`Seite ${pages} von ${pages}`))
    expect(text).toContain(bare('Es fehlen noch 8 Bäume'))
    expect(text).toContain(bare('Waldgut Eichental GmbH'))
    const read = new Pdf(pdf)
    expect(read.dictionary(read.root)).toContain('/Lang (de-DE)')
    expect(read.xmp).toMatch(/<pdfaid:part>3<\/pdfaid:part>\s*<pdfaid:conformance>A</)
    // The map is a picture with an alternative text.
    expect(read.dictionaries.filter((one) => /\/S \/Figure/.test(one) && one.includes('/Alt'))).toHaveLength(
      1,
    )
  })
  test.skipIf(!hasReader)('what people wrote stays words, whatever it looks like', () => {
    const hostile = [
      '#let x = 1; #import "/etc/passwd": * #panic("x")',
      '*fett* _kursiv_ $x^2$ `#eval` <marke> @verweis // rest /* rest */ \\ #"',
      '</svg><script>alert(1)</script>&amp;"\'',
      'vorn \u202Ehinten\u202C שלום \u0000\u0007 ende',
      `${'Z'.repeat(100_000)}`,
    ]
    const trees = hostile.map((remark, at) =>
      treeOf(at + 1, {
        bemerkung: remark,
        nummer: hostile[at]!.slice(0, 40),
        art: 'sonstige',
        art_text: remark.slice(0, 100),
      }),
    )
    const material = materialOf(trees)
    const head = {
      ...material.kopf,
      sHQ: hostile[0]!,
      wer: hostile[1]!,
      kunde: { ...material.kopf.kunde, name: hostile[2]! },
    }
    const pdf = typeset(choiceOf({ ...material, kopf: head }, { filter: hostile }))
    const text = onPaper(pdf)
    for (const word of [
      '#let x = 1; #import "/etc/passwd"',
      '*fett* _kursiv_ $x^2$',
      '</svg><script>alert(1)</script>',
    ])
      expect(text).toContain(bare(word))
    // The character that reverses the writing direction is removed, Hebrew has no glyphs in our fonts, and no
    // control character is left.
    expect(text).toContain(bare('vorn hinten □□□□ ende'))
    expect(text).not.toMatch(/[\u0000-\u0008\u202E]/)
    expect(text).not.toContain('root:x:0')
  })
  test.skipIf(!hasReader)(
    'photos stand under the number of their tree, each with words instead of it',
    async () => {
      const jpeg = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#446633' } })
        .jpeg()
        .toBuffer()
      const pictures = [
        {
          id: 8,
          habitat_id: 2,
          mittel: 'x',
          aufgenommen: '12.03.2026',
          bemerkung: null,
          filePath: '/foto/8.jpg',
        },
        {
          id: 9,
          habitat_id: 1,
          mittel: 'x',
          aufgenommen: null,
          bemerkung: 'Höhle #oben',
          filePath: '/foto/9.jpg',
        },
      ]
      const pdf = typeset(
        choiceOf(materialOf([treeOf(1), treeOf(2)]), { bilder: pictures, gefragt: 2 }),
        pictures.map(({ filePath }) => ({ filePath, bytes: jpeg })),
      )
      expect(onPaper(pdf)).toContain(
        bare('1 · Rotbuche ohne Aufnahmedatum · Höhle #oben 2 · Rotbuche aufgenommen am 12.03.2026'),
      )
      const alts = new Pdf(pdf).dictionaries.filter((one) => /\/S \/Figure/.test(one) && one.includes('/Alt'))
      expect(alts).toHaveLength(3)
    },
  )
  test('of no trees it is a report all the same', () =>
    expect(typeset(choiceOf(materialOf([], { umrisse: [] }))).length).toBeGreaterThan(5_000))
  test('the same is the same to the byte', () => {
    const once = () => Buffer.from(typeset(choiceOf(materialOf([treeOf(1), treeOf(2)]))))
    expect(once().equals(once())).toBe(true)
  })
  test('2,000 trees are one list, and no page of it is lost', { timeout: 120_000 }, () => {
    const pdf = typeset(
      choiceOf(
        materialOf(
          Array.from({ length: 2_000 }, (_, at) => treeOf(at + 1)),
          { umrisse: [] },
        ),
      ),
    )
    const text = new Pdf(pdf).text()
    for (const nr of [1, 999, 2_000]) expect(text).toMatch(new RegExp(`^${nr} Rotbuche`, 'm'))
  })
})
