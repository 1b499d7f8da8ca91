// The list of all people, and changing somebody's personal data.
import { sql } from '../attempt.ts'
import * as w from '../world.ts'
import { ROLE_NAMES } from '../world.ts'
import type { NounCells } from './cells.ts'

const STAFF = 'ogf_admin ogf_team apus_admin apus_team admin'
const ADMINS = 'ogf_admin apus_admin admin'
const SELVES = [...ROLE_NAMES, 'cut_by_ceiling'].join(' ')

const one =
  (text: string, ...values: unknown[]) =>
  () =>
    sql(text, ...values)
const change = (user_id: number) =>
  one(`select app.a_update_user($1, 'Eva', 'Forst', 'eva@test.example', '1990-05-17', 'weiblich', 1)`, user_id)

export const NUTZER: NounCells = {
  tables: ['nutzer_liste SELECT'],
  definers: ['app.a_update_user', 'rechte.angemeldete', 'rechte.erste_anmeldung'],
  relations: {
    nutzer_liste: [
      {
        what: 'read oneself, who has signed in',
        call: (me) => sql('select * from app.nutzer_liste where user_id = $1 and angemeldet and erste_anmeldung is not null', me),
        may: SELVES,
      },
      {
        what: 'read a colleague, who is linked and has never signed in',
        call: one(
          'select * from app.nutzer_liste where user_id = $1 and verknuepft and not angemeldet and erste_anmeldung is null',
          w.COLLEAGUE,
        ),
        may: `${STAFF} kundenadmin appuser_admin`,
      },
      { what: 'read foreign', call: one('select * from app.nutzer_liste where user_id = $1', w.STRANGER), may: STAFF },
    ],
  },
  procedures: {
    a_update_user: [
      {
        what: 'oneself',
        call: (me) => sql(`select app.a_update_user($1, 'Eva', 'Forst', null, null, null, 1)`, me),
        may: SELVES,
      },
      { what: 'a person of the customer', call: change(w.COLLEAGUE), may: `${ADMINS} kundenadmin appuser_admin` },
      { what: 'a person of the headquarters', call: change(w.FORESTER), may: `${ADMINS} kundenadmin ogf_fb_admin` },
      { what: 'foreign', call: change(w.STRANGER), may: ADMINS },
      { what: 'a member of the provider’s team', call: change(w.BETREUER), may: 'apus_admin admin' },
      { what: 'nobody', call: change(999), may: '' },
    ],
  },
}
