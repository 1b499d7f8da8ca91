// A page with nothing but a kit list over 10,000 rows of one answer, as results of procedures are shown. For
// measuring, and for the kit's own journeys.
import { QueryClientProvider } from '@tanstack/react-query'
import { createElement as h, useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { makeQueryClient } from '../../../web/src/data/query-client.ts'
import type { ArrayList } from '../../../web/src/list/array-source.ts'
import { ListPage } from '../../../web/src/list/ListPage.tsx'
import { VirtualTable } from '../../../web/src/list/VirtualTable.tsx'
import '../../../web/src/ui/tokens.css'
import '../../../web/src/ui/base.css'
import { type View, ViewContext } from '../../../web/src/ui/view.tsx'

export interface Row {
  readonly id: number
  readonly name: string
  readonly ort: string
  readonly art: string
  readonly flaeche: number | null
  readonly seit: string
}

const KINDS = ['Betrieb', 'Gemeinde', 'Genossenschaft', 'Verein']
const LIST: ArrayList<Row> = {
  name: 'zeilen',
  words: () => ({
    title: 'Zeilen',
    one: '1 Zeile',
    many: (n) => `${n} Zeilen`,
    none: 'Keine Zeilen gefunden',
    empty: 'Noch keine Zeilen',
  }),
  source: {
    kind: 'array',
    load: async (signal) => (await fetch('/zeilen.json', { signal })).json() as Promise<Row[]>,
    text: ({ name, ort }) => `${name} ${ort}`,
  },
  rowKey: ({ id }) => id,
  rowHref: ({ id }) => `/zeile/${id}`,
  columns: () => [
    {
      key: 'name',
      title: 'Name',
      sortable: true,
      width: '30%',
      cell: ({ name }) => name,
      exported: ({ name }) => name,
    },
    { key: 'ort', title: 'Ort', sortable: true, cell: ({ ort }) => ort, exported: ({ ort }) => ort },
    { key: 'art', title: 'Art', sortable: true, cell: ({ art }) => art, exported: ({ art }) => art },
    {
      key: 'flaeche',
      title: 'Fläche',
      sortable: true,
      align: 'end',
      cell: ({ flaeche }) => flaeche,
      exported: ({ flaeche }) => flaeche,
    },
    { key: 'seit', title: 'Seit', sortable: true, cell: ({ seit }) => seit, exported: ({ seit }) => seit },
  ],
  sorts: { name: {}, ort: {}, art: {}, flaeche: {}, seit: { downFirst: true } },
  sort: 'name',
  filters: [
    {
      kind: 'many',
      key: 'art',
      label: () => 'Art',
      options: () => KINDS.map((value) => ({ value, label: value })),
    },
    { kind: 'range', key: 'flaeche', label: () => 'Fläche', unit: 'ha' },
  ],
}

function Bench() {
  const [query, setQuery] = useState(() => location.search)
  const view = useMemo<View>(() => {
    const search = Object.fromEntries(new URLSearchParams(query))
    return {
      path: location.pathname,
      params: {},
      search,
      title: 'Zeilen',
      arrived: false,
      setSearch: (change) => {
        const next = new URLSearchParams(
          Object.entries({ ...search, ...change }).flatMap(([key, value]) =>
            value === undefined || value === '' ? [] : [[key, value]],
          ),
        ).toString()
        history.pushState(null, '', next === '' ? location.pathname : `?${next}`)
        setQuery(next)
      },
      go: () => undefined,
      setTitle: () => undefined,
      isHidden: () => false,
    }
  }, [query])
  const bulk = useMemo(() => [{ key: 'nichts', label: 'Nichts tun', run: async () => undefined }], [])
  return h(ViewContext, { value: view }, h(ListPage<Row>, { list: LIST, table: VirtualTable, bulk }))
}

createRoot(document.getElementById('app')!).render(
  h(QueryClientProvider, { client: makeQueryClient() }, h(Bench)),
)
