// The queue's connection to the server: captures by remote procedure, photos in chunks (tus 1.0.0) that
// resume where they stopped, even after the application was closed. It makes its own requests, because an
// error here is stored with the pending item instead of shown.
import { habitatImagePaths } from '#contract/habitat-images.ts'
import type { BorderSyncAnswer } from '#contract/border.ts'
import { surveyImagePaths } from '#contract/survey-images.ts'
import type { SurveySyncAnswer } from '#contract/vermessung.ts'
import { inLanguage } from '../../data/api-error.ts'
import { t } from '../../ui/text.ts'
import { type PhotoUpload, type Channel, isTimeout, TransportError } from './sync.ts'
import { LineCapacity, REQUEST_MS } from './line-capacity.ts'
import { deviceClock, heardIn } from './device-clock.ts'
import type { FieldworkImage, Identifier, Sub } from './fieldwork-db.ts'
import type { AnyAnswer, Sendable } from './queue-sync.ts'

export interface Connection {
  /** Base paths, without a trailing slash. */
  readonly dataApi: string
  readonly generalApi: string
  readonly token: () => string | null
  /** Renews the token; false if the person has to sign in. */
  readonly renew: (used: string | null) => Promise<boolean>
  readonly fetch?: typeof fetch
  /** Chunk size in bytes: the most that is lost when the connection breaks. */
  readonly chunk?: number
  readonly timeout?: (ms: number) => AbortSignal
}

const PIECE_BYTES = 1024 * 1024
/** Allows for one chunk at 12 kB/s, plus the server's processing of the photo after the last one. */
const PIECE_MS = 90_000
const TUS = { 'Tus-Resumable': '1.0.0' }

/**
 * The subject of a token. Not verified, which is the server's task; this only prevents sending one person's
 * work in another's name.
 */
export function subOf(token: string): string | null {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const { sub } = JSON.parse(
      new TextDecoder().decode(Uint8Array.from(atob(payload), (sign) => sign.charCodeAt(0))),
    ) as { sub?: unknown }
    return typeof sub === 'string' ? sub : null
  } catch {
    return null
  }
}

interface RequestSpec {
  readonly method: string
  readonly headers?: Record<string, string>
  readonly body?: string | Blob
  readonly ms: number
  readonly signal: AbortSignal
}

/** Resolves with a response of any status; rejects without one or if nobody is signed in. */
type Ask = (address: string, requestSpec: RequestSpec) => Promise<Response>

export function createTransport(sub: Sub, connection: Connection): Channel {
  const { dataApi } = connection
  const ask = asker(sub, connection)
  const pace = new LineCapacity(connection.chunk ?? PIECE_BYTES)
  const send = <T>(procedure: string, captures: readonly Sendable[], signal: AbortSignal) => {
    const body = JSON.stringify({ erfassungen: captures }, cleanText)
    return askJson<T[]>(ask, `${dataApi}/rpc/${procedure}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
      ms: pace.msFor(body.length),
      signal,
    }).catch((error: unknown) => {
      if (isTimeout(error)) pace.requestTimedOut()
      throw error
    })
  }
  return {
    sync: async (captures, signal) => {
      if (!captures.some((capture) => 'tabelle' in capture))
        return send<AnyAnswer>('__o_sync_habitatbaeume', captures, signal)
      const isBorder = captures.some(
        (capture) => 'tabelle' in capture && capture.tabelle === 'grenzvorschlag',
      )
      const answers = await send<SurveySyncAnswer | BorderSyncAnswer>(
        isBorder ? 'a_sync_grenzvorschlaege' : 'a_sync_vermessung',
        captures,
        signal,
      )
      return answers.map(({ objekt, ...answer }) => ({ ...answer, baum: objekt }))
    },
    fetchStoredImages: async (photos, signal) => {
      const byTable = Map.groupBy(photos, ({ tabelle }) =>
        tabelle === undefined ? 'habitatbilder' : 'vermessungsbilder',
      )
      const answers = await Promise.all(
        Array.from(byTable, ([table, some]) => {
          const ids = some.map(({ kennung }) => kennung).join(',')
          return askJson<{ kennung: Identifier; sha256: string }[]>(
            ask,
            `${dataApi}/${table}?select=kennung,sha256&kennung=in.(${ids})&limit=${some.length}`,
            { method: 'GET', ms: REQUEST_MS, signal },
          )
        }),
      )
      return answers.flat()
    },
    sendFile: (transfer) => sendFile(ask, { ...connection, pace }, transfer),
  }
}

const signInError = (): TransportError =>
  new TransportError(
    'anmeldung',
    t('Bitte melden Sie sich wieder an. Was wartet, bleibt auf diesem Gerät und wird danach übertragen.'),
  )

/** Asks in the name of `sub` alone; renews the token once. */
function asker(sub: Sub, { token, renew, fetch: send = fetch, timeout }: Connection): Ask {
  const limit = timeout ?? ((ms: number) => AbortSignal.timeout(ms))
  async function sendOnce(address: string, used: string, requestSpec: RequestSpec): Promise<Response> {
    const { method, headers, body, ms, signal } = requestSpec
    try {
      return await send(address, {
        method,
        headers: { ...headers, Authorization: `Bearer ${used}` },
        ...(body !== undefined && { body }),
        signal: AbortSignal.any([signal, limit(ms)]),
        cache: 'no-store',
      })
    } catch (error) {
      signal.throwIfAborted()
      throw offlineError(error)
    }
  }
  async function ask(address: string, requestSpec: RequestSpec, again: boolean): Promise<Response> {
    const used = token()
    if (used !== null) {
      if (subOf(used) !== sub)
        throw new TransportError(
          'anmeldung',
          t(
            'Hier ist jemand anderes angemeldet. Was auf diesem Gerät wartet, wird erst übertragen, wenn ' +
              'sich die Person anmeldet, die es erfasst hat.',
          ),
        )
      const response = await sendOnce(address, used, requestSpec)
      if (response.status !== 401) return response
      await response.body?.cancel().catch(() => undefined)
    }
    if (!again && (await renew(used))) return ask(address, requestSpec, true)
    throw signInError()
  }
  return (address, requestSpec) => ask(address, requestSpec, false)
}

async function askJson<T>(ask: Ask, address: string, requestSpec: RequestSpec): Promise<T> {
  const asked = performance.now()
  const response = await ask(address, {
    ...requestSpec,
    headers: { Accept: 'application/json', ...requestSpec.headers },
  })
  const text = await response.text().catch((error: unknown) => {
    requestSpec.signal.throwIfAborted()
    throw offlineError(error)
  })
  if (!response.ok) throw await errorOf(response.status, text)
  try {
    const answer = JSON.parse(text) as T
    deviceClock.hearServer(heardIn(response.headers, asked))
    return answer
  } catch {
    // For example a hotel's captive portal.
    throw offlineError(new Error('the answer is not JSON'))
  }
}

/** The offset of a started upload; null if the server no longer has it. */
async function offsetOf(
  ask: Ask,
  address: string,
  size: number,
  signal: AbortSignal,
): Promise<number | null> {
  const response = await ask(address, { method: 'HEAD', headers: TUS, ms: PIECE_MS, signal })
  if (response.status === 404 || response.status === 410 || response.status === 403) return null
  if (!response.ok) throw await errorOf(response.status, '')
  const offset = Number(response.headers.get('Upload-Offset') ?? Number.NaN)
  return Number.isInteger(offset) && offset >= 0 && offset <= size ? offset : null
}

interface Upload {
  readonly address: string
  readonly offset: number
}
const uploadPathOf = ({ tabelle, baum, kennung }: FieldworkImage): string =>
  tabelle === undefined
    ? habitatImagePaths.upload(baum, kennung)
    : surveyImagePaths.upload(tabelle, baum, kennung)
async function begin(ask: Ask, generalApi: string, { bild, signal, onUpload }: PhotoUpload): Promise<Upload> {
  const response = await ask(`${generalApi}${uploadPathOf(bild)}`, {
    method: 'POST',
    headers: {
      ...TUS,
      'Upload-Length': String(bild.groesse),
      'Upload-Metadata': metadata({
        filename: bild.name,
        sha256: bild.sha256,
        aufgenommen_am: bild.aufgenommen_am,
        ...(bild.bemerkung !== null && { bemerkung: bild.bemerkung }),
      }),
    },
    ms: PIECE_MS,
    signal,
  })
  if (response.status !== 201) throw await errorOf(response.status, await response.text().catch(() => ''))
  const location = response.headers.get('Location')
  if (location === null) throw offlineError(new Error('no place for the upload'))
  const address = new URL(location, new URL(generalApi, globalThis.location?.href)).href
  await onUpload(address)
  return { address, offset: Number(response.headers.get('Upload-Offset') ?? 0) }
}

async function sendFile(
  ask: Ask,
  { generalApi, pace }: { generalApi: string; pace: LineCapacity },
  transfer: PhotoUpload,
): Promise<void> {
  const { bild, signal, onSent } = transfer
  const known = bild.upload === null ? null : await offsetOf(ask, bild.upload, bild.groesse, signal)
  let { address, offset } =
    known === null ? await begin(ask, generalApi, transfer) : { address: bild.upload!, offset: known }
  while (offset < bild.groesse) {
    onSent(offset)
    try {
      offset = await sendChunk(ask, { address, offset, pace }, transfer)
      pace.chunkPassed()
    } catch (error) {
      if (!isTimeout(error) || !pace.chunkTimedOut()) throw error
      // Part of it, or all, may have arrived.
      const reached = await offsetOf(ask, address, bild.groesse, signal)
      if (reached === null) throw error
      offset = reached
    }
  }
  onSent(bild.groesse)
}

/** The offset reached. */
async function sendChunk(
  ask: Ask,
  { address, offset, pace }: { address: string; offset: number; pace: LineCapacity },
  { bild, signal }: PhotoUpload,
): Promise<number> {
  const response = await ask(address, {
    method: 'PATCH',
    headers: {
      ...TUS,
      'Upload-Offset': String(offset),
      'Content-Type': 'application/offset+octet-stream',
    },
    body: bild.original.slice(offset, offset + pace.chunk),
    ms: PIECE_MS,
    signal,
  })
  if (!response.ok)
    throw retryable(bild.versuche, await errorOf(response.status, await response.text().catch(() => '')))
  const reached = Number(response.headers.get('Upload-Offset') ?? Number.NaN)
  // A server that reports success without accepting bytes would cause an endless loop.
  if (!(reached > offset)) throw offlineError(new Error('the upload does not move on'))
  return reached
}

/**
 * Bytes corrupted on the way are sent again from the start; if that keeps failing, the photo itself is at
 * fault.
 */
const retryable = (attempts: number, fault: TransportError): TransportError =>
  fault.regel === 'upload_hash' && attempts < 3
    ? new TransportError('netz', fault.message, fault.regel, fault.origin)
    : fault

/**
 * Lone surrogates or NULs, as from clipboards, would make the database refuse the whole request with hundreds
 * of captures.
 */
const cleanText = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value

const metadata = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${btoa(String.fromCharCode(...new TextEncoder().encode(value)))}`)
    .join(',')

const offlineError = (error: unknown): TransportError =>
  error instanceof Error && error.name === 'TimeoutError'
    ? slowError(error.message)
    : new TransportError(
        'netz',
        t(
          'Der Server ist nicht erreichbar. Was wartet, bleibt auf diesem Gerät; es geht automatisch ' +
            'weiter, sobald das Netz wieder da ist.',
        ),
        null,
        error instanceof Error ? error.message : undefined,
      )

const slowError = (origin: string): TransportError =>
  new TransportError(
    'netz',
    t(
      'Die Verbindung ist gerade zu langsam. Was noch wartet, bleibt auf diesem Gerät; es wird gleich ' +
        'noch einmal versucht.',
    ),
    null,
    origin,
    true,
  )

/** Separates errors worth retrying from the rest. */
async function errorOf(status: number, text: string): Promise<TransportError> {
  let said: { message?: unknown; hint?: unknown } = {}
  try {
    said = (JSON.parse(text) as typeof said | null) ?? {}
  } catch {
    // Answered by something between here and the server.
  }
  const message =
    typeof said.message === 'string' && said.message !== '' ? await inLanguage(said.message) : null
  const rule = typeof said.hint === 'string' && said.hint !== '' ? said.hint : null
  if (status === 507)
    return new TransportError(
      'netz',
      t(
        'Auf dem Server ist kein Speicherplatz mehr frei. Es ist nichts verloren; bitte wenden Sie ' +
          'sich an den Support.',
      ),
      rule,
      String(status),
    )
  // Somebody between here and the server waited without an answer.
  if (status === 408 || status === 504) return slowError(String(status))
  // 409 with a rule concerns the photo itself; without one the offset is out of step and is asked for again.
  const later = status >= 500 || [423, 425, 429, 460].includes(status) || (status === 409 && rule === null)
  if (later)
    return new TransportError(
      'netz',
      t(
        'Der Server kann gerade nicht antworten. Was wartet, bleibt auf diesem Gerät; es wird gleich ' +
          'noch einmal versucht.',
      ),
      rule,
      String(status),
    )
  if (status === 404)
    return new TransportError(
      'abgelehnt',
      t(
        'Der Baum oder das Objekt zu diesem Foto ist nicht mehr auf dem Server, oder Sie haben keinen ' +
          'Zugriff mehr darauf.',
      ),
      rule,
      '404',
    )
  return new TransportError(
    'abgelehnt',
    message ?? t('Der Server hat das nicht angenommen.'),
    rule,
    String(status),
  )
}
