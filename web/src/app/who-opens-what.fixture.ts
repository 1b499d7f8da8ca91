// Who may open which page, written by hand from the specification and docs/decisions, to check the route
// table independently. In the browser, every combination is opened once (e2e/every-page.test.ts).
import { ROLES } from '#domain/roles.ts'

type Role = (typeof ROLES)[number]

/**
 * Role order: ogf_init, ogf_standard, ogf_team, ogf_admin, ogf_fb_admin, multiple_fb, inactive_fb,
 * kundenadmin, appuser, appuser_admin, apus_team, apus_admin, pruefer. admin opens everything.
 */
const EVERYBODY: readonly Role[] = [
  'ogf_standard',
  'ogf_team',
  'ogf_admin',
  'ogf_fb_admin',
  'multiple_fb',
  'inactive_fb',
  'kundenadmin',
  'appuser',
  'appuser_admin',
  'apus_team',
  'apus_admin',
  'pruefer',
]
const HABITAT: readonly Role[] = ['ogf_standard', 'ogf_team', 'ogf_admin', 'ogf_fb_admin', 'kundenadmin']
const FIELDWORK: readonly Role[] = ['ogf_standard', 'ogf_admin', 'ogf_fb_admin', 'apus_team', 'apus_admin']
const KARTEN: readonly Role[] = ['appuser', 'appuser_admin', 'apus_team', 'apus_admin']
const BETRIEBE: readonly Role[] = ['ogf_team', 'ogf_admin', 'ogf_fb_admin', 'multiple_fb', 'inactive_fb']

export const WHO_OPENS_WHAT: Readonly<Record<string, readonly Role[]>> = {
  // Their home is the page of the audit.
  '/dashboard': ROLES.filter((role) => role !== 'pruefer'),
  '/abo/index': ['ogf_standard', 'ogf_admin', 'ogf_fb_admin', 'kundenadmin'],
  '/na/index': ['ogf_standard', 'ogf_fb_admin'],
  '/abkuerzungen/index': ['appuser', 'apus_admin'],
  '/forstbetriebe/index': BETRIEBE,
  '/forstbetriebe/$detailid': ['ogf_admin', 'ogf_fb_admin'],
  '/kunden/index': ['ogf_admin'],
  '/kunden/$id': ['ogf_admin'],
  '/kunden/import': ['ogf_admin'],
  '/kunden/$id/forstbetrieb/$detailid': ['ogf_admin'],
  '/kunde/index': ['kundenadmin'],
  '/kunde/$id/forstbetrieb/$detailid': ['kundenadmin'],
  '/nutzer/index': ['ogf_admin'],
  '/nutzer/$user_id': ['ogf_admin'],
  '/gutschein/index': ['ogf_admin'],
  '/finanzen/index': ['ogf_admin'],
  '/profile/index': EVERYBODY,
  '/geraet': EVERYBODY,
  '/account/index': ['appuser_admin'],
  '/members/index': ['appuser_admin'],
  '/member-management/client': ['apus_team', 'apus_admin'],
  '/member-management/users': ['apus_admin'],
  '/member-management/client/$id': ['apus_team', 'apus_admin'],
  '/member-management/users/$user_id': ['apus_admin'],
  '/member-management/client/update/$update_id': ['apus_admin'],
  '/buchhaltung/dashboard': ['apus_admin'],
  '/buchhaltung/rechnungen': ['apus_admin', 'pruefer'],
  '/buchhaltung/rechnungen/rechnung/$id': ['apus_admin', 'pruefer'],
  '/buchhaltung/rechnungen/rechnung/new/$new_id': ['apus_admin'],
  '/buchhaltung/rechnungen/rechnung/update/$update_id': ['apus_admin'],
  '/buchhaltung/rechnungen/wiederkehrend': ['apus_admin'],
  '/buchhaltung/rechnungen/wiederkehrend/serie/$id': ['apus_admin'],
  '/buchhaltung/angebote': ['apus_admin', 'pruefer'],
  '/buchhaltung/angebote/angebot/$id': ['apus_admin', 'pruefer'],
  '/buchhaltung/angebote/angebot/new/$new_id': ['apus_admin'],
  '/buchhaltung/angebote/angebot/update/$update_id': ['apus_admin'],
  '/buchhaltung/offene-posten': ['apus_admin', 'pruefer'],
  '/buchhaltung/offene-posten/konto/$id': ['apus_admin', 'pruefer'],
  '/buchhaltung/eingang': ['apus_admin', 'pruefer'],
  '/buchhaltung/eingang/rechnung/$id': ['apus_admin', 'pruefer'],
  '/buchhaltung/eingang/ueberweisungen': ['apus_admin'],
  '/buchhaltung/mahnungen': ['apus_admin'],
  '/buchhaltung/zahlungen': ['apus_admin'],
  '/buchhaltung/lastschriften': ['apus_admin'],
  '/buchhaltung/prognosen': ['apus_admin'],
  '/buchhaltung/umsatzsteuer': ['apus_admin', 'pruefer'],
  '/buchhaltung/pruefung': ['apus_admin', 'pruefer'],
  '/buchhaltung/einstellungen': ['apus_admin'],
  '/karten/index': KARTEN,
  '/karten/$id': KARTEN,
  '/karten/$id/georef': ['apus_team', 'apus_admin'],
  '/kataster/index': KARTEN,
  '/kataster/objekt/$': KARTEN,
  '/kataster/import': ['apus_team', 'apus_admin'],
  '/habitatbaeume/index': HABITAT,
  '/habitatbaeume/$id': HABITAT,
  '/habitatbaeume/import': ['ogf_standard', 'ogf_admin', 'ogf_fb_admin'],
  '/habitatbaeume/feldsicherung': FIELDWORK,
  '/kawm/index': HABITAT,
  '/waldbestand/index': HABITAT,
  '/waldbestand/import': ['ogf_admin'],
  '/feld': FIELDWORK,
  '/feld/$': FIELDWORK,
  '/dokumente/index': ['kundenadmin', 'appuser_admin'],
  '/dokumente/rechnung/$id': ['kundenadmin', 'appuser_admin'],
  '/dokumente/angebot/$id': ['kundenadmin', 'appuser_admin'],
  '/verwaltung/betrieb': ['ogf_admin', 'apus_admin'],
  '/verwaltung/webhooks': ['ogf_admin', 'apus_admin'],
  '/verwaltung/bausteine': ['ogf_admin', 'apus_admin'],
  '/verwaltung/datenschutz': ['ogf_admin', 'apus_admin'],
}

/**
 * Addresses without a screen yet: they are in the table, but cannot be reached. Remove a line here when its
 * screen is made.
 */
export const NOT_THERE_YET: readonly string[] = []

export const mayOpen = (path: string, role: Role): boolean =>
  role === 'admin' || (WHO_OPENS_WHAT[path] ?? []).includes(role)
