// Lists of the drainage half: customers with the number of their people, people of that half, and whom the
// caller may administer.
import { one } from '../attempt.ts'
import * as w from '../world.ts'
import type { NounCells } from './cells.ts'

const STAFF = 'ogf_admin ogf_team apus_admin apus_team admin'

const is = (column: string, value: unknown) => (row: Record<string, unknown>) => row[column] === value

export const MEMBERS: NounCells = {
  tables: ['kunde_mitglieder SELECT', 'mitglied SELECT'],
  relations: {
    kunde_mitglieder: [
      {
        what: 'read own',
        call: one('select * from app.kunde_mitglieder where client_id = $1', w.A),
        may: `${STAFF} kundenadmin appuser appuser_admin`,
      },
      {
        what: 'read foreign',
        call: one('select * from app.kunde_mitglieder where client_id = $1', w.B),
        may: STAFF,
      },
      {
        what: 'the people of the own customer are counted',
        // Customer A has the colleague, kundenadmin, appuser, appuser_admin and the one limited by the
        // token's ceiling; BETREUER belongs to the team.
        call: one(
          'select nutzer, team from app.kunde_mitglieder where client_id = $1 and nutzer = 4 and team = 2',
          w.A,
        ),
        may: `${STAFF} kundenadmin appuser_admin`,
      },
      {
        what: 'the people of a foreign customer are counted',
        call: one(
          'select nutzer from app.kunde_mitglieder where client_id = $1 and nutzer = 1 and team = 0',
          w.B,
        ),
        may: STAFF,
      },
      { what: 'change', call: one(`update app.kunde_mitglieder set name = 'x'`), may: '' },
    ],
    mitglied: [
      {
        what: 'read a person of the own customer',
        call: one('select * from app.mitglied where user_id = $1', w.COLLEAGUE),
        may: `${STAFF} kundenadmin appuser_admin`,
      },
      {
        what: 'read a person of another customer',
        call: one('select * from app.mitglied where user_id = $1', w.STRANGER),
        may: STAFF,
      },
      {
        what: 'people of the forest half alone are not among them',
        call: one('select * from app.mitglied where user_id = $1', w.FORESTER),
        may: '',
      },
      { what: 'change', call: one(`update app.mitglied set first_name = 'x'`), may: '' },
    ],
  },
  procedures: {
    a_get_verwaltbar: [
      {
        what: 'a person of the own customer may be administered',
        call: one('select * from app.a_get_verwaltbar($1) where verwaltbar', w.A),
        finds: is('user_id', w.COLLEAGUE),
        may: 'ogf_admin apus_admin admin kundenadmin appuser_admin',
      },
      {
        what: 'a person of a foreign customer may be administered',
        call: one('select * from app.a_get_verwaltbar($1) where verwaltbar', w.B),
        finds: is('user_id', w.STRANGER),
        may: 'ogf_admin apus_admin admin',
      },
      {
        what: 'the provider’s staff are administered by their own half',
        call: one('select * from app.a_get_verwaltbar($1) where verwaltbar', w.A),
        finds: is('user_id', w.ADVISER),
        may: 'apus_admin admin',
      },
      {
        what: 'foreign people are named',
        call: one('select * from app.a_get_verwaltbar($1)', w.B),
        finds: () => true,
        may: STAFF,
      },
    ],
  },
}
