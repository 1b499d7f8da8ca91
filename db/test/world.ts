// A small world that covers every rule: two customers, three headquarters, one person of each role with links
// to customer A, and people on both sides.
import { type Role, ROLES } from '#domain/roles.ts'
import type { OwnerConnection } from '#server/database/database.ts'

export const A = 1
export const B = 2
/** Headquarters: A1 and A2 (disabled) of customer A, B1 of customer B. */
export const A1 = 11
export const A2 = 12
export const B1 = 21

export const ISS = 'https://idp.test/realms/master'

interface Identity {
  readonly user_id: number
  readonly status: string
  readonly groups: readonly string[]
  readonly apus_admin?: boolean
  readonly apus_team?: boolean
  readonly kunde?: 'admin' | 'kundenadmin' | 'nutzer'
  readonly hqs?: Readonly<Record<number, 'hq_user' | 'hq_admin'>>
  readonly enabled?: boolean
  readonly ended?: boolean
  readonly pruefer_bis?: string
}

/** One per role, and some who hold only a token. */
export const IDENTITIES = {
  ogf_init: { user_id: 101, status: 'ogf_init', groups: ['appuser_new'] },
  ogf_standard: {
    user_id: 102,
    status: 'ogf_standard',
    groups: ['appuser_validated'],
    hqs: { [A1]: 'hq_user' },
  },
  ogf_fb_admin: {
    user_id: 103,
    status: 'ogf_standard',
    groups: ['appuser_validated'],
    hqs: { [A1]: 'hq_admin' },
  },
  multiple_fb: {
    user_id: 104,
    status: 'ogf_standard',
    groups: ['appuser_validated'],
    hqs: { [A1]: 'hq_user', [A2]: 'hq_user' },
  },
  inactive_fb: {
    user_id: 105,
    status: 'ogf_standard',
    groups: ['appuser_validated'],
    hqs: { [A2]: 'hq_user' },
  },
  kundenadmin: { user_id: 106, status: 'kundenadmin', groups: ['appuser_admin'], kunde: 'kundenadmin' },
  appuser: { user_id: 107, status: 'appuser', groups: ['appuser_validated'], kunde: 'nutzer' },
  appuser_admin: { user_id: 108, status: 'appuser', groups: ['appuser_admin'], kunde: 'admin' },
  ogf_team: { user_id: 109, status: 'ogf_team', groups: ['appuser_apus'] },
  ogf_admin: { user_id: 110, status: 'ogf_admin', groups: ['appuser_apus_admin'] },
  apus_team: { user_id: 111, status: 'apus_team', groups: ['appuser_apus'], apus_team: true },
  apus_admin: { user_id: 112, status: 'apus_admin', groups: ['appuser_apus_admin'], apus_admin: true },
  admin: { user_id: 113, status: 'admin', groups: ['appuser_apus_admin'] },
  pruefer: {
    user_id: 117,
    status: 'ogf_init',
    groups: ['appuser_validated'],
    pruefer_bis: '2199-12-31',
  },
  // Has every right in the row and none by the token.
  cut_by_ceiling: {
    user_id: 114,
    status: 'ogf_admin',
    groups: ['appuser_new'],
    apus_admin: true,
    kunde: 'admin',
    hqs: { [A1]: 'hq_admin' },
  },
  disabled: { user_id: 115, status: 'admin', groups: ['appuser_apus_admin'], enabled: false },
  session_ended: { user_id: 116, status: 'admin', groups: ['appuser_apus_admin'], ended: true },
} satisfies Record<Role, Identity> & Record<string, Identity>

export type IdentityName = keyof typeof IDENTITIES | 'unknown' | 'nobody'
export const NAMES = [...Object.keys(IDENTITIES), 'unknown', 'nobody'] as IdentityName[]
/** Those that stand for a role. */
export const ROLE_NAMES = NAMES.filter((name) => (ROLES as readonly string[]).includes(name))

/** The person's id; 0 for those who have no row. */
export const numberOf = (name: IdentityName): number =>
  name in IDENTITIES ? IDENTITIES[name as keyof typeof IDENTITIES].user_id : 0

export const NOW = 1_790_000_000

export function claimsOf(name: IdentityName): object | null {
  if (name === 'nobody') return null
  const common = { iss: ISS, sub: name, iat: NOW, exp: NOW + 300, role: 'nutzer' }
  if (name === 'unknown') return { ...common, groups: ['appuser_apus_admin'] }
  return { ...common, groups: IDENTITIES[name].groups }
}

/**
 * People as targets: of customer A, of headquarters A1, of customer B and B1, and a team member who looks
 * after A.
 */
export const COLLEAGUE = 201
export const FORESTER = 202
export const STRANGER = 203
export const ADVISER = 204
const BYSTANDERS: readonly (readonly [id: number, status: string, team: boolean])[] = [
  [COLLEAGUE, 'appuser', false],
  [FORESTER, 'ogf_standard', false],
  [STRANGER, 'appuser', false],
  [ADVISER, 'apus_team', true],
]
export const usernameOf = (user_id: number) => `person${user_id}@test.example`

const square = (x: number, y: number) =>
  `MULTIPOLYGON(((${x} ${y},${x + 1000} ${y},${x + 1000} ${y + 2000},${x} ${y + 2000},${x} ${y})))`

/** The area of A2 (which has none yet), in the customer's system. */
export const A2_AREA = square(325000, 5690000)

export async function buildWorld(owner: OwnerConnection): Promise<void> {
  await owner.script(`begin; set local role forst_betrieb;
    insert into app.kunde (client_id, name, strasse, plz, ort, epsg)
      values (${A}, 'Forst A', 'Weg 1', '04103', 'Leipzig', 25833),
      (${B}, 'Forst B', 'Weg 2', '34117', 'Kassel', 25832);
    insert into app.hq ("idHQ", client_id, "sHQ", fb_enabled, "dcFLAEHB")
      values (${A1}, ${A}, 'A eins', true, 200), (${A2}, ${A}, 'A zwei', false, 50), (${B1}, ${B}, 'B eins', true, 70);
    insert into app.kunde_hq (hqid, client_id) values (${A1}, ${A}), (${A2}, ${A}), (${B1}, ${B});
    insert into app.hq_flaeche (hqid, client_id, geom)
      values (${A1}, ${A}, st_geomfromtext('${square(320000, 5690000)}', 25833)),
      (${B1}, ${B}, st_geomfromtext('${square(530000, 5680000)}', 25832));
    insert into app.gutschein (id, rabatt_abo, rabatt_kawm, expire_date, laufzeit) values (1, 10, 5, '2030-01-01', 12);
    ${BYSTANDERS.map(([id, status, team]) => insertPerson(id, status, { apus_team: team })).join('\n')}
    insert into app.benutzer_kunde (client_id, user_id, rolle) values (${A}, ${COLLEAGUE}, 'nutzer'),
      (${B}, ${STRANGER}, 'nutzer'), (${A}, ${ADVISER}, 'nutzer');
    insert into app.benutzer_hq (client_id, hqid, user_id) values (${A}, ${A1}, ${FORESTER}),
      (${B}, ${B1}, ${STRANGER});
    ${Object.entries(IDENTITIES as Record<string, Identity>)
      .map(([name, identity]) => insertIdentity(name, identity))
      .join('\n')}
    insert into app.verlauf (tabelle, schluessel, client_id, hqid, person_id, aktion) values
      ('kunde', '${A}', ${A}, null, null, 'geaendert'), ('kunde', '${B}', ${B}, null, null, 'geaendert'),
      ('kunde_hq', '${A1}', ${A}, ${A1}, null, 'geaendert'), ('kunde_hq', '${B1}', ${B}, ${B1}, null, 'geaendert'),
      ('benutzer', '${COLLEAGUE}', null, null, ${COLLEAGUE}, 'geaendert'),
      ('benutzer', '${STRANGER}', null, null, ${STRANGER}, 'geaendert'),
      ('benutzer_kunde', '${A}/${COLLEAGUE}', ${A}, null, ${COLLEAGUE}, 'neu'),
      ('benutzer_kunde', '${B}/${STRANGER}', ${B}, null, ${STRANGER}, 'neu'),
      ('benutzer_hq', '${A1}/${FORESTER}', ${A}, ${A1}, ${FORESTER}, 'neu'),
      ('benutzer_hq', '${B1}/${STRANGER}', ${B}, ${B1}, ${STRANGER}, 'neu'),
      ('gutschein', '1', null, null, null, 'neu');
    insert into app.import_lauf (import_id, user_id, dateiname) select user_id, user_id, 'kunden.csv' from app.benutzer;
    insert into app.import_zeile (user_id, import_id, zeile, werte) select user_id, user_id, 1,
      '{"name": "Neu", "strasse": "Weg 1", "plz": "01067", "ort": "Dresden"}' from app.benutzer;
    insert into app.import_zuordnung (user_id, kopf, felder) select user_id, 'Name', '{}' from app.benutzer;
    ${NUMBERED.map(advance).join('\n')}
    commit`)
}

const insertPerson = (
  id: number,
  status: string,
  flags: Pick<Identity, 'apus_admin' | 'apus_team' | 'enabled' | 'pruefer_bis'>,
) =>
  `insert into app.benutzer (user_id, email, username, first_name, last_name, system_status,
   apus_admin, apus_team, enabled, pruefer_bis)
     values (${id}, '${usernameOf(id)}', '${usernameOf(id)}', 'Vor${id}', 'Nach${id}', '${status}',
       ${flags.apus_admin ?? false}, ${flags.apus_team ?? false}, ${flags.enabled ?? true},
       ${flags.pruefer_bis === undefined ? 'null' : `'${flags.pruefer_bis}'`});`

function insertIdentity(name: string, identity: Identity): string {
  const { user_id, status, kunde, hqs = {}, ended = false } = identity
  return [
    insertPerson(user_id, status, identity),
    `insert into accounts.identitaet (iss, sub, user_id) values ('${ISS}', '${name}', ${user_id});`,
    `insert into accounts.sitzungsende (user_id, ab)
     values (${user_id}, to_timestamp(${ended ? NOW + 1 : NOW - 1000}));`,
    kunde === undefined
      ? ''
      : `insert into app.benutzer_kunde (client_id, user_id, rolle) values (${A}, ${user_id}, '${kunde}');`,
    ...Object.entries(hqs).map(
      ([hqId, hq_status]) =>
        `insert into app.benutzer_hq (client_id, hqid, user_id, hq_status)
         values (${A}, ${hqId}, ${user_id}, '{${hq_status}}');`,
    ),
  ].join('\n')
}

/** Columns whose sequence starts behind the rows of the world. */
const NUMBERED = ['kunde.client_id', 'hq.idHQ', 'benutzer.user_id', 'gutschein.id', 'import_lauf.import_id']

/** Sequences must not hand out the ids given by hand again. */
function advance(column: string): string {
  const [table, name] = column.split('.')
  return `select setval(pg_get_serial_sequence('app.${table}', '${name}'), 1000);`
}
