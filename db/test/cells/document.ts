// What customers see of their documents and decide about them, and the one-time links to them.
import { one } from '../attempt.ts'
import * as w from '../world.ts'
import { ANGEBOT_A, ANGEBOT_B, ANGEBOT_DRAFT_A } from './buchhaltung.ts'
import type { NounCells } from './cells.ts'

const BOOK = 'apus_admin admin'
const OWNERS = 'kundenadmin appuser_admin'

/** Open links to the offers of customer A and customer B. */
export const [LINK_A, LINK_B] = [1, 2]
/** The codes in their addresses. */
export const [CODE_A, CODE_B] = [`${'a'.repeat(42)}1`, `${'b'.repeat(42)}2`]
const hashOf = (code: string) => `encode(sha256(convert_to('${code}', 'UTF8')), 'hex')`

const LINK =
  'id, client_id, angebot_id, empfaenger, gueltig_bis, angelegt_am, angelegt_von, benutzt_am, benutzt_von, ' +
  'zurueckgezogen_am, zurueckgezogen_von'

export const DOCUMENTS: NounCells = {
  tables: [`annahme_link SELECT(${LINK.replaceAll(' ', '')})`],
  definers: [
    'app.__o_decide_offer',
    'app.__o_get_angebot',
    'app.__o_get_dokumente',
    'app.a_add_annahme_link',
    'app.a_get_annahme_links',
    'app.a_revoke_annahme_link',
    'books.view_acceptance',
    'books.decide_acceptance',
    'notices.notify_beleg',
  ],
  world: `
    insert into app.annahme_link (id, client_id, angebot_id, code_hash, empfaenger, gueltig_bis, angelegt_von) values
      (${LINK_A}, ${w.A}, ${ANGEBOT_A}, ${hashOf(CODE_A)}, 'Frau Holz', '2199-01-01', 'Büro'),
      (${LINK_B}, ${w.B}, ${ANGEBOT_B}, ${hashOf(CODE_B)}, 'Herr Stein', '2199-01-01', 'Büro');
    select setval(pg_get_serial_sequence('app.annahme_link', 'id'), 1000);`,
  relations: {
    annahme_link: [
      {
        what: 'read own',
        call: one(`select ${LINK} from app.annahme_link where id = $1`, LINK_A),
        may: BOOK,
      },
      {
        what: 'read foreign',
        call: one(`select ${LINK} from app.annahme_link where id = $1`, LINK_B),
        may: BOOK,
      },
      { what: 'read the hash', call: one('select code_hash from app.annahme_link'), may: '' },
      {
        what: 'create',
        call: one(
          `insert into app.annahme_link (client_id, angebot_id, code_hash, empfaenger, gueltig_bis, angelegt_von)
           values (${w.A}, ${ANGEBOT_A}, repeat('0', 64), 'x', '2199-01-01', 'x')`,
        ),
        may: '',
      },
      { what: 'change', call: one(`update app.annahme_link set empfaenger = 'x'`), may: '' },
      { what: 'delete', call: one('delete from app.annahme_link'), may: '' },
    ],
  },
  procedures: {
    __o_get_dokumente: [
      {
        what: 'own',
        call: one('select * from app.__o_get_dokumente() where client_id = $1', w.A),
        may: OWNERS,
      },
      {
        what: 'foreign',
        call: one('select * from app.__o_get_dokumente() where client_id = $1', w.B),
        may: '',
      },
      {
        what: 'drafts',
        call: one(`select * from app.__o_get_dokumente() where nummer is null or stand = 'entwurf'`),
        may: '',
      },
    ],
    __o_get_angebot: [
      { what: 'own', call: one('select app.__o_get_angebot($1)', ANGEBOT_A), may: OWNERS },
      { what: 'foreign', call: one('select app.__o_get_angebot($1)', ANGEBOT_B), may: '' },
      { what: 'own draft', call: one('select app.__o_get_angebot($1)', ANGEBOT_DRAFT_A), may: '' },
    ],
    __o_decide_offer: [
      { what: 'own', call: one('select app.__o_decide_offer($1, true)', ANGEBOT_A), may: OWNERS },
      { what: 'foreign', call: one('select app.__o_decide_offer($1, true)', ANGEBOT_B), may: '' },
      { what: 'own draft', call: one('select app.__o_decide_offer($1, true)', ANGEBOT_DRAFT_A), may: '' },
    ],
    a_add_annahme_link: [
      {
        what: 'own',
        call: one(`select * from app.a_add_annahme_link($1, 'Frau Holz')`, ANGEBOT_A),
        may: BOOK,
      },
      {
        what: 'foreign',
        call: one(`select * from app.a_add_annahme_link($1, 'Frau Holz')`, ANGEBOT_B),
        may: BOOK,
      },
      {
        what: 'a draft',
        call: one(`select * from app.a_add_annahme_link($1, 'Frau Holz')`, ANGEBOT_DRAFT_A),
        may: '',
      },
      { what: 'nobody’s', call: one(`select * from app.a_add_annahme_link(999, 'Frau Holz')`), may: '' },
    ],
    a_get_annahme_links: [
      { what: 'own', call: one('select * from app.a_get_annahme_links($1)', ANGEBOT_A), may: BOOK },
      { what: 'foreign', call: one('select * from app.a_get_annahme_links($1)', ANGEBOT_B), may: BOOK },
    ],
    a_revoke_annahme_link: [
      { what: 'own', call: one('select app.a_revoke_annahme_link($1)', LINK_A), may: BOOK },
      { what: 'nobody’s', call: one('select app.a_revoke_annahme_link(999)'), may: '' },
    ],
  },
}
