// Maps columns of a layer to fields, with sample values: for every import of external files.
import { SelectField, type Option } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'
import '../../ui/table.css'
import './import.css'

interface Props {
  schicht: string
  spalten: readonly { readonly name: string; readonly beispiele: readonly string[] }[]
  /** Field → column. */
  felder: Readonly<Record<string, string>>
  options: readonly Option[]
  onChange: (fields: Record<string, string>) => void
}

export function ColumnMapping({ schicht, spalten, felder, options, onChange }: Props) {
  function choose(columnName: string, field: string): void {
    // A field has one column: choosing it here removes it there.
    const others = Object.entries(felder).filter(([name, column]) => column !== columnName && name !== field)
    onChange(Object.fromEntries(field === '' ? others : [...others, [field, columnName]]))
  }
  const fieldOf = (columnName: string): string =>
    Object.entries(felder).find(([, column]) => column === columnName)?.[0] ?? ''
  return (
    <table className="table import-mapping">
      <caption className="visually-hidden">{t('Zuordnung der Spalten von {schicht}', { schicht })}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Spalte der Datei')}</th>
          <th scope="col">{t('Beispiele')}</th>
          <th scope="col">{t('wird zu')}</th>
        </tr>
      </thead>
      <tbody>
        {spalten.map(({ name, beispiele }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className="soft import-samples">{beispiele.join(' · ')}</td>
            <td>
              <SelectField
                label={t('Feld für die Spalte {header}', { header: name })}
                labelHidden
                emptyOption={t('– nicht übernehmen –')}
                options={options}
                value={fieldOf(name)}
                onChange={(event) => choose(name, event.target.value)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
