// One statement of the server's own work, on the owner's connection.
import type { OwnerConnection } from '#server/database/database.ts'

export async function asBetrieb<Row = Record<string, unknown>>(
  owner: OwnerConnection,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  await owner.script('begin; set local role forst_betrieb')
  try {
    const { rows } = await owner.query<Row>(text, values)
    await owner.script('commit')
    return rows
  } catch (error) {
    await owner.script('rollback')
    throw error
  }
}
