// Every list of the screens whose rows the data API reads, as the screens declare it, and the addresses it asks
// for: the first page, each order both ways, each filter, a search, later pages, sums and groups.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer, type Plugin } from 'vite'
import type { address } from '../../web/src/data/addresses.ts'
import type { AnyFilter } from '../../web/src/list/filter-kinds.ts'
import type { List, ListState, plainState } from '../../web/src/list/list.ts'
import type { sumItems, summedColumns } from '../../web/src/list/sums.ts'
import type { countRead, filtersOf, pageRead, TableList } from '../../web/src/list/table-source.ts'
import { poPlugin } from '../../web/texts/po-plugin.ts'
import { OWN, OWN_HQ } from './scene.ts'

const WEB = join(import.meta.dirname, '../../web')

export interface Asked {
  readonly what: string
  /** Below /rest/. */
  readonly address: string
  readonly kind: 'page' | 'count' | 'sums' | 'groups'
  readonly prefer?: string
}

/** Lists that depend on a record: what they are made with. */
const MADE_WITH: Readonly<Record<string, readonly unknown[]>> = {
  rechnungenOf: [false],
  angeboteOf: [false],
  habitatList: [{ idHQ: OWN_HQ, ebenen: [] }, undefined, [], ''],
  objectList: [OWN, 'draenage', { erfq: [], qdt: [] }],
  nutzerList: [[]],
}

/** Also exports the lists that only their own page shows. */
const OPEN: Plugin = {
  name: 'open-lists',
  enforce: 'pre',
  transform(code, id) {
    if (!id.includes('/features/') || !code.includes("kind: 'table'")) return null
    const names = [...code.matchAll(/^const ([A-Z][A-Z_]+)\b/gm)].map(([, name]) => name)
    return `${code}\n${names.map((name) => `export { ${name} as open_${name} }`).join('\n')}`
  },
}

interface Kit {
  readonly address: typeof address
  readonly plainState: typeof plainState
  readonly pageRead: typeof pageRead
  readonly countRead: typeof countRead
  readonly filtersOf: typeof filtersOf
  readonly sumItems: typeof sumItems
  readonly summedColumns: typeof summedColumns
}
type AnyList = TableList<never>

const isTableList = (value: unknown): value is AnyList =>
  typeof value === 'object' &&
  value !== null &&
  (value as Partial<List<never>>).source?.kind === 'table' &&
  'sorts' in value

/** One value of each kind of filter. */
function exampleOf(filter: AnyFilter): string | null {
  switch (filter.kind) {
    case 'many':
    case 'one':
      return filter.options().at(0)?.value ?? (filter.open === true ? 'x' : null)
    case 'flag':
      return (filter.words ?? ['ja', 'nein'])[0]
    case 'prefix':
      return filter.digits === true ? '04' : 'Ka'
    case 'days':
      return filter.only === undefined ? '2026-01-01..2026-01-31' : '2026-01-01'
    case 'range':
      return '10..20'
    case 'record':
      return String(OWN)
  }
}

function addressesOf(list: AnyList, kit: Kit): Asked[] {
  const { table } = list.source
  const asked: Asked[] = []
  const page = (what: string, change: Partial<ListState>, counted = false) => {
    const state = { ...kit.plainState(list), ...change }
    asked.push({
      what: `${list.name}: ${what}`,
      kind: 'page',
      address: kit.address(table, kit.pageRead(list, state)),
    })
    if (counted)
      asked.push({
        what: `${list.name}: ${what}, count`,
        kind: 'count',
        prefer: 'count=estimated',
        address: kit.address(table, kit.countRead(list, state)),
      })
  }
  page('first page', {}, true)
  page('page 40', { seite: 40 })
  page('page 2000', { seite: 2000 })
  for (const sort of Object.keys(list.sorts))
    for (const isDescending of [false, true])
      page(`by ${sort}${isDescending ? ', downwards' : ''}`, { sort, isDescending })
  for (const filter of list.filters ?? []) {
    const value = exampleOf(filter as AnyFilter)
    if (value !== null) page(`filter ${filter.key}`, { filter: { [filter.key]: value } }, true)
  }
  if (list.source.search !== false)
    for (const suche of ['Wolf', 'kassel 12', 'zirbelnuss', 'er']) page(`search "${suche}"`, { suche }, true)
  const filters = kit.filtersOf(list, kit.plainState(list))
  const columns = list.columns()
  const sums = kit.sumItems(columns)
  if (sums.length > 0)
    asked.push({
      what: `${list.name}: sums`,
      kind: 'sums',
      address: kit.address(table, { select: sums, filters }),
    })
  for (const { key, column = key, named } of list.groups ?? [])
    asked.push({
      what: `${list.name}: groups by ${key}`,
      kind: 'groups',
      address: kit.address(table, {
        select: [
          column,
          ...(named === undefined ? [] : [named]),
          `anzahl:${list.source.key}.count()`,
          ...sums,
        ],
        filters,
        order: [{ column: named ?? column }],
        limit: 501,
      }),
    })
  return asked
}

/** Modules that declare such a list, or make one of what another module has declared. */
const listFiles = (): string[] =>
  readdirSync(join(WEB, 'src/features'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(?!.*\.test\.).*\.tsx?$/.test(file))
    .map((file) => `features/${file}`)
    .filter((file) => /kind: 'table'|= belegeLists</.test(readFileSync(join(WEB, 'src', file), 'utf8')))
    .toSorted()

export async function listRequests(): Promise<readonly Asked[]> {
  const vite = await createServer({
    root: WEB,
    configFile: false,
    logLevel: 'error',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    plugins: [poPlugin(), OPEN],
    appType: 'custom',
  })
  try {
    const load = async <T>(file: string) => (await vite.ssrLoadModule(`/src/${file}`)) as T
    const kit: Kit = {
      ...(await load<Kit>('data/addresses.ts')),
      ...(await load<Kit>('list/list.ts')),
      ...(await load<Kit>('list/sums.ts')),
      ...(await load<Kit>('list/table-source.ts')),
    }
    const lists = new Map<string, AnyList>()
    for (const file of listFiles()) {
      const module = await load<Record<string, unknown>>(file)
      for (const [name, value] of Object.entries(module)) {
        const list =
          Object.hasOwn(MADE_WITH, name) && typeof value === 'function'
            ? (value as (...args: readonly unknown[]) => unknown)(...(MADE_WITH[name] ?? []))
            : value
        if (isTableList(list)) lists.set(`${list.name} ${list.source.table}`, list)
      }
    }
    return [...lists.values()].flatMap((list) => addressesOf(list, kit))
  } finally {
    await vite.close()
  }
}
