// Temporary folders that end with their file of tests.
import { rmSync } from 'node:fs'
import { afterAll } from 'vitest'
import { temporaryFolder } from './app.ts'

/** Makes one at each call. */
export function folderMaker(): () => string {
  const folders: string[] = []
  afterAll(() => folders.forEach((one) => rmSync(one, { recursive: true, force: true })))
  return () => {
    const made = temporaryFolder()
    folders.push(made)
    return made
  }
}
