// The official rules for a handful of files at once: one run of Java over all of them
// (test/einvoice/Validate.java).
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fetchValidator } from './fetch-validator.ts'

export interface Finding {
  /** Which set of rules: "XSD D16B", "CEN 1.3.16", "XRechnung 3.0.2", "veraPDF 3a", "Mustang" … */
  readonly source: string
  readonly severity: 'fatal' | 'error' | 'warning' | 'information'
  /** BR-CO-10, BR-DE-18, 6.2.2-1 … */
  readonly id: string
  readonly location: string
  readonly text: string
}

export interface Validation {
  readonly file: string
  /** BT-24 as it stands in the file. */
  readonly profile: string
  /** How often a rule of each set was tried. None tried is no proof. */
  readonly fired: Readonly<Record<string, number>>
  readonly findings: readonly Finding[]
}

const fetched = fetchValidator()
/**
 * Null where the rules are here, else what is missing: the tests that need them are skipped then, and counted
 * as skipped.
 */
export const missingValidator: string | null = 'missing' in fetched ? fetched.missing : null

/**
 * "xml+mustang": the arithmetic of Mustang as well, at a fifth of a second a file. "pdf": a hybrid invoice.
 * "pdfa": a PDF without an invoice in it, an offer.
 */
export type Task = readonly [kind: 'xml' | 'xml+mustang' | 'pdf' | 'pdfa', file: string]

/** All of them in one run, answers in the order of the tasks. */
export function validate(tasks: readonly Task[]): Validation[] {
  if ('missing' in fetched) throw new Error(fetched.missing)
  if (tasks.length === 0) return []
  // One thread compiles and one collects garbage: on two shared cores more of them only wait for each other.
  const java = spawnSync(
    'java',
    [
      '-Xshare:auto',
      '-XX:TieredStopAtLevel=1',
      '-XX:+UseSerialGC',
      '-Xmx1g',
      '-cp',
      fetched.classpath,
      join(import.meta.dirname, 'Validate.java'),
    ],
    {
      encoding: 'utf8',
      // Java reads names of files as the locale says; without one it knows no umlaut.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
      input: tasks.map(([kind, file]) => `${kind}\t${file}\n`).join(''),
      maxBuffer: 64 * 2 ** 20,
      timeout: 600_000,
    },
  )
  const answers = java.stdout.split('\n').filter((line) => line !== '')
  if (java.status !== 0 || answers.length !== tasks.length)
    throw new Error(
      `the validator answered ${answers.length} of ${tasks.length} files and ended with ${java.status}:\n${java.stderr.slice(-4000)}`,
    )
  return answers.map((line) => JSON.parse(line) as Validation)
}

/** Schema D16B, schema of ZUGFeRD 2.5, rules of CEN, and those of the profile that the file names. */
export const validateXml = (files: readonly string[]): Validation[] =>
  validate(files.map((file) => ['xml', file]))

/**
 * PDF/A in the flavour that the file names (and PDF/UA where it does), Mustang's rules of the hybrid, and all
 * of validateXml for what is attached.
 */
export const validatePdf = (files: readonly string[]): Validation[] =>
  validate(files.map((file) => ['pdf', file]))

/** What is not right, as one reads it; information is no fault. */
export const faultsOf = ({ findings }: Validation): string[] =>
  findings
    .filter(({ severity }) => severity !== 'information')
    .map(({ source, severity, id, text }) => `${source} ${severity} ${id}: ${text}`)
