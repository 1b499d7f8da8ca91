// Where the data API keeps answers to writes that came with a key (db/nouns/kept-answer.sql).
import type { KeptAnswers } from './data-api/write-once.ts'

export const keptAnswers: KeptAnswers = {
  take: (key, digest) => ({
    text: 'select repeated, same, status, headers, body from accounts.take_key($1, $2)',
    values: [key, digest],
  }),
  keep: (key, { status, headers, body }) => ({
    text: 'select accounts.keep_answer($1, $2, $3::jsonb, $4)',
    values: [key, status, JSON.stringify(headers), body],
  }),
}
