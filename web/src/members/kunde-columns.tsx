// Columns that lists of customers have in common.
import { columnsWith } from '#domain/fields.ts'
import { KUNDE_FIELDS, kundeField } from '#domain/kunde-fields.ts'
import { Clip } from '../list/Clip.tsx'
import type { ListColumn } from '../list/list.ts'
import { Badge } from '../ui/Display.tsx'
import { fieldLabel, katasterName, type ListedKunde, showValue } from '../record/kunde/kunde-fields.ts'
import { PhoneLink } from '../ui/PhoneLink.tsx'

/** A column that shows one field as it is. */
export const plainColumn = (
  field: keyof ListedKunde,
  more: Partial<Pick<ListColumn<ListedKunde>, 'key' | 'title' | 'sortable' | 'optional'>> = {},
): ListColumn<ListedKunde> => ({
  key: field,
  title: fieldLabel(field),
  cell: (kunde) =>
    kundeField(field).kind === 'phone' ? (
      <PhoneLink number={showValue(field, kunde[field])} />
    ) : (
      <Clip text={showValue(field, kunde[field])} />
    ),
  exported: (kunde) => kunde[field],
  ...more,
})

/** The fields declared with a plain column in lists, hidden at first. */
export const declaredColumns = (): readonly ListColumn<ListedKunde>[] =>
  columnsWith(KUNDE_FIELDS, 'list').map((field) =>
    plainColumn(field, { key: kundeField(field).list ?? field, optional: true }),
  )

export const katasterColumn = (): ListColumn<ListedKunde> => ({
  key: 'kataster',
  title: fieldLabel('kataster_status'),
  cell: ({ kataster_status }) =>
    kataster_status ? (
      <Badge tone="success">{katasterName(true)}</Badge>
    ) : (
      <span className="soft">{katasterName(false)}</span>
    ),
  exported: ({ kataster_status }) => katasterName(kataster_status),
})
