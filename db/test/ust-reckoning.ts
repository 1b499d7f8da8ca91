// Random invoices with their payments, and what each month of them declares, computed day by day in whole cents:
// written from the law and independent of the product's own code, for ust.sql.test.ts.

export interface SampleLine {
  readonly kategorie: 'S' | 'E' | 'AE' | 'O'
  readonly satz: number
  readonly cents: bigint
  /** Null: the document's day. */
  readonly day: string | null
}
export interface SamplePayment {
  readonly day: string
  readonly cents: bigint
  readonly art: 'zahlung' | 'skonto' | 'ausfall'
}
/** What is taken back: lines of the invoice, in part or as a whole. */
export interface SampleCorrection {
  readonly id: number
  readonly day: string
  readonly lines: readonly SampleLine[]
}
export interface SampleInvoice {
  readonly id: number
  readonly issued: string
  readonly supplied: string
  readonly lines: readonly SampleLine[]
  readonly advance: bigint
  readonly payments: readonly SamplePayment[]
  readonly eu: boolean
  /** Where the supply is; null: an older invoice does not say. */
  readonly ort: 'grundstueck_inland' | 'grundstueck_ausland' | 'kein_grundstueck' | null
  readonly storno: { readonly id: number; readonly day: string } | null
  readonly corrections: readonly SampleCorrection[]
  /** The Storno of the invoice that this one replaces. */
  readonly replaced: string | null
}
/** The invoice that this one replaces. */
export const sourceOf = (
  { id, replaced }: SampleInvoice,
  invoices: readonly SampleInvoice[],
): SampleInvoice | undefined =>
  replaced === null ? undefined : invoices.findLast((one) => one.id < id && one.storno?.day === replaced)
/** What replaces an invoice, one after the other if several were cancelled. */
function replacing(invoice: SampleInvoice, invoices: readonly SampleInvoice[]): SampleInvoice[] {
  const next = invoices.filter((one) => sourceOf(one, invoices) === invoice)
  return next.flatMap((one) => [one, ...replacing(one, invoices)])
}
/** The invoices that this one replaces. */
function replacedBy(invoice: SampleInvoice, invoices: readonly SampleInvoice[]): SampleInvoice[] {
  const source = sourceOf(invoice, invoices)
  return source === undefined ? [] : [source, ...replacedBy(source, invoices)]
}

const ROUND = (value: bigint, divisor: bigint): bigint => {
  if (divisor < 0n) return ROUND(-value, -divisor)
  const doubled = 2n * value
  return value < 0n ? (doubled - divisor) / (2n * divisor) : (doubled + divisor) / (2n * divisor)
}
/** Tax in whole cents; rates have hundredths. */
const taxOf = (cents: bigint, rate: number): bigint => ROUND(cents * BigInt(Math.round(rate * 100)), 10_000n)

export interface Group {
  readonly kategorie: SampleLine['kategorie']
  readonly satz: number
  readonly base: bigint
  readonly tax: bigint
  readonly lines: readonly SampleLine[]
}
const ORDER = ['S', 'E', 'AE', 'O']
/** In the order of the document: by category, then the highest rate first. */
export function groupsOf({ lines }: Pick<SampleInvoice, 'lines'>): Group[] {
  const byKey = Map.groupBy(lines, ({ kategorie, satz }) => `${kategorie} ${satz}`)
  return [...byKey.values()]
    .map((own) => {
      const [{ kategorie, satz }] = own as [SampleLine]
      const base = own.reduce((sum, { cents }) => sum + cents, 0n)
      return { kategorie, satz, base, tax: taxOf(base, satz), lines: own }
    })
    .toSorted((a, b) => ORDER.indexOf(a.kategorie) - ORDER.indexOf(b.kategorie) || b.satz - a.satz)
}
export const grossOf = (invoice: Pick<SampleInvoice, 'lines'>): bigint =>
  groupsOf(invoice).reduce((sum, { base, tax }) => sum + base + tax, 0n)

interface Part {
  readonly key: string
  readonly taxedOn: string
  readonly supplied: string
  readonly byPayment: boolean
  readonly base: bigint
  readonly tax: bigint
}
/** What holds on the day of a supply. */
export type Setting = (day: string) => 'soll' | 'ist'
function partsOf(invoice: SampleInvoice, setting: Setting): Part[] {
  return groupsOf(invoice).flatMap((group) => {
    const days = group.lines.map((line) => ({ ...line, day: line.day ?? invoice.supplied }))
    const months = [...new Set(days.map(({ day }) => day.slice(0, 7)))].toSorted()
    let [soFar, baseBefore, taxBefore] = [0n, 0n, 0n]
    return months.map((month, index): Part => {
      const own = days.filter(({ day }) => day.startsWith(month))
      soFar += own.reduce((sum, { cents }) => sum + cents, 0n)
      const isLast = index === months.length - 1
      const until = (amount: bigint): bigint =>
        group.base === 0n ? (isLast ? amount : 0n) : ROUND(amount * soFar, group.base)
      const [base, tax] = [until(group.base) - baseBefore, until(group.tax) - taxBefore]
      baseBefore += base
      taxBefore += tax
      const supplied = own
        .map(({ day }) => day)
        .toSorted()
        .at(-1)!
      return {
        key: `${group.kategorie} ${group.satz.toFixed(2)}`,
        supplied,
        // What replaces a cancelled invoice is declared when that one's tax goes.
        taxedOn: invoice.replaced !== null && invoice.replaced > supplied ? invoice.replaced : supplied,
        // § 18b sentence 3: services that the buyer's state of the EU taxes (§ 3a (2)) are declared when they are
        // made, however the rest is taxed; those about land are not among them.
        byPayment:
          // § 20 sentence 3: a supply stays with the way of its own day.
          setting(supplied) === 'ist' &&
          !(group.kategorie === 'AE' && invoice.eu && invoice.ort?.startsWith('grundstueck') !== true),
        base,
        tax,
      }
    })
  })
}

/** Month, document and group: base and tax in cents. */
export type Declared = Map<string, readonly [base: bigint, tax: bigint]>

/** A share in running totals: up to this part less up to the one before. */
function shareOf(amount: bigint, weights: readonly bigint[], index: number): bigint {
  const total = weights.reduce((sum, each) => sum + each, 0n)
  if (total === 0n) return 0n
  const before = weights.slice(0, index).reduce((sum, each) => sum + each, 0n)
  return ROUND(amount * (before + weights[index]!), total) - ROUND(amount * before, total)
}

/** Base and tax that corrections up to a day have taken back of each part: by group and month of supply. */
function takenBack(invoice: SampleInvoice, parts: readonly Part[], day: string, setting: Setting) {
  const back = invoice.corrections
    .filter((one) => one.day <= day)
    .flatMap(({ lines }) => partsOf({ ...invoice, lines }, setting))
  return parts.map(({ key, supplied }) =>
    back
      .filter((one) => one.key === key && one.supplied.slice(0, 7) === supplied.slice(0, 7))
      .reduce(([base, tax], one) => [base + one.base, tax + one.tax] as const, [0n, 0n] as readonly [
        bigint,
        bigint,
      ]),
  )
}

/**
 * What is due of a corrected invoice, by part (§ 17 (1) UStG): first what the corrections have left; money beyond that
 * is what they took back and nobody has paid back yet (BFH V R 56/06); money beyond the whole is by the whole.
 */
function correctedShare(
  due: bigint,
  parts: readonly Part[],
  back: readonly (readonly [base: bigint, tax: bigint])[],
  index: number,
): readonly [share: bigint, tax: bigint] {
  const gross = parts.map(({ base, tax }) => base + tax)
  const less = back.map(([base, tax]) => base + tax)
  const rest = gross.map((each, at) => each - less[at]!)
  const sum = (of: readonly bigint[]) => of.reduce((total, each) => total + each, 0n)
  const least = (one: bigint, other: bigint) => (one < other ? one : other)
  const most = (one: bigint, other: bigint) => (one > other ? one : other)
  const shares = [
    [
      sum(rest) === 0n ? rest[index]! : shareOf(least(due, sum(rest)), rest, index),
      parts[index]!.tax - back[index]![1],
      rest[index]!,
    ],
    [shareOf(least(most(due - sum(rest), 0n), sum(less)), less, index), back[index]![1], less[index]!],
    [shareOf(most(due - sum(gross), 0n), gross, index), parts[index]!.tax, gross[index]!],
  ] as const
  return [
    sum(shares.map(([share]) => share)),
    sum(shares.map(([share, tax, of]) => (of === 0n ? 0n : ROUND(share * tax, of)))),
  ]
}

const movedBy = ({ payments }: SampleInvoice, day: string, arts: readonly SamplePayment['art'][]): bigint =>
  payments.reduce((sum, one) => (one.day <= day && arts.includes(one.art) ? sum + one.cents : sum), 0n)

/** What an invoice has due by agreed consideration, without its money. */
function claimOf(invoice: SampleInvoice, day: string, setting: Setting): bigint {
  const { storno, issued, advance, corrections } = invoice
  if (storno !== null && storno.day <= day) return 0n
  const due = partsOf(invoice, setting).filter((part) => !part.byPayment && part.taxedOn <= day)
  const back = corrections.filter((one) => one.day <= day)
  const rest =
    due.reduce((sum, { base, tax }) => sum + base + tax, 0n) -
    (issued <= day ? advance : 0n) -
    back.reduce((sum, one) => sum + grossOf(one), 0n) -
    movedBy(invoice, day, ['skonto', 'ausfall'])
  return rest > 0n ? rest : 0n
}
const most = (one: bigint, other: bigint): bigint => (one > other ? one : other)
const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/**
 * Money for one invoice that is not the price of the others, which it replaces or which replace it: what was not paid
 * back for a cancelled one (UStAE 17.1 (2); BFH V R 34/06), or what came before there was a supply.
 */
function freeMoney(paid: bigint, others: readonly SampleInvoice[], day: string, setting: Setting): bigint {
  const price = others.reduce((sum, one) => sum + claimOf(one, day, setting), 0n)
  return most(paid + others.reduce((sum, one) => sum + movedBy(one, day, ['zahlung']), 0n) - price, 0n)
}

/** Goes through the days on which something happens to an invoice and declares what changed. */
function declareInvoice(
  invoice: SampleInvoice,
  setting: Setting,
  declared: Declared,
  invoices: readonly SampleInvoice[],
): void {
  const parts = partsOf(invoice, setting)
  const gross = parts.map(({ base, tax }) => base + tax)
  const total = gross.reduce((sum, each) => sum + each, 0n)
  const { storno, issued, advance } = invoice
  const days = new Set([...parts.map(({ taxedOn }) => taxedOn), issued])
  if (storno !== null) days.add(storno.day)
  const [earlier, later] = [replacedBy(invoice, invoices), replacing(invoice, invoices)]
  for (const one of [...earlier, invoice, ...later]) {
    for (const { day } of [...one.payments, ...one.corrections]) days.add(day)
    for (const { taxedOn } of partsOf(one, setting)) days.add(taxedOn)
    days.add(one.issued)
    if (one.storno !== null) days.add(one.storno.day)
  }
  const state = parts.map(() => [0n, 0n] as [bigint, bigint])
  const add = (day: string, id: number, { key }: Part, base: bigint, tax: bigint) => {
    if (base === 0n && tax === 0n) return
    const name = `${day.slice(0, 7)} ${id} ${key}`
    const [b, x] = declared.get(name) ?? [0n, 0n]
    declared.set(name, [b + base, x + tax])
  }
  for (const day of [...days].toSorted()) {
    const [money, less] = [movedBy(invoice, day, ['zahlung']), movedBy(invoice, day, ['skonto', 'ausfall'])]
    const isCancelled = storno !== null && day >= storno.day
    const back = takenBack(invoice, parts, day, setting)
    const left = total - back.reduce((sum, [base, tax]) => sum + base + tax, 0n)
    parts.forEach((part, index) => {
      const advanceCounts = issued <= day && !(part.byPayment && isCancelled)
      const paid = money + (advanceCounts ? advance : 0n)
      const isDue = !part.byPayment && day >= part.taxedOn
      const over = total > 0n && paid + less > left ? paid + less - left : 0n
      // The share of this part: up to it less up to the one before.
      const shareBy = (due: bigint, isCounted: boolean): [share: bigint, tax: bigint] => {
        if (left !== total) return [...correctedShare(due, parts, back, index)]
        const whole = total === 0n ? (isCounted ? gross[index]! : 0n) : shareOf(due, gross, index)
        return [whole, gross[index] === 0n ? 0n : ROUND(whole * part.tax, gross[index]!)]
      }
      const enter = (id: number, [shared, tax]: [share: bigint, tax: bigint]) => {
        const [b, x] = state[index]!
        add(day, id, part, shared - tax - b, tax - x)
        state[index] = [shared - tax, tax]
      }
      const isAfter = !part.byPayment && storno !== null && day > storno.day
      // Money that another invoice had due already is none in advance.
      const inAdvance =
        part.byPayment || earlier.length === 0 ? paid : least(paid, freeMoney(paid, earlier, day, setting))
      if (!isAfter) enter(invoice.id, shareBy(isDue ? left - less + over : inAdvance, day >= part.taxedOn))
      if (!part.byPayment && isCancelled)
        enter(
          isAfter ? invoice.id : storno.id,
          shareBy(least(most(money, 0n), freeMoney(money, later, day, setting)), false),
        )
    })
  }
}

export function reckon(invoices: readonly SampleInvoice[], setting: Setting): Declared {
  const declared: Declared = new Map()
  for (const invoice of invoices) declareInvoice(invoice, setting, declared, invoices)
  for (const [key, [base, tax]] of declared) if (base === 0n && tax === 0n) declared.delete(key)
  return declared
}

/** Mulberry32: the same seed, the same invoices. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}
const dayAt = (offset: number): string =>
  new Date(Date.UTC(2025, 10, 1) + offset * 86_400_000).toISOString().slice(0, 10)

const KINDS = [
  ['S', 19],
  ['S', 19],
  ['S', 7],
  ['S', 16],
  ['E', 0],
  ['AE', 0],
  ['O', 0],
] as const

/** Issued between November 2025 and June 2026, paid, paid back, reduced, cancelled and replaced until September. */
export function randomInvoices(seed: number, count: number, firstId: number): SampleInvoice[] {
  const random = randomOf(seed)
  const some = <T>(of: readonly T[]): T => of[random(of.length)]!
  let nextId = firstId
  const invoices: SampleInvoice[] = []
  const one = (issuedAt: number, replaced: { day: string; supplied: string } | null) => {
    const suppliedAt = issuedAt + some([-60, -31, -14, -3, 0, 0, 20])
    const lines = Array.from({ length: 1 + random(4) }, (): SampleLine => {
      const [category, rate] = some(KINDS)
      const cents = BigInt(1 + random(some([900, 90_000, 900_000])))
      return {
        kategorie: category,
        satz: rate,
        cents: random(8) === 0 ? -cents : cents,
        day: random(5) === 0 ? dayAt(Math.max(0, suppliedAt - random(50))) : null,
      }
    })
    const gross = grossOf({ lines })
    const advance = gross > 0n && random(6) === 0 ? BigInt(random(Number(gross))) : 0n
    const stornoAt = random(5) === 0 ? issuedAt + random(70) : null
    const payments: SamplePayment[] = []
    let open = gross - advance
    const pay = (at: number, cents: bigint, art: SamplePayment['art'] = 'zahlung') => {
      if (cents === 0n) return
      payments.push({ day: dayAt(at), cents, art })
      open -= cents
    }
    for (let part = random(4); part > 0 && open > 0n; part -= 1)
      pay(issuedAt + random(80), some([open, BigInt(random(Number(open) + 1))]))
    if (open > 0n && random(3) === 0) pay(issuedAt + random(80), open, some(['skonto', 'ausfall']))
    if (gross > 0n && random(8) === 0) pay(issuedAt + random(80), BigInt(1 + random(5_000)))
    const [first] = payments
    if (first !== undefined && random(6) === 0) pay(issuedAt + 80 + random(20), -first.cents, first.art)
    const id = nextId++
    const storno = stornoAt === null ? null : { id: nextId++, day: dayAt(stornoAt) }
    const supplied = replaced?.supplied ?? dayAt(Math.max(0, suppliedAt))
    // A part of some lines, or the whole of an invoice of one line.
    const corrections: SampleCorrection[] = []
    if (storno === null && lines.every(({ cents }) => cents > 10n) && random(3) === 0)
      for (let nth = random(3); nth >= 0; nth -= 1) {
        const of = (line: SampleLine) => ({ ...line, cents: (line.cents * BigInt(1 + random(30))) / 100n })
        const taken = lines.length === 1 && nth === 0 && corrections.length === 0 ? lines : [of(some(lines))]
        const day = dayAt(issuedAt + random(90))
        if (taken.every(({ cents }) => cents > 0n)) corrections.push({ id: nextId++, day, lines: taken })
      }
    invoices.push({
      id,
      issued: dayAt(issuedAt),
      supplied,
      lines,
      advance,
      payments,
      eu: random(2) === 0,
      ort: some([null, null, 'kein_grundstueck', 'grundstueck_ausland', 'grundstueck_inland'] as const),
      storno,
      corrections,
      replaced: replaced?.day ?? null,
    })
    if (storno !== null && random(2) === 0) one(stornoAt! + random(20), { day: storno.day, supplied })
  }
  while (invoices.length < count) one(random(230), null)
  return invoices
}
