// Edits a point by its figures: coordinates in any system, converted into the plan's, and its place in the
// scan.
import { useState } from 'react'
import { epsgName } from '#domain/epsg.ts'
import type { ControlPoint } from '#domain/georef/transform.ts'
import { parseCoordinate, parsePair } from '#domain/georef/coordinate.ts'
import type { Converter } from '#domain/projection.ts'
import { Field, FieldGrid, SelectField } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { t } from '../../ui/text.ts'
import { isDegrees, systemOptions } from './georef-words.ts'

interface Props {
  titel: string
  start: Partial<ControlPoint>
  epsg: number
  converter: Converter
  onDone: (point: ControlPoint) => void
  onClose: () => void
}
type DataField = 'ost' | 'nord' | 'spalte' | 'zeile'
const FIELDS: readonly DataField[] = ['ost', 'nord', 'spalte', 'zeile']

const written = (value: number | undefined): string =>
  value === undefined ? '' : String(value).replace('.', ',')
/** Central Europe: swapped axes or a wrong zone end up far outside. */
const isNear = ([lon, lat]: readonly [number, number]) => lon > 2 && lon < 20 && lat > 44 && lat < 58

type Texts = Readonly<Record<DataField, string>>
type Faults = Readonly<Partial<Record<DataField, string>>>
const textsOf = (point: Partial<ControlPoint>): Texts => ({
  ost: written(point.ost),
  nord: written(point.nord),
  spalte: written(point.spalte),
  zeile: written(point.zeile),
})
/** A pair pasted into the first field fills the second one too. */
function typedInto(texts: Texts, field: DataField, text: string): Texts {
  const both = field === 'ost' ? parsePair(text) : null
  return {
    ...texts,
    [field]: text,
    ...(both !== null && { ost: written(both[0]), nord: written(both[1]) }),
  }
}

/** The point in the plan's system, or what is wrong with the texts. */
function checkPoint(
  texts: Texts,
  start: Partial<ControlPoint>,
  { system, epsg, converter }: { system: number; epsg: number; converter: Converter },
): { readonly point: ControlPoint } | { readonly faults: Faults } {
  const faults: Partial<Record<DataField, string>> = {}
  const values: Partial<Record<DataField, number>> = {}
  for (const field of FIELDS) {
    const value = parseCoordinate(texts[field])
    if (texts[field].trim() === '') faults[field] = t('Diese Angabe fehlt.')
    else if (value === null) faults[field] = t('Bitte eine Zahl wie 412345,67 eingeben.')
    else values[field] = value
  }
  const { ost, nord, spalte, zeile } = values
  // Unchanged figures keep every digit.
  const same = system === epsg && ost === start.ost && nord === start.nord
  if (ost !== undefined && nord !== undefined && !same) {
    const [lon, lat] = converter.conversion(system, 4326)([ost, nord])
    if (!isNear([lon, lat]))
      faults.ost = t(
        'Der Ort liegt nicht in Mitteleuropa. Sind Ost und Nord vertauscht, oder ist es ein anderes Koordinatensystem?',
      )
  }
  if (
    ost === undefined ||
    nord === undefined ||
    spalte === undefined ||
    zeile === undefined ||
    faults.ost !== undefined
  )
    return { faults }
  const [east, north] = same ? [ost, nord] : converter.conversion(system, epsg)([ost, nord])
  return { point: { ost: east, nord: north, spalte, zeile } }
}

export function PointDialog({ titel, start, epsg, converter, onDone, onClose }: Props) {
  const [system, setSystem] = useState(epsg)
  const [texts, setTexts] = useState(() => textsOf(start))
  const [faults, setFaults] = useState<Faults>({})
  const dirty = FIELDS.some((field) => texts[field] !== written(start[field])) || system !== epsg
  const submit = () => {
    const checked = checkPoint(texts, start, { system, epsg, converter })
    if ('point' in checked) return onDone(checked.point)
    setFaults(checked.faults)
    const first = FIELDS.find((field) => checked.faults[field] !== undefined)
    document.querySelector<HTMLElement>(`[name="georef-${first}"]`)?.focus()
    return undefined
  }
  const field = (name: DataField, label: string, hint?: string) => (
    <Field label={label} hint={hint} error={faults[name]} required>
      {(tied) => (
        <input
          type="text"
          className="input"
          inputMode="decimal"
          autoComplete="off"
          name={`georef-${name}`}
          value={texts[name]}
          onChange={(event) => {
            setTexts(typedInto(texts, name, event.target.value))
            setFaults({ ...faults, [name]: undefined })
          }}
          {...tied}
        />
      )}
    </Field>
  )
  return (
    <FormDialog
      title={titel}
      submitLabel={t('Übernehmen')}
      busy={false}
      dirty={dirty}
      unsaved={t('Die eingegebenen Koordinaten gehen verloren.')}
      fault={null}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label={t('Koordinatensystem der Eingabe')}
        value={String(system)}
        options={systemOptions(converter)}
        hint={system === epsg ? undefined : t('Wird umgerechnet nach {system}.', { system: epsgName(epsg) })}
        onChange={(event) => setSystem(Number(event.target.value))}
      />
      <FieldGrid>
        {field(
          'ost',
          isDegrees(system) ? t('Länge (Ost)') : t('Ost (Rechtswert)'),
          t('Ein Paar darf hier auf einmal eingefügt werden.'),
        )}
        {field('nord', isDegrees(system) ? t('Breite (Nord)') : t('Nord (Hochwert)'))}
        {field('spalte', t('Spalte im Scan'), t('Pixel vom linken Rand'))}
        {field('zeile', t('Zeile im Scan'), t('Pixel vom oberen Rand'))}
      </FieldGrid>
    </FormDialog>
  )
}
