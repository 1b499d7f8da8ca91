// For outputs.test.ts: a process that complains, at length.
process.stderr.write('decoder: strange byte\nsecond line\n')
process.stderr.write(`${'x'.repeat(100_000)}\n`)
