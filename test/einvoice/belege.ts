// Documents for testing the e-invoice and the PDF. Sums come from domain/rechnung.ts as everywhere else;
// nothing is copied from a real customer.
import { receivedByRate } from '#domain/abschlag.oracle.ts'
import { createHash } from 'node:crypto'
import type {
  Beleg,
  BelegAnlage,
  BelegAbschlag,
  BelegRecipient,
  BelegLieferant,
  BelegPosition,
  BelegSkonto,
  BelegTax,
} from '#domain/beleg.ts'
import { add, decimal, formatCents, sum } from '#domain/geld.ts'
import { korrekturSums } from '#domain/korrektur.ts'
import { computeBeleg, taxOf } from '#domain/rechnung.ts'
import { negateBeleg } from '#domain/rechnung.oracle.ts'

const LIEFERANT: BelegLieferant = {
  name: 'Forstkontor Vermessung GmbH',
  name_zusatz: 'Büro für Forsteinrichtung',
  strasse: 'Am Försterweg 12',
  plz: '37073',
  ort: 'Göttingen',
  land: 'DE',
  steuernummer: '20/200/12345',
  ust_id: 'DE136695976',
  ansprechpartner: 'Jörg Müßig',
  telefon: '+49 551 123456',
  mail: 'rechnung@forstkontor.example',
  webseite: 'https://forstkontor.example',
  bank: 'Sparkasse Göttingen',
  kontoinhaber: 'Forstkontor Vermessung GmbH',
  iban: 'DE02 1203 0000 0000 2020 51',
  bic: 'BYLADEM1001',
  fusszeile: 'Amtsgericht Göttingen, HRB 4711\nGeschäftsführer: Dr. Käthe Öztürk',
  kleinunternehmer: false,
}

const RECIPIENT: BelegRecipient = {
  client_id: '4711',
  name: 'Niedersächsische Landesforsten, Forstamt Sellhorn',
  name_zusatz: 'Rechnungseingang',
  strasse: 'Sellhorn 1',
  plz: '29646',
  ort: 'Bispingen',
  land: 'DE',
  ust_id: '',
  leitweg_id: '04011000-1234512345-06',
  bestellnummer: 'B-2026/0815',
  mail: 'rechnungseingang@forstamt.example',
  ist_privat: false,
}

export type TableRow = Partial<
  Omit<BelegPosition, 'lfd_nr' | 'nr' | 'betrag' | 'ust_satz' | 'kategorie' | 'steuergrund'>
> & {
  readonly ust_satz?: string | null
  readonly kategorie?: BelegPosition['kategorie'] | null
  readonly steuergrund?: string
}

export interface Head extends Partial<Omit<Beleg, 'lieferant' | 'empfaenger' | 'positionen' | 'summen'>> {
  readonly lieferant?: Partial<BelegLieferant>
  readonly empfaenger?: Partial<BelegRecipient>
  readonly anzahlung?: string
}

const LINE: TableRow = { bez: 'Forstvermessung', anzahl: '1', einheit: 'psch', ep: '1000.00' }

/** An issued invoice with these lines. */
export function makeBeleg(
  lines: readonly TableRow[] = [LINE],
  { lieferant, empfaenger, anzahlung = '0.00', ...head }: Head = {},
): Beleg {
  const supplier = { ...LIEFERANT, ...lieferant }
  const basis = {
    ust_satz: head.ust_satz ?? '19.00',
    rabatt_prozent: head.rabatt_prozent ?? '0.00',
    anzahlung,
    kleinunternehmer: supplier.kleinunternehmer,
  }
  const rows = lines.map((row) => ({ ...ROW, ust_satz: null, kategorie: null, steuergrund: '', ...row }))
  const { summen, zeilen: computed } = computeBeleg({ ...basis, positionen: rows })
  const positions = rows.map((row, index): BelegPosition => {
    const tax = taxOf(row, basis)
    return {
      ...row,
      id: String(index + 1),
      lfd_nr: index + 1,
      ust_satz: tax.satz,
      kategorie: tax.kategorie,
      steuergrund: tax.grund,
      ...computed[index]!,
    }
  })
  return {
    fassung: 1,
    art: 'rechnung',
    id: '1',
    nummer: 'RE-2026-0042',
    entwurf: false,
    format: 'xrechnung',
    datum: '2026-11-21',
    le_date: '2026-11-12',
    le_date_bis: null,
    faellig: '2026-12-21',
    gueltig_bis: null,
    bearbeiter: 'Jörg Müßig',
    anrede: 'Sehr geehrte Damen und Herren,',
    anschreiben: 'für die erbrachten Leistungen erlauben wir uns zu berechnen:',
    zuerl: 'Wir danken für Ihren Auftrag.',
    rabatt_grund: '',
    skonto: [],
    bezug: null,
    ...head,
    ust_satz: basis.ust_satz,
    rabatt_prozent: basis.rabatt_prozent,
    lieferant: supplier,
    empfaenger: { ...RECIPIENT, ...empfaenger },
    positionen: positions,
    summen,
  }
}

const ROW = {
  art: 'position',
  bez: 'Forstvermessung',
  erl_titel: '',
  erl: '',
  erl_on: true,
  anzahl: '1',
  einheit: 'Stück',
  ep: '0.00',
  rabatt_prozent: '0.00',
  le_date: null,
  le_date_bis: null,
} as const satisfies TableRow

/** Its issued Storno. */
export const makeStorno = (beleg: Beleg, documentNumber = 'RE-2026-0043'): Beleg => ({
  ...negateBeleg(beleg),
  id: '2',
  nummer: documentNumber,
  entwurf: false,
  datum: '2026-11-23',
})

const tiers = (...skonto: readonly (readonly [tage: number, prozent: string])[]): BelegSkonto[] =>
  skonto.map(([days, percent]) => ({ tage: days, prozent: percent }))

const HEKTAR: TableRow = { bez: 'Grenzvermessung', anzahl: '12.375', einheit: 'ha', ep: '48.50' }
const HOUR: TableRow = { bez: 'Außendienst', anzahl: '7.5', einheit: 'Std', ep: '86.00' }
const BOOK: TableRow = {
  bez: 'Revierkarte, gedruckt',
  anzahl: '3',
  einheit: 'Stück',
  ep: '24.90',
  ust_satz: '7.00',
}
const EXEMPT: TableRow = {
  bez: 'Seminar Bestandesaufnahme',
  anzahl: '2',
  einheit: 'Tag',
  ep: '310.00',
  ust_satz: '0',
  steuergrund: 'Steuerfrei nach § 4 Nr. 21 UStG',
}
const REVERSE: TableRow = {
  bez: 'Vermessung Revier Tirol',
  anzahl: '1',
  einheit: 'psch',
  ep: '2450.00',
  kategorie: 'AE',
}
const OUT_OF_SCOPE: TableRow = {
  bez: 'Entschädigung',
  anzahl: '1',
  einheit: 'psch',
  ep: '500.00',
  kategorie: 'O',
  steuergrund: 'Nicht steuerbarer Schadensersatz',
}

/** What an attachment of the samples contains. */
const contentOf = (fileName: string): string => `Inhalt von ${fileName}; äöü\n`
export const attachedBytes = (fileName: string): Buffer => Buffer.from(contentOf(fileName))
const attached = (...files: readonly (readonly [name: string, more: string, file: string, mime: string])[]) =>
  files.map(([name, description, fileName, mime], index): BelegAnlage => {
    const bytes = attachedBytes(fileName)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return {
      id: String(index + 1),
      name,
      beschreibung: description,
      dateiname: fileName,
      mime,
      sha256,
      groesse: bytes.length,
    }
  })
/** In base64, as the writers of the e-invoice take them. */
export const attachedTo = ({ anlagen = [] }: Beleg): ReadonlyMap<string, string> =>
  new Map(anlagen.map(({ id, dateiname }) => [id, attachedBytes(dateiname).toString('base64')]))
const ANLAGEN = attached(
  ['Lieferschein 4711', 'unterschrieben am 12.11.2026', 'Lieferschein-4711.pdf', 'application/pdf'],
  ['Aufmaß', 'je Bestand', 'Aufmaß & "Flächen" (2).csv', 'text/csv'],
  ['Foto', '', 'Grenzstein.JPG', 'image/jpeg'],
  ['Karte', 'Revier Süd', 'Karte.png', 'image/png'],
  ['Tabelle', '', 'Tabelle.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['Rechnung', '', 'Kalkulation.ods', 'application/vnd.oasis.opendocument.spreadsheet'],
)

/** Customers abroad; nobody there has a Leitweg-ID. */
const abroad = (land: string, plz: string, ort: string, ust_id: string): Partial<BelegRecipient> => ({
  name: 'Waldpflege AG',
  name_zusatz: '',
  strasse: 'Hauptplatz 1',
  land,
  plz,
  ort,
  ust_id,
  leitweg_id: '',
  mail: 'rechnung@waldpflege.example',
})
export const ABROAD = {
  AT: abroad('AT', '1010', 'Wien', 'ATU13585627'),
  CH: abroad('CH', '8001', 'Zürich', 'CHE107787577'),
  FR: abroad('FR', '67000', 'Strasbourg', 'FR40303265045'),
}
const REFERENCES = {
  kaeufer_ref: 'K-0815',
  projekt_nr: 'P-2026-07',
  vertrag_nr: 'RV 12/2025',
  vergabe_nr: 'V-2026-0042, Los 3',
  objekt_nr: 'Revier 7',
}
const untaxed = (category: 'AE' | 'O', taxReason: string): TableRow => ({
  ...LINE,
  kategorie: category,
  steuergrund: taxReason,
})

export const HOSTILE =
  'Müßig & Söhne <script>alert("1")</script> \'; drop table rechnung; -- ]]> &amp; ' +
  '\u0000\u0008\u001F\uFFFE\uD800 #SKONTO#TAGE=1#PROZENT=99.00#\r\n' +
  'Zeile 2\u000BZeile 3 😀 \u202Ertl \u200B'

const long = (words: number): string =>
  Array.from(
    { length: words },
    (_, index) => `Bestand ${index + 1} wurde auf ganzer Fläche eingemessen (Güte ±0,3 m).`,
  ).join(' ')

const MIXED = makeBeleg([HEKTAR, HOUR, BOOK, EXEMPT], {
  rabatt_prozent: '12.50',
  rabatt_grund: 'Gutschein WALD26',
  anzahlung: '300.00',
})

export const EINZUG = {
  tag: '2026-12-22',
  mandat: 'M-2026/17',
  iban: 'DE89370400440532013000',
  glaeubiger_id: 'DE98ZZZ09999999999',
} as const
const COLLECTED: Head = { einzug: EINZUG, faellig: EINZUG.tag }

const OFFER = { art: 'angebot', nummer: 'AN-2026-0007', datum: '2026-02-02' } as const
export const advanceOf = (
  head: Head = {},
  lines: readonly TableRow[] = [{ ...LINE, bez: 'Abschlag von 30 %' }],
) =>
  makeBeleg(lines, {
    art: 'abschlag',
    nummer: 'RE-2026-0031',
    datum: '2026-03-02',
    faellig: '2026-03-16',
    bezug: OFFER,
    ...head,
  })
/** As the final invoice names it, with so much received in these parts. */
function takenOff(
  advance: Beleg,
  ...parts: readonly (readonly [datum: string, betrag: string])[]
): BelegAbschlag {
  const paid = formatCents(sum(parts.map(([, amount]) => decimal(amount))))
  const taxes = receivedByRate(advance.summen.steuern, paid)
  return {
    id: '7',
    nummer: advance.nummer,
    datum: advance.datum,
    brutto: advance.summen.brutto,
    gezahlt: paid,
    netto: formatCents(sum(taxes.map(({ basis }) => decimal(basis)))),
    steuer: formatCents(sum(taxes.map(({ steuer }) => decimal(steuer)))),
    zahlungen: parts.map(([datum, amount]) => ({ datum, betrag: amount })),
    steuern: taxes,
  }
}
const finalOf = (abschlaege: readonly BelegAbschlag[], lines: readonly TableRow[], head: Head = {}): Beleg =>
  makeBeleg(lines, {
    art: 'schluss',
    bezug: OFFER,
    abschlaege,
    anzahlung: formatCents(abschlaege.map(({ gezahlt }) => decimal(gezahlt)).reduce(add)),
    ...head,
  })
const FIRST = takenOff(advanceOf(), ['2026-03-11', '1190.00'])
const SECOND = takenOff(
  advanceOf({ nummer: 'RE-2026-0033', datum: '2026-05-04' }, [
    { ...LINE, bez: 'Abschlag zu 19 %', ep: '300.02' },
    { ...LINE, bez: 'Abschlag zu 7 %', ep: '100.00', ust_satz: '7.00' },
  ]),
  ['2026-05-12', '200.00'],
  ['2026-06-01', '100.01'],
)

/** The correction of an issued invoice, with lines below zero; `rest`: what earlier ones have left by rate. */
const correctionOf = (
  of: Beleg,
  lines: readonly TableRow[],
  head: Head = {},
  rest: readonly BelegTax[] = of.summen.steuern,
): Beleg => {
  const made = makeBeleg(lines, {
    art: 'korrektur',
    nummer: 'RE-2026-0044',
    datum: '2026-11-24',
    faellig: null,
    skonto: [],
    anschreiben: 'Es wurden nur 10 ha aufgenommen.',
    zuerl: '',
    rabatt_prozent: of.rabatt_prozent,
    rabatt_grund: of.rabatt_grund,
    bezug: { art: of.art, nummer: of.nummer, datum: of.datum },
    ...head,
  })
  return { ...made, summen: korrekturSums(made.summen, rest) }
}
const LUMP: TableRow = { bez: 'Minderung: Außendienst', anzahl: '-1', einheit: 'psch', ep: '99.99' }
const CENTS = makeBeleg([{ ...LINE, anzahl: '3', einheit: 'Stück', ep: '0.335' }])

/** Each covers something specific; all must pass in both profiles. */
export const BELEGE: Readonly<Record<string, Beleg>> = {
  'eine-zeile-19': makeBeleg(),
  'nur-7': makeBeleg([BOOK], { ust_satz: '7.00' }),
  'nur-0-befreit': makeBeleg([EXEMPT]),
  'mischung-19-7': makeBeleg([HEKTAR, BOOK]),
  'mischung-19-0': makeBeleg([HOUR, EXEMPT]),
  'mischung-7-0': makeBeleg([BOOK, EXEMPT], { ust_satz: '7.00' }),
  'mischung-19-7-0': makeBeleg([HEKTAR, HOUR, BOOK, EXEMPT]),
  'zwei-befreiungen': makeBeleg([
    EXEMPT,
    { ...EXEMPT, bez: 'Gutachten', steuergrund: 'Steuerfrei nach § 4 Nr. 14 UStG' },
  ]),
  'satz-mit-komma': makeBeleg([{ ...HOUR, ust_satz: '7.80' }]),
  'skonto-eine-stufe': makeBeleg([HEKTAR], { skonto: tiers([10, '2.00']) }),
  'skonto-drei-stufen': makeBeleg([HEKTAR, BOOK], { skonto: tiers([7, '3.00'], [14, '2'], [21, '0.5']) }),
  'skonto-ohne-faelligkeit': makeBeleg([HEKTAR], { skonto: tiers([10, '2.00']), faellig: null }),
  'lastschrift-einfach': makeBeleg([HEKTAR], COLLECTED),
  'lastschrift-skonto-mischung': makeBeleg([HEKTAR, BOOK, EXEMPT], {
    ...COLLECTED,
    skonto: tiers([10, '2.00']),
    rabatt_prozent: '3.00',
    rabatt_grund: 'Rahmenvertrag',
    anzahlung: '50.00',
  }),
  'lastschrift-abschlag': advanceOf(COLLECTED),
  'lastschrift-schluss': finalOf([FIRST], [HEKTAR, { ...LINE, ep: '2500.00' }], COLLECTED),
  'lastschrift-nichts-zu-zahlen': makeBeleg([{ ...LINE, ep: '100.00' }], {
    ...COLLECTED,
    anzahlung: '119.00',
  }),
  'lastschrift-ausland': makeBeleg([HEKTAR], {
    ...COLLECTED,
    einzug: { ...EINZUG, iban: 'AT611904300234573201' },
    empfaenger: ABROAD.AT,
    leistungsort: 'grundstueck_inland',
    verweise: { kaeufer_ref: 'K-0815' },
  }),
  'lastschrift-storno': makeStorno(makeBeleg([HEKTAR], COLLECTED)),
  'sofort-faellig': makeBeleg([HEKTAR], { faellig: null }),
  'storno-einfach': makeStorno(makeBeleg([HEKTAR])),
  'storno-gemischt-rabatt-anzahlung': makeStorno(MIXED),
  'storno-zeilenrabatt': makeStorno(makeBeleg([{ ...HOUR, rabatt_prozent: '15.00' }])),
  'gutschein-alle-saetze': makeBeleg([HEKTAR, HOUR, BOOK, EXEMPT], {
    rabatt_prozent: '12.50',
    rabatt_grund: 'Gutschein WALD26',
  }),
  'gutschein-hundert-prozent': makeBeleg([HEKTAR, BOOK], {
    rabatt_prozent: '100.00',
    rabatt_grund: 'Gutschein',
  }),
  'rabatt-ohne-grund': makeBeleg([HOUR], { rabatt_prozent: '3.33' }),
  'rabatt-ungerade-cents': makeBeleg(
    [
      { ...HEKTAR, ep: '0.33', anzahl: '1' },
      { ...BOOK, ep: '0.33', anzahl: '1' },
      { ...EXEMPT, ep: '0.34', anzahl: '1' },
    ],
    { rabatt_prozent: '33.33', rabatt_grund: 'Treuerabatt' },
  ),
  'zuschlag-alle-saetze': makeBeleg([HEKTAR, HOUR, BOOK, EXEMPT], {
    rabatt_prozent: '-12.50',
    rabatt_grund: 'Steilhang',
  }),
  'zuschlag-ungerade-cents': makeBeleg(
    [
      { ...HEKTAR, ep: '0.33', anzahl: '1' },
      { ...BOOK, ep: '0.33', anzahl: '1' },
      { ...EXEMPT, ep: '0.34', anzahl: '1' },
    ],
    { rabatt_prozent: '-33.33', rabatt_grund: 'Kleinmenge' },
  ),
  zeilenzuschlag: makeBeleg([
    { ...HOUR, rabatt_prozent: '-10.00' },
    { ...BOOK, rabatt_prozent: '33.33' },
    { ...HEKTAR, rabatt_prozent: '-100.00' },
  ]),
  'storno-zuschlag': makeStorno(
    makeBeleg([{ ...HOUR, rabatt_prozent: '-15.00' }, BOOK], {
      rabatt_prozent: '-5.00',
      rabatt_grund: 'Eilzuschlag',
    }),
  ),
  zeilenrabatt: makeBeleg([
    { ...HOUR, rabatt_prozent: '10.00' },
    { ...BOOK, rabatt_prozent: '33.33' },
    { ...HEKTAR, rabatt_prozent: '100.00' },
  ]),
  'zeilen-und-belegrabatt': makeBeleg([{ ...HOUR, rabatt_prozent: '7.77' }, BOOK], {
    rabatt_prozent: '5.00',
    rabatt_grund: 'Stammkunde',
  }),
  'abschlag-an-einem-tag': advanceOf({ le_date: '2026-12-01' }),
  'abschlag-zeitraum': advanceOf({ le_date: '2026-11-01', le_date_bis: '2026-12-20' }),
  'schluss-ein-abschlag': finalOf([FIRST], [HEKTAR, { ...LINE, ep: '2500.00' }]),
  'schluss-zwei-abschlaege-zwei-saetze': finalOf(
    [FIRST, SECOND],
    [HEKTAR, BOOK, { ...LINE, ep: '2500.00' }],
    { skonto: tiers([10, '2.00']), rabatt_prozent: '3.00', rabatt_grund: 'Rahmenvertrag' },
  ),
  'schluss-ganz-bezahlt': finalOf([FIRST], [LINE]),
  'schluss-zu-viel-bezahlt': finalOf([FIRST], [{ ...LINE, ep: '800.00' }]),
  'schluss-anderer-satz': finalOf(
    [takenOff(advanceOf({}, [{ ...LINE, ust_satz: '16.00' }]), ['2026-03-11', '1160.00'])],
    [{ ...LINE, ep: '2500.00' }],
  ),
  'storno-abschlag': makeStorno(advanceOf()),
  'storno-schluss': makeStorno(finalOf([FIRST, SECOND], [{ ...LINE, ep: '2500.00' }])),
  'korrektur-menge': correctionOf(makeBeleg([HEKTAR]), [{ ...HEKTAR, anzahl: '-2.375' }]),
  'korrektur-betrag-zwei-saetze': correctionOf(makeBeleg([HOUR, BOOK]), [
    LUMP,
    { ...BOOK, bez: 'Preisminderung: Revierkarte', anzahl: '-3', ep: '4.90' },
  ]),
  'korrektur-rabatt': correctionOf(MIXED, [
    { ...HEKTAR, anzahl: '-1' },
    { ...EXEMPT, anzahl: '-1' },
  ]),
  // The last cents of tax: 0.06 would be the tax of 0.33.
  'korrektur-rest': correctionOf(
    CENTS,
    [{ ...LINE, bez: 'Rest: Pflock', anzahl: '-1', einheit: 'psch', ep: '0.33' }],
    {},
    CENTS.summen.steuern.map((tax) => ({ ...tax, positionen: '0.33', basis: '0.33', steuer: '0.07' })),
  ),
  'korrektur-schluss': correctionOf(finalOf([FIRST], [HEKTAR, { ...LINE, ep: '2500.00' }]), [
    { ...HEKTAR, anzahl: '-2' },
  ]),
  'korrektur-reverse-charge': correctionOf(
    makeBeleg([REVERSE], { empfaenger: ABROAD.AT }),
    [{ ...REVERSE, anzahl: '-1', ep: '450.00' }],
    { empfaenger: ABROAD.AT, verweise: { kaeufer_ref: 'K-0815' } },
  ),
  'anzahlung-teil': makeBeleg([HEKTAR], { anzahlung: '250.00' }),
  'anzahlung-ganz': makeBeleg([{ ...LINE, ep: '100.00' }], { anzahlung: '119.00' }),
  'anzahlung-zu-viel': makeBeleg([{ ...LINE, ep: '100.00' }], { anzahlung: '200.00' }),
  'alles-zusammen': MIXED,
  kleinbetrag: makeBeleg([{ ...BOOK, anzahl: '1' }], { anschreiben: '', anrede: '', zuerl: '' }),
  privat: makeBeleg([HEKTAR], {
    empfaenger: {
      name: 'Ännchen Groß',
      name_zusatz: '',
      ist_privat: true,
      bestellnummer: '',
      mail: 'aennchen@wald.example',
    },
  }),
  'reverse-charge': makeBeleg([REVERSE], {
    empfaenger: {
      name: 'Österreichische Waldpflege AG',
      land: 'AT',
      plz: '6020',
      ort: 'Innsbruck',
      ust_id: 'ATU 1358 5627',
    },
  }),
  'reverse-charge-mit-rabatt': makeBeleg([REVERSE, { ...REVERSE, bez: 'Anfahrt', ep: '120.00' }], {
    rabatt_prozent: '2.00',
    rabatt_grund: 'Rahmenvertrag',
    empfaenger: { land: 'AT', ust_id: 'ATU13585627' },
  }),
  'oesterreich-grundstueck-in-deutschland': makeBeleg([HEKTAR, BOOK], {
    empfaenger: ABROAD.AT,
    leistungsort: 'grundstueck_inland',
    verweise: { kaeufer_ref: 'K-0815' },
  }),
  'oesterreich-ohne-grundstueck': makeBeleg([untaxed('AE', '')], {
    empfaenger: ABROAD.AT,
    leistungsort: 'kein_grundstueck',
    verweise: { kaeufer_ref: 'K-0815' },
  }),
  'oesterreich-grundstueck-in-oesterreich': makeBeleg([untaxed('AE', '')], {
    empfaenger: ABROAD.AT,
    leistungsort: 'grundstueck_ausland',
    leistungsland: 'AT',
    verweise: { kaeufer_ref: 'K-0815' },
  }),
  'nicht-steuerbar-schweiz': makeBeleg([untaxed('O', 'Im Inland nicht steuerbar (§ 3a Abs. 2 UStG)')], {
    empfaenger: ABROAD.CH,
    leistungsort: 'kein_grundstueck',
    verweise: { kaeufer_ref: 'K-0815' },
  }),
  'schweiz-privat': makeBeleg([HEKTAR], {
    empfaenger: { ...ABROAD.CH, ust_id: '', ist_privat: true },
    leistungsort: 'grundstueck_inland',
    verweise: { kaeufer_ref: 'K-0815' },
  }),
  'frankreich-ohne-grundstueck': makeBeleg(
    [untaxed('AE', 'Steuerschuldnerschaft des Leistungsempfängers (reverse charge)')],
    { empfaenger: ABROAD.FR, leistungsort: 'kein_grundstueck', verweise: { kaeufer_ref: 'K-0815' } },
  ),
  'frankreich-storno': makeStorno(
    makeBeleg([untaxed('AE', '')], {
      empfaenger: ABROAD.FR,
      leistungsort: 'kein_grundstueck',
      verweise: { kaeufer_ref: 'K-0815' },
    }),
  ),
  'alle-nummern-des-kunden': makeBeleg([HEKTAR], { verweise: REFERENCES }),
  'referenz-statt-leitweg': makeBeleg([HEKTAR], { empfaenger: { leitweg_id: '' }, verweise: REFERENCES }),
  'referenz-und-angebot': makeBeleg([HEKTAR], {
    verweise: REFERENCES,
    bezug: { art: 'angebot', nummer: 'AN-2026-0007', datum: '2026-09-01' },
  }),
  kleinunternehmer: makeBeleg([HEKTAR, BOOK], { lieferant: { kleinunternehmer: true, ust_id: '' } }),
  'nicht-steuerbar': makeBeleg([OUT_OF_SCOPE, { ...OUT_OF_SCOPE, bez: 'Verzugsschaden', ep: '40.00' }], {
    rabatt_prozent: '1.00',
    rabatt_grund: 'Vergleich',
  }),
  'nicht-steuerbar-ohne-steuernummer': makeBeleg([OUT_OF_SCOPE], { lieferant: { steuernummer: '' } }),
  'ohne-ust-id': makeBeleg([HEKTAR], { lieferant: { ust_id: '' } }),
  'preis-vier-stellen': makeBeleg([
    { bez: 'Befliegung', anzahl: '1234.567', einheit: 'm²', ep: '0.0375' },
    { bez: 'Datenhaltung', anzahl: '0.001', einheit: 'Monat', ep: '9999.9999' },
  ]),
  'menge-null': makeBeleg([{ ...HOUR, anzahl: '0' }, HEKTAR]),
  'preis-negativ': makeBeleg([
    HEKTAR,
    { bez: 'Gutgeschriebene Anfahrt', anzahl: '1', einheit: 'psch', ep: '-50.00' },
  ]),
  'zweihundert-zeilen': makeBeleg(
    Array.from({ length: 200 }, (_, index) => ({
      ...HEKTAR,
      bez: `Bestand ${index + 1}`,
      anzahl: `${index + 1}.${String(index * 5).padStart(3, '0')}`,
      ep: `${(index % 37) + 1}.${String((index * 7919) % 10_000).padStart(4, '0')}`,
      ust_satz: index % 3 === 0 ? '7.00' : '19.00',
      rabatt_prozent: index % 11 === 0 ? '2.50' : '0.00',
    })),
    { rabatt_prozent: '1.75', rabatt_grund: 'Mengenrabatt', skonto: tiers([10, '2.00']) },
  ),
  'feindlicher-text': makeBeleg([{ ...HOUR, bez: HOSTILE, erl_titel: HOSTILE, erl: HOSTILE }], {
    anrede: HOSTILE,
    anschreiben: HOSTILE,
    zuerl: HOSTILE,
    rabatt_prozent: '1.00',
    rabatt_grund: HOSTILE,
    skonto: tiers([10, '2.00']),
    lieferant: {
      name: HOSTILE,
      name_zusatz: HOSTILE,
      ansprechpartner: HOSTILE,
      kontoinhaber: HOSTILE,
      fusszeile: HOSTILE,
    },
    empfaenger: {
      name: HOSTILE,
      name_zusatz: HOSTILE,
      strasse: HOSTILE,
      ort: HOSTILE,
      bestellnummer: HOSTILE,
    },
  }),
  'leere-felder': makeBeleg([{ ...HOUR, bez: ' \u00A0', erl: '\n \t' }], {
    anrede: ' ',
    anschreiben: '\n',
    zuerl: '\u000B',
    lieferant: { name_zusatz: ' ', bank: '', kontoinhaber: ' ', bic: '', fusszeile: '  ', webseite: '' },
    empfaenger: { name_zusatz: '', strasse: '', bestellnummer: ' ' },
  }),
  'nur-leitweg-keine-mail': makeBeleg([HOUR], { empfaenger: { mail: '' } }),
  leistungszeitraum: makeBeleg([HEKTAR], { le_date: '2026-10-01', le_date_bis: '2026-10-31' }),
  'zeitraum-je-zeile': makeBeleg(
    [
      { ...HEKTAR, le_date: '2026-09-28', le_date_bis: '2026-10-09' },
      { ...HOUR, le_date: '2026-11-02' },
      BOOK,
    ],
    { le_date: '2026-10-01', le_date_bis: '2026-10-31' },
  ),
  'zeitraum-nur-je-zeile': makeBeleg([{ ...HEKTAR, le_date: '2026-09-28', le_date_bis: '2026-10-09' }], {
    le_date: null,
  }),
  'zeile-neben-leistungstag': makeBeleg([{ ...HEKTAR, le_date: '2026-09-28' }], {
    le_date: '2026-10-01',
    le_date_bis: '2026-10-01',
  }),
  'rauten-in-texten': makeBeleg(
    [
      { art: 'ueberschrift', bez: 'Los #12a#', erl: '#13b# entfällt' },
      { ...HEKTAR, bez: 'Los #ADU#', erl: '#AAA# und #14#' },
    ],
    {
      anrede: '#ADU#Guten Tag',
      anschreiben: 'Los #12b# liegt am Hang.',
      zuerl: 'Nr. #1# und #2#',
      rabatt_prozent: '5.00',
      rabatt_grund: '#abc#',
      skonto: [{ tage: 10, prozent: '2.00' }],
    },
  ),
  ueberschriften: makeBeleg([
    { ...HOUR, bez: 'Vorbereitung' },
    { art: 'ueberschrift', bez: 'Revier Nord', erl_titel: 'Hinweis', erl: 'Grenzsteine waren freigelegt.' },
    HEKTAR,
    HOUR,
    { art: 'ueberschrift', bez: 'Revier Süd' },
    BOOK,
    { art: 'ueberschrift', bez: 'Ohne Leistung', erl: 'Auf Wunsch nicht ausgeführt.' },
  ]),
  'optional-und-alternativ': makeBeleg([
    HEKTAR,
    { ...HOUR, art: 'optional', bez: 'Nicht gewählt' },
    { ...BOOK, art: 'alternativ', bez: 'Auch nicht gewählt', gewaehlt: false },
    { ...HOUR, art: 'optional', bez: 'Gewählt', gewaehlt: true },
  ]),
  'lange-texte': makeBeleg([{ ...HEKTAR, erl_titel: 'Umfang', erl: long(200) }], {
    anschreiben: long(150),
    zuerl: long(100),
  }),
  umlaute: makeBeleg([{ ...HEKTAR, bez: 'Überprüfung der Schläge ÄÖÜäöüß – „Süßkirsche“ € ½ ł ő' }], {
    empfaenger: { name: 'Forstgut Şükrü Łęcki-Ðörfler KG', strasse: 'Öhringer Straße 1½', ort: 'Überlingen' },
  }),
  einheiten: makeBeleg(
    ['ha', 'm²', 'm', 'km', 'Std', 'Tag', 'Stück', 'psch', 'm³', 'fm', 'unbekannte Einheit', ''].map(
      (unit) => ({ ...HOUR, einheit: unit }),
    ),
  ),
  'erlaeuterung-verborgen': makeBeleg([{ ...HEKTAR, erl: 'Nur für uns', erl_on: false }]),
  'mit-anlagen': makeBeleg([HEKTAR], { anlagen: ANLAGEN }),
  'mit-anlage-nummern-und-angebot': makeBeleg([HEKTAR], {
    anlagen: ANLAGEN.slice(0, 1),
    verweise: REFERENCES,
    bezug: { art: 'angebot', nummer: 'AN-2026-0007', datum: '2026-09-01' },
  }),
  'aus-angebot': makeBeleg([HEKTAR], {
    bezug: { art: 'angebot', nummer: 'AN-2026-0007', datum: '2026-09-01' },
  }),
  'grosse-betraege': makeBeleg([{ ...HEKTAR, anzahl: '999999.999', ep: '9999.9999' }, BOOK], {
    rabatt_prozent: '0.01',
    rabatt_grund: 'Rundung',
  }),
  'kleinste-betraege': makeBeleg([
    { ...HEKTAR, anzahl: '0.001', ep: '0.0001' },
    { ...BOOK, anzahl: '1', ep: '0.01' },
  ]),
}
