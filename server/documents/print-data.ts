// What is printed, word for word: turns a frozen document into the texts of the letter. All numbers are
// formatted here from exact decimals; the template only places them.
import { BELEG_NAME } from '#domain/abschlag-text.ts'
import type { Beleg, BelegKind, BelegRecipient, BelegLieferant } from '#domain/beleg.ts'
import { countryLine, placeLine, placeLines } from '#domain/countries.ts'
import { setLine, setLines, setParagraphs } from '#domain/typeset-text.ts'
import { abschlaege } from './print-advances.ts'
import { attachments, hintsOf, sumsOf, signatureOf, zahlung } from './print-closing.ts'
import { interestTableOf } from './print-interest.ts'
import { tableOf } from './print-table.ts'
import type { PrintData, Pair } from './letter.ts'
import { ibanGroups, tag, period } from './notation.ts'

const MAHNUNG = { 1: 'Zahlungserinnerung', 2: 'Mahnung', 3: 'Letzte Mahnung' } as const
const REFERS_TO: Readonly<Record<BelegKind, string>> = {
  rechnung: 'zur Rechnung',
  abschlag: 'zur Abschlagsrechnung',
  schluss: 'zur Schlussrechnung',
  storno: 'zur Stornorechnung',
  korrektur: 'zur Rechnungskorrektur',
  angebot: 'zum Angebot',
  mahnung: 'zur Mahnung',
}

const filled = (...texts: readonly string[]): string[] => texts.map(setLine).filter((text) => text !== '')
const pairs = (...rows: readonly Pair[]): Pair[] =>
  rows.map(([name, wert]): Pair => [name, setLine(wert)]).filter(([, wert]) => wert !== '')

export const titleOf = (beleg: Beleg): string =>
  beleg.art === 'mahnung' ? MAHNUNG[beleg.mahnung?.stufe ?? 1] : BELEG_NAME[beleg.art]

const named = (beleg: Beleg): string =>
  [titleOf(beleg), beleg.entwurf ? '– Entwurf' : setLine(beleg.nummer)]
    .filter((part) => part !== '')
    .join(' ')

const alone = ({ le_date, le_date_bis }: Beleg): boolean =>
  le_date === null || le_date_bis === null || le_date === le_date_bis

function information(beleg: Beleg): Pair[] {
  const { empfaenger, lieferant, verweise = {} } = beleg
  const name = {
    rechnung: 'Rechnungs',
    abschlag: 'Rechnungs',
    schluss: 'Rechnungs',
    storno: 'Storno',
    korrektur: 'Korrektur',
    angebot: 'Angebots',
    mahnung: 'Mahn',
  }[beleg.art]
  const supplied = alone(beleg) ? 'Leistungsdatum' : 'Leistungszeitraum'
  return pairs(
    ...(beleg.art === 'mahnung' ? [] : [[`${name}nummer`, beleg.entwurf ? '' : beleg.nummer] as const]),
    [beleg.art === 'mahnung' ? 'Datum' : `${name}datum`, tag(beleg.datum)],
    [beleg.art === 'abschlag' ? 'Voraussichtlich' : supplied, period(beleg.le_date, beleg.le_date_bis)],
    ['Kundennummer', empfaenger.client_id],
    ['Ihre USt-IdNr.', empfaenger.ust_id],
    ['Bestellnummer', empfaenger.bestellnummer],
    ['Leitweg-ID', empfaenger.leitweg_id],
    ['Ihre Referenz', verweise.kaeufer_ref ?? ''],
    ['Projekt', verweise.projekt_nr ?? ''],
    ['Vertrag', verweise.vertrag_nr ?? ''],
    ['Vergabe/Los', verweise.vergabe_nr ?? ''],
    ['Objekt', verweise.objekt_nr ?? ''],
    ['Ansprechpartner', beleg.bearbeiter === '' ? lieferant.ansprechpartner : beleg.bearbeiter],
    ['Telefon', lieferant.telefon],
    ['E-Mail', lieferant.mail],
  )
}

const addressLines = ({ name, name_zusatz, strasse, plz, ort, land }: BelegRecipient): string[] => [
  ...setLines(name),
  ...filled(...setLines(name_zusatz), strasse, ...placeLines({ plz, ort, land }), countryLine(land)),
]

const fuss = (lieferant: BelegLieferant): string[][] =>
  [
    filled(lieferant.name, lieferant.strasse, placeLine(lieferant)),
    filled(
      lieferant.telefon === '' ? '' : `Telefon ${lieferant.telefon}`,
      lieferant.mail,
      lieferant.webseite,
    ),
    lieferant.iban === ''
      ? []
      : filled(
          lieferant.bank,
          `IBAN ${ibanGroups(lieferant.iban)}`,
          lieferant.bic === '' ? '' : `BIC ${lieferant.bic}`,
        ),
    filled(
      lieferant.ust_id === '' ? '' : `USt-IdNr. ${lieferant.ust_id}`,
      lieferant.steuernummer === '' ? '' : `Steuernummer ${lieferant.steuernummer}`,
      ...setLines(lieferant.fusszeile),
    ),
  ].filter((column) => column.length > 0)

export interface Enclosed {
  readonly logo: string | null
  readonly xml: boolean
}

export function printData(beleg: Beleg, { logo, xml }: Enclosed): PrintData {
  const { lieferant, bezug } = beleg
  const [year, month, day] = beleg.datum.split('-').map(Number)
  const whole = named(beleg)
  return {
    pdf: {
      pdf_titel: whole,
      autor: setLine(lieferant.name),
      beschreibung: `${whole} vom ${tag(beleg.datum)} für ${setLine(beleg.empfaenger.name)}`,
      stichworte: [titleOf(beleg)],
      tag: [year!, month!, day!],
      anhang: `${whole} als XML`,
    },
    entwurf: beleg.entwurf,
    xml,
    logo,
    absender: {
      name: setLine(lieferant.name),
      zusatz: setLine(lieferant.name_zusatz),
      zeile: filled(lieferant.name, lieferant.strasse, placeLine(lieferant)).join(' · '),
    },
    anschrift: addressLines(beleg.empfaenger),
    info: information(beleg),
    titel: whole,
    untertitel:
      bezug === null
        ? ''
        : `${REFERS_TO[bezug.art]} ${beleg.art === 'korrektur' ? 'Nr. ' : ''}${setLine(bezug.nummer)} ` +
          `vom ${tag(bezug.datum)}`,
    folgekopf: [whole, `vom ${tag(beleg.datum)}`, '·', setLine(beleg.empfaenger.name)].join(' '),
    // A Storno without a reason has nothing to say after a salutation.
    anrede: beleg.art === 'storno' && beleg.anschreiben.trim() === '' ? [] : setParagraphs(beleg.anrede),
    anschreiben: setParagraphs(beleg.anschreiben),
    tabelle: tableOf(beleg),
    summen: sumsOf(beleg),
    zinsen: interestTableOf(beleg),
    abschlaege: abschlaege(beleg),
    zahlung: zahlung(beleg),
    hinweise: hintsOf(beleg),
    zuerl: setParagraphs(beleg.zuerl),
    anlagen: attachments(beleg),
    unterschrift: signatureOf(beleg),
    fuss: fuss(lieferant),
  }
}
