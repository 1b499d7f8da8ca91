// Borders walked in the forest: the proposals of a holding, and what is decided on them.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { BorderRpc } from '#contract/border.ts'
import { rpc } from '../../data/rpc.ts'

/** Borders walked in the forest, those to be decided first. */
export const bordersQuery = (hq: string) =>
  queryOptions({
    queryKey: ['waldbestand', hq, 'grenzen'],
    queryFn: ({ signal }) => rpc('a_get_grenzvorschlaege', { hq_id: hq }, { signal }),
    staleTime: 15_000,
  })
/** As on the page of the stands, whose chunk these pages do not share. */
export const outlinesAround = (hq: number) =>
  queryOptions({
    queryKey: ['waldbestand', String(hq), 'umrisse'],
    queryFn: ({ signal }) => rpc('a_get_bestand_umrisse', { hq_id: hq }, { signal }),
    staleTime: 5 * 60_000,
  })
export const borderQuery = (hq: string, id: number) =>
  queryOptions({
    queryKey: ['waldbestand', hq, 'grenzen', id],
    queryFn: ({ signal }) => rpc('a_get_grenzvorschlag', { vorschlag_id: id }, { signal }),
    staleTime: 15_000,
  })

/** Stands, outlines and proposals of the holding are read again. */
function useDecision<T, A>(hq: string, send: (given: T) => Promise<A>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['waldbestand', hq] }),
        client.invalidateQueries({ queryKey: ['habitat', 'list'] }),
      ]),
  })
}
export const useApplyBorder = (hq: string) =>
  useDecision(hq, (given: BorderRpc['a_apply_grenzvorschlag']['takes']) =>
    rpc('a_apply_grenzvorschlag', given),
  )
export const useRefuseBorder = (hq: string) =>
  useDecision(hq, (given: BorderRpc['a_refuse_grenzvorschlag']['takes']) =>
    rpc('a_refuse_grenzvorschlag', given),
  )
