// The whole matrix and the whole test world: master data from relations.ts, procedures.ts and world.ts, every
// later noun from its own file in cells/.
import type { OwnerConnection } from '#server/database/database.ts'
import { ABKUERZUNG } from './cells/abkuerzung.ts'
import { ANLAGE_CELLS } from './cells/anlage.ts'
import { ABO } from './cells/abo.ts'
import { SAVED_VIEWS } from './cells/view.ts'
import { BANK } from './cells/bank.ts'
import { EINGANG_CELLS } from './cells/eingang.ts'
import { BESTAND } from './cells/bestand.ts'
import { BUCHHALTUNG } from './cells/buchhaltung.ts'
import type { NounCells } from './cells/cells.ts'
import { PRIVACY } from './cells/privacy.ts'
import { DOCUMENTS } from './cells/document.ts'
import { FORSTBETRIEB } from './cells/forstbetrieb.ts'
import { EREIGNIS } from './cells/ereignis.ts'
import { HABITAT } from './cells/habitat.ts'
import { NUTZER } from './cells/nutzer.ts'
import { SETTING } from './cells/setting.ts'
import { KARTE } from './cells/karte.ts'
import { KARTE_FILE } from './cells/karte-file.ts'
import { ACCOUNT } from './cells/account.ts'
import { MEMBERS } from './cells/members.ts'
import { PROGNOSE } from './cells/prognose.ts'
import { DESK } from './cells/desk.ts'
import { PLACES } from './cells/places.ts'
import { SEARCH } from './cells/search.ts'
import { SUMMARY } from './cells/summary.ts'
import { TEMPLATE } from './cells/template.ts'
import { VERMESSUNG } from './cells/vermessung.ts'
import { SEPA } from './cells/sepa.ts'
import { SERIE } from './cells/serie.ts'
import { ZAHLUNGEN } from './cells/zahlung.ts'
import { ZUGANG } from './cells/zugang.ts'
import { NOTES } from './cells/note.ts'
import { NOTICES } from './cells/notice.ts'
import type { Cell } from './attempt.ts'
import { PROCEDURES as MASTER_PROCEDURES } from './procedures.ts'
import { RELATIONS as MASTER_RELATIONS } from './relations.ts'
import { buildWorld as buildMasterWorld } from './world.ts'

/** In the order in which their rows can be inserted. */
export const NOUNS: readonly NounCells[] = [
  ABKUERZUNG,
  PROGNOSE,
  TEMPLATE,
  ACCOUNT,
  ABO,
  BUCHHALTUNG,
  ANLAGE_CELLS,
  ZAHLUNGEN,
  SEPA,
  SERIE,
  BANK,
  EINGANG_CELLS,
  DOCUMENTS,
  KARTE,
  KARTE_FILE,
  VERMESSUNG,
  HABITAT,
  BESTAND,
  EREIGNIS,
  SAVED_VIEWS,
  SETTING,
  MEMBERS,
  NUTZER,
  SEARCH,
  DESK,
  PLACES,
  SUMMARY,
  FORSTBETRIEB,
  NOTICES,
  NOTES,
  ZUGANG,
  PRIVACY,
]

/** If two files have cells for the same subject, both are kept. */
function merged(
  master: Readonly<Record<string, Cell[]>>,
  more: readonly (Readonly<Record<string, Cell[]>> | undefined)[],
): Record<string, Cell[]> {
  const all: Record<string, Cell[]> = { ...master }
  for (const cells of more)
    for (const [subject, list] of Object.entries(cells ?? {}))
      all[subject] = [...(all[subject] ?? []), ...list]
  return all
}
export const RELATIONS = merged(
  MASTER_RELATIONS,
  NOUNS.map(({ relations }) => relations),
)
export const PROCEDURES = merged(
  MASTER_PROCEDURES,
  NOUNS.map(({ procedures }) => procedures),
)

export async function buildWorld(owner: OwnerConnection): Promise<void> {
  await buildMasterWorld(owner)
  const rows = NOUNS.flatMap(({ world }) => world ?? []).join('\n')
  if (rows !== '')
    await owner.script(`begin; set local role forst_betrieb; ${rows} commit; select books.seal_missing()`)
}

/** Relations of the matrix that are tables; views have no rows to empty. */
export async function tablesOfMatrix(owner: OwnerConnection): Promise<string[]> {
  const names = Object.keys(RELATIONS).map((relation) => ({
    relation,
    table: relation.includes('.') ? relation : `app.${relation}`,
  }))
  const { rows } = await owner.query<{ name: string }>(
    `select n.nspname || '.' || c.relname as name from pg_class c
     join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p')`,
  )
  const tables = new Set(rows.map(({ name }) => name))
  return names.filter(({ table }) => tables.has(table)).map(({ relation }) => relation)
}
