// Documents to print: everyday ones, and ones that occur once in ten years.
import type { Beleg, BelegRecipient, BelegLieferant, BelegPosition, PositionKind } from '#domain/beleg.ts'
import { computeBeleg } from '#domain/rechnung.ts'
import { negateBeleg } from '#domain/rechnung.oracle.ts'

export const LIEFERANT: BelegLieferant = {
  name: 'Waldvermessung Müßig & Söhne GmbH',
  name_zusatz: 'Forstliche Vermessung und Kartierung',
  strasse: 'Am Försterhof 7',
  plz: '38678',
  ort: 'Clausthal-Zellerfeld',
  land: 'DE',
  steuernummer: '21/815/08150',
  ust_id: 'DE123456788',
  ansprechpartner: 'Jürgen Müßig',
  telefon: '05323 1234-0',
  mail: 'buero@waldvermessung-muessig.example',
  webseite: 'www.waldvermessung-muessig.example',
  bank: 'Sparkasse Harz',
  kontoinhaber: '',
  iban: 'DE02120300000000202051',
  bic: 'BYLADEM1001',
  fusszeile: 'Amtsgericht Braunschweig, HRB 201234\nGeschäftsführer: Jürgen Müßig, Ilse Müßig',
  kleinunternehmer: false,
}

export const RECIPIENT: BelegRecipient = {
  client_id: '10042',
  name: 'Niedersächsische Landesforsten',
  name_zusatz: 'Forstamt Seesen',
  strasse: 'Lautenthaler Straße 70',
  plz: '38723',
  ort: 'Seesen',
  land: 'DE',
  ust_id: '',
  leitweg_id: '',
  bestellnummer: '',
  mail: 'forstamt@landesforsten.example',
  ist_privat: false,
}

export type Draft = Partial<Omit<BelegPosition, 'betrag' | 'nr' | 'lfd_nr' | 'id'>>

const line = (given: Draft): Omit<BelegPosition, 'betrag' | 'nr' | 'lfd_nr' | 'id'> => ({
  art: 'position' as PositionKind,
  bez: 'Flurstücksgenaue Vermessung der Bestandesgrenzen',
  erl_titel: '',
  erl: '',
  erl_on: true,
  anzahl: '1',
  einheit: 'ha',
  ep: '85.00',
  rabatt_prozent: '0',
  ust_satz: '19.00',
  kategorie: 'S',
  steuergrund: '',
  le_date: null,
  le_date_bis: null,
  ...given,
})

/** A complete document with calculated sums, so that its parts are consistent. */
export function belegOf(given: Partial<Beleg>, drafts: readonly Draft[], advance = '0.00'): Beleg {
  const positions = drafts.map(line)
  const head = { rabatt_prozent: '0', ust_satz: '19.00', lieferant: LIEFERANT, ...given }
  const { summen, zeilen } = computeBeleg({
    positionen: positions,
    rabatt_prozent: head.rabatt_prozent,
    ust_satz: head.ust_satz,
    anzahlung: advance,
    kleinunternehmer: head.lieferant.kleinunternehmer,
  })
  return {
    fassung: 1,
    art: 'rechnung',
    id: '1',
    nummer: 'RE-2026-0042',
    entwurf: false,
    format: 'zugferd',
    datum: '2026-11-12',
    le_date: '2026-10-05',
    le_date_bis: '2026-10-30',
    faellig: '2026-12-12',
    gueltig_bis: null,
    bearbeiter: 'Ilse Müßig',
    anrede: 'Sehr geehrte Damen und Herren,',
    anschreiben:
      'für die im Oktober ausgeführten Vermessungsarbeiten in Ihrem Forstamt berechnen wir Ihnen die ' +
      'folgenden Leistungen.',
    zuerl: 'Wir danken für Ihren Auftrag.\n\nMit freundlichen Grüßen\nIlse Müßig',
    rabatt_grund: '',
    skonto: [],
    empfaenger: RECIPIENT,
    bezug: null,
    ...head,
    positionen: positions.map((position, index) => ({
      ...position,
      id: String(index + 1),
      lfd_nr: index + 1,
      ...zeilen[index]!,
    })),
    summen,
  }
}

export const surcharged = (): Beleg =>
  belegOf({ rabatt_prozent: '-7.5', rabatt_grund: 'Steilhang' }, [
    { bez: 'Vermessung', anzahl: '1', einheit: 'psch', ep: '80.00', rabatt_prozent: '-25' },
  ])

export const threeRates = (): Beleg =>
  belegOf(
    {
      rabatt_prozent: '5',
      rabatt_grund: 'Rahmenvertrag',
      skonto: [
        { tage: 10, prozent: '3' },
        { tage: 20, prozent: '1.5' },
      ],
      empfaenger: { ...RECIPIENT, bestellnummer: '4500123456' },
    },
    [
      { art: 'ueberschrift', bez: 'Außendienst' },
      {
        anzahl: '124.375',
        ep: '38.50',
        erl_titel: 'Umfang',
        erl:
          'Abteilungen 112 bis 131, einschließlich Wegenetz und Rückegassen.\n' +
          'Aufnahme mit GNSS, Genauigkeit ±0,5 m unter Schirm.',
      },
      {
        bez: 'Grenzsteine suchen und freilegen',
        anzahl: '17',
        einheit: 'Stück',
        ep: '22.40',
        rabatt_prozent: '10',
      },
      { bez: 'Anfahrt', anzahl: '412.5', einheit: 'km', ep: '0.4217' },
      { art: 'ueberschrift', bez: 'Innendienst und Karten' },
      {
        bez: 'Bestandeskarte 1 : 10 000, gedruckt und gefalzt',
        anzahl: '12',
        einheit: 'Stück',
        ep: '14.90',
        ust_satz: '7.00',
      },
      {
        bez: 'Geobasisdaten der Landesvermessung (durchlaufender Posten)',
        anzahl: '1',
        einheit: 'pauschal',
        ep: '312.00',
        ust_satz: '0.00',
        kategorie: 'E',
        steuergrund: 'Umsatzsteuerfrei nach § 4 Nr. 8 UStG',
      },
      {
        bez: 'Digitalisierung der Dränpläne',
        anzahl: '3.5',
        einheit: 'Std.',
        ep: '78.00',
        le_date: '2026-10-29',
      },
    ],
    '1000.00',
  )

export const angebot = (): Beleg =>
  belegOf(
    {
      art: 'angebot',
      nummer: 'AN-2026-0107',
      format: 'pdf',
      faellig: null,
      gueltig_bis: '2026-12-31',
      le_date: null,
      le_date_bis: null,
      anschreiben:
        'vielen Dank für Ihre Anfrage. Gern bieten wir Ihnen die Forsteinrichtung Ihres Betriebes wie folgt an.',
    },
    [
      {
        bez: 'Forsteinrichtung nach Betriebsinventur',
        anzahl: '486.2',
        ep: '21.50',
        erl: 'Stichprobenraster 100 × 100 m, Auswertung nach Baumarten und Altersklassen.',
      },
      { art: 'alternativ', bez: 'Raster 200 × 200 m', anzahl: '486.2', ep: '13.80' },
      { bez: 'Waldbestandskarten', anzahl: '8', einheit: 'Stück', ep: '36.00', ust_satz: '7.00' },
      {
        art: 'optional',
        bez: 'Habitatbaumkonzept nach KAWM, 5 Bäume je Hektar',
        anzahl: '40',
        einheit: 'ha',
        ep: '19.90',
      },
      {
        art: 'optional',
        bez: 'Vorstellung der Ergebnisse vor Ort',
        anzahl: '1',
        einheit: 'Termin',
        ep: '420.00',
      },
    ],
  )

export const storno = (): Beleg => {
  const likeness = threeRates()
  return {
    ...negateBeleg(likeness),
    nummer: 'RE-2026-0043',
    entwurf: false,
    datum: '2026-11-16',
    bezug: { art: 'rechnung', nummer: likeness.nummer, datum: likeness.datum },
    // As the database writes it: the reason replaces the opening text, and there is no closing text.
    anschreiben: '',
    zuerl: '',
    skonto: [],
  }
}

/** Two of the hours are taken back. */
export const korrektur = (): Beleg => {
  const of = threeRates()
  return belegOf(
    {
      art: 'korrektur',
      nummer: 'RE-2026-0049',
      datum: '2026-11-20',
      faellig: null,
      skonto: [],
      anschreiben: 'Zwei Stunden waren doppelt berechnet.',
      zuerl: '',
      bezug: { art: 'rechnung', nummer: of.nummer, datum: of.datum },
    },
    [{ bez: 'Außendienst', anzahl: '-2', einheit: 'Std', ep: '78.50' }],
  )
}

const AN = { art: 'angebot', nummer: 'AN-2026-0007', datum: '2026-08-03' } as const
export const abschlag = (): Beleg =>
  belegOf({ art: 'abschlag', nummer: 'RE-2026-0039', le_date: '2026-12-01', le_date_bis: null, bezug: AN }, [
    {
      bez: 'Abschlag von 30 % auf den Auftrag zum Angebot AN-2026-0007',
      anzahl: '1',
      einheit: 'psch',
      ep: '1000.00',
    },
  ])

/** Two advances, one of them at two rates and paid in two parts. */
export const schluss = (): Beleg => ({
  ...belegOf(
    { art: 'schluss', nummer: 'RE-2026-0047', bezug: AN },
    [
      { bez: 'Grenzvermessung', anzahl: '40', einheit: 'Std', ep: '78.50' },
      { bez: 'Revierkarte', anzahl: '3', einheit: 'Stück', ep: '50.00', ust_satz: '7.00' },
    ],
    '1490.01',
  ),
  abschlaege: [
    {
      id: '39',
      nummer: 'RE-2026-0039',
      datum: '2026-09-02',
      brutto: '1190.00',
      gezahlt: '1190.00',
      netto: '1000.00',
      steuer: '190.00',
      zahlungen: [{ datum: '2026-09-11', betrag: '1190.00' }],
      steuern: [{ kategorie: 'S', satz: '19.00', basis: '1000.00', steuer: '190.00' }],
    },
    {
      id: '41',
      nummer: 'RE-2026-0041',
      datum: '2026-10-05',
      brutto: '464.02',
      gezahlt: '300.01',
      netto: '258.63',
      steuer: '41.38',
      zahlungen: [
        { datum: '2026-10-12', betrag: '200.00' },
        { datum: '2026-10-30', betrag: '100.01' },
      ],
      steuern: [
        { kategorie: 'S', satz: '19.00', basis: '193.98', steuer: '36.85' },
        { kategorie: 'S', satz: '7.00', basis: '64.65', steuer: '4.53' },
      ],
    },
  ],
})

export const xrechnung = (): Beleg =>
  belegOf(
    {
      format: 'xrechnung',
      nummer: 'RE-2026-0044',
      empfaenger: { ...RECIPIENT, leitweg_id: '04011000-1234512345-06' },
    },
    [{ anzahl: '12.5' }, { bez: 'Anfahrt', anzahl: '88', einheit: 'km', ep: '0.42' }],
  )

export const manyPositions = (count = 200): Beleg =>
  belegOf(
    { nummer: 'RE-2026-0045' },
    Array.from({ length: count }, (_, index) => ({
      bez: `Grenzpunkt ${index + 1} aufgesucht, eingemessen und vermarkt`,
      anzahl: `${(index % 7) + 1}.${index % 4}`,
      einheit: index % 3 === 0 ? 'Stück' : 'm',
      ep: `${(index * 37) % 500}.${String((index * 13) % 100).padStart(2, '0')}`,
      ust_satz: index % 5 === 0 ? '7.00' : '19.00',
      ...(index % 6 === 0 && {
        erl: 'Mit Protokoll und Lichtbild, Abgabe als Shape-Datei im Bezugssystem ETRS89/UTM32.',
      }),
    })),
  )

export const mahnung = (): Beleg => {
  const base = belegOf(
    {
      art: 'mahnung',
      nummer: '',
      format: 'pdf',
      datum: '2027-01-11',
      faellig: '2027-01-25',
      le_date: null,
      le_date_bis: null,
    },
    [],
  )
  return {
    ...base,
    anschreiben:
      'sicher haben Sie es nur übersehen: Zu der folgenden Rechnung fehlt uns noch der unten genannte Betrag.',
    zuerl:
      'Haben Sie inzwischen gezahlt, so betrachten Sie dieses Schreiben bitte als gegenstandslos.\n\n' +
      'Mit freundlichen Grüßen\nIlse Müßig',
    bezug: { art: 'rechnung', nummer: 'RE-2026-0042', datum: '2026-11-12' },
    mahnung: {
      stufe: 1,
      rechnung_faellig: '2026-12-12',
      rechnung_betrag: '1487.50',
      gezahlt: '500.00',
      gebuehr: '5.00',
    },
    summen: { ...base.summen, zahlbetrag: '992.50' },
  }
}

/** A reminder with interest over the change of a half-year, and the lump sum. */
export const verzug = (): Beleg => {
  const base = mahnung()
  return {
    ...base,
    mahnung: {
      ...base.mahnung!,
      stufe: 2,
      verzug: {
        privat: false,
        ab: '2025-06-15',
        bis: '2025-07-20',
        zinsen: '10.85',
        pauschale: '40.00',
        zeilen: [
          {
            von: '2025-06-15',
            bis: '2025-06-30',
            tage: 16,
            betrag: '1000.00',
            basiszins: '2.27',
            satz: '11.27',
            zinsen: '4.94',
          },
          {
            von: '2025-07-01',
            bis: '2025-07-20',
            tage: 20,
            betrag: '1050.00',
            basiszins: '1.27',
            satz: '10.27',
            zinsen: '5.91',
          },
        ],
      },
    },
    summen: { ...base.summen, zahlbetrag: '1043.35' },
  }
}

export const draftBeleg = (): Beleg => ({ ...threeRates(), entwurf: true, nummer: '' })

export const privatePerson = (): Beleg =>
  belegOf(
    {
      nummer: 'RE-2026-0046',
      format: 'pdf',
      anrede: 'Sehr geehrter Herr Öztürk,',
      empfaenger: {
        ...RECIPIENT,
        client_id: '10077',
        name: 'Ömer Öztürk',
        name_zusatz: '',
        strasse: 'Waldweg 3',
        ist_privat: true,
      },
    },
    [{ bez: 'Absteckung der Grenze zum Nachbarwald', anzahl: '1', einheit: 'pauschal', ep: '480.00' }],
  )

export const smallBusiness = (): Beleg =>
  belegOf(
    {
      nummer: 'RE-2026-0047',
      format: 'pdf',
      lieferant: { ...LIEFERANT, ust_id: '', kleinunternehmer: true },
    },
    [
      {
        bez: 'Baumkontrolle',
        anzahl: '12',
        einheit: 'Stück',
        ep: '18.00',
        ust_satz: '0.00',
        kategorie: 'E',
        steuergrund: 'Steuerbefreiung für Kleinunternehmer (§ 19 UStG)',
      },
      {
        bez: 'Anfahrt',
        anzahl: '20',
        einheit: 'km',
        ep: '0.42',
        ust_satz: '0.00',
        kategorie: 'E',
        steuergrund: 'Steuerbefreiung für Kleinunternehmer (§ 19 UStG)',
      },
    ],
  )
