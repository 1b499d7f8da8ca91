// Queries and mutations for data protection.
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { PrivacyKind, PrivacyDisclosure } from '#contract/privacy.ts'
import { rpc } from '../../data/rpc.ts'

const ALL = ['datenschutz'] as const
/** A copy of years of work takes long. */
const COPY_MS = 90_000

export const previewQuery = (art: PrivacyKind, id: string) =>
  queryOptions({
    queryKey: [...ALL, 'vorschau', art, id],
    queryFn: ({ signal }) => rpc('a_get_datenschutz_vorschau', { art, id }, { signal, timeoutMs: 20_000 }),
    retry: false,
  })

export const searchResult = (art: PrivacyKind, text: string) =>
  queryOptions({
    queryKey: [...ALL, 'suche', art, text],
    queryFn: ({ signal }) =>
      rpc('a_suche', { text, arten: [art === 'person' ? 'benutzer' : 'kunde'], grenze: 10 }, { signal }),
    enabled: text.length >= 2 || /\d/.test(text),
    placeholderData: keepPreviousData,
    // Not cached, because the record may be deleted a moment later.
    gcTime: 0,
  })

function useAct<Takes, Answers>(mutationFn: (takes: Takes) => Promise<Answers>) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: ALL }) })
}

export const useCopy = () =>
  useAct(({ art, id }: { art: PrivacyKind; id: string }) =>
    rpc('a_get_datenschutz_auskunft', { art, id }, { timeoutMs: COPY_MS }),
  )
export const useOwnCopy = () =>
  useAct<void, PrivacyDisclosure>(() => rpc('__o_get_meine_daten', {}, { timeoutMs: COPY_MS }))

/** Invalidates everything, because the deleted person or customer may appear anywhere. */
export function useDelete(art: PrivacyKind, id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (confirmation: string): Promise<string | null> => {
      if (art === 'kunde')
        return (
          await rpc(
            'a_delete_kunde_daten',
            { client_id: id, bestaetigung: confirmation },
            { timeoutMs: COPY_MS },
          )
        ).gesperrt_bis
      await rpc('a_delete_person_daten', { user_id: id, bestaetigung: confirmation }, { timeoutMs: COPY_MS })
      return null
    },
    onSuccess: () => client.invalidateQueries(),
  })
}
