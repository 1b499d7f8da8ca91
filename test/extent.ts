// How much is tested. `npm test`: every rule, of many like cases a part that changes with the day. `npm run
// test:voll`: all of them on each engine, and what takes minutes.

export const VOLL = process.env['VOLL'] === '1'
/** Each suite on both engines: the full run, and `npm run test:doors`. */
export const BOTH_ENGINES = VOLL || process.env['BOTH_ENGINES'] === '1'
/** PostgreSQL alone where it is installed: `npm run try` asks the same question many times. */
export const ONE_ENGINE = process.env['ONE_ENGINE'] === '1'
/**
 * The number of the day. `npm test` runs a different part of the many like cases each day, so that all have
 * run after some days; TEST_DAY repeats the part of another day.
 */
export const DAY = Number(process.env['TEST_DAY'] ?? Math.floor(Date.now() / 86_400_000))
/** Whether the case of this number is among one of `parts` today; in the full run each is. */
export const isToday = (nr: number, parts: number): boolean => VOLL || (nr + DAY) % parts === 0
