// How much is tested. `npm test`: every rule once. `npm run test:voll`: the same on each engine, and what
// takes minutes.

export const VOLL = process.env['VOLL'] === '1'
/** PostgreSQL alone where it is installed: `npm run try` asks the same question many times. */
export const ONE_ENGINE = process.env['ONE_ENGINE'] === '1'
