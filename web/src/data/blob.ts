// Files of the general API, as they are: documents, with the caller's token.
import { ApiError, errorText } from './api-error.ts'
import { callGeneral } from './client.ts'

/** Longer than other calls: a document may have to be set first. */
const TIMEOUT_MS = 60_000

/** `kept`: what never changes under its address may come from the browser's own store. */
export async function fetchBlob(
  path: string,
  signal?: AbortSignal,
  { kept = false, timeoutMs = TIMEOUT_MS }: { readonly kept?: boolean; readonly timeoutMs?: number } = {},
): Promise<Blob> {
  const blob = await callGeneral<Blob>('GET', path, {
    file: true,
    kept,
    quiet: true,
    accept: '*/*',
    timeoutMs,
    signal,
  })
  // The page of the application answers addresses that the server does not know.
  if (blob.type.startsWith('text/html'))
    throw new ApiError('not_found', errorText('not_found'), { status: 404 })
  return blob
}

/** The same for what is typed and not stored: a preview. */
export async function postBlob(path: string, body: object, signal?: AbortSignal): Promise<Blob> {
  const blob = await callGeneral<Blob>('POST', path, {
    body,
    file: true,
    quiet: true,
    accept: '*/*',
    timeoutMs: TIMEOUT_MS,
    signal,
  })
  if (blob.type.startsWith('text/html'))
    throw new ApiError('not_found', errorText('not_found'), { status: 404 })
  return blob
}
