// Kills a server with -9 while it issues invoices, at moments drawn from a seed, and then checks what an
// auditor would: numbers, documents, files, the chain.
import { officeDay } from '#server/office-day.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Beleg } from '#domain/beleg.ts'
import { computeBeleg, belegBasisOf } from '#domain/rechnung.ts'

export interface Victim {
  readonly origin: string
  /** Sends SIGKILL; resolves once the process is gone. */
  kill(): Promise<void>
}

export interface CrashOptions {
  readonly rounds: number
  readonly seed: number
  /** Number of invoices being issued at the moment of the kill. */
  readonly atOnce: number
  /** Starts on what the last one left behind. */
  start(): Promise<Victim>
  /** Called after each start, because a token does not survive many of them. */
  authorization(): Promise<string> | string
  readonly client_id: number
}

export interface CrashReport {
  readonly kills: number
  /** Kills that interrupted at least one issue. */
  readonly hits: number
  readonly issued: number
  /** Confirmed as issued, but missing afterwards. */
  readonly lost: number
  readonly gaps: number
  readonly doubles: number
  /** Issued but incomplete, or a draft with parts of an issued invoice. */
  readonly halves: number
  readonly brokenChains: number
  /** After a start, issuing failed or did not get the next number. */
  readonly stuck: number
  /** Only one of the two files, or none can be generated. */
  readonly badFiles: number
}

interface Row {
  readonly id: number
  readonly nummer: string | null
  readonly folge: number | null
  readonly zustand: string
  readonly rn_datum: string
  readonly faellig: string | null
  readonly ausgestellt_am: string | null
  readonly brutto: number
  readonly beleg: Beleg | null
}
type Answers = Map<number, string>

/** The same moments for the same seed. */
function drawn(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
}

/** A clerk who writes and issues invoices by the calls of the screens. */
export class Office {
  readonly #origin: string
  readonly #headers: Record<string, string>
  constructor({ origin }: Pick<Victim, 'origin'>, authorization: string) {
    this.#origin = origin
    this.#headers = { authorization, 'content-type': 'application/json' }
  }
  async #json<T>(path: string, body?: object): Promise<T> {
    const answer = await fetch(`${this.#origin}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: this.#headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`)
    return JSON.parse(text === '' ? 'null' : text) as T
  }
  call = <T>(name: string, body: object): Promise<T> => this.#json(`/rest/rpc/${name}`, body)
  rows = <T>(query: string): Promise<T[]> => this.#json(`/rest/${query}`)
  async pdf(id: number): Promise<boolean> {
    const answer = await fetch(`${this.#origin}/prod-api/beleg/rechnung/${id}.pdf`, {
      headers: this.#headers,
    })
    return (
      answer.ok &&
      Buffer.from(await answer.arrayBuffer())
        .subarray(0, 5)
        .toString() === '%PDF-'
    )
  }
  async draft(client_id: number, nr: number): Promise<number> {
    const day = officeDay(new Date())
    const id = await this.call<number>('a_add_invoice', {
      client_id,
      rn_datum: day,
      le_date: day,
      ust_satz: '19',
    })
    const positions = Array.from({ length: 1 + (nr % 4) }, (_, at) => ({
      bez: `Leistung ${nr}.${at}`,
      anzahl: `${nr}.125`,
      ep: '80.5050',
    }))
    await this.call('a_save_positions', { rechnung_id: id, positionen: positions })
    return id
  }
  issue = async (id: number): Promise<string> =>
    (await this.call<{ nummer: string }[]>('a_issue_invoice', { invoice_id: id }))[0]!.nummer
}

const numberOf = (documentNumber: string): number => Number(/\d+$/.exec(documentNumber)?.[0])

function halvesOf(rows: readonly Row[], lines: ReadonlyMap<number, number>): number {
  return rows.filter(({ id, zustand, nummer, folge, faellig, ausgestellt_am, brutto, beleg }) => {
    if (zustand === 'entwurf')
      return (
        nummer !== null || folge !== null || faellig !== null || ausgestellt_am !== null || beleg !== null
      )
    if (nummer === null || folge === null || faellig === null || ausgestellt_am === null || beleg === null)
      return true
    const { summen } = computeBeleg(belegBasisOf(beleg))
    return (
      beleg.nummer !== nummer ||
      beleg.entwurf ||
      !isDeepStrictEqual(beleg.summen, summen) ||
      Number(beleg.summen.brutto) !== Number(brutto) ||
      beleg.positionen.length !== lines.get(id)
    )
  }).length
}

type Audit = Readonly<Record<'issued' | Broken, number>> & { readonly last: number | undefined }
type Broken = 'lost' | 'gaps' | 'doubles' | 'halves' | 'brokenChains' | 'badFiles'

/** The latest place in the sequence of issued invoices; 0 without any. */
export async function lastIssued(office: Office): Promise<number> {
  const query = 'rechnung?select=folge&folge=not.is.null&order=folge.desc&limit=1'
  return (await office.rows<{ folge: number }>(query))[0]?.folge ?? 0
}

/**
 * @param before the last place in the sequence that is not this test's
 * @param answered numbers that were confirmed, by invoice
 */
export async function auditBooks(
  office: Office,
  before: number,
  answered: ReadonlyMap<number, string>,
): Promise<Audit> {
  const rows = await office.rows<Row>(
    `rechnung?select=id,nummer,folge,zustand,rn_datum,faellig,ausgestellt_am,brutto,beleg` +
      `&or=(folge.is.null,folge.gt.${before})&order=folge.asc.nullslast,id`,
  )
  const lines = new Map<number, number>()
  for (const { rechnung_id } of await office.rows<{ rechnung_id: number }>(
    'position?select=rechnung_id&rechnung_id=not.is.null',
  ))
    lines.set(rechnung_id, (lines.get(rechnung_id) ?? 0) + 1)
  const issued = rows.filter(({ folge }) => folge !== null)
  const numbers = issued.map(({ nummer }) => numberOf(nummer ?? ''))
  const skipped = numbers.filter((number, at) => at > 0 && number !== numbers[at - 1]! + 1).length
  const outOfOrder = issued.filter(
    ({ folge, rn_datum }, at) => folge !== before + at + 1 || rn_datum < (issued[at - 1]?.rn_datum ?? ''),
  ).length
  const byId = new Map(issued.map(({ id, nummer }) => [id, nummer]))
  const [chain] = await office.call<{ ok: boolean }[]>('a_check_protokoll', {})
  const files = Map.groupBy(
    await office.rows<{ rechnung_id: number; art: string }>(
      'dokument?select=rechnung_id,art&rechnung_id=not.is.null',
    ),
    ({ rechnung_id }) => rechnung_id,
  )
  return {
    issued: issued.length,
    last: numbers.at(-1),
    doubles: numbers.length - new Set(numbers).size,
    gaps: skipped + outOfOrder,
    halves: halvesOf(rows, lines),
    lost: [...answered].filter(([id, documentNumber]) => byId.get(id) !== documentNumber).length,
    brokenChains: chain?.ok === true ? 0 : 1,
    badFiles: [...files].filter(([id, list]) => byId.has(id) && list.length !== 2).length,
  }
}

export async function crash({
  rounds,
  seed,
  atOnce,
  start,
  authorization,
  client_id,
}: CrashOptions): Promise<CrashReport> {
  const random = drawn(seed)
  const answered: Answers = new Map()
  const found = {
    kills: 0,
    hits: 0,
    issued: 0,
    lost: 0,
    gaps: 0,
    doubles: 0,
    halves: 0,
    brokenChains: 0,
    stuck: 0,
    badFiles: 0,
  }
  let victim = await start()
  let office = new Office(victim, await authorization())
  const before = await lastIssued(office)
  let nr = 0
  /** Duration of an undisturbed batch; kills happen within it. */
  let span = 0

  const drafts = (count: number): Promise<number[]> =>
    Promise.all(Array.from({ length: count }, () => office.draft(client_id, ++nr)))
  const issueAll = (ids: readonly number[]): Promise<number> =>
    Promise.all(
      ids.map((id) =>
        office.issue(id).then(
          (documentNumber) => answered.set(id, documentNumber),
          () => null,
        ),
      ),
    ).then((all) => all.filter((each) => each !== null).length)

  async function audit(): Promise<void> {
    const { last, ...books } = await auditBooks(office, before, answered)
    found.issued = books.issued
    for (const kind of ['lost', 'gaps', 'doubles', 'halves', 'brokenChains', 'badFiles'] as const)
      found[kind] += books[kind]
    // Issuing must still work.
    const [draft] = await drafts(1)
    const next = await office.issue(draft!).catch(() => '')
    if (numberOf(next) !== (last ?? numberOf(next) - 1) + 1) found.stuck += 1
    else answered.set(draft!, next)
  }

  try {
    // The first batch is a warm-up.
    for (let batch = 0; batch < 2; batch++) {
      const ids = await drafts(atOnce)
      const began = performance.now()
      await issueAll(ids)
      span = performance.now() - began
    }
    for (let round = 0; round < rounds; round++) {
      const ids = await drafts(atOnce)
      const last = [...answered.keys()].at(-1)!
      const moment = random() * span
      const issues = issueAll(ids)
      // A file is being generated meanwhile.
      const file = office.pdf(last).catch(() => false)
      await sleep(moment)
      await victim.kill()
      found.kills += 1
      const done = await issues
      if (done < ids.length) found.hits += 1
      // Adjusts the span so that kills hit the middle, however fast the machine currently is.
      span *= done === ids.length ? 0.7 : done === 0 ? 1.3 : 1
      await file
      victim = await start()
      office = new Office(victim, await authorization())
      await audit()
    }
    // The files of issued invoices exist or can be generated.
    for (const id of [...answered.keys()].slice(-8)) if (!(await office.pdf(id))) found.badFiles += 1
    await audit()
  } finally {
    await victim.kill()
  }
  return found
}
