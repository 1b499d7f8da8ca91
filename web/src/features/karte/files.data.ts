// Files and jobs of a plan: what is stored, what is under way, and what can be asked for.
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type KarteJob, type KarteFile, kartePaths } from '#contract/karte-files.ts'
import { fetchBlob } from '../../data/blob.ts'
import { rpc } from '../../data/rpc.ts'
import { KARTE_LISTS, karteKey } from './karte.data.ts'

const filesKey = (karte: number) => [...karteKey(karte), 'dateien'] as const
const jobsKey = (karte: number) => [...karteKey(karte), 'auftraege'] as const
const POLL_MS = 2_000

export const isActive = ({ stand }: Pick<KarteJob, 'stand'>): boolean =>
  stand === 'wartet' || stand === 'laeuft'

export const filesQuery = (karte: number) =>
  queryOptions({
    queryKey: filesKey(karte),
    queryFn: ({ signal }) => rpc('a_get_karte_dateien', { karte_id: karte }, { signal }),
    staleTime: 30_000,
    // A fresh scan is being cut: its big view comes by itself.
    refetchInterval: ({ state }) => (isBeingCut(newest(state.data, 'scan')) ? POLL_MS : false),
  })
const CUT_MS = 15 * 60_000
/** One that is not cut after that time will hardly be. */
const isBeingCut = (scan: KarteFile | undefined): boolean =>
  scan !== undefined && !scan.kacheln && Date.now() - Date.parse(scan.angelegt_am) < CUT_MS
/** Asked again and again while something is under way, and only then. */
export const jobsQuery = (karte: number) =>
  queryOptions({
    queryKey: jobsKey(karte),
    queryFn: ({ signal }) => rpc('a_get_karte_auftraege', { karte_id: karte }, { signal }),
    refetchInterval: ({ state }) => (state.data?.some(isActive) ? POLL_MS : false),
  })

/** The newest of its kind counts. */
export const newest = (
  storedFiles: readonly KarteFile[] | undefined,
  art: KarteFile['art'],
): KarteFile | undefined => storedFiles?.find((datei) => datei.art === art)

/** Addresses are given from the root of the general API; the client puts its base path before them. */
export const pathOf = (path: string): string => path.replace(/^\//, '')

/** Bytes under a file's number never change. */
export const previewQuery = (karte: number, datei: number | undefined) =>
  queryOptions({
    queryKey: [...karteKey(karte), 'vorschau', datei],
    queryFn: ({ signal }) =>
      fetchBlob(pathOf(kartePaths.vorschau(karte, datei ?? 0)), signal, { kept: true }),
    enabled: datei !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 5 * 60_000,
    retry: 1,
  })

/** After a file or a job came, changed or went: the plan itself knows its size and its stage. */
export function forgetFiles(client: QueryClient, karte: number) {
  void client.invalidateQueries({ queryKey: karteKey(karte) })
  void client.invalidateQueries({ queryKey: KARTE_LISTS })
}

export function useFileActs(karte: number) {
  const client = useQueryClient()
  const onSettled = () => forgetFiles(client, karte)
  return {
    remove: useMutation({ mutationFn: (id: number) => rpc('a_delete_karte_datei', { id }), onSettled }),
    cancel: useMutation({ mutationFn: (id: number) => rpc('a_cancel_karte_auftrag', { id }), onSettled }),
    cutAgain: useMutation({
      mutationFn: (datei_id: number) => rpc('a_retry_karte_kacheln', { datei_id }),
      onSettled,
    }),
    again: useMutation({
      mutationFn: ({ werte }: Pick<KarteJob, 'werte'>) =>
        rpc('a_add_karte_auftrag', {
          karte_id: karte,
          ...(werte && { verfahren: werte.verfahren, kompression: werte.kompression }),
        }),
      onSettled,
    }),
  }
}
