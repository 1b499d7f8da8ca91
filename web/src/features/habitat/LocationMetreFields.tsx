// A tree's place in metres beside its degrees: the customer's system by default, another one by choice. Typed
// or pasted values are converted; a place set elsewhere is displayed.
import { type ClipboardEvent, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { epsgName, EPSG_SYSTEMS } from '#domain/epsg.ts'
import { parseLocation } from '#domain/habitat/location-text.ts'
import type { Converter } from '#domain/projection.ts'
import type { Degrees } from '../../karte/mercator.ts'
import { FieldGrid, SelectField, TextField } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'
import { inMetres, isMetreSystem, placeOf, typedPlace, useConverter, useSystem } from './location-metres.ts'

interface Props {
  idHQ: number
  ort: Degrees | null
  onPlace: (ort: Degrees) => void
  /** What keeps the typed texts from being a place; empty if nothing is typed. */
  pending: string
  onPending: (fault: string) => void
}
const written = (value: number): string => value.toFixed(2).replace('.', ',')
const faultOf = (typed: 'halb' | 'keine_zahl' | 'fern'): string =>
  typed === 'halb'
    ? t('Bitte geben Sie Ostwert und Nordwert ein, oder leeren Sie beide Felder.')
    : typed === 'keine_zahl'
      ? t('Bitte eine Zahl wie 412345,67 eingeben.')
      : t(
          'Der Ort liegt nicht in Mitteleuropa. Sind Ost und Nord vertauscht, oder ist es ein anderes ' +
            'Koordinatensystem?',
        )

interface Typed {
  readonly ost: string
  readonly nord: string
  /** The tree's place when it was typed. */
  readonly at: string
  readonly fault: string | null
}

/** The texts of both fields; what is typed becomes a place when it is complete. */
function useMetres({ idHQ, ort, onPlace, pending, onPending }: Props, convert: Converter | undefined) {
  const usual = useSystem(idHQ, ort)
  const [chosen, setChosen] = useState<number | null>(null)
  const [held, setHeld] = useState<Typed | null>(null)
  const at = ort === null ? '' : `${ort.lon} ${ort.lat}`
  // A place set elsewhere counts instead, and a form put back has none.
  const isOutdated = held !== null && held.at !== at
  /** Null: the fields show the tree's current place. */
  const typed = isOutdated || pending === '' ? null : held
  const drop = useEffectEvent(() => onPending(''))
  useEffect(() => {
    if (isOutdated) drop()
  }, [isOutdated])
  const systems = EPSG_SYSTEMS.filter(([code]) => isMetreSystem(code) && convert?.systems.has(code) === true)
  const system = chosen ?? (systems.some(([code]) => code === usual) ? usual : (systems[0]?.[0] ?? usual))
  const place =
    convert === undefined || ort === null || !convert.systems.has(system)
      ? null
      : inMetres(convert, system, ort)
  const texts =
    typed ?? (place === null ? { ost: '', nord: '' } : { ost: written(place.ost), nord: written(place.nord) })
  const forget = () => {
    setHeld(null)
    onPending('')
  }
  const set = (next: Degrees) => {
    forget()
    onPlace(next)
  }
  const type = (change: Partial<Pick<Typed, 'ost' | 'nord'>>) => {
    setHeld({ ost: texts.ost, nord: texts.nord, ...change, at, fault: null })
    onPending(t('Bitte schließen Sie die Eingabe mit Enter ab.'))
  }
  const take = (epsg = system) => {
    if (typed === null || convert === undefined) return
    // As displayed, so that nobody moves a tree by looking at it.
    if (place !== null && typed.ost === written(place.ost) && typed.nord === written(place.nord))
      return forget()
    const next = typedPlace(convert, epsg, typed)
    if (next === 'leer') return forget()
    if (typeof next !== 'string') return set(next)
    const fault = faultOf(next)
    // The second coordinate is awaited: only saving is refused.
    setHeld({ ...typed, fault: next === 'halb' ? null : fault })
    onPending(fault)
  }
  const onPaste = (event: ClipboardEvent) => {
    const situation = parseLocation(event.clipboardData.getData('text'), system)
    const next = situation === null || convert === undefined ? null : placeOf(convert, situation)
    if (situation === null || next === null) return
    event.preventDefault()
    if (situation.art === 'meter') setChosen(situation.epsg)
    set(next)
  }
  /** What is typed stays, and is read in this system. */
  const chooseSystem = (epsg: number) => {
    setChosen(epsg)
    take(epsg)
  }
  return { systems, system, texts, fault: typed?.fault ?? null, type, take, onPaste, chooseSystem }
}

/** `refused`: why the form could not be saved with what is typed here. */
export function LocationMetreFields({ refused, ...props }: Props & { refused: string | undefined }) {
  const { data: convert, isError } = useConverter()
  const metres = useMetres(props, convert)
  const { systems, system, texts, type, take, onPaste } = metres
  const fault = metres.fault ?? (props.pending === '' ? undefined : refused)
  const east = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (refused !== undefined) east.current?.focus()
  }, [refused])
  const field = (name: 'ost' | 'nord', label: string) => (
    <TextField
      label={label}
      unit="m"
      inputMode="decimal"
      autoComplete="off"
      maxLength={40}
      value={texts[name]}
      error={name === 'ost' ? fault : undefined}
      {...(name === 'ost' && { ref: east })}
      disabled={convert === undefined}
      onChange={({ target }) => type({ [name]: target.value })}
      onBlur={() => take()}
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
