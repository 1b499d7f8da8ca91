// A received invoice in the terms of EN 16931, whatever its syntax was: groups (BG) with terms (BT), whose values
// are texts as the file says them; days are ISO days where they could be read.

export interface InvoiceGroup {
  readonly terms: Readonly<Record<string, readonly string[]>>
  readonly groups: Readonly<Record<string, readonly InvoiceGroup[]>>
}

export type Syntax = 'cii' | 'ubl'

export interface ReadInvoice {
  readonly syntax: Syntax
  /** The invoice itself; its groups are the outer ones of the standard. */
  readonly invoice: InvoiceGroup
  /** Paths of texts that stand in the file and belong to no term of the standard. */
  readonly unread: readonly string[]
}

/** '' if the term is not there. */
export const term = (group: InvoiceGroup | undefined, id: string): string => group?.terms[id]?.[0] ?? ''
export const groupsOf = (group: InvoiceGroup | undefined, id: string): readonly InvoiceGroup[] =>
  group?.groups[id] ?? []
export const groupOf = (group: InvoiceGroup | undefined, id: string): InvoiceGroup | undefined =>
  groupsOf(group, id)[0]

/** Codes of UNTDID 1001 by which money goes the other way. */
const CREDITS = new Set(['81', '83', '261', '262', '296', '308', '381', '396', '420', '458', '532'])
export const isCredit = (invoice: InvoiceGroup): boolean => CREDITS.has(term(invoice, 'BT-3'))
