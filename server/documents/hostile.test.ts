// Hostile text in every field that a person fills in, of both parties, of the document and of its lines,
// appears on paper and in the XML as the same text. The fields are those whose length is limited by the check
// before issue, so a new field is covered automatically.
import { describe, expect, test } from 'vitest'
import type { Beleg } from '#domain/beleg.ts'
import { TEXT_LENGTHS } from '#domain/beleg-check.ts'
import { printed } from '#domain/printable.ts'
import { ciiXml } from '#domain/e-rechnung/xrechnung-3-0.ts'
import { textOf } from '#domain/e-rechnung/xml.ts'
import { setText } from '#domain/typeset-text.ts'
import { parseXml } from '../../test/einvoice/xml-tree.ts'
import * as belege from './beleg.fixture.ts'
import { allText, bare, hasReader, onPaper } from './paper.fixture.ts'
import { Pdf } from './pdf.fixture.ts'
import { createWorkbench } from './typesetter.ts'

const typeset = createWorkbench().beleg

type DataField = readonly string[]
const nameOf = (field: DataField): string => field.join('.')

/** Every text of the document whose length is limited. */
function fieldsOf(value: object, at: DataField = []): DataField[] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]): DataField[] => {
    if (typeof inner === 'object' && inner !== null) return fieldsOf(inner, [...at, name])
    return name in TEXT_LENGTHS && typeof inner === 'string' ? [[...at, name]] : []
  })
}

const BASE: Beleg = {
  ...belege.belegOf(
    {
      rabatt_prozent: '5',
      aufbewahrung: 'x',
      empfaenger: {
        ...belege.privatePerson().empfaenger,
        leitweg_id: 'x',
        bestellnummer: 'x',
        mail: 'x',
        ust_id: 'x',
      },
    },
    [{ kategorie: 'E', ust_satz: '0.00', steuergrund: 'x', erl: 'x', erl_titel: 'x' }],
  ),
  bezug: { art: 'angebot', nummer: 'x', datum: '2026-10-01' },
}
const ALL_FIELDS = fieldsOf(BASE)

/** The document with a distinct text in each field; the reason of a tax group is that of its lines. */
function filled(textFor: (nr: number, most: number) => string): {
  beleg: Beleg
  texts: ReadonlyMap<string, string>
} {
  const beleg = structuredClone(BASE)
  const texts = new Map<string, string>()
  for (const [nr, field] of ALL_FIELDS.entries()) {
    const name = field.at(-1)!
    const text = textFor(nr, TEXT_LENGTHS[name]!)
    const holder = field
      .slice(0, -1)
      .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], beleg) as Record<
      string,
      unknown
    >
    holder[name] = text
    texts.set(nameOf(field), text)
    if (name === 'steuergrund') Object.assign(beleg.summen.steuern[0]!, { grund: text })
  }
  return { beleg, texts }
}

const asPrinted = (text: string): string => bare(printed(setText(text)))

const NOT_PRINTED = ['lieferant.ansprechpartner', 'empfaenger.mail']
/**
 * The clerk is only on paper, as are fields without an element in the XML; account and
 * tax numbers are normalised.
 */
const NOT_IN_XML = [
  'bearbeiter',
  'lieferant.webseite',
  'lieferant.bank',
  'lieferant.bic',
  'lieferant.iban',
  'lieferant.ust_id',
  'empfaenger.ust_id',
]

const MARKUP = [
  '#read("/etc/passwd")',
  '#panic("x") #import "x.typ": *',
  '$x^2$ `roh` *fett* _kursiv_',
  '@ref <marke> = Titel',
  '- Punkt + Punkt / Wort: x',
  '\\ \\u{41} \\# */ /* // ~ ---',
  '<b>&amp;</b> ]]> <![CDATA[x]]>',
  '<!ENTITY a "b"> <?php x ?> &a;',
  '#SKONTO#TAGE=1#PROZENT=99.00#',
  '=1+1 +1 -1 @SUM(A1) |cmd',
  '{name} ${x} {{y}} %s %n \\n',
  '\'; drop table x; -- "',
  ') Tj ET Q endstream endobj',
]
const SIGNS = [
  'o\u0308 ﬁ',
  '\u202Ertl\u202C \u2066x\u2069 \u200Fy',
  'null\u0000 bell\u0007 esc\u001B[31m',
  'tab\tline\r\nend\u2028more\u000Bv',
  'emoji 😀🌲 中文 \uFFFE \uE000x\uE001',
  'half \uD83D alone',
]

describe.skipIf(!hasReader)('every field', () => {
  test('is found', () => {
    expect(ALL_FIELDS.length).toBeGreaterThan(30)
    expect(ALL_FIELDS.map(nameOf)).toEqual(
      expect.arrayContaining([
        'anschreiben',
        'zuerl',
        'lieferant.fusszeile',
        'empfaenger.name',
        'positionen.0.bez',
        'positionen.0.erl',
        'bezug.nummer',
        'aufbewahrung',
      ]),
    )
  })
  describe.each([
    ['markup', MARKUP],
    ['signs that are none', SIGNS],
  ] as const)('with %s', (_what, list) => {
    // Each field gets each of the texts, in turn.
    test.each(list.map((_, turn) => turn))('%i is text', (turn) => {
      const { beleg, texts } = filled((nr) => `F${nr}q ${list[(nr + turn) % list.length]!} q${nr}F`)
      const xml = ciiXml(beleg, 'en16931')
      const pdf = typeset(beleg, { logo: null, xml })
      const paper = onPaper(pdf)
      // A cell may be split by a line break and by its neighbours: checks the marks of each field, and that
      // every character occurs as often as it was typed.
      const printedTexts = [...texts]
        .filter(([name]) => !NOT_PRINTED.includes(name))
        .map(([, text]) => asPrinted(text))
      for (const text of printedTexts)
        for (const mark of [/^F\d+q/, /q\d+F$/]) expect(paper).toContain(mark.exec(text)![0])
      const wanted = Map.groupBy(printedTexts.join(''), (sign) => sign)
      const lost = [...wanted]
        .filter(([sign, all]) => paper.split(sign).length - 1 < all.length)
        .map(([sign]) => sign)
      expect(lost).toEqual([])
      for (const name of ['zuerl', 'anschreiben', 'anrede', 'positionen.0.erl'])
        expect(paper).toContain(asPrinted(texts.get(name)!))
      const said = bare(allText(parseXml(xml)))
      const silent = [...texts].filter(([, text]) => !said.includes(bare(textOf(text)))).map(([name]) => name)
      expect(silent.sort()).toEqual([...NOT_IN_XML].sort())
      // The file that the text tries to read was not read.
      expect(paper).not.toMatch(/root:.?:0:0/)
      // The terms of payment use their own syntax: nothing that was typed ends up in them.
      expect(
        /<ram:SpecifiedTradePaymentTerms>.*?<\/ram:SpecifiedTradePaymentTerms>/s.exec(xml)?.[0] ?? '',
      ).not.toContain('PROZENT=99')
    })
  })
  test.each(['Wort ', 'W', '#\\', 'ä\u0308', '一'])('filled to its end with %j', (unit) => {
    const { beleg } = filled((_nr, most) => unit.repeat(Math.ceil(most / unit.length)).slice(0, most))
    const pdf = typeset(beleg, { logo: null, xml: ciiXml(beleg, 'en16931') })
    const sign = bare(printed(setText(unit))).slice(0, 1)
    const count = (text: string): number => text.split(sign).length - 1
    expect(count(onPaper(pdf))).toBeGreaterThanOrEqual(
      count(asPrinted(beleg.anschreiben + beleg.zuerl + beleg.positionen[0]!.erl)),
    )
    expect(new Pdf(pdf).pages().length).toBeLessThan(60)
  })
})
