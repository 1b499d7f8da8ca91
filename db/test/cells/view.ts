// Who may do what with saved views: everyone with a record has their own and cannot access others'.
import { sql } from '../attempt.ts'
import * as w from '../world.ts'
import type { NounCells } from './cells.ts'

/** Everyone whose token leads to an enabled record; a token's ceiling removes roles, not the record. */
const EVERYBODY = [...w.ROLE_NAMES, 'cut_by_ceiling'].join(' ')

export const SAVED_VIEWS: NounCells = {
  definers: ['accounts.own_view'],
  relations: {
    ansicht: [
      {
        what: 'read own',
        call: (me) => sql('select * from app.ansicht where user_id = $1', me),
        may: EVERYBODY,
      },
      {
        what: 'read another’s',
        call: () => sql('select * from app.ansicht where user_id = $1', w.COLLEAGUE),
        may: '',
      },
      {
        what: 'create own',
        call: () =>
          sql(
            `insert into app.ansicht (liste, name, suche, spalten)
             values ('kunden', 'Bayern', 'land=Bayern', '{name,ort}')`,
          ),
        may: EVERYBODY,
      },
      {
        what: 'create in another’s name',
        call: () =>
          sql(`insert into app.ansicht (user_id, liste, name) values ($1, 'kunden', 'Bayern')`, w.COLLEAGUE),
        may: '',
      },
      {
        what: 'change own',
        call: (me) =>
          sql(`update app.ansicht set name = 'Neu', suche = '', spalten = null where user_id = $1`, me),
        may: EVERYBODY,
      },
      {
        what: 'change another’s',
        call: () => sql(`update app.ansicht set suche = 'x=y' where user_id = $1`, w.COLLEAGUE),
        may: '',
      },
      {
        what: 'hand over',
        call: (me) => sql('update app.ansicht set user_id = $2 where user_id = $1', me, w.STRANGER),
        may: '',
      },
      {
        what: 'delete own',
        call: (me) => sql('delete from app.ansicht where user_id = $1', me),
        may: EVERYBODY,
      },
      {
        what: 'delete another’s',
        call: () => sql('delete from app.ansicht where user_id = $1', w.COLLEAGUE),
        may: '',
      },
    ],
  },
  procedures: {
    __o_set_standardansicht: [
      {
        what: 'open the plain list',
        call: () => sql(`select app.__o_set_standardansicht('kunden', null)`),
        may: EVERYBODY,
      },
      {
        what: 'open with an own view',
        call: (me) => sql(`select app.__o_set_standardansicht('kunden', 1000 + $1::bigint)`, me),
        may: EVERYBODY,
      },
      {
        what: 'open with another’s',
        call: () => sql(`select app.__o_set_standardansicht('kunden', 1000 + $1::bigint)`, w.COLLEAGUE),
        may: '',
      },
    ],
  },
  world: `insert into app.ansicht (id, user_id, liste, name, suche)
    select 1000 + user_id, user_id, 'kunden', 'Sachsen', 'land=Sachsen' from app.benutzer;`,
  tables: [
    'ansicht DELETE',
    'ansicht INSERT(liste,name,suche,spalten)',
    'ansicht SELECT',
    'ansicht UPDATE(name,suche,spalten,standard)',
  ],
  personal: ['ansicht'],
}
