// The open entries with their suggestions, and what can be done with an entry.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { BankMade, BankUmsatz } from '#contract/zahlung.ts'
import { formatEuro } from '#domain/geld.ts'
import { reconcileAll } from '#domain/reconciliation/received.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import {
  matchAll,
  openQuery,
  putAway,
  reconciliationQuery,
  undoMatch,
  useBankAct,
  useTakeAway,
} from './bank.data.ts'
import {
  matchesOf,
  numbersOf,
  rechnungenOf,
  type OpenEntry,
  type Rechnungen,
  restOf,
  sureOf,
} from './reconciliation.ts'

/** `entries`: null while they load. */
export function useOpenEntries() {
  const open = useQuery(openQuery)
  const known = useQuery(reconciliationQuery)
  const umsaetze = open.data
  const data = known.data
  const entries = useMemo<readonly OpenEntry[] | null>(() => {
    if (umsaetze === undefined || data === undefined) return null
    const results = reconcileAll(umsaetze, data, data.received)
    return umsaetze.map((umsatz, index) => ({ umsatz, ergebnis: results[index]! }))
  }, [umsaetze, data])
  const rechnungen = useMemo<Rechnungen>(
    () => (data === undefined ? new Map() : rechnungenOf(data.rechnungen, data.received)),
    [data],
  )
  const failed = [open, known].find((query) => query.isError && query.data === undefined)
  return {
    entries,
    rechnungen,
    error: failed?.error ?? null,
    retry: () => {
      void open.refetch()
      void known.refetch()
    },
  }
}

/** An assignment that was made. */
export interface Matched {
  readonly numbers: string
  /** Nothing of the entry is left. */
  readonly isGone: boolean
  readonly made: BankMade
}
export type EntryActs = ReturnType<typeof useEntryActs>
/** `onDone`: called before a finished entry leaves the list. */
export function useEntryActs(rechnungen: Rechnungen, onDone: (umsatz: BankUmsatz) => void) {
  const takeAway = useTakeAway()
  const accept = useBankAct(matchAll)
  const putAside = useBankAct(({ id, erledigt }: { id: number; erledigt: boolean }) => putAway(id, erledigt))
  const undo = useBankAct(({ id, made }: { id: number; made: BankMade }) =>
    undoMatch(id, t('Zuordnung rückgängig gemacht'), made),
  )
  const onError = (error: unknown) => toast.error(messageOf(error))
  function done(umsatz: BankUmsatz, message: string, back: () => Promise<unknown>, isGone = true) {
    onDone(umsatz)
    if (isGone) takeAway(new Set([umsatz.id]))
    toast.undo(message, () => back().catch(onError))
  }
  const matched = (umsatz: BankUmsatz, { numbers, isGone, made }: Matched) =>
    done(
      umsatz,
      t('{betrag} zugeordnet: {nummern}', { betrag: formatEuro(umsatz.rest), nummern: numbers }),
      () => undo.mutateAsync({ id: umsatz.id, made }),
      isGone,
    )
  return {
    isAccepting: accept.isPending,
    busy: accept.isPending || putAside.isPending,
    matched,
    /** Accepts the first suggestion. */
    assign: ({ umsatz, ergebnis: { suggestions } }: OpenEntry) => {
      const [suggestion] = suggestions
      if (suggestion === undefined || accept.isPending) return
      accept.mutate(matchesOf(umsatz, suggestion), {
        onSuccess: (made) =>
          matched(umsatz, {
            numbers: numbersOf(suggestion, rechnungen),
            isGone: restOf(umsatz, suggestion).wert === 0n,
            made,
          }),
        onError,
      })
    },
    setAside: (umsatz: BankUmsatz) => {
      const back = () => putAside.mutateAsync({ id: umsatz.id, erledigt: false })
      const message = t('{betrag} gehört nicht hierher.', { betrag: formatEuro(umsatz.rest) })
      putAside.mutate(
        { id: umsatz.id, erledigt: true },
        { onSuccess: () => done(umsatz, message, back), onError },
      )
    },
    acceptAll: (sure: readonly OpenEntry[], onAccepted: () => void) =>
      accept.mutateAsync(sure.flatMap((entry) => matchesOf(entry.umsatz, sureOf(entry)!))).then(() => {
        takeAway(new Set(sure.map(({ umsatz }) => umsatz.id)))
        toast.success(
          sure.length === 1
            ? t('1 Umsatz ist zugeordnet.')
            : t('{n} Umsätze sind zugeordnet.', { n: sure.length }),
        )
        onAccepted()
      }),
  }
}
