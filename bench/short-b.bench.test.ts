import { BENCHES, runShort } from './short.fixture.ts'

runShort(BENCHES.slice(BENCHES.length / 2))
