// Reads and writes the English texts, en.po: a gettext file with the German text as msgid. Lines are wrapped
// as the gettext tools wrap them, so a translator's tool that saves the file changes no other line.
import { type GetTextTranslation, po } from 'gettext-parser'

export interface Entry {
  readonly german: string
  /** Empty until somebody translates it. */
  readonly english: string
  /** Files that say it, as paths from the root. */
  readonly files: readonly string[]
  /** Whether a translator's tool only guessed the translation. */
  readonly isFuzzy: boolean
  /** For translators. */
  readonly comment: string
}

const HEADERS = {
  'Project-Id-Version': 'Forstkontor',
  Language: 'en',
  'X-Source-Language': 'de',
  'MIME-Version': '1.0',
  'Content-Type': 'text/plain; charset=utf-8',
  'Content-Transfer-Encoding': '8bit',
  'Plural-Forms': 'nplurals=2; plural=(n != 1);',
}
const HEADER_COMMENT = `The English texts of Forstkontor's screens. npm run texts keeps them up to date with the source.
The shell's template texts are worded as in the specification.`

/** The width that the gettext tools wrap at. */
const WIDTH = 79

/** gettext's name for places in braces, {n}: its tools then compare those of both texts. */
const BRACES = 'perl-brace-format'

/** The places to fill in, {n}. */
export const placesIn = (text: string): string[] => text.match(/\{\w+\}/g) ?? []

/** As many files a line as fit. */
function linesOfFiles(files: readonly string[]): string {
  const lines: string[] = []
  for (const file of files) {
    const line = lines.at(-1)
    if (line !== undefined && `#: ${line} ${file}`.length <= WIDTH)
      lines[lines.length - 1] = `${line} ${file}`
    else lines.push(file)
  }
  return lines.join('\n')
}

const wordsOf = (list: string | undefined): string[] => list?.split(/[\s,]+/) ?? []

/** Throws where the text breaks the format or holds an entry twice. */
export function parsePo(text: string): Entry[] {
  const entries = Object.values(po.parse(text, { validation: true }).translations[''] ?? {})
  return entries
    .map((entry) => ({
      german: entry.msgid,
      english: entry.msgstr.join(''),
      files: wordsOf(entry.comments?.reference),
      isFuzzy: wordsOf(entry.comments?.flag).includes('fuzzy'),
      comment: entry.comments?.translator ?? '',
    }))
    .filter(({ german }) => german !== '') // the header
}

function translationOf({ german, english, files, isFuzzy, comment }: Entry): GetTextTranslation {
  const flags = [...(isFuzzy ? ['fuzzy'] : []), ...(placesIn(german).length > 0 ? [BRACES] : [])]
  const comments = { translator: comment, reference: linesOfFiles(files), flag: flags.join(', ') }
  return { msgid: german, msgstr: [english], comments }
}

export function printPo(entries: readonly Entry[]): string {
  const header = { msgid: '', msgstr: [], comments: { translator: HEADER_COMMENT } }
  const translations = Object.fromEntries(entries.map((entry) => [entry.german, translationOf(entry)]))
  return po
    .compile({ charset: 'utf-8', headers: HEADERS, translations: { '': { '': header, ...translations } } })
    .toString()
}
