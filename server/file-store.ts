// Opens the file store that the settings name: a folder or an S3 bucket.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { S3Client, type S3Options } from './files/s3-client.ts'
import { type Store, folderStore } from './files/store.ts'
import { s3Store } from './files/s3-store.ts'
import { twoPlaces } from './files/two-places.ts'
import type { Log } from './log.ts'
import { type BaseMapPlace, bucketSource, diskSource, type FileSource } from './map-service/file-source.ts'
import { OperatorFault } from './operations/operator-fault.ts'

export interface FileStoreConfig {
  readonly FILES_DIR: string
  readonly FILES_S3_ENDPOINT: string | undefined
  readonly FILES_S3_BUCKET: string | undefined
  readonly FILES_S3_PREFIX: string
  readonly FILES_S3_REGION: string
  readonly FILES_S3_ACCESS_KEY: string | undefined
  readonly FILES_S3_SECRET_KEY: string | undefined
  readonly FILES_S3_KEYS_FILE: string | undefined
  readonly FILES_S3_PATH_STYLE: boolean
  readonly FILES_PLACE: FilesPlace | undefined
  readonly FILES_CACHE_MB: number
}
type Place = 'folder' | 'bucket'
export type FilesPlace = Place | 'folder+bucket' | 'bucket+folder'

/**
 * Does not check whether the bucket answers: a bucket that is down for a while must not prevent the start.
 */
export function openFileStore(config: FileStoreConfig, log: Log): Store {
  const [first, second] = placesOf(config).map((place) => openPlace(place, config, log))
  return second === undefined ? first! : twoPlaces(first!, second)
}

function placesOf({ FILES_PLACE, FILES_S3_ENDPOINT }: FileStoreConfig): Place[] {
  const place = FILES_PLACE ?? (FILES_S3_ENDPOINT === undefined ? 'folder' : 'bucket')
  return place.split('+') as Place[]
}

function openPlace(place: Place, config: FileStoreConfig, log: Log): Store {
  const bucket = bucketOptions(config, log)
  return place === 'bucket' && bucket !== null ? s3Store(bucket) : folderStore(config.FILES_DIR)
}

export interface MovePlaces {
  readonly from: Store
  readonly to: Store
  /** For work of the move alone. */
  readonly folder: string
  readonly names: readonly [from: string, to: string]
}

/** What `npm run move-files` moves: from the second place into the first. Null if there are not two. */
export function openMovePlaces(config: FileStoreConfig, log: Log): MovePlaces | null {
  const [to, from] = placesOf(config)
  const options = bucketOptions(config, log)
  if (to === undefined || from === undefined || options === null) return null
  const folder = join(config.FILES_DIR, 'moving')
  // Left by a command that was killed.
  rmSync(join(folder, 'arbeit'), { recursive: true, force: true })
  // Without copies: what is compared must be what the bucket has.
  const bucket = s3Store({ ...options, folder, cacheBytes: 0 })
  const files = folderStore(config.FILES_DIR)
  const nameOf = (place: string): string =>
    place === 'bucket' ? `Bucket ${options.bucket}` : config.FILES_DIR
  return {
    from: from === 'bucket' ? bucket : files,
    to: to === 'bucket' ? bucket : files,
    folder,
    names: [nameOf(from), nameOf(to)],
  }
}

/** Null if the settings name no bucket. */
function bucketOptions(config: FileStoreConfig, log: Log): S3Options | null {
  if (config.FILES_S3_ENDPOINT === undefined) return null
  return {
    endpoint: config.FILES_S3_ENDPOINT,
    bucket: config.FILES_S3_BUCKET ?? '',
    prefix: config.FILES_S3_PREFIX,
    region: config.FILES_S3_REGION,
    pathStyle: config.FILES_S3_PATH_STYLE,
    ...keysOf(config),
    folder: config.FILES_DIR,
    cacheBytes: config.FILES_CACHE_MB * 2 ** 20,
    log,
  }
}

/** The operator's base map, which is in the bucket under its own name. */
export function openBaseMapSource(
  config: FileStoreConfig & { readonly BASEMAP_FILE: BaseMapPlace },
  log: Log,
): FileSource {
  const place = config.BASEMAP_FILE
  if (place.art === 'datei') return diskSource(place.path)
  const bucket = bucketOptions(config, log)
  if (bucket === null) throw new OperatorFault('BASEMAP_FILE=s3:… braucht FILES_S3_ENDPOINT')
  return bucketSource(new S3Client(bucket), place.name)
}

function keysOf({ FILES_S3_ACCESS_KEY, FILES_S3_SECRET_KEY, FILES_S3_KEYS_FILE: file }: FileStoreConfig) {
  if (file === undefined)
    return { accessKeyId: FILES_S3_ACCESS_KEY ?? '', secretAccessKey: FILES_S3_SECRET_KEY ?? '' }
  const [accessKeyId = '', secretAccessKey = ''] = linesOf(file)
  if (secretAccessKey === '')
    throw new OperatorFault(
      `In ${file} stehen kein Schlüssel und kein Geheimnis, jedes auf einer Zeile (FILES_S3_KEYS_FILE)`,
    )
  return { accessKeyId, secretAccessKey }
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  } catch (error) {
    throw new OperatorFault(
      `${file} lässt sich nicht lesen (${error instanceof Error ? error.message : String(error)}). ` +
        'Bitte FILES_S3_KEYS_FILE prüfen.',
    )
  }
}
