// Suites on the embedded engine start from the template that a first start unpacks.
import { build } from '../scripts/build.ts'
import { ONE_ENGINE } from './extent.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'

export default async (): Promise<void> => {
  if (ONE_ENGINE && findPostgresBinaries() !== undefined) return
  await build({ ifNeeded: true, only: ['engine', 'database'] })
}
