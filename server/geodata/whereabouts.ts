// Where a customer or a holding is known to be, as the caller of an import may see it.
import { boxOfMercator, type MercatorBox, type Whereabouts, whereaboutsOf } from '#domain/far-away.ts'
import type { Caller } from '#server/caller.ts'
import type { Database, Statement } from '#server/database/database.ts'
import { asNutzer } from '#server/nutzer.ts'

/** In web mercator, in which all tables have their places. What is far from nearly all others does not count. */
const SURVEY = {
  name: 'vermessung_wo',
  text: `select public.st_xmin(e.box) as west, public.st_ymin(e.box) as sued, public.st_xmax(e.box) as ost,
      public.st_ymax(e.box) as nord, e.bundesland
    from (select maps.main_box(array_agg(public.st_envelope(o.g))) as box,
        (select t.bundesland from maps.import_target($1) t) as bundesland
      from (
        select t.g3857 as g from app.draenage t where t.client_id = $1
        union all select t.g3857 from app.ausmuendung t where t.client_id = $1
        union all select t.g3857 from app.schacht t where t.client_id = $1
        union all select t.g3857 from app.schlucker t where t.client_id = $1
        union all select t.g3857 from app.einlauf t where t.client_id = $1
      ) o) e`,
}
const HOLDING = {
  name: 'betrieb_wo',
  text: `select public.st_xmin(e.box) as west, public.st_ymin(e.box) as sued, public.st_xmax(e.box) as ost,
      public.st_ymax(e.box) as nord, e.bundesland
    from (select maps.main_box(array_agg(public.st_envelope(o.g))) as box,
        (select t.bundesland from forest.import_target($1, $2) t) as bundesland
      from (
        select b.g3857 as g from app.bestand b where b."idHQ" = $1
        union all select t.g3857 from app.habitatbaeume t where t."idHQ" = $1
      ) o) e`,
}

interface Row extends MercatorBox {
  readonly bundesland: string | null
}

async function fetchWhereabouts(
  database: Database,
  caller: Caller,
  statement: Statement,
): Promise<Whereabouts | null> {
  const { rows } = await database.once<Row>(asNutzer(caller, { readOnly: true }), statement)
  const [row] = rows
  if (row === undefined) return null
  return whereaboutsOf(boxOfMercator(row), row.bundesland)
}

export const whereaboutsOfKunde = (database: Database, caller: Caller, kunde: number) =>
  fetchWhereabouts(database, caller, { ...SURVEY, values: [kunde] })
export const whereaboutsOfHq = (
  database: Database,
  caller: Caller,
  hq: number | string,
  group: 'bestaende' | 'habitat',
) => fetchWhereabouts(database, caller, { ...HOLDING, values: [hq, group] })
