// The state of the installation, for the admin page.
import { statfs } from 'node:fs/promises'
import type { Betrieb, Check, Backup } from '#contract/betrieb.ts'
import type { AsOwner } from './as-owner.ts'

export interface StateOptions {
  readonly asOwner: AsOwner
  /** The disk to watch: the one with data or with dumps. */
  readonly folder: string
  readonly startedAt: Date
}

const ENGINE = `select current_setting('server_version') as version, (select extversion from pg_extension
  where extname = 'postgis') as postgis,
  (select name from betrieb.migration order by nummer desc limit 1) as schema,
  has_function_privilege('nutzer', 'pg_catalog.set_config(text, text, boolean)', 'execute') as set_config_offen`
const TIME = `to_char(zeit at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as zeit`
const LAST_DUMP = `select ${TIME}, groesse, ergebnis, meldung
  from betrieb.sicherung
  order by betrieb.sicherung.zeit desc, id desc limit 1`
const LAST_CHECK = `select ${TIME}, ergebnis, meldung
  from betrieb.pruefung
  order by betrieb.pruefung.zeit desc, id desc limit 1`

export async function readState({
  asOwner,
  folder,
  startedAt,
}: StateOptions): Promise<Omit<Betrieb, 'grundkarte' | 'kartendienste' | 'sicherung_geplant'>> {
  const state = await asOwner(async (owner) => {
    const { rows } = await owner.query<{
      version: string
      postgis: string | null
      schema: string | null
      set_config_offen: boolean
    }>(ENGINE)
    const { version = '', postgis = null, schema = null, set_config_offen = true } = rows[0] ?? {}
    return {
      engine: owner.engine,
      version: `PostgreSQL ${version}${postgis === null ? '' : `, PostGIS ${postgis}`}`,
      schema: schema ?? '',
      set_config_offen,
      sicherung: (await owner.query<Backup>(LAST_DUMP)).rows[0] ?? null,
      pruefung: (await owner.query<Check>(LAST_CHECK)).rows[0] ?? null,
    }
  })
  return { ...state, frei_bytes: await freeBytes(folder), gestartet: startedAt.toISOString() }
}

/** Null if the system does not say. */
async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return null
  }
}
