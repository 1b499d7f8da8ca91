// A tree's place in metres beside its degrees: the customer's system by default, another one by choice. Typed
// or pasted values are converted; a place set elsewhere is displayed.
import { type ClipboardEvent, type KeyboardEvent, useState } from 'react'
import { epsgName, EPSG_SYSTEMS } from '#domain/epsg.ts'
import { parseCoordinate } from '#domain/georef/coordinate.ts'
import { parseLocation } from '#domain/habitat/location-text.ts'
import type { Converter } from '#domain/projection.ts'
import type { Degrees } from '../../karte/mercator.ts'
import { FieldGrid, SelectField, TextField } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'
import { inDegrees, inMetres, isMetreSystem, placeOf, useSystem, useConverter } from './location-metres.ts'

interface Props {
  idHQ: number
  ort: Degrees | null
  onPlace: (ort: Degrees) => void
}
const written = (value: number): string => value.toFixed(2).replace('.', ',')

/** The texts of both fields; what is typed becomes a place when it is complete. */
function useMetres({ idHQ, ort, onPlace }: Props, convert: Converter | undefined) {
  const usual = useSystem(idHQ, ort)
  const [chosen, setChosen] = useState<number | null>(null)
  /** Null: the fields show the tree's current place. */
  const [typed, setTyped] = useState<{ readonly ost: string; readonly nord: string } | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const systems = EPSG_SYSTEMS.filter(([code]) => isMetreSystem(code) && convert?.systems.has(code) === true)
  const system = chosen ?? (systems.some(([code]) => code === usual) ? usual : (systems[0]?.[0] ?? usual))
  const place =
    convert === undefined || ort === null || !convert.systems.has(system)
      ? null
      : inMetres(convert, system, ort)
  const texts =
    typed ?? (place === null ? { ost: '', nord: '' } : { ost: written(place.ost), nord: written(place.nord) })
  const set = (next: Degrees) => {
    setTyped(null)
    setFault(null)
    onPlace(next)
  }
  const take = () => {
    if (typed === null || convert === undefined) return
    const [east, north] = [parseCoordinate(typed.ost), parseCoordinate(typed.nord)]
    // Wait for the second coordinate.
    if (typed.ost.trim() === '' || typed.nord.trim() === '') return setFault(null)
    if (east === null || north === null) return setFault(t('Bitte eine Zahl wie 412345,67 eingeben.'))
    if (place !== null && east === place.ost && north === place.nord) return setTyped(null)
    const next = inDegrees(convert, system, east, north)
    if (next === null)
      return setFault(
        t(
          'Der Ort liegt nicht in Mitteleuropa. Sind Ost und Nord vertauscht, oder ist es ein anderes ' +
            'Koordinatensystem?',
        ),
      )
    set(next)
  }
  const onPaste = (event: ClipboardEvent) => {
    const situation = parseLocation(event.clipboardData.getData('text'), system)
    const next = situation === null || convert === undefined ? null : placeOf(convert, situation)
    if (situation === null || next === null) return
    event.preventDefault()
    if (situation.art === 'meter') setChosen(situation.epsg)
    set(next)
  }
  const chooseSystem = (epsg: number) => {
    setChosen(epsg)
    setTyped(null)
    setFault(null)
  }
  return { systems, system, texts, fault, setTyped, take, onPaste, chooseSystem }
}

export function LocationMetreFields(props: Props) {
  const { data: convert, isError } = useConverter()
  const metres = useMetres(props, convert)
  const { systems, system, texts, fault, setTyped, take, onPaste } = metres
  const field = (name: 'ost' | 'nord', label: string) => (
    <TextField
      label={label}
      unit="m"
      inputMode="decimal"
      autoComplete="off"
      maxLength={40}
      value={texts[name]}
      error={name === 'ost' ? (fault ?? undefined) : undefined}
      disabled={convert === undefined}
      onChange={({ target }) => setTyped({ ...texts, [name]: target.value })}
      onBlur={take}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Enter') return
        // Enter must not submit the form.
        event.preventDefault()
        take()
      }}
      onPaste={onPaste}
    />
  )
  return (
    <FieldGrid>
      <div className="habitat-breit habitat-meter">
        <SelectField
          label={t('Koordinatensystem')}
          value={String(system)}
          options={(systems.length > 0 ? systems.map(([code]) => code) : [system]).map((code) => ({
            value: String(code),
            label: epsgName(code),
          }))}
          disabled={convert === undefined}
          hint={
            isError
              ? t('Die Umrechnung konnte nicht geladen werden. Bitte geben Sie die Lage in Grad ein.')
              : t(
                  'Ein Paar wie 32U 412345 5712345 oder 51°07\'23" N 9°14\'02" O darf auf einmal eingefügt werden.',
                )
          }
          onChange={({ target }) => metres.chooseSystem(Number(target.value))}
        />
      </div>
      {field('ost', t('Ostwert'))}
      {field('nord', t('Nordwert'))}
    </FieldGrid>
  )
}

/** Read-only: metres beside the degrees. */
export function LocationInMetres({ idHQ, ort }: { idHQ: number; ort: Degrees }) {
  const usual = useSystem(idHQ, ort)
  const { data: convert } = useConverter()
  if (convert === undefined || !convert.systems.has(usual)) return null
  const { ost, nord } = inMetres(convert, usual, ort)
  return (
    <span className="nums">
      {t('{system}: {ost} {nord}', { system: epsgName(usual), ost: written(ost), nord: written(nord) })}
    </span>
  )
}
