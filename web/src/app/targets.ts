// Validates redirect targets: only addresses of this application.

/** Pages that redirect themselves; returning to them would loop. */
const PASSING = ['/login', '/auth-redirect']
const ORIGIN = 'https://application.invalid'

/** Path, query and fragment of a requested address, or `/` if it is not ours. */
export function safeTarget(wanted: unknown): string {
  if (typeof wanted !== 'string' || !wanted.startsWith('/')) return '/'
  // Browsers treat a backslash as a slash and drop tabs and line breaks.
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  if (/[\\\u0000-\u001f\u007f]/.test(wanted)) return '/'
  let url: URL
  try {
    url = new URL(wanted, ORIGIN)
  } catch {
    return '/'
  }
  // `/.//host` becomes `//host` once its dots are resolved.
  if (url.origin !== ORIGIN || url.pathname.startsWith('//')) return '/'
  if (PASSING.some((path) => url.pathname === path || url.pathname.startsWith(`${path}/`))) return '/'
  return url.pathname + url.search + url.hash
}

export const loginPath = (target: string, reason?: 'fehler' | 'beendet'): string =>
  `/login?redirect=${encodeURIComponent(safeTarget(target))}${reason ? `&grund=${reason}` : ''}`
