// Second step: maps columns to fields, with sample values beside each.
import { FIELD_KEYS, fieldOf, type FieldKey, type Mapping, missingFields } from '#domain/import-fields.ts'
import { cellText } from '#domain/import-values.ts'
import { Button } from '../../ui/Button.tsx'
import { Card, Notice } from '../../ui/Display.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Actions } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'
import type { ReadTable } from '#domain/import-table.ts'
import type { ImportState } from './use-import.ts'
import '../../ui/table.css'

export function ImportMapping({ state }: { state: ImportState }) {
  const { table, mapping, remembered, busy } = state
  if (table === null) return null
  const missing = missingFields(mapping)
  return (
    <Card title={t('Was steht in welcher Spalte?')}>
      <p className="soft">{formatText(table)}</p>
      {remembered && (
        <Notice>{t('Die Zuordnung stammt von Ihrem letzten Import mit diesen Überschriften.')}</Notice>
      )}
      <MappingTable table={table} mapping={mapping} onChange={state.setMapping} />
      {missing.length > 0 && (
        <Notice tone="warning" title={t('Es fehlt noch etwas')}>
          {t('Bitte ordnen Sie zu: {fields}.', {
            fields: missing.map((key) => t(fieldOf(key).label)).join(', '),
          })}
        </Notice>
      )}
      <Actions>
        <Button
          variant="primary"
          busy={busy}
          disabled={missing.length > 0}
          onClick={() => void state.check()}
        >
          {busy ? t('Wird geprüft …') : t('Weiter zur Prüfung')}
        </Button>
        <Button onClick={state.restart}>{t('Andere Datei')}</Button>
      </Actions>
    </Card>
  )
}

const DELIMITERS: Record<string, string> = {
  ';': 'Semikolon',
  ',': 'Komma',
  '\t': 'Tabulator',
  '|': 'Strich',
}

function formatText({ format, rows }: ReadTable): string {
  const n = formatNumber(rows.length)
  if (format.art === 'csv')
    return t('Zeilen: {n}, {encoding}, Trennzeichen {delimiter}.', {
      n,
      encoding: format.encoding,
      delimiter: t(DELIMITERS[format.delimiter] ?? format.delimiter),
    })
  const one = t('Zeilen: {n}, aus dem Blatt „{sheet}“.', { n, sheet: format.sheet })
  return format.others.length === 0
    ? one
    : `${one} ${t('Nicht gelesen: {others}.', { others: format.others.join(', ') })}`
}

interface MappingTableProps {
  table: ReadTable
  mapping: Mapping
  onChange: (mapping: Mapping) => void
}

function MappingTable({ table, mapping, onChange }: MappingTableProps) {
  const choose = (column: number, key: FieldKey | null) =>
    // A field has one column: choosing it here removes it there.
    onChange(
      table.headers.map((_, other) =>
        other === column ? key : mapping[other] === key ? null : (mapping[other] ?? null),
      ),
    )
  return (
    <table className="table import-mapping">
      <caption className="visually-hidden">{t('Zuordnung der Spalten')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Spalte der Datei')}</th>
          <th scope="col">{t('Beispiele')}</th>
          <th scope="col">{t('wird zu')}</th>
        </tr>
      </thead>
      <tbody>
        {table.headers.map((header, column) => (
          <tr key={column}>
            <th scope="row">{header}</th>
            <td className="soft import-samples">{samples(table, column)}</td>
            <td>
              <SelectField
                label={t('Feld für die Spalte {header}', { header })}
                labelHidden
                emptyOption={t('– nicht übernehmen –')}
                options={OPTIONS()}
                value={mapping[column] ?? ''}
                onChange={(event) =>
                  choose(column, FIELD_KEYS.find((key) => key === event.target.value) ?? null)
                }
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const OPTIONS = () =>
  FIELD_KEYS.map((key) => ({
    value: key,
    label: fieldOf(key).required ? `${t(fieldOf(key).label)} *` : t(fieldOf(key).label),
  }))

/** The first three distinct values. */
function samples({ rows }: ReadTable, column: number): string {
  const texts = new Set<string>()
  for (const row of rows.slice(0, 200)) {
    const text = cellText(row[column])
    if (text !== '') texts.add(text.length > 30 ? `${text.slice(0, 29)}…` : text)
    if (texts.size === 3) break
  }
  return [...texts].join(' · ')
}
