// Texts that reach people without the table of English: mails, the pages of the sign-in, letters and other papers,
// refusals of the server and of the database, lines in the terminal. For tests that read every text.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { wholeTextsOf } from './said-texts.ts'

const ROOT = join(import.meta.dirname, '../..')
const ENGLISH = 'server/identity/english.json'

/** Where texts of both languages stand side by side. */
const BILINGUAL = /^server\/(?:notices|mail|identity\/mail)/

/** What is printed or mailed, where single words are texts as well. */
const PAPERS =
  /^(?:server\/(?:documents|mail|notices|dispatch|identity\/(?:mail|pages|form-pages)|habitat\/report)|domain\/mahnung)/

const filesOf = (room: string, ending: RegExp): string[] =>
  readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
    .map((file) => `${room}/${file}`)
    .filter((file) => ending.test(file) && !/\.(?:test|fixture|child|d)\.ts$|common-passwords/.test(file))
    .toSorted()

/** Statements, and the drawings of QGIS. */
const isCode = (text: string): boolean =>
  /^\s*(?:select|update|insert|with|delete)\b|^<(?:Layout|\?xml)|font-/i.test(text)
const isText = (text: string): boolean => /\p{L}\p{L}.*\s.*\p{L}\p{L}/su.test(text) && !isCode(text)
/** Small words that hardly a German sentence does without. */
const SMALL =
  'der die das und oder nicht ist sind Sie Ihr Ihre für mit ein eine kein keine wird von zu bitte Bitte am im'
const GERMAN = new RegExp(`[äöüßÄÖÜ„]|\\b(?:${SMALL.replaceAll(' ', '|')})\\b`, 'u')
const isGerman = (text: string): boolean => GERMAN.test(text)
/** A noun that stands alone, as a heading or in the head of a column. */
const isGermanWord = (text: string): boolean => /^\p{Lu}[\p{Ll}-]{3,}(?: \p{L}+)?:?$/u.test(text)

/** Strings of the templates of papers, without their code. */
const templateTexts = (source: string): string[] =>
  [...source.replaceAll(/\/\/.*$/gm, '').matchAll(/"([^"\n]+)"|\[([^[\]#\n]+)\]/g)].map(
    ([, quoted, content]) => quoted ?? content ?? '',
  )
const sqlTexts = (source: string): string[] =>
  [...source.replaceAll(/--.*$/gm, '').matchAll(/'((?:[^'\n]|'')+)'/g)].map(([, text = '']) => text)

export interface ServerText {
  readonly file: string
  readonly text: string
}

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const inFile = (file: string, texts: readonly string[]): ServerText[] => texts.map((text) => ({ file, text }))

/** Every text of the server, the rules and the database, by language. */
export function findServerTexts(): Readonly<Record<'German' | 'English', readonly ServerText[]>> {
  const sources = ['server', 'domain'].flatMap((room) =>
    filesOf(room, /\.ts$/).flatMap((file) => inFile(file, wholeTextsOf(file, read(file)))),
  )
  const papers = filesOf('server/documents/template', /\.typ$/).flatMap((file) =>
    inFile(file, templateTexts(read(file)).filter(isText)),
  )
  const database = filesOf('db/nouns', /\.sql$/).flatMap((file) => inFile(file, sqlTexts(read(file))))
  const english = JSON.parse(read(ENGLISH)) as Readonly<Record<string, string>>
  return {
    German: [
      ...sources.filter(
        ({ file, text }) => (isText(text) && isGerman(text)) || (PAPERS.test(file) && isGermanWord(text)),
      ),
      ...papers.filter(({ text }) => isGerman(text)),
      ...database.filter(({ text }) => isText(text) && isGerman(text)),
      ...inFile(ENGLISH, Object.keys(english)),
    ],
    English: [
      ...sources.filter(({ file, text }) => BILINGUAL.test(file) && isText(text) && !isGerman(text)),
      ...inFile(ENGLISH, Object.values(english)),
    ],
  }
}
