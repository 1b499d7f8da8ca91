// Columns of the customer list, on screen and in exports.
import { Clip } from '../../list/Clip.tsx'
import type { ListColumn } from '../../list/list.ts'
import { changedColumn, numberColumn } from '../../list/stamp-columns.tsx'
import { t } from '../../ui/text.ts'
import { declaredColumns, katasterColumn, plainColumn } from '../../members/kunde-columns.tsx'
import { contactName, fieldLabel, type ListedKunde } from '../../record/kunde/kunde-fields.ts'
import { epsgName } from '../../record/kunde/kunde-values.ts'

/** A sortable column has the same key as its sort (kunden-list.ts). */
export const kundenColumns = (): readonly ListColumn<ListedKunde>[] => [
  {
    key: 'name',
    title: fieldLabel('name'),
    sortable: true,
    width: '28%',
    cell: ({ name, name_zusatz }) => (
      <span className="kunde-name" title={name_zusatz ? `${name}, ${name_zusatz}` : name}>
        <span className="list-clip">{name}</span>
        {name_zusatz && <span className="list-clip kunde-zusatz">{name_zusatz}</span>}
      </span>
    ),
    exported: ({ name }) => name,
    // In a file, the second line of the name has its own column.
    alsoExported: [{ title: fieldLabel('name_zusatz'), exported: ({ name_zusatz }) => name_zusatz }],
  },
  plainColumn('strasse', { title: t('Straße'), sortable: true, optional: true }),
  {
    key: 'plz',
    title: fieldLabel('plz'),
    sortable: true,
    width: '64px',
    cell: ({ plz }) => plz,
    exported: ({ plz }) => plz,
  },
  plainColumn('ort', { sortable: true }),
  plainColumn('bundesland', { sortable: true }),
  {
    key: 'kontakt',
    title: t('Ansprechpartner'),
    cell: (row) => <Clip text={contactName(row)} />,
    exported: contactName,
  },
  ...declaredColumns(),
  katasterColumn(),
  {
    key: 'epsg',
    title: fieldLabel('epsg'),
    sortable: true,
    optional: true,
    cell: ({ epsg }) => <Clip text={epsgName(epsg)} />,
    exported: ({ epsg }) => epsgName(epsg),
  },
  plainColumn('ordner', { optional: true }),
  { ...changedColumn(), optional: false },
  plainColumn('geaendert_von', { optional: true }),
  numberColumn(({ client_id }) => client_id),
]
