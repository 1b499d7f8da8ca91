// Sessions that were signed out, and what is cleaned up at first contact.
import { one } from '../attempt.ts'
import { COLLEAGUE } from '../world.ts'
import type { NounCells } from './cells.ts'

export const ACCOUNT: NounCells = {
  definers: ['accounts.end_session', 'accounts.end_sessions_of', 'rights.block_reason', 'imports.tidy'],
  world: `insert into accounts.beendete_sitzung (sid, bis)
    values ('sitzung-die-aus-ist', now() + interval '5 minutes');`,
  relations: {
    'accounts.beendete_sitzung': [
      { what: 'read', call: one('select * from accounts.beendete_sitzung'), may: '' },
      {
        what: 'create',
        call: one(`insert into accounts.beendete_sitzung (sid, bis) values ('eine-andere-sitzung', now())`),
        may: '',
      },
      { what: 'change', call: one('update accounts.beendete_sitzung set bis = now()'), may: '' },
      { what: 'delete', call: one('delete from accounts.beendete_sitzung'), may: '' },
    ],
    'accounts.sitzungsende': [
      { what: 'read', call: one('select * from accounts.sitzungsende'), may: '' },
      {
        what: 'create',
        call: one(`insert into accounts.sitzungsende (user_id, ab) values (${COLLEAGUE}, now())`),
        may: '',
      },
      { what: 'change', call: one('update accounts.sitzungsende set ab = now()'), may: '' },
      { what: 'delete', call: one('delete from accounts.sitzungsende'), may: '' },
    ],
  },
}
