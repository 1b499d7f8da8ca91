// What waits in the database and how the last dump and checks ended. Asked at most every half minute, no
// matter who scrapes how often; while the database does not answer, the last known figures stay.
import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AsOwner, asBetrieb } from '#server/as-betrieb.ts'

const EVERY_MS = 30_000
/** A scrape does not wait longer for the database. */
const PATIENCE_MS = 1_000

/** A mail server that asks to come back after a few minutes (greylisting) has refused no oftener than this. */
const OFTEN = 3

const WAITING = `
  select 'mails of the sign-in' as what, count(*)::int as n, min(erstellt) as since
    from idp.post where zustand in ('wartet', 'unterwegs')
  union all
  select 'mails of the sign-in never sent', count(*)::int, min(erstellt)
    from idp.post
    where erstellt > now() - interval '1 day'
      and (zustand = 'aufgegeben' or zustand = 'hinfaellig' and versuche >= ${OFTEN})
  union all
  select 'notices', count(*)::int, min(m.erstellt)
    from notices.meldung_post p join app.meldung m on m.id = p.meldung_id where p.zustand = 'wartet'
  union all
  select 'mails with documents', count(*)::int, min(angelegt_am)
    from app.versand where zustand = 'wartet' and weg = 'mail'
  union all
  select 'documents to be made', count(*)::int, min(angelegt_am) from app.dokument_auftrag
  union all
  select 'work on plans', count(*)::int, min(angelegt_am)
    from app.karte_auftrag where stand = 'wartet'`
const ASK = `
  select what, n, coalesce(extract(epoch from now() - since), 0)::int as age from (${WAITING}) as waiting`
/** The last result, and when it was last good. */
const checkText = (what: string, from: string, good: string): string => `
  select '${what}' as what,
    (select (${good})::int from ${from} as c order by zeit desc, id desc limit 1) as ok,
    (select extract(epoch from max(zeit))::int from ${from} as c where ${good}) as good_at`
/** Of operations; only the owner reads them. */
const DUMP = checkText('dump', 'betrieb.sicherung', "ergebnis = 'ok'")
const DATABASE = checkText('database', 'betrieb.pruefung', "ergebnis = 'ok'")
/** Without dumps there is no weekly check, only the one after a crash: its age says nothing. */
const DATABASE_ONCE = `select what, ok, null::int as good_at from (${DATABASE}) as c`
/** What the server itself proved last of each kind (files, chain, anchors): a part checked by hand says nothing. */
const BOOKS = `
  select 'books' as what, min(c.ok::int) as ok, min(c.good_at) as good_at
  from (
    select distinct on (b.art) b.ok,
      (
        select extract(epoch from max(g.zeit))::int
        from app.buchpruefung g
        where g.art = b.art and g.user_id is null and g.ok
      ) as good_at
    from app.buchpruefung b
    where b.user_id is null and b.art in ('alles', 'dateien', 'anker')
    order by b.art, b.id desc
  ) c`

interface Waiting {
  readonly what: string
  readonly n: number
  readonly age: number
}
interface Checked {
  readonly what: string
  readonly ok: number | null
  readonly good_at: number | null
}

export interface BacklogOptions {
  readonly now: () => Date
  /** By the words that label them. */
  readonly folders: Readonly<Record<string, string>>
  /** False where PostgreSQL is backed up by other means: dumps of former days say nothing. */
  readonly dumps: boolean
}

type Pairs = (readonly [string, number])[]

export class Backlog {
  readonly #options: BacklogOptions
  #asOwner: AsOwner | null = null
  #waiting: readonly Waiting[] = []
  #checked: readonly Checked[] = []
  #free: Pairs = []
  #askedAt = Number.NEGATIVE_INFINITY
  #readAt: number | null = null
  #asking: Promise<void> | null = null

  constructor(options: BacklogOptions) {
    this.#options = options
  }

  /** From now on the database can be asked. */
  attach(asOwner: AsOwner): void {
    this.#asOwner = asOwner
  }

  async refresh(): Promise<void> {
    if (performance.now() - this.#askedAt >= EVERY_MS && this.#asking === null)
      this.#asking = this.#ask()
        .catch(() => undefined)
        .finally(() => {
          this.#asking = null
        })
    if (this.#asking === null) return
    const patience = new AbortController()
    const late = sleep(PATIENCE_MS, undefined, { ref: false, signal: patience.signal }).catch(() => undefined)
    await Promise.race([this.#asking, late])
    patience.abort()
  }

  async #ask(): Promise<void> {
    const { folders, now, dumps } = this.#options
    this.#free = (
      await Promise.all(
        Object.entries(folders).map(async ([name, folder]): Promise<Pairs> => {
          const found = await statfs(folder).catch(() => null)
          return found === null ? [] : [[name, found.bavail * found.bsize]]
        }),
      )
    ).flat()
    if (this.#asOwner === null) return
    this.#askedAt = performance.now()
    this.#waiting = await asBetrieb<Waiting>(this.#asOwner, ASK)
    const books = await asBetrieb<Checked>(this.#asOwner, BOOKS)
    const { rows } = await this.#asOwner((owner) =>
      owner.query<Checked>(dumps ? `${DUMP} union all ${DATABASE}` : DATABASE_ONCE),
    )
    this.#checked = [...rows, ...books]
    this.#readAt = now().getTime() / 1000
  }

  counts = (): Pairs => this.#waiting.map(({ what, n }) => [what, n])
  ages = (): Pairs => this.#waiting.map(({ what, age }) => [what, age])
  results = (): Pairs => this.#checked.flatMap(({ what, ok }) => (ok === null ? [] : [[what, ok]]))
  times = (): Pairs => this.#checked.flatMap(({ what, good_at: at }) => (at === null ? [] : [[what, at]]))
  free = (): Pairs => this.#free
  readAt = (): Pairs => (this.#readAt === null ? [] : [['database', this.#readAt]])
}
