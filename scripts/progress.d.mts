export interface LongStep {
  readonly title: string
  /** Seconds on two cores. */
  readonly expected: number
  /** Writes a line; without it the console. */
  readonly say?: (line: string) => void
}
export function withProgress<T>(step: LongStep, work: () => Promise<T>): Promise<T>
