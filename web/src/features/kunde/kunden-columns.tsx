// Columns of the customer list, on screen and in exports.

import { Clip } from '../../list/Clip.tsx'
import type { ListColumn } from '../../list/list.ts'
import { changedColumn, numberColumn } from '../../list/stamp-columns.tsx'
import { Badge } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import { contactName, fieldLabel, katasterName } from '../../record/kunde/kunde-fields.ts'
import { epsgName } from '../../record/kunde/kunde-values.ts'
import type { KundeRow } from './kunden-row.ts'

/** A sortable column has the same key as its sort (kunden-list.ts). */
export const kundenColumns = (): readonly ListColumn<KundeRow>[] => [
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
  {
    key: 'strasse',
    title: t('Straße'),
    sortable: true,
    optional: true,
    cell: ({ strasse }) => <Clip text={strasse} />,
    exported: ({ strasse }) => strasse,
  },
  {
    key: 'plz',
    title: fieldLabel('plz'),
    sortable: true,
    width: '64px',
    cell: ({ plz }) => plz,
    exported: ({ plz }) => plz,
  },
  {
    key: 'ort',
    title: fieldLabel('ort'),
    sortable: true,
    cell: ({ ort }) => <Clip text={ort} />,
    exported: ({ ort }) => ort,
  },
  {
    key: 'bundesland',
    title: fieldLabel('bundesland'),
    sortable: true,
    cell: ({ bundesland }) => <Clip text={bundesland} />,
    exported: ({ bundesland }) => bundesland,
  },
  {
    key: 'kontakt',
    title: t('Ansprechpartner'),
    cell: (row) => <Clip text={contactName(row)} />,
    exported: contactName,
  },
  {
    key: 'telefon',
    title: fieldLabel('ap_tel'),
    optional: true,
    cell: ({ ap_tel }) => <Clip text={ap_tel} />,
    exported: ({ ap_tel }) => ap_tel,
  },
  {
    key: 'kataster',
    title: fieldLabel('kataster_status'),
    cell: ({ kataster_status }) =>
      kataster_status ? (
        <Badge tone="success">{katasterName(true)}</Badge>
      ) : (
        <span className="soft">{katasterName(false)}</span>
      ),
    exported: ({ kataster_status }) => katasterName(kataster_status),
  },
  {
    key: 'epsg',
    title: fieldLabel('epsg'),
    sortable: true,
    optional: true,
    cell: ({ epsg }) => <Clip text={epsgName(epsg)} />,
    exported: ({ epsg }) => epsgName(epsg),
  },
  {
    key: 'ordner',
    title: fieldLabel('ordner'),
    optional: true,
    cell: ({ ordner }) => <Clip text={ordner} />,
    exported: ({ ordner }) => ordner,
  },
  { ...changedColumn(), optional: false },
  {
    key: 'geaendert_von',
    title: fieldLabel('geaendert_von'),
    optional: true,
    cell: ({ geaendert_von }) => <Clip text={geaendert_von} />,
    exported: ({ geaendert_von }) => geaendert_von,
  },
  numberColumn(({ client_id }) => client_id),
]
