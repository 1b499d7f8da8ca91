// Points of a file: read, what is wrong in it told by its lines, and asked for what the file does not say.
import { useState } from 'react'
import { EPSG_SYSTEMS, epsgName } from '#domain/epsg.ts'
import { MOST_POINTS, readPunkte, type GelesenePunkte, sindKeinePixel, zeilenNachUnten } from '#domain/georef/punkte-datei.ts'
import type { NeuerPunkt } from '#domain/georef/sitzung.ts'
import type { Umrechner } from '#domain/projektion.ts'
import { Button } from '../../ui/Button.tsx'
import { Segments } from '../../ui/Choice.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Facts, fact, Notice } from '../../ui/Display.tsx'
import { Checkbox, Field, SelectField } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'
import { vonTabelle } from './georef.data.ts'
import { dateiMangelText } from './georef-words.ts'

export interface Einlesen {
  readonly punkte: readonly NeuerPunkt[]
  /** The plan takes this system, where it has no points yet or they are replaced. */
  readonly epsg: number
  readonly anhaengen: boolean
}
interface Props {
  epsg: number
  vorhanden: number
  breite: number
  hoehe: number
  umrechner: Umrechner
  onFertig: (einlesen: Einlesen) => void
  onClose: () => void
}
/** A line of a point takes less than 200 signs. */
const LARGEST = MOST_POINTS * 300

export function ImportDialog({ epsg, vorhanden, breite, hoehe, umrechner, onFertig, onClose }: Props) {
  const [name, setName] = useState('')
  const [gelesen, setGelesen] = useState<GelesenePunkte | null>(null)
  const [zuGross, setZuGross] = useState(false)
  const [system, setSystem] = useState(epsg)
  const [umdrehen, setUmdrehen] = useState(false)
  const [anhaengen, setAnhaengen] = useState<'ersetzen' | 'anhaengen'>('ersetzen')
  const datei = gelesen?.datei ?? null
  const positive = datei !== null && zeilenNachUnten(datei.punkte)
  const unknown = datei?.epsg !== null && datei?.epsg !== undefined && !umrechner.systeme.has(datei.epsg)

  async function take(file: File | undefined) {
    if (file === undefined) return
    setName(file.name)
    setZuGross(file.size > LARGEST)
    if (file.size > LARGEST) return setGelesen(null)
    const answer = readPunkte(await file.text())
    setGelesen(answer)
    setUmdrehen(answer.datei !== null && zeilenNachUnten(answer.datei.punkte))
    setSystem(answer.datei?.epsg != null && umrechner.systeme.has(answer.datei.epsg) ? answer.datei.epsg : epsg)
    return undefined
  }
  function finish() {
    if (datei === null) return
    const behind = anhaengen === 'anhaengen' && vorhanden > 0
    const target = behind ? epsg : system
    const convert = umrechner.umrechnung(system, target)
    const punkte = datei.punkte.map((punkt): NeuerPunkt => {
      const read = vonTabelle(umdrehen ? { ...punkt, pixely: -punkt.pixely } : punkt)
      const [ost, nord] = system === target ? [read.ost, read.nord] : convert([read.ost, read.nord])
      return { ...read, ost, nord }
    })
    onFertig({ punkte, epsg: target, anhaengen: behind })
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
        {zuGross && <Notice tone="danger">{t('Die Datei ist zu groß für eine Punktdatei.')}</Notice>}
        {gelesen?.datei === null && (
          <Notice tone="danger" title={t('{name} kann nicht gelesen werden', { name })}>
            <ul>
              {gelesen.maengel.map((mangel, index) => (
                <li key={index}>{dateiMangelText(mangel)}</li>
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
                fact(t('Koordinatensystem der Datei'), datei.epsg === null ? t('nicht genannt') : epsgName(datei.epsg)),
              ]}
            />
            {unknown && (
              <Notice tone="warning">
                {t('Das System der Datei kann hier nicht umgerechnet werden. Wählen Sie das, in dem die Zahlen gemeint sind.')}
              </Notice>
            )}
            <SelectField
              label={t('In welchem System stehen die Koordinaten?')}
              value={String(system)}
              options={EPSG_SYSTEMS.filter(([code]) => umrechner.systeme.has(code)).map(([code]) => ({
                value: String(code),
                label: epsgName(code),
              }))}
              onChange={(event) => setSystem(Number(event.target.value))}
            />
            {vorhanden > 0 && (
              <Segments
                label={t('Vorhandene Punkte')}
                value={anhaengen}
                options={[
                  { value: 'ersetzen', label: t('ersetzen') },
                  { value: 'anhaengen', label: t('behalten') },
                ]}
                onChange={setAnhaengen}
              />
            )}
            {vorhanden > 0 && anhaengen === 'anhaengen' && system !== epsg && (
              <p className="soft">{t('Wird umgerechnet nach {system}.', { system: epsgName(epsg) })}</p>
            )}
            {positive && (
              <Notice tone="warning" title={t('Die Zeilen zählen nach unten')}>
                <p>{t('QGIS zählt pixelY nach oben, alle Werte sind dort negativ. In dieser Datei sind alle positiv.')}</p>
                <Checkbox label={t('Vorzeichen umdrehen')} checked={umdrehen} onChange={(event) => setUmdrehen(event.target.checked)} />
              </Notice>
            )}
            {sindKeinePixel(datei.punkte, breite, hoehe) && (
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
