// The cells of the list of customers that may be changed there; who may is declared with the fields.
import type { Kunde } from '#contract/kunde.ts'
import { BUNDESLAENDER } from '#domain/address-bundesland.ts'
import { columnsWith } from '#domain/fields.ts'
import { KUNDE_FIELDS, kundeField } from '#domain/kunde-fields.ts'
import { hasOneOf } from '#domain/roles.ts'
import type { Cells } from '../../list/cell-edit.ts'
import { openCell } from '../../record/cell-editing.tsx'
import { FORM_FIELDS, type FormField, TEAM_FIELDS } from '../../record/kunde/kunde-fields.ts'
import type { KundeValues } from '../../record/kunde/kunde-form.ts'
import { KUNDE } from '../../record/kunde/kunde-kind.ts'
import { tellOthers } from '../../record/kunde/kunde-record.data.ts'
import { EPSG_CODES, epsgName } from '../../record/kunde/kunde-values.ts'
import { t } from '../../ui/text.ts'

const isFormField = (field: string): field is FormField => (FORM_FIELDS as readonly string[]).includes(field)
/** The columns that show one field as it is. */
const COLUMNS: Readonly<Record<string, FormField>> = {
  ...Object.fromEntries(
    columnsWith(KUNDE_FIELDS, 'list')
      .filter(isFormField)
      .map((field) => [kundeField(field).list ?? field, field]),
  ),
  name: 'name',
  strasse: 'strasse',
  plz: 'plz',
  ort: 'ort',
  bundesland: 'bundesland',
  epsg: 'epsg',
}

function look(field: FormField) {
  const { kind, longest } = kundeField(field)
  if (kind === 'land')
    return {
      options: [
        { value: '', label: t('keine Angabe') },
        ...BUNDESLAENDER.map((land) => ({ value: land, label: land })),
      ],
    }
  if (kind === 'epsg')
    return { options: EPSG_CODES.map((code) => ({ value: String(code), label: epsgName(code) })) }
  const inputMode =
    kind === 'plz' ? ('numeric' as const) : kind === 'phone' ? ('tel' as const) : ('text' as const)
  return { inputMode, ...(longest !== undefined && { maxLength: longest }) }
}

export const kundenCells: Cells = {
  columns: (roles) =>
    Object.keys(COLUMNS).filter(
      (column) =>
        hasOneOf(roles, ['ogf_admin', 'apus_admin']) ||
        TEAM_FIELDS.some((field) => field === COLUMNS[column]),
    ),
  open: openCell<FormField, Kunde, KundeValues>({
    kind: KUNDE,
    table: 'kunde',
    key: 'client_id',
    columns: COLUMNS,
    look,
    tell: tellOthers,
  }),
}
