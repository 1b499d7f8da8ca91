import { describe, expect, test } from 'vitest'
import type { TaxCategory } from './beleg.ts'
import { isBelegMail } from './beleg-fault.ts'
import { type MusterBeleg, musterBeleg, musterPosition, computeMuster } from './beleg-sample.ts'
import { belegFaults, isIssuable } from './beleg-check.ts'
import { add, decimal, formatCents } from './geld.ts'
import { negateBeleg } from './rechnung.oracle.ts'

const TODAY = '2026-03-15'
type Change = (beleg: MusterBeleg) => void
const found = (...changes: Change[]): string[] =>
  belegFaults(
    musterBeleg((beleg) => {
      for (const change of changes) change(beleg)
    }),
    TODAY,
  ).map(({ severity, feld, code }) => `${severity === 'fehler' ? '!' : '?'} ${feld} ${code}`)

const zugferd: Change = (beleg) => {
  beleg.format = 'zugferd'
}
const pdf: Change = (beleg) => {
  beleg.format = 'pdf'
}
const line =
  (part: Parameters<typeof musterPosition>[0], index = 0): Change =>
  (beleg) => {
    Object.assign(beleg.positionen[index]!, part)
    computeMuster(beleg)
  }
const only =
  (...parts: Parameters<typeof musterPosition>[0][]): Change =>
  (beleg) => {
    beleg.positionen = parts.map(musterPosition)
    computeMuster(beleg)
  }
const lieferant =
  (part: Partial<MusterBeleg['lieferant']>): Change =>
  (beleg) => {
    Object.assign(beleg.lieferant, part)
  }
const recipient =
  (part: Partial<MusterBeleg['empfaenger']>): Change =>
  (beleg) => {
    Object.assign(beleg.empfaenger, part)
  }
const head =
  (part: Partial<MusterBeleg>): Change =>
  (beleg) => {
    Object.assign(beleg, part)
  }
const advance =
  (received: string): Change =>
  (beleg) => {
    beleg.summen.anzahlung = received
    computeMuster(beleg)
  }
const small = only({ anzahl: '1.000', ep: '210.0800' })
const angebot = head({
  art: 'angebot',
  nummer: 'AN-2026-0003',
  le_date: null,
  le_date_bis: null,
  faellig: null,
  skonto: [],
  gueltig_bis: '2026-04-15',
})
const reverse = line({ kategorie: 'AE', ust_satz: '0.00' }, 0)

describe('a good document has no faults', () => {
  for (const [why, ...changes] of [
    ['XRechnung'],
    ['ZUGFeRD', zugferd],
    ['PDF', pdf],
    ['a draft without a number', head({ entwurf: true, nummer: '' })],
    ['an offer', angebot],
    [
      'headings',
      only(
        { art: 'ueberschrift', bez: 'Los 1', einheit: '', anzahl: '0', ep: '0' },
        {},
        { le_date: '2026-02-03', le_date_bis: '2026-02-04' },
      ),
    ],
    [
      'exempt with its reason',
      line({ kategorie: 'E', ust_satz: '0.00', steuergrund: 'Steuerfrei nach § 4 Nr. 12 UStG' }),
    ],
    [
      'reverse charge between two businesses',
      only({ kategorie: 'AE', ust_satz: '0.00' }),
      recipient({ ust_id: 'ATU13585627', land: 'AT', plz: '1010' }),
      head({ leistungsort: 'kein_grundstueck' }),
    ],
    ['not taxable alone', only({ kategorie: 'O', ust_satz: '0.00', steuergrund: 'Nicht steuerbar' })],
    [
      'a discount with its reason',
      head({ rabatt_prozent: '3.00', rabatt_grund: 'Treuerabatt' }),
      (beleg) => computeMuster(beleg),
    ],
    ['an advance', advance('500.00')],
    [
      'of a Kleinunternehmer',
      lieferant({ kleinunternehmer: true }),
      only({ kategorie: 'E', ust_satz: '0.00' }),
    ],
    [
      'a private person who is told to keep it',
      zugferd,
      recipient({ ist_privat: true, leitweg_id: '' }),
      head({ zuerl: 'Bitte bewahren Sie die Rechnung zwei Jahre auf. Sie müssen sie aufbewahren.' }),
    ],
    ['paid by an advance in full, without a due day', advance('3836.53'), head({ faellig: null })],
    ['without VAT id, the tax number is enough', lieferant({ ust_id: '' })],
    ['without tax number, the VAT id is enough', lieferant({ steuernummer: '' })],
  ] as [string, ...Change[]][])
    test(why, () => expect(found(...changes)).toEqual([]))
  test('its Storno', () =>
    expect(
      belegFaults(
        {
          ...negateBeleg(musterBeleg()),
          id: '18',
          nummer: 'RE-2026-0018',
          datum: '2026-03-15',
          entwurf: false,
        },
        TODAY,
      ),
    ).toEqual([]))
  test('its Storno, with a discount whose cents are split', () => {
    const beleg = musterBeleg((each) => {
      Object.assign(each, { rabatt_prozent: '50.00', rabatt_grund: 'Kulanz' })
      only({ anzahl: '1.000', ep: '0.0100' }, { anzahl: '1.000', ep: '0.0100', ust_satz: '7.00' }, {})(each)
    })
    expect(belegFaults(beleg, TODAY)).toEqual([])
    expect(belegFaults({ ...negateBeleg(beleg), nummer: 'RE-2026-0018' }, TODAY)).toEqual([])
  })
})

// Each case introduces one defect and expects exactly its findings.
const DEFECTS: [why: string, changes: Change[], expected: string[]][] = [
  // Head
  ['no day', [head({ datum: '' })], ['! datum datum_fehlt']],
  ['a day that is none', [head({ datum: '2026-02-30' })], ['! datum tag']],
  ['tomorrow', [head({ datum: '2026-03-16' })], ['! datum datum_zukunft']],
  ['issued without a number', [head({ nummer: ' ' })], ['! nummer nummer_fehlt']],
  ['no day of supply', [head({ le_date: null })], ['! le_date le_date_fehlt']],
  [
    'no day of supply on a Storno',
    [
      head({
        art: 'storno',
        le_date: null,
        bezug: { art: 'rechnung', nummer: 'RE-2026-0001', datum: '2026-01-01' },
      }),
    ],
    ['! le_date le_date_fehlt'],
  ],
  [
    'one line says when, the other does not',
    [head({ le_date: null, le_date_bis: null }), line({ le_date: '2026-02-03' })],
    ['! le_date le_date_fehlt'],
  ],
  [
    'each counted line says when',
    [
      head({ le_date: null, le_date_bis: null }),
      line({ le_date: '2026-02-03' }),
      line({ le_date: '2026-02-04' }, 1),
    ],
    [],
  ],
  ['a day of supply that is none', [head({ le_date: '2026-13-01' })], ['! le_date tag']],
  ['an end of supply that is none', [head({ le_date_bis: 'heute' })], ['! le_date_bis tag']],
  [
    'supplied after the invoice',
    [head({ le_date: '2026-03-20', le_date_bis: null })],
    ['? le_date le_date_nach_datum'],
  ],
  [
    'supplied until after the invoice',
    [head({ le_date_bis: '2026-03-31' })],
    ['? le_date_bis le_date_nach_datum'],
  ],
  [
    'the period ends before it begins',
    [head({ le_date_bis: '2026-01-31' })],
    ['! le_date_bis le_date_bis_vor_le_date'],
  ],
  [
    'more than six months ago',
    [head({ le_date: '2025-08-31', le_date_bis: '2025-09-14' })],
    ['? datum sechs_monate'],
  ],
  ['six months ago to the day', [head({ le_date: '2025-08-31', le_date_bis: '2025-09-15' })], []],
  ['no due day', [head({ faellig: null })], ['! faellig faellig_fehlt']],
  ['neither due day nor Skonto', [head({ faellig: null, skonto: [] })], ['! faellig faellig_fehlt']],
  ['due before the invoice', [head({ faellig: '2026-03-14', skonto: [] })], ['! faellig faellig_vor_datum']],
  ['a due day that is none', [head({ faellig: '2026-04-31' })], ['! faellig tag']],
  ['an offer without an end', [angebot, head({ gueltig_bis: null })], ['? gueltig_bis gueltig_bis_fehlt']],
  [
    'an offer that has ended',
    [angebot, head({ gueltig_bis: '2026-03-14' })],
    ['! gueltig_bis gueltig_bis_vor_datum'],
  ],
  [
    'Skonto without days',
    [head({ skonto: [{ tage: 0, prozent: '2.00' }] })],
    ['! skonto.0.tage skonto_tage'],
  ],
  [
    'Skonto of a thousand days',
    [head({ skonto: [{ tage: 1000, prozent: '2.00' }] })],
    ['! skonto.0.tage skonto_tage'],
  ],
  [
    'Skonto of half a day',
    [head({ skonto: [{ tage: 7.5, prozent: '2.00' }] })],
    ['! skonto.0.tage skonto_tage'],
  ],
  [
    'Skonto of nothing',
    [head({ skonto: [{ tage: 10, prozent: '0.00' }] })],
    ['! skonto.0.prozent skonto_prozent'],
  ],
  [
    'Skonto of everything',
    [head({ skonto: [{ tage: 10, prozent: '100' }] })],
    ['! skonto.0.prozent skonto_prozent'],
  ],
  [
    'Skonto with a comma',
    [head({ skonto: [{ tage: 10, prozent: '2,00' }] })],
    ['! skonto.0.prozent skonto_prozent'],
  ],
  [
    'Skonto with three places',
    [head({ skonto: [{ tage: 10, prozent: '2.125' }] })],
    ['! skonto.0.prozent skonto_prozent'],
  ],
  [
    'two tiers of the same days',
    [
      head({
        skonto: [
          { tage: 10, prozent: '2.00' },
          { tage: 10, prozent: '3.00' },
        ],
      }),
    ],
    ['! skonto.1.tage skonto_doppelt'],
  ],
  [
    'Skonto beyond the due day',
    [head({ skonto: [{ tage: 15, prozent: '2.00' }] })],
    ['? skonto.0.tage skonto_nach_faellig'],
  ],
  [
    'discount of 101 %',
    [head({ rabatt_prozent: '101', rabatt_grund: 'x' })],
    ['! rabatt_prozent rabatt_prozent'],
  ],
  [
    'surcharge of 101 %',
    [head({ rabatt_prozent: '-101', rabatt_grund: 'x' })],
    ['! rabatt_prozent rabatt_prozent'],
  ],
  [
    'discount without reason',
    [head({ rabatt_prozent: '3.00' }), (beleg) => computeMuster(beleg)],
    ['! rabatt_grund rabatt_grund_fehlt'],
  ],
  [
    'surcharge without reason',
    [head({ rabatt_prozent: '-3.00' }), (beleg) => computeMuster(beleg)],
    ['! rabatt_grund rabatt_grund_fehlt'],
  ],
  [
    'discount without reason in a PDF',
    [pdf, head({ rabatt_prozent: '3.00' }), (beleg) => computeMuster(beleg)],
    ['? rabatt_grund rabatt_grund_fehlt'],
  ],
  ['a rate that is none', [head({ ust_satz: 'normal' })], ['! ust_satz ust_satz']],
  ['Storno of nothing', [head({ art: 'storno' })], ['! bezug bezug_fehlt']],
  [
    'Storno without the number',
    [head({ art: 'storno', bezug: { art: 'rechnung', nummer: '', datum: '2026-01-01' } })],
    ['! bezug bezug_fehlt'],
  ],
  [
    'Storno before the invoice',
    [head({ art: 'storno', bezug: { art: 'rechnung', nummer: 'RE-1', datum: '2026-03-16' } })],
    ['! datum storno_vor_rechnung'],
  ],
  // Supplier
  ['supplier without name', [lieferant({ name: '' })], ['! lieferant.name lieferant_name_fehlt']],
  ['supplier without street', [lieferant({ strasse: ' ' })], ['! lieferant.strasse lieferant_strasse_fehlt']],
  ['supplier without postcode', [lieferant({ plz: '' })], ['! lieferant.plz lieferant_plz_fehlt']],
  ['supplier without place', [lieferant({ ort: '' })], ['! lieferant.ort lieferant_ort_fehlt']],
  ['supplier without country', [lieferant({ land: '' })], ['! lieferant.land lieferant_land']],
  [
    'neither tax number nor VAT id',
    [lieferant({ steuernummer: '', ust_id: '' })],
    ['! lieferant.steuernummer lieferant_steuernummer_fehlt'],
  ],
  [
    'an odd tax number',
    [lieferant({ steuernummer: '4711' })],
    ['? lieferant.steuernummer lieferant_steuernummer_form'],
  ],
  [
    'VAT id mistyped',
    [lieferant({ ust_id: 'DE136695967' })],
    ['! lieferant.ust_id lieferant_ust_id_pruefziffer'],
  ],
  ['VAT id too short', [lieferant({ ust_id: 'DE13669597' })], ['! lieferant.ust_id lieferant_ust_id_form']],
  ['no contact', [lieferant({ ansprechpartner: '' })], ['! lieferant.ansprechpartner ansprechpartner_fehlt']],
  [
    'no contact, ZUGFeRD',
    [zugferd, lieferant({ ansprechpartner: '' })],
    ['? lieferant.ansprechpartner ansprechpartner_fehlt'],
  ],
  ['no contact, PDF', [pdf, lieferant({ ansprechpartner: '', telefon: '', mail: '' })], []],
  ['no phone', [lieferant({ telefon: '' })], ['! lieferant.telefon telefon_fehlt']],
  ['a phone of two digits', [lieferant({ telefon: '12' })], ['! lieferant.telefon telefon_form']],
  ['no mail of the supplier', [lieferant({ mail: '' })], ['! lieferant.mail lieferant_mail_fehlt']],
  [
    'no mail address of the supplier',
    [lieferant({ mail: 'rechnung.example' })],
    ['! lieferant.mail lieferant_mail_form'],
  ],
  ['no IBAN', [lieferant({ iban: '' })], ['! lieferant.iban iban_fehlt']],
  ['no IBAN, ZUGFeRD', [zugferd, lieferant({ iban: '' })], ['? lieferant.iban iban_fehlt']],
  ['IBAN mistyped', [lieferant({ iban: 'DE89370400440532013001' })], ['! lieferant.iban iban_pruefziffer']],
  [
    'IBAN mistyped, in a PDF',
    [pdf, lieferant({ iban: 'DE89370400440532013001' })],
    ['! lieferant.iban iban_pruefziffer'],
  ],
  ['IBAN too short', [lieferant({ iban: 'DE8937040044053201300' })], ['! lieferant.iban iban_laenge']],
  ['BIC too short', [lieferant({ bic: 'COBADEF' })], ['! lieferant.bic bic_form']],
  // Buyer
  ['buyer without name', [recipient({ name: '' })], ['! empfaenger.name empfaenger_name_fehlt']],
  ['buyer without street', [recipient({ strasse: '' })], ['! empfaenger.strasse empfaenger_strasse_fehlt']],
  ['buyer without postcode', [recipient({ plz: '' })], ['! empfaenger.plz empfaenger_plz_fehlt']],
  ['buyer without place', [recipient({ ort: '' })], ['! empfaenger.ort empfaenger_ort_fehlt']],
  ['buyer without country', [recipient({ land: 'Deutschland' })], ['! empfaenger.land empfaenger_land']],
  ['postcode of four digits', [recipient({ plz: '1719' })], ['! empfaenger.plz empfaenger_plz']],
  [
    'up to 250 € in a PDF the buyer may be short',
    [pdf, small, recipient({ strasse: '' }), head({ le_date: null, le_date_bis: null })],
    ['? le_date le_date_fehlt', '? empfaenger.strasse empfaenger_strasse_fehlt'],
  ],
  [
    'the same above 250 €',
    [pdf, only({ anzahl: '1.000', ep: '210.0900' }), recipient({ strasse: '' })],
    ['! empfaenger.strasse empfaenger_strasse_fehlt'],
  ],
  [
    'the same as an e-invoice',
    [small, recipient({ strasse: '' })],
    ['! empfaenger.strasse empfaenger_strasse_fehlt'],
  ],
  ['no Leitweg-ID', [recipient({ leitweg_id: '' })], ['! empfaenger.leitweg_id leitweg_fehlt']],
  ['no Leitweg-ID, ZUGFeRD', [zugferd, recipient({ leitweg_id: '' })], []],
  [
    'Leitweg-ID mistyped',
    [recipient({ leitweg_id: '04011000-1234512345-07' })],
    ['! empfaenger.leitweg_id leitweg_pruefziffer'],
  ],
  [
    'Leitweg-ID mistyped, ZUGFeRD',
    [zugferd, recipient({ leitweg_id: '04011000-1234512345-07' })],
    ['? empfaenger.leitweg_id leitweg_pruefziffer'],
  ],
  [
    'Leitweg-ID without its end',
    [recipient({ leitweg_id: '04011000-1234512345' })],
    ['! empfaenger.leitweg_id leitweg_aufbau'],
  ],
  [
    'Leitweg-ID with a slash',
    [recipient({ leitweg_id: '04011000/12345-06' })],
    ['! empfaenger.leitweg_id leitweg_zeichen'],
  ],
  [
    'Leitweg-ID with a wrong first part',
    [recipient({ leitweg_id: '0401-12345-06' })],
    ['! empfaenger.leitweg_id leitweg_grob'],
  ],
  [
    'Leitweg-ID of no state',
    [recipient({ leitweg_id: '17-12345-06' })],
    ['! empfaenger.leitweg_id leitweg_land'],
  ],
  [
    'Leitweg-ID with a long middle',
    [recipient({ leitweg_id: `04-${'1'.repeat(31)}-06` })],
    ['! empfaenger.leitweg_id leitweg_fein'],
  ],
  [
    'an office without mail is found by its Leitweg-ID',
    [recipient({ mail: '' })],
    ['? empfaenger.mail empfaenger_mail_fehlt'],
  ],
  [
    'no endpoint of the buyer',
    [recipient({ mail: '', leitweg_id: '' })],
    ['! empfaenger.leitweg_id leitweg_fehlt', '! empfaenger.mail empfaenger_mail_fehlt'],
  ],
  [
    'no endpoint of the buyer, ZUGFeRD',
    [zugferd, recipient({ mail: '' })],
    ['? empfaenger.mail empfaenger_mail_fehlt'],
  ],
  ['no mail address of the buyer', [recipient({ mail: 'a@b' })], ['! empfaenger.mail empfaenger_mail_form']],
  [
    'VAT id of the buyer mistyped',
    [recipient({ ust_id: 'DE136695967' })],
    ['! empfaenger.ust_id empfaenger_ust_id_pruefziffer'],
  ],
  [
    'a private person is not told to keep it',
    [zugferd, recipient({ ist_privat: true }), head({ aufbewahrung: ' ' })],
    ['? lieferant.aufbewahrung_text aufbewahrung'],
  ],
  [
    'a private person is told by the settings',
    [zugferd, recipient({ ist_privat: true }), head({ aufbewahrung: 'Zwei Jahre.' })],
    [],
  ],
  [
    'a private person is told by the closing text',
    [
      zugferd,
      recipient({ ist_privat: true }),
      head({ aufbewahrung: '', zuerl: 'Bitte bewahren Sie sie auf.' }),
    ],
    [],
  ],
  ['reverse charge without the buyer’s id', [reverse], ['! empfaenger.ust_id reverse_charge_empfaenger']],
  [
    'reverse charge without the own id',
    [reverse, recipient({ ust_id: 'ATU13585627' }), lieferant({ ust_id: '' })],
    ['! lieferant.ust_id reverse_charge_lieferant'],
  ],
  [
    'reverse charge to a private person',
    [reverse, recipient({ ust_id: 'ATU13585627', ist_privat: true }), head({ zuerl: 'aufbewahren' })],
    ['! empfaenger.ist_privat reverse_charge_privat'],
  ],
  // Lines
  ['no lines', [only()], ['! positionen positionen_fehlen', '? summen.brutto brutto_null']],
  [
    'headings alone',
    [only({ art: 'ueberschrift' })],
    ['! positionen positionen_fehlen', '? summen.brutto brutto_null'],
  ],
  [
    'optional lines alone',
    [only({ art: 'optional' })],
    ['! positionen positionen_fehlen', '? summen.brutto brutto_null'],
  ],
  [
    'an offer of headings alone',
    [angebot, only({ art: 'ueberschrift' })],
    ['! positionen positionen_fehlen'],
  ],
  ['an offer of optional lines is one', [angebot, only({ art: 'optional' })], []],
  ['a line without a name', [line({ bez: ' ' }, 1)], ['! positionen.1.bez bez_fehlt']],
  ['an optional line without a name', [line({ bez: '' }, 2)], ['! positionen.2.bez bez_fehlt']],
  [
    'a heading without a name',
    [only({ art: 'ueberschrift', bez: '' }, {})],
    ['! positionen.0.bez bez_fehlt'],
  ],
  ['a line without a unit', [line({ einheit: '' })], ['? positionen.0.einheit einheit_fehlt']],
  ['a unit nobody knows', [line({ einheit: 'Fuder' })], ['? positionen.0.einheit einheit_unbekannt']],
  ['a unit nobody knows, PDF', [pdf, line({ einheit: 'Fuder' })], []],
  ['quantity of nothing', [line({ anzahl: '0.000' })], ['? positionen.0.anzahl anzahl_null']],
  [
    'quantity that is none',
    [(beleg) => void (beleg.positionen[0]!.anzahl = '1,5')],
    ['! positionen.0.anzahl anzahl_zahl'],
  ],
  [
    'quantity of four places',
    [(beleg) => void (beleg.positionen[0]!.anzahl = '1.2345')],
    ['! positionen.0.anzahl anzahl_zahl'],
  ],
  ['price that is none', [(beleg) => void (beleg.positionen[1]!.ep = '')], ['! positionen.1.ep ep_zahl']],
  [
    'price of five places',
    [(beleg) => void (beleg.positionen[1]!.ep = '1.23456')],
    ['! positionen.1.ep ep_zahl'],
  ],
  [
    'price below nothing',
    [line({ ep: '-5.0000' }, 1)],
    ['! summen.brutto brutto_negativ', '? positionen.1.ep ep_negativ'],
  ],
  ['price below nothing, PDF', [pdf, line({ ep: '-0.0100' }, 1)], []],
  [
    'line discount above 100 %',
    [(beleg) => void (beleg.positionen[0]!.rabatt_prozent = '100.01')],
    ['! positionen.0.rabatt_prozent rabatt_prozent'],
  ],
  [
    'rate of the line that is none',
    [(beleg) => void (beleg.positionen[0]!.ust_satz = 'x')],
    ['! positionen.0.ust_satz ust_satz'],
  ],
  ['S with 0 %', [line({ ust_satz: '0.00' })], ['! positionen.0.ust_satz satz_null']],
  ['a rate Germany does not know', [line({ ust_satz: '20.00' })], ['! positionen.0.ust_satz satz_unbekannt']],
  [
    'exempt without reason',
    [line({ kategorie: 'E', ust_satz: '0.00' })],
    ['! positionen.0.steuergrund steuergrund_fehlt'],
  ],
  [
    'not taxable without reason',
    [only({ kategorie: 'O', ust_satz: '0.00' })],
    ['! positionen.0.steuergrund steuergrund_fehlt'],
  ],
  [
    'exempt with a rate',
    [line({ kategorie: 'E', steuergrund: 'Steuerfrei' })],
    ['! positionen.0.ust_satz satz_nicht_null'],
  ],
  [
    'not taxable beside taxable',
    [line({ kategorie: 'O', ust_satz: '0.00', steuergrund: 'Nicht steuerbar' })],
    ['! summen.steuern nicht_steuerbar_allein'],
  ],
  [
    'not taxable without a tax number',
    [
      only({ kategorie: 'O', ust_satz: '0.00', steuergrund: 'Nicht steuerbar' }),
      lieferant({ steuernummer: '' }),
    ],
    ['! lieferant.steuernummer nicht_steuerbar_steuernummer'],
  ],
  [
    'Kleinunternehmer with tax',
    [lieferant({ kleinunternehmer: true }), only({})],
    ['! positionen.0.kategorie kleinunternehmer_steuer'],
  ],
  [
    'a period of a line that ends before it begins',
    [line({ le_date: '2026-02-05', le_date_bis: '2026-02-04' })],
    ['! positionen.0.le_date_bis le_date_bis_vor_le_date'],
  ],
  [
    'a period of a line without beginning',
    [line({ le_date_bis: '2026-02-04' })],
    ['! positionen.0.le_date le_date_fehlt'],
  ],
  ['a day of a line that is none', [line({ le_date: '2026-02-29' })], ['! positionen.0.le_date tag']],
  [
    'a line without a number',
    [(beleg) => void (beleg.positionen[0]!.nr = '')],
    ['! positionen.0.nr nr_fehlt'],
  ],
  [
    'two lines of the same number',
    [(beleg) => void (beleg.positionen[1]!.nr = '1')],
    ['! positionen.1.nr nr_doppelt'],
  ],
  // Amounts
  ['an advance below nothing', [advance('-1.00')], ['! summen.anzahlung anzahlung_negativ']],
  [
    'an advance that is none',
    [(beleg) => void (beleg.summen.anzahlung = '')],
    ['! summen.anzahlung anzahlung_zahl'],
  ],
  [
    'an advance above the whole',
    [advance('99999.00'), head({ faellig: null })],
    ['! summen.anzahlung anzahlung_zu_hoch'],
  ],
  ['an invoice below nothing', [line({ anzahl: '-100.000' })], ['! summen.brutto brutto_negativ']],
  [
    'a line off by a cent',
    [(beleg) => void (beleg.positionen[1]!.betrag = '2712.49')],
    ['! positionen.1.betrag betrag_falsch'],
  ],
  [
    'an optional line off by a cent',
    [(beleg) => void (beleg.positionen[2]!.betrag = '450.01')],
    ['! positionen.2.betrag betrag_falsch'],
  ],
  [
    'a subtotal off by a cent',
    [only({ art: 'ueberschrift' }, {}), (beleg) => void (beleg.positionen[0]!.betrag = '785.01')],
    ['! positionen.0.betrag betrag_falsch'],
  ],
  ['a group missing', [(beleg) => void beleg.summen.steuern.pop()], ['! summen.steuern steuergruppen']],
  [
    'groups in another order',
    [(beleg) => void beleg.summen.steuern.reverse()],
    ['! summen.steuern.0 steuergruppen', '! summen.steuern.1 steuergruppen'],
  ],
  [
    'a group of another category',
    [(beleg) => void (beleg.summen.steuern[0]!.kategorie = 'E' as TaxCategory)],
    ['! summen.steuern.0 steuergruppen'],
  ],
  [
    'another reason of a group',
    [(beleg) => void (beleg.summen.steuern[0]!.grund = 'Steuerfrei')],
    ['! summen.steuern.0.grund steuergrund'],
  ],
  [
    'an amount that is none',
    [(beleg) => void (beleg.summen.netto = '3.497,50')],
    ['! summen.netto summe_falsch'],
  ],
]

describe('every seeded defect is found, and nothing else', () => {
  for (const [why, changes, expected] of DEFECTS) test(why, () => expect(found(...changes)).toEqual(expected))
  for (const off of ['0.01', '-0.01', '0.50', '0.99', '1.00']) {
    const shift = (amount: string): string => formatCents(add(decimal(amount), decimal(off)))
    for (const field of ['positionen', 'rabatt', 'netto', 'steuer', 'brutto', 'zahlbetrag'] as const)
      test(`${field} off by ${off}`, () =>
        expect(found((beleg) => void (beleg.summen[field] = shift(beleg.summen[field])))).toEqual([
          `! summen.${field} summe_falsch`,
        ]))
    for (const field of ['positionen', 'rabatt', 'basis', 'steuer'] as const)
      test(`${field} of a tax group off by ${off}`, () =>
        expect(
          found((beleg) => void (beleg.summen.steuern[1]![field] = shift(beleg.summen.steuern[1]![field]))),
        ).toEqual([`! summen.steuern.1.${field} steuergruppe_falsch`]))
    test(`tax off by ${off} all the way to what is to be paid`, () =>
      expect(
        found((beleg) => {
          const [first] = beleg.summen.steuern
          first!.steuer = shift(first!.steuer)
          for (const field of ['steuer', 'brutto', 'zahlbetrag'] as const)
            beleg.summen[field] = shift(beleg.summen[field])
        }),
      ).toEqual([
        '! summen.steuer summe_falsch',
        '! summen.brutto summe_falsch',
        '! summen.zahlbetrag summe_falsch',
        '! summen.steuern.0.steuer steuergruppe_falsch',
      ]))
  }
})

describe('lengths and signs', () => {
  const texts: [feld: string, most: number, set: (text: string) => Change][] = [
    ['anrede', 500, (salutation) => head({ anrede: salutation })],
    ['anschreiben', 10000, (letter) => head({ anschreiben: letter })],
    ['zuerl', 10000, (remarks) => head({ zuerl: remarks })],
    ['bearbeiter', 100, (clerk) => head({ bearbeiter: clerk })],
    ['rabatt_grund', 200, (discountReason) => head({ rabatt_grund: discountReason })],
    ['nummer', 60, (documentNumber) => head({ nummer: documentNumber })],
    ['lieferant.name', 200, (name) => lieferant({ name })],
    ['lieferant.kontoinhaber', 70, (accountHolder) => lieferant({ kontoinhaber: accountHolder })],
    ['lieferant.fusszeile', 1000, (footer) => lieferant({ fusszeile: footer })],
    ['empfaenger.name', 200, (name) => recipient({ name })],
    ['empfaenger.bestellnummer', 100, (orderNumber) => recipient({ bestellnummer: orderNumber })],
    ['positionen.0.bez', 500, (label) => line({ bez: label })],
    ['positionen.0.erl', 5000, (explanation) => line({ erl: explanation, erl_on: true })],
    [
      'positionen.0.erl_titel',
      200,
      (explanationTitle) => line({ erl_titel: explanationTitle, erl_on: true }),
    ],
    ['positionen.0.steuergrund', 200, (taxReason) => line({ steuergrund: taxReason })],
  ]
  for (const [field, most, set] of texts) {
    test(`${field}: ${most} signs are right, one more is not`, () => {
      expect(found(set('ä'.repeat(most)))).toEqual([])
      expect(found(set('ä'.repeat(most + 1)))).toEqual([`! ${field} zu_lang`])
    })
    for (const sign of ['\u0000', '\u0007', '\u001B', '\uFFFE', '\uD83C'])
      test(`${field}: ${JSON.stringify(sign)} is found`, () =>
        expect(found(set(`a${sign}b`))).toEqual([`! ${field} zeichen`]))
    test(`${field}: markup, quotes and line feeds are text`, () =>
      expect(found(set('<b>&amp;"\'#x*\t\n'))).toEqual([]))
    // The number is not typed in.
    if (field !== 'nummer')
      test(`${field}: what the font does not draw is found`, () =>
        expect(found(set('Wald 🌲'))).toEqual([`! ${field} zeichen_druck`]))
  }
  test('characters that cannot be printed are named with the next step', () => {
    const said = (change: Change): string[] =>
      belegFaults(
        musterBeleg((beleg) => change(beleg)),
        TODAY,
      ).map(({ text }) => text)
    expect(said(line({ bez: 'Wald 中 🌲 中' }))).toEqual([
      'Die Schrift der Dokumente kennt diese Zeichen nicht: „中“ (U+4E2D), „🌲“ (U+1F332). Bitte ersetzen oder löschen.',
    ])
    expect(said(recipient({ name: 'Wald 中' }))).toEqual([
      'Die Schrift der Dokumente kennt dieses Zeichen nicht: „中“ (U+4E2D). Bitte beim Kunden ersetzen oder löschen.',
    ])
    expect(said(lieferant({ bank: '中' }))[0]).toContain(
      'Bitte in den Einstellungen der Buchhaltung ersetzen',
    )
    expect(said(head({ zuerl: '中文字漢語日本' }))[0]).toContain('„語“ (U+8A9E) und 2 weitere')
  })
  test('an explanation that is not printed may hold what it likes', () =>
    expect(found(line({ erl: '🌲', erl_on: false }))).toEqual([]))
})

describe('the duty of the e-invoice', () => {
  const at = (datum: string, ...changes: Change[]): string[] =>
    belegFaults(
      musterBeleg((beleg) => {
        Object.assign(beleg, {
          format: 'pdf',
          datum,
          le_date: datum,
          le_date_bis: null,
          faellig: datum,
          skonto: [],
        })
        for (const change of changes) change(beleg)
      }),
      '2030-01-01',
    ).map(({ code }) => code)
  test('from 2027 it is said', () => {
    expect(at('2026-12-31')).toEqual([])
    expect(at('2027-01-01')).toEqual(['e_rechnung_pflicht'])
    expect(at('2028-01-01')).toEqual(['e_rechnung_pflicht'])
  })
  test('not to private people, abroad, for small amounts, of exempt supplies', () => {
    expect(at('2028-01-01', recipient({ ist_privat: true }), head({ zuerl: 'aufbewahren' }))).toEqual([])
    const abroad = recipient({ land: 'AT', plz: '1010' })
    expect(at('2028-01-01', abroad, head({ leistungsort: 'grundstueck_inland' }))).toEqual([])
    expect(at('2028-01-01', small)).toEqual([])
    expect(at('2028-01-01', only({ kategorie: 'E', ust_satz: '0.00', steuergrund: 'Steuerfrei' }))).toEqual(
      [],
    )
  })
})

describe('what is said', () => {
  test('every text is a sentence that asks for something or tells what is', () => {
    for (const [, changes] of DEFECTS)
      for (const { text } of belegFaults(
        musterBeleg((beleg) => {
          for (const change of changes) change(beleg)
        }),
        TODAY,
      )) {
        expect(text).toMatch(/Bitte|bitte|Ohne IBAN/)
        expect(text).toMatch(/\.$/)
        expect(text).not.toMatch(/undefined|null|NaN|\[object/)
      }
  })
  test('faults come before hints, and hints do not hinder', () => {
    const faults = belegFaults(
      musterBeleg((beleg) => {
        line({ einheit: '' })(beleg)
        recipient({ leitweg_id: '' })(beleg)
      }),
      TODAY,
    )
    expect(faults.map(({ severity }) => severity)).toEqual(['fehler', 'hinweis'])
    expect(isIssuable(faults)).toBe(false)
    expect(isIssuable(faults.slice(1))).toBe(true)
  })
})

test('mail addresses as the rule wants them', () => {
  expect(['aa@bb.cc', 'a@b.c', 'rechnung@forst.example', 'ä.b@müller.de'].map(isBelegMail)).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(
    ['a@', '.aa@bb.cc', 'aa.@bb.cc', 'aa@.bb.cc', 'aa@bb', 'aa@bb.', 'a a@bb.cc', 'aa@@bb.cc', ''].map(
      isBelegMail,
    ),
  ).toEqual(Array.from({ length: 9 }, () => false))
})
