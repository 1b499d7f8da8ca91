// The journeys and byte budgets test the build, which must match the current sources even if a suite is
// started alone.
import { build } from '../scripts/build.ts'

export default (): Promise<void> => build({ ifNeeded: true })
