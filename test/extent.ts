// How much is tested. `npm test`: every rule once. `npm run test:voll`: the same on each engine, and what
// takes minutes.

export const VOLL = process.env['VOLL'] === '1'
