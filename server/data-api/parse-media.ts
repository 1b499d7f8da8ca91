// Parses Accept and checks Content-Type.
import { badBody, noMediaType } from './faults.ts'

export interface Media {
  readonly shape: 'array' | 'object' | 'csv'
  readonly stripNulls: boolean
  readonly contentType: string
}

const ARRAY: Media = { shape: 'array', stripNulls: false, contentType: 'application/json; charset=utf-8' }
const CSV: Media = { shape: 'csv', stripNulls: false, contentType: 'text/csv; charset=utf-8' }
const OBJECT: Media = {
  shape: 'object',
  stripNulls: false,
  contentType: 'application/vnd.pgrst.object+json; charset=utf-8',
}
const STRIPPED_OBJECT: Media = {
  shape: 'object',
  stripNulls: true,
  contentType: 'application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8',
}
const STRIPPED_ARRAY: Media = {
  shape: 'array',
  stripNulls: true,
  contentType: 'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8',
}

const BY_TYPE: Record<string, (stripped: boolean) => Media | null> = {
  '*/*': () => ARRAY,
  'application/*': () => ARRAY,
  'application/json': (stripped) => (stripped ? null : ARRAY),
  'application/vnd.pgrst.array': (stripped) => (stripped ? STRIPPED_ARRAY : ARRAY),
  'application/vnd.pgrst.array+json': (stripped) => (stripped ? STRIPPED_ARRAY : ARRAY),
  'application/vnd.pgrst.object': (stripped) => (stripped ? STRIPPED_OBJECT : OBJECT),
  'application/vnd.pgrst.object+json': (stripped) => (stripped ? STRIPPED_OBJECT : OBJECT),
  'text/csv': () => CSV,
  'text/*': () => CSV,
}

/** The available type with the highest weight; the first one if several weigh the same. */
export function parseAccept(accept: string | undefined): Media {
  if (accept === undefined || accept === '' || accept === '*/*' || accept === 'application/json') return ARRAY
  let best: { media: Media; weight: number } | null = null
  for (const part of accept.split(',')) {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const weight = Number(parameters.find((p) => p.startsWith('q='))?.slice(2) ?? 1)
    const make = Object.hasOwn(BY_TYPE, type) ? BY_TYPE[type] : undefined
    const media = make?.(parameters.includes('nulls=stripped')) ?? null
    if (media !== null && weight > 0 && (best === null || weight > best.weight)) best = { media, weight }
  }
  if (best === null) throw noMediaType(accept)
  return best.media
}

/** Bodies are JSON; a missing type means JSON. */
export function checkContentType(contentType: string | undefined): void {
  if (contentType === undefined || contentType === 'application/json') return
  const [type = '', ...parameters] = contentType.split(';').map((piece) => piece.trim().toLowerCase())
  const charset = parameters.find((p) => p.startsWith('charset='))?.slice(8) ?? 'utf-8'
  if (type !== 'application/json' || !/^"?utf-?8"?$/.test(charset))
    throw badBody(`Content-Type not acceptable: ${contentType}`)
}
