/** How the addresses begin that the server answers, and not the screens: a development server passes them on. */
export const SERVER_PATHS: readonly string[] = [
  '/rest',
  '/prod-api',
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
]
