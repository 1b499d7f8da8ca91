// /habitatbaeume/import: trees of a holding from a file. The file stays in the browser and is sent with each
// step; an import that the server has begun completes even without this page.
import { useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useState } from 'react'
import {
  HABITAT_FILE_MOST_TREES,
  HABITAT_FILE_MOST_BYTES,
  type HabitatFileContent,
  type HabitatImportResult,
  type HabitatImportValues,
  type HabitatLayer,
} from '#contract/habitat-file.ts'
import type { PlaceColumns } from '#contract/vermessung-import.ts'
import { HABITAT_FIELDS, habitatMapping } from '#domain/habitat/file.ts'
import type { Betrieb } from '../../list/betrieb.data.ts'
import { BetriebLoading, BetriebPicker, WithoutBetrieb } from '../../list/BetriebPicker.tsx'
import { importLabel } from '../../record/habitat/habitat-words.ts'
import { ImportFileDrop } from '../../record/import/ImportFileDrop.tsx'
import { ImportFrame, useAction } from '../../record/import/ImportFrame.tsx'
import { ToCheck } from '../../record/import/ImportActions.tsx'
import { EncodingPicker, PlacePicker, SystemPicker } from '../../record/import/LayerFields.tsx'
import { MissingNotice } from '../../record/import/MissingNotice.tsx'
import { missingPlace, missingSystem } from '../../record/import/missing-choices.ts'
import { ColumnMapping } from '../../record/import/ColumnMapping.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Card, Facts, fact } from '../../ui/Display.tsx'
import { FieldGrid, SelectField } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Actions, Stack } from '../../ui/Page.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { checkFile, fetchLayers, startImport } from './habitat-import.data.ts'
import { HABITAT_LISTS, useHabitatRights } from './habitat.data.ts'
import { HabitatImportPreview } from './HabitatImportPreview.tsx'

export const HabitatImportPage = () => (
  <BetriebPicker keys={[]} question={t('Zu welchem Forstbetrieb gehören die Bäume?')}>
    {(id, choice) => (
      <BetriebLoading key={id} id={id} choice={choice}>
        {(betrieb) => <Allowed betrieb={betrieb} choice={choice} />}
      </BetriebLoading>
    )}
  </BetriebPicker>
)

function Allowed({ betrieb, choice }: { betrieb: Betrieb; choice: ReactNode }) {
  if (useHabitatRights(betrieb.idHQ).mayChange) return <Run betrieb={betrieb} choice={choice} />
  return (
    <WithoutBetrieb choice={choice}>
      <EmptyState icon="lock" title={t('Hier können Sie keine Bäume importieren')}>
        {t(
          'Bäume importieren die Personen des Forstbetriebs, sobald er freigeschaltet ist, und die Verwaltung.',
        )}
      </EmptyState>
    </WithoutBetrieb>
  )
}

interface StoredFile {
  readonly file: File
  readonly lage: HabitatFileContent
}
type ImportChoice = Omit<HabitatImportValues, 'epsg'> & { readonly epsg: number | null }
const firstChoice = ({ name, epsg, vorschlag, ort }: HabitatLayer): ImportChoice => ({
  schicht: name,
  epsg,
  felder: vorschlag,
  ...(ort !== null && { ort }),
})
const missingOf = ({ schicht, epsg, felder, ort }: ImportChoice): string[] => [
  ...missingSystem(schicht, epsg),
  ...missingPlace(schicht, ort),
  ...(felder.art === undefined ? [t('Spalte mit der Baumart')] : []),
]
/** Null while something is missing. */
function fieldValuesOf(choice: ImportChoice): HabitatImportValues | null {
  const { epsg } = choice
  return epsg === null || missingOf(choice).length > 0 ? null : { ...choice, epsg }
}

/** Where the import is: each step keeps what the ones before it found. */
interface Progress {
  readonly datei: StoredFile | null
  readonly chosen: ImportChoice | null
  readonly vorschau: HabitatImportResult | null
  readonly fertig: HabitatImportResult | null
}
const BEGINNING: Progress = { datei: null, chosen: null, vorschau: null, fertig: null }

/** The steps of one import: each runs alone, and what it finds is kept for the next. */
function useHabitatImport(hq: string) {
  const client = useQueryClient()
  const { busy, fehler, act, refuse, cancel } = useAction()
  const [now, setNow] = useState(BEGINNING)
  // The file is only here, and so is what was chosen for it.
  useUnsavedChanges(now.datei !== null && now.fertig === null)
  const change = (part: Partial<Progress>) => setNow((before) => ({ ...before, ...part }))
  return {
    ...now,
    busy,
    fehler,
    refuse,
    cancel,
    choose: (chosen: ImportChoice) => change({ chosen }),
    read: (file: File) =>
      void act(
        (signal) => fetchLayers(hq, file, signal),
        (situation) =>
          change({ datei: { file, lage: situation }, chosen: firstChoice(situation.schichten[0]!) }),
      ),
    check: (file: File, values: HabitatImportValues) =>
      void act(
        (signal) => checkFile(hq, file, values, signal),
        (preview) => change({ vorschau: preview }),
      ),
    start: (file: File, values: HabitatImportValues) =>
      void act(
        () => startImport(hq, file, values),
        (made) => {
          // Somebody else may have changed a tree since the preview.
          change(made.importiert ? { fertig: made } : { vorschau: made })
          void client.invalidateQueries({ queryKey: HABITAT_LISTS })
        },
      ),
    back: () => change({ vorschau: null }),
    again: () => {
      setNow(BEGINNING)
      refuse(null)
    },
  }
}

function Run({ betrieb, choice }: { betrieb: Betrieb; choice: ReactNode }) {
  const hq = String(betrieb.idHQ)
  const steps = useHabitatImport(hq)
  const { datei, chosen, vorschau, fertig, busy, fehler, again } = steps
  const actions = <ButtonLink href={`/habitatbaeume/index?fb=${hq}`}>{t('Zu den Habitatbäumen')}</ButtonLink>
  if (datei === null || chosen === null)
    return (
      <ImportFrame
        schritt="datei"
        subtitle={t('{name}: Habitatbäume aus einer Datei übernehmen', { name: betrieb.sHQ })}
        actions={actions}
        fehler={fehler}
      >
        <Card>
          {choice}
          <HabitatFileDrop busy={busy} onFile={steps.read} onRefused={steps.refuse} onCancel={steps.cancel} />
        </Card>
      </ImportFrame>
    )
  const { file, lage } = datei
  const frame = { subtitle: `${betrieb.sHQ}: ${file.name}`, actions }
  if (fertig !== null)
    return (
      <ImportFrame schritt="ergebnis" {...frame}>
        <Done ergebnis={fertig} hq={hq} onAgain={again} />
      </ImportFrame>
    )
  const values = fieldValuesOf(chosen)
  if (vorschau !== null && values !== null)
    return (
      <ImportFrame schritt="pruefung" {...frame} fehler={fehler}>
        <HabitatImportPreview
          betrieb={betrieb}
          ergebnis={vorschau}
          busy={busy}
          onBack={steps.back}
          onStart={(placeConfirmed) => steps.start(file, { ...values, ort_bestaetigt: placeConfirmed })}
        />
      </ImportFrame>
    )
  return (
    <ImportFrame schritt="zuordnung" {...frame} fehler={fehler}>
      <Mapping
        betrieb={betrieb}
        lage={lage}
        chosen={chosen}
        onChange={steps.choose}
        busy={busy}
        onNext={() => values && steps.check(file, values)}
        onOther={again}
      />
    </ImportFrame>
  )
}

type FileDropProps = Pick<ComponentProps<typeof ImportFileDrop>, 'busy' | 'onFile' | 'onRefused' | 'onCancel'>
const HabitatFileDrop = (props: FileDropProps) => (
  <ImportFileDrop
    {...props}
    formate={t(
      'GeoPackage, GeoJSON, FlatGeobuf, GML, DXF, Excel (XLSX), CSV oder ein ZIP mit Shapefile, GML oder FlatGeobuf, ' +
        'bis {mb} MB und {n} Bäume',
      {
        mb: HABITAT_FILE_MOST_BYTES / 1_048_576,
        n: formatNumber(HABITAT_FILE_MOST_TREES),
      },
    )}
    accept=".gpkg,.geojson,.json,.fgb,.gml,.xml,.dxf,.xlsx,.csv,.txt,.zip"
    most={HABITAT_FILE_MOST_BYTES}
  >
    <p>
      {t(
        'Jede Zeile ist ein Baum. Lage und Baumart müssen da sein, alles andere lässt sich nachtragen. ' +
          'In einer Tabelle steht die Lage in zwei Spalten.',
      )}
    </p>
    <p>
      {t(
        'Bäume mit einer Kennung, wie sie unser Export mitgibt, werden geändert, alle anderen neu ' +
          'angelegt. Dieselbe Datei ein zweites Mal ändert nichts.',
      )}
    </p>
    <p>
      {t('Eine ZIP-Datei aus dem Feldmodus?')}{' '}
      <a href="/habitatbaeume/feldsicherung">{t('Feldsicherung einlesen')}</a>
    </p>
  </ImportFileDrop>
)

/** Columns of the place are no fields; without any field left, those suggested by the names of the rest. */
function withPlace(chosen: ImportChoice, ort: PlaceColumns, columns: readonly string[]): ImportChoice {
  const left = columns.filter((name) => !Object.values(ort).includes(name))
  const kept = Object.entries(chosen.felder).filter(([, column]) => left.includes(column))
  return { ...chosen, ort, felder: kept.length > 0 ? Object.fromEntries(kept) : habitatMapping(left) }
}

interface MappingProps {
  betrieb: Betrieb
  lage: HabitatFileContent
  chosen: ImportChoice
  onChange: (choice: ImportChoice) => void
  busy: boolean
  onNext: () => void
  onOther: () => void
}
function Mapping({ betrieb, lage, chosen, onChange, busy, onNext, onOther }: MappingProps) {
  const missing = missingOf(chosen)
  const layer = lage.schichten.find(({ name }) => name === chosen.schicht)!
  const columns = layer.spalten.map(({ name }) => name)
  const placed = Object.values(chosen.ort ?? {})
  return (
    <Card title={layer.name}>
      <p className="soft">{t('Zeilen: {n}', { n: formatNumber(layer.anzahl) })}</p>
      <FieldGrid>
        {lage.schichten.length > 1 && (
          <SelectField
            label={t('Schicht mit den Bäumen')}
            options={lage.schichten.map(({ name }) => ({ value: name, label: name }))}
            value={chosen.schicht}
            onChange={({ target }) =>
              onChange(firstChoice(lage.schichten.find(({ name }) => name === target.value)!))
            }
          />
        )}
        <SystemPicker
          schicht={layer}
          value={chosen.epsg}
          onChange={(epsg) => onChange({ ...chosen, epsg })}
        />
        <EncodingPicker
          schicht={layer}
          value={chosen.zeichensatz}
          onChange={(encoding) => onChange({ ...chosen, zeichensatz: encoding })}
        />
        {chosen.ort !== undefined && (
          <PlacePicker
            spalten={columns}
            ort={chosen.ort}
            schicht={layer.name}
            onChange={(ort) => onChange(withPlace(chosen, ort, columns))}
          />
        )}
      </FieldGrid>
      <ColumnMapping
        schicht={layer.name}
        spalten={layer.spalten.filter(({ name }) => !placed.includes(name))}
        felder={chosen.felder as Readonly<Record<string, string>>}
        options={HABITAT_FIELDS.map(({ name }) => ({
          value: name,
          label: importLabel(name, betrieb.ebenen),
        }))}
        onChange={(fields) => onChange({ ...chosen, felder: fields })}
      />
      <MissingNotice missing={missing} />
      <ToCheck busy={busy} ready={missing.length === 0} onNext={onNext} onBack={onOther} />
    </Card>
  )
}

function Done({ ergebnis, hq, onAgain }: { ergebnis: HabitatImportResult; hq: string; onAgain: () => void }) {
  return (
    <Card title={t('Der Import ist fertig')}>
      <Stack>
        <Facts
          facts={[
            fact(t('Neu angelegt'), formatNumber(ergebnis.neu)),
            fact(t('Geändert'), formatNumber(ergebnis.geaendert)),
            fact(t('Unverändert'), formatNumber(ergebnis.unveraendert)),
          ]}
        />
        <Actions>
          <ButtonLink href={`/habitatbaeume/index?fb=${hq}&ansicht=karte`} variant="primary">
            {t('Habitatbäume ansehen')}
          </ButtonLink>
          <Button onClick={onAgain}>{t('Weitere Datei')}</Button>
        </Actions>
      </Stack>
    </Card>
  )
}
