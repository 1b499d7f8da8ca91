// Fetches files of the general API (documents) with the caller's token.
import { ApiError, errorText } from './api-error.ts'
import { callGeneral } from './client.ts'

/** Longer than for other calls: the server may have to typeset the document first. */
const TIMEOUT_MS = 60_000

/** `kept`: the content at this address never changes, so it may come from the browser cache. */
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
  // For addresses unknown to the server the application's own page is returned.
  if (blob.type.startsWith('text/html'))
    throw new ApiError('not_found', errorText('not_found'), { status: 404 })
  return blob
}

/** Same for unsaved input: a preview. */
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
