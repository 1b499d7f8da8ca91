// Adds up what single changes of the survey have left in the counts of its map. An upkeep task.
import type { UpkeepTask } from './upkeep.ts'

export const countSurvey: UpkeepTask = {
  name: "counts of the survey's map",
  async run(owner) {
    const { rows } = await owner.query<{ done: number }>('select maps.count_changed_cells() as done')
    return Number(rows[0]?.done ?? 0)
  },
}
