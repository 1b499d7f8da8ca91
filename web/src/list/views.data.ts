// Saved views in the database.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { View } from '#contract/view.ts'
import { eq } from '../data/addresses.ts'
import { insert, removeOne, selectRows, updateOne } from '../data/rows.ts'
import { rpc } from '../data/rpc.ts'
import { keepStandard } from './standard-view.ts'

const keyOf = (list: string) => ['ansicht', list] as const

/** Views of a list, sorted by name; a person has at most 50 of them. */
export const viewsQuery = (list: string) =>
  queryOptions({
    queryKey: keyOf(list),
    queryFn: async ({ signal }) => {
      const rows = await selectRows<View>('ansicht', {
        select: ['id', 'liste', 'name', 'suche', 'spalten', 'standard'],
        filters: [eq('liste', list)],
        order: [{ column: 'name' }, { column: 'id' }],
        signal,
      })
      keepStandard(list, rows.find(({ standard }) => standard) ?? null)
      return rows.toSorted((a, b) => a.name.localeCompare(b.name, 'de'))
    },
    staleTime: 60_000,
  })

export type ViewChange =
  | {
      readonly kind: 'save'
      readonly name: string
      readonly suche: string
      readonly spalten: readonly string[] | null
      readonly standard: boolean
    }
  | {
      readonly kind: 'change'
      readonly id: number
      readonly set: Partial<Pick<View, 'name' | 'suche' | 'spalten'>>
    }
  | { readonly kind: 'standard'; readonly id: number | null }
  | { readonly kind: 'delete'; readonly id: number }

async function carryOut(list: string, change: ViewChange): Promise<void> {
  switch (change.kind) {
    case 'save': {
      const { name, suche, spalten, standard } = change
      const { id } = await insert<View>('ansicht', { liste: list, name, suche, spalten })
      if (standard) await rpc('__o_set_standardansicht', { liste: list, id })
      return
    }
    case 'change':
      await updateOne('ansicht', [eq('id', change.id)], change.set)
      return
    case 'standard':
      await rpc('__o_set_standardansicht', { liste: list, id: change.id })
      return
    case 'delete':
      await removeOne('ansicht', [eq('id', change.id)])
  }
}

export function useChangeViews(list: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: ViewChange) => carryOut(list, change),
    // After a failure too: a change may have been applied in part, or the views changed in another window.
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(list) }),
  })
}
