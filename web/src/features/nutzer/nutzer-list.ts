// The list of all people, declared for the list kit.
import type { NutzerListRow } from '#contract/nutzer.ts'
import { SYSTEM_STATUS } from '#domain/roles.ts'
import { eq, gte, isNull, lt, oneOf, or } from '../../data/addresses.ts'
import type { TableList } from '../../list/table-source.ts'
import { roleInWords } from '../../ui/role-words.ts'
import { t } from '../../ui/text.ts'
import { today } from '../../ui/today.ts'
import { type Extra, fetchExtras, findHqs, findKunden, hqName, kundeName, LISTS } from './nutzer.data.ts'
import { nutzerColumns } from './nutzer-columns.tsx'
import type { NutzerRow } from './nutzer-row.ts'
import { appAccessText, nameOf, zugang } from '../../record/person/person-words.ts'

const SELECT = [
  'user_id',
  'username',
  'email',
  'mail',
  'first_name',
  'last_name',
  'system_status',
  'apus_admin',
  'apus_team',
  'pruefer_bis',
  'kataster_enabled',
  'app_status',
  'enabled',
  'reg_date',
  'geaendert_am',
  'sortname',
] as const satisfies readonly (keyof NutzerListRow)[]

const LIST: TableList<NutzerRow> = {
  name: 'nutzer',
  queryKey: LISTS,
  words: () => ({
    title: t('Nutzer'),
    one: t('1 Nutzer'),
    many: (n) => t('{n} Nutzer', { n }),
    search: t('Nutzer suchen'),
    searchHint: t('Name, E-Mail, Benutzername'),
    none: t('Keine Nutzer gefunden'),
    empty: t('Noch keine Nutzer'),
    emptyHint: t('Legen Sie die erste Person an und laden Sie sie ein.'),
  }),
  icon: 'people',
  source: {
    kind: 'table',
    table: 'nutzer_liste',
    key: 'user_id',
    select: SELECT,
    complete: async (rows, signal) => {
      // Ids are sent in the address, so a page of an export is requested in parts.
      const extras = new Map<number, Extra>()
      for (let at = 0; at < rows.length; at += 400) {
        const ids = rows.slice(at, at + 400).map(({ user_id }) => user_id)
        for (const [id, extra] of await fetchExtras(ids, signal)) extras.set(id, extra)
      }
      return rows.map((row) => ({ ...row, ...extras.get(row.user_id) }))
    },
  },
  lesser: ['anmeldung', 'verbunden'],
  rowKey: ({ user_id }) => user_id,
  rowHref: ({ user_id }) => `/nutzer/${user_id}`,
  rowName: (row) => nameOf(row),
  rowTone: ({ enabled }) => (enabled ? undefined : 'soft'),
  columns: nutzerColumns,
  sorts: {
    name: { column: 'sortname' },
    email: {},
    status: { column: 'system_status' },
    registriert: { column: 'reg_date', downFirst: true },
    geaendert: { column: 'geaendert_am', downFirst: true },
    nr: { column: 'user_id' },
  },
  sort: 'name',
  groups: [
    {
      key: 'status',
      label: () => t('Grundrolle'),
      column: 'system_status',
      text: (value) => roleInWords(String(value)),
    },
    { key: 'zugang', label: () => t('Zugang'), column: 'enabled', text: (value) => zugang(value === true) },
  ],
  filters: [
    {
      kind: 'many',
      key: 'status',
      label: () => t('Grundrolle'),
      column: 'system_status',
      options: () => SYSTEM_STATUS.map((status) => ({ value: status, label: roleInWords(status) })),
    },
    {
      kind: 'flag',
      key: 'zugang',
      label: () => t('Zugang'),
      column: 'enabled',
      words: ['offen', 'gesperrt'],
      texts: () => [zugang(true), zugang(false)],
    },
    {
      kind: 'one',
      key: 'app',
      label: () => t('Mobile App'),
      column: 'app_status',
      options: () => ['aktiv', 'gesperrt'].map((value) => ({ value, label: appAccessText(value) })),
    },
    {
      kind: 'flag',
      key: 'kataster',
      label: () => t('Kataster'),
      column: 'kataster_enabled',
      words: ['an', 'aus'],
      texts: () => [t('freigeschaltet'), t('nicht freigeschaltet')],
    },
    {
      kind: 'flag',
      key: 'team',
      label: () => t('Eigenes Team'),
      filters: ([value]) => {
        const staff = ['ogf_admin', 'ogf_team', 'apus_admin', 'apus_team', 'admin']
        const others = SYSTEM_STATUS.filter((status) => !staff.includes(status))
        return value === 'ja'
          ? [or(eq('apus_admin', true), eq('apus_team', true), oneOf('system_status', staff))]
          : [eq('apus_admin', false), eq('apus_team', false), oneOf('system_status', others)]
      },
    },
    {
      kind: 'flag',
      key: 'verknuepft',
      label: () => t('Zuordnung'),
      texts: () => [t('zugeordnet'), t('ohne Zuordnung')],
    },
    {
      kind: 'flag',
      key: 'pruefung',
      label: () => t('Betriebsprüfung'),
      texts: () => [t('prüft die Buchhaltung'), t('prüft sie nicht')],
      filters: ([value]) =>
        value === 'ja'
          ? [gte('pruefer_bis', today())]
          : [or(isNull('pruefer_bis'), lt('pruefer_bis', today()))],
    },
    {
      kind: 'flag',
      key: 'angemeldet',
      label: () => t('Anmeldung'),
      texts: () => [t('schon angemeldet'), t('noch nie angemeldet')],
    },
    // The people of the chosen customer or headquarters are resolved beforehand (NutzerPage): their ids are
    // the list's scope.
    {
      kind: 'record',
      key: 'kunde',
      label: () => t('Kunde'),
      find: findKunden,
      name: kundeName,
      filters: () => [],
    },
    {
      kind: 'record',
      key: 'forstbetrieb',
      label: () => t('Forstbetrieb'),
      find: findHqs,
      name: hqName,
      filters: () => [],
    },
    { kind: 'days', key: 'registriert', label: () => t('Registriert'), column: 'reg_date', time: true },
  ],
}

/** Only people with these ids; each list of ids narrows further. */
export const nutzerList = (among: readonly (readonly number[])[]): TableList<NutzerRow> =>
  among.length === 0
    ? LIST
    : // Nobody has the id 0: an empty list of ids matches nobody.
      {
        ...LIST,
        source: { ...LIST.source, scope: among.map((ids) => oneOf('user_id', ids.length === 0 ? [0] : ids)) },
      }
