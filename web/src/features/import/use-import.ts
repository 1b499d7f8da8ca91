// State and actions of an import, from the file to the report.
import { useEffect, useRef, useState } from 'react'
import type { ImportReport } from '#contract/import.ts'
import { applySuggestions, type KnownKunde, type Duplicates } from '#domain/import.ts'
import { FAULTS, type Fault, type FaultKind, makeFault } from '#domain/import-faults.ts'
import {
  type FieldKey,
  headerKey,
  type Mapping,
  proposeMapping,
  restoreMapping,
  saveMapping,
} from '#domain/import-fields.ts'
import type { Suggestion } from '#domain/import-row.ts'
import { ApiError } from '../../data/api-error.ts'
import { t } from '../../ui/text.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { FileFault, fileFaultText } from './file-faults.ts'
import { fetchMapping, findKunden, runImport, rememberMapping } from './import.data.ts'
import type { ReadTable } from '#domain/import-table.ts'
import { type CheckResult, CheckWorker } from './worker-messages.ts'

export const STEPS = ['datei', 'zuordnung', 'pruefung', 'uebertragung', 'ergebnis'] as const
export type Step = (typeof STEPS)[number]

interface State {
  readonly step: Step
  readonly dateiname: string
  readonly table: ReadTable | null
  readonly mapping: Mapping
  /** Whether the mapping was remembered for these headings. */
  readonly remembered: boolean
  readonly doppelte: Duplicates
  readonly pruefung: CheckResult | null
  /** Rows uploaded; null while customers are being created. */
  readonly uploaded: number | null
  readonly bericht: ImportReport | null
  readonly busy: boolean
  readonly error: string | null
}
const START: State = {
  step: 'datei',
  dateiname: '',
  table: null,
  mapping: [],
  remembered: false,
  doppelte: 'anhalten',
  pruefung: null,
  uploaded: 0,
  bericht: null,
  busy: false,
  error: null,
}

function errorText(error: unknown): string {
  if (error instanceof FileFault) return fileFaultText(error)
  if (error instanceof ApiError) return error.message
  return t(
    'Ein unerwarteter Fehler ist aufgetreten. Bitte laden Sie die Seite neu oder rufen Sie den Support an.',
  )
}

/** The faults reported by the database, in the same form as the others. */
export function faultsOfReport({ fehler }: Pick<ImportReport, 'fehler'>): Fault[] {
  return fehler.flatMap(({ zeile, feld, art, angaben }) =>
    Object.hasOwn(FAULTS, art) ? [makeFault(zeile, feld as FieldKey, art as FaultKind, angaben)] : [],
  )
}

type Act = (
  work: (signal: AbortSignal) => Promise<Partial<State>>,
  /** What else changes if it fails. */
  onFault?: Partial<State>,
) => Promise<void>

/** The state, and actions on it of which one runs at a time; a failed one is reported. */
function useActs() {
  const [state, setState] = useState(START)
  const set = (change: Partial<State>) => setState((now) => ({ ...now, ...change }))
  const running = useRef<AbortController | null>(null)
  useUnsavedChanges(['zuordnung', 'pruefung', 'uebertragung'].includes(state.step))
  useEffect(() => () => running.current?.abort(), [])

  const act: Act = async (work, onFault = {}) => {
    const control = new AbortController()
    running.current?.abort()
    running.current = control
    set({ busy: true, error: null })
    try {
      const change = await work(control.signal)
      if (!control.signal.aborted) set({ ...change, busy: false })
    } catch (error) {
      // Cancelling is not a fault, and a replaced action reports nothing.
      if (running.current === control)
        set({ ...onFault, busy: false, error: control.signal.aborted ? null : errorText(error) })
    }
  }
  const cancel = () => running.current?.abort()
  const restart = () => {
    cancel()
    setState(START)
  }
  return { state, set, act, cancel, restart }
}

interface Check {
  readonly mapping: Mapping
  readonly doppelte: Duplicates
  readonly apply?: readonly Suggestion[]
}

/** Reads and checks the file in its own worker. */
function useChecks() {
  const worker = useRef<CheckWorker | null>(null)
  /** Customers asked for by key; null: there is none. */
  const known = useRef(new Map<string, KnownKunde | null>())
  useEffect(
    () => () => {
      worker.current?.close()
      worker.current = null
    },
    [],
  )

  /** Checks, queries which customers already exist, and checks again with the result. */
  async function check(signal: AbortSignal, { mapping, doppelte, apply = [] }: Check): Promise<CheckResult> {
    const checkRows = (more: { apply: readonly Suggestion[]; mapping: Mapping }) => {
      const existing = [...known.current].flatMap(([key, kunde]) =>
        kunde === null ? [] : [[key, kunde] as const],
      )
      return worker.current!.check({ doppelte, vorhanden: existing, now: Date.now(), ...more })
    }
    const first = await checkRows({ mapping, apply })
    const unknown = first.kunden.filter(({ schluessel }) => !known.current.has(schluessel))
    if (unknown.length === 0) return first
    const found = new Map(await findKunden(unknown, signal))
    for (const { schluessel } of unknown) known.current.set(schluessel, found.get(schluessel) ?? null)
    return found.size === 0 ? first : checkRows({ mapping: first.mapping, apply: [] })
  }
  return {
    check,
    read: (file: File) => (worker.current ??= new CheckWorker()).read(file),
    lines: () => worker.current!.lines(),
    /** Somebody may have created one of them since. */
    forget: () => known.current.clear(),
  }
}

async function readTable(file: File, table: ReadTable): Promise<State> {
  const saved = await fetchMapping(headerKey(table.headers)).catch(() => null)
  const mapping = saved === null ? proposeMapping(table.headers) : restoreMapping(table.headers, saved)
  return { ...START, step: 'zuordnung', dateiname: file.name, table, mapping, remembered: saved !== null }
}

/** The name under which the import is recorded: one line of at most 200 characters. */
const recordName = (fileName: string): string =>
  fileName
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 200) || 'Import'

function stateOfReport(report: ImportReport, check: CheckResult | null): Partial<State> {
  if (report.zustand === 'fertig') return { step: 'ergebnis', bericht: report }
  const error = t('Die Datenbank hat {n} Fehler gefunden. Es wurde nichts angelegt.', {
    n: report.fehlerzahl,
  })
  const faults = faultsOfReport(report)
  return { step: 'pruefung', error, pruefung: check && { ...check, faults, gesperrt: true } }
}

export function useImport() {
  const { state, set, act, cancel, restart } = useActs()
  const checks = useChecks()
  const { table, mapping, doppelte, pruefung, dateiname } = state

  const run = async (signal: AbortSignal) => {
    set({ step: 'uebertragung', uploaded: 0 })
    const report = await runImport(await checks.lines(), {
      dateiname: recordName(dateiname),
      doppelte,
      signal,
      onProgress: (uploaded) => set({ uploaded }),
    })
    return stateOfReport(report, pruefung)
  }
  return {
    ...state,
    read: (file: File) => act(async () => readTable(file, await checks.read(file))),
    check: () =>
      act(async (signal) => {
        checks.forget()
        const checked = await checks.check(signal, { mapping, doppelte })
        if (table)
          await rememberMapping(headerKey(table.headers), saveMapping(table.headers, mapping)).catch(
            () => undefined,
          )
        return { step: 'pruefung', pruefung: checked }
      }),
    setDuplicates: (wanted: Duplicates) =>
      act(async (signal) => ({
        doppelte: wanted,
        pruefung: await checks.check(signal, { mapping, doppelte: wanted }),
      })),
    apply: (suggestions: readonly Suggestion[]) =>
      act(async (signal) => {
        const checked = await checks.check(signal, { mapping, doppelte, apply: suggestions })
        const rows = table ? applySuggestions({ ...table, mapping }, suggestions).rows : []
        return { pruefung: checked, mapping: checked.mapping, table: table && { ...table, rows } }
      }),
    run: () => act(run, { step: 'pruefung' }),
    setMapping: (wanted: Mapping) => set({ mapping: wanted, remembered: false }),
    cancel,
    backTo: (step: Step) => set({ step, error: null }),
    restart,
  }
}
export type ImportState = ReturnType<typeof useImport>
