// A customer or a holding at a glance: open to those who may read it, part by part to those it concerns.
import { one } from '../attempt.ts'
import * as w from '../world.ts'
import type { NounCells } from './cells.ts'

const STAFF = 'ogf_admin ogf_team apus_admin apus_team admin'
const FOREST = 'ogf_admin ogf_team admin'
const DRAINAGE = 'apus_admin apus_team admin'
const BOOK = 'apus_admin admin'

type Row = Record<string, unknown>
type Part = Record<string, unknown> | null
const answer = (row: Row) => JSON.parse(String(row['answer'])) as Record<string, Part>
const has = (part: string) => (row: Row) => answer(row)[part] !== null
const kunde = (id: number) => one('select app.__o_get_kunde_summary($1)::text as answer', id)
const hq = (id: number) => one('select app.__o_get_hq_summary($1)::text as answer', id)

const own = (what: string, part: string, may: string) => ({
  what,
  call: kunde(w.A),
  finds: has(part),
  may,
})
const ofHq = (what: string, part: string, may: string) => ({ what, call: hq(w.A1), finds: has(part), may })

export const SUMMARY: NounCells = {
  procedures: {
    __o_get_kunde_summary: [
      { what: 'own', call: kunde(w.A), may: `${STAFF} kundenadmin appuser appuser_admin` },
      { what: 'foreign', call: kunde(w.B), may: STAFF },
      { what: 'unknown', call: kunde(999_999), may: '' },
      own('what was billed', 'buch', `${BOOK} kundenadmin appuser_admin`),
      {
        what: 'the revenue',
        call: kunde(w.A),
        finds: (row) => answer(row)['buch'] !== null && answer(row)['buch']!['umsatz'] !== null,
        may: BOOK,
      },
      own('holdings', 'forstbetriebe', `${FOREST} kundenadmin`),
      own('plans', 'karten', `${DRAINAGE} appuser appuser_admin`),
      own('the survey', 'vermessung', DRAINAGE),
      own('people', 'personen', `${STAFF} kundenadmin appuser_admin`),
    ],
    __o_get_hq_summary: [
      {
        what: 'own',
        call: hq(w.A1),
        may: `${FOREST} kundenadmin ogf_standard ogf_fb_admin multiple_fb`,
      },
      { what: 'own that is disabled', call: hq(w.A2), may: `${FOREST} kundenadmin multiple_fb inactive_fb` },
      { what: 'foreign', call: hq(w.B1), may: FOREST },
      { what: 'unknown', call: hq(999_999), may: '' },
      ofHq('subscriptions', 'abos', 'ogf_admin admin kundenadmin ogf_standard ogf_fb_admin multiple_fb'),
      ofHq("the customer's plans", 'karten', 'admin'),
      ofHq("the customer's survey", 'vermessung', 'admin'),
    ],
  },
}
