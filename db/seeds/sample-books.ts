// What the trial's bookkeeping holds besides documents: position templates, text blocks, and expected income
// and expenses.
import { decimal, formatCents, percentOf, round2, subtract } from '#domain/geld.ts'
import { addDays, addMonths } from '#domain/day.ts'

export interface SampleTemplate {
  readonly gruppe: string | null
  readonly bez: string
  readonly einheit: string
  readonly ep: string
  readonly ust_satz?: string
  readonly erl_titel?: string
  readonly erl?: string
}
export const TEMPLATES: readonly SampleTemplate[] = [
  {
    gruppe: 'Vermessung',
    bez: 'Dränleitungen einmessen',
    einheit: 'Std',
    ep: '84.50',
    erl_titel: 'Umfang',
    erl: 'Begehung, Aufmaß mit GNSS, Protokoll je Einbau.',
  },
  { gruppe: 'Vermessung', bez: 'Ausmündungen einmessen', einheit: 'Stück', ep: '18.90' },
  { gruppe: 'Vermessung', bez: 'Grenzpunkte absetzen', einheit: 'Stück', ep: '42.00' },
  { gruppe: 'Karten', bez: 'Bestandsplan georeferenzieren', einheit: 'Stück', ep: '46.00' },
  { gruppe: 'Karten', bez: 'Leitungen digitalisieren', einheit: 'km', ep: '118.75' },
  { gruppe: 'Karten', bez: 'Kartenband drucken', einheit: 'Stück', ep: '58.90', ust_satz: '7.00' },
  { gruppe: 'Wald', bez: 'Habitatbäume kartieren', einheit: 'ha', ep: '11.35' },
  { gruppe: null, bez: 'Fahrt ins Gelände', einheit: 'km', ep: '0.42' },
]

export const TEXT_MODULES: readonly {
  readonly art: 'anrede' | 'anschreiben' | 'zuerl' | 'mail' | 'mahnung'
  readonly titel: string
  readonly text: string
}[] = [
  { art: 'anrede', titel: 'Allgemein', text: 'Sehr geehrte Damen und Herren,' },
  { art: 'anschreiben', titel: 'Angebot', text: 'vielen Dank für Ihre Anfrage. Gern bieten wir Ihnen an:' },
  { art: 'anschreiben', titel: 'Rechnung', text: 'für die ausgeführten Arbeiten berechnen wir Ihnen:' },
  { art: 'zuerl', titel: 'Dank', text: 'Vielen Dank für Ihren Auftrag.' },
  {
    art: 'zuerl',
    titel: 'Witterung',
    text:
      'Die Arbeiten im Gelände setzen frostfreien und befahrbaren Boden voraus. ' +
      'Verschiebt die Witterung den Termin, melden wir uns.',
  },
  {
    art: 'mail',
    titel: 'Rechnung senden',
    text:
      'Guten Tag,\n\nanbei erhalten Sie die Rechnung {nummer} vom {datum} über {betrag}, ' +
      'fällig am {faellig}.\n\nFreundliche Grüße',
  },
  {
    art: 'mail',
    titel: 'Angebot senden',
    text:
      'Guten Tag,\n\nanbei erhalten Sie unser Angebot {nummer} vom {datum}. ' +
      'Für Fragen sind wir gern da.\n\nFreundliche Grüße',
  },
  {
    art: 'mahnung',
    titel: 'Erinnerung',
    text:
      'sicher ist es Ihrer Aufmerksamkeit entgangen: ' +
      'Die Rechnung {nummer} vom {datum} über {betrag} war am {faellig} fällig.',
  },
]

export interface SamplePrognose {
  readonly datum: string
  readonly betrag: string
  readonly art: 'Einnahme' | 'Ausgabe'
  readonly kategorie: string
  readonly bemerkung: string | null
}
/** `months` months from the first day of one; one-off amounts fall around `oneOffDay`. */
export function prognosenFrom(first: string, months: number, oneOffDay: string): SamplePrognose[] {
  const out = (
    datum: string,
    amount: string,
    category: string,
    remark: string | null = null,
  ): SamplePrognose => ({
    datum,
    betrag: amount,
    art: 'Ausgabe',
    kategorie: category,
    bemerkung: remark,
  })
  const monthly = Array.from({ length: months }, (_, nr) => addMonths(first, nr)).flatMap((month, nr) => [
    out(month, '1450.00', 'Miete'),
    out(addDays(month, 14), '640.00', 'Fahrzeuge', 'Leasing Messfahrzeug'),
    out(addDays(month, 26), '13800.00', 'Gehälter'),
    {
      datum: addDays(month, 19),
      betrag: '8400.00',
      art: 'Einnahme' as const,
      kategorie: 'Rahmenvertrag',
      bemerkung: 'Landkreis, monatlicher Abschlag',
    },
    ...(nr % 3 === 0 ? [out(addDays(month, 9), '3900.00', 'Steuern', 'Umsatzsteuer')] : []),
    ...(nr % 3 === 1
      ? [
          {
            datum: addDays(month, 4),
            betrag: '2300.00',
            art: 'Einnahme' as const,
            kategorie: 'Wartung',
            bemerkung: 'Pflege der Katasterdaten',
          },
        ]
      : []),
  ])
  return [
    ...monthly,
    {
      datum: oneOffDay,
      betrag: '9500.00',
      art: 'Einnahme',
      kategorie: 'Fördermittel',
      bemerkung: 'Digitalisierung, zweite Rate',
    },
    out(addDays(oneOffDay, 24), '12800.00', 'Geräte', 'GNSS-Empfänger'),
  ]
}

/** A made-up account for a customer, with valid check digits. */
export function accountOf(client: number): string {
  const bban = `10010010${String(client).padStart(10, '0')}`
  return `DE${String(98n - (BigInt(`${bban}131400`) % 97n)).padStart(2, '0')}${bban}`
}

export interface SampleRechnung {
  readonly id: number
  readonly client_id: number
  readonly nummer: string
  readonly kunde: string
  readonly zahlbetrag: string
  readonly offen: string
}

/**
 * Entries of a bank statement about open invoices, newest last: paid by number, with discount, with a
 * mistyped number, in part; then one that belongs to no invoice, and the bank's fee at the end.
 */
export function statementEntries(open: readonly SampleRechnung[], datum: string) {
  const amountText = ({ offen }: SampleRechnung, percent: string) =>
    formatCents(round2(percentOf(decimal(offen), decimal(percent))))
  const of = (bill: SampleRechnung, purpose: string, amount: string, name = bill.kunde) => ({
    datum,
    betrag: amount,
    name,
    iban: accountOf(bill.client_id),
    zweck: purpose,
  })
  const [first, second, third, fourth] = [...open].reverse()
  return [
    ...(first ? [of(first, `${first.nummer} vielen Dank`, formatCents(decimal(first.offen)))] : []),
    ...(second
      ? [
          of(
            second,
            `RG ${second.nummer} abzgl. Skonto`,
            formatCents(subtract(decimal(second.offen), decimal(amountText(second, '2')))),
          ),
        ]
      : []),
    ...(third
      ? [
          of(
            third,
            `Rechnung ${third.nummer.replace('-', '').replace('-0', '/')}`,
            formatCents(decimal(third.offen)),
          ),
        ]
      : []),
    ...(fourth
      ? [of(fourth, `Abschlag ${fourth.nummer}`, amountText(fourth, '50'), fourth.kunde.toUpperCase())]
      : []),
    {
      datum,
      betrag: '214.20',
      name: 'Forstbedarf Süd KG',
      iban: accountOf(9_001),
      zweck: 'Erstattung zu viel berechneter Markierfarbe',
    },
    {
      datum,
      betrag: '-640.00',
      name: 'Mobil Leasing GmbH',
      iban: accountOf(9_002),
      zweck: 'Leasing Messfahrzeug',
    },
    { datum, betrag: '-12.90', name: 'Probebank', iban: '', zweck: 'Kontoführung' },
  ]
}
