// The abbreviations that a new installation starts with. Inserted once: where there are none and never were,
// so that what an admin deleted stays deleted.
import { STANDARD_ABKUERZUNGEN } from '#domain/abkuerzungen.ts'
import type { UpkeepTask } from './upkeep.ts'

export const addAbkuerzungen: UpkeepTask = {
  name: 'abkuerzungen',
  async run(owner) {
    const { rowCount } = await owner.query(
      `insert into app.abkuerzung (abk, bedeutung, gruppe)
       select a.abk, a.bedeutung, a.gruppe
       from jsonb_to_recordset($1::jsonb) as a(abk text, bedeutung text, gruppe text)
       where not exists (select from app.abkuerzung) and not exists (select from app.verlauf v
         where v.tabelle = 'abkuerzung')`,
      [JSON.stringify(STANDARD_ABKUERZUNGEN)],
    )
    return rowCount
  },
}
