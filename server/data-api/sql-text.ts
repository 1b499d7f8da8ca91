// The body of an answer over rows called _q, and how a JSON body is read. The rows themselves: rows-text.ts.
import type { Column } from './catalogue.ts'
import type { Media } from './parse-media.ts'
import type { Parameters } from './rows-text.ts'

/**
 * The body over rows called _q, built by PostgreSQL and never read again by us. `.*` means the row, even if a
 * column is called _q.
 */
export function bodyText(
  media: Media,
  outputs: readonly { readonly name: string; readonly label: string }[],
  parameters: Parameters,
): string {
  if (media.shape === 'csv') return csvText(outputs, parameters)
  const rows = 'pg_catalog.json_agg(_q.*)'
  if (media.shape === 'array')
    return media.stripNulls
      ? `coalesce(pg_catalog.json_strip_nulls(${rows}), '[]')::text`
      : `coalesce(${rows}, '[]')::text`
  return media.stripNulls ? `pg_catalog.json_strip_nulls(${rows} -> 0)::text` : `(${rows} -> 0)::text`
}

/** One row called _q, as it appears in the body. */
export function rowText(media: Media, outputs: readonly { readonly label: string }[]): string {
  if (media.shape === 'csv') return csvLine(outputs)
  const row = 'pg_catalog.row_to_json(_q.*)'
  return media.stripNulls ? `pg_catalog.json_strip_nulls(${row})::text` : `${row}::text`
}

/** The body from rows built by rowText: the same text that bodyText builds. */
export function joinRows(
  media: Media,
  outputs: readonly { readonly name: string }[],
  rows: readonly string[],
): string {
  if (media.shape === 'csv') return csvHeader(outputs) + rows.join('\n')
  return `[${rows.join(media.stripNulls ? ',' : ', \n ')}]`
}

const csvField = (label: string) => {
  const text = `pg_catalog.format('%s', _q.${label})`
  return (
    `case when _q.${label} is null then '' when ${text} = '' or ${text} ~ '[",\\r\\n]' then '"' || ` +
    `pg_catalog.replace(${text}, '"', '""') || '"' else ${text} end`
  )
}

/**
 * Header line from the names of the outputs (as a parameter), then a line per row; null is empty, empty text
 * is "".
 */
function csvText(
  outputs: readonly { readonly name: string; readonly label: string }[],
  parameters: Parameters,
): string {
  return (
    `${parameters.add(csvHeader(outputs))}::text || ` +
    `coalesce(pg_catalog.string_agg(${csvLine(outputs)}, E'\\n'), '')`
  )
}

function csvHeader(outputs: readonly { readonly name: string }[]): string {
  const header = outputs
    .map(({ name }) => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name))
    .join(',')
  return `${header}\n`
}

function csvLine(outputs: readonly { readonly label: string }[]): string {
  const line = outputs.map(({ label }) => csvField(label)).join(` || ',' || `)
  return line === '' ? "''" : line
}

/** `"a" integer, "b" text`: how a JSON body is expanded. */
export const typedColumns = (columns: readonly Pick<Column, 'quoted' | 'type'>[]): string =>
  columns.map(({ quoted, type }) => `${quoted} ${type}`).join(', ')
