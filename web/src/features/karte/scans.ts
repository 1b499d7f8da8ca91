// The scans of new plans before they are uploaded: each becomes a plan with a name of its own.
import { nameFromFile } from './karte-words.ts'

export interface Scan {
  readonly key: number
  readonly file: File
  readonly name: string
}
/** At once. */
export const MOST_SCANS = 50

/** Named after their files. Those beyond the limit are left out. */
export function addScans(scans: readonly Scan[], files: readonly File[]): readonly Scan[] {
  const first = Math.max(0, ...scans.map(({ key }) => key)) + 1
  const added = files.map((file, at) => ({
    key: first + at,
    file,
    name: nameFromFile(file.name) || file.name,
  }))
  return [...scans, ...added].slice(0, MOST_SCANS)
}
export const dropScan = (scans: readonly Scan[], key: number): readonly Scan[] =>
  scans.filter((scan) => scan.key !== key)
export const renameScan = (scans: readonly Scan[], key: number, name: string): readonly Scan[] =>
  scans.map((scan) => (scan.key === key ? { ...scan, name } : scan))
export const isNameless = ({ name }: Scan): boolean => name.trim() === ''
