// Second and third step: what each layer of the file contains, the date of the plan, and the check of both.
import { useState } from 'react'
import type { BestandImport, FeLayerChoice, FePreview, FeValues } from '#contract/bestand-import.ts'
import { FE_TABLES, feFieldsOf, feMappingOf, isFeTable } from '#domain/bestand-import.ts'
import { suggestedLayer } from '../../imports/suggested-layer.ts'
import { MissingNotice } from '../../record/import/MissingNotice.tsx'
import { missingSystem } from '../../record/import/missing-choices.ts'
import { ColumnMapping } from '../../record/import/ColumnMapping.tsx'
import { ToCheck } from '../../record/import/ImportActions.tsx'
import { ImportFrame, useAction } from '../../record/import/ImportFrame.tsx'
import { EncodingPicker, SystemPicker } from '../../record/import/LayerFields.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { DateField } from '../../ui/DateField.tsx'
import { Card } from '../../ui/Display.tsx'
import { Checkbox, FieldGrid, SelectField } from '../../ui/Field.tsx'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { Stack } from '../../ui/Page.tsx'
import { dayExpected, parseDay } from '../../ui/parse-day.ts'
import { t } from '../../ui/text.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { checkPlan, startPlan } from './bestand-import.data.ts'
import { Preview, Result } from './BestandImportPreview.tsx'
import { feFieldName, feTableName } from './import-words.ts'

export const linkToBestand = (hq: number) => (
  <ButtonLink href={`/waldbestand/index?fb=${hq}`}>{t('Zum Waldbestand')}</ButtonLink>
)

type ImportChoice = Partial<FeLayerChoice> & { name: string }
/** Suggestions from the file; earlier choices take precedence. */
const firstLayers = ({ werte, schichten }: BestandImport): ImportChoice[] =>
  schichten.map((layer) => werte?.schichten.find(({ name }) => name === layer.name) ?? suggestedLayer(layer))
function missingOf(layers: readonly ImportChoice[]): string[] {
  const stands = layers.filter(({ tabelle }) => tabelle === 'bestand')
  return stands.length === 0
    ? [t('welche Schicht die Bestände enthält')]
    : stands.flatMap(({ name, epsg }) => missingSystem(name, epsg))
}
/** Null while something is missing. */
function fieldValuesOf(
  layers: readonly ImportChoice[],
  keyDate: string | null,
  takeOver: boolean,
): FeValues | null {
  if (missingOf(layers).length > 0) return null
  const whole: FeLayerChoice[] = []
  for (const { name, tabelle, epsg, felder = {}, zeichensatz } of layers) {
    if (tabelle === undefined) continue
    whole.push({
      name,
      tabelle,
      epsg: tabelle === 'bestand' ? (epsg ?? null) : null,
      felder,
      ...(zeichensatz !== undefined && { zeichensatz }),
    })
  }
  return { schichten: whole, stichtag: keyDate, uebernehmen: takeOver }
}

/** What the person chose; `tag` as typed. */
interface Mapping {
  readonly schichten: readonly ImportChoice[]
  readonly tag: string
  readonly uebernehmen: boolean
}
const firstMapping = (file: BestandImport): Mapping => ({
  schichten: firstLayers(file),
  tag: file.werte?.stichtag ? formatDate(file.werte.stichtag) : '',
  uebernehmen: file.werte?.uebernehmen ?? true,
})

interface Props {
  datei: BestandImport
  onDone: (made: BestandImport) => void
  onOther: () => void
}
export function BestandImportMapping({ datei, onDone, onOther }: Props) {
  const [suggested] = useState(() => firstMapping(datei))
  const [mapping, setMapping] = useState(suggested)
  useUnsavedChanges(mapping !== suggested)
  const [preview, setPreview] = useState<FePreview | null>(null)
  const { busy, fehler, act } = useAction()
  const { schichten, tag, uebernehmen } = mapping
  const day = tag.trim() === '' ? null : parseDay(tag)
  const wrongDay = tag.trim() !== '' && day === null
  const values = fieldValuesOf(schichten, day, uebernehmen)
  const check = () => values && void act(() => checkPlan(datei.id, values), setPreview)
  const start = (placeConfirmed: boolean) =>
    values &&
    void act(
      () => startPlan(datei.id, { ...values, ort_bestaetigt: placeConfirmed }),
      (made) => {
        setPreview(null)
        onDone(made)
      },
    )
  return (
    <ImportFrame
      schritt={preview === null ? 'zuordnung' : 'pruefung'}
      subtitle={`${datei.sHQ}: ${datei.dateiname}`}
      actions={linkToBestand(datei.idHQ)}
      fehler={fehler}
    >
      {datei.bericht?.grund !== undefined && preview === null && <Result datei={datei} />}
      {preview === null ? (
        <Stack>
          {datei.schichten.map((layer, at) => (
            <LayerCard
              key={layer.name}
              datei={datei}
              at={at}
              chosen={schichten[at]!}
              onChange={(next) => setMapping({ ...mapping, schichten: schichten.with(at, next) })}
            />
          ))}
          <Card title={t('Stichtag und Betrieb')}>
            <DayFields mapping={mapping} wrongDay={wrongDay} onChange={setMapping} />
            <MissingNotice missing={missingOf(schichten)} />
            <ToCheck busy={busy} ready={values !== null && !wrongDay} onNext={check} onBack={onOther} />
          </Card>
        </Stack>
      ) : (
        <Preview
          datei={datei}
          vorschau={preview}
          busy={busy}
          onBack={() => setPreview(null)}
          onStart={start}
        />
      )}
    </ImportFrame>
  )
}

interface DayProps {
  mapping: Mapping
  wrongDay: boolean
  onChange: (mapping: Mapping) => void
}
const DayFields = ({ mapping, wrongDay, onChange }: DayProps) => (
  <>
    <FieldGrid>
      <DateField
        label={t('Stichtag der Forsteinrichtung')}
        value={mapping.tag}
        error={wrongDay ? dayExpected() : undefined}
        hint={t('Für Bestände, bei denen die Datei keinen nennt. Alter und Vorrat gelten für diesen Tag.')}
        onChange={({ target }) => onChange({ ...mapping, tag: target.value })}
      />
    </FieldGrid>
    <Checkbox
      label={t('Stichtag und Holzbodenfläche in die Stammdaten des Forstbetriebs übernehmen')}
      checked={mapping.uebernehmen}
      onChange={({ target }) => onChange({ ...mapping, uebernehmen: target.checked })}
    />
  </>
)

function LayerCard({
  datei,
  at,
  chosen,
  onChange,
}: {
  datei: BestandImport
  at: number
  chosen: ImportChoice
  onChange: (next: ImportChoice) => void
}) {
  const layer = datei.schichten[at]!
  const { tabelle, epsg, felder = {} } = chosen
  const kinds = FE_TABLES.filter(
    (one) => one === 'baumarten' || layer.geometrie === 'flaeche' || layer.geometrie === null,
  )
  const ort = layer.ort === null ? [] : Object.values(layer.ort).filter((name) => name !== '')
  return (
    <Card title={layer.name}>
      <p className="soft">
        {layer.geometrie === 'flaeche'
          ? t('Flächen: {n}', { n: formatNumber(layer.anzahl) })
          : t('Zeilen: {n}', { n: formatNumber(layer.anzahl) })}
      </p>
      <FieldGrid>
        <SelectField
          label={t('Enthält ({schicht})', { schicht: layer.name })}
          emptyOption={t('– nicht übernehmen –')}
          options={kinds.map((one) => ({ value: one, label: feTableName(one) }))}
          value={tabelle ?? ''}
          onChange={({ target }) => {
            const { tabelle: _before, ...rest } = chosen
            const columns = layer.spalten.map(({ name }) => name).filter((name) => !ort.includes(name))
            onChange(
              isFeTable(target.value)
                ? { ...rest, tabelle: target.value, felder: feMappingOf(target.value, columns, datei.ebenen) }
                : rest,
            )
          }}
        />
        {tabelle === 'bestand' && (
          <SystemPicker
            schicht={layer}
            value={epsg}
            onChange={(next) => onChange({ ...chosen, epsg: next })}
          />
        )}
        {tabelle !== undefined && (
          <EncodingPicker
            schicht={layer}
            value={chosen.zeichensatz}
            onChange={(encoding) => onChange({ ...chosen, zeichensatz: encoding })}
          />
        )}
      </FieldGrid>
      {tabelle !== undefined && (
        <ColumnMapping
          schicht={layer.name}
          spalten={layer.spalten.filter(({ name }) => !ort.includes(name))}
          felder={felder}
          options={feFieldsOf(tabelle, datei.ebenen).map(({ name }) => ({
            value: name,
            label: feFieldName(name, datei.ebenen),
          }))}
          onChange={(next) => onChange({ ...chosen, felder: next })}
        />
      )}
    </Card>
  )
}
