// How columns of the database are typed in OData.
import type { Formula, FormulaType } from '#server/data-api/formula.ts'

/** What can be asked of a value. `other`: shown as text, only compared with null. */
export type Kind =
  | 'string'
  | 'int'
  | 'decimal'
  | 'double'
  | 'boolean'
  | 'date'
  | 'moment'
  | 'time'
  | 'guid'
  | 'other'

export interface Property {
  readonly name: string
  readonly kind: Kind
  /** `Edm.Decimal`, `Collection(Edm.String)` … */
  readonly edm: string
  /** MaxLength, Precision and Scale, as far as the database knows them. */
  readonly facets: Readonly<Record<string, string>>
  readonly nullable: boolean
  /** PostgreSQL has no JSON of the right kind for it. */
  readonly asText: boolean
  /** As formulas read it, where that is another type than the column's. */
  readonly readAs: FormulaType | null
  /** In German. */
  readonly label: string
}

interface Typed {
  readonly kind: Kind
  readonly edm: string
  readonly readAs?: FormulaType
  readonly asText?: true
}

const SIMPLE: Readonly<Record<string, Typed>> = {
  text: { kind: 'string', edm: 'Edm.String' },
  'character varying': { kind: 'string', edm: 'Edm.String' },
  character: { kind: 'string', edm: 'Edm.String', readAs: 'text' },
  name: { kind: 'string', edm: 'Edm.String', readAs: 'text' },
  smallint: { kind: 'int', edm: 'Edm.Int16' },
  integer: { kind: 'int', edm: 'Edm.Int32' },
  bigint: { kind: 'int', edm: 'Edm.Int64' },
  numeric: { kind: 'decimal', edm: 'Edm.Decimal' },
  real: { kind: 'double', edm: 'Edm.Single', readAs: 'double precision' },
  'double precision': { kind: 'double', edm: 'Edm.Double' },
  boolean: { kind: 'boolean', edm: 'Edm.Boolean' },
  date: { kind: 'date', edm: 'Edm.Date' },
  'timestamp with time zone': { kind: 'moment', edm: 'Edm.DateTimeOffset' },
  'time without time zone': { kind: 'time', edm: 'Edm.TimeOfDay' },
  uuid: { kind: 'guid', edm: 'Edm.Guid' },
}

/** Places and bytes are for other addresses: /ogc and files. */
const LEFT_OUT = /^(?:(?:public\.)?(?:geometry|geography)\b|bytea$|tsvector$)/
const OF_TEXTS = /^(?:text|character varying(?:\(\d+\))?)\[\]$/
const OF_NUMBERS: Readonly<Record<string, string>> = {
  'smallint[]': 'Edm.Int16',
  'integer[]': 'Edm.Int32',
  'bigint[]': 'Edm.Int64',
}

function facetsOf(base: string, [first, second]: readonly string[]): Record<string, string> {
  if (base.startsWith('character')) return first === undefined ? {} : { MaxLength: first }
  if (base === 'timestamp with time zone' || base.startsWith('time ')) return { Precision: '6' }
  // What is added up in a view has as many places as it needs.
  if (base === 'numeric')
    return first === undefined ? { Scale: 'variable' } : { Precision: first, Scale: second ?? '0' }
  return {}
}

/** @param type as PostgreSQL prints it; null for columns that are not shown */
export function propertyOf(column: {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  readonly label: string
}): Property | null {
  const { name, type, nullable, label } = column
  if (LEFT_OUT.test(type)) return null
  const common = { name, nullable, label, asText: false, readAs: null, facets: {} }
  if (OF_TEXTS.test(type)) return { ...common, kind: 'other', edm: 'Collection(Edm.String)' }
  const numbers = OF_NUMBERS[type]
  if (numbers !== undefined) return { ...common, kind: 'other', edm: `Collection(${numbers})` }
  const [, base = type, given = '', zone = ''] =
    /^([a-z ]+?)(?:\(([\d,]+)\))?( with(?:out)? time zone)?$/.exec(type) ?? []
  const typed = SIMPLE[base + zone]
  // Types of our own, ranges and JSON.
  if (typed === undefined) return { ...common, kind: 'other', edm: 'Edm.String', asText: true }
  return {
    ...common,
    kind: typed.kind,
    edm: typed.edm,
    facets: facetsOf(base + zone, given === '' ? [] : given.split(',')),
    readAs: typed.readAs ?? null,
  }
}

export const columnOf = ({ name, readAs }: Property): Formula =>
  readAs === null ? { kind: 'column', column: name } : { kind: 'column', column: name, as: readAs }

/** What a value that comes back in a link or a key is read as. */
export const TYPE_OF: Readonly<Record<Exclude<Kind, 'other'>, FormulaType>> = {
  string: 'text',
  int: 'bigint',
  decimal: 'numeric',
  double: 'double precision',
  boolean: 'boolean',
  date: 'date',
  moment: 'timestamptz',
  time: 'time',
  guid: 'uuid',
}
