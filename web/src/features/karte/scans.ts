// The scans of new plans before they are uploaded: each becomes a plan with its own name. A file that
// says where a scan is goes with the scan of the same name.
import { nameFromFile } from './karte-words.ts'

export interface Scan {
  readonly key: number
  readonly file: File
  readonly name: string
  /** Its world file or its points. */
  readonly beside: File | null
}
/** At once. */
export const MOST_SCANS = 50

const BESIDE = /\.(?:points|wld|tfw|tifw|tiffw|jgw|jpgw|jpegw|pgw|pngw|wpw|webpw)$/i
export const BESIDE_ACCEPT = '.points,.wld,.tfw,.tifw,.tiffw,.jgw,.jpgw,.jpegw,.pgw,.pngw,.wpw,.webpw'
export const isBeside = ({ name }: Pick<File, 'name'>): boolean => BESIDE.test(name)

const bareName = (name: string): string => name.replace(/\.[^.]*$/, '').toLowerCase()

/** "Blatt 7.jgw", "Blatt 7.points" and "Blatt 7.jpg.points" go with "Blatt 7.jpg". */
const belongsTo = (beside: File, scan: File): boolean => {
  const name = bareName(beside.name)
  return name === scan.name.toLowerCase() || name === bareName(scan.name)
}

export interface Paired {
  readonly scans: readonly Scan[]
  /** Without a scan of that name. */
  readonly alone: readonly File[]
}

/** Named after their files. Those beyond the limit are left out. */
export function addScans(scans: readonly Scan[], files: readonly File[]): Paired {
  const first = Math.max(0, ...scans.map(({ key }) => key)) + 1
  const added = files
    .filter((file) => !isBeside(file))
    .map((file, at) => ({
      key: first + at,
      file,
      name: nameFromFile(file.name) || file.name,
      beside: null,
    }))
  const beside = files.filter(isBeside)
  const all = [...scans, ...added].slice(0, MOST_SCANS)
  return {
    // Points say more than a world file.
    scans: all.map((scan) => {
      const [own] = beside
        .filter((file) => belongsTo(file, scan.file))
        .toSorted((one, other) => Number(/\.points$/i.test(other.name)) - Number(/\.points$/i.test(one.name)))
      return own === undefined ? scan : { ...scan, beside: own }
    }),
    alone: beside.filter((file) => !all.some((scan) => belongsTo(file, scan.file))),
  }
}
export const dropScan = (scans: readonly Scan[], key: number): readonly Scan[] =>
  scans.filter((scan) => scan.key !== key)
export const renameScan = (scans: readonly Scan[], key: number, name: string): readonly Scan[] =>
  scans.map((scan) => (scan.key === key ? { ...scan, name } : scan))
export const isNameless = ({ name }: Scan): boolean => name.trim() === ''
