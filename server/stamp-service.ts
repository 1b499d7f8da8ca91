// The time stamp service as configured. Its libraries are loaded when a stamp is made or checked.
import type { StampService } from './anchor-check.ts'

export interface StampOptions {
  readonly TIMESTAMP_URL: string | undefined
  readonly TIMESTAMP_CERTIFICATES: string | undefined
}

export function stampService({
  TIMESTAMP_URL: url,
  TIMESTAMP_CERTIFICATES: file,
}: StampOptions): StampService {
  const load = async () => {
    const library = await import('./time-stamp.ts')
    return { library, trusted: file === undefined ? [] : library.readCertificates(file) }
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
