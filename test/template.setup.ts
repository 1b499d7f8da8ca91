// Suites on the embedded engine start from the template that a first start unpacks.
import { build } from '../scripts/build.ts'

export default (): Promise<void> => build({ ifNeeded: true, only: ['engine', 'database'] })
