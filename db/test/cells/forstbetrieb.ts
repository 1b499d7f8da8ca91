// The list of headquarters, their areas as screens draw and replace them, and what a caller may do with a
// headquarters' people.
import { one } from '../attempt.ts'
import { FOREST, LINKED_A1, readHeadquarters } from '../headquarters.ts'
import * as w from '../world.ts'
import { IDENTITIES } from '../world.ts'
import type { NounCells } from './cells.ts'

/** A square of 1,000 m by 2,000 m in the customer's system. */
export const squareJson = (x: number, y: number): string =>
  JSON.stringify({
    type: 'Polygon',
    coordinates: [
      [
        [x, y],
        [x + 1000, y],
        [x + 1000, y + 2000],
        [x, y + 2000],
        [x, y],
      ],
    ],
  })
const setArea = (hqId: number, json: string, epsg: number, version: number | null) =>
  one('select app.a_set_hq_flaeche($1, $2::jsonb, $3, $4)', hqId, json, epsg, version)
const connecting = (hq_id: number, email: string) =>
  one('select * from app.__o_find_user_for_hq($1, $2)', hq_id, email)
const finds = (user_id: number) => (row: Record<string, unknown>) => row['user_id'] === user_id

export const FORSTBETRIEB: NounCells = {
  tables: ['hq_liste SELECT'],
  definers: ['app.__o_find_user_for_hq'],
  relations: {
    hq_liste: [
      ...readHeadquarters('hq_liste'),
      {
        what: 'read the name of the customer',
        call: one(`select * from app.hq_liste where "idHQ" = $1 and kunde = 'Forst A'`, w.A1),
        may: `${FOREST} kundenadmin`,
      },
      {
        what: 'find by the name of the customer',
        call: one(`select * from app.hq_liste where "idHQ" = $1 and suchtext like '%forst a%'`, w.A1),
        may: `${FOREST} kundenadmin`,
      },
    ],
  },
  procedures: {
    __o_get_area_from_hq: [
      {
        what: 'own',
        call: one('select * from app.__o_get_area_from_hq($1)', w.A1),
        finds: (row) =>
          Number(row['flaeche_ha']) === 200 &&
          row['epsg'] === 25833 &&
          JSON.stringify(row['geojson']).includes('320000'),
        may: `${FOREST} kundenadmin ${LINKED_A1}`,
      },
      { what: 'foreign', call: one('select * from app.__o_get_area_from_hq($1)', w.B1), may: FOREST },
      {
        what: 'of one without an area',
        call: one('select * from app.__o_get_area_from_hq($1)', w.A2),
        may: '',
      },
    ],
    a_set_hq_flaeche: [
      { what: 'draw', call: setArea(w.A2, squareJson(325000, 5690000), 25833, null), may: 'ogf_admin admin' },
      {
        what: 'replace own',
        call: setArea(w.A1, squareJson(325000, 5690000), 25833, 1),
        may: 'ogf_admin admin',
      },
      {
        what: 'replace foreign',
        call: setArea(w.B1, squareJson(531000, 5680000), 25832, 1),
        may: 'ogf_admin admin',
      },
      { what: 'of none', call: setArea(999, squareJson(325000, 5690000), 25833, null), may: '' },
    ],
    __o_get_hq_rights: [
      {
        what: 'look at own',
        call: one('select * from app.__o_get_hq_rights($1)', w.A1),
        may: `${FOREST} kundenadmin ${LINKED_A1}`,
      },
      { what: 'look at foreign', call: one('select * from app.__o_get_hq_rights($1)', w.B1), may: FOREST },
      {
        what: 'may connect',
        call: one('select * from app.__o_get_hq_rights($1)', w.A1),
        finds: (row) => row['verbinden'] === true,
        may: 'ogf_admin admin kundenadmin ogf_fb_admin',
      },
      {
        what: 'may connect to another of the customer',
        call: one('select * from app.__o_get_hq_rights($1)', w.A2),
        finds: (row) => row['verbinden'] === true,
        may: 'ogf_admin admin kundenadmin',
      },
      {
        what: 'may name an admin',
        call: one('select * from app.__o_get_hq_rights($1)', w.A1),
        finds: (row) => row['verwalter_ernennen'] === true,
        may: 'ogf_admin admin ogf_fb_admin',
      },
      {
        what: 'may manage a person',
        call: one(`select * from app.__o_get_hq_rights($1) where ${w.FORESTER} = any (verwaltbar)`, w.A1),
        may: 'ogf_admin admin kundenadmin ogf_fb_admin',
      },
    ],
    __o_find_user_for_hq: [
      {
        what: 'a person of the customer for the own headquarters',
        call: connecting(w.A1, w.usernameOf(w.COLLEAGUE).toUpperCase()),
        finds: finds(w.COLLEAGUE),
        may: 'ogf_admin admin kundenadmin ogf_fb_admin',
      },
      {
        what: 'somebody newly registered',
        call: connecting(w.A1, w.usernameOf(IDENTITIES.ogf_init.user_id)),
        finds: finds(IDENTITIES.ogf_init.user_id),
        may: 'ogf_admin admin kundenadmin ogf_fb_admin',
      },
      {
        what: 'a person of another customer',
        call: connecting(w.A1, w.usernameOf(w.STRANGER)),
        may: 'ogf_admin admin',
      },
      {
        what: 'a member of the provider’s team',
        call: connecting(w.A1, w.usernameOf(w.ADVISER)),
        may: 'ogf_admin admin',
      },
      {
        what: 'for another of the customer',
        call: connecting(w.A2, w.usernameOf(w.COLLEAGUE)),
        may: 'ogf_admin admin kundenadmin',
      },
      { what: 'for a foreign one', call: connecting(w.B1, w.usernameOf(w.STRANGER)), may: 'ogf_admin admin' },
      { what: 'an address of nobody', call: connecting(w.A1, 'niemand@test.example'), may: '' },
      { what: 'a part of an address', call: connecting(w.A1, 'person'), may: '' },
    ],
  },
}
