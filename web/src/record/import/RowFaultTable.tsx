// Faults of a file by row, and how values are displayed.
import { DataTable } from '../../ui/DataTable.tsx'
import { formatDate } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

export interface RowFault {
  readonly ort: string
  readonly feld: string
  readonly text: string
}
interface Props {
  caption: string
  /** What a row is called: Objekt, Zeile, Baum. */
  zeile: string
  fehler: readonly RowFault[]
}
const MOST = 200

export const RowFaultTable = ({ caption, zeile, fehler }: Props) => (
  <DataTable
    caption={caption}
    columns={[
      { key: 'ort', title: zeile, cell: ({ ort }) => ort },
      { key: 'feld', title: t('Feld'), cell: ({ feld }) => feld },
      { key: 'text', title: t('Was nicht stimmt'), cell: ({ text }) => text },
    ]}
    rows={fehler.slice(0, MOST).map((one, key) => ({ ...one, key }))}
    rowKey={({ key }) => key}
  />
)

export function valueText(value: string | number | boolean | null | undefined, isDay: boolean): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? t('ja') : t('nein')
  if (typeof value === 'number') return String(value).replace('.', ',')
  return isDay ? formatDate(value) : value
}
