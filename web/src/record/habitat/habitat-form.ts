// Validation of a tree's form, with texts for the person typing; the database checks the same
// (db/nouns/habitat.sql) and has the last word.
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import * as z from 'zod/mini'
import { mapColumns } from '#domain/fields.ts'
import { HABITATBAUM_FIELDS, TREE_INPUTS, type TreeField, treeField } from '#domain/habitatbaum-fields.ts'
import { type InputsOf, textOf } from '../declared.ts'
import type { HistoryWords } from '../history-lines.ts'
import type { RecordKind } from '../record-kind.ts'
import { formatDate, formatDateTime, formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { today } from '../../ui/today.ts'
import { choiceName } from '../declared.ts'
import { fieldLabel, kindText } from './habitat-words.ts'
import { structureNames, structuresOf } from './structures-text.ts'
import type { Tree, TreeValues } from './tree.ts'
import { checkOf, degreesText, inputOf, storedOf } from './tree-values.ts'

export type TreeFormValues = InputsOf<typeof HABITATBAUM_FIELDS, TreeField> & {
  /** Why what is typed in metres is no place yet; empty if nothing is. The degrees then say another place. */
  meter?: string
}

const TreeInputs = z.object({
  ...mapColumns(TREE_INPUTS, checkOf),
  meter: z.optional(
    z.string().check(z.refine((text) => text === '', { error: ({ input }) => String(input) })),
  ),
}) as unknown as z.ZodMiniType<TreeFormValues, TreeFormValues>
export const TreeSchema = TreeInputs.check(
  z.refine(({ art, art_text }) => art !== 'sonstige' || art_text !== '', {
    path: ['art_text'],
    error: () => t('Bitte schreiben Sie dazu, welche Baumart es ist.'),
  }),
  z.refine(
    ({ markierung_art, markierung_datum }) => markierung_datum.trim() === '' || markierung_art !== '',
    {
      path: ['markierung_art'],
      error: () => t('Zum Datum der Markierung gehört ihre Art.'),
    },
  ),
  z.refine(({ verlust_datum, verlust_grund }) => verlust_grund === '' || verlust_datum.trim() !== '', {
    path: ['verlust_datum'],
    error: () => t('Zum Grund des Verlusts gehört sein Datum.'),
  }),
  z.refine(({ verlust_datum, verlust_grund }) => verlust_datum.trim() === '' || verlust_grund !== '', {
    path: ['verlust_grund'],
    error: () => t('Zum Datum des Verlusts gehört sein Grund.'),
  }),
)
export const treeResolver = standardSchemaResolver(TreeSchema)

export const toTreeValues = (values: TreeFormValues): TreeValues =>
  mapColumns(TREE_INPUTS, (field) => storedOf(field, values[field])) as unknown as TreeValues
export const toTreeFormValues = (tree: TreeValues): TreeFormValues => ({
  ...(mapColumns(TREE_INPUTS, (field) => inputOf(field, tree[field])) as TreeFormValues),
  meter: '',
})

/** What a tree has at least. */
export const FIRST_VALUES = mapColumns(
  TREE_INPUTS,
  (field) => treeField(field).initial ?? '',
) as TreeFormValues
export const newTree = (recorder: string): TreeFormValues => ({
  ...FIRST_VALUES,
  erfasst_am: formatDate(today()),
  erfasser: recorder,
})

const isTreeField = (field: string): field is TreeField => TREE_INPUTS.includes(field as TreeField)

export function showValue(column: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  const text = String(value)
  if (!isTreeField(column)) return text
  const { kind, choices, unit } = treeField(column)
  switch (kind) {
    case 'structures':
      return structureNames(typeof value === 'string' ? structuresOf(value) : (value as never))
    case 'species':
      return kindText(text, null)
    case 'choice':
      return choiceName(choices ?? {})(text)
    case 'boolean':
      return value === true ? t('ja') : t('nein')
    case 'degrees':
      return `${degreesText(Number(value))}°`
    case 'date':
      return formatDate(text)
    case 'moment':
      return formatDateTime(text)
    case 'amount':
      return `${formatNumber(text)} ${unit}`
    default:
      return text
  }
}

export const checkText = (field: TreeField): string | undefined => textOf(treeField(field), 'refused')

export const treeKind = (levels: readonly string[]): RecordKind<TreeField, Tree, TreeFormValues> => ({
  draftOf: ({ id }) => `habitatbaum/${id}`,
  fields: TREE_INPUTS,
  resolver: treeResolver,
  toValues: toTreeFormValues,
  toFields: toTreeValues,
  label: (field) => fieldLabel(field, levels),
  show: showValue,
  check: checkText,
  changedBy: (values) =>
    t(
      '{who} hat diesen Habitatbaum am {when} geändert, während Sie ihn bearbeitet haben. Noch ist nichts ' +
        'überschrieben: Wählen Sie für jedes Feld, welcher Wert gelten soll.',
      values,
    ),
})

export const treeWords = (levels: readonly string[]): HistoryWords => ({
  order: TREE_INPUTS,
  hidden: Object.keys(HABITATBAUM_FIELDS).filter((column) => !isTreeField(column)),
  label: (field) => fieldLabel(field, levels),
  show: showValue,
})
