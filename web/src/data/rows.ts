// Reads and changes rows. An operation on one row fails if it matches none: row security answers a forbidden
// change with zero rows.
import { ApiError, errorText, isMissing } from './api-error.ts'
import { doubtRights } from './rights-doubt.ts'
import { address, eq, type Filter, type ReadOptions } from './addresses.ts'
import { call } from './client.ts'
import { t } from '../ui/text.ts'
import { formatDateTime } from '../ui/format.ts'

interface Way {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number
}
export interface PageRead extends ReadOptions, Way {
  readonly limit: number
  /** exact counts every row; estimated is good enough for large tables; none returns no total. */
  readonly count?: 'exact' | 'estimated' | 'none'
}
export interface Page<T> {
  readonly rows: readonly T[]
  /** Null if no total was requested. */
  readonly total: number | null
}

const way = ({ signal, timeoutMs }: Way) => ({ signal, ...(timeoutMs !== undefined && { timeoutMs }) })

/** The total of a Content-Range: `0-24/500` → 500. */
export function totalOf(contentRange: string | null): number | null {
  const total = /\/(\d+)$/.exec(contentRange ?? '')?.[1]
  return total === undefined ? null : Number(total)
}

/** Reads one page. A page past the end is empty, with the total, and not an error. */
export async function selectPage<T>(
  table: string,
  { count = 'exact', signal, timeoutMs, ...read }: PageRead,
): Promise<Page<T>> {
  const prefer = count === 'none' ? [] : [`count=${count}`]
  const options = {
    ...way({ signal, ...(timeoutMs !== undefined && { timeoutMs }) }),
    prefer,
    tolerate: [416],
  }
  const answer = await call<T[] | null>('GET', address(table, read), options)
  return {
    rows: answer.status === 416 ? [] : (answer.data ?? []),
    total: totalOf(answer.headers.get('Content-Range')),
  }
}

/** All rows of a small table or of one record; lists of unknown length go through selectPage. */
export async function selectRows<T>(
  table: string,
  { signal, timeoutMs, ...read }: ReadOptions & Way = {},
): Promise<T[]> {
  const answer = await call<T[]>(
    'GET',
    address(table, read),
    way({ signal, ...(timeoutMs !== undefined && { timeoutMs }) }),
  )
  return answer.data
}

/** The one row that the filters select; otherwise rejects with not_found. */
export async function selectOne<T>(
  table: string,
  filters: readonly Filter[],
  options: Way & Pick<ReadOptions, 'select'> = {},
): Promise<T> {
  const { signal, timeoutMs, ...read } = options
  const [row] = await selectRows<T>(table, {
    ...read,
    filters,
    limit: 1,
    ...way({ signal, ...(timeoutMs !== undefined && { timeoutMs }) }),
  })
  if (row === undefined) throw notFound()
  return row
}

/** Null if the row is missing or hidden; other errors still reject. */
export const nullIfMissing = <T>(reading: Promise<T>): Promise<T | null> =>
  reading.catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })

export async function insert<T>(table: string, row: object, options: Way = {}): Promise<T> {
  const { data } = await call<T[]>('POST', address(table), {
    ...way(options),
    body: row,
    prefer: ['return=representation'],
  })
  return data[0]!
}

export interface Versioned {
  readonly version: number
  readonly geaendert_am: string
  readonly geaendert_von: string | null
}

/**
 * Changes one row and returns its new state. With `version`, only if nobody changed it since; otherwise
 * rejects with changed_meanwhile, with the current row in `current` and who changed it when in the message.
 */
export async function updateOne<T>(
  table: string,
  filters: readonly Filter[],
  changes: object,
  { version, ...options }: Way & { version?: number } = {},
): Promise<T> {
  const all = version === undefined ? filters : [...filters, eq('version', version)]
  const { data } = await call<T[]>('PATCH', address(table, { filters: all }), {
    ...way(options),
    body: changes,
    prefer: ['return=representation'],
  })
  if (data.length > 0) return data[0]!
  if (version === undefined) throw notFound()
  const current = await selectOne<T & Versioned>(table, filters, options)
  // The row is readable and unchanged, so we may not change it.
  if (current.version === version) throw notFound()
  throw changedMeanwhile(current)
}

export async function removeOne(table: string, filters: readonly Filter[], options: Way = {}): Promise<void> {
  const { headers } = await call('DELETE', address(table, { filters }), {
    ...way(options),
    prefer: ['return=minimal', 'count=exact'],
  })
  if ((totalOf(headers.get('Content-Range')) ?? 0) === 0) throw notFound()
}

/** The row is missing or hidden by row security; both get the same answer. */
function notFound(): ApiError {
  doubtRights()
  return new ApiError('not_found', errorText('not_found'), { status: 404 })
}

function changedMeanwhile(current: Versioned): ApiError {
  const who = current.geaendert_von ?? t('einer anderen Person')
  const message = t('Inzwischen geändert von {who} am {when}. Ihre Änderung wurde nicht gespeichert.', {
    who,
    when: formatDateTime(current.geaendert_am),
  })
  return new ApiError('changed_meanwhile', message, { status: 409, current })
}
