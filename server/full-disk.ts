// A full disk, or a quota that is used up, as Node, SQLite and streams say it.

const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
/** SQLITE_FULL. */
const SQLITE_FULL = 13
const DEEPEST = 5

/** The disk or the bucket is full; nothing incomplete was left behind. */
export class NoSpaceError extends Error {
  override readonly name = 'NoSpaceError'
}

export function isDiskFull(error: unknown): boolean {
  let at = error
  for (let depth = 0; depth < DEEPEST && typeof at === 'object' && at !== null; depth++) {
    const { code, errcode, cause } = at as { code?: unknown; errcode?: unknown; cause?: unknown }
    if (
      at instanceof NoSpaceError ||
      FULL.has(code) ||
      (code === 'ERR_SQLITE_ERROR' && errcode === SQLITE_FULL)
    )
      return true
    at = cause
  }
  return false
}
