// Finds the German sentences that the rules of domain/ and the refusals of the server say. They reach the screens
// as they are; web/src/data/said.ts looks their English up by the sentence itself. What is put into a sentence
// becomes a place: {v1}, {v2}.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type * as ESTree from 'oxc-parser'
import { parseSync, Visitor } from 'oxc-parser'

const ROOT = join(import.meta.dirname, '../..')

/** What does not reach a screen by an answer or a rule, by folder or file. */
const ELSEWHERE: readonly string[] = [
  // Printed, German as the documents are, or written to files that are handed over.
  'domain/abkuerzungen.ts',
  'domain/beleg-sample.ts',
  'domain/dispatch.ts',
  'domain/kawm.ts', // on screens: web/src/record/kawm/kawm-words.ts
  'domain/mahnung.ts',
  'domain/retention.ts',
  'domain/typeset-text.ts',
  'server/audit/index-xml.ts',
  'server/documents/print-closing.ts',
  'server/documents/print-data.ts',
  'server/documents/print-interest.ts',
  'server/habitat/report-data.ts',
  'server/habitat/report-parts.ts',
  // Mails, in both languages, and the pages of the sign-in.
  'server/identity/form-pages.ts',
  'server/identity/link-routes.ts',
  'server/identity/mail.ts',
  'server/identity/page-routes.ts',
  'server/identity/pages.ts',
  'server/identity/own-account.ts',
  'server/identity/sign-in.ts',
  'server/mail/',
  'server/notices/',
  // The dialect of the data API; the screens have their own texts for its codes.
  'server/data-api/',
  // The template's answers, word for word.
  'server/general-api/demo',
  // For operators, in the terminal.
  'server/config.ts',
  'server/database/',
  'server/file-store.ts',
  'server/first-start.ts',
  'server/identity/secret-check.ts',
  'server/listener.ts',
  'server/open-database.ts',
  'server/operations/',
  'server/prepare.ts',
  'server/settings.ts',
  'server/welcome.ts',
]

/** Constants and functions whose texts are put into sentences. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  'domain/beleg-check.ts': ['named', 'replaceIt'],
  'domain/beleg-parties-check.ts': ['IBAN_WHAT'],
  'domain/beleg-positions-check.ts': ['nameOf', 'SUM_NAMES', 'GROUP_NAMES', 'groupTitle'],
  'domain/datev/postings.ts': ['groupName'],
}

/** Stands for a value, until places are numbered. */
const VALUE = '\u0000'
type Constants = ReadonlyMap<string, ESTree.Node>

const joined = (...parts: readonly (readonly string[])[]): string[] =>
  parts.reduce<string[]>((before, part) => before.flatMap((start) => part.map((end) => start + end)), [''])

/** What an expression may be, or nothing if it is not a text. */
function textsOf(node: ESTree.Node | null | undefined, constants: Constants): string[] | undefined {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : undefined
    case 'TemplateLiteral':
      return joined(
        ...node.quasis.flatMap(({ value }, at) => [
          [value.cooked ?? ''],
          ...(at < node.expressions.length ? [inserted(node.expressions[at], constants)] : []),
        ]),
      )
    case 'BinaryExpression':
      if (node.operator !== '+') return undefined
      return textsOf(node.left, constants) || textsOf(node.right, constants)
        ? joined(inserted(node.left, constants), inserted(node.right, constants))
        : undefined
    case 'ConditionalExpression': {
      const [one, other] = [textsOf(node.consequent, constants), textsOf(node.alternate, constants)]
      return one && other && [...one, ...other]
    }
    case 'ParenthesizedExpression':
      return textsOf(node.expression, constants)
    case 'Identifier':
      return textsOf(constants.get(node.name), constants)
    default:
      return undefined
  }
}
const inserted = (node: ESTree.Node | undefined, constants: Constants): readonly string[] =>
  textsOf(node, constants) ?? [VALUE]

function withPlaces(text: string): string {
  let count = 0
  return text.replaceAll(VALUE, () => `{v${(count += 1)}}`)
}

/** A whole sentence, as it is said to people. */
const isSentence = (text: string): boolean => /^[A-ZÄÖÜ„\u0000].*[\p{L}“].* .*[.!?](?: \u0000)?$/su.test(text)

/** What a file declares at its top. */
function declarationsOf({ body }: ESTree.Program): Map<string, ESTree.Node> {
  const found = new Map<string, ESTree.Node>()
  for (const statement of body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declared?.type === 'FunctionDeclaration' && declared.id) found.set(declared.id.name, declared)
    if (declared?.type !== 'VariableDeclaration') continue
    for (const { id, init } of declared.declarations)
      if (id.type === 'Identifier' && init) found.set(id.name, init)
  }
  return found
}

interface Span {
  readonly start: number
  readonly end: number
}
const isInside = (inner: Span, outer: Span): boolean => outer.start <= inner.start && inner.end <= outer.end

/** The texts of a file that are no part of a longer one, with where they stand. */
function wholeTexts(program: ESTree.Program, constants: Constants) {
  const found: (Span & { readonly texts: readonly string[] })[] = []
  const take = (node: ESTree.Node): void => {
    const texts = textsOf(node, constants)
    if (texts && !found.some((each) => isInside(node, each)))
      found.push({ start: node.start, end: node.end, texts })
  }
  // From the outside in.
  new Visitor({ BinaryExpression: take, Literal: take, TemplateLiteral: take }).visit(program)
  return found
}

export function saidIn(file: string, source: string): string[] {
  const { program, errors } = parseSync(file, source)
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)
  const declared = declarationsOf(program)
  const parts = (PARTS[file] ?? []).map((name) => {
    const part = declared.get(name)
    if (!part) throw new Error(`${file}: no ${name}`)
    return part
  })
  return wholeTexts(program, declared)
    .flatMap((each) =>
      parts.some((part) => isInside(each, part))
        ? each.texts.filter((text) => /^[A-ZÄÖÜ]\p{L}{3}| /u.test(text))
        : each.texts.filter(isSentence),
    )
    .map(withPlaces)
}

/** All texts of a file, sentences or not; `{v1}` stands for a value. */
export function wholeTextsOf(file: string, source: string): string[] {
  const { program, errors } = parseSync(file, source)
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)
  return wholeTexts(program, declarationsOf(program)).flatMap(({ texts }) => texts.map(withPlaces))
}

const filesOf = (room: string): string[] =>
  readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
    .map((file) => `${room}/${file}`)
    .filter((file) => /^(?!.*\.(?:test|fixture|child|d)\.ts$).*\.ts$/.test(file))
    .filter((file) => !ELSEWHERE.some((start) => file.startsWith(start)))

/** Files → what they say. */
export const findSaidTexts = (): ReadonlyMap<string, readonly string[]> =>
  new Map(
    ['domain', 'server'].flatMap(filesOf).flatMap((file) => {
      const texts = saidIn(file, readFileSync(join(ROOT, file), 'utf8'))
      return texts.length === 0 ? [] : [[file, texts] as const]
    }),
  )
