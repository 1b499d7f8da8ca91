// Who may do what with preferences: everyone with a record has their own and cannot access others'.
import { sql } from '../attempt.ts'
import * as w from '../world.ts'
import type { NounCells } from './cells.ts'

/** Everyone whose token leads to an enabled record; a token's ceiling removes roles, not the record. */
const EVERYBODY = [...w.ROLE_NAMES, 'cut_by_ceiling'].join(' ')

export const SETTING: NounCells = {
  relations: {
    einstellung: [
      {
        what: 'read own',
        call: (me) => sql('select * from app.einstellung where user_id = $1', me),
        may: EVERYBODY,
      },
      {
        what: 'read another’s',
        call: () => sql('select * from app.einstellung where user_id = $1', w.COLLEAGUE),
        may: '',
      },
      {
        what: 'create own',
        call: () => sql(`insert into app.einstellung (schluessel, wert) values ('theme', '"#409eff"')`),
        may: EVERYBODY,
      },
      {
        what: 'create in another’s name',
        call: () =>
          sql(
            `insert into app.einstellung (user_id, schluessel, wert) values ($1, 'theme', '1')`,
            w.COLLEAGUE,
          ),
        may: '',
      },
      {
        what: 'change own',
        call: (me) => sql(`update app.einstellung set wert = '"auto"' where user_id = $1`, me),
        may: EVERYBODY,
      },
      {
        what: 'change another’s',
        call: () => sql(`update app.einstellung set wert = '"auto"' where user_id = $1`, w.COLLEAGUE),
        may: '',
      },
      {
        what: 'hand over',
        call: (me) =>
          sql(`update app.einstellung set user_id = $2, schluessel = 'b' where user_id = $1`, me, w.STRANGER),
        may: '',
      },
      {
        what: 'delete own',
        call: (me) => sql('delete from app.einstellung where user_id = $1', me),
        may: EVERYBODY,
      },
      {
        what: 'delete another’s',
        call: () => sql('delete from app.einstellung where user_id = $1', w.COLLEAGUE),
        may: '',
      },
    ],
  },
  procedures: {
    __o_set_einstellungen: [
      {
        what: 'set and take back',
        call: () => sql(`select app.__o_set_einstellungen('{"theme": "#409eff", "scheme": null}')`),
        may: EVERYBODY,
      },
    ],
  },
  world: `insert into app.einstellung (user_id, schluessel, wert)
    select user_id, 'scheme', '"dark"' from app.benutzer;`,
  tables: [
    'einstellung DELETE',
    'einstellung INSERT(schluessel,wert)',
    'einstellung SELECT',
    'einstellung UPDATE(wert,geaendert_am)',
  ],
  personal: ['einstellung'],
  definers: ['accounts.language_of'],
}
