// Names for the codes of a habitat tree on German documents. Screens have their own, in two languages.

const STATE: Readonly<Record<string, string>> = {
  lebend: 'lebend',
  absterbend: 'absterbend',
  tot_stehend: 'tot stehend',
  stumpf: 'Stumpf',
}
const STATUS: Readonly<Record<string, string>> = { baum: 'Habitatbaum', anwaerter: 'Anwärter' }
const MARK: Readonly<Record<string, string>> = {
  welle: 'Wellenlinie',
  farbe: 'Farbpunkt',
  plakette: 'Plakette',
  band: 'Band',
  sonstige: 'andere Markierung',
}
const METHOD: Readonly<Record<string, string>> = {
  gnss: 'GNSS-Empfänger',
  rtk: 'GNSS mit RTK',
  karte: 'auf der Karte',
  luftbild: 'aus dem Luftbild',
  import: 'importiert',
}
const LOSS: Readonly<Record<string, string>> = {
  windwurf: 'Windwurf',
  entnommen: 'entnommen',
  verkehrssicherung: 'Verkehrssicherung',
  brand: 'Brand',
  zersetzt: 'zersetzt',
  unbekannt: 'unbekannt',
  sonstige: 'anderer Grund',
}
const wort =
  (words: Readonly<Record<string, string>>) =>
  (code: string): string =>
    words[code] ?? code
export const stateWord = wort(STATE)
export const statusWort = wort(STATUS)
export const markWord = wort(MARK)
export const methodWord = wort(METHOD)
export const lossWord = wort(LOSS)
