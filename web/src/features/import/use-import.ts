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
import type { ReadTable } from './read-file.ts'
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

export function useImport() {
  const [state, setState] = useState(START)
  const set = (change: Partial<State>) => setState((now) => ({ ...now, ...change }))
  const worker = useRef<CheckWorker | null>(null)
  const known = useRef(new Map<string, KnownKunde | null>())
  const running = useRef<AbortController | null>(null)
  useUnsavedChanges(['zuordnung', 'pruefung', 'uebertragung'].includes(state.step))
  useEffect(
    () => () => {
      running.current?.abort()
      worker.current?.close()
      worker.current = null
    },
    [],
  )

  /** Runs one action at a time; a failure is reported and changes nothing else. */
  async function act(work: (signal: AbortSignal) => Promise<Partial<State>>, onFault: Partial<State> = {}) {
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

  const read = (file: File) =>
    act(async () => {
      worker.current ??= new CheckWorker()
      const table = await worker.current.read(file)
      const saved = await fetchMapping(headerKey(table.headers)).catch(() => null)
      const mapping = saved === null ? proposeMapping(table.headers) : restoreMapping(table.headers, saved)
      return { ...START, step: 'zuordnung', dateiname: file.name, table, mapping, remembered: saved !== null }
    })

  /** Checks, queries which customers already exist, and checks again with the result. */
  async function runCheck(
    signal: AbortSignal,
    mapping: Mapping,
    doppelte: Duplicates,
    apply: readonly Suggestion[] = [],
  ): Promise<CheckResult> {
    const check = (more: { apply: readonly Suggestion[]; mapping: Mapping }) => {
      const vorhanden = [...known.current].flatMap(([key, kunde]) =>
        kunde === null ? [] : [[key, kunde] as const],
      )
      return worker.current!.check({ doppelte, vorhanden, now: Date.now(), ...more })
    }
    const first = await check({ mapping, apply })
    const unknown = first.kunden.filter(({ schluessel }) => !known.current.has(schluessel))
    if (unknown.length === 0) return first
    const found = new Map(await findKunden(unknown, signal))
    for (const { schluessel } of unknown) known.current.set(schluessel, found.get(schluessel) ?? null)
    return found.size === 0 ? first : check({ mapping: first.mapping, apply: [] })
  }

  const check = () =>
    act(async (signal) => {
      // Somebody may have created one of them since.
      known.current.clear()
      const { table, mapping, doppelte } = state
      const pruefung = await runCheck(signal, mapping, doppelte)
      if (table)
        await rememberMapping(headerKey(table.headers), saveMapping(table.headers, mapping)).catch(
          () => undefined,
        )
      return { step: 'pruefung', pruefung }
    })
  const setDuplicates = (doppelte: Duplicates) =>
    act(async (signal) => ({ doppelte, pruefung: await runCheck(signal, state.mapping, doppelte) }))
  const apply = (suggestions: readonly Suggestion[]) =>
    act(async (signal) => {
      const pruefung = await runCheck(signal, state.mapping, state.doppelte, suggestions)
      const rows = state.table
        ? applySuggestions({ ...state.table, mapping: state.mapping }, suggestions).rows
        : []
      return { pruefung, mapping: pruefung.mapping, table: state.table && { ...state.table, rows } }
    })

  const run = () =>
    act(
      async (signal) => {
        const { dateiname, doppelte, pruefung } = state
        set({ step: 'uebertragung', uploaded: 0 })
        const lines = await worker.current!.lines()
        const name =
          dateiname
            .replace(/\p{Cc}+/gu, ' ')
            .trim()
            .slice(0, 200) || 'Import'
        const bericht = await runImport(lines, {
          dateiname: name,
          doppelte,
          signal,
          onProgress: (uploaded) => set({ uploaded }),
        })
        if (bericht.zustand === 'fertig') return { step: 'ergebnis', bericht }
        const faults = faultsOfReport(bericht)
        const error = t('Die Datenbank hat {n} Fehler gefunden. Es wurde nichts angelegt.', {
          n: bericht.fehlerzahl,
        })
        return { step: 'pruefung', error, pruefung: pruefung && { ...pruefung, faults, gesperrt: true } }
      },
      { step: 'pruefung' },
    )

  return {
    ...state,
    read,
    check,
    setDuplicates,
    apply,
    run,
    setMapping: (mapping: Mapping) => set({ mapping, remembered: false }),
    cancel: () => running.current?.abort(),
    backTo: (step: Step) => set({ step, error: null }),
    restart: () => {
      running.current?.abort()
      setState(START)
    },
  }
}
export type ImportState = ReturnType<typeof useImport>
