// Settings of a layer besides its columns: the coordinate system, the encoding of its texts, and for tables
// which columns hold the place.
import type { PlaceColumns, TextChoice } from '#contract/vermessung-import.ts'
import { EPSG_SYSTEMS } from '#domain/epsg.ts'
import { isTextEncoding, CHARACTER_SETS, type TextEncoding } from '#domain/text-encoding.ts'
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

interface EncodingProps {
  schicht: { readonly name: string; readonly texte?: TextChoice | null }
  value: TextEncoding | undefined
  onChange: (encoding: TextEncoding) => void
}

const ENCODING_NAMES: Readonly<Record<TextEncoding, string>> = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252',
  cp850: 'DOS 850',
  cp437: 'DOS 437',
  'iso-8859-15': 'ISO 8859-15',
  'windows-1250': 'Windows-1250',
  cp852: 'DOS 852',
  macintosh: 'Macintosh',
}

/** Each choice shows how texts of the file read in it. Nothing to choose where all letters are ASCII. */
export function EncodingPicker({ schicht: { name, texte }, value, onChange }: EncodingProps) {
  if (!texte) return null
  const examples = (encoding: TextEncoding): string => (texte.beispiele[encoding] ?? []).join(' · ')
  return (
    <SelectField
      label={t('Zeichensatz ({schicht})', { schicht: name })}
      hint={
        texte.sicher
          ? t('Steht so in der Datei. Stimmen die Umlaute nicht, wählen Sie einen anderen.')
          : t('Vermutet: Die Datei nennt keinen. Bitte prüfen Sie die Umlaute in den Beispielen.')
      }
      options={CHARACTER_SETS.map((encoding) => ({
        value: encoding,
        label: `${ENCODING_NAMES[encoding]}: ${examples(encoding)}`,
      }))}
      value={value ?? texte.erkannt}
      onChange={({ target }) => isTextEncoding(target.value) && onChange(target.value)}
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
