// The fonts of the letter.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, 'font')

/** Always in the same order, so that the same document gives the same bytes. */
export const fontFiles = (): Buffer[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.ttf'))
    .sort()
    .map((file) => readFileSync(join(FOLDER, file)))
