// What happened in a year, as an outside observer writes it down: who ordered, billed and paid what on which day.
// No figure of the product is among it; `test/year/reckoning.py` uses nothing else.

/** Another kind of event is another entry here, a method of the player, and a branch of the calculation. */
export type Fact =
  | OfferFact
  | { readonly type: 'decision'; readonly day: string; readonly offer: string; readonly accepted: boolean }
  | InvoiceFact
  | { readonly type: 'cancel'; readonly day: string; readonly ref: string; readonly of: string }
  | PaymentFact
  | { readonly type: 'payment_reversed'; readonly day: string; readonly payment: string }
  | ReminderFact
  | { readonly type: 'debit_file'; readonly day: string; readonly collect: string; readonly of: string[] }
  | ReceivedFact
  | {
      readonly type: 'received_decided'
      readonly day: string
      readonly ref: string
      readonly approved: boolean
    }
  | ReceivedPaymentFact
  | {
      readonly type: 'planned'
      readonly day: string
      readonly on: string
      readonly amount: string
      readonly direction: 'in' | 'out'
    }
  /** The product was asked for what is expected, and for the overview. */
  | { readonly type: 'asked'; readonly day: string }

export interface CustomerFact {
  readonly id: number
  readonly name: string
  /** Two letters. */
  readonly country: string
  readonly vat_id: string
  readonly private: boolean
  /** What the work is about: land in Germany, land in another country (two letters), nothing of the kind. */
  readonly land: string | null
  readonly debtor: string
  /** Has signed a mandate: what is due is collected on a bank day. */
  readonly collected: boolean
}
/** `rate`: what it would have in Germany; 0 is exempt for the reason given. */
export interface LineFact {
  readonly quantity: string
  readonly price: string
  readonly rate: '19' | '7' | '0'
  readonly reason: string
  readonly supplied: string | null
}
export interface OfferFact {
  readonly type: 'offer'
  readonly day: string
  readonly ref: string
  readonly customer: number
  readonly valid_until: string
  readonly chance: number
  readonly supplied: string
  readonly lines: readonly LineFact[]
}
export interface InvoiceFact {
  readonly type: 'invoice'
  readonly day: string
  readonly ref: string
  readonly kind: 'plain' | 'advance' | 'final'
  readonly customer: number
  /** First and last day of the supply; of an advance null. */
  readonly supplied: readonly [string, string] | null
  readonly days_to_pay: number
  readonly cash_discount: readonly { readonly days: number; readonly percent: string }[]
  readonly discount: string
  readonly lines: readonly LineFact[]
  readonly offer: string | null
  /** Of an advance: its share of the order. */
  readonly percent: string | null
  /** The cancelled invoice that it replaces. */
  readonly replaces: string | null
}
export interface PaymentFact {
  readonly type: 'payment'
  readonly day: string
  readonly ref: string
  readonly invoice: string
  readonly amount: string
  readonly kind: 'money' | 'cash_discount' | 'loss'
}
export interface ReminderFact {
  readonly type: 'reminder'
  readonly day: string
  readonly invoice: string
  readonly level: number
  readonly pay_until: string
  readonly fee: string
  readonly interest: boolean
  readonly lump_sum: boolean
}
export interface ReceivedFact {
  readonly type: 'received'
  readonly day: string
  readonly ref: string
  readonly number: string
  readonly due: string
  /** Last day of the supply. */
  readonly supplied: string
  readonly tax: string
  readonly gross: string
  readonly sha256: string
  readonly bytes: number
}
/** Money for a received invoice, and the cash discount that is deducted with it. */
export interface ReceivedPaymentFact {
  readonly type: 'received_paid'
  readonly day: string
  readonly ref: string
  readonly amount: string
  readonly discount: string
}
export interface YearFacts {
  readonly seed: number
  readonly from: string
  readonly to: string
  /** As the Bundesbank announced them. */
  readonly base_rates: readonly { readonly from: string; readonly rate: string }[]
  /** As the tax adviser gave them. */
  readonly accounts: {
    readonly revenue: Readonly<Record<string, string>>
    readonly cash_discount: Readonly<Record<string, string>>
    readonly advances: Readonly<Record<string, string>>
    readonly bank: string
  }
  readonly customers: readonly CustomerFact[]
  readonly events: readonly Fact[]
}
