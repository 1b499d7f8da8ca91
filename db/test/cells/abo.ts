// Subscriptions, their prices and voucher codes.
import { one, closed } from '../attempt.ts'
import * as w from '../world.ts'
import type { NounCells } from './cells.ts'

const ADMIN = 'ogf_admin admin'
const LINKED_A1 = 'ogf_standard ogf_fb_admin multiple_fb'
const LINKED_A2 = 'multiple_fb inactive_fb'
const SUBSCRIBERS = `${ADMIN} ogf_standard ogf_fb_admin multiple_fb inactive_fb`

export const CODE = 'TEST1-TEST1-TEST1-TEST1'
/** One running at A1, one running at B1, one cancelled at A2. */
export const [ABO_A1, ABO_B1, ABO_A2] = [1, 2, 3]
/** The world's voucher 1 has a code; 2 is redeemed; 3 has no code yet. */
export const [REDEEMED, WITHOUT_CODE] = [2, 3]

const NEW_ABO = `(client_id, hqid, modul, beginn, laufzeit, ende, preis, netto, ust_satz)
  values (${w.A}, ${w.A1}, 'fe', '2026-01-01', 12, '2026-12-31', 1, 1, 19)`

export const ABO: NounCells = {
  personal: ['abo_preis'],
  tables: ['abo SELECT', 'abo_liste SELECT', 'abo_preis SELECT'],
  definers: [
    'app.__o_cancel_abo',
    'app.__o_check_gutschein',
    'app.__o_resume_abo',
    'app.__o_start_abo',
    'app.a_issue_gutschein_code',
    'abo.find_gutschein',
    'abo.renew_due',
  ],
  world: `
    insert into app.abo_preis (modul, preis, laufzeit, ust_satz)
      values ('fe', 480, 12, 19), ('basis_fe', 240, 12, 19), ('kawm', 360, 12, 19);
    insert into app.gutschein (id, rabatt_abo, rabatt_kawm, expire_date, laufzeit, code_ausgegeben_am, eingeloest_am)
      values (${REDEEMED}, 10, 10, '2030-01-01', 12, now(), now()),
      (${WITHOUT_CODE}, 20, 25, '2030-01-01', 18, null, null);
    update app.gutschein set code_ausgegeben_am = now() where id = 1;
    insert into abo.gutschein_code (gutschein_id, digest)
      values (1, sha256(convert_to('${CODE.replaceAll('-', '')}', 'UTF8')));
    insert into abo.gutschein_versuch (user_id) values (${w.STRANGER});
    insert into app.abo (id, client_id, hqid, modul, beginn, laufzeit, ende, preis, netto, ust_satz,
      zustand, gekuendigt_am) values
      (${ABO_A1}, ${w.A}, ${w.A1}, 'fe', current_date, 12, current_date + 364, 480, 480, 19, 'aktiv', null),
      (${ABO_B1}, ${w.B}, ${w.B1}, 'fe', current_date, 12, current_date + 364, 480, 480, 19, 'aktiv', null),
      (${ABO_A2}, ${w.A}, ${w.A2}, 'kawm', current_date, 12, current_date + 364, 360, 360, 19, 'gekuendigt', now());
    insert into app.verlauf (tabelle, schluessel, client_id, hqid, aktion)
      values ('abo', '${ABO_A1}', ${w.A}, ${w.A1}, 'neu'), ('abo', '${ABO_B1}', ${w.B}, ${w.B1}, 'neu');
    select setval(pg_get_serial_sequence('app.abo', 'id'), 1000);`,
  relations: {
    abo: [
      {
        what: 'read own',
        call: one('select * from app.abo where id = $1', ABO_A1),
        may: `${ADMIN} kundenadmin ${LINKED_A1}`,
      },
      {
        what: 'read another of the same customer',
        call: one('select * from app.abo where id = $1', ABO_A2),
        may: `${ADMIN} kundenadmin ${LINKED_A2}`,
      },
      { what: 'read foreign', call: one('select * from app.abo where id = $1', ABO_B1), may: ADMIN },
      ...closed('app.abo', NEW_ABO, 'preis = 0'),
    ],
    abo_liste: [
      {
        what: 'read own',
        call: one('select * from app.abo_liste where id = $1', ABO_A1),
        may: `${ADMIN} kundenadmin ${LINKED_A1}`,
      },
      { what: 'read foreign', call: one('select * from app.abo_liste where id = $1', ABO_B1), may: ADMIN },
    ],
    abo_preis: [
      { what: 'read', call: one('select * from app.abo_preis'), may: `${SUBSCRIBERS} kundenadmin` },
      ...closed('app.abo_preis', `values ('fe', 1, 12, 19)`, 'preis = 0'),
    ],
    'abo.gutschein_code': [
      { what: 'read', call: one('select * from abo.gutschein_code'), may: '' },
      ...closed('abo.gutschein_code', `values (2, 'x')`, `digest = 'x'`),
    ],
    'abo.gutschein_versuch': [
      { what: 'read', call: one('select * from abo.gutschein_versuch'), may: '' },
      ...closed('abo.gutschein_versuch', `(user_id) values (${w.STRANGER})`, `zeit = '2000-01-01'`),
    ],
    gutschein: [
      {
        what: 'delete a redeemed one',
        call: one('delete from app.gutschein where id = $1', REDEEMED),
        may: '',
      },
      {
        what: 'take back a redemption',
        call: one('update app.gutschein set eingeloest_am = null where id = $1', REDEEMED),
        may: '',
      },
      {
        what: 'create with a redemption of one’s own',
        call: one(
          `insert into app.gutschein (rabatt_abo, rabatt_kawm, expire_date, laufzeit, eingeloest_am)
           values (5, 5, '2035-01-01', 3, now())`,
        ),
        may: '',
      },
    ],
    verlauf: [
      {
        what: 'read of own subscriptions',
        call: one(`select * from app.verlauf where tabelle = 'abo' and schluessel = '${ABO_A1}'`),
        may: `${ADMIN} kundenadmin ${LINKED_A1}`,
      },
      {
        what: 'read of foreign subscriptions',
        call: one(`select * from app.verlauf where tabelle = 'abo' and schluessel = '${ABO_B1}'`),
        may: ADMIN,
      },
    ],
  },
  procedures: {
    __o_check_gutschein: [
      { what: 'a code', call: one('select app.__o_check_gutschein($1)', CODE), may: SUBSCRIBERS },
    ],
    __o_start_abo: [
      { what: 'own', call: one(`select app.__o_start_abo($1, 'kawm')`, w.A1), may: `${ADMIN} ${LINKED_A1}` },
      { what: 'foreign', call: one(`select app.__o_start_abo($1, 'kawm')`, w.B1), may: ADMIN },
      { what: 'nobody’s', call: one(`select app.__o_start_abo(999, 'kawm')`), may: '' },
    ],
    __o_cancel_abo: [
      { what: 'own', call: one('select app.__o_cancel_abo($1)', ABO_A1), may: `${ADMIN} ${LINKED_A1}` },
      { what: 'foreign', call: one('select app.__o_cancel_abo($1)', ABO_B1), may: ADMIN },
      { what: 'nobody’s', call: one('select app.__o_cancel_abo(999)'), may: '' },
    ],
    __o_resume_abo: [
      { what: 'own', call: one('select app.__o_resume_abo($1)', ABO_A2), may: `${ADMIN} ${LINKED_A2}` },
      { what: 'nobody’s', call: one('select app.__o_resume_abo(999)'), may: '' },
    ],
    a_issue_gutschein_code: [
      { what: 'one without', call: one('select app.a_issue_gutschein_code($1)', WITHOUT_CODE), may: ADMIN },
      { what: 'nobody’s', call: one('select app.a_issue_gutschein_code(999)'), may: '' },
    ],
    a_get_abo_uebersicht: [
      { what: 'now', call: one('select * from app.a_get_abo_uebersicht()'), may: ADMIN },
    ],
    a_get_abo_einnahmen: [
      {
        what: 'this year',
        call: one('select * from app.a_get_abo_einnahmen(current_date, current_date + 100)'),
        may: ADMIN,
      },
    ],
  },
}
