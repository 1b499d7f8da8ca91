// User texts in cells of files that spreadsheets open. Whatever a text contains, it never becomes a formula,
// a number or another cell there. Every writer of CSV and XLSX uses this; docs/decisions/exports.md names
// them, and the files that deliberately stay unaltered.

/**
 * Invisible at the start of a cell, or removed there by some program: blanks of all kinds, control and format
 * characters, lone surrogates, fillers, and quotation marks.
 */
const UNSEEN = String.raw`["\s\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufffe\uffff]*`
/**
 * What starts a formula: = + - @, the minus sign, and the same characters in full-width, small, superscript
 * and subscript form.
 */
const BEGINS = String.raw`=+\-@\u2212\u207a-\u207c\u208a-\u208c\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20`
/** Apostrophes already present are allowed for, so that `bareText` only removes ours. */
const FORMULA = new RegExp(`^'*${UNSEEN}[${BEGINS}]`, 'u')
const SHIELDED = new RegExp(`^'+${UNSEEN}[${BEGINS}]`, 'u')
/** Some programs remove these and expose what follows. */
const EDGE = new RegExp(`^'*${UNSEEN}[\\t\\r\\n]`, 'u')
const SHIELDED_EDGE = new RegExp(`^'+${UNSEEN}[\\t\\r\\n]`, 'u')
/**
 * Where another cell starts for a reader that uses another separator than ours, or does not support quotation
 * marks.
 */
const SPLITS = /([;,\t|\r\n])/

/**
 * The text of one cell, with an apostrophe in front if a spreadsheet would do anything other than show it.
 */
export const neutralText = (text: string): string =>
  FORMULA.test(text) || EDGE.test(text) ? `'${text}` : text

const parts = (text: string, change: (part: string) => string): string =>
  text
    .split(SPLITS)
    .map((part, at) => (at === 0 || at % 2 === 1 ? part : change(part)))
    .join('')

/** A text as a CSV field with semicolons; neutral even for a reader that splits it elsewhere. */
export function csvText(text: string): string {
  const neutral = parts(neutralText(text), (part) => (FORMULA.test(part) ? `'${part}` : part))
  return /[;"\r\n]|^\s|\s$/.test(neutral) ? `"${neutral.replaceAll('"', '""')}"` : neutral
}

/** The text of a cell before `csvText`, so that re-importing an exported file changes nothing. */
export function bareText(text: string): string {
  const bare = parts(text, (part) => (SHIELDED.test(part) ? part.slice(1) : part))
  return SHIELDED.test(bare) || SHIELDED_EDGE.test(bare) ? bare.slice(1) : bare
}
