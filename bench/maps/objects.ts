// 100,000 survey objects on 30 by 38 km: mostly drains, and a tenth of each kind of point.
import type { OwnerConnection } from '../../server/database/database.ts'
import { SHORT } from '../extent.ts'

const OBJECTS = SHORT ? 5_000 : 100_000
/** Their middle, in Web Mercator. */
export const CENTRE = [1366457, 6889163] as const

/** Replaces all objects of the customer. */
export async function fillObjects(owner: OwnerConnection, kunde: number): Promise<void> {
  for (const art of ['draenage', 'schacht', 'ausmuendung', 'schlucker', 'einlauf'])
    await owner.query(`delete from app.${art} where client_id = ${kunde}`)
  const { rows } = await owner.query<{ id: number }>(
    `insert into app.vermessung_import (client_id, dateiname, format, groesse, sha256, stand, modus)
      values (${kunde}, 'a.gpkg', 'gpkg', 1, repeat('0', 64), 'fertig', 'ersetzen')
      returning id`,
  )
  const run = rows[0]!.id
  const [x, y] = ['300000 + (n * 7919 % 30011)', '5800000 + (n * 104729 % 38011)']
  const states =
    `(array[true, false, null])[n % 3 + 1], (array['GNSS/RTK', 'Tachymetrie', ` +
    `'Bestandsplan digitalisiert', null])[n % 4 + 1]`
  await owner.query(
    `insert into app.draenage (client_id, import_id, vermessen, erfq, geom)
      select ${kunde}, ${run}, ${states},
        st_setsrid(st_multi(st_makeline(st_makepoint(${x}, ${y}), st_makepoint(${x} + 120, ${y} + 20))),
        25833)
      from generate_series(1::bigint, ${OBJECTS * 0.6}) n`,
  )
  for (const [nr, art] of ['schacht', 'ausmuendung', 'schlucker', 'einlauf'].entries())
    await owner.query(
      `insert into app.${art} (client_id, import_id, vermessen, erfq, geom)
        select ${kunde}, ${run}, ${states},
          st_setsrid(st_makepoint(${x.replace('n *', `(n + ${nr * 50_000}) *`)}, ${y}), 25833)
        from generate_series(1::bigint, ${OBJECTS * 0.1}) n`,
    )
  await owner.script('analyze')
}
