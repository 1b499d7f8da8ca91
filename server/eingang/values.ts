// What the database gets of a received file, no matter how it arrived.
import { EINGANG_FILE_NAME } from '#contract/eingang.ts'
import { type OfficialResult, rulesApplied, withOfficial } from '#domain/eingang/official.ts'
import type { ReadFile } from './read-file.ts'

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

/** Parameters of books.add_eingang. */
export const valuesOf = (
  name: string,
  bytes: Buffer,
  read: ReadFile,
  official: OfficialResult | null,
): readonly (string | null)[] => [
  name,
  bytes.toString('base64'),
  read.format,
  read.profil ?? '',
  rulesApplied(official),
  json(read.invoice),
  json(withOfficial(read.faults, official)),
  json(read.head),
]

/** Without folders, signs that are not seen or turn the direction of reading, and blanks at the ends. */
export function cleanName(text: string): string {
  const last = text.split(/[/\\]/).at(-1) ?? ''
  const line = last
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .trim()
  return Array.from(line).slice(0, EINGANG_FILE_NAME).join('').trim()
}
