// Where a redirect may lead: only to an address of this application.

/** Pages that only pass through; coming back to them would go round in circles. */
const PASSING = ['/login', '/auth-redirect']
const ORIGIN = 'https://application.invalid'

/** Path, query and fragment of a wanted address, or `/` when it is none of ours. */
export function safeTarget(wanted: unknown): string {
  if (typeof wanted !== 'string' || !wanted.startsWith('/')) return '/'
  // Browsers read a backslash as a slash and drop tabs and line breaks.
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  if (/[\\\u0000-\u001f\u007f]/.test(wanted)) return '/'
  let url: URL
  try {
    url = new URL(wanted, ORIGIN)
  } catch {
    return '/'
  }
  // `/.//host` becomes `//host` once its dots are folded.
  if (url.origin !== ORIGIN || url.pathname.startsWith('//')) return '/'
  if (PASSING.some((path) => url.pathname === path || url.pathname.startsWith(`${path}/`))) return '/'
  return url.pathname + url.search + url.hash
}

export const loginPath = (target: string, reason?: 'fehler' | 'beendet'): string =>
  `/login?redirect=${encodeURIComponent(safeTarget(target))}${reason ? `&grund=${reason}` : ''}`
