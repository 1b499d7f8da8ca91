// Cases of the dialect: rows written into views, which have the keys of the tables behind them.
import type { DialectCase } from './dialect.fixture.ts'

const prefer = (...words: string[]) => ({ Prefer: words.join(', ') })

export const VIEW_CASES: readonly DialectCase[] = [
  {
    name: 'where the row of a view is, by the key of its table under its names',
    method: 'POST',
    path: '/lent_list',
    body: { what: 'F1', on_day: '2026-05-06' },
    headers: prefer('return=headers-only'),
    status: 201,
    headersOut: { location: '/lent_list?what=eq.F1&on_day=eq.2026-05-06' },
  },
  {
    name: 'where the row of a view of a view is',
    method: 'POST',
    path: '/lent_deep',
    body: { what: 'F1', on_day: '2026-05-06' },
    headers: prefer('return=headers-only'),
    status: 201,
    headersOut: { location: '/lent_deep?what=eq.F1&on_day=eq.2026-05-06' },
  },
  {
    name: 'where it is in a view that a trigger writes',
    method: 'POST',
    path: '/lent_tool',
    body: { tool: 'F1', day: '2026-05-06' },
    headers: prefer('return=headers-only'),
    status: 201,
    headersOut: { location: '/lent_tool?tool=eq.F1&day=eq.2026-05-06' },
  },
  {
    name: 'no place in a view without the whole key',
    method: 'POST',
    path: '/borrower',
    body: { tool: 'F1' },
    headers: prefer('return=headers-only'),
    status: 400,
    answer: { code: '23502' },
  },
]
