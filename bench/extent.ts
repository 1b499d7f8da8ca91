// How much is measured. VOLL=1 adds what takes minutes. SHORT=1 measures a fraction, to see that the
// measurements work; the tests run each bench like this.

export const VOLL = process.env['VOLL'] === '1'
export const SHORT = process.env['SHORT'] === '1'
/** Of a bench that measures both engines those that are named: ENGINES=embedded. */
export const ENGINES: readonly string[] = (process.env['ENGINES'] ?? 'postgres,embedded').split(',')
