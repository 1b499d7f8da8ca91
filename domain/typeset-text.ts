// Text of a document as typeset: one form of each letter, no characters without a glyph.

/**
 * Control characters, direction marks, byte order marks, joiners: no font has them, and PDF/A refuses what
 * the font does not have.
 */
const UNSEEN = new RegExp(
  String.raw`[\u0000-\u0008\u000E-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E]|` +
    String.raw`[\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|[\uFE00-\uFE0F]`,
  'g',
)
/** Blanks of other widths; non-breaking ones are kept. */
const BLANKS = /[\t\u2000-\u2006\u2008-\u200A\u205F\u3000]/g

/**
 * A letter with a separate accent becomes one character, line ends become line feeds, and a non-breaking
 * hyphen, which few fonts have, becomes a plain one.
 */
export const setText = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/\r\n?|[\u000B\u000C\u0085\u2028\u2029]/g, '\n')
    .replaceAll(BLANKS, ' ')
    .replaceAll(/[\u2007\u202F]/g, '\u00A0')
    .replaceAll('\u2011', '-')
    .replaceAll(UNSEEN, '')

/** Without a hyphen or slash, at which a line may break anyway, unless a digit follows the hyphen. */
const LONG_WORD = /(?:[^\s\u00A0/–-]|-(?=\d)){22,}/g
/** German words are hyphenated by the template. */
const WORD = /^[(„"]?\p{L}{1,60}[.,;:!?)“"]*$/u

/**
 * Enclose a word that may be broken before any of its characters; no text contains them, because no font has
 * them.
 */
export const BREAKABLE_FROM = '\uE000'
export const BREAKABLE_TO = '\uE001'
/**
 * For web addresses, numbers and runs of symbols. Breaking them must not add a character to the text, because
 * it is read, searched and copied.
 */
export const breakable = (text: string): string =>
  text.replaceAll(LONG_WORD, (word) =>
    WORD.test(word) && !/(.)\1{3}/u.test(word) ? word : BREAKABLE_FROM + word + BREAKABLE_TO,
  )

export const setLine = (text: string): string =>
  setText(text)
    .replaceAll(/[ \n]+/g, ' ')
    .trim()

export const setLines = (text: string): string[] => {
  const trimmed = setText(text).trim()
  return trimmed === '' ? [] : trimmed.split('\n').map((line) => line.trimEnd())
}

/** Paragraphs are separated by an empty line. */
export const setParagraphs = (text: string): string[][] =>
  setText(text)
    .trim()
    .split(/\n[ ]*\n\s*/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => paragraph.split('\n').map((line) => line.trimEnd()))
