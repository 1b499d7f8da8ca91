// The product's typeface for the sign-in pages: the file of the built application, under their own name,
// because these pages stand for themselves.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ASSETS = join(import.meta.dirname, '../../web/dist/assets')
/** Its name ends in a hash of its content. */
const LATIN = /^source-sans-3-latin-wght-normal-[\w-]+\.woff2$/

/** Undefined where the application is not built: then the pages have a typeface of the system. */
export function readTypeface(): Buffer | undefined {
  const name = namesIn(ASSETS).find((one) => LATIN.test(one))
  return name === undefined ? undefined : readFileSync(join(ASSETS, name))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
