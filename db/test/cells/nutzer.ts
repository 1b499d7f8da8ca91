// The list of all people, and changing a person's data.
import { closed, sql, one } from '../attempt.ts'
import * as w from '../world.ts'
import { ROLE_NAMES } from '../world.ts'
import type { NounCells } from './cells.ts'

const STAFF = 'ogf_admin ogf_team apus_admin apus_team admin'
const ADMINS = 'ogf_admin apus_admin admin'
const SELVES = [...ROLE_NAMES, 'cut_by_ceiling'].join(' ')

const change = (user_id: number) =>
  one(
    `select app.a_update_user($1, 'Eva', 'Forst', 'eva@test.example', '1990-05-17', 'weiblich', 1)`,
    user_id,
  )

export const NUTZER: NounCells = {
  tables: ['nutzer_liste SELECT'],
  definers: [
    'app.__o_confirm_mail',
    'app.a_get_kontakt',
    'app.a_send_kontakt_link',
    'app.a_update_user',
    'accounts.ever_signed_in',
    'accounts.first_sign_in',
    'accounts.contact_result',
    'accounts.contact_changed',
    'accounts.take_contact',
    'accounts.mail_of',
    'accounts.take_key',
    'accounts.keep_answer',
    'accounts.begin_import',
    'accounts.keep_import',
    'accounts.fail_import',
    'accounts.note_import',
    'accounts.read_import',
  ],
  world: `update app.benutzer set mail = 'kontakt@test.example' where user_id = ${w.COLLEAGUE};
    insert into accounts.kept_answer (user_id, key, digest)
      values (${w.COLLEAGUE}, 'key-of-a-colleague', repeat('a', 64));
    insert into accounts.kept_import (user_id, key, digest, was, lauf)
      values (${w.COLLEAGUE}, 'import-of-a-colleague', repeat('a', 64), 'kunden', gen_random_uuid());
    update accounts.kontakt set code_digest = encode(sha256('kollege'), 'hex'),
      code_bis = now() + interval '1 day' where user_id = ${w.COLLEAGUE};`,
  relations: {
    'accounts.kontakt': [
      { what: 'read', call: one('select * from accounts.kontakt'), may: '' },
      { what: 'create', call: one(`insert into accounts.kontakt (user_id) values (${w.STRANGER})`), may: '' },
      { what: 'change', call: one(`update accounts.kontakt set bestaetigt = offen`), may: '' },
      { what: 'delete', call: one('delete from accounts.kontakt'), may: '' },
    ],
    'accounts.kept_answer': [
      { what: 'read', call: one('select * from accounts.kept_answer'), may: '' },
      ...closed(
        'accounts.kept_answer',
        `(user_id, key, digest) values (${w.STRANGER}, 'key-of-a-stranger', repeat('a', 64))`,
        `body = 'x'`,
      ),
    ],
    'accounts.kept_import': [
      { what: 'read', call: one('select * from accounts.kept_import'), may: '' },
      ...closed(
        'accounts.kept_import',
        `(user_id, key, digest, was, lauf)
          values (${w.STRANGER}, 'import-of-a-stranger', repeat('a', 64), 'kunden', gen_random_uuid())`,
        `fortschritt = 7`,
      ),
    ],
    nutzer_liste: [
      {
        what: 'read oneself, who has signed in',
        call: (me) =>
          sql(
            'select * from app.nutzer_liste where user_id = $1 and angemeldet and erste_anmeldung is not null',
            me,
          ),
        may: SELVES,
      },
      {
        what: 'read a colleague, who is linked and has never signed in',
        call: one(
          `select * from app.nutzer_liste
           where user_id = $1 and verknuepft and not angemeldet and erste_anmeldung is null`,
          w.COLLEAGUE,
        ),
        may: `${STAFF} kundenadmin appuser_admin`,
      },
      {
        what: 'read foreign',
        call: one('select * from app.nutzer_liste where user_id = $1', w.STRANGER),
        may: STAFF,
      },
    ],
  },
  procedures: {
    __o_confirm_mail: [
      { what: 'with any code', call: one(`select app.__o_confirm_mail('x') as ok`), may: SELVES },
      {
        what: 'with a code of nobody',
        call: one(`select app.__o_confirm_mail('x') as ok`),
        finds: (row) => row['ok'] === true,
        may: '',
      },
      {
        what: 'with the code of a colleague',
        call: one(`select app.__o_confirm_mail('kollege') as ok`),
        finds: (row) => row['ok'] === true,
        may: '',
      },
    ],
    a_get_kontakt: [
      { what: 'at all', call: one('select count(*) from app.a_get_kontakt()'), may: SELVES },
      {
        what: 'where one’s own mails go',
        call: () => sql('select * from app.a_get_kontakt()'),
        finds: (row, me) => row['mail_an'] === w.usernameOf(me),
        may: SELVES,
      },
      {
        what: 'of a colleague',
        call: one('select * from app.a_get_kontakt()'),
        finds: (row) => row['offen'] === 'kontakt@test.example',
        may: '',
      },
    ],
    a_send_kontakt_link: [
      { what: 'where nothing waits to be confirmed', call: one('select app.a_send_kontakt_link()'), may: '' },
    ],
    a_update_user: [
      {
        what: 'oneself',
        call: (me) => sql(`select app.a_update_user($1, 'Eva', 'Forst', null, null, null, 1)`, me),
        may: SELVES,
      },
      {
        what: 'a person of the customer',
        call: change(w.COLLEAGUE),
        may: `${ADMINS} kundenadmin appuser_admin`,
      },
      {
        what: 'a person of the headquarters',
        call: change(w.FORESTER),
        may: `${ADMINS} kundenadmin ogf_fb_admin`,
      },
      { what: 'foreign', call: change(w.STRANGER), may: ADMINS },
      { what: 'a member of the provider’s team', call: change(w.ADVISER), may: 'apus_admin admin' },
      { what: 'nobody', call: change(999), may: '' },
    ],
  },
}
