// The stands of a holding under the filters in the address, and choosing from figures and charts, which sets
// those filters.
import { useMemo } from 'react'
import type { Waldbestand } from '#contract/bestand.ts'
import type { Choice } from '#domain/bestand.ts'
import { arrange } from '../../list/array-source.ts'
import { levelKey } from '../../list/cascade-levels.ts'
import { type ListFilter, valueFrom, valuesOf } from '../../list/filter-kinds.ts'
import { useList } from '../../list/ListPage.tsx'
import { useView } from '../../ui/view.tsx'
import { bestandList, choiceOf, EMPTY, rowsOf } from './bestand-list.tsx'

type Filter = Readonly<Record<string, string>>
const without = (filter: Filter, keys: readonly string[]): Filter =>
  Object.fromEntries(Object.entries(filter).filter(([key]) => !keys.includes(key)))
const LEVEL_KEYS = Array.from({ length: 5 }, (_, at) => levelKey(at))

export function useForest(forest: Waldbestand) {
  const view = useView()
  const rows = useMemo(() => rowsOf(forest), [forest])
  const list = useMemo(() => bestandList(forest, rows), [forest, rows])
  const model = useList(list)
  const { state } = model.rows.loading ? model : { state: model.shown }
  const matching = useMemo(() => model.rows.all ?? rows, [model.rows.all, rows])
  // What a figure offers to choose is not narrowed by its own filter.
  const facets = useMemo(() => {
    const of = (keys: readonly string[]) =>
      arrange(list, rows, { ...state, filter: without(state.filter, keys) })
    return { ebenen: of(LEVEL_KEYS), arten: of(['art']), ageClasses: of(['ak']) }
  }, [list, rows, state])

  const { filter } = model.state
  const kindOf = (key: string) =>
    (list.filters ?? []).find((one) => one.key === key) as ListFilter<never> | undefined
  const chosen = (key: string): readonly string[] => {
    const kind = kindOf(key)
    return kind === undefined ? [] : valuesOf(kind, filter[key] ?? '')
  }
  const textOf = (key: string, values: readonly string[]): string | undefined => {
    const kind = kindOf(key)
    return kind === undefined ? undefined : valueFrom(kind, values) || undefined
  }
  const setFilter = (change: Record<string, string | undefined>) =>
    view.setSearch({ ...change, seite: undefined, bestand: undefined })
  return {
    rows,
    model,
    matching,
    facets,
    chosen,
    auswahl: choiceOf(filter),
    /** Choosing the only selected value again deselects it. */
    toggle: (key: string, value: string) => {
      const now = chosen(key)
      setFilter({ [key]: textOf(key, now.length === 1 && now[0] === value ? [] : [value]) })
    },
    chooseLevel: (next: Choice) => {
      const levels = next.map((wert, at) => {
        const key = levelKey(at)
        return [key, wert === null ? undefined : textOf(key, [wert === '' ? EMPTY : wert])] as const
      })
      setFilter(Object.fromEntries(levels))
    },
  }
}
