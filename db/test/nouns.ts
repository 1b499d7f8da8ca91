// The whole matrix and the whole small world: master data from relations.ts, procedures.ts and world.ts, every later noun from its own file in cells/.
import type { OwnerConnection } from '#server/database/database.ts'
import type { NounCells } from './cells/cells.ts'
import type { Cell } from './engines.ts'
import { PROCEDURES as MASTER_PROCEDURES } from './procedures.ts'
import { RELATIONS as MASTER_RELATIONS } from './relations.ts'
import { buildWorld as buildMasterWorld } from './world.ts'

/** In the order in which their rows can be put in. */
export const NOUNS: readonly NounCells[] = []

/** A subject that two files speak of keeps the cells of both. */
function merged(
  master: Readonly<Record<string, Cell[]>>,
  more: readonly (Readonly<Record<string, Cell[]>> | undefined)[],
): Record<string, Cell[]> {
  const all: Record<string, Cell[]> = { ...master }
  for (const cells of more) for (const [subject, list] of Object.entries(cells ?? {})) all[subject] = [...(all[subject] ?? []), ...list]
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
  if (rows !== '') await owner.script(`begin; set local role forst_betrieb; ${rows} commit`)
}
