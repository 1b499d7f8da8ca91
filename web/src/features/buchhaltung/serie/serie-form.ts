// The typed rhythm, texts and lines of a recurring invoice. Pure; the database checks the same.
import type { Serie, SeriePosition, SerieValues } from '#contract/serie.ts'
import { decimal, formatDecimal, formatGerman, parseNumberInput } from '#domain/geld.ts'
import { type Checked, unlessFaulty } from '../../../record/dialog-form.ts'
import { formatDate } from '../../../ui/format.ts'
import { dayExpected, parseDay } from '../../../ui/parse-day.ts'
import { t } from '../../../ui/text.ts'
import { numberFault } from '../number-words.ts'
import type { SerieTemplate } from './serie.data.ts'

export interface TypedLine {
  /** Of the dialog only. */
  readonly key: number
  /** What the dialog does not show stays as it is. */
  readonly from: Partial<SeriePosition>
  readonly bez: string
  readonly anzahl: string
  readonly einheit: string
  readonly ep: string
}
export interface SerieTyped {
  readonly titel: string
  readonly monate: string
  readonly beginn: string
  /** 'offen', 'tag' or 'anzahl': which of the next two counts. */
  readonly ends: string
  readonly ende: string
  readonly anzahl: string
  readonly faellig_am: string
  readonly anschreiben: string
  readonly zuerl: string
  readonly lines: readonly TypedLine[]
}

const MOST_TIMES = 1200

const isHeading = ({ art }: Partial<SeriePosition>): boolean => art === 'ueberschrift'
export const hasAmount = ({ from }: TypedLine): boolean => !isHeading(from)

const typedLine = (position: SeriePosition, key: number): TypedLine => ({
  key,
  from: position,
  bez: position.bez,
  anzahl: formatGerman(decimal(position.anzahl)),
  einheit: position.einheit,
  ep: formatGerman(decimal(position.ep), { atLeast: 2 }),
})
export const addedLine = (lines: readonly TypedLine[]): readonly TypedLine[] => [
  ...lines,
  {
    key: Math.max(0, ...lines.map(({ key }) => key)) + 1,
    from: {},
    bez: '',
    anzahl: '1',
    einheit: '',
    ep: '',
  },
]

/** @param beginn proposed if the template has none */
export const startSerie = (template: SerieTemplate, serie: Serie | null, start: string): SerieTyped => ({
  titel: template.titel,
  monate: String(serie?.monate ?? 1),
  beginn: formatDate(template.beginn ?? start),
  ends: serie?.ende != null ? 'tag' : serie?.anzahl != null ? 'anzahl' : 'offen',
  ende: serie?.ende == null ? '' : formatDate(serie.ende),
  anzahl: serie?.anzahl == null ? '' : String(serie.anzahl),
  faellig_am: serie?.faellig_am ?? 'beginn',
  anschreiben: template.anschreiben,
  zuerl: template.zuerl,
  lines: template.positionen.map(typedLine),
})

function checkLine(line: TypedLine): { position: Partial<SeriePosition>; faults: Record<string, string> } {
  const faults: Record<string, string> = {}
  const at = (name: string) => `lines.${line.key}.${name}`
  if (line.bez.trim() === '') faults[at('bez')] = t('Diese Angabe fehlt.')
  if (!hasAmount(line)) return { position: { ...line.from, bez: line.bez.trim() }, faults }
  const quantity = parseNumberInput(line.anzahl, { decimals: 3, integerDigits: 9, allowNegative: true })
  if (typeof quantity === 'string') faults[at('anzahl')] = numberFault(quantity, 3)
  const price = parseNumberInput(line.ep, { decimals: 4, integerDigits: 10, allowNegative: true })
  if (typeof price === 'string') faults[at('ep')] = numberFault(price, 4)
  const position = {
    ...line.from,
    bez: line.bez.trim(),
    einheit: line.einheit.trim(),
    anzahl: typeof quantity === 'string' ? '0' : formatDecimal(quantity),
    ep: typeof price === 'string' ? '0' : formatDecimal(price),
  }
  return { position, faults }
}

function endFaults(typed: SerieTyped, start: string | null, end: string | null) {
  const times = /^\d{1,4}$/.test(typed.anzahl.trim()) ? Number(typed.anzahl) : 0
  return {
    ende:
      typed.ends !== 'tag'
        ? undefined
        : end === null
          ? dayExpected()
          : start !== null && end < start
            ? t('Der letzte Tag liegt vor dem ersten.')
            : undefined,
    anzahl:
      typed.ends !== 'anzahl' || (times >= 1 && times <= MOST_TIMES)
        ? undefined
        : t('Eine Zahl zwischen 1 und {n}.', { n: MOST_TIMES }),
  }
}

export function checkSerie(typed: SerieTyped): Checked<SerieValues> {
  const start = parseDay(typed.beginn)
  const end = parseDay(typed.ende)
  const lines = typed.lines.map(checkLine)
  const values: SerieValues = {
    titel: typed.titel.trim(),
    monate: Number(typed.monate),
    beginn: start ?? '',
    ende: typed.ends === 'tag' ? end : null,
    anzahl: typed.ends === 'anzahl' ? Number(typed.anzahl) : null,
    faellig_am: typed.faellig_am === 'ende' ? 'ende' : 'beginn',
    kopf: { anschreiben: typed.anschreiben, zuerl: typed.zuerl },
    positionen: lines.map(({ position }) => position),
  }
  return unlessFaulty(values, {
    titel: values.titel === '' ? t('Diese Angabe fehlt.') : undefined,
    beginn: start === null ? dayExpected() : undefined,
    ...endFaults(typed, start, end),
    positionen: typed.lines.length === 0 ? t('Bitte tragen Sie mindestens eine Position ein.') : undefined,
    ...Object.assign({}, ...lines.map(({ faults }) => faults)),
  })
}
