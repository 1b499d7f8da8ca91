// What time the server last said it is: the start and the field mode's connection note it, the field mode
// compares the device's clock with it (features/fieldwork/device-clock.ts).
export interface HeardDate {
  /** Milliseconds since 1970; the server says whole seconds. */
  readonly said: number
  /** Of the device, when the answer was there: wall clock, and the clock that nobody sets. */
  readonly wall: number
  readonly mono: number
  /** Milliseconds that the question took: the server may have said it at any time of these. */
  readonly took: number
}
let heard: HeardDate | null = null
export const heardDate = (): HeardDate | null => heard

/** Only of answers that are certainly the server's own. `asked`: performance.now() before the question. */
export function hearDate(headers: Headers, asked: number): void {
  const said = Date.parse(headers.get('date') ?? '')
  const mono = performance.now()
  if (Number.isFinite(said)) heard = { said, wall: Date.now(), mono, took: mono - asked }
}
