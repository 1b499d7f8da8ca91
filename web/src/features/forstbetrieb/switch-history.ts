// Since when a switch has its current state, and who set it: read from the history.
import type { HistoryEntry } from '#contract/history.ts'

export interface Since {
  readonly zeit: string
  readonly wer: string | null
}

/**
 * The newest entry that set the field; null if the history does not reach back that far (sample data, an
 * import of old records). `entries` are newest first.
 */
export function sinceOf(
  entries: readonly Pick<HistoryEntry, 'zeit' | 'wer' | 'aktion' | 'neu'>[],
  field: string,
): Since | null {
  const set = entries.find(
    ({ aktion, neu }) => aktion === 'geaendert' && neu !== null && Object.hasOwn(neu, field),
  )
  if (set !== undefined) return { zeit: set.zeit, wer: set.wer }
  return null
}
