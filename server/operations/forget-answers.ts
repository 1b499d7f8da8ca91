// Removes answers to writes and imports that are older than a day, of people too who never send another. They hold
// what was sent: names, account numbers. An upkeep task; docs/decisions/kept-answers.md.
import type { UpkeepTask } from './upkeep.ts'

export const forgetAnswers: UpkeepTask = {
  name: 'answers that are no longer kept',
  async run(owner) {
    const { rows } = await owner.query<{ gone: string }>(
      `with answers as (
        delete from accounts.kept_answer a where a.at < clock_timestamp() - interval '1 day' returning 1
      ), imports as (
        delete from accounts.kept_import i
        where i.at < clock_timestamp() - interval '1 day'
          and (i.stand <> 'laeuft' or i.lebt_am < clock_timestamp() - interval '1 hour')
        returning 1
      )
      select ((select count(*) from answers) + (select count(*) from imports))::text as gone`,
    )
    return Number(rows[0]?.gone ?? 0)
  },
}
