// Validation of a headquarters' form; the database checks the same (0001_stammdaten.sql) and has the last
// word.
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import * as z from 'zod/mini'
import type { Hq } from '#contract/hq.ts'
import { mapColumns } from '#domain/fields.ts'
import { type HQ_FIELDS, HQ_INPUTS, type HqField, hqField } from '#domain/hq-fields.ts'
import { t } from '../../ui/text.ts'
import { type InputsOf, textOf } from '../declared.ts'
import type { RecordKind } from '../record-kind.ts'
import { hqLabel, showHqValue } from './hq-fields.ts'
import { checkOf, inputOf, storedOf } from './hq-values.ts'

/** As typed; empty means none. */
export type HqValues = InputsOf<typeof HQ_FIELDS, HqField>
export type HqFields = Pick<Hq, HqField>

export const HqSchema = z.object(mapColumns(HQ_INPUTS, checkOf)) as unknown as z.ZodMiniType<
  HqValues,
  HqValues
>

export const NEW_HQ = mapColumns(HQ_INPUTS, (field) => hqField(field).initial ?? '') as HqValues

export const toHqFields = (values: HqValues): HqFields =>
  mapColumns(HQ_INPUTS, (field) => storedOf(field, values[field])) as unknown as HqFields

export const HQ: RecordKind<HqField, Hq, HqValues> = {
  draftOf: ({ idHQ }) => `hq/${idHQ}`,
  fields: HQ_INPUTS,
  resolver: standardSchemaResolver(HqSchema),
  toValues: (row) => mapColumns(HQ_INPUTS, (field) => inputOf(field, row[field])) as HqValues,
  toFields: toHqFields,
  label: hqLabel,
  show: showHqValue,
  check: (field) => textOf(hqField(field), 'refused'),
  changedBy: (values) =>
    t(
      '{who} hat diesen Forstbetrieb am {when} geändert, während Sie ihn bearbeitet haben. Noch ist nichts ' +
        'überschrieben: Wählen Sie für jedes Feld, welcher Wert gelten soll.',
      values,
    ),
}
