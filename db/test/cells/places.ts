// Where pages about a holding or customer begin: everybody may ask, and the answer holds what they may read.
import { one } from '../attempt.ts'
import * as w from '../world.ts'
import type { NounCells } from './cells.ts'
import { C } from './vermessung.ts'

const FOREST = 'ogf_admin ogf_team admin'
const DRAINAGE = 'apus_admin apus_team admin'
const LINKED = 'ogf_standard ogf_fb_admin multiple_fb'

const finds = (was: string, id: number) =>
  one('select * from app.__o_get_places($1) p where p.id = $2', was, id)

export const PLACES: NounCells = {
  procedures: {
    __o_get_places: [
      { what: 'own trees', call: finds('habitat', w.A1), may: `${FOREST} kundenadmin ${LINKED}` },
      {
        what: 'trees of a disabled headquarters',
        call: finds('habitat', w.A2),
        may: `${FOREST} kundenadmin`,
      },
      { what: 'foreign trees', call: finds('habitat', w.B1), may: FOREST },
      { what: 'own stands', call: finds('waldbestand', w.A1), may: `${FOREST} kundenadmin ${LINKED}` },
      { what: 'stands of a disabled headquarters', call: finds('waldbestand', w.A2), may: FOREST },
      { what: 'foreign stands', call: finds('waldbestand', w.B1), may: FOREST },
      { what: 'own survey', call: finds('kataster', C), may: `${DRAINAGE} appuser appuser_admin` },
      { what: 'own survey that is switched off', call: finds('kataster', w.A), may: DRAINAGE },
      { what: 'foreign survey', call: finds('kataster', w.B), may: DRAINAGE },
    ],
  },
}
