// Imports points from a file: reports faults by line and asks for what the file does not say.
import { useState } from 'react'
import { epsgName } from '#domain/epsg.ts'
import { planeOf } from '#domain/epsg-plane.ts'
import {
  type FilePoint,
  MOST_POINTS,
  parsePoints,
  type ParsedPoints,
  type PointsFile,
  areNotPixels,
  hasDownwardRows,
} from '#domain/georef/points-file.ts'
import type { NewPoint } from '#domain/georef/session.ts'
import type { Converter } from '#domain/projection.ts'
import { readText } from '../../karte/read-text.ts'
import { Button } from '../../ui/Button.tsx'
import { Segments } from '../../ui/Choice.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Facts, fact, Notice } from '../../ui/Display.tsx'
import { Checkbox, Field, SelectField } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'
import { fromTable } from './georef.data.ts'
import { fileDefectText, systemOptions } from './georef-words.ts'

export interface PointImport {
  readonly punkte: readonly NewPoint[]
  /** System of the points; the plan takes it over if it has no points or they are replaced. */
  readonly epsg: number
  readonly isAppended: boolean
}
interface Props {
  epsg: number
  vorhanden: number
  breite: number
  hoehe: number
  converter: Converter
  onDone: (einlesen: PointImport) => void
  onClose: () => void
}
/** Limit in bytes; a point takes fewer than 200 characters per line. */
const LARGEST = MOST_POINTS * 300

/** What the file says, and what the person says about it. */
interface Reading {
  readonly name: string
  /** Null while no file is chosen, and for one that is too large. */
  readonly parsed: ParsedPoints | null
  readonly tooLarge: boolean
  readonly system: number
  readonly flipSign: boolean
  readonly existing: 'ersetzen' | 'anhaengen'
}

async function readFile(file: File, epsg: number, converter: Converter): Promise<Partial<Reading>> {
  if (file.size > LARGEST) return { name: file.name, tooLarge: true, parsed: null }
  const parsed = parsePoints(await readText(file))
  const { datei } = parsed
  const named = datei?.epsg == null ? null : planeOf(datei.epsg)
  return {
    name: file.name,
    tooLarge: false,
    parsed,
    flipSign: datei !== null && hasDownwardRows(datei.punkte),
    system: named !== null && converter.systems.has(named) ? named : epsg,
  }
}

/** The points as the plan takes them: in its own system if it keeps its points. */
function importOf(
  points: readonly FilePoint[],
  { system, flipSign }: Pick<Reading, 'system' | 'flipSign'>,
  { epsg, isAppended, converter }: { epsg: number; isAppended: boolean; converter: Converter },
): PointImport {
  const target = isAppended ? epsg : system
  const convert = converter.conversion(system, target)
  return {
    epsg: target,
    isAppended,
    punkte: points.map((point): NewPoint => {
      const read = fromTable(flipSign ? { ...point, pixely: -point.pixely } : point)
      const [east, north] = system === target ? [read.ost, read.nord] : convert([read.ost, read.nord])
      return { ...read, ost: east, nord: north }
    }),
  }
}

export function ImportDialog(props: Props) {
  const { epsg, vorhanden, converter, onDone, onClose } = props
  const [reading, setReading] = useState<Reading>({
    name: '',
    parsed: null,
    tooLarge: false,
    system: epsg,
    flipSign: false,
    existing: 'ersetzen',
  })
  const change = (part: Partial<Reading>) => setReading((before) => ({ ...before, ...part }))
  const { name, parsed, tooLarge } = reading
  const fileRow = parsed?.datei ?? null

  async function take(file: File | undefined) {
    if (file !== undefined) change(await readFile(file, epsg, converter))
  }
  function finish() {
    const isAppended = reading.existing === 'anhaengen' && vorhanden > 0
    if (fileRow !== null) onDone(importOf(fileRow.punkte, reading, { epsg, isAppended, converter }))
  }
  return (
    <Dialog
      open
      title={t('Punktdatei einlesen')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Abbrechen')}</Button>
          <Button variant="primary" disabled={fileRow === null} onClick={finish}>
            {fileRow === null
              ? t('Einlesen')
              : fileRow.punkte.length === 1
                ? t('1 Punkt einlesen')
                : t('{n} Punkte einlesen', { n: fileRow.punkte.length })}
          </Button>
        </>
      }
    >
      <div className="stack">
        <Field
          label={t('Punktdatei')}
          hint={t(
            'Eine .points-Datei aus QGIS, oder eine Tabelle mit Rechtswert, Hochwert, Spalte und Zeile.',
          )}
        >
          {(tied) => (
            <input
              {...tied}
              type="file"
              className="input"
              accept=".points,.txt,.csv,text/plain,text/csv"
              onChange={(event) => void take(event.target.files?.[0])}
            />
          )}
        </Field>
        {tooLarge && <Notice tone="danger">{t('Die Datei ist zu groß für eine Punktdatei.')}</Notice>}
        {parsed?.datei === null && (
          <Notice tone="danger" title={t('{name} kann nicht gelesen werden', { name })}>
            <ul>
              {parsed.defects.map((defect, index) => (
                <li key={index}>{fileDefectText(defect)}</li>
              ))}
            </ul>
          </Notice>
        )}
        {fileRow !== null && <FileContent {...props} datei={fileRow} reading={reading} onChange={change} />}
      </div>
    </Dialog>
  )
}

interface ContentProps extends Pick<Props, 'epsg' | 'vorhanden' | 'breite' | 'hoehe' | 'converter'> {
  datei: PointsFile
  reading: Reading
  onChange: (part: Partial<Reading>) => void
}

function FileContent({ datei, reading, onChange, epsg, vorhanden, breite, hoehe, converter }: ContentProps) {
  const { system, existing } = reading
  return (
    <>
      <Facts
        facts={[
          fact(t('Punkte'), datei.punkte.length),
          fact(t('davon benutzt'), datei.punkte.filter(({ enable }) => enable).length),
          fact(
            t('Koordinatensystem der Datei'),
            datei.epsg === null ? t('nicht genannt') : epsgName(datei.epsg),
          ),
        ]}
      />
      {datei.epsg !== null && !converter.systems.has(planeOf(datei.epsg) ?? 0) && (
        <Notice tone="warning">
          {t(
            'Das System der Datei kann hier nicht umgerechnet werden. Wählen Sie das, in dem die Zahlen gemeint sind.',
          )}
        </Notice>
      )}
      <SelectField
        label={t('In welchem System stehen die Koordinaten?')}
        value={String(system)}
        options={systemOptions(converter)}
        onChange={(event) => onChange({ system: Number(event.target.value) })}
      />
      {vorhanden > 0 && (
        <Segments
          label={t('Vorhandene Punkte')}
          value={existing}
          options={[
            { value: 'ersetzen', label: t('ersetzen') },
            { value: 'anhaengen', label: t('behalten') },
          ]}
          onChange={(chosen) => onChange({ existing: chosen })}
        />
      )}
      {vorhanden > 0 && existing === 'anhaengen' && system !== epsg && (
        <p className="soft">{t('Wird umgerechnet nach {system}.', { system: epsgName(epsg) })}</p>
      )}
      <Doubts punkte={datei.punkte} reading={reading} onChange={onChange} breite={breite} hoehe={hoehe} />
    </>
  )
}

/** Whether the pixels are counted upwards as in QGIS, and are pixels at all. */
function Doubts({
  punkte,
  reading,
  onChange,
  breite,
  hoehe,
}: Pick<ContentProps, 'reading' | 'onChange' | 'breite' | 'hoehe'> & { punkte: readonly FilePoint[] }) {
  return (
    <>
      {hasDownwardRows(punkte) && (
        <Notice tone="warning" title={t('Die Zeilen zählen nach unten')}>
          <p>
            {t(
              'QGIS zählt pixelY nach oben, alle Werte sind dort negativ. In dieser Datei sind alle positiv.',
            )}
          </p>
          <Checkbox
            label={t('Vorzeichen umdrehen')}
            checked={reading.flipSign}
            onChange={(event) => onChange({ flipSign: event.target.checked })}
          />
        </Notice>
      )}
      {areNotPixels(punkte, breite, hoehe) && (
        <Notice tone="warning" title={t('Das sind keine Pixel dieses Scans')}>
          {t(
            'Die Orte liegen weit außerhalb. QGIS schreibt Kartenkoordinaten statt Pixel, wenn der ' +
              'Scan dort schon eine Lage hatte. Öffnen Sie in QGIS den Scan ohne Lage und speichern Sie ' +
              'die Punkte neu.',
          )}
        </Notice>
      )}
    </>
  )
}
