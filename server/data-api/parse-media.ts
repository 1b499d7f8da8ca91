// Parses Accept and Content-Type. What a target can give is known only when it is planned (choose-media.ts).
import { badBody } from './faults.ts'

/** The options of EXPLAIN that a caller may switch on. */
const PLAN_OPTIONS = ['analyze', 'verbose', 'settings', 'buffers', 'wal'] as const
type PlanOption = (typeof PLAN_OPTIONS)[number]

export interface Media {
  /** `raw`: one value as it is, without JSON around it. */
  readonly shape: 'array' | 'object' | 'csv' | 'geojson' | 'raw'
  readonly stripNulls: boolean
  readonly contentType: string
  /** Of geojson: the function that makes a feature of a row, as written in a statement. */
  readonly feature?: string
  /** Of raw: the value is bytes. */
  readonly bytes?: boolean
  /** How the statement would be executed, instead of its result. */
  readonly plan?: { readonly format: 'json' | 'text'; readonly options: readonly PlanOption[] }
}

/** One media type of Accept, the most wanted first. */
export type Wanted =
  | { readonly kind: 'built-in'; readonly media: Media }
  | { readonly kind: 'any' }
  | { readonly kind: 'geojson' }
  | {
      readonly kind: 'plan'
      readonly of: Wanted
      readonly format: 'json' | 'text'
      readonly options: readonly PlanOption[]
    }
  /** Perhaps a function gives it; `type` may end in `/*`. */
  | { readonly kind: 'other'; readonly type: string }

const UTF8 = '; charset=utf-8'
const built = (shape: Media['shape'], type: string, stripNulls = false): Media => ({
  shape,
  stripNulls,
  contentType: `${type}${stripNulls ? ';nulls=stripped' : ''}${UTF8}`,
})

export const ARRAY = built('array', 'application/json')
const CSV = built('csv', 'text/csv')
const OBJECT = built('object', 'application/vnd.pgrst.object+json')
const STRIPPED_OBJECT = built('object', 'application/vnd.pgrst.object+json', true)
const STRIPPED_ARRAY = built('array', 'application/vnd.pgrst.array+json', true)
export const GEOJSON = built('geojson', 'application/geo+json')

const wanted = (media: Media): Wanted => ({ kind: 'built-in', media })
const ANY: Wanted = { kind: 'any' }
const DEFAULT: readonly Wanted[] = [ANY]
const JSON_ONLY: readonly Wanted[] = [wanted(ARRAY)]

/** The media types of Accept by their weight; those of the same weight in their order. */
export function parseAccept(accept: string | undefined): readonly Wanted[] {
  if (accept === undefined || accept === '' || accept === '*/*') return DEFAULT
  if (accept === 'application/json') return JSON_ONLY
  const weighed = splitOutside(accept, ',').map((part) => {
    const [type = '', ...parameters] = splitOutside(part, ';')
    const weight = Number(parameters.find((p) => /^q=/i.test(p))?.slice(2) ?? 1)
    return { type: toWanted(type.toLowerCase(), parameters), weight: Number.isNaN(weight) ? 1 : weight }
  })
  return weighed
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ type }) => type)
}

function toWanted(type: string, parameters: readonly string[]): Wanted {
  const stripped = parameters.some((p) => p.toLowerCase() === 'nulls=stripped')
  switch (type) {
    case '*/*':
    case 'application/*':
      return ANY
    case 'application/json':
      return stripped ? { kind: 'other', type: `${type};nulls=stripped` } : wanted(ARRAY)
    case 'application/vnd.pgrst.array':
    case 'application/vnd.pgrst.array+json':
      return wanted(stripped ? STRIPPED_ARRAY : ARRAY)
    case 'application/vnd.pgrst.object':
    case 'application/vnd.pgrst.object+json':
      return wanted(stripped ? STRIPPED_OBJECT : OBJECT)
    case 'text/csv':
    case 'text/*':
      return wanted(CSV)
    case 'application/geo+json':
      return { kind: 'geojson' }
    case 'application/vnd.pgrst.plan':
    case 'application/vnd.pgrst.plan+text':
    case 'application/vnd.pgrst.plan+json':
      return toPlan(type.endsWith('+json') ? 'json' : 'text', parameters)
    default:
      return { kind: 'other', type }
  }
}

function toPlan(format: 'json' | 'text', parameters: readonly string[]): Wanted {
  const valueOf = (name: string) =>
    parameters
      .find((p) => p.toLowerCase().startsWith(`${name}=`))
      ?.slice(name.length + 1)
      .replace(/^"(.*)"$/, '$1')
  const [type = '', ...inner] = splitOutside(valueOf('for') ?? 'application/json', ';')
  const of = toWanted(type.toLowerCase(), inner)
  const asked = (valueOf('options') ?? '').toLowerCase().split('|')
  return {
    kind: 'plan',
    of: of.kind === 'plan' ? wanted(ARRAY) : of,
    format,
    options: PLAN_OPTIONS.filter((option) => asked.includes(option)),
  }
}

/** Pieces between `sign`, but for those inside quotes. */
function splitOutside(text: string, sign: string): string[] {
  if (!text.includes('"')) return text.split(sign).map((piece) => piece.trim())
  const pieces: string[] = []
  let start = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') quoted = !quoted
    else if (text[at] === sign && !quoted) {
      pieces.push(text.slice(start, at).trim())
      start = at + 1
    }
  }
  return [...pieces, text.slice(start).trim()]
}

/** What a body is written in. `raw` is one value, for functions with one unnamed parameter. */
export type BodyType = 'json' | 'csv' | 'form' | 'text' | 'xml' | 'bytes'

const BODY_TYPES: Readonly<Record<string, BodyType>> = {
  'application/json': 'json',
  'text/csv': 'csv',
  'application/x-www-form-urlencoded': 'form',
  'text/plain': 'text',
  'text/xml': 'xml',
  'application/octet-stream': 'bytes',
}

/** A missing type means JSON. Tables take no text, XML or bytes, functions no CSV. */
export function parseContentType(contentType: string | undefined, call: boolean): BodyType {
  if (contentType === undefined || contentType === 'application/json') return 'json'
  const [type = '', ...parameters] = contentType.split(';').map((piece) => piece.trim().toLowerCase())
  const charset = parameters.find((p) => p.startsWith('charset='))?.slice(8) ?? 'utf-8'
  const found = Object.hasOwn(BODY_TYPES, type) ? BODY_TYPES[type] : undefined
  const fits = found !== undefined && (call ? found !== 'csv' : !['text', 'xml', 'bytes'].includes(found))
  if (!fits || !/^"?utf-?8"?$/.test(charset)) throw badBody(`Content-Type not acceptable: ${contentType}`)
  return found
}
