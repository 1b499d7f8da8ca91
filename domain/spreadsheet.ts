// Texts of people in cells of files that spreadsheets open. Whatever a text says, it never becomes a formula, a number or another cell there. Every writer of CSV and
// XLSX uses this; docs/decisions/exports.md names them, and those files that stay unaltered on purpose.

/** Not seen at the beginning of a cell, or cut off there by some program: blanks of all kinds, control and format characters, halves of a pair, fillers, and quotation marks. */
const UNSEEN = String.raw`["\s\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufffe\uffff]*`
/** What begins a formula: = + - @, the minus sign, and the same characters full-width, small, raised and lowered. */
const BEGINS = String.raw`=+\-@\u2212\u207a-\u207c\u208a-\u208c\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20`
/** An apostrophe that is there already counts, so that `bareText` takes away none but ours. */
const FORMULA = new RegExp(`^'*${UNSEEN}[${BEGINS}]`, 'u')
const SHIELDED = new RegExp(`^'+${UNSEEN}[${BEGINS}]`, 'u')
/** Some programs cut these off and lay bare what follows. */
const EDGE = new RegExp(`^'*${UNSEEN}[\\t\\r\\n]`, 'u')
const SHIELDED_EDGE = new RegExp(`^'+${UNSEEN}[\\t\\r\\n]`, 'u')
/** Where another cell begins for a reader that splits at another character than ours, or knows no quotation marks. */
const SPLITS = /([;,\t|\r\n])/

/** The text of one cell, with an apostrophe in front where a spreadsheet would do anything else than show it. */
export const neutralText = (text: string): string =>
  FORMULA.test(text) || EDGE.test(text) ? `'${text}` : text

const parts = (text: string, change: (part: string) => string): string =>
  text
    .split(SPLITS)
    .map((part, at) => (at === 0 || at % 2 === 1 ? part : change(part)))
    .join('')

/** A text as a field of CSV with semicolons: neutral also for a reader that splits it elsewhere than we do. */
export function csvText(text: string): string {
  const neutral = parts(neutralText(text), (part) => (FORMULA.test(part) ? `'${part}` : part))
  return /[;"\r\n]|^\s|\s$/.test(neutral) ? `"${neutral.replaceAll('"', '""')}"` : neutral
}

/** What a cell said before `csvText`: an exported file that is read again changes nothing. */
export function bareText(text: string): string {
  const bare = parts(text, (part) => (SHIELDED.test(part) ? part.slice(1) : part))
  return SHIELDED.test(bare) || SHIELDED_EDGE.test(bare) ? bare.slice(1) : bare
}
