// Keys for programs. Everybody has one here, which is not narrowed; what narrowing does is in
// zugang.sql.test.ts.
import { ROLES } from '#domain/roles.ts'
import { closed, one, sql } from '../attempt.ts'
import { IDENTITIES, ROLE_NAMES, STRANGER } from '../world.ts'
import type { NounCells } from './cells.ts'

/** The number of a person's key. */
export const keyOf = (user_id: number): number => 5_000 + user_id
const EVERYBODY = [...ROLE_NAMES, 'cut_by_ceiling'].join(' ')

interface KeyRow {
  readonly user_id: number
  readonly id?: number
  readonly groups?: readonly string[]
  readonly haelfte?: 'forst' | 'draenage' | null
  readonly gruppen?: readonly string[] | null
  readonly nur_lesen?: boolean
  readonly client_id?: number | null
  readonly rollen?: readonly string[]
  readonly bis?: string
}
const list = (words: readonly string[]) => `'{${words.join(',')}}'`

/** Its name is "Programm" and its number. */
export function insertKey({ user_id, id = keyOf(user_id), ...more }: KeyRow): string {
  const { groups = [], haelfte = null, gruppen = null, nur_lesen = false, client_id = null } = more
  const { rollen = ROLES, bis = 'current_date + 30' } = more
  return `insert into accounts.zugang (id, user_id, art, name, digest, zeichen, haelfte, gruppen, nur_lesen,
      client_id, rollen, token_gruppen, bis) overriding system value
    values (${id}, ${user_id}, 'person', 'Programm ${id}', sha256('${id}'), 'a1B2',
      ${haelfte === null ? 'null' : `'${haelfte}'`}, ${gruppen === null ? 'null' : list(gruppen)}, ${nur_lesen},
      ${client_id ?? 'null'}, ${list(rollen)}, ${list(groups)}, ${bis});`
}

const FOREST_KEY = 5_001
const DRAINAGE_KEY = 5_002

export const ZUGANG: NounCells = {
  world: [
    ...Object.values(IDENTITIES).map(({ user_id, groups }) => insertKey({ user_id, groups })),
    insertKey({ user_id: STRANGER, id: FOREST_KEY, haelfte: 'forst' }),
    insertKey({ user_id: STRANGER, id: DRAINAGE_KEY, haelfte: 'draenage' }),
  ].join('\n'),
  definers: [
    'accounts.end_handed_key',
    'accounts.end_keys',
    'accounts.end_keys_of',
    'accounts.follow_token_groups',
    'accounts.hand_over_key',
    'accounts.note_key_use',
    'accounts.open_bound_client',
    'accounts.open_client',
    'accounts.open_key',
    'accounts.store_key',
    'app.a_end_zugang',
    'app.a_get_zugaenge',
    'notices.notify_ending_keys',
    'rights.key',
  ],
  relations: {
    'accounts.zugang': [
      { what: 'read', call: one('select * from accounts.zugang'), may: '' },
      ...closed(
        'accounts.zugang',
        `(user_id, art, name, digest, zeichen, nur_lesen, rollen, token_gruppen, bis)
          values (${STRANGER}, 'person', 'x', sha256('x'), 'abcd', true, '{appuser}', '{}', current_date)`,
        'nur_lesen = false',
      ),
    ],
  },
  procedures: {
    a_get_zugaenge: [
      {
        what: 'own',
        call: one('select * from app.a_get_zugaenge()'),
        finds: (row, me) => row['id'] === keyOf(me),
        may: EVERYBODY,
      },
      {
        what: 'of the forest half',
        call: one('select * from app.a_get_zugaenge(true)'),
        finds: (row) => row['id'] === FOREST_KEY,
        may: 'ogf_admin admin',
      },
      {
        what: 'of the drainage half',
        call: one('select * from app.a_get_zugaenge(true)'),
        finds: (row) => row['id'] === DRAINAGE_KEY,
        may: 'apus_admin admin',
      },
      {
        what: "others' among one's own",
        call: one('select * from app.a_get_zugaenge()'),
        finds: (row, me) => row['user_id'] !== me,
        may: '',
      },
    ],
    a_end_zugang: [
      { what: 'own', call: (me) => sql('select app.a_end_zugang($1)', keyOf(me)), may: EVERYBODY },
      {
        what: 'of the forest half',
        call: one('select app.a_end_zugang($1)', FOREST_KEY),
        may: 'ogf_admin admin',
      },
      {
        what: 'of the drainage half',
        call: one('select app.a_end_zugang($1)', DRAINAGE_KEY),
        may: 'apus_admin admin',
      },
      { what: 'one that does not exist', call: one('select app.a_end_zugang(1)'), may: '' },
    ],
  },
}
