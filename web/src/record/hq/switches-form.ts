// Validation of a headquarters' feature switches: what the customer pays for, and the rules between them.
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import * as z from 'zod/mini'
import type { KundeHq } from '#contract/hq.ts'
import { mapColumns } from '#domain/fields.ts'
import { hqField, SWITCH_FIELDS, SWITCH_INPUTS, type SwitchField } from '#domain/hq-fields.ts'
import { today } from '../../ui/today.ts'
import { t } from '../../ui/text.ts'
import { type InputsOf, textOf } from '../declared.ts'
import type { RecordKind } from '../record-kind.ts'
import { hqLabel, showHqValue } from './hq-fields.ts'
import { areaFault, dayFault, dayOf, hectaresOf, inputOf, storedOf } from './hq-values.ts'

export type SwitchValues = InputsOf<typeof SWITCH_FIELDS, SwitchField>

/** FE includes Basis-FE, so a headquarters has one of them or neither. */
export type FeKind = 'keine' | 'basis_fe' | 'fe'
export const feKindOf = ({
  fe_enabled,
  basis_fe_enabled,
}: Pick<SwitchValues, 'fe_enabled' | 'basis_fe_enabled'>): FeKind =>
  fe_enabled ? 'fe' : basis_fe_enabled ? 'basis_fe' : 'keine'
export const switchesOf = (art: FeKind): Pick<SwitchValues, 'fe_enabled' | 'basis_fe_enabled'> => ({
  fe_enabled: art === 'fe',
  basis_fe_enabled: art === 'basis_fe',
})

/** Faults by field. `day`: today in the user's time zone. */
export function switchFaults(values: SwitchValues, day: string): Partial<Record<SwitchField, string>> {
  const { kawm_enabled: kawm, kawm_area: area, kawm_approval_date: approved } = values
  const wrongArea =
    areaFault(SWITCH_FIELDS.kawm_area, area) ??
    (kawm && (hectaresOf(area) ?? 0) <= 0
      ? t('KAWM braucht eine Fläche. Bitte die bewilligten Hektar eintragen.')
      : undefined)
  const wrongDay =
    dayFault(approved) ??
    (kawm && approved.trim() === ''
      ? t('KAWM braucht das Datum des Bescheids.')
      : (dayOf(approved) ?? '') > day
        ? t('Das Datum des Bescheids liegt in der Zukunft.')
        : undefined)
  return {
    ...(wrongArea !== undefined && { kawm_area: wrongArea }),
    ...(wrongDay !== undefined && { kawm_approval_date: wrongDay }),
  }
}

const SwitchSchema = z
  .object(
    mapColumns(SWITCH_INPUTS, (field) => (hqField(field).kind === 'boolean' ? z.boolean() : z.string())),
  )
  .check((context) => {
    const faults = switchFaults(context.value as unknown as SwitchValues, today())
    for (const [field, message] of Object.entries(faults))
      context.issues.push({ code: 'custom', input: context.value, path: [field], message })
  }) as unknown as z.ZodMiniType<SwitchValues, SwitchValues>

export const toSwitchFields = (values: SwitchValues): Pick<KundeHq, SwitchField> =>
  mapColumns(SWITCH_INPUTS, (field) => storedOf(field, values[field])) as unknown as Pick<
    KundeHq,
    SwitchField
  >

export const SWITCHES: RecordKind<SwitchField, KundeHq, SwitchValues> = {
  fields: SWITCH_INPUTS,
  undo: () => t('Module gespeichert.'),
  draftOf: ({ hqid }) => `kunde_hq/${hqid}`,
  resolver: standardSchemaResolver(SwitchSchema),
  toValues: (row) => mapColumns(SWITCH_INPUTS, (field) => inputOf(field, row[field])) as SwitchValues,
  toFields: toSwitchFields,
  label: hqLabel,
  show: showHqValue,
  check: (field) => textOf(hqField(field), 'refused'),
  changedBy: (values) =>
    t(
      '{who} hat die Module dieses Forstbetriebs am {when} geändert, während Sie sie bearbeitet haben. Noch ' +
        'ist nichts überschrieben: Wählen Sie für jedes Feld, welcher Wert gelten soll.',
      values,
    ),
}
