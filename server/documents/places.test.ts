// Where the texts of a letter stand, with names, numbers and addresses as long as they may be: measured by an
// independent reader.
import { describe, expect, test } from 'vitest'
import type { Beleg } from '#domain/beleg.ts'
import * as belege from './beleg.fixture.ts'
import { bare, hasReader, type PaperWord, wordsOnPaper } from './paper.fixture.ts'
import { createWorkbench } from './typesetter.ts'

const typeset = createWorkbench().beleg
const typesetBare = (beleg: Beleg): Uint8Array => typeset(beleg, { logo: null, xml: null })
const places = (beleg: Beleg): PaperWord[] => wordsOnPaper(typesetBare(beleg))

const LONG = (
  'Forstbetriebsgemeinschaft der Waldbesitzerinnen und Waldbesitzer im Oberharzer Bergland und im südlichen ' +
  'Vorland mit Sitz in Clausthal-Zellerfeld, Altenau und Sankt Andreasberg, vertreten durch den Vorstand'
).padEnd(200, '.')
const NUMBER = 'RE-2026-NIEDERSACHSEN-SUED-OBERHARZ-BERGLAND-000000000000042'
const WIDE = 'W'.repeat(200)
const MAIL = 'rechnung.vermessung@waldvermessung-niedersachsen-sued.example'

const SHEET = { width: 595.3, height: 841.9 }
/** Printers leave a strip of 5 mm. */
const EDGE = 14
/** Upper edge of the text of a page that follows, in points. */
const BODY = 76

const long = (documentNumber: string, name: string, lieferant: string): Beleg => {
  const many = belege.manyPositions(60)
  return {
    ...many,
    nummer: documentNumber,
    empfaenger: { ...many.empfaenger, name, name_zusatz: name },
    lieferant: { ...many.lieferant, name: lieferant, kontoinhaber: 'Kasse' },
  }
}

const HOSTILE: readonly (readonly [string, Beleg])[] = [
  ['a customer’s name of 200 letters and a number of 60', long(NUMBER, LONG, belege.LIEFERANT.name)],
  ['all names of 200 letters', long(NUMBER, LONG, LONG)],
  ['names of 200 wide letters', long('W'.repeat(60), WIDE, WIDE)],
  ['an everyday document', belege.manyPositions(60)],
]

describe.skipIf(!hasReader)('the head of the following pages', () => {
  test.each(HOSTILE)('is whole: %s', (_why, beleg) => {
    const words = places(beleg)
    const pages = Math.max(...words.map(({ page }) => page))
    expect(pages).toBeGreaterThan(1)
    for (let page = 2; page <= pages; page += 1) {
      const head = words.filter((word) => word.page === page && word.bottom < BODY)
      const text = bare(head.map((word) => word.text).join(''))
      // Both names side by side: line by line they mix, so the letters are counted.
      const wanted = bare(
        `Rechnung${beleg.nummer}vom12.11.2026·${beleg.empfaenger.name}${beleg.lieferant.name}`,
      )
      for (const sign of new Set(wanted))
        expect(text.split(sign).length, `${sign} on page ${page}`).toBeGreaterThanOrEqual(
          wanted.split(sign).length,
        )
      expect(Math.min(...head.map(({ top }) => top))).toBeGreaterThan(EDGE)
    }
  })
  test.each(HOSTILE)('and every other word is on the sheet: %s', (_why, beleg) => {
    for (const { text, left, right, top, bottom } of places(beleg)) {
      expect(left, text).toBeGreaterThan(0)
      expect(right, text).toBeLessThan(SHEET.width - EDGE)
      expect(top, text).toBeGreaterThan(0)
      expect(bottom, text).toBeLessThan(SHEET.height - EDGE)
    }
  })
})

describe.skipIf(!hasReader)('an address is not parted', () => {
  test.each([
    'a@forst.example',
    belege.LIEFERANT.mail,
    'rechnungseingang@forstvermessung-harz.example',
    MAIL,
  ])('%s, in head and foot', (mail) => {
    const beleg = belege.belegOf({ lieferant: { ...belege.LIEFERANT, mail } }, [{}])
    expect(places(beleg).filter(({ text }) => text === mail)).toHaveLength(mail === MAIL ? 1 : 2)
  })
  test('a web address neither', () =>
    expect(places(belege.privatePerson()).map(({ text }) => text)).toContain(belege.LIEFERANT.webseite))
  test('one that cannot be read in one line is parted after its @', () => {
    const words = places(belege.belegOf({ lieferant: { ...belege.LIEFERANT, mail: MAIL } }, [{}]))
    const [name, domain] = MAIL.split('@')
    expect(words.map(({ text }) => text)).toEqual(expect.arrayContaining([`${name}@`, domain]))
  })
  test('a number gets no hyphen that is not its own', () => {
    const { nummer } = HOSTILE[0]![1]
    const words = places(HOSTILE[0]![1])
    const title = words.filter(({ page, top, bottom }) => page === 1 && bottom - top > 16 && top > 200)
    expect(title.map(({ text }) => text).join('')).toBe(`Rechnung${nummer}`)
  })
})

describe.skipIf(!hasReader)('what the law wants to be said', () => {
  const reverse = belege.belegOf(
    { skonto: [{ tage: 10, prozent: '3' }], empfaenger: { ...belege.RECIPIENT, ust_id: 'ATU13585627' } },
    [{ kategorie: 'AE', ust_satz: '0.00' }],
  )
  test.each([
    ['the retention note', belege.privatePerson(), 'aufbewahr|bewahren'],
    ['reverse charge', reverse, 'Steuerschuldnerschaft'],
    ['the small business', belege.smallBusiness(), 'Kleinunternehmer'],
    ['the reason of an exemption', belege.threeRates(), 'Umsatzsteuerfrei'],
  ])('%s is beside the sums, in at least 8 points', (_why, beleg, said) => {
    const words = places(beleg)
    const note = words.find(({ text }) => new RegExp(said).test(text))!
    // The first line of the sums or, of a small business, the only one.
    const sums = words.filter(
      ({ text, page, left }) => page === note.page && left > 250 && /^(?:Netto|Summe|Gesamt)/.test(text),
    )
    const [first, last] = [sums.at(0)!, sums.at(-1)!]
    expect(note.right).toBeLessThan(first.left)
    expect(note.top).toBeGreaterThan(first.top - 12)
    expect(note.top).toBeLessThan(last.bottom + 30)
    // A box is as high as the line of its size: body text has 10 points.
    const body = words.find(({ text }) => text === 'geehrte' || text === 'geehrter')!
    expect((note.bottom - note.top) / (body.bottom - body.top)).toBeGreaterThanOrEqual(0.8)
  })
  test('Skonto follows the sums in the size of the text', () => {
    const words = places(reverse)
    const skonto = words.find(({ text }) => text.startsWith('Skonto'))!
    const total = words.find(({ text }) => text === 'Gesamtbetrag')!
    const body = words.find(({ text }) => text === 'geehrte')!
    expect(skonto.bottom - skonto.top).toBeCloseTo(body.bottom - body.top, 1)
    expect(skonto.top).toBeGreaterThan(total.bottom)
    expect(skonto.top - total.bottom).toBeLessThan(70)
  })
  test('sums with long names keep the notes right below them', () => {
    const words = places({ ...belege.threeRates(), rabatt_grund: LONG })
    const note = words.find(({ text }) => text.startsWith('Umsatzsteuerfrei'))!
    const total = words.find(({ text }) => text === 'Zahlbetrag')!
    expect(note.page).toBe(total.page)
    expect(note.top).toBeGreaterThan(total.bottom)
    expect(note.top - total.bottom).toBeLessThan(30)
  })
})

test.skipIf(!hasReader)('a German document has no English words', () => {
  const all = [
    belege.threeRates(),
    belege.storno(),
    belege.xrechnung(),
    belege.mahnung(),
    belege.draftBeleg(),
    belege.privatePerson(),
    belege.smallBusiness(),
    belege.angebot(),
    belege.manyPositions(60),
    belege.belegOf({ empfaenger: { ...belege.RECIPIENT, ust_id: 'ATU13585627', land: 'AT' } }, [
      { kategorie: 'AE', ust_satz: '0.00' },
      { kategorie: 'O', ust_satz: '0.00', steuergrund: 'Nicht steuerbar' },
    ]),
  ]
    .flatMap(places)
    .map(({ text }) => text.replaceAll(/^[„(]+|[“).,:;]+$/g, ''))
  // Typst's own words, the names of months, and what bookkeeping likes to say in English.
  const english = new Set(
    (
      'page of contents figure table section chapter reverse charge invoice total amount date due vat draft ' +
      'quantity unit price january february march may june july october december the and for to hour hours piece'
    ).split(' '),
  )
  expect(all.filter((word) => english.has(word.toLowerCase()))).toEqual([])
  // Dates and amounts as Germans write them.
  expect(all.filter((word) => /^\d{4}-\d{2}-\d{2}$|^\d+,\d{3}\.\d/.test(word))).toEqual([])
  expect(all).toEqual(expect.arrayContaining(['Seite', 'schuldet', 'USt', 'Leistungszeitraum']))
})
