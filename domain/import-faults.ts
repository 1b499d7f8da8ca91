// All faults an import can have. SQL has the same codes (db/nouns/import.sql); the texts say what is wrong
// and what to do.
import type { FieldKey } from './import-fields.ts'

/** fehler: nothing is imported while there is one. warnung: should be checked. */
export type Level = 'fehler' | 'warnung'

interface Kind {
  readonly stufe: Level
  readonly titel: string
  /** With placeholders {wert}, {laengste}, {zeile}, {orte}, {land}, {name} that `angaben` fills in. */
  readonly text: string
}

export const FAULTS = {
  name_fehlt: { stufe: 'fehler', titel: 'Name fehlt', text: 'Der Name des Kunden fehlt.' },
  strasse_fehlt: {
    stufe: 'fehler',
    titel: 'Straße fehlt',
    text: 'Die Straße fehlt. Bei Orten ohne Straßennamen den Ortsteil mit Hausnummer eintragen.',
  },
  plz_fehlt: { stufe: 'fehler', titel: 'PLZ fehlt', text: 'Die PLZ fehlt.' },
  ort_fehlt: { stufe: 'fehler', titel: 'Ort fehlt', text: 'Der Ort fehlt.' },
  plz_format: {
    stufe: 'fehler',
    titel: 'PLZ ungültig',
    text: '„{wert}“ ist keine PLZ. Sie hat genau fünf Ziffern, auch eine führende 0 gehört dazu.',
  },
  plz_ausland: {
    stufe: 'fehler',
    titel: 'PLZ passt nicht zum Land',
    text: '„{wert}“ ist keine Postleitzahl dieses Landes. Sie sieht dort aus wie {beispiel}.',
  },
  land_unbekannt: {
    stufe: 'fehler',
    titel: 'Land unbekannt',
    text: '„{wert}“ ist kein Land. Möglich sind der Name oder zwei Buchstaben, zum Beispiel Österreich oder AT.',
  },
  bundesland_ausland: {
    stufe: 'fehler',
    titel: 'Bundesland im Ausland',
    text: 'Kunden im Ausland haben kein Bundesland. Bitte „{wert}“ löschen oder das Land berichtigen.',
  },
  plz_unbekannt: {
    stufe: 'warnung',
    titel: 'PLZ unbekannt',
    text: 'Die PLZ {wert} steht nicht im Verzeichnis. Bitte prüfen; Postfächer und Großempfänger haben eigene.',
  },
  ort_passt_nicht: {
    stufe: 'warnung',
    titel: 'Ort passt nicht zur PLZ',
    text: 'Der Ort „{wert}“ gehört nach dem Verzeichnis nicht zur PLZ. Bekannt sind: {orte}.',
  },
  bundesland_unbekannt: {
    stufe: 'fehler',
    titel: 'Bundesland unbekannt',
    text: '„{wert}“ ist kein deutsches Bundesland.',
  },
  bundesland_widerspricht: {
    stufe: 'warnung',
    titel: 'Bundesland passt nicht zur PLZ',
    text: 'Die PLZ liegt in {land}, eingetragen ist {wert}.',
  },
  epsg_unbekannt: {
    stufe: 'fehler',
    titel: 'EPSG-Code unbekannt',
    text: '„{wert}“ ist kein unterstütztes Koordinatensystem. Üblich sind 25832 und 25833.',
  },
  anrede_unbekannt: {
    stufe: 'fehler',
    titel: 'Anrede unbekannt',
    text: '„{wert}“ ist keine Anrede. Möglich sind Herr, Frau, divers.',
  },
  telefon_ungueltig: {
    stufe: 'fehler',
    titel: 'Telefonnummer ungültig',
    text:
      '„{wert}“ ist keine Telefonnummer. Erlaubt sind 3 bis 40 Zeichen: ' +
      'Ziffern, +, (, ), /, -, Punkt und Leerzeichen.',
  },
  zahl_ungueltig: {
    stufe: 'fehler',
    titel: 'Zahl ungültig',
    text: '„{wert}“ ist keine Zahl. Beispiel: 1.234,56.',
  },
  flaeche_negativ: {
    stufe: 'fehler',
    titel: 'Fläche negativ',
    text: 'Eine Fläche von {wert} ha gibt es nicht.',
  },
  flaeche_zu_gross: {
    stufe: 'fehler',
    titel: 'Fläche zu groß',
    text: 'Eine Fläche von {wert} ha ist zu groß. Ist die Einheit Hektar?',
  },
  flaeche_auffaellig: {
    stufe: 'warnung',
    titel: 'Fläche auffällig',
    text: '{wert} ha sind für einen Forstbetrieb ungewöhnlich. Ist die Einheit Hektar?',
  },
  datum_ungueltig: {
    stufe: 'fehler',
    titel: 'Datum ungültig',
    text: '„{wert}“ ist kein Datum. Beispiel: 31.12.2024.',
  },
  datum_auffaellig: {
    stufe: 'warnung',
    titel: 'Datum auffällig',
    text: 'Das Datum {wert} liegt ungewöhnlich weit zurück oder in der Zukunft.',
  },
  ja_nein_ungueltig: { stufe: 'fehler', titel: 'Ja/Nein ungültig', text: '„{wert}“ ist weder ja noch nein.' },
  text_zu_lang: {
    stufe: 'fehler',
    titel: 'Text zu lang',
    text: 'Der Text hat {laenge} Zeichen, erlaubt sind {laengste}.',
  },
  steuerzeichen: {
    stufe: 'fehler',
    titel: 'Unsichtbare Zeichen',
    text: 'Der Text enthält unsichtbare Steuerzeichen. Bitte den Text neu eintippen.',
  },
  formel: {
    stufe: 'fehler',
    titel: 'Formel statt Text',
    text: '„{wert}“ sieht wie eine Formel aus. Bitte den gemeinten Text eintragen.',
  },
  excel_fehler: {
    stufe: 'fehler',
    titel: 'Fehlerwert aus Excel',
    text: '„{wert}“ ist eine Fehlermeldung von Excel. Bitte die Formel in der Datei berichtigen.',
  },
  hq_name_fehlt: {
    stufe: 'warnung',
    titel: 'Forstbetrieb ohne Namen',
    text: 'Der Name des Forstbetriebs fehlt. Er bekommt den Namen des Kunden.',
  },
  doppelt_in_datei: {
    stufe: 'fehler',
    titel: 'Doppelt in der Datei',
    text: 'Derselbe Forstbetrieb desselben Kunden steht schon in Zeile {zeile}.',
  },
  kunde_vorhanden: {
    stufe: 'fehler',
    titel: 'Kunde schon vorhanden',
    text: 'Einen Kunden mit diesem Namen und dieser PLZ gibt es schon: {name} (Nr. {client_id}).',
  },
  kunde_widerspruch: {
    stufe: 'fehler',
    titel: 'Angaben widersprechen sich',
    text: 'Für denselben Kunden steht in Zeile {zeile} „{anders}“, hier „{wert}“.',
  },
} as const satisfies Record<string, Kind>

export type FaultKind = keyof typeof FAULTS

export interface Fault {
  /** As the spreadsheet numbers its rows: the headings are in row 1. */
  readonly zeile: number
  readonly feld: FieldKey
  readonly art: FaultKind
  readonly stufe: Level
  readonly angaben: Readonly<Record<string, string | number>>
}

/** Values in messages are shortened, so that a very long cell does not fill the screen. */
const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text)

export function makeFault(
  row: number,
  field: FieldKey,
  art: FaultKind,
  details: Record<string, string | number> = {},
): Fault {
  const cut = Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      typeof value === 'string' && name !== 'orte' ? shown(value) : value,
    ]),
  )
  return { zeile: row, feld: field, art, stufe: FAULTS[art].stufe, angaben: cut }
}

/** The German message, also used in the downloadable list. */
export const faultText = (fault: Pick<Fault, 'art' | 'angaben'>): string =>
  FAULTS[fault.art].text.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    String(fault.angaben[name] ?? whole),
  )
