// Second step: what each layer contains, its location, and which column is which field.
import type { FileLayer, ImportLayer, VermessungImport } from '#contract/vermessung-import.ts'
import { fieldsOf, isRowNumber, isTable, TABLES, mappingOf } from '#domain/vermessung/fields.ts'
import type { ImportMode } from '#domain/vermessung/check.ts'
import { fieldName, tableName } from '../../record/kataster/kataster-words.ts'
import { ToCheck } from '../../record/import/ImportActions.tsx'
import { EncodingPicker, PlacePicker, SystemPicker } from '../../record/import/LayerFields.tsx'
import { MissingNotice } from '../../record/import/MissingNotice.tsx'
import { ColumnMapping } from '../../record/import/ColumnMapping.tsx'
import { Segments } from '../../ui/Choice.tsx'
import { Card, Notice } from '../../ui/Display.tsx'
import { FieldGrid, SelectField } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Stack } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'

type Chosen = Partial<ImportLayer>
interface Props {
  datei: VermessungImport
  modus: ImportMode
  schichten: readonly Chosen[]
  onMode: (mode: ImportMode) => void
  onLayer: (at: number, layer: Chosen) => void
  missing: readonly string[]
  busy: boolean
  onNext: () => void
  onOther: () => void
}

export function LayersCard({
  datei,
  modus,
  schichten,
  onMode,
  onLayer,
  missing,
  busy,
  onNext,
  onOther,
}: Props) {
  return (
    <Stack>
      {datei.schichten.map((layer, at) => (
        <LayerCard
          key={layer.name}
          schicht={layer}
          chosen={schichten[at] ?? {}}
          onChange={(change) => onLayer(at, change)}
        />
      ))}
      <Card title={t('Was soll mit den vorhandenen Objekten geschehen?')}>
        <Segments<ImportMode>
          label={t('Objekte, die nicht in der Datei stehen')}
          value={modus}
          options={[
            { value: 'ersetzen', label: t('entfernen') },
            { value: 'ergaenzen', label: t('behalten') },
          ]}
          onChange={onMode}
          hint={
            modus === 'ersetzen'
              ? t(
                  'Die Datei ist der neue Stand: Was in den gewählten Arten von Objekten nicht in ihr ' +
                    'steht, wird entfernt. Was im Feld erfasst oder geändert wurde, bleibt.',
                )
              : t(
                  'Bekannte Kennungen werden geändert, neue kommen hinzu. Jedes Objekt braucht dazu eine Kennung.',
                )
          }
        />
        <MissingNotice missing={missing} />
        <ToCheck busy={busy} ready={missing.length === 0} onNext={onNext} onBack={onOther} />
      </Card>
    </Stack>
  )
}

function LayerCard({
  schicht,
  chosen,
  onChange,
}: {
  schicht: FileLayer
  chosen: Chosen
  onChange: (change: Chosen) => void
}) {
  const { tabelle, epsg, felder = {}, ort } = chosen
  const columns = schicht.spalten.map(({ name }) => name)
  const { geometrie } = schicht
  const kinds = TABLES.filter(
    (one) => geometrie === null || (one === 'draenage' ? geometrie === 'linie' : geometrie === 'punkt'),
  )
  function chooseTable(value: string): void {
    const { tabelle: _before, ...rest } = chosen
    onChange(
      isTable(value)
        ? {
            ...rest,
            tabelle: value,
            felder: mappingOf(
              value,
              columns.filter((name) => !Object.values(ort ?? {}).includes(name)),
            ),
          }
        : rest,
    )
  }
  return (
    <Card title={schicht.name}>
      <p className="soft">
        {schicht.anzahl === 1 ? t('1 Objekt') : t('{n} Objekte', { n: formatNumber(schicht.anzahl) })}
      </p>
      <FieldGrid>
        <SelectField
          label={t('Enthält ({schicht})', { schicht: schicht.name })}
          emptyOption={t('– nicht übernehmen –')}
          options={kinds.map((one) => ({ value: one, label: tableName(one) }))}
          value={tabelle ?? ''}
          onChange={(event) => chooseTable(event.target.value)}
        />
        {tabelle !== undefined && (
          <SystemPicker
            schicht={schicht}
            value={epsg}
            onChange={(next) => {
              const { epsg: _before, ...rest } = chosen
              onChange(next === null ? rest : { ...rest, epsg: next })
            }}
          />
        )}
        {tabelle !== undefined && (
          <EncodingPicker
            schicht={schicht}
            value={chosen.zeichensatz}
            onChange={(encoding) => onChange({ ...chosen, zeichensatz: encoding })}
          />
        )}
        {tabelle !== undefined && ort !== undefined && (
          <PlacePicker
            spalten={columns}
            ort={ort}
            schicht={schicht.name}
            onChange={(change) => onChange({ ...chosen, ort: change })}
          />
        )}
      </FieldGrid>
      {tabelle !== undefined && felder['schluessel'] !== undefined && isRowNumber(felder['schluessel']) && (
        <Notice
          tone="warning"
          title={t('Ist „{spalte}“ wirklich eine Kennung?', { spalte: felder['schluessel'] })}
        >
          {t(
            'Programme nummerieren in dieser Spalte die Zeilen jeder Datei: Dieselbe Nummer ist in einer anderen ' +
              'Datei ein anderes Objekt. Wählen Sie sie nur, wenn alle Dateien aus derselben Datenbank stammen.',
          )}
        </Notice>
      )}
      {tabelle !== undefined && (
        <ColumnMapping
          schicht={schicht.name}
          spalten={schicht.spalten}
          felder={felder}
          options={fieldsOf(tabelle).map((field) => ({ value: field.name, label: fieldName(field.name) }))}
          onChange={(change) => onChange({ ...chosen, felder: change })}
        />
      )}
    </Card>
  )
}
