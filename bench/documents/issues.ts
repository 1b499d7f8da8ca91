// Fifty people issue an invoice at once over fifty connections: how long the slowest twentieth waits, and
// whether a number is missing or used twice.
import { officeDay } from '#server/office-day.ts'
import { type Database, DatabaseFault } from '#server/database/database.ts'
import { A } from '../../db/test/world.ts'
import { SHORT } from '../extent.ts'
import { BOOKKEEPER, type BenchOffice } from './office.ts'

const AT_ONCE = SHORT ? 8 : 50
const ROUNDS = SHORT ? 1 : 4

export interface Issues {
  readonly p95: number
  readonly gaps: number
  readonly doubles: number
  readonly deadlocks: number
  readonly unordered: number
  readonly chain: number
}

const day = officeDay(new Date())

export async function draft(database: Database, lines: readonly object[]): Promise<number> {
  const value = async (text: string, ...values: unknown[]) =>
    Number(
      Object.values(
        (await database.once<Record<string, unknown>>(BOOKKEEPER, { text, values })).rows[0] ?? {},
      )[0],
    )
  const id = await value(`select app.a_add_invoice(${A}, $1, $1, 19)`, day)
  await value('select 1 from app.a_save_positions($1::jsonb, $2)', JSON.stringify(lines), id)
  return id
}

export async function issueAtOnce(office: BenchOffice): Promise<Issues> {
  const database = office.connect(AT_ONCE)
  const lines = Array.from({ length: 25 }, (_, at) => ({
    bez: `Leistung ${at}`,
    anzahl: '2.5',
    einheit: 'h',
    ep: '80.50',
  }))
  const before = (
    await office.owner.query<{ n: number }>('select coalesce(max(folge), 0)::integer as n from app.rechnung')
  ).rows[0]!.n
  const walls: number[] = []
  let deadlocks = 0
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const drafts: number[] = []
      for (let nr = 0; nr < AT_ONCE; nr++) drafts.push(await draft(database, lines))
      // Opens the connections before the clock starts.
      await Promise.all(drafts.map(() => database.once(BOOKKEEPER, { text: 'select pg_sleep(0.05)' })))
      await Promise.all(
        drafts.map(async (id) => {
          const start = performance.now()
          try {
            await database.once(BOOKKEEPER, {
              text: 'select nummer from app.a_issue_invoice($1)',
              values: [id],
            })
          } catch (error) {
            if (!(error instanceof DatabaseFault)) throw error
            deadlocks += 1
          }
          walls.push(performance.now() - start)
        }),
      )
    }
    const { rows } = await office.owner.query<Omit<Issues, 'p95' | 'deadlocks' | 'chain'>>(
      `select (count(*) - count(distinct nummer))::integer as doubles,
        (${ROUNDS * AT_ONCE} - count(*))::integer + count(*) filter (where sprung)::integer as gaps,
        count(*) filter (where zurueck)::integer as unordered from
         (select nummer, folge <> coalesce(lag(folge) over (order by folge), $1) + 1
         or regexp_replace(nummer, '^.*-',
         '')::integer <> coalesce(lag(regexp_replace(nummer, '^.*-', '')::integer) over (order by folge) +
         1, regexp_replace(nummer, '^.*-', '')::integer) as sprung,
            rn_datum < lag(rn_datum) over (order by folge) as zurueck from app.rechnung where folge > $1) x`,
      [before],
    )
    const [chain] = (
      await database.once<{ ok: boolean }>(BOOKKEEPER, { text: 'select ok from app.a_check_protokoll()' })
    ).rows
    return {
      ...rows[0]!,
      deadlocks,
      chain: chain?.ok === true ? 0 : 1,
      p95: walls.toSorted((a, b) => a - b)[Math.floor(walls.length * 0.95)]!,
    }
  } finally {
    await database.close()
  }
}
