// The answer built over the rows of any plan: as one text, or row by row.
import type { Media } from './parse-media.ts'
import type { Output } from './plan.ts'
import type { Parameters } from './rows-text.ts'
import { bodyText, joinRows, rowText } from './sql-text.ts'

/**
 * How the answer arrives: as one text built by the database, or row by row where that text would be built in
 * memory that the engine never gives back. Row by row, an answer beyond the limit ends with the row that
 * exceeds it.
 */
export type Delivery = 'whole' | 'by row'

export const COUNT = 'pg_catalog.count(*) as n'

/** What functions and triggers have set for the answer; read when everything has run. */
export const RESPONSE =
  "nullif(pg_catalog.current_setting('response.headers', true), '') as rh, " +
  "nullif(pg_catalog.current_setting('response.status', true), '') as rs"

export interface Shown {
  readonly media: Media
  readonly outputs: readonly Output[]
  readonly delivery: Delivery
  /** SQL text that counts the rows before the page is cut. */
  readonly total?: string | null
  /** Further columns of the answer, read after its rows. */
  readonly extras?: string | null
}

/** @param rows text of the statement whose rows are shown */
export function shownText(
  rows: string,
  { media, outputs, delivery, total = null, extras = null }: Shown,
  parameters: Parameters,
): string {
  const more = extras === null ? '' : `, ${extras}`
  if (delivery === 'whole') {
    const body = wholeText(media, outputs, parameters)
    const counted = total === null ? '' : `, ${total} as total`
    return `select ${COUNT}, ${body} as body${counted}${more} from (${rows}) as _q`
  }
  const row = media.feature === undefined ? rowText(media, outputs) : `${featureText(media)}::text`
  const each = `select ${row} as body from (${rows}) as _q`
  if (total === null && extras === null) return each
  // Total and extras are returned even if there are no rows.
  const counted = total === null ? '' : ', _n.total'
  const first = total === null ? 'select 1' : `select ${total} as total`
  return `select _r.body${counted}${more} from (${first}) as _n left join lateral (${each}) as _r on true`
}

/** One row called _q as a GeoJSON feature. */
const featureText = ({ feature }: Media): string => `${feature ?? ''}(_q.*)`

function wholeText(media: Media, outputs: readonly Output[], parameters: Parameters): string {
  if (media.feature === undefined) return bodyText(media, outputs, parameters)
  const features = `coalesce(pg_catalog.json_agg(${featureText(media)}::json), '[]')`
  return `pg_catalog.json_build_object('type', 'FeatureCollection', 'features', ${features})::text`
}

/** The same text that `whole` builds, from the texts of its rows. */
export function joinShown(media: Media, outputs: readonly Output[], rows: readonly string[]): string {
  return media.feature === undefined
    ? joinRows(media, outputs, rows)
    : `{"type" : "FeatureCollection", "features" : [${rows.join(', ')}]}`
}
