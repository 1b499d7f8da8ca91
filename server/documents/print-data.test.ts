import { describe, expect, test } from 'vitest'
import type { Beleg } from '#domain/beleg.ts'
import * as belege from './beleg.fixture.ts'
import { fileNameOf, xmlOf } from './document.ts'
import { printData } from './print-data.ts'

const PLAIN = { logo: null, xml: false }
const words = (beleg: Beleg): string[] =>
  (printData(beleg, PLAIN).zahlung?.saetze ?? []).flat().map((text) => text.replaceAll('\u00A0', ' '))
const sums = (beleg: Beleg): [string, string][] =>
  printData(beleg, PLAIN).summen.map(({ name, wert }) => [name.replaceAll('\u00A0', ' '), wert])
const notes = (beleg: Beleg): string[] =>
  printData(beleg, PLAIN)
    .hinweise.flat()
    .map((text) => text.replaceAll('\u00A0', ' '))

describe('sums on paper', () => {
  test('discount, groups, what was paid, what is left', () =>
    expect(sums(belege.threeRates())).toEqual([
      ['Summe der Positionen', '6.068,91'],
      ['abzüglich 5 % Rabatt (Rahmenvertrag)', '−303,45'],
      ['Nettobetrag', '5.765,46'],
      ['USt 19 % auf 5.299,20 €', '1.006,85'],
      ['USt 7 % auf 169,86 €', '11,89'],
      ['steuerfrei 296,40 €, USt 0 %', '0,00'],
      ['Gesamtbetrag in €', '6.784,20'],
      ['Bereits gezahlt', '−1.000,00'],
      ['Zahlbetrag in €', '5.784,20'],
    ]))
  test('a discount below zero is a surcharge', () =>
    expect(sums(belege.surcharged()).slice(0, 3)).toEqual([
      ['Summe der Positionen', '100,00'],
      ['zuzüglich 7,5 % Zuschlag (Steilhang)', '7,50'],
      ['Nettobetrag', '107,50'],
    ]))
  test('of a Storno are those of the invoice with the other sign', () => {
    const turned = (wert: string): string =>
      wert === '0,00' ? wert : wert.startsWith('−') ? wert.slice(1) : `−${wert}`
    expect(sums(belege.storno()).map(([, wert]) => wert)).toEqual(
      sums(belege.threeRates()).map(([, wert]) => turned(wert)),
    )
  })
  test('of a Kleinunternehmer name no tax', () => {
    expect(sums(belege.smallBusiness())).toEqual([['Gesamtbetrag in €', '224,40']])
    expect(notes(belege.smallBusiness())).toEqual(['Steuerbefreiung für Kleinunternehmer (§ 19 UStG).'])
    expect(printData(belege.smallBusiness(), PLAIN).tabelle.ust).toBe(false)
  })
  test('of a reminder', () =>
    expect(sums(belege.mahnung())).toEqual([
      ['Rechnung RE-2026-0042 vom 12.11.2026, fällig am 12.12.2026', '1.487,50'],
      ['Bereits gezahlt', '−500,00'],
      ['Mahngebühr', '5,00'],
      ['Offener Betrag in €', '992,50'],
    ]))
})

test('interest says how it was computed', () => {
  const letter = printData(belege.verzug(), PLAIN)
  expect(letter.summen.slice(-3).map(({ name, wert }) => [name, wert])).toEqual([
    ['Verzugszinsen bis 20.07.2025', '10,85'],
    ['Verzugspauschale', '40,00'],
    ['Offener Betrag in €', '1.043,35'],
  ])
  expect(letter.zinsen).toEqual({
    summe: '10,85',
    zeilen: [
      {
        zeitraum: '15.06.2025\u00A0– 30.06.2025',
        tage: '16',
        betrag: '1.000,00',
        satz: '2,27\u00A0% + 9\u00A0% = 11,27\u00A0%',
        zinsen: '4,94',
      },
      {
        zeitraum: '01.07.2025\u00A0– 20.07.2025',
        tage: '20',
        betrag: '1.050,00',
        satz: '1,27\u00A0% + 9\u00A0% = 10,27\u00A0%',
        zinsen: '5,91',
      },
    ],
  })
  expect(letter.hinweise.flat().join(' ')).toMatch(
    /§ 288 Abs\. 2 BGB: neun .*§ 288 Abs\. 5 BGB.*Umsatzsteuer/,
  )
  expect(printData(belege.mahnung(), PLAIN)).toMatchObject({ zinsen: null, hinweise: [] })
})

describe('how to pay', () => {
  test('with each tier of the discount', () =>
    expect(words(belege.threeRates())).toEqual([
      'Bitte überweisen Sie 5.784,20 € bis zum 12.12.2026 auf dieses Konto.',
      'Bei Zahlung bis zum 22.11.2026 gewähren wir 3 % Skonto: 173,53 € Abzug, zu zahlen sind dann 5.610,67 €.',
      'Bei Zahlung bis zum 02.12.2026 gewähren wir 1,5 % Skonto: 86,76 € Abzug, zu zahlen sind dann 5.697,44 €.',
    ]))
  test('a code for banking apps only where something is to be paid, and never on a draft', () => {
    const code = (beleg: Beleg) => printData(beleg, PLAIN).zahlung?.giro ?? null
    expect(code(belege.threeRates())?.svg).toMatch(/^<svg [^>]*viewBox="0 0 (\d+) \1"/)
    expect(code(belege.mahnung())?.alt).toContain('RE-2026-0042')
    const named = belege.threeRates()
    const nameless = { ...named, lieferant: { ...named.lieferant, kontoinhaber: '' } }
    expect(code(nameless)?.alt).toContain(` an ${named.lieferant.name}, IBAN`)
    for (const beleg of [
      belege.storno(),
      belege.draftBeleg(),
      belege.angebot(),
      belege.belegOf({}, [{ ep: '100.00' }], '119.00'),
    ])
      expect(code(beleg)).toBeNull()
  })
  test('nothing, when all is paid, and what is left over', () => {
    expect(words(belege.belegOf({}, [{ ep: '100.00' }], '119.00'))).toEqual([
      'Der Betrag ist vollständig beglichen, es ist nichts mehr zu zahlen.',
    ])
    expect(words(belege.belegOf({}, [{ ep: '100.00' }], '120.00'))).toEqual([
      'Zu Ihren Gunsten verbleiben 1,00 €.',
    ])
  })
  test('a Storno names what it takes back', () => {
    expect(words(belege.storno())).toEqual([
      'Diese Stornorechnung hebt die Rechnung RE-2026-0042 vom 12.11.2026 in voller Höhe auf.',
    ])
    expect(printData(belege.storno(), PLAIN)).toMatchObject({
      titel: 'Stornorechnung RE-2026-0043',
      untertitel: 'zur Rechnung RE-2026-0042 vom 12.11.2026',
    })
  })
})

test('a correction names the invoice specifically and unambiguously (§ 31 (5) UStDV)', () => {
  expect(printData(belege.korrektur(), PLAIN)).toMatchObject({
    titel: 'Rechnungskorrektur RE-2026-0049',
    untertitel: 'zur Rechnung Nr. RE-2026-0042 vom 12.11.2026',
    zahlung: { konto: [], giro: null },
  })
  expect(printData(belege.korrektur(), PLAIN).zahlung!.saetze.join(' ')).toMatch(
    /mindert die Rechnung Nr. RE-2026-0042 vom 12.11.2026 um 186,83/,
  )
})

test('a Storno greets where it gives a reason', () => {
  expect(printData(belege.storno(), PLAIN).anrede).toEqual([])
  expect(printData({ ...belege.storno(), anschreiben: 'Falscher Empfänger.' }, PLAIN).anrede).toEqual([
    ['Sehr geehrte Damen und Herren,'],
  ])
})

describe('what the law wants said', () => {
  test('the reason beside each group without tax', () =>
    expect(notes(belege.threeRates())).toEqual([
      'Ohne Umsatzsteuer über 296,40 €: Umsatzsteuerfrei nach § 4 Nr. 8 UStG.',
    ]))
  test('how long a private person keeps it', () =>
    expect(notes(belege.privatePerson())[0]).toContain('§ 14b Abs. 1 Satz 5 UStG'))
  test('in the words of the settings, line by line; in none where they are empty', () => {
    const told = (retention: string) =>
      printData({ ...belege.privatePerson(), aufbewahrung: retention }, PLAIN).hinweise
    expect(told('Zwei Jahre\naufbewahren!\n\nDanke.')).toEqual([['Zwei Jahre', 'aufbewahren!'], ['Danke.']])
    expect(told('\n')).toEqual([])
    expect(
      notes({
        ...belege.privatePerson(),
        zuerl: 'Die Rechnung ist zwei Jahre aufzubewahren.',
        aufbewahrung: 'Zwei Jahre.',
      }),
    ).toEqual([])
    expect(notes({ ...belege.threeRates(), aufbewahrung: 'Zwei Jahre.' }).join()).not.toContain('Zwei Jahre.')
  })
  test('that the XML is the invoice', () =>
    expect(notes(belege.xrechnung())[0]).toContain('Maßgeblich ist die XML-Datei'))
})

test('a line is hyphenated where a word is long enough to leave a hole', () => {
  const { zeilen } = printData(
    belege.belegOf({}, [
      { bez: 'Grenzpunkte aufgesucht und vermarkt' },
      { bez: 'Forsteinrichtung' },
      { bez: 'x', erl: 'Waldbestandskarte', erl_on: false },
    ]),
    PLAIN,
  ).tabelle
  expect(zeilen.map(({ trennen }) => trennen)).toEqual([false, true, false])
})

describe('an offer', () => {
  test('counts neither optional nor alternative lines, and lets them be ticked', () => {
    const { tabelle, unterschrift, summen } = printData(belege.angebot(), PLAIN)
    expect(
      tabelle.zeilen.filter(({ zaehlt }) => !zaehlt).map(({ nr, marke }) => [nr, marke.split(',')[0]]),
    ).toEqual([
      ['2', 'Alternative'],
      ['4', 'Optional'],
      ['5', 'Optional'],
    ])
    expect(unterschrift!.wahl.map((text) => text.replaceAll('\u00A0', ' '))).toContain(
      '5 Vorstellung der Ergebnisse vor Ort (420,00 € netto)',
    )
    expect(summen[0]).toMatchObject({ name: 'Nettobetrag', wert: '10.741,30' })
    expect(words(belege.angebot())).toEqual(['An dieses Angebot halten wir uns bis zum 31.12.2026 gebunden.'])
  })
})

describe('a file', () => {
  test.each([
    [belege.threeRates(), 'Rechnung-RE-2026-0042.pdf'],
    [belege.draftBeleg(), 'Rechnung-Entwurf.pdf'],
    [belege.mahnung(), 'Mahnung-RE-2026-0042.pdf'],
    [{ ...belege.threeRates(), nummer: '../RE"\r\nX: 1/Ö' }, 'Rechnung-RE-X-1-Ö.pdf'],
  ])('is called so that every system takes it', (beleg, name) => expect(fileNameOf(beleg, 'pdf')).toBe(name))
  test('XML is made of issued invoices for those who take it', () => {
    expect(xmlOf(belege.threeRates())).toContain('urn:cen.eu:en16931:2017<')
    expect(xmlOf(belege.xrechnung())).toContain('xrechnung_3.0')
    for (const beleg of [belege.angebot(), belege.draftBeleg(), belege.mahnung(), belege.privatePerson()])
      expect(xmlOf(beleg)).toBeNull()
  })

  test('files that go with it are listed by their names', () => {
    const one = {
      id: '1',
      name: 'Lieferschein 4711',
      beschreibung: 'unterschrieben',
      dateiname: 'a.pdf',
      mime: 'application/pdf',
      sha256: '',
      groesse: 1,
    }
    const listed = (...anlagen: (typeof one)[]) =>
      printData({ ...belege.threeRates(), anlagen }, PLAIN).anlagen
    expect(listed()).toEqual([])
    expect(listed(one)).toEqual([['Anlage: Lieferschein 4711 – unterschrieben']])
    expect(listed(one, { ...one, name: 'Plan', beschreibung: '' })).toEqual([
      ['Anlagen:', 'Lieferschein 4711 – unterschrieben', 'Plan'],
    ])
  })
})

describe('an invoice that is collected', () => {
  const einzug = {
    tag: '2026-12-14',
    mandat: 'M-17',
    iban: 'DE89370400440532013000',
    glaeubiger_id: 'DE98ZZZ09999999999',
  }
  const payment = (beleg: Beleg) => printData(beleg, PLAIN).zahlung!
  test('says when and from where, with neither our account nor a GiroCode', () => {
    const beleg = { ...belege.xrechnung(), skonto: [], einzug }
    expect(words(beleg)).toHaveLength(1)
    expect(words(beleg)[0]).toMatch(
      / ziehen wir am 14\.12\.2026 von Ihrem Konto DE89 … 3000 ein\. Bitte überweisen Sie ihn nicht\.$/,
    )
    expect(payment(beleg)).toMatchObject({
      konto: [
        ['Mandat', 'M-17'],
        ['Gläubiger-ID', 'DE98ZZZ09999999999'],
      ],
      giro: null,
    })
    expect(JSON.stringify(printData(beleg, PLAIN))).not.toContain('37040044')
  })
  test('leaves the discount to who transfers earlier', () => {
    const beleg = { ...belege.threeRates(), einzug }
    expect(words(beleg)).toHaveLength(3)
    expect(words(beleg)[0]).not.toContain('nicht')
    expect(words(beleg)[1]).toMatch(/^Möchten Sie 3 % Skonto nutzen, überweisen Sie stattdessen bis zum/)
  })
  test('its reminder asks for a transfer', () =>
    expect(words(belege.mahnung())[0]).toMatch(/^Bitte überweisen Sie/))
})
