// `npm run test:failover`: ten takeovers on two PostgreSQL servers that Patroni looks after, under load. Needs Debian:
// PostgreSQL with PostGIS, and Patroni and etcd, which are unpacked without being installed.
import { atMost, report, shown } from '../figures.ts'
import { unpackPatroni } from '../../test/patroni.ts'
import { endsOf, failover } from '../../e2e/failover.ts'

const ROUNDS = Number(process.env['ROUNDS'] ?? 10)
const MOST_S = 15

if (!unpackPatroni()) {
  console.error('Patroni, etcd oder PostgreSQL mit PostGIS fehlt (apt-get download patroni etcd-server)')
  process.exit(1)
}
const { takeovers, helped, saves, lostSaves, invoices, signedOut, renewals, untold, faults } = await failover(
  endsOf(ROUNDS),
)
for (const { end, decidedS, firstSaveS, reads } of takeovers)
  console.log(
    `${end}: another primary after ${decidedS.toFixed(1)} s, the first change ${firstSaveS.toFixed(1)} s later; ` +
      `until then ${reads.served} reads were served and ${reads.refused} refused`,
  )
for (const line of signedOut) console.log(line)
for (const [what, times] of Object.entries(faults)) console.log(`${times} × ${what}`)

const sum = (of: (one: (typeof takeovers)[number]) => number): number =>
  takeovers.map(of).reduce((a, b) => a + b, 0)
const most = (of: (one: (typeof takeovers)[number]) => number): number => Math.max(...takeovers.map(of))
const reads = sum((one) => one.reads.served + one.reads.refused)
report('failover', [
  shown('takeovers', takeovers.length, ''),
  shown('after them Patroni had to be told of its standby', helped, 'times'),
  shown(
    'until another server is the primary, the slowest',
    most((one) => one.decidedS),
    's',
  ),
  atMost(
    'from then until the first change, the slowest',
    MOST_S,
    most((one) => one.firstSaveS),
    's',
  ),
  shown('changes confirmed', saves, ''),
  atMost('changes confirmed and lost', 0, lostSaves, ''),
  shown('invoices issued', invoices.issued, ''),
  atMost('invoices confirmed and lost', 0, invoices.lost, ''),
  atMost('gaps, doubles and halves of invoices', 0, invoices.gaps + invoices.doubles + invoices.halves, ''),
  atMost('broken chains and files', 0, invoices.brokenChains + invoices.badFiles, ''),
  atMost('issued invoices of which no program was told', 0, untold, ''),
  shown('sessions renewed', renewals, ''),
  atMost('people signed out', 0, signedOut.length, ''),
  shown('reads served while nothing took changes', (sum((one) => one.reads.served) / reads) * 100, '%'),
  atMost(
    'answers that are neither the one asked for nor "later"',
    0,
    Object.values(faults).reduce((a, b) => a + b, 0),
    '',
  ),
])
