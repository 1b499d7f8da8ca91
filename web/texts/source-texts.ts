// Finds the German texts in the source: what t() is called with, the tables whose entries reach t() through a
// variable, and what domain/ and the server say (said-texts.ts).
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type * as ESTree from 'oxc-parser'
import { parseSync, Visitor } from 'oxc-parser'
import { findSaidTexts } from './said-texts.ts'

const ROOT = join(import.meta.dirname, '../..')

interface Table {
  /** Path from the root. */
  readonly file: string
  /** Name of the constant. */
  readonly name: string
  /** Properties that are texts; without them every value is one. */
  readonly properties?: readonly string[]
}
const DECLARED = ['label', 'asks', 'missing', 'refused', 'hint', 'empty'] as const
const TABLES: readonly Table[] = [
  { file: 'web/src/app/routes.ts', name: 'ROUTES', properties: ['title'] },
  { file: 'web/src/data/api-error.ts', name: 'TEXTS' },
  { file: 'web/src/data/rule-texts.ts', name: 'BY_RULE' },
  { file: 'web/src/data/beleg-rule-texts.ts', name: 'BELEG_TEXTS' },
  { file: 'web/src/data/beleg-rule-texts.ts', name: 'ADVANCE_TEXTS' },
  { file: 'web/src/data/beleg-rule-texts.ts', name: 'CORRECTION_TEXTS' },
  { file: 'web/src/data/gutschein-texts.ts', name: 'GUTSCHEIN_TEXTS' },
  { file: 'web/src/data/serie-texts.ts', name: 'SERIE_TEXTS' },
  { file: 'web/src/data/webhook-texts.ts', name: 'WEBHOOK_TEXTS' },
  { file: 'web/src/data/zugang-texts.ts', name: 'ZUGANG_TEXTS' },
  { file: 'web/src/data/field-faults.ts', name: 'FIELD_TEXTS' },
  { file: 'domain/import-table.ts', name: 'TABLE_FAULTS' },
  { file: 'web/src/features/import/ImportPage.tsx', name: 'TITLES' },
  { file: 'web/src/features/import/ImportMapping.tsx', name: 'DELIMITERS' },
  { file: 'web/src/record/kunde/kunde-values.ts', name: 'SALUTATIONS' },
  { file: 'domain/import-faults.ts', name: 'FAULTS', properties: ['titel', 'text'] },
  { file: 'domain/benutzer-fields.ts', name: 'BENUTZER_FIELDS', properties: DECLARED },
  ...['STATE', 'STATUS', 'MARK', 'METHOD', 'FIX', 'LOSS'].map((name) => ({
    file: 'domain/habitat/choices.ts',
    name,
    properties: ['label'],
  })),
  { file: 'domain/habitatbaum-fields.ts', name: 'HABITATBAUM_FIELDS', properties: [...DECLARED, 'unit'] },
  { file: 'domain/hq-fields.ts', name: 'AREA', properties: DECLARED },
  { file: 'domain/hq-fields.ts', name: 'HQ_FIELDS', properties: DECLARED },
  { file: 'domain/hq-fields.ts', name: 'SWITCH_FIELDS', properties: DECLARED },
  { file: 'domain/kunde-fields.ts', name: 'KUNDE_FIELDS', properties: DECLARED },
  { file: 'domain/import-fields.ts', name: 'HOUSE_NUMBER', properties: ['label'] },
  { file: 'domain/eingang/term-names.ts', name: 'TERM_NAMES' },
  { file: 'domain/ust/kennzahlen.ts', name: 'FORMS', properties: ['name'] },
  { file: 'domain/address.ts', name: 'PLZ_SOURCE', properties: ['text'] },
]

/** The texts an expression may be, or nothing if it is not made of literals alone. */
function constantTexts(node: ESTree.Node | null | undefined): string[] | undefined {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : undefined
    case 'TemplateLiteral':
      return node.expressions.length === 0 ? [node.quasis[0]?.value.cooked ?? ''] : undefined
    case 'BinaryExpression': {
      if (node.operator !== '+') return undefined
      const [starts, ends] = [constantTexts(node.left), constantTexts(node.right)]
      return starts && ends && starts.flatMap((start) => ends.map((end) => start + end))
    }
    case 'ConditionalExpression': {
      const [texts, others] = [constantTexts(node.consequent), constantTexts(node.alternate)]
      return texts && others && [...texts, ...others]
    }
    case 'ParenthesizedExpression':
      return constantTexts(node.expression)
    default:
      return undefined
  }
}

const nameOf = (key: ESTree.PropertyKey): string | undefined =>
  key.type === 'Identifier' ? key.name : undefined

/** What a constant is set to. */
function valueOf(program: ESTree.Program, name: string): ESTree.Expression | null {
  let value: ESTree.Expression | null = null
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && id.name === name) value = init
    },
  }).visit(program)
  return value
}

function textsOfTable(program: ESTree.Program, { file, name, properties }: Table): string[] {
  const texts: string[] = []
  const table = valueOf(program, name)
  const isInside = ({ start, end }: ESTree.Span): boolean =>
    table !== null && start >= table.start && end <= table.end
  new Visitor({
    Property(property) {
      if (isInside(property) && (!properties || properties.includes(nameOf(property.key) ?? '')))
        texts.push(...(constantTexts(property.value) ?? []))
    },
    ArrayExpression(list) {
      if (isInside(list) && !properties)
        for (const element of list.elements)
          if (element?.type !== 'SpreadElement') texts.push(...(constantTexts(element) ?? []))
    },
  }).visit(program)
  if (texts.length === 0) throw new Error(`${file}: no texts in ${name}`)
  return texts.filter((text) => text !== '')
}

/** What the calls of t() say, and whether one of them says something that is not written there. */
function textsOfCalls(program: ESTree.Program): { texts: string[]; byVariable: boolean } {
  const texts: string[] = []
  let byVariable = false
  new Visitor({
    CallExpression(call) {
      if (call.callee.type !== 'Identifier' || call.callee.name !== 't') return
      const said = constantTexts(call.arguments[0])
      if (said) texts.push(...said)
      else byVariable = true
    },
  }).visit(program)
  return { texts, byVariable }
}

const screens = (): string[] =>
  readdirSync(join(ROOT, 'web/src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.(?:test|fixture|d)\.tsx?$/.test(file))
    .map((file) => `web/src/${file}`)

export interface SourceTexts {
  /** German text → files that say it, in alphabetical order. */
  readonly files: ReadonlyMap<string, readonly string[]>
  /** Files that pass t() something other than a literal. */
  readonly byVariable: readonly string[]
}

export function findSourceTexts(): SourceTexts {
  const found = new Map<string, Set<string>>()
  const add = (file: string, texts: readonly string[]): void => {
    for (const text of texts) found.set(text, (found.get(text) ?? new Set()).add(file))
  }
  const byVariable: string[] = []
  for (const file of new Set([...screens(), ...TABLES.map(({ file }) => file)])) {
    const { program, errors } = parseSync(file, readFileSync(join(ROOT, file), 'utf8'))
    if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)
    const calls = textsOfCalls(program)
    if (calls.byVariable) byVariable.push(file)
    const tables = TABLES.filter((table) => table.file === file)
    add(file, [...calls.texts, ...tables.flatMap((table) => textsOfTable(program, table))])
  }
  for (const [file, texts] of findSaidTexts()) add(file, texts)
  return { files: new Map([...found].map(([text, files]) => [text, [...files].sort()])), byVariable }
}
