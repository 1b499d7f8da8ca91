// What the jump-to search may find: exactly what the caller may read.
import { sql } from '../attempt.ts'
import * as w from '../world.ts'
import type { NounCells } from './cells.ts'
import { ANGEBOT_A, ANGEBOT_B, DRAFT_A, RECHNUNG_A, RECHNUNG_B } from './buchhaltung.ts'
import { TREE_A1, TREE_B1 } from './habitat.ts'
import { EINGANG, EINGANG_OK } from './eingang.ts'
import { FREMD, SHOWN, HIDDEN } from './karte.ts'
import { SERIE_A } from './serie.ts'

const STAFF = 'ogf_admin ogf_team apus_admin apus_team admin'
const SURVEY = 'apus_admin apus_team admin'
const BOOK = 'apus_admin admin'
/** What is issued, auditors read as well. */
const AUDITED = `${BOOK} pruefer`
const FOREST = 'ogf_admin ogf_team admin'

const found = (what: string, text: string, art: string, id: number, may: string) => ({
  what,
  call: () => sql('select * from app.a_suche($1)', text),
  finds: (row: Record<string, unknown>) => row['art'] === art && row['id'] === id,
  may,
})

export const SEARCH: NounCells = {
  procedures: {
    a_suche: [
      found('own customer', 'forst a', 'kunde', w.A, `${STAFF} kundenadmin appuser appuser_admin`),
      found('foreign customer', 'forst b', 'kunde', w.B, STAFF),
      found('foreign customer by its number', String(w.B), 'kunde', w.B, STAFF),
      found(
        'own headquarters',
        'eins',
        'hq',
        w.A1,
        `${FOREST} kundenadmin ogf_standard ogf_fb_admin multiple_fb`,
      ),
      found(
        'another of the same customer',
        'zwei',
        'hq',
        w.A2,
        `${FOREST} kundenadmin multiple_fb inactive_fb`,
      ),
      found('foreign headquarters', 'eins', 'hq', w.B1, FOREST),
      found('foreign headquarters by its number', `#${w.B1}`, 'hq', w.B1, FOREST),
      found(
        'person of one’s own',
        `nach${w.COLLEAGUE}`,
        'benutzer',
        w.COLLEAGUE,
        `${STAFF} kundenadmin appuser_admin`,
      ),
      found('foreign person', `nach${w.STRANGER}`, 'benutzer', w.STRANGER, STAFF),
      found('foreign person by the address', w.usernameOf(w.STRANGER), 'benutzer', w.STRANGER, STAFF),
      found('own plan that is shown', 'plan 1', 'karte', SHOWN, `${SURVEY} appuser appuser_admin`),
      found('own plan that is not', 'plan 2', 'karte', HIDDEN, SURVEY),
      found('foreign plan', 'plan 3', 'karte', FREMD, SURVEY),
      found('own invoice', 're-2026-0001', 'rechnung', RECHNUNG_A, `${AUDITED} kundenadmin appuser_admin`),
      found('issued to a customer of this name', 'forst b', 'rechnung', RECHNUNG_B, AUDITED),
      found('own draft', 'entwurf forst a', 'rechnung', DRAFT_A, ''),
      found('a draft', 'entwurf', 'rechnung', DRAFT_A, BOOK),
      found('foreign invoice', 're-2026-0002', 'rechnung', RECHNUNG_B, AUDITED),
      found('own offer', 'an-2026-0001', 'angebot', ANGEBOT_A, `${AUDITED} kundenadmin appuser_admin`),
      found('foreign offer', 'an-2026-0002', 'angebot', ANGEBOT_B, AUDITED),
      found(
        'own tree',
        'h1',
        'habitatbaum',
        TREE_A1,
        `${FOREST} kundenadmin ogf_standard ogf_fb_admin multiple_fb`,
      ),
      found('foreign tree', 'h3', 'habitatbaum', TREE_B1, FOREST),
      found('received invoice', 'e-1', 'eingang', EINGANG, AUDITED),
      found('approved one by its sender', 'baumschule', 'eingang', EINGANG_OK, AUDITED),
      found('recurring invoice', 'monitoring a', 'serie', SERIE_A, BOOK),
      found('foreign plan by its number', `#${FREMD}`, 'karte', FREMD, SURVEY),
    ],
  },
  definers: [
    'search.candidates',
    'search.matching',
    'search.own_hqs',
    'search.papers',
    'search.received',
    'search.recurring',
    'search.within',
  ],
}
