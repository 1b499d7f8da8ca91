// The time stamp service as configured. Its libraries are loaded when a stamp is made or checked.
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { StampService } from './anchor-check.ts'

export interface StampOptions {
  readonly TIMESTAMP_URL: string | undefined
  readonly TIMESTAMP_CERTIFICATES: string | undefined
}

export function stampService({
  TIMESTAMP_URL: url,
  TIMESTAMP_CERTIFICATES: file,
}: StampOptions): StampService {
  const certificates = file === undefined ? '' : readStampCertificates(file)
  const load = async () => {
    const library = await import('./time-stamp.ts')
    return { library, trusted: library.certificatesOf(certificates) }
  }
  return {
    request:
      url === undefined
        ? null
        : async (head) => {
            const { library, trusted } = await load()
            return library.requestTimeStamp(url, head, trusted)
          },
    timeOf: async (line) => {
      const { library, trusted } = await load()
      return library.timeOfStamp(line.zeitstempel, line, trusted)
    },
  }
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/**
 * The text of the file, in which every certificate can be read.
 * @throws Error for the operator
 */
export function readStampCertificates(path: string): string {
  const text = read(path)
  const all = text.match(CERTIFICATE) ?? []
  if (all.length === 0)
    throw new Error(
      `In der Datei mit den Zertifikaten des Zeitstempeldienstes steht kein Zertifikat (PEM): ${path}`,
    )
  all.forEach((certificate, at) => {
    try {
      return new X509Certificate(certificate)
    } catch {
      throw new Error(`Zertifikat ${at + 1} des Zeitstempeldienstes ist nicht lesbar: ${path}`)
    }
  })
  return text
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Error(
      code === 'ENOENT'
        ? `Die Datei mit den Zertifikaten des Zeitstempeldienstes gibt es nicht: ${path}`
        : `Die Datei mit den Zertifikaten des Zeitstempeldienstes lässt sich nicht lesen: ${message}`,
      { cause: error },
    )
  }
}
