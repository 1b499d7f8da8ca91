// The media type of an answer: the most wanted one that the target can give.
import type { Routine } from './catalogue.ts'
import { noMediaType } from './faults.ts'
import { ARRAY, GEOJSON, type Media, type Wanted } from './parse-media.ts'

/** What this server and its database can give. */
export interface Produced {
  /** The function that makes a GeoJSON feature of a row; null without PostGIS. */
  readonly geojson: string | null
  /** Execution plans are shown. */
  readonly plans: boolean
}

/** @param routine the function called; null for a relation */
export function chooseMedia(
  { accepts, accept }: { readonly accepts: readonly Wanted[]; readonly accept: string },
  produced: Produced,
  routine: Routine | null = null,
): Media {
  for (const wanted of accepts) {
    const media = mediaOf(wanted, produced, routine)
    if (media !== null) return media
  }
  throw noMediaType(accept)
}

function mediaOf(wanted: Wanted, produced: Produced, routine: Routine | null): Media | null {
  switch (wanted.kind) {
    case 'built-in':
      return handled(routine, wanted.media.contentType.split(';')[0] ?? '') ?? wanted.media
    case 'any':
      return routine?.media === '*/*' ? rawMedia(routine, 'application/octet-stream') : ARRAY
    case 'geojson':
      if (routine?.media === 'application/geo+json') return rawMedia(routine, routine.media)
      return produced.geojson === null || (routine !== null && routine.returns !== 'rows')
        ? null
        : { ...GEOJSON, feature: produced.geojson }
    case 'other':
      return handled(routine, wanted.type) ?? scalarMedia(routine, wanted.type)
    case 'plan': {
      const of = produced.plans ? mediaOf(wanted.of, produced, routine) : null
      return of === null ? null : planMedia(of, wanted)
    }
  }
}

/** A function whose result is declared to be of a media type. */
function handled(routine: Routine | null, type: string): Media | null {
  if (routine === null || routine.media === null || routine.set) return null
  // What the client would like it to be is not what it is: the function says so itself, in response.headers.
  if (routine.media === '*/*') return rawMedia(routine, 'application/octet-stream')
  const fits = type.endsWith('/*') ? routine.media.startsWith(type.slice(0, -1)) : routine.media === type
  return fits ? rawMedia(routine, routine.media) : null
}

/** One value that needs no JSON around it. */
function scalarMedia(routine: Routine | null, type: string): Media | null {
  if (routine === null || routine.set || routine.returns === 'rows' || routine.returns === 'void') return null
  const fits =
    type === 'text/plain' ||
    (type === 'application/octet-stream' && routine.resultType === 'bytea') ||
    (type === 'text/xml' && routine.resultType === 'xml')
  return fits ? rawMedia(routine, type) : null
}

function rawMedia({ resultType }: Routine, type: string): Media {
  const bytes = resultType === 'bytea'
  const text = /^text\/|json$|xml$/.test(type)
  return { shape: 'raw', stripNulls: false, bytes, contentType: text ? `${type}; charset=utf-8` : type }
}

function planMedia(of: Media, { format, options }: Wanted & { readonly kind: 'plan' }): Media {
  const type = of.contentType.replace('; charset=utf-8', '')
  const asked = options.length === 0 ? '' : `; options=${options.join('|')}`
  return {
    ...of,
    plan: { format, options },
    contentType: `application/vnd.pgrst.plan+${format}; for="${type}"${asked}; charset=utf-8`,
  }
}
