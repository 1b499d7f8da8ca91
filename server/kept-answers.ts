// Where the data API keeps answers to writes that came with a key (db/nouns/kept-answer.sql).
import type { KeptAnswers } from './data-api/write-once.ts'

/**
 * Calls whose answer is a secret that is shown once and stored as a digest only. Their keys are kept without
 * it.
 */
export const TELL_ONCE: ReadonlySet<string> = new Set(['a_add_annahme_link', 'a_issue_gutschein_code'])

export const keptAnswers: KeptAnswers = {
  take: (key, digest) => ({
    text: 'select repeated, same, status, headers, body from accounts.take_key($1, $2)',
    values: [key, digest],
  }),
  keep: (key, { status, headers, body }, call) => ({
    text: 'select accounts.keep_answer($1, $2, $3::jsonb, $4)',
    values:
      call !== null && TELL_ONCE.has(call)
        ? [key, null, '{}', null]
        : [key, status, JSON.stringify(headers), body],
  }),
}
