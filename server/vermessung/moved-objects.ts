// Which objects of a file have the key of one that is elsewhere.
import { MOVED_M } from '#domain/vermessung/moved.ts'
import type { Table } from '#domain/vermessung/fields.ts'
import type { Statement } from '#server/database/database.ts'

export interface KeyedObjects {
  readonly tabelle: Table
  /** [{schluessel, g: WKB as hex, …}, …] in the zone of the survey. */
  readonly json: string
}

/**
 * Measured by the corners of the box around each, so that a line of a million points costs no more than reading it.
 * What was stored before the customer's zone changed is in the other one.
 * @param tabelle one of TABLES
 */
export const movedObjects = (kunde: number, { tabelle, json }: KeyedObjects, zone: number): Statement => ({
  name: `vermessung_verschoben_${tabelle}`,
  text: `with given as materialized (
      select z.schluessel, public.st_geomfromwkb(decode(z.g, 'hex')) as geom
      from jsonb_to_recordset($2::jsonb) as z(schluessel text, g text) where z.schluessel is not null
    )
    select '${tabelle}' as tabelle, t.schluessel, round(d.m)::integer as m
    from given z join app.${tabelle} t on t.client_id = $1 and t.schluessel = z.schluessel
      cross join lateral (select public.st_transform(t.geom, $3::integer) as geom) here
      cross join lateral (
        select greatest(
          sqrt((public.st_xmin(z.geom) - public.st_xmin(here.geom)) ^ 2
            + (public.st_ymin(z.geom) - public.st_ymin(here.geom)) ^ 2),
          sqrt((public.st_xmax(z.geom) - public.st_xmax(here.geom)) ^ 2
            + (public.st_ymax(z.geom) - public.st_ymax(here.geom)) ^ 2)
        ) as m
      ) d
    where d.m > ${MOVED_M}`,
  values: [kunde, json, zone],
})
