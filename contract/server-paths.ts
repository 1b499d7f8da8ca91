/** How the addresses begin that the server answers under the same names everywhere: no setting may take them. */
const FIXED_PATHS = [
  '/realms',
  '/.well-known',
  '/anmelden',
  '/config',
  '/healthz',
  '/livez',
  '/ogc',
  '/odata',
  '/tabelle',
  '/changes',
] as const

/** The same, and the files of the screens. */
export const RESERVED_PATHS: readonly string[] = [...FIXED_PATHS, '/assets']

/** What the server answers, and not the screens, with the settings' defaults: a development server passes it on. */
export const SERVER_PATHS: readonly string[] = ['/rest', '/prod-api', ...FIXED_PATHS]
