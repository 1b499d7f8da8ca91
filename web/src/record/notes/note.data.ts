// Notes and files at one record: what is there, whom a note may name, and every change.
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { notePaths, type NoteRecord } from '#contract/note.ts'
import { fetchBlob } from '../../data/blob.ts'
import { rpc } from '../../data/rpc.ts'

/** As many as one answer has. */
const PAGE = 50
const FILE_TIMEOUT_MS = 10 * 60_000

const keyOf = ({ art, datensatz }: NoteRecord) => ['notizen', art, datensatz] as const

export const noteCount = (record: NoteRecord) =>
  queryOptions({
    queryKey: [...keyOf(record), 'anzahl'],
    queryFn: ({ signal }) => rpc('a_count_notizen', { ...record }, { signal }),
    staleTime: 30_000,
  })

export const notesQuery = (record: NoteRecord) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(record), 'liste'],
    initialPageParam: null as number | null,
    queryFn: ({ pageParam, signal }) =>
      rpc('a_get_notizen', { ...record, ...(pageParam !== null && { vor: pageParam }) }, { signal }),
    getNextPageParam: ({ zeilen }) => (zeilen.length < PAGE ? null : (zeilen.at(-1)?.id ?? null)),
  })

export const notePeople = (record: NoteRecord, forKunde: boolean, search: string | null) =>
  queryOptions({
    queryKey: [...keyOf(record), 'personen', forKunde, search],
    queryFn: ({ signal }) =>
      rpc('a_get_notiz_personen', { ...record, fuer_kunde: forKunde, suche: search ?? '' }, { signal }),
    enabled: search !== null,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

export interface WrittenNote {
  readonly text: string
  readonly fuer_kunde: boolean
  readonly erwaehnt: readonly number[]
}

export function useForgetNotes(record: NoteRecord): () => void {
  const client = useQueryClient()
  return () => void client.invalidateQueries({ queryKey: keyOf(record) })
}

export function useNoteActs(record: NoteRecord) {
  const onSettled = useForgetNotes(record)
  return {
    add: useMutation({
      mutationFn: (note: WrittenNote) => rpc('a_add_notiz', { ...record, ...note }),
      onSettled,
    }),
    change: useMutation({
      mutationFn: (note: WrittenNote & { id: number; version: number }) => rpc('a_update_notiz', note),
      onSettled,
    }),
    remove: useMutation({ mutationFn: (id: number) => rpc('a_delete_notiz', { id }), onSettled }),
    removeFile: useMutation({ mutationFn: (id: number) => rpc('a_delete_notiz_datei', { id }), onSettled }),
  }
}

/** The bytes of a file number never change. */
export const fetchNoteFile = (id: number): Promise<Blob> =>
  fetchBlob(notePaths.file(id).slice(1), undefined, { kept: true, timeoutMs: FILE_TIMEOUT_MS })
