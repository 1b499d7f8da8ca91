// One table of figures per bench (required and measured), printed and kept in bench/out.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SHORT } from './extent.ts'

export interface Figure {
  readonly figure: string
  /** null: shown for comparison only, with no requirement. */
  readonly asked: string | null
  readonly measured: number
  readonly unit: string
  readonly ok: boolean | null
}

/** Rounds to at least two significant digits. */
const rounded = (value: number): number => {
  const size = Math.abs(value)
  return size >= 100
    ? Math.round(value)
    : size >= 10
      ? Math.round(value * 10) / 10
      : Number(value.toPrecision(2))
}

export const atMost = (figure: string, limit: number, measured: number, unit: string): Figure => ({
  figure,
  asked: `<= ${limit}`,
  measured: rounded(measured),
  unit,
  ok: measured <= limit,
})
export const atLeast = (figure: string, limit: number, measured: number, unit: string): Figure => ({
  figure,
  asked: `>= ${limit}`,
  measured: rounded(measured),
  unit,
  ok: measured >= limit,
})
export const shown = (figure: string, measured: number, unit: string): Figure => ({
  figure,
  asked: null,
  measured: rounded(measured),
  unit,
  ok: null,
})

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN

/** Unit of what a hand does; independent of the machine. */
export const PRESSES = 'presses'

/** A short run judges only what must hold at any size: that nothing is lost, doubled or wrong, and presses. */
const judged = (figure: Figure): Figure =>
  SHORT && figure.asked !== '<= 0' && figure.unit !== PRESSES ? { ...figure, asked: null, ok: null } : figure

/**
 * Prints, writes bench/out/<name>.json (<name>.short.json for a short run) and fails the process if a budget
 * was missed.
 */
export function report(name: string, measured: readonly Figure[]): void {
  const figures = measured.map(judged)
  const folder = join(import.meta.dirname, 'out')
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, SHORT ? `${name}.short.json` : `${name}.json`),
    `${JSON.stringify(figures, null, 2)}\n`,
  )
  const width = Math.max(...figures.map(({ figure }) => figure.length)) + 2
  const row = (figure: string, asked: string, measured: string, verdict: string) =>
    `${figure.padEnd(width)}${asked.padStart(12)}${measured.padStart(16)}  ${verdict}`
  console.log(row('figure', 'asked', 'measured', ''))
  for (const { figure, asked, measured, unit, ok } of figures) {
    console.log(row(figure, asked ?? '–', `${measured} ${unit}`, ok === null ? '' : ok ? 'ok' : 'MISSED'))
  }
  if (figures.some(({ ok }) => ok === false)) process.exitCode = 1
}
