// Uploads one photo in chunks (tus), so that a lost connection costs one chunk. Its kennung is created
// before, so that a retry does not create a second photo.
import { PHOTO_MOST_BYTES } from '#contract/habitat-images.ts'
import { ownRequests } from '../../data/client.ts'
import { formatBytes } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

export const PHOTO_TYPES = '.jpg,.jpeg,.png,.webp,image/jpeg,image/png,image/webp'
const PAUSES_MS = [0, 1_000, 3_000, 5_000, 10_000, 20_000]
const PIECE = 4 * 1024 * 1024

/**
 * Null if the browser has no crypto.subtle, as on plain http addresses inside a company. The server then
 * accepts what arrives.
 */
async function digestOf(file: File): Promise<string | null> {
  if (globalThis.crypto?.subtle === undefined) return null
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const ruleText = (rule: string): Promise<string | undefined> =>
  import('../../data/rule-texts.ts').then(
    ({ BY_RULE }) => BY_RULE[rule],
    () => undefined,
  )
async function faultOf(status: number, body: string): Promise<string> {
  if (status === 401)
    return t('Ihre Sitzung ist abgelaufen. Melden Sie sich neu an und laden Sie das Foto noch einmal hoch.')
  if (status === 413) return t('Das Foto ist größer als {most}.', { most: formatBytes(PHOTO_MOST_BYTES) })
  try {
    const { hint, message } = JSON.parse(body) as { hint?: unknown; message?: unknown }
    const told = typeof hint === 'string' ? await ruleText(hint) : undefined
    if (told !== undefined) return t(told)
    if (typeof message === 'string' && message !== '') return message
  } catch {
    // Answered by something between here and the server.
  }
  return t('Der Server hat das Foto nicht angenommen. Bitte versuchen Sie es noch einmal.')
}

interface PhotoUpload {
  /** Of the upload, as the contract says it: with a slash that the client adds itself. */
  readonly path: string
  readonly file: File
  readonly onProgress: (done: number) => void
}
/** Rejects with an error whose message explains why. */
export async function sendPhoto({ path, file, onProgress }: PhotoUpload): Promise<void> {
  if (file.size === 0) throw new Error(t('Die Datei ist leer. Bitte wählen Sie eine andere.'))
  if (file.size > PHOTO_MOST_BYTES)
    throw new Error(t('Das Foto ist größer als {most}.', { most: formatBytes(PHOTO_MOST_BYTES) }))
  const sha256 = await digestOf(file).catch(() => {
    throw new Error(
      t(
        'Die Datei ließ sich nicht lesen. Vielleicht wurde sie verschoben oder geändert: Bitte wählen ' +
          'Sie sie noch einmal.',
      ),
    )
  })
  const { Upload } = await import('tus-js-client')
  let refused: string | null = null
  await new Promise<void>((resolve, reject) => {
    new Upload(file, {
      endpoint: ownRequests.address(path.slice(1)),
      chunkSize: PIECE,
      retryDelays: PAUSES_MS,
      metadata: {
        filename: file.name,
        ...(sha256 !== null && { sha256 }),
        aufgenommen_am: new Date(file.lastModified).toISOString(),
      },
      storeFingerprintForResuming: false,
      onBeforeRequest: async (request) => {
        if (refused !== null) await ownRequests.renew(refused)
        refused = null
        const token = ownRequests.token()
        if (token !== null) request.setHeader('Authorization', `Bearer ${token}`)
      },
      onProgress,
      onShouldRetry: (error) => {
        const status = error.originalResponse?.getStatus() ?? 0
        if (status === 401) {
          const used = ownRequests.token()
          if (refused === used) return false
          refused = used
          return true
        }
        return status === 0 || status === 423 || status === 429 || (status >= 500 && status !== 507)
      },
      onError: (error) => {
        const response = 'originalResponse' in error ? error.originalResponse : null
        if (response === null)
          reject(
            new Error(
              t(
                'Die Verbindung ist abgebrochen. Bitte laden Sie das Foto noch einmal hoch, sobald das ' +
                  'Netz wieder da ist.',
              ),
            ),
          )
        else void faultOf(response.getStatus(), response.getBody()).then((told) => reject(new Error(told)))
      },
      onSuccess: () => resolve(),
    }).start()
  })
}
