// The journeys and byte budgets look at what is built: it must be of the present sources, also when a suite
// is started by itself.
import { build } from '../scripts/build.ts'

export default (): Promise<void> => build({ ifNeeded: true })
