// A process that fails on demand, for the tests of the renderer: it does what the closing text says.
import type { BelegRequest } from './renderer-worker.ts'

process.on('message', ({ id, beleg }: BelegRequest) => {
  if (beleg.zuerl === 'hang') for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
  if (beleg.zuerl === 'end') process.exit(3)
  if (beleg.zuerl === 'throw') throw new Error('broken')
  process.send?.({ id, kind: 'pdf', bytes: new TextEncoder().encode(beleg.nummer) })
})
