// Who sees which headquarters of the world: those linked to A1, the customer's admin, the forest half's staff.
import { type Cell, one } from './attempt.ts'
import { A1, A2, B1 } from './world.ts'

export const FOREST = 'ogf_admin ogf_team admin'
export const LINKED_A1 = 'ogf_standard ogf_fb_admin multiple_fb'

/** Of a table or a view with a row for each headquarters. */
export const readHeadquarters = (relation: string): Cell[] =>
  (
    [
      ['own', A1, `${FOREST} kundenadmin ${LINKED_A1}`],
      ['another of the same customer', A2, `${FOREST} kundenadmin multiple_fb inactive_fb`],
      ['foreign', B1, FOREST],
    ] as const
  ).map(([whose, hqId, may]) => ({
    what: `read ${whose}`,
    call: one(`select * from app.${relation} where "idHQ" = $1`, hqId),
    may,
  }))
