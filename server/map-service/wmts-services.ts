// WMTS services that are described by their capabilities: read when they are first needed, again every day, and
// again soon where that failed. Until then such a service is not offered.
import type { Log } from '#server/log.ts'
import type { Fetcher } from './fetcher.ts'
import type { MapService } from './services.ts'
import { readCapabilities, WmtsFault } from './wmts.ts'

const DAY_MS = 86_400_000
const AGAIN_MS = 60_000
/** How long the list of base maps waits for a service. */
const PATIENCE_MS = 3_000

export interface WmtsServicesOptions {
  readonly fetcher: Fetcher
  readonly log: Log
  readonly now: () => number
}

interface Known {
  readonly until: number
  readonly service: MapService | null
  readonly fault: string | null
}

export class WmtsServices {
  readonly #options: WmtsServicesOptions
  readonly #known = new Map<string, Known>()
  readonly #reading = new Map<string, Promise<Known>>()

  constructor(options: WmtsServicesOptions) {
    this.#options = options
  }

  /** The service with its grid and addresses; null while it cannot be used. Others are returned as they are. */
  async ready(service: MapService): Promise<MapService | null> {
    if (service.wmts === null) return service
    const known = this.#known.get(service.id)
    if (known !== undefined && known.until > this.#options.now()) return known.service
    const reading = this.#read(service)
    // What was known stays in use while it is read again.
    if (known !== undefined && known.service !== null) return known.service
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), PATIENCE_MS)
    })
    const found = await Promise.race([reading, late])
    clearTimeout(timer)
    return found?.service ?? null
  }

  /** What is wrong with which service, for the operator. */
  faults(): string[] {
    return [...this.#known.values()].flatMap(({ fault }) => fault ?? [])
  }

  #read(service: MapService): Promise<Known> {
    const under = this.#reading.get(service.id)
    if (under !== undefined) return under
    const reading = this.#describe(service).finally(() => this.#reading.delete(service.id))
    this.#reading.set(service.id, reading)
    return reading
  }

  async #describe(service: MapService): Promise<Known> {
    const { fetcher, log, now } = this.#options
    const before = this.#known.get(service.id)
    let known: Known
    try {
      const { address, ...wanted } = service.wmts!
      const xml = (await fetcher.fetchText(address, service.intern)) ?? ''
      const { raster, min, max, adresse } = readCapabilities(xml, wanted, address)
      const levels = { min: Math.max(min, service.min), max: Math.min(max, service.max) }
      if (levels.min > levels.max)
        throw new WmtsFault(
          `Der Dienst hat die Ebenen ${min} bis ${max}, verlangt sind ${service.min} bis ${service.max}`,
        )
      if (raster !== null && service.mitnehmen)
        throw new WmtsFault('mitnehmen gilt nur für das übliche Raster in EPSG:3857')
      known = {
        until: now() + DAY_MS,
        service: { ...service, ...levels, adresse, ...(raster && { raster }) },
        fault: null,
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const fault = `Kartendienst „${service.id}“: ${
        error instanceof WmtsFault ? reason : `Die Beschreibung (Capabilities) war nicht zu holen (${reason})`
      }.`
      if (before?.fault !== fault) log.warn('map service', { service: service.id, reason: fault })
      known = { until: now() + AGAIN_MS, service: before?.service ?? null, fault }
    }
    this.#known.set(service.id, known)
    return known
  }
}
