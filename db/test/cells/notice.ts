// Who may do what with notices: everyone reads and ticks off their own, and none are written by hand.
import { sql } from '../attempt.ts'
import * as w from '../world.ts'
import type { NounCells } from './cells.ts'

/** Everyone whose token leads to an enabled record. */
const EVERYBODY = [...w.ROLE_NAMES, 'cut_by_ceiling'].join(' ')
const changed = (row: Record<string, unknown>) => String(row['ids']) !== '{}'

export const NOTICES: NounCells = {
  relations: {
    meldung: [
      {
        what: 'read own',
        call: (me) => sql('select * from app.meldung where user_id = $1 and in_app', me),
        may: EVERYBODY,
      },
      {
        what: 'read own that are for the mail only',
        call: (me) => sql('select * from app.meldung where user_id = $1 and not in_app', me),
        may: '',
      },
      {
        what: 'read another’s',
        call: () => sql('select * from app.meldung where user_id = $1', w.COLLEAGUE),
        may: '',
      },
      {
        what: 'tick off own',
        call: (me) => sql('update app.meldung set gelesen_am = now() where user_id = $1', me),
        may: EVERYBODY,
      },
      {
        what: 'tick off another’s',
        call: () => sql('update app.meldung set gelesen_am = now() where user_id = $1', w.COLLEAGUE),
        may: '',
      },
      {
        what: 'write one for oneself',
        call: (me) =>
          sql(
            `insert into app.meldung (user_id, art, schluessel, ziel) values ($1, 'karte_gezeigt', 'x', '/karten/1')`,
            me,
          ),
        may: '',
      },
      {
        what: 'change where it leads',
        call: (me) => sql(`update app.meldung set ziel = '/x' where user_id = $1`, me),
        may: '',
      },
      { what: 'delete own', call: (me) => sql('delete from app.meldung where user_id = $1', me), may: '' },
    ],
  },
  procedures: {
    __o_count_meldungen: [
      {
        what: 'own',
        call: () => sql('select app.__o_count_meldungen() as n'),
        finds: (row) => row['n'] === 1,
        may: EVERYBODY,
      },
    ],
    __o_set_meldungen_gelesen: [
      {
        what: 'all own',
        call: () => sql('select app.__o_set_meldungen_gelesen() as ids'),
        finds: changed,
        may: EVERYBODY,
      },
      {
        what: 'another’s',
        call: () =>
          sql(`select app.__o_set_meldungen_gelesen(array(select generate_series(50000, 60000))) as ids`),
        finds: (row) => String(row['ids']).includes(String(50_000 + w.COLLEAGUE)),
        may: '',
      },
    ],
  },
  // Two for everyone: one to read in the application, one wanted by mail only.
  world: `insert into app.meldung (id, user_id, art, schluessel, params, ziel, in_app)
      select 50000 + user_id, user_id, 'karte_gezeigt', 'karte/1', '{"karte": "Plan 1"}'::jsonb,
        '/karten/1', true from app.benutzer
      union all select 60000 + user_id, user_id, 'karte_gezeigt', 'karte/2', '{"karte": "Plan 2"}'::jsonb,
        '/karten/2', false from app.benutzer;
    insert into notices.meldung_post (meldung_id, zustand) select 60000 + user_id, 'gesendet' from app.benutzer;`,
  tables: ['meldung SELECT', 'meldung UPDATE(gelesen_am)'],
  definers: [
    'notices.drop_with_right',
    'notices.notify',
    'notices.notify_expiring',
    'notices.begin_mails',
    'notices.give_up_mails',
    'notices.mail_result',
    'notices.renew_mail',
    'notices.take_mail',
  ],
}
