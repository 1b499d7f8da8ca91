// Uploads that were started in this browser and are not finished, so that choosing the same file again goes on
// where the transfer stopped. Their keys are cleared at the end of a session (app/forget.ts).
import type { PreviousUpload, UrlStorage } from 'tus-js-client'

const PREFIX = 'forstkontor.upload.'
type Stored = Omit<PreviousUpload, 'urlStorageKey'>

function stored(beginning: string): PreviousUpload[] {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(beginning))
    .flatMap((key) => {
      try {
        return [{ ...(JSON.parse(localStorage.getItem(key) ?? '') as Stored), urlStorageKey: key }]
      } catch {
        return []
      }
    })
}
export const BEGUN_UPLOADS: UrlStorage = {
  findAllUploads: () => Promise.resolve(stored(PREFIX)),
  findUploadsByFingerprint: (fingerprint) => Promise.resolve(stored(`${PREFIX}${fingerprint}.`)),
  removeUpload: (key) => Promise.resolve(localStorage.removeItem(key)),
  addUpload: (fingerprint, upload) => {
    const key = `${PREFIX}${fingerprint}.${Date.now()}`
    try {
      localStorage.setItem(key, JSON.stringify(upload))
    } catch {
      // A full store only prevents resuming after a reload, not the upload.
    }
    return Promise.resolve(key)
  },
}

/** Names of the files whose fingerprint begins like this. */
export function begunNames(beginning: string): readonly string[] {
  try {
    return [
      ...new Set(stored(`${PREFIX}${beginning}`).map(({ metadata }) => metadata['filename'] ?? '')),
    ].filter((name) => name !== '')
  } catch {
    return []
  }
}
