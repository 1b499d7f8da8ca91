// Checks several files against the official rules in one run of Java (test/einvoice/Validate.java).
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fetchValidator } from './fetch-validator.ts'

export interface Finding {
  /** The set of rules: "XSD D16B", "CEN 1.3.16", "XRechnung 3.0.2", "veraPDF 3a", "Mustang" … */
  readonly source: string
  readonly severity: 'fatal' | 'error' | 'warning' | 'information'
  /** BR-CO-10, BR-DE-18, 6.2.2-1 … */
  readonly id: string
  readonly location: string
  readonly text: string
}

export interface Validation {
  readonly file: string
  /** BT-24 as written in the file. */
  readonly profile: string
  /** How many rules of each set were applied. Zero proves nothing. */
  readonly fired: Readonly<Record<string, number>>
  readonly findings: readonly Finding[]
}

const fetched = fetchValidator()
/**
 * Null if the rules are available, otherwise what is missing: the tests that need them are then skipped and
 * counted as skipped.
 */
export const missingValidator: string | null = 'missing' in fetched ? fetched.missing : null

/**
 * "xml+mustang": also Mustang's arithmetic, at a fifth of a second per file. "pdf": a hybrid invoice. "pdfa":
 * a PDF without an embedded invoice, such as an offer.
 */
export type Task = readonly [kind: 'xml' | 'xml+mustang' | 'pdf' | 'pdfa', file: string]

/** All tasks in one run; results in the order of the tasks. */
export function validate(tasks: readonly Task[]): Validation[] {
  if ('missing' in fetched) throw new Error(fetched.missing)
  if (tasks.length === 0) return []
  // One compiler thread and one garbage collector: on two shared cores, more of them would only wait for each
  // other.
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
      // Java decodes file names by the locale; without one, umlauts fail.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
      input: tasks.map(([kind, file]) => `${kind}\t${file}\n`).join(''),
      maxBuffer: 64 * 2 ** 20,
      timeout: 600_000,
    },
  )
  const answers = java.stdout.split('\n').filter((line) => line !== '')
  if (java.status !== 0 || answers.length !== tasks.length)
    throw new Error(
      `the validator answered ${answers.length} of ${tasks.length} files and ended with ` +
        `${java.status}:\n${java.stderr.slice(-4000)}`,
    )
  return answers.map((line) => JSON.parse(line) as Validation)
}

/** Schema D16B, schema of ZUGFeRD 2.5, rules of CEN, and those of the profile named in the file. */
export const validateXml = (files: readonly string[]): Validation[] =>
  validate(files.map((file) => ['xml', file]))

/**
 * PDF/A in the flavour named in the file (and PDF/UA if named), Mustang's rules for hybrids, and all of
 * validateXml for the attachment.
 */
export const validatePdf = (files: readonly string[]): Validation[] =>
  validate(files.map((file) => ['pdf', file]))

/** The findings in readable form, without mere information. */
export const faultsOf = ({ findings }: Validation): string[] =>
  findings
    .filter(({ severity }) => severity !== 'information')
    .map(({ source, severity, id, text }) => `${source} ${severity} ${id}: ${text}`)
