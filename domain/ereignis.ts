// Kinds of events that other people's programs receive. db/nouns/ereignis.sql has the same by half;
// db/test/ereignis.sql.test.ts compares them.
import { type Half, HALVES } from './zugang.ts'

/** By the half whose matter they are. */
export const EVENT_KINDS = {
  draenage: ['document.issued', 'offer.decided', 'plan.published'],
  forst: ['tree.lost'],
} as const satisfies Record<Half, readonly string[]>

export type EventKind = (typeof EVENT_KINDS)[Half][number]

export const ALL_EVENT_KINDS: readonly EventKind[] = HALVES.flatMap(
  (half): readonly EventKind[] => EVENT_KINDS[half],
)

export const isEventKind = (text: string): text is EventKind =>
  (ALL_EVENT_KINDS as readonly string[]).includes(text)
