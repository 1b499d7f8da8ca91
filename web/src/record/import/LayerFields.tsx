// Settings of a layer besides its columns: the coordinate system, and for tables which columns hold the
// place.
import type { PlaceColumns } from '#contract/vermessung-import.ts'
import { EPSG_SYSTEMS } from '#domain/epsg.ts'
import { SelectField } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'

interface SystemProps {
  schicht: { readonly name: string; readonly epsg: number | null }
  value: number | null | undefined
  onChange: (epsg: number | null) => void
}

export function SystemPicker({ schicht, value, onChange }: SystemProps) {
  return (
    <SelectField
      label={t('Koordinatensystem ({schicht})', { schicht: schicht.name })}
      required
      emptyOption={t('– bitte wählen –')}
      hint={
        schicht.epsg === null
          ? t('Die Datei nennt kein bekanntes Koordinatensystem.')
          : t('Steht so in der Datei.')
      }
      options={EPSG_SYSTEMS.map(([code, name]) => ({ value: String(code), label: `${code} · ${name}` }))}
      value={value === undefined || value === null ? '' : String(value)}
      onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
    />
  )
}

interface PlaceProps {
  spalten: readonly string[]
  ort: PlaceColumns
  schicht: string
  onChange: (ort: PlaceColumns) => void
}

/** Tables have the place in two columns, or in one as WKT. */
export function PlacePicker({ spalten, ort, schicht, onChange }: PlaceProps) {
  const options = spalten.map((name) => ({ value: name, label: name }))
  const field = (key: keyof PlaceColumns, label: string) => (
    <SelectField
      label={label}
      emptyOption={t('– keine –')}
      options={options}
      value={ort[key]}
      onChange={(event) =>
        onChange(
          key === 'wkt'
            ? { x: '', y: '', wkt: event.target.value }
            : { ...ort, wkt: '', [key]: event.target.value },
        )
      }
    />
  )
  return (
    <>
      {field('x', t('Spalte mit dem Ostwert ({schicht})', { schicht }))}
      {field('y', t('Spalte mit dem Nordwert ({schicht})', { schicht }))}
      {field('wkt', t('oder Spalte mit WKT ({schicht})', { schicht }))}
    </>
  )
}
