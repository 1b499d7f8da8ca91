// Validation of a headquarters' feature switches: what the customer pays for, and the rules between them.
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import * as z from 'zod/mini'
import type { KundeHq } from '#contract/hq.ts'
import { formatDate } from '../../ui/format.ts'
import { today } from '../../ui/today.ts'
import { t } from '../../ui/text.ts'
import type { RecordKind } from '../record-kind.ts'
import { hqLabel, showHqValue, SWITCH_FIELDS, type SwitchField } from './hq-fields.ts'
import { areaFault, areaText, dayFault, dayOf, hectaresOf } from './hq-form.ts'

export interface SwitchValues extends Record<SwitchField, string | boolean> {
  fe_enabled: boolean
  basis_fe_enabled: boolean
  kawm_enabled: boolean
  kawm_custom_area_enabled: boolean
  kawm_area: string
  kawm_approval_date: string
}

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
    areaFault(area) ??
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

export const SwitchSchema = z
  .object({
    fe_enabled: z.boolean(),
    basis_fe_enabled: z.boolean(),
    kawm_enabled: z.boolean(),
    kawm_custom_area_enabled: z.boolean(),
    kawm_area: z.string(),
    kawm_approval_date: z.string(),
  })
  .check((context) => {
    for (const [field, message] of Object.entries(switchFaults(context.value, today())))
      context.issues.push({ code: 'custom', input: context.value, path: [field], message })
  })

export const toSwitchFields = (values: SwitchValues): Pick<KundeHq, SwitchField> => ({
  fe_enabled: values.fe_enabled,
  basis_fe_enabled: values.basis_fe_enabled,
  kawm_enabled: values.kawm_enabled,
  kawm_custom_area_enabled: values.kawm_custom_area_enabled,
  kawm_area: hectaresOf(values.kawm_area),
  kawm_approval_date: dayOf(values.kawm_approval_date),
})

export const SWITCHES: RecordKind<SwitchField, KundeHq, SwitchValues> = {
  fields: SWITCH_FIELDS,
  undo: () => t('Module gespeichert.'),
  draftOf: ({ hqid }) => `kunde_hq/${hqid}`,
  resolver: standardSchemaResolver(SwitchSchema),
  toValues: (row) => ({
    fe_enabled: row.fe_enabled,
    basis_fe_enabled: row.basis_fe_enabled,
    kawm_enabled: row.kawm_enabled,
    kawm_custom_area_enabled: row.kawm_custom_area_enabled,
    kawm_area: areaText(row.kawm_area),
    kawm_approval_date: formatDate(row.kawm_approval_date),
  }),
  toFields: toSwitchFields,
  label: hqLabel,
  show: showHqValue,
  check: (field) => (field === 'kawm_area' ? t('Eine Fläche liegt zwischen 0 und 1.000.000 ha.') : undefined),
  changedBy: (values) =>
    t(
      '{who} hat die Module dieses Forstbetriebs am {when} geändert, während Sie sie bearbeitet haben. Noch ist nichts überschrieben: Wählen Sie für jedes Feld, welcher Wert gelten soll.',
      values,
    ),
}
