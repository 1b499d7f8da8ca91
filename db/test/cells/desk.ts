// The start page: everybody has one, and it counts what the caller may read.
import { sql } from '../attempt.ts'
import { ROLE_NAMES } from '../world.ts'
import type { NounCells } from './cells.ts'

type Row = Record<string, unknown>
const counts = (list: 'wartet' | 'zahlen', art: string) => (row: Row) => {
  const desk = JSON.parse(String(row['desk'])) as Record<string, { art: string }[]>
  return desk[list]!.some((one) => one.art === art)
}
const call = () => sql('select app.__o_get_desk()::text as desk')

const FOREST = 'ogf_admin ogf_team admin'
const DRAINAGE = 'apus_admin apus_team admin'

export const DESK: NounCells = {
  definers: ['history.recent_from'],
  procedures: {
    __o_get_news: [
      {
        what: 'own',
        call: () => sql(`select count(*) from app.__o_get_news(now() - interval '1 day')`),
        may: [...ROLE_NAMES, 'cut_by_ceiling'].join(' '),
      },
    ],
    __o_get_desk: [
      { what: 'own', call, may: [...ROLE_NAMES, 'cut_by_ceiling'].join(' ') },
      {
        what: 'the number of customers',
        call,
        finds: counts('zahlen', 'kunden'),
        may: 'ogf_admin ogf_team apus_admin apus_team admin',
      },
      { what: 'the number of holdings', call, finds: counts('zahlen', 'forstbetriebe'), may: FOREST },
      { what: 'the number of people', call, finds: counts('zahlen', 'nutzer'), may: 'ogf_admin admin' },
      { what: 'the number of plans', call, finds: counts('zahlen', 'karten'), may: DRAINAGE },
      {
        what: 'people who wait for a link',
        call,
        finds: counts('wartet', 'nutzer_neu'),
        may: 'ogf_admin admin',
      },
      {
        what: 'plans that wait for an answer',
        call,
        finds: counts('wartet', 'karten_antwort'),
        may: 'appuser_admin',
      },
      {
        what: 'recurring invoices that are due',
        call,
        finds: counts('wartet', 'serien'),
        may: 'apus_admin admin',
      },
      ...(['eingang', 'mahnungen', 'bank'] as const).map((art) => ({
        what: `work in the books: ${art}`,
        call,
        finds: counts('wartet', art),
        may: 'apus_admin admin',
      })),
    ],
  },
}
