// Events and webhooks: everybody reads events of records that they see; webhooks are the matter of the admins of
// their half.
import { type Cell, closed, one, sql } from '../attempt.ts'
import * as w from '../world.ts'
import type { NounCells } from './cells.ts'
import { TREE_A1, TREE_A2, TREE_B1 } from './habitat.ts'
import { FREMD, HIDDEN, SHOWN } from './karte.ts'

const DRAINAGE = 'apus_admin admin'
/** Of what was issued to the own customer. */
const READERS = `${DRAINAGE} pruefer kundenadmin appuser_admin`
const PLANS = 'apus_admin apus_team admin'
const OWNERS = 'appuser appuser_admin'
const FOREST_STAFF = 'ogf_team ogf_admin admin'
const FOREST = 'ogf_admin admin'
const LINKED = 'ogf_standard ogf_fb_admin multiple_fb'

/** A webhook of each half, and a delivery of each with the same number. */
export const [FOREST_HOOK, DRAINAGE_HOOK] = [31, 32]
const SEALED = 'x'.repeat(60)

const [
  DOCUMENT,
  DECISION,
  PLAN,
  HIDDEN_PLAN,
  FOREIGN_PLAN,
  TREE,
  DISABLED_TREE,
  FOREIGN_TREE,
  FOREIGN_DOCUMENT,
] = [1, 2, 3, 4, 5, 6, 7, 8, 9]
const EVENTS: readonly (readonly [
  id: number,
  art: string,
  kunde: number,
  table: string,
  of: number,
  hq?: number,
])[] = [
  [DOCUMENT, 'document.issued', w.A, 'rechnung', 1],
  [DECISION, 'offer.decided', w.A, 'angebot', 1],
  [PLAN, 'plan.published', w.A, 'karte', SHOWN],
  [HIDDEN_PLAN, 'plan.published', w.A, 'karte', HIDDEN],
  [FOREIGN_PLAN, 'plan.published', w.B, 'karte', FREMD],
  [TREE, 'tree.lost', w.A, 'habitatbaeume', TREE_A1, w.A1],
  [DISABLED_TREE, 'tree.lost', w.A, 'habitatbaeume', TREE_A2, w.A2],
  [FOREIGN_DOCUMENT, 'document.issued', w.B, 'rechnung', 3],
  [FOREIGN_TREE, 'tree.lost', w.B, 'habitatbaeume', TREE_B1, w.B1],
]

const rowOf = ([id, art, kunde, table, of, hq]: (typeof EVENTS)[number]): string =>
  `(${id}, '${art}', ${kunde}, '${table}', ${of}, ${hq ?? 'null'}, '{}')`

const read = (what: string, id: number, may: string): Cell => ({
  what,
  call: one('select * from app.ereignis where id = $1', id),
  may,
})
const perHook = (call: (hook: number) => string): Cell[] => [
  { what: 'of the forest half', call: one(call(FOREST_HOOK)), may: FOREST },
  { what: 'of the drainage half', call: one(call(DRAINAGE_HOOK)), may: DRAINAGE },
  { what: 'one that does not exist', call: one(call(99)), may: '' },
]
const finding = (call: string, column: string, hook: number, may: string): Cell => ({
  what: `find ${hook === FOREST_HOOK ? 'the forest' : 'the drainage'} half’s`,
  call: () => sql(call),
  finds: (row) => Number(row[column]) === hook,
  may,
})

export const EREIGNIS: NounCells = {
  tables: ['ereignis SELECT'],
  definers: [
    'app.a_delete_webhook',
    'app.a_get_webhooks',
    'app.a_get_zustellungen',
    'app.a_pause_webhook',
    'app.a_repeat_zustellung',
    'dispatch.add_webhook',
    'dispatch.begin_webhook_test',
    'dispatch.collect_trees',
    'dispatch.delivery_result',
    'dispatch.event_range',
    'dispatch.forget_events',
    'dispatch.knows_position',
    'dispatch.make_deliveries',
    'dispatch.record_beleg',
    'dispatch.record_collected',
    'dispatch.record_decision',
    'dispatch.record_plan',
    'dispatch.record_plan_file',
    'dispatch.renew_webhook_secret',
    'dispatch.reseal_webhook',
    'dispatch.take_delivery',
    'dispatch.update_webhook',
  ],
  world: `insert into app.ereignis (id, art, client_id, tabelle, datensatz, hqid, inhalt) values
      ${EVENTS.map(rowOf).join(', ')};
    select setval(pg_get_serial_sequence('app.ereignis', 'id'), 1000);
    insert into dispatch.ereignis_ende (entfernt_bis) values (0);
    insert into dispatch.webhook (id, haelfte, name, url, arten, geheimnis, zeichen, stand) values
      (${FOREST_HOOK}, 'forst', 'Forst', 'https://a.example/', '{tree.lost}', '${SEALED}', 'abcd', 1000),
      (${DRAINAGE_HOOK}, 'draenage', 'Büro', 'https://b.example/', '{document.issued}', '${SEALED}', 'abcd', 1000);
    select setval(pg_get_serial_sequence('dispatch.webhook', 'id'), 1000);
    insert into dispatch.zustellung (id, webhook_id, ereignis_id, client_id, art, koerper, zustand) values
      (${FOREST_HOOK}, ${FOREST_HOOK}, ${TREE}, ${w.A}, 'tree.lost', '{}', 'zugestellt'),
      (${DRAINAGE_HOOK}, ${DRAINAGE_HOOK}, ${DOCUMENT}, ${w.A}, 'document.issued', '{}', 'zugestellt');
    select setval(pg_get_serial_sequence('dispatch.zustellung', 'id'), 1000);`,
  relations: {
    ereignis: [
      read('read of a document', DOCUMENT, READERS),
      read('read of a decision', DECISION, READERS),
      read('read of a foreign document', FOREIGN_DOCUMENT, `${DRAINAGE} pruefer`),
      read('read of an own plan', PLAN, `${PLANS} ${OWNERS}`),
      read('read of a plan that is not shown any more', HIDDEN_PLAN, PLANS),
      read('read of a foreign plan', FOREIGN_PLAN, PLANS),
      read('read of an own tree', TREE, `${FOREST_STAFF} kundenadmin ${LINKED}`),
      read('read of a tree of a disabled headquarters', DISABLED_TREE, `${FOREST_STAFF} kundenadmin`),
      read('read of a foreign tree', FOREIGN_TREE, FOREST_STAFF),
      ...closed(
        'app.ereignis',
        `(art, client_id, tabelle, datensatz, inhalt) values ('tree.lost', ${w.A}, 'habitatbaeume', 1, '{}')`,
        `inhalt = '{}'`,
      ),
    ],
    'dispatch.ereignis_ende': [
      { what: 'read', call: one('select * from dispatch.ereignis_ende'), may: '' },
      ...closed('dispatch.ereignis_ende', '(entfernt_bis) values (5)', 'entfernt_bis = 5'),
    ],
    'dispatch.webhook': [
      { what: 'read', call: one('select * from dispatch.webhook'), may: '' },
      ...closed(
        'dispatch.webhook',
        `(haelfte, name, url, arten, geheimnis, zeichen, stand)
          values ('forst', 'x', 'https://a.example', '{tree.lost}', '${SEALED}', 'abcd', 0)`,
        `url = 'https://evil.example'`,
      ),
    ],
    'dispatch.zustellung': [
      { what: 'read', call: one('select * from dispatch.zustellung'), may: '' },
      ...closed(
        'dispatch.zustellung',
        `(webhook_id, art, koerper) values (${FOREST_HOOK}, 'test', '{}')`,
        `zustand = 'wartet'`,
      ),
    ],
  },
  procedures: {
    a_get_webhooks: [
      finding('select * from app.a_get_webhooks()', 'id', FOREST_HOOK, FOREST),
      finding('select * from app.a_get_webhooks()', 'id', DRAINAGE_HOOK, DRAINAGE),
    ],
    a_get_zustellungen: [
      finding('select * from app.a_get_zustellungen()', 'webhook_id', FOREST_HOOK, FOREST),
      finding('select * from app.a_get_zustellungen()', 'webhook_id', DRAINAGE_HOOK, DRAINAGE),
    ],
    a_delete_webhook: perHook((hook) => `select app.a_delete_webhook(${hook})`),
    a_pause_webhook: perHook((hook) => `select app.a_pause_webhook(${hook}, true)`),
    a_repeat_zustellung: perHook((hook) => `select app.a_repeat_zustellung(${hook})`),
  },
}
