// Queries and mutations for received invoices, and how their files come in.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type EingangAdded, eingangPaths } from '#contract/eingang.ts'
import { fetchBlob } from '../../../data/blob.ts'
import { callGeneral } from '../../../data/client.ts'
import { rpc } from '../../../data/rpc.ts'

export const EINGANG_KEY = ['eingang'] as const
export const eingangQuery = (id: string) =>
  queryOptions({
    queryKey: [...EINGANG_KEY, 'record', id],
    queryFn: ({ signal }) => rpc('a_get_eingang', { eingang_id: id }, { signal }),
    staleTime: 0,
  })
export const kreditorenQuery = queryOptions({
  queryKey: [...EINGANG_KEY, 'kreditoren'],
  queryFn: ({ signal }) => rpc('a_get_kreditoren', {}, { signal }),
  staleTime: 0,
})
export const postfachQuery = queryOptions({
  queryKey: [...EINGANG_KEY, 'postfach'],
  queryFn: ({ signal }) => rpc('a_get_eingang_postfach', {}, { signal }),
  staleTime: 0,
  refetchInterval: 60_000,
})
/** Somebody has looked after a mail that was not taken in. */
export const settleMail = (id: number) => rpc('a_set_eingang_mail_erledigt', { mail_id: id })
/** The bytes never change: the key needs no version. */
export const fileQuery = (id: number) =>
  queryOptions({
    queryKey: [...EINGANG_KEY, 'datei', id],
    queryFn: ({ signal }) => fetchBlob(eingangPaths.file(id), signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })

const UPLOAD_MS = 180_000
/** @throws ApiError */
export const sendFile = (file: File): Promise<EingangAdded> =>
  callGeneral<EingangAdded>('POST', eingangPaths.upload(file.name), {
    body: file,
    quiet: true,
    timeoutMs: UPLOAD_MS,
  })

/** A change of an invoice: afterwards lists, record and forecast are read again. */
export function useEingangAct<Input, Output>(act: (input: Input) => Promise<Output>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: EINGANG_KEY }),
        client.invalidateQueries({ queryKey: ['buchhaltung'] }),
      ]),
  })
}
