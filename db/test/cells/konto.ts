// Sessions that were signed out of, and what is tidied up at first contact.
import { sql } from '../attempt.ts'
import type { NounCells } from './cells.ts'

const one = (text: string) => () => sql(text)

export const KONTO: NounCells = {
  definers: ['rechte.end_session', 'rechte.tidy'],
  world: `insert into rechte.beendete_sitzung (sid, bis) values ('sitzung-die-aus-ist', now() + interval '5 minutes');`,
  relations: {
    'rechte.beendete_sitzung': [
      { what: 'read', call: one('select * from rechte.beendete_sitzung'), may: '' },
      { what: 'create', call: one(`insert into rechte.beendete_sitzung (sid, bis) values ('eine-andere-sitzung', now())`), may: '' },
      { what: 'change', call: one('update rechte.beendete_sitzung set bis = now()'), may: '' },
      { what: 'delete', call: one('delete from rechte.beendete_sitzung'), may: '' },
    ],
  },
}
