// The lines of a document as rows of the table: aligned numbers, running totals, subtotals, and which
// rows must stay together.
import type { Beleg, BelegPosition } from '#domain/beleg.ts'
import { add, decimal, formatGerman, NULL, sign } from '#domain/geld.ts'
import { isCounted } from '#domain/rechnung.ts'
import { setLine, setLines } from '#domain/typeset-text.ts'
import type { Table, Figure, TableRow } from './letter.ts'
import { amountText, discountWords, minus, period } from './notation.ts'

/**
 * From this length on a row may be split across pages: it could be longer than what is
 * left of a nearly full page.
 */
const LONG = 500
const LONG_LINES = 12
/** A limit for headings that follow each other: beyond it a page break between them is the lesser evil. */
const LONGEST_CHAIN = 4

const SHORT_UNIT = 10

/** Words of at least this many letters are hyphenated. */
const LONG_WORD = /[\p{L}\p{M}]{15}/u

/**
 * In German notation, with the decimal places each number has; the difference to the longest of the
 * column is typeset invisibly.
 */
function column(values: readonly string[], atLeast: number): Figure[] {
  const texts = values.map((value) =>
    value === '' ? '' : minus(formatGerman(decimal(value), { atLeast: atLeast })),
  )
  const fraction = (text: string): string => /,\d+$/.exec(text)?.[0] ?? ''
  const longest = Math.max(0, ...texts.map((text) => fraction(text).length))
  const fill = `,${'0'.repeat(Math.max(0, longest - 1))}`
  return texts.map((text) => ({
    text,
    rest: text === '' || longest === 0 ? '' : fill.slice(fraction(text).length),
  }))
}

const MARK: Readonly<Record<BelegPosition['art'], readonly [offen: string, gewaehlt: string]>> = {
  position: ['', ''],
  ueberschrift: ['', ''],
  optional: ['Optional, in der Summe nicht enthalten', 'Optional, beauftragt'],
  alternativ: ['Alternative, in der Summe nicht enthalten', 'Alternative, beauftragt'],
}

const NO_NUMBER: Figure = { text: '', rest: '' }

function extras(position: BelegPosition): string[] {
  const when = period(position.le_date, position.le_date_bis)
  return [
    ...(when === '' ? [] : [`Leistung: ${when}`]),
    ...(sign(decimal(position.rabatt_prozent)) === 0 ? [] : [discountWords(position.rabatt_prozent)]),
  ]
}

type Row = Omit<TableRow, 'halten' | 'regel'>

function rowOf(position: BelegPosition, quantity: Figure, ep: Figure, run: string): Row {
  const heading = position.art === 'ueberschrift'
  const explanation = position.erl_on ? setLines(position.erl) : []
  const label = setLines(position.bez)
  const title = position.erl_on ? setLine(position.erl_titel) : ''
  const letters = [...label, ...explanation].reduce((sum, line) => sum + line.length, 0)
  return {
    art: heading ? 'ueberschrift' : 'position',
    lang: letters > LONG || label.length + explanation.length > LONG_LINES,
    trennen: [title, ...label, ...explanation].some((text) => LONG_WORD.test(text)),
    nr: setLine(position.nr),
    bez: label,
    titel: '',
    marke: MARK[position.art][position.gewaehlt === true ? 1 : 0],
    erl_titel: title,
    erl: explanation,
    zusaetze: heading ? [] : extras(position),
    menge: quantity,
    einheit: heading ? '' : setLine(position.einheit),
    ep,
    ust: heading ? '' : formatGerman(decimal(position.ust_satz)),
    betrag: heading ? '' : amountText(position.betrag),
    zaehlt: isCounted(position),
    lauf: run,
  }
}

const subtotal = (heading: BelegPosition, run: string): Row => ({
  art: 'zwischensumme',
  lang: false,
  trennen: false,
  nr: '',
  bez: [],
  titel: `Summe ${[setLine(heading.nr), setLine(heading.bez)].filter((part) => part !== '').join(' ')}`,
  marke: '',
  erl_titel: '',
  erl: [],
  zusaetze: [],
  menge: NO_NUMBER,
  einheit: '',
  ep: NO_NUMBER,
  ust: '',
  betrag: amountText(heading.betrag),
  zaehlt: false,
  lauf: run,
})

/** A heading stays with the row below it, a subtotal with the one above. */
function keptTogether(rows: readonly Row[]): TableRow[] {
  const bound = rows.map(
    (row, index) =>
      index > 0 &&
      !row.lang &&
      !rows[index - 1]!.lang &&
      (rows[index - 1]!.art === 'ueberschrift' || row.art === 'zwischensumme'),
  )
  let chain = 0
  const starts = bound.map((isBound) => {
    chain = isBound && chain < LONGEST_CHAIN ? chain + 1 : 1
    return chain === 1
  })
  return rows.map((row, index) => {
    if (!starts[index]) return { ...row, halten: 0, regel: false }
    const next = starts.indexOf(true, index + 1)
    return { ...row, halten: (next === -1 ? rows.length : next) - index, regel: index > 0 }
  })
}

export function tableOf({ positionen, lieferant }: Beleg): Table {
  const figures = (value: 'anzahl' | 'ep', atLeast: number): Figure[] =>
    column(
      positionen.map((position) => (position.art === 'ueberschrift' ? '' : position[value])),
      atLeast,
    )
  const quantities = figures('anzahl', 0)
  const priceList = figures('ep', 2)
  const rows: Row[] = []
  let running = NULL
  let heading: BelegPosition | null = null
  let counted = false
  const close = (): void => {
    if (heading !== null && counted) rows.push(subtotal(heading, amountText(running)))
    heading = null
    counted = false
  }
  for (const [index, position] of positionen.entries()) {
    if (position.art === 'ueberschrift') {
      close()
      heading = position
    } else if (isCounted(position)) {
      running = add(running, decimal(position.betrag))
      counted = true
    }
    rows.push(rowOf(position, quantities[index]!, priceList[index]!, amountText(running)))
  }
  close()
  return {
    ust: !lieferant.kleinunternehmer,
    einheit_schmal: rows.every(({ einheit }) => einheit.length <= SHORT_UNIT),
    zeilen: keptTogether(rows),
  }
}
