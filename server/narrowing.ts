// What the data API asks the database before it reads (db/nouns/narrowing.sql).
import type { Database } from './database/database.ts'
import type { Narrowing } from './data-api/narrow-plan.ts'

export async function readNarrowing(database: Database): Promise<Narrowing> {
  const { rows } = await database.once<{ relation: string }>(
    { role: 'nutzer', settings: {}, readOnly: true },
    { text: 'select unnest(search.narrowed()) as relation' },
  )
  return {
    relations: new Set(rows.map(({ relation }) => relation)),
    column: 'suchtext',
    of: (relation, { patterns, conditions }) => ({
      name: 'narrow',
      text: 'select spalte as column, to_json(ids)::text as ids from search.narrow($1, $2, $3)',
      values: [relation, patterns, JSON.stringify(conditions)],
    }),
  }
}
