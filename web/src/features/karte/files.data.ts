// Files and jobs of a plan: what is stored, what is running, and what can be started.
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
    // Poll while a new scan is being tiled, so that its large view appears by itself.
    refetchInterval: ({ state }) => (isBeingCut(newest(state.data, 'scan')) ? POLL_MS : false),
  })
const CUT_MS = 15 * 60_000
/** A scan not tiled after that time probably never will be. */
const isBeingCut = (scan: KarteFile | undefined): boolean =>
  scan !== undefined && !scan.kacheln && Date.now() - Date.parse(scan.angelegt_am) < CUT_MS
/** Polls only while something is running. */
export const jobsQuery = (karte: number) =>
  queryOptions({
    queryKey: jobsKey(karte),
    queryFn: ({ signal }) => rpc('a_get_karte_auftraege', { karte_id: karte }, { signal }),
    refetchInterval: ({ state }) => (state.data?.some(isActive) ? POLL_MS : false),
  })

/** The newest file of its kind. */
export const newest = (
  storedFiles: readonly KarteFile[] | undefined,
  art: KarteFile['art'],
): KarteFile | undefined => storedFiles?.find((file) => file.art === art)

/** Paths start at the root of the general API; the client prepends its base path. */
export const pathOf = (path: string): string => path.replace(/^\//, '')

/** The bytes of a file id never change. */
export const previewQuery = (karte: number, file: number | undefined) =>
  queryOptions({
    queryKey: [...karteKey(karte), 'vorschau', file],
    queryFn: ({ signal }) => fetchBlob(pathOf(kartePaths.vorschau(karte, file ?? 0)), signal, { kept: true }),
    enabled: file !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 5 * 60_000,
    retry: 1,
  })

/** Call after a file or job was added, changed or removed: the plan itself has its size and stage. */
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
      mutationFn: (fileId: number) => rpc('a_retry_karte_kacheln', { datei_id: fileId }),
      onSettled,
    }),
    again: useMutation({
      mutationFn: (job: KarteJob) =>
        job.art === 'mosaik'
          ? rpc('a_repeat_karte_mosaik', { karte_id: karte })
          : rpc('a_add_karte_auftrag', {
              karte_id: karte,
              ...(job.werte && { verfahren: job.werte.verfahren, kompression: job.werte.kompression }),
              ...(job.werte?.ort_bestaetigt === true && { ort_bestaetigt: true }),
            }),
      onSettled,
    }),
  }
}
