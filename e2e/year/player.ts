// Plays a year through the product's own calls, and writes down what was done as plain facts. What comes next is
// random within what an office does; the same seed plays the same year.
import { createHash } from 'node:crypto'
import type { BankMatch, BankUmsatz, MahnListRow } from '#contract/zahlung.ts'
import type { Lastschrift, SepaRun } from '#contract/sepa.ts'
import type { Buchhaltung } from '#contract/overview.ts'
import { eingangPaths } from '#contract/eingang.ts'
import { allBuchungen, bankPortions } from '#domain/camt/portions.ts'
import { readCamt } from '#domain/camt/read-camt.ts'
import type { CashflowRow } from '#domain/cashflow.ts'
import { addDays } from '#domain/day.ts'
import { firstCollectionDay } from '#domain/sepa/target-day.ts'
import { cii } from '#domain/eingang/files.fixture.ts'
import { SENT } from '../sent-invoice.ts'
import { parseXml } from '../../web/src/features/buchhaltung/zahlung/parse-xml.ts'
import { KUNDEN_IBAN, statementXml } from '#domain/camt/statement.fixture.ts'
import { ACCOUNTS, BASE_RATES, DEBITED, GRANTED, openBooks } from './customers.ts'
import type { CustomerFact, Fact, InvoiceFact, LineFact, OfferFact, PaymentFact, YearFacts } from './facts.ts'
import type { Office } from './office.ts'
import { randomOf } from './random.ts'
import { type OnScreen, openScreens, type Screens } from './screens.ts'

export interface YearOptions {
  readonly seed: number
  readonly from: string
  readonly to: string
  /** Plain invoices in a month. */
  readonly invoices: number
  /** Played through the pages in a browser; the rest through the calls behind them. */
  readonly screenMonth: string
}
/** What the product answered on a day, before the year went on. */
export interface Reading {
  readonly day: string
  readonly cashflow: readonly CashflowRow[]
  readonly overview: Buchhaltung
}
export interface PlayedYear {
  readonly onScreen: OnScreen
  readonly facts: YearFacts
  readonly readings: readonly Reading[]
  /** The product's ids, by the observer's names. */
  readonly ids: ReadonlyMap<string, number>
}

interface Invoice {
  readonly fact: InvoiceFact
  readonly id: number
  readonly gross: bigint
  open: bigint
  paid: bigint
  cancelled: boolean
  /** An advance that a final invoice has taken off. */
  closed: boolean
}
/** Money that will move on a day. */
interface Transfer {
  readonly day: string
  readonly invoice: Invoice
  /** Of what is open then: all, a part, all less the discount, more; or back what is too much. */
  readonly how: 'all' | 'part' | 'discount' | 'more' | 'back' | 'wrong' | 'loss'
  readonly way: 'bank' | 'desk'
}

const euros = (cents: bigint): string => {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
const cents = (text: string): bigint => BigInt(text.replace('.', ''))
const REASON = 'Steuerfrei nach § 4 Nr. 21 UStG'

export async function playYear(office: Office, options: YearOptions): Promise<PlayedYear> {
  const player = await createPlayer(office, options)
  for (let day = options.from; day <= options.to; day = addDays(day, 1)) {
    // oxlint-disable-next-line no-await-in-loop -- day after day
    await player.live(day)
  }
  return player.played()
}

async function createPlayer(
  office: Office,
  { seed, from, to, invoices: perMonth, screenMonth }: YearOptions,
) {
  const random = randomOf(seed)
  const rpc = <T>(name: string, body: object): Promise<T> => office.ask<T>(`/rest/rpc/${name}`, body)
  const events: Fact[] = []
  const readings: Reading[] = []
  const ids = new Map<string, number>()
  const all: Invoice[] = []
  const offers: {
    fact: OfferFact
    id: number
    state: 'sent' | 'accepted' | 'done'
    advances: Invoice[]
    gross: bigint
  }[] = []
  let transfers: Transfer[] = []
  let bank: { day: string; transfer: Transfer; amount: bigint; discount: bigint }[] = []
  let counter = 0
  let day = from
  let screens: Screens | null = null
  let onScreen: OnScreen = { acts: 0, complaints: [] }
  await office.today(from)
  const customers = await openBooks(office)
  const debited = customers.find(({ name }) => name === DEBITED)!
  await rpc('a_add_mandat', {
    client_id: debited.id,
    referenz: 'M-1',
    unterschrieben: from,
    inhaber: debited.name,
    iban: KUNDEN_IBAN,
  })

  /** The bank has it, its file has not been read yet. */
  const isUnderWay = (invoice: Invoice): boolean => bank.some(({ transfer }) => transfer.invoice === invoice)
  const note = (fact: Fact): void => void events.push(fact)
  const named = (kind: string): string => `${kind}${++counter}`

  /** Which tax the office enters: as its people know it (§ 3a UStG). The calculation decides for itself. */
  const enteredTax = (customer: CustomerFact, line: LineFact): object => {
    const { country, land, private: isPrivate } = customer
    const isHere = country === 'DE' || land === 'DE'
    if (isHere)
      return line.rate === '0'
        ? { ust_satz: '0', kategorie: 'E', steuergrund: line.reason }
        : { ust_satz: line.rate, kategorie: 'S' }
    if (country === 'AT' && !isPrivate)
      return { ust_satz: '0', kategorie: 'AE', steuergrund: 'Steuerschuldnerschaft des Leistungsempfängers' }
    return { ust_satz: '0', kategorie: 'O', steuergrund: 'Nicht steuerbar, Leistungsort im Ausland' }
  }
  const rowsOf = (customer: CustomerFact, lines: readonly LineFact[]): object[] =>
    lines.map((line, at) => ({
      bez: `Arbeit ${at + 1}`,
      anzahl: line.quantity,
      einheit: 'h',
      ep: line.price,
      ...enteredTax(customer, line),
      ...(line.supplied !== null && { le_date: line.supplied }),
    }))
  const randomLines = (most: number): LineFact[] =>
    Array.from({ length: 1 + random.below(most) }, () => {
      const rate = random.some(['19', '19', '19', '7', '0'] as const)
      return {
        quantity: `${1 + random.below(40)}.${random.some(['000', '500', '250', '333'])}`,
        price: `${1 + random.below(180)}.${random.some(['00', '00', '50', '99', '3333'])}`,
        rate,
        reason: rate === '0' ? REASON : '',
        supplied: null,
      }
    })
  const customerOf = (id: number): CustomerFact => customers.find((one) => one.id === id)!

  /** Keeps what was issued, with the amount that the letter demands. */
  const keep = async (fact: InvoiceFact, id: number): Promise<Invoice> => {
    await (screens === null ? rpc('a_issue_invoice', { invoice_id: id }) : screens.issue(id))
    const { summen } = await rpc<{ summen: { zahlbetrag: string } }>('a_get_beleg', { art: 'rechnung', id })
    const gross = cents(summen.zahlbetrag)
    const invoice = { fact, id, gross, open: gross, paid: 0n, cancelled: false, closed: false }
    ids.set(fact.ref, id)
    all.push(invoice)
    note(fact)
    return invoice
  }
  const paidFor = (invoice: Invoice, amount: bigint, kind: PaymentFact['kind']): void => {
    invoice.open -= amount
    note({
      type: 'payment',
      day,
      ref: named('Z'),
      invoice: invoice.fact.ref,
      amount: euros(amount),
      kind,
    })
  }
  const willPay = (invoice: Invoice): void => {
    if (invoice.open <= 0n) return
    const { fact } = invoice
    const customer = customerOf(fact.customer)
    if (customer.name === DEBITED && fact.kind === 'plain') return
    const due = addDays(day, fact.days_to_pay)
    const way = random.some(['bank', 'bank', 'desk'] as const)
    const at = (on: string, how: Transfer['how']) => transfers.push({ day: on, invoice, how, way })
    const [discount] = fact.cash_discount
    const habit = random.below(12)
    if (fact.kind === 'advance') {
      // A part of an advance leaves the rest to the final invoice.
      at(addDays(day, 3 + random.below(10)), random.once(4) ? 'part' : 'all')
    } else if (discount !== undefined && habit < 7)
      at(addDays(day, 1 + random.below(discount.days)), 'discount')
    else if (habit < 6) at(addDays(due, random.below(6) - 4), 'all')
    else if (habit === 6) {
      at(addDays(due, -3), 'part')
      at(addDays(due, 20), 'all')
    } else if (habit === 7) {
      at(addDays(due, -1), 'more')
      if (random.once(2)) at(addDays(due, 18), 'back')
    } else if (habit === 8) at(addDays(due, 45 + random.below(30)), 'all')
    else if (habit === 9) {
      at(addDays(due, 30), 'part')
      at(addDays(due, 75), 'loss')
    } else if (habit === 10) at(addDays(due, -2), 'wrong')
    // Otherwise nobody pays, and reminders follow.
  }

  const actions = {
    async invoice(customer: CustomerFact, more: Partial<InvoiceFact> = {}, draft?: number): Promise<Invoice> {
      const offset = random.some([-35, -20, -6, -2, 0, 0, 9, 25])
      const until = addDays(day, offset)
      const begun = addDays(until, -random.below(4))
      const lines = randomLines(4).map((line) =>
        random.once(8) ? { ...line, supplied: addDays(begun, -random.below(40)) } : line,
      )
      const fact: InvoiceFact = {
        type: 'invoice',
        day,
        ref: named('R'),
        kind: 'plain',
        customer: customer.id,
        supplied: [begun, until],
        days_to_pay: random.some([14, 14, 10, 30]),
        cash_discount: GRANTED.has(customer.name) && random.once(2) ? [{ days: 7, percent: '2.00' }] : [],
        discount: random.once(5) ? random.some(['3', '2.5', '10']) : '0',
        lines,
        offer: null,
        percent: null,
        replaces: null,
        ...more,
      }
      const id =
        draft ??
        (await rpc<number>('a_add_invoice', {
          client_id: customer.id,
          rn_datum: day,
          le_date: fact.supplied![0],
          ust_satz: '19',
        }))
      const isTyped =
        screens !== null &&
        customer.country === 'DE' &&
        fact.lines.every(({ rate, supplied }) => rate !== '0' && supplied === null)
      await rpc('a_save_beleg', {
        art: 'rechnung',
        id,
        werte: {
          rn_datum: day,
          le_date: fact.supplied![0],
          le_date_bis: fact.supplied![1],
          zahlungsziel: fact.days_to_pay,
          skonto: fact.cash_discount.map(({ days, percent }) => ({ tage: days, prozent: percent })),
          rabatt_prozent: fact.discount,
          rabatt_grund: fact.discount === '0' ? '' : 'Treue',
        },
        // What needs no further field is typed on the page.
        positionen: isTyped ? [] : rowsOf(customer, fact.lines),
      })
      if (isTyped) await screens?.typeLines(id, fact.lines)
      const invoice = await keep(fact, id)
      willPay(invoice)
      return invoice
    },

    async offer(): Promise<void> {
      const customer = random.some(customers.filter(({ country }) => country === 'DE'))
      const supplied = addDays(day, 25 + random.below(40))
      const fact: OfferFact = {
        type: 'offer',
        day,
        ref: named('A'),
        customer: customer.id,
        valid_until: addDays(day, 30),
        chance: random.some([20, 50, 75]),
        supplied,
        lines: randomLines(3)
          .filter(({ rate }) => rate !== '0')
          .concat({ quantity: '12.000', price: '95.00', rate: '19', reason: '', supplied: null })
          .map((line) => ({ ...line, supplied })),
      }
      const id = await rpc<number>('a_add_offer', { client_id: customer.id, an_datum: day, ust_satz: 19 })
      await rpc('a_save_beleg', {
        art: 'angebot',
        id,
        werte: { gueltig_bis: fact.valid_until, chance: fact.chance },
        positionen: rowsOf(customer, fact.lines),
      })
      await rpc('a_issue_offer', { offer_id: id })
      const { summen } = await rpc<{ summen: { brutto: string } }>('a_get_beleg', { art: 'angebot', id })
      ids.set(fact.ref, id)
      offers.push({ fact, id, state: 'sent', advances: [], gross: cents(summen.brutto) })
      note(fact)
    },

    async decide(): Promise<void> {
      const offer = offers.find(
        ({ state, fact }) => state === 'sent' && fact.day < addDays(day, -5) && fact.valid_until >= day,
      )
      if (offer === undefined) return
      const accepted = !random.once(4)
      await rpc('a_decide_offer', { offer_id: offer.id, angenommen: accepted, wer: 'Frau Holz' })
      offer.state = accepted ? 'accepted' : 'done'
      note({ type: 'decision', day, offer: offer.fact.ref, accepted })
    },

    /** An advance, or the final invoice once the work is done and every advance has brought money. */
    async bill(): Promise<void> {
      for (const offer of offers.filter(({ state }) => state === 'accepted')) {
        const { fact } = offer
        if (day >= fact.supplied) {
          if (offer.advances.some((one) => one.paid === 0n || isUnderWay(one))) continue
          offer.state = 'done'
          const isFinal = offer.advances.length > 0
          // oxlint-disable-next-line no-await-in-loop -- one after another, in the order of their numbers
          const id = await rpc<number>(isFinal ? 'a_add_schluss' : 'a_convert_offer', {
            offer_id: offer.id,
            rn_datum: day,
            le_date: fact.supplied,
          })
          for (const advance of offer.advances) advance.closed = true
          transfers = transfers.filter(({ invoice }) => !invoice.closed)
          // oxlint-disable-next-line no-await-in-loop -- as above
          const invoice = await keep(
            {
              type: 'invoice',
              day,
              ref: named('R'),
              kind: isFinal ? 'final' : 'plain',
              customer: fact.customer,
              supplied: [fact.supplied, fact.supplied],
              days_to_pay: 14,
              cash_discount: [],
              discount: '0',
              lines: fact.lines,
              offer: fact.ref,
              percent: null,
              replaces: null,
            },
            id,
          )
          willPay(invoice)
        } else if (offer.advances.length < 2 && random.once(3)) {
          const percent = random.some(['20', '30', '33.33'])
          // oxlint-disable-next-line no-await-in-loop -- as above
          const id = await rpc<number>('a_add_abschlag', {
            offer_id: offer.id,
            prozent: percent,
            rn_datum: day,
          })
          // oxlint-disable-next-line no-await-in-loop -- as above
          const invoice = await keep(
            {
              type: 'invoice',
              day,
              ref: named('R'),
              kind: 'advance',
              customer: fact.customer,
              supplied: null,
              days_to_pay: 14,
              cash_discount: [],
              discount: '0',
              lines: [],
              offer: fact.ref,
              percent,
              replaces: null,
            },
            id,
          )
          offer.advances.push(invoice)
          willPay(invoice)
        }
      }
    },

    async cancel(): Promise<void> {
      // Money for work that is still to come is left alone: what becomes of it, a Storno does not say.
      const debitedNow = new Set(
        transfers.filter(({ way }) => way === 'bank').map(({ invoice }) => invoice.fact.ref),
      )
      const able = all.filter((one) => {
        const { fact, cancelled, paid } = one
        return (
          !cancelled &&
          !isUnderWay(one) &&
          !(fact.customer === debited.id && debitedNow.has(fact.ref)) &&
          fact.kind === 'plain' &&
          fact.offer === null &&
          fact.day > addDays(day, -60) &&
          fact.supplied![1] < day &&
          (paid === 0n || random.once(3))
        )
      })
      if (able.length === 0) return
      const source = random.some(able)
      const reason = 'Falsche Menge'
      const id = await (screens === null
        ? rpc<[{ id: number }]>('a_cancel_invoice', {
            invoice_id: source.id,
            rn_datum: day,
            grund: reason,
          }).then(([made]) => made.id)
        : screens.cancel(source.id, reason))
      const ref = named('S')
      ids.set(ref, id)
      note({ type: 'cancel', day, ref, of: source.fact.ref })
      source.cancelled = true
      transfers = transfers.filter(({ invoice }) => invoice !== source)
      source.open = -source.paid
      if (source.paid > 0n)
        transfers.push({ day: addDays(day, 9), invoice: source, how: 'back', way: 'desk' })
      if (random.once(2)) return
      const draft = await rpc<number>('a_copy_invoice', { invoice_id: source.id })
      const [first, ...rest] = source.fact.lines
      await this.invoice(
        customerOf(source.fact.customer),
        {
          supplied: source.fact.supplied,
          discount: source.fact.discount,
          lines: [{ ...first!, quantity: '7.500' }, ...rest],
          replaces: source.fact.ref,
        },
        draft,
      )
    },

    async move(transfer: Transfer): Promise<void> {
      const { invoice, how, way } = transfer
      const { open } = invoice
      const [discount] = invoice.fact.cash_discount
      const share = discount === undefined ? 0n : (open * cents(discount.percent) + 5000n) / 10_000n
      const amount =
        how === 'back'
          ? open
          : how === 'part'
            ? (open * BigInt(20 + random.below(60))) / 100n
            : how === 'discount'
              ? open - share
              : how === 'more'
                ? open + BigInt(100 + random.below(9000))
                : open
      if (how === 'back' ? amount >= 0n : amount <= 0n) return
      if (way === 'bank' && how !== 'loss' && how !== 'wrong') {
        bank.push({ day, transfer, amount, discount: how === 'discount' ? share : 0n })
        invoice.open -= how === 'discount' ? open : amount
        invoice.paid += amount
        return
      }
      const pay = (amountText: bigint, art: string, kind: PaymentFact['kind']) =>
        this.pay(invoice, amountText, art, kind)
      if (how === 'loss') return void (await pay(amount, 'ausfall', 'loss'))
      const isTyped = screens !== null && (how === 'all' || how === 'part')
      if (isTyped) {
        await screens!.pay(invoice.id, day, euros(amount))
        paidFor(invoice, amount, 'money')
      }
      const id = isTyped ? 0 : await pay(amount, 'zahlung', 'money')
      invoice.paid += amount
      if (how === 'discount') await pay(share, 'skonto', 'cash_discount')
      if (how !== 'wrong') return
      // Booked to the wrong invoice: taken back on the same day, and paid later.
      await rpc('a_revoke_payment', { zahlung_id: id, grund: 'Falsche Rechnung' })
      invoice.open += amount
      invoice.paid -= amount
      note({ type: 'payment_reversed', day, payment: (events.at(-1) as PaymentFact).ref })
      if (random.once(2)) transfers.push({ day: addDays(day, 8), invoice, how: 'all', way: 'desk' })
    },
    async pay(invoice: Invoice, amount: bigint, art: string, kind: PaymentFact['kind']): Promise<number> {
      const id = await rpc<number>('a_add_payment', {
        rechnung_id: invoice.id,
        datum: day,
        betrag: euros(amount),
        art,
        ueberzahlung: true,
      })
      paidFor(invoice, amount, kind)
      return id
    },

    /** The bank's file of what has moved, read as the page reads it, and each entry booked to its invoice. */
    async bankFile(): Promise<void> {
      if (bank.length === 0) return
      const entries = bank
      bank = []
      const xml = statementXml('08', [
        {
          buchungen: entries.map(({ day: on, transfer, amount }, at) => ({
            betrag: euros(amount < 0n ? -amount : amount),
            richtung: amount < 0n ? ('DBIT' as const) : ('CRDT' as const),
            datum: on,
            referenz: `${day}-${at}`,
            pieces: [
              {
                name: customerOf(transfer.invoice.fact.customer).name,
                iban: KUNDEN_IBAN,
                zweck: [`${transfer.invoice.fact.ref} ${day} ${at}`],
              },
            ],
          })),
        },
      ])
      // oxlint-disable-next-line no-await-in-loop -- as the page does
      const file = `Auszug ${day}.xml`
      if (screens !== null) await screens.readBank(file, xml)
      else
        for (const umsaetze of bankPortions(allBuchungen(readCamt(parseXml(xml)))))
          await rpc('a_import_bank', { umsaetze, datei: file })
      const known = await rpc<BankUmsatz[]>('a_get_bank', { nur_offene: true })
      const matches = entries.map(({ transfer, amount }, at): BankMatch => {
        const own = known.find(({ zweck }) => zweck.includes(`${transfer.invoice.fact.ref} ${day} ${at}`))
        if (own === undefined || cents(own.betrag) !== amount)
          throw new Error(`the bank's entry ${at} of ${day} is lost`)
        return {
          umsatz_id: own.id,
          rechnung_id: transfer.invoice.id,
          skonto: transfer.how === 'discount',
          ueberzahlung: transfer.how === 'more',
        }
      })
      await rpc('a_match_bank_all', { zuordnungen: matches })
      for (const { day: on, transfer, amount, discount } of entries) {
        const paid = (sum: bigint, kind: PaymentFact['kind']) =>
          note({
            type: 'payment',
            day: on,
            ref: named('Z'),
            invoice: transfer.invoice.fact.ref,
            amount: euros(sum),
            kind,
          })
        paid(amount, 'money')
        if (discount > 0n) paid(discount, 'cash_discount')
      }
    },

    async remind(): Promise<void> {
      const rows = await rpc<MahnListRow[]>('a_get_mahnliste', {})
      for (const row of rows) {
        if (!row.dran || row.naechste === null || random.once(5)) continue
        const invoice = all.find(({ id }) => id === row.rechnung_id)!
        const interest = row.zinsen_ab !== null && row.zinsen_ab <= day && row.naechste > 1
        const lump_sum = !row.privat && row.naechste === 2
        const pay_until = addDays(day, 10)
        // oxlint-disable-next-line no-await-in-loop -- one letter after another
        await rpc('a_add_mahnung', {
          rechnung_id: row.rechnung_id,
          stufe: row.naechste,
          datum: day,
          faellig: pay_until,
          zinsen_ab: interest ? row.zinsen_ab : null,
          pauschale: lump_sum,
        })
        note({
          type: 'reminder',
          day,
          invoice: invoice.fact.ref,
          level: row.naechste,
          pay_until,
          fee: ['0.00', '5.00', '10.00'][row.naechste - 1]!,
          interest,
          lump_sum,
        })
      }
    },

    /** Debits what the mandate covers; the bank's credit follows on the day of collection. */
    async debit(): Promise<void> {
      const offered = await rpc<Lastschrift[]>('a_get_lastschriften', {})
      const own = offered.flatMap(({ rechnung_id }) => all.filter(({ id }) => id === rechnung_id))
      if (own.length === 0) return
      // Not before any of the days that the invoices announced.
      const collect = offered
        .flatMap(({ tag }) => (tag === null ? [] : [tag]))
        .reduce((latest, tag) => (tag > latest ? tag : latest), firstCollectionDay(addDays(day, 2)))
      const id = await rpc<number>('a_add_sepa_lauf', { rechnungen: own.map((one) => one.id), tag: collect })
      const run = (await rpc<SepaRun[]>('a_get_sepa_laeufe', {})).find((one) => one.id === id)
      if (run === undefined) throw new Error('the file of direct debits is lost')
      ids.set(`L ${day}`, id)
      note({ type: 'debit_file', day, collect, of: own.map(({ fact }) => fact.ref) })
      for (const invoice of own) transfers.push({ day: collect, invoice, how: 'all', way: 'bank' })
    },

    async receive(): Promise<void> {
      const ref = named('E')
      const net = 50_00 + random.below(900_00)
      const tax = Math.round(net * 0.19)
      const text = (sum: number) => euros(BigInt(sum))
      const due = addDays(day, 14 + random.below(20))
      // Before the invoice, with it, or to come, so that some is paid in advance.
      const supplied = addDays(day, random.some([-40, 0, 0, 45] as const))
      const bytes = Buffer.from(
        cii({
          ...SENT,
          number: `L-${seed}-${ref}`,
          day,
          due,
          supplied,
          seller: 'Landhandel Linde GmbH',
          lines: [{ id: '1', name: 'Pflöcke', quantity: '1', price: text(net), net: text(net) }],
          taxes: [{ base: text(net), tax: text(tax) }],
          sum: text(net),
          net: text(net),
          tax: text(tax),
          gross: text(net + tax),
          payable: text(net + tax),
        }),
      )
      const { data } = (await office.upload(`/prod-api/${eingangPaths.upload(`${ref}.xml`)}`, bytes)) as {
        data: { id: number }
      }
      const { id } = data
      const read = await rpc<{ version: number }>('a_get_eingang', { eingang_id: id })
      ids.set(ref, id)
      note({
        type: 'received',
        day,
        ref,
        number: `L-${seed}-${ref}`,
        due,
        supplied,
        tax: text(tax),
        gross: text(net + tax),
        sha256: createHash('sha256').update(bytes).digest('hex'),
        bytes: bytes.length,
      })
      const approved = !random.once(4)
      await rpc('a_decide_eingang', {
        eingang_id: id,
        version: read.version,
        freigegeben: approved,
        ...(!approved && { bemerkung: 'Nicht bestellt' }),
      })
      note({ type: 'received_decided', day, ref, approved })
    },
    async payReceived(): Promise<void> {
      const open = events.filter(
        (fact) =>
          fact.type === 'received' &&
          fact.due <= day &&
          events.some(
            (one) => one.type === 'received_decided' && one.ref === fact.ref && one.approved === true,
          ),
      )
      for (const fact of open) {
        if (fact.type !== 'received') continue
        const paid = events.reduce(
          (total, one) =>
            one.type === 'received_paid' && one.ref === fact.ref
              ? total + cents(one.amount) + cents(one.discount)
              : total,
          0n,
        )
        const rest = cents(fact.gross) - paid
        if (rest === 0n) continue
        // In full, in part, or less two per cent.
        const kind = paid > 0n ? 'full' : random.some(['full', 'part', 'discount'] as const)
        const discount = kind === 'discount' ? (rest * 2n + 50n) / 100n : 0n
        const amount = kind === 'part' ? rest / 2n : rest - discount
        // oxlint-disable-next-line no-await-in-loop -- few
        await rpc('a_add_eingang_zahlung', {
          eingang_id: ids.get(fact.ref),
          datum: day,
          betrag: euros(amount),
          skonto: discount > 0n,
        })
        note({ type: 'received_paid', day, ref: fact.ref, amount: euros(amount), discount: euros(discount) })
      }
    },
    async plan(): Promise<void> {
      const on = addDays(day, random.below(120))
      const direction = random.some(['in', 'out'] as const)
      const amount = euros(BigInt(100_00 + random.below(4_000_00)))
      await rpc('a_insert_prognose', {
        datum: on,
        betrag: amount,
        art: direction === 'in' ? 'Einnahme' : 'Ausgabe',
      })
      note({ type: 'planned', day, on, amount, direction })
    },
    async look(): Promise<void> {
      note({ type: 'asked', day })
      readings.push({
        day,
        cashflow: await rpc<CashflowRow[]>('a_get_cashflow', {}),
        overview: await rpc<Buchhaltung>('a_get_buchhaltung', {}),
      })
    },
  }
  /** What an office does on this day of the month. */
  const live = async (today: string): Promise<void> => {
    day = today
    const inMonth = Number(today.slice(8))
    const due = transfers.filter((one) => one.day <= today)
    const isLast = addDays(today, 1).slice(8) === '01'
    const quarterEnds = isLast && ['03', '06', '09', '12'].includes(today.slice(5, 7))
    const writes = inMonth <= 24 && inMonth % Math.max(1, Math.floor(24 / perMonth)) === 0
    await office.today(today)
    if (today.startsWith(screenMonth)) screens ??= await openScreens(office)
    else if (screens !== null) {
      onScreen = await screens.close()
      screens = null
    }
    transfers = transfers.filter((one) => one.day > today)
    // oxlint-disable-next-line no-await-in-loop -- money moves in order
    for (const transfer of due) await actions.move(transfer)
    if (inMonth === 2 || inMonth === 11) await actions.offer()
    if (inMonth % 6 === 1) await actions.decide()
    if (inMonth === 9 || inMonth === 19) await actions.bill()
    if (writes) await actions.invoice(random.some(customers))
    if (inMonth === 5) await actions.invoice(debited, { cash_discount: [] })
    if (inMonth === 8) await actions.debit()
    if (inMonth === 10 || inMonth === 25 || isLast) await actions.bankFile()
    if (inMonth === 17 || inMonth === 26) await actions.cancel()
    if (inMonth === 14 || inMonth === 28) await actions.remind()
    if (inMonth === 4) await actions.receive()
    if (inMonth === 21) await actions.payReceived()
    if (inMonth === 6) await actions.plan()
    if (quarterEnds || today === to) await actions.look()
  }
  const played = (): PlayedYear => ({
    onScreen,
    facts: { seed, from, to, base_rates: BASE_RATES, accounts: ACCOUNTS, customers, events },
    readings,
    ids,
  })
  return { live, played }
}
