// Sessions that were signed out, and what is cleaned up at first contact.
import { sql } from '../attempt.ts'
import { COLLEAGUE } from '../world.ts'
import type { NounCells } from './cells.ts'

const one = (text: string) => () => sql(text)

export const ACCOUNT: NounCells = {
  definers: ['rechte.end_session', 'rechte.sitzungen_beenden', 'rechte.sperrgrund', 'rechte.tidy'],
  world: `insert into rechte.beendete_sitzung (sid, bis) values ('sitzung-die-aus-ist', now() + interval '5 minutes');`,
  relations: {
    'rechte.beendete_sitzung': [
      { what: 'read', call: one('select * from rechte.beendete_sitzung'), may: '' },
      {
        what: 'create',
        call: one(`insert into rechte.beendete_sitzung (sid, bis) values ('eine-andere-sitzung', now())`),
        may: '',
      },
      { what: 'change', call: one('update rechte.beendete_sitzung set bis = now()'), may: '' },
      { what: 'delete', call: one('delete from rechte.beendete_sitzung'), may: '' },
    ],
    'rechte.sitzungsende': [
      { what: 'read', call: one('select * from rechte.sitzungsende'), may: '' },
      {
        what: 'create',
        call: one(`insert into rechte.sitzungsende (user_id, ab) values (${COLLEAGUE}, now())`),
        may: '',
      },
      { what: 'change', call: one('update rechte.sitzungsende set ab = now()'), may: '' },
      { what: 'delete', call: one('delete from rechte.sitzungsende'), may: '' },
    ],
  },
}
