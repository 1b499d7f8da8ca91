// Rows as the database wrote them, in the form that was asked for. Numbers keep every digit.
import type { Property } from './edm.ts'
import type { Form } from './format.ts'
import { NAMESPACE } from './metadata.ts'
import type { Order } from './order.ts'
import type { EntitySet } from './sets.ts'

export type Row = Readonly<Record<string, unknown>>
/** TypeScript does not know them yet: the text of a number as it was written. */
const exact = JSON as unknown as {
  rawJSON: (text: string) => unknown
  parse: (
    text: string,
    revive: (key: string, value: unknown, from: { source?: string }) => unknown,
  ) => unknown
}

/** Numbers stay texts inside, so that writing them again changes nothing. */
export const parseRows = (json: string): Row[] =>
  exact.parse(json, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined ? exact.rawJSON(source) : value,
  ) as Row[]

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Where the next page begins. */
export const markOf = (row: Row, order: readonly Order[]): (string | null)[] =>
  order.map(({ property: { name } }) => textOf(row[name]))

/** Types that JSON has itself. */
const NATIVE: ReadonlySet<string> = new Set(['Edm.String', 'Edm.Boolean', 'Edm.Double', 'Edm.Int32'])

export const keyText = (value: unknown): string => encodeURIComponent(textOf(value) ?? '')

export function shaped(
  row: Row,
  {
    set,
    shown,
    form,
    base,
  }: {
    readonly set: EntitySet
    readonly shown: readonly Property[]
    readonly form: Form
    readonly base: string
  },
): Row {
  const values = Object.fromEntries(
    shown.flatMap(({ name, edm }) => [
      ...(form.metadata === 'full' && !NATIVE.has(edm) ? [[`${name}@odata.type`, typeName(edm)]] : []),
      [name, row[name]],
    ]),
  )
  if (form.metadata !== 'full') return values
  const id = `${set.name}(${keyText(row[set.key])})`
  return {
    '@odata.type': `#${NAMESPACE}.${set.name}`,
    '@odata.id': `${base}/${id}`,
    '@odata.readLink': id,
    ...values,
  }
}

const typeName = (edm: string): string => `#${edm.replaceAll('Edm.', '')}`
