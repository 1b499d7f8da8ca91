// The company's letterhead, which is at the foot of every mail once it has been entered: what a business
// letter must say about its sender also holds for mails.

/** As books.letterhead() answers. */
export interface Letterhead {
  readonly name: string
  readonly name_zusatz: string
  readonly strasse: string
  readonly plz: string
  readonly ort: string
  readonly telefon: string
  readonly mail: string
  readonly webseite: string
  readonly ust_id: string
  readonly fusszeile: string
}

/** For a select; read by parseLetterhead. */
export const LETTERHEAD = 'books.letterhead()::text'

export const parseLetterhead = (json: string | null): Letterhead | null =>
  json === null ? null : (JSON.parse(json) as Letterhead)

const joined = (...parts: readonly string[]) => parts.filter((part) => part !== '').join(' · ')

export function letterheadLines(head: Letterhead): readonly string[] {
  return [
    joined(head.name, head.name_zusatz),
    joined(head.strasse, `${head.plz} ${head.ort}`.trim()),
    joined(head.telefon, head.mail),
    head.webseite,
    ...head.fusszeile.split(/\r\n?|\n/),
    head.ust_id === '' ? '' : `USt-IdNr. ${head.ust_id}`,
  ].filter((line) => line.trim() !== '')
}
