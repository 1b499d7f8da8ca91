// docs/spec-map.md against the tree and against the specification: files exist, no line lacks its place,
// every route and call of the specification is in it.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROUTES, type RouteLine } from '../web/src/app/routes.ts'

const ROOT = join(import.meta.dirname, '..')
const MAP = readFileSync(join(import.meta.dirname, 'spec-map.md'), 'utf8')

interface Line {
  readonly section: string
  readonly point: string
  readonly place: string
  readonly shown: string
}
const LINES: Line[] = MAP.split(/^## /m)
  .slice(1)
  .flatMap((part) => {
    const section = part.slice(0, part.indexOf('\n'))
    return part
      .split('\n')
      .filter((line) => line.startsWith('|') && !/^\|(?:-|\s*(?:Point|Gap)\b)/.test(line))
      .map((line) => line.split('|').slice(1, -1))
      .filter((cells) => cells.length === 3)
      .map(([point = '', place = '', shown = '']) => ({
        section,
        point: point.trim(),
        place: place.trim(),
        shown: shown.trim(),
      }))
  })
/** Backticked names that are files and no routes or calls: those stand in italics. */
const filesIn = (text: string): string[] =>
  [...text.matchAll(/(\*)?`([^`]+)`/g)]
    .filter(([, italic]) => italic === undefined)
    .map(([, , name = '']) => name)
    .filter((name) => name.includes('/') || /\.(?:ts|tsx|sql|md|json)$/.test(name))

test('every line has its place and what shows it', () => {
  expect(LINES.length).toBeGreaterThan(120)
  const without = LINES.filter(({ place, shown }) =>
    [place, shown].some((cell) => filesIn(cell).length === 0),
  )
  expect(without.map(({ section, point }) => `${section}: ${point}`)).toEqual([])
})

test('nothing is put off', () => expect(MAP).not.toMatch(/\blater: |\btodo\b|\bto be (?:done|written)\b/i))

test('all nine sections are there', () => {
  const sections = new Set(LINES.map(({ section }) => section.slice(0, 2)))
  for (let nr = 1; nr <= 9; nr++) expect(sections, `section ${nr}`).toContain(`${nr}.`)
})

const NAMED = [...new Set(filesIn(MAP.slice(MAP.indexOf('## 1.'))))].toSorted()
test.each(NAMED)('%s exists', (name) => {
  const found = globSync(name, { cwd: ROOT, exclude: (path) => String(path).includes('node_modules') })
  expect(found.length).toBeGreaterThan(0)
})

describe('of the specification', () => {
  const italics = new Set([...MAP.matchAll(/\*`([^`]+)`\*/g)].map(([, name = '']) => name))

  const ROUTES_OF_SPEC =
    `/ /login /auth-redirect /redirect/{path} /404 /401 /dashboard /abo/index /na/index /abkuerzungen/index
    /forstbetriebe/index /forstbetriebe/{detailid} /kunden/index /kunden/{id}
    /kunden/{id}/forstbetrieb/{detailid} /kunde/index /kunde/{id}/forstbetrieb/{detailid} /nutzer/index
    /nutzer/{user_id} /gutschein/index /finanzen/index /profile/index /account/index /members/index
    /member-management client users client/{id} users/{user_id} client/update/{update_id} /buchhaltung
    dashboard rechnungen rechnungen/rechnung/{id} rechnungen/rechnung/new/{new_id}
    rechnungen/rechnung/update/{update_id} angebote angebote/angebot/{id} angebote/angebot/new/{new_id}
    angebote/angebot/update/{update_id}`.split(/\s+/)
  test.each(ROUTES_OF_SPEC)('route %s', (path) => expect(italics).toContain(path))

  test('each of these routes is a line of the table of routes', () => {
    const paths = (lines: readonly RouteLine[]): string[] =>
      lines.flatMap(({ path, children = [] }) => [path, ...paths(children)])
    const known = new Set(
      paths(ROUTES).map((path) => path.replaceAll(/\$(\w+)/g, '{$1}').replace(/\$$/, '{path}')),
    )
    let group = ''
    const missing = ROUTES_OF_SPEC.filter((path) => {
      if (path === '/') return false
      if (path.startsWith('/')) group = path
      return !known.has(path.startsWith('/') ? path : `${group}/${path}`)
    })
    expect(missing).toEqual([])
  })

  const CALLS_OF_SPEC =
    `/hq?order=idHQ /hq /hq?idHQ=eq.{id} /gutschein /kunde /kunde?client_id=eq.{id} /benutzer
    /benutzer_kunde?client_id=eq.{id} /habitatbaeume?idHQ=eq.{id} /habitatbilder?habitat_id=eq.{id}
    /mappoint?karte_id=eq.{id}&order=nr.asc /karte?id=eq.{id} /bestand /baumarten
    /drae_einmessung_uebersicht /ausm_einmessung_uebersicht /scha_einmessung_uebersicht
    /schl_einmessung_uebersicht /drae_laenge_nach_erfq /drae_laenge_qdt_nach_aop get_hqs_from_user/
    /kunde_hq?hqid=eq.{id} /gutschein?id=eq.{id} /habitatbaeume?id=eq.{id} a_get_appusers_from_client
    __o_get_users_from_hq a_get_apus_team_from_client a_set_projektordner a_set_kataster_for_client
    a_add_user_to_client a_add_user a_get_user_exists __o_get_user_data __o_change_app_status
    __o_update_user __o_connect_user_to_hq __o_disconnect_user_from_hq __o_get_hqs_from_user
    __o_get_hq_details __o_get_bbox_from_hq a_get_ausm_overview_vermessen a_get_schae_overview_vermessen
    a_get_schlu_overview_vermessen a_get_einl_overview_vermessen a_get_drae_overview_vermessen
    a_get_draenage_overview_erfq a_get_map_list_from_db a_get_kataster_overview a_get_offers
    a_get_invoices a_get_position_tmpl a_get_all_freitexte a_get_currentuser a_get_currentsessionuser
    a_get_prognose a_get_acronyms a_get_min_rn_datum_for_new_invoice a_get_min_an_datum_for_new_offer
    a_get_invoice_details a_get_invoice_positions a_get_offer_details a_get_offer_positions
    a_update_invoice_details a_update_offer_details a_add_invoice a_add_offer a_update_position
    a_insert_position a_delete_position a_insert_prognose a_update_prognose a_delete_prognose
    a_set_client_for_invoice a_set_client_for_offer a_get_minmax_rn_datum a_get_minmax_an_datum
    a_set_archive_for_rn /vue-element-admin/user/login user/info user/logout routes roles role
    search/user transaction/list article/list article/detail article/pv article/create article/update`.split(
      /\s+/,
    )
  test.each(CALLS_OF_SPEC)('call %s', (name) => expect(italics).toContain(name))
})
