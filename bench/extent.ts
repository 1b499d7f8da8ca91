// How much is measured. VOLL=1: also what takes minutes. SHORT=1: a fraction of it, to see that the measures work; the tests run each bench so.

export const VOLL = process.env['VOLL'] === '1'
export const SHORT = process.env['SHORT'] === '1'
