// The mark of a page whose last row has values that are too long for an address. It has the numbers of the last rows,
// each with a digest of its values: the next page goes on after the latest of them that is still as it was. If none is,
// it goes on where the values begin as those of the last row did, without the rows that have come already.
import { createHash } from 'node:crypto'
import type { Formula } from '#server/data-api/formula.ts'
import { Refusal } from '#server/errors.ts'
import { columnOf } from './edm.ts'
import { apply } from './filter.ts'
import { beyond, level, NONE, type Order } from './order.ts'

type Values = readonly (string | null)[]

export interface Near {
  /** Values of the last row, as far as there is room. */
  readonly at: Values
  /** The last of `at` is only the beginning of a text. */
  readonly isCut: boolean
  /** The last rows, number and digest, the latest first. */
  readonly rows: readonly string[]
  /** All rows that have come and begin like `at` are among them. */
  readonly isWhole: boolean
}

export interface Page {
  /** At least one. */
  readonly count: number
  row(nr: number): PageRow
  readonly before: Before
}
export interface PageRow {
  readonly key: string
  readonly values: Values
}

/** What came before the page: the mark of the page before, nothing, or rows that were skipped. */
export type Before = { readonly values: Values; readonly near?: Near } | 'nothing' | 'skipped'

const MOST_ROWS = 40
/** Of the room, for the values. */
const SHARE = 0.55
const ROW = /^\d{1,18}\.[\w-]{6}$/

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value)) + 1
const digestOf = (values: Values): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 6)
export const rowMark = ({ key, values }: PageRow): string => `${key}.${digestOf(values)}`
export const keyIn = (mark: string): string => mark.slice(0, mark.indexOf('.'))

/** @param room bytes */
export function nearMark({ count, row, before }: Page, room: number): Near {
  const { at, isCut } = beginningOf(row(count - 1).values, room * SHARE)
  const isLike = ({ values }: Pick<PageRow, 'values'>) => beginsLike(values, at, isCut)
  const rows: string[] = []
  let left = room - bytesOf(at)
  const put = (mark: string): boolean => {
    left -= bytesOf(mark)
    return rows.length < MOST_ROWS && left > 0 && rows.push(mark) > 0
  }
  for (let nr = count - 1; nr >= 0; nr--)
    if (!put(rowMark(row(nr)))) return { at, isCut, rows, isWhole: !isLike(row(nr)) }
  const made = { at, isCut, rows }
  // In order, so that what came earlier is not like these either.
  if (before === 'nothing' || !isLike(row(0))) return { ...made, isWhole: true }
  if (before === 'skipped') return { ...made, isWhole: false }
  if (before.near === undefined) return { ...made, isWhole: !isLike(before) }
  if (differ(before.near, made)) return { ...made, isWhole: true }
  const isSame = before.near.isCut === isCut && JSON.stringify(before.near.at) === JSON.stringify(at)
  return { ...made, isWhole: before.near.rows.every(put) && isSame && before.near.isWhole }
}

/** As many values as there is room for; the last may be the beginning of a text. */
function beginningOf(values: Values, room: number): Pick<Near, 'at' | 'isCut'> {
  const at: (string | null)[] = []
  let left = room
  for (const value of values) {
    left -= bytesOf(value)
    if (left >= 0) at.push(value)
    else if (value === null) break
    else {
      const characters = [...value]
      let end = characters.length
      while (end > 0 && bytesOf(characters.slice(0, end).join('')) > left + bytesOf(value))
        end = Math.floor(end * 0.9)
      return end === 0
        ? { at, isCut: false }
        : { at: [...at, characters.slice(0, end).join('')], isCut: true }
    }
  }
  return { at, isCut: false }
}

const beginsLike = (values: Values, at: Values, isCut: boolean): boolean =>
  at.every((value, i) =>
    isCut && i === at.length - 1 ? (values[i]?.startsWith(value ?? '') ?? false) : values[i] === value,
  )

/** Whether no row begins like both. */
function differ(one: Pick<Near, 'at' | 'isCut'>, other: Pick<Near, 'at' | 'isCut'>): boolean {
  const isPart = ({ at, isCut }: Pick<Near, 'at' | 'isCut'>, i: number) => isCut && i === at.length - 1
  return one.at.slice(0, other.at.length).some((value, i) => {
    const [a, b] = [value, other.at[i] ?? null]
    if (a === null || b === null) return a !== b
    const mayBegin = (isPart(one, i) && b.startsWith(a)) || (isPart(other, i) && a.startsWith(b))
    return a !== b && !mayBegin
  })
}

/** Null: it is no such mark. */
export function readNear(value: unknown, order: readonly Order[]): Near | null {
  if (typeof value !== 'object' || value === null) return null
  const { at, isCut, rows, isWhole } = value as Partial<Record<keyof Near, unknown>>
  const isText = (one: unknown) => one === null || (typeof one === 'string' && !one.includes('\0'))
  if (!Array.isArray(at) || at.length > order.length || !at.every(isText)) return null
  if (typeof isCut !== 'boolean' || typeof isWhole !== 'boolean') return null
  if (isCut && typeof at.at(-1) !== 'string') return null
  if (!Array.isArray(rows) || rows.length === 0 || rows.length > MOST_ROWS) return null
  if (!rows.every((row) => typeof row === 'string' && ROW.test(row))) return null
  const marks = rows as string[]
  // Only texts have a beginning: of a number or a day that did not fit in, nothing is known.
  return isCut && order[at.length - 1]!.property.kind !== 'string'
    ? { at: at.slice(0, -1) as Values, isCut: false, rows: marks, isWhole: false }
    : { at: at as Values, isCut, rows: marks, isWhole }
}

/** The rows that begin like those at which the page has ended, and all after them. @throws Refusal */
export function afterNear(order: readonly Order[], { at, isCut, isWhole }: Near): Formula[] {
  if (!isWhole)
    throw new Refusal(
      'conflict',
      'Die Zeilen, bei denen diese Tabelle weitergeht, wurden inzwischen gelöscht oder geändert. Bitte laden Sie sie ' +
        'von vorn.',
    )
  const full = isCut ? at.slice(0, -1) : at
  const equal = full.map((value, i) => level(order[i]!, value))
  const choices = full.flatMap((value, i) => {
    const past = beyond(order[i]!, value)
    return past === null ? [] : [all([...equal.slice(0, i), past])]
  })
  const rest = isCut ? [fromText(order[full.length]!, at.at(-1)!)] : []
  return [apply('or', ...choices, all([...equal, ...rest]), NONE)]
}

const all = (parts: readonly Formula[]): Formula =>
  parts.length === 0 ? { kind: 'value', value: 'true', type: 'boolean' } : apply('and', ...parts)

const fromText = (order: Order, text: string): Formula =>
  apply(
    'or',
    beyond(order, text)!,
    apply('begins', columnOf(order.property), { kind: 'value', value: text, type: 'text' }),
  )
