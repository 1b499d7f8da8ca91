// Imports points from a file: reports faults by line and asks for what the file does not say.
import { useState } from 'react'
import { EPSG_SYSTEMS, epsgName } from '#domain/epsg.ts'
import {
  MOST_POINTS,
  parsePoints,
  type ParsedPoints,
  areNotPixels,
  hasDownwardRows,
} from '#domain/georef/points-file.ts'
import type { NewPoint } from '#domain/georef/session.ts'
import type { Converter } from '#domain/projection.ts'
import { Button } from '../../ui/Button.tsx'
import { Segments } from '../../ui/Choice.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Facts, fact, Notice } from '../../ui/Display.tsx'
import { Checkbox, Field, SelectField } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'
import { fromTable } from './georef.data.ts'
import { fileDefectText } from './georef-words.ts'

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

export function ImportDialog({ epsg, vorhanden, breite, hoehe, converter, onDone, onClose }: Props) {
  const [name, setName] = useState('')
  const [gelesen, setReadPoints] = useState<ParsedPoints | null>(null)
  const [tooLarge, setTooLarge] = useState(false)
  const [system, setSystem] = useState(epsg)
  const [flipSign, setFlipSign] = useState(false)
  const [isAppended, setAppend] = useState<'ersetzen' | 'anhaengen'>('ersetzen')
  const datei = gelesen?.datei ?? null
  const positive = datei !== null && hasDownwardRows(datei.punkte)
  const unknown = datei?.epsg !== null && datei?.epsg !== undefined && !converter.systems.has(datei.epsg)

  async function take(file: File | undefined) {
    if (file === undefined) return
    setName(file.name)
    setTooLarge(file.size > LARGEST)
    if (file.size > LARGEST) return setReadPoints(null)
    const answer = parsePoints(await file.text())
    setReadPoints(answer)
    setFlipSign(answer.datei !== null && hasDownwardRows(answer.datei.punkte))
    setSystem(
      answer.datei?.epsg != null && converter.systems.has(answer.datei.epsg) ? answer.datei.epsg : epsg,
    )
    return undefined
  }
  function finish() {
    if (datei === null) return
    const behind = isAppended === 'anhaengen' && vorhanden > 0
    const target = behind ? epsg : system
    const convert = converter.conversion(system, target)
    const punkte = datei.punkte.map((point): NewPoint => {
      const read = fromTable(flipSign ? { ...point, pixely: -point.pixely } : point)
      const [ost, nord] = system === target ? [read.ost, read.nord] : convert([read.ost, read.nord])
      return { ...read, ost, nord }
    })
    onDone({ punkte, epsg: target, isAppended: behind })
  }
  return (
    <Dialog
      open
      title={t('Punktdatei einlesen')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Abbrechen')}</Button>
          <Button variant="primary" disabled={datei === null} onClick={finish}>
            {datei === null ? t('Einlesen') : t('{n} Punkte einlesen', { n: datei.punkte.length })}
          </Button>
        </>
      }
    >
      <div className="stack">
        <Field label={t('Punktdatei')} hint={t('Eine .points-Datei aus QGIS, mit neuem oder altem Kopf.')}>
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
        {gelesen?.datei === null && (
          <Notice tone="danger" title={t('{name} kann nicht gelesen werden', { name })}>
            <ul>
              {gelesen.defects.map((defect, index) => (
                <li key={index}>{fileDefectText(defect)}</li>
              ))}
            </ul>
          </Notice>
        )}
        {datei !== null && (
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
            {unknown && (
              <Notice tone="warning">
                {t(
                  'Das System der Datei kann hier nicht umgerechnet werden. Wählen Sie das, in dem die Zahlen gemeint sind.',
                )}
              </Notice>
            )}
            <SelectField
              label={t('In welchem System stehen die Koordinaten?')}
              value={String(system)}
              options={EPSG_SYSTEMS.filter(([code]) => converter.systems.has(code)).map(([code]) => ({
                value: String(code),
                label: epsgName(code),
              }))}
              onChange={(event) => setSystem(Number(event.target.value))}
            />
            {vorhanden > 0 && (
              <Segments
                label={t('Vorhandene Punkte')}
                value={isAppended}
                options={[
                  { value: 'ersetzen', label: t('ersetzen') },
                  { value: 'anhaengen', label: t('behalten') },
                ]}
                onChange={setAppend}
              />
            )}
            {vorhanden > 0 && isAppended === 'anhaengen' && system !== epsg && (
              <p className="soft">{t('Wird umgerechnet nach {system}.', { system: epsgName(epsg) })}</p>
            )}
            {positive && (
              <Notice tone="warning" title={t('Die Zeilen zählen nach unten')}>
                <p>
                  {t(
                    'QGIS zählt pixelY nach oben, alle Werte sind dort negativ. In dieser Datei sind alle positiv.',
                  )}
                </p>
                <Checkbox
                  label={t('Vorzeichen umdrehen')}
                  checked={flipSign}
                  onChange={(event) => setFlipSign(event.target.checked)}
                />
              </Notice>
            )}
            {areNotPixels(datei.punkte, breite, hoehe) && (
              <Notice tone="warning" title={t('Das sind keine Pixel dieses Scans')}>
                {t(
                  'Die Orte liegen weit außerhalb. QGIS schreibt Kartenkoordinaten statt Pixel, wenn der Scan dort schon eine Lage hatte. Öffnen Sie in QGIS den Scan ohne Lage und speichern Sie die Punkte neu.',
                )}
              </Notice>
            )}
          </>
        )}
      </div>
    </Dialog>
  )
}
