// Changes of saved views, with what is said when one fails.
import { ApiError } from '../data/api-error.ts'
import { t } from '../ui/text.ts'
import { toast } from '../ui/toasts.ts'
import { useChangeViews, type ViewChange } from './views.data.ts'

/**
 * Carries out a change and reports errors as a toast, unless `failed` handles them, as for a name that is
 * taken.
 */
export function useCarryOut(list: string) {
  const { mutate, isPending } = useChangeViews(list)
  const carryOut = (change: ViewChange, done: () => void, failed?: (fault: unknown) => boolean) => {
    if (isPending) return
    mutate(change, {
      onSuccess: done,
      onError: (fault) => {
        if (failed?.(fault)) return
        toast.error(fault instanceof ApiError ? fault.message : t('Ein unerwarteter Fehler ist aufgetreten.'))
      },
    })
  }
  return { carryOut, busy: isPending }
}
/** Another view has that name. */
export const isTaken = (fault: unknown): boolean => fault instanceof ApiError && fault.origin === '23505'

/** What can be stored of a search. */
const MOST_CHARACTERS = 2_000
export const tooLong = (suche: string): string | null =>
  suche.length > MOST_CHARACTERS
    ? t('Diese Suche ist zu lang zum Speichern. Bitte weniger Filter wählen.')
    : null
