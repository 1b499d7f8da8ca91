// The official rules of the e-invoice, where the operator has set them up: KoSIT's configuration for XRechnung, applied
// by Java in a process with limits. Whatever goes wrong there is a result like any other: no file is refused for it.
import { fileURLToPath } from 'node:url'
import type { EingangFormat } from '#contract/eingang.ts'
import { type OfficialReason, type OfficialResult, versionName } from '#domain/eingang/official.ts'
import type { RuleFinding } from '#domain/eingang/official-words.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import type { Log } from '#server/log.ts'
import type { Limits } from '#server/reader/confined.ts'
import { ProgramMissingError, runProgram } from '#server/reader/run-program.ts'
import { ReaderFault } from '#server/reader/run-reader.ts'
import type { WorkQueue } from '#server/work-queue.ts'
import { readXmlOf } from './reader.ts'
import type { UploadFolder } from './upload-folder.ts'

export interface RulesOptions {
  /** With scenarios.xml, what it names, and the jars of Saxon. */
  readonly folder: string
  /** The program. */
  readonly java: string
  readonly limits?: Limits
}
export interface RulesGround {
  readonly work: WorkQueue
  readonly uploads: UploadFolder
  /** Of the readers of files. */
  readonly readers: Limits
  readonly log: Log
}
export interface FileToCheck {
  readonly path: string
  readonly format: EingangFormat
  readonly person?: string
  /** Not checked, because its mail brought too many. */
  readonly skip?: boolean
  readonly signal: AbortSignal
}

/** Null: not set up, or nothing that they are about. */
export type CheckByRules = (file: FileToCheck) => Promise<OfficialResult | null>

/** Many times what a usual invoice takes (docs/operations.md). */
export const RULES_LIMITS: Limits = { memoryBytes: 1024 * 2 ** 20, cpuMs: 60_000, wallMs: 60_000 }
const HEAP_MB = 640

const RUNNER = fileURLToPath(new URL('./OfficialRules.java', import.meta.url))
/** One compiler thread and one collector: on a small machine more of them only wait for each other. */
const FLAGS = [
  '-Xshare:auto',
  '-XX:TieredStopAtLevel=1',
  '-XX:+UseSerialGC',
  // Otherwise it leaves a file in /tmp that every user of the machine can read.
  '-XX:-UsePerfData',
  `-Xmx${HEAP_MB}m`,
  '-Djava.awt.headless=true',
]

interface Answer {
  readonly name: string
  readonly date: string
  /** Empty: none fits. */
  readonly scenario: string
  readonly findings: readonly RuleFinding[]
}

export function createRules(options: RulesOptions | null, ground: RulesGround): CheckByRules {
  if (options === null) return async () => null
  return async (file) => {
    if (file.format === 'pdf') return null
    if (file.skip === true) return { reason: 'viele' }
    try {
      return await checked(options, ground, file)
    } catch (error) {
      file.signal.throwIfAborted()
      ground.log.error('official rules not applied', { reason: reasonForLog(error) })
      return { reason: reasonOf(error) }
    }
  }
}

async function checked(
  options: RulesOptions,
  { work, uploads, readers }: RulesGround,
  { path, format, person, signal }: FileToCheck,
): Promise<OfficialResult> {
  const limits = options.limits ?? RULES_LIMITS
  const apply = (invoice: string) =>
    work.run('short', { person, signal }, () => run(options, limits, invoice, signal))
  if (format !== 'zugferd') return apply(path)
  const xml = await work.run('short', { person, signal }, () => readXmlOf(path, { limits: readers, signal }))
  return xml === null ? { reason: 'abbruch' } : uploads.with(xml, apply)
}

async function run(
  { folder, java }: RulesOptions,
  limits: Limits,
  invoice: string,
  signal: AbortSignal,
): Promise<OfficialResult> {
  const command = [java, ...FLAGS, '-cp', `${folder}/*`, RUNNER, folder, invoice]
  // Java reads the names of files by the locale.
  const env = { LC_ALL: 'C.UTF-8', PATH: '/usr/local/bin:/usr/bin:/bin' }
  const answer = JSON.parse(await runProgram(command, { limits, signal, env })) as Answer
  if (answer.scenario === '') return { reason: 'profil' }
  return { version: versionName(answer.name, answer.date), findings: answer.findings }
}

function reasonOf(error: unknown): OfficialReason {
  if (error instanceof ProgramMissingError) return 'start'
  if (!(error instanceof ReaderFault)) return 'abbruch'
  return error.what === 'memory' ? 'speicher' : error.what === 'crash' ? 'abbruch' : 'zeit'
}
