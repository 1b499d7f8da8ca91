// The invoice as CII XML (UN/CEFACT D16B), for XRechnung 3.0 and for the EN 16931 profile of ZUGFeRD: one
// syntax, two identifiers. Built from the frozen document only; the same document gives the same bytes.
// Amounts are its texts, never floats. XRechnung 4.0 will get its own module next to this one.

import { retentionHint } from '../retention.ts'
import { isInvoiceKind } from '../abschlag.ts'
import { advanceHint, BELEG_NAME, correctionHint, takenOffText } from '../abschlag-text.ts'
import type { Beleg, BelegAnlage, BelegPosition, BelegTax, InvoiceKind } from '../beleg.ts'
import { unitCode } from '../units.ts'
import { decimal, formatCents, formatDecimal, multiply, negateText, round2, sign, subtract } from '../geld.ts'
import { isSurcharge } from '../rechnung.ts'
import { skontoBt20 } from '../skonto.ts'
import { germanDay } from '../day.ts'
import { buyer, isOutsideOfTax, seller } from './parties.ts'
import { collected, paymentMeans } from './payment.ts'
import { explanation, joined, sections, sectionText } from './sections.ts'
import {
  type AttachedBytes,
  cents,
  CURRENCY,
  DISCOUNT_CODE,
  isToBePaid,
  NOTHING_ATTACHED,
  PROCESS,
  subjectOf,
  supply,
  unsigned,
  VATEX,
  withoutZeros,
} from './terms.ts'
import { attribute, block, blockOf, encoded, exact, leaf, lineOf, node } from './xml.ts'

export type Profile = 'xrechnung' | 'en16931'

/** Stored with every document: the rules it was written for. */
export const RULESET: Readonly<Record<Profile, string>> = {
  xrechnung: 'XRechnung 3.0.2 (CII D16B)',
  en16931: 'ZUGFeRD 2.5 EN 16931 (CII D16B)',
}
/** BT-24 */
export const GUIDELINE_ID: Readonly<Record<Profile, string>> = {
  xrechnung: 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
  en16931: 'urn:cen.eu:en16931:2017',
}
export class NoERechnungError extends Error {
  override readonly name = 'NoERechnungError'
}

export function ciiXml(beleg: Beleg, profile: Profile, attached = NOTHING_ATTACHED): string {
  if (!isInvoiceKind(beleg.art)) throw new NoERechnungError(`${beleg.art} is no invoice`)
  if (beleg.entwurf || beleg.nummer === '') throw new NoERechnungError('a draft has no number')
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"',
    ' xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"',
    ' xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"',
    ' xmlns:qdt="urn:un:unece:uncefact:data:standard:QualifiedDataType:100">\n',
    context(profile),
    head(beleg),
    node(
      'rsm:SupplyChainTradeTransaction',
      ...lines(beleg),
      agreement(beleg, attached),
      delivery(beleg),
      settlement(beleg),
    ),
    '</rsm:CrossIndustryInvoice>\n',
  ].join('')
}

const context = (profile: Profile): string =>
  node(
    'rsm:ExchangedDocumentContext',
    profile === 'xrechnung'
      ? node('ram:BusinessProcessSpecifiedDocumentContextParameter', leaf('ram:ID', PROCESS))
      : '',
    node('ram:GuidelineSpecifiedDocumentContextParameter', leaf('ram:ID', GUIDELINE_ID[profile])),
  )

/** Format 102 of UNTDID 2379: 20261121. */
const day = (name: string, iso: string | null): string =>
  iso === null ? '' : node(name, leaf('udt:DateTimeString', dayDigits(iso), ' format="102"'))
const dayDigits = (iso: string): string => iso.replaceAll('-', '')

/** UNTDID 1001: 876 and 877 are for construction; 381 has amounts above zero, 384 with their sign. */
export const TYPE_CODE: Readonly<Record<InvoiceKind, string>> = {
  rechnung: '380',
  abschlag: '326',
  schluss: '380',
  storno: '384',
  korrektur: '384',
}

const head = (beleg: Beleg): string =>
  node(
    'rsm:ExchangedDocument',
    leaf('ram:ID', beleg.nummer),
    leaf('ram:TypeCode', isInvoiceKind(beleg.art) ? TYPE_CODE[beleg.art] : ''),
    day('ram:IssueDateTime', beleg.datum),
    ...notes(beleg).map((note) =>
      node('ram:IncludedNote', block('ram:Content', note), leaf('ram:SubjectCode', subjectOf(note))),
    ),
  )

/**
 * BT-22: texts for the reader. Payment terms (BT-20) contain only the discount for early payment, whose
 * format is fixed.
 */
export function notes(beleg: Beleg): string[] {
  const { bezug } = beleg
  return [
    beleg.art === 'storno' && bezug !== null
      ? `Storno der ${BELEG_NAME[bezug.art]} ${bezug.nummer} vom ${germanDay(bezug.datum)}`
      : correctionHint(beleg),
    advanceHint(beleg),
    joined('\n', beleg.anrede, beleg.anschreiben),
    ...sections(beleg.positionen).empty.map(sectionText),
    takenOffText(beleg),
    beleg.zuerl,
    retentionHint(beleg),
  ].filter((note) => blockOf(note) !== '')
}

// --- Lines

const lines = ({ positionen }: Beleg): string[] =>
  sections(positionen).lines.map(({ position, heading, first }) =>
    line(position, heading === null ? '' : first ? sectionText(heading) : blockOf(heading.bez)),
  )

function line(position: BelegPosition, section: string): string {
  // A price must not be negative (BR-27), so its sign moves to the quantity.
  const turned = sign(decimal(position.ep)) < 0
  const price = turned ? negateText(position.ep) : position.ep
  const quantity = turned ? negateText(position.anzahl) : position.anzahl
  const unit = unitCode(position.einheit)
  return node(
    'ram:IncludedSupplyChainTradeLineItem',
    node(
      'ram:AssociatedDocumentLineDocument',
      leaf('ram:LineID', position.nr === '' ? String(position.lfd_nr) : position.nr),
      node('ram:IncludedNote', block('ram:Content', section)),
    ),
    node(
      'ram:SpecifiedTradeProduct',
      leaf('ram:Name', position.bez) ||
        leaf('ram:Name', position.erl_titel) ||
        leaf('ram:Name', `Position ${position.nr}`),
      block('ram:Description', explanation(position)),
      // A unit without a code is sent as "one" (C62); its name becomes a property of the item (BG-32).
      unit.bekannt ? '' : characteristic('Einheit', position.einheit),
    ),
    node(
      'ram:SpecifiedLineTradeAgreement',
      node('ram:NetPriceProductTradePrice', leaf('ram:ChargeAmount', withoutZeros(price, 2))),
    ),
    node(
      'ram:SpecifiedLineTradeDelivery',
      leaf('ram:BilledQuantity', withoutZeros(quantity), attribute('unitCode', unit.code)),
    ),
    node(
      'ram:SpecifiedLineTradeSettlement',
      taxCategory('ram:ApplicableTradeTax', position.kategorie, position.ust_satz),
      period(position.le_date, position.le_date_bis ?? position.le_date),
      lineAllowance(position),
      node(
        'ram:SpecifiedTradeSettlementLineMonetarySummation',
        leaf('ram:LineTotalAmount', cents(position.betrag)),
      ),
    ),
  )
}

const characteristic = (name: string, value: string): string =>
  lineOf(value) === ''
    ? ''
    : node('ram:ApplicableProductCharacteristic', leaf('ram:Description', name), leaf('ram:Value', value))

/**
 * BG-27, or BG-28 for a surcharge. The amount is the difference between the full price and the amount of the
 * line, so the line adds up to the cent.
 */
function lineAllowance({ anzahl, ep, rabatt_prozent, betrag }: BelegPosition): string {
  const full = round2(multiply(decimal(anzahl), decimal(ep)))
  const off = subtract(full, decimal(betrag))
  return allowance(rabatt_prozent, formatDecimal(full), formatCents(off), '', '')
}

/**
 * Percentage and base are given together or not at all; a zero allowance is omitted. The sign of the
 * percentage says which it is, because a Storno negates the amounts alone.
 */
function allowance(percent: string, base: string, amount: string, reason: string, tax: string): string {
  if (sign(decimal(amount)) === 0) return ''
  const isCharge = isSurcharge(percent)
  const rate =
    sign(decimal(percent)) === 0
      ? []
      : [leaf('ram:CalculationPercent', withoutZeros(unsigned(percent))), leaf('ram:BasisAmount', base)]
  return node(
    'ram:SpecifiedTradeAllowanceCharge',
    node('ram:ChargeIndicator', leaf('udt:Indicator', String(isCharge))),
    ...rate,
    leaf('ram:ActualAmount', isCharge ? negateText(amount) : amount),
    isCharge ? '' : leaf('ram:ReasonCode', DISCOUNT_CODE),
    leaf('ram:Reason', reason) || leaf('ram:Reason', isCharge ? 'Zuschlag' : 'Rabatt'),
    tax,
  )
}

/** Lines outside the scope of tax (O) have no rate, not even 0. */
const taxCategory = (name: string, category: BelegTax['kategorie'], taxRate: string): string =>
  node(
    name,
    leaf('ram:TypeCode', 'VAT'),
    leaf('ram:CategoryCode', category),
    category === 'O' ? '' : leaf('ram:RateApplicablePercent', withoutZeros(taxRate)),
  )

// --- Parties

const agreement = (beleg: Beleg, attached: AttachedBytes): string =>
  node(
    'ram:ApplicableHeaderTradeAgreement',
    leaf('ram:BuyerReference', beleg.empfaenger.leitweg_id) ||
      leaf('ram:BuyerReference', beleg.verweise?.kaeufer_ref ?? ''),
    seller(beleg.lieferant, isOutsideOfTax(beleg)),
    buyer(beleg),
    node('ram:BuyerOrderReferencedDocument', leaf('ram:IssuerAssignedID', beleg.empfaenger.bestellnummer)),
    node('ram:ContractReferencedDocument', leaf('ram:IssuerAssignedID', beleg.verweise?.vertrag_nr ?? '')),
    ...related(beleg),
    // UNTDID 1001: 50 a price tender, 130 the object that is invoiced.
    reference(beleg.verweise?.vergabe_nr, '50'),
    reference(beleg.verweise?.objekt_nr, '130'),
    ...(beleg.anlagen ?? []).map((one) => attachment(one, attached)),
    project(beleg.verweise?.projekt_nr),
  )

const reference = (id = '', type: string): string =>
  lineOf(id) === ''
    ? ''
    : node('ram:AdditionalReferencedDocument', leaf('ram:IssuerAssignedID', id), leaf('ram:TypeCode', type))

/** BG-24: 916, a related document. */
function attachment(
  { id, name, beschreibung, dateiname, mime }: BelegAnlage,
  attached: AttachedBytes,
): string {
  const bytes = attached.get(id)
  if (bytes === undefined) throw new NoERechnungError(`the bytes of attachment ${id} are missing`)
  return node(
    'ram:AdditionalReferencedDocument',
    leaf('ram:IssuerAssignedID', name),
    leaf('ram:TypeCode', '916'),
    leaf('ram:Name', beschreibung),
    encoded(
      'ram:AttachmentBinaryObject',
      bytes,
      attribute('mimeCode', mime) + attribute('filename', dateiname),
    ),
  )
}

/** The syntax requires a name, and EN 16931 has none. */
const project = (id = ''): string =>
  lineOf(id) === ''
    ? ''
    : node('ram:SpecifiedProcuringProject', leaf('ram:ID', id), leaf('ram:Name', 'Project reference'))

/**
 * Related documents (916): the billed offer, for which EN 16931 has no field, and every advance but the first,
 * because the syntax has BG-3 once, although the norm has it any number of times. Only one may have a name
 * (CII-SR-475); what the others are is said in words (takenOffText).
 */
const related = ({ art, bezug, abschlaege = [] }: Beleg): string[] =>
  [
    ...(bezug?.art === 'angebot' ? [{ ...bezug, name: 'Angebot' }] : []),
    ...(art === 'storno' ? [] : abschlaege.slice(1)).map((one) => ({ ...one, name: '' })),
  ].map(({ nummer, datum, name }) =>
    node(
      'ram:AdditionalReferencedDocument',
      leaf('ram:IssuerAssignedID', nummer),
      leaf('ram:TypeCode', '916'),
      leaf('ram:Name', name === '' ? '' : `${name} vom ${germanDay(datum)}`),
    ),
  )

// --- Dates

/**
 * BT-72: date on which the supply was completed; for a period, its last day. Of an advance nothing is completed:
 * it names who the supply is for (BT-70), because the element must neither be left out nor be empty.
 */
function delivery(beleg: Beleg): string {
  const event =
    beleg.art === 'abschlag'
      ? node('ram:ShipToTradeParty', leaf('ram:Name', beleg.empfaenger.name))
      : node('ram:ActualDeliverySupplyChainEvent', day('ram:OccurrenceDateTime', supply(beleg)?.to ?? null))
  // The only element that must be present even if empty.
  return event === ''
    ? '<ram:ApplicableHeaderTradeDelivery/>\n'
    : node('ram:ApplicableHeaderTradeDelivery', event)
}

const period = (from: string | null, to: string | null): string =>
  node('ram:BillingSpecifiedPeriod', day('ram:StartDateTime', from), day('ram:EndDateTime', to))

// --- Amounts

function settlement(beleg: Beleg): string {
  const when = supply(beleg)
  return node(
    'ram:ApplicableHeaderTradeSettlement',
    // BT-90
    leaf('ram:CreditorReferenceID', collected(beleg)?.glaeubiger_id ?? ''),
    leaf('ram:PaymentReference', beleg.nummer),
    leaf('ram:InvoiceCurrencyCode', CURRENCY),
    paymentMeans(beleg),
    ...beleg.summen.steuern.map(taxGroup),
    when === null || (when.from === when.to && beleg.art !== 'abschlag') ? '' : period(when.from, when.to),
    ...beleg.summen.steuern.map((group) =>
      allowance(
        beleg.rabatt_prozent,
        cents(group.positionen),
        cents(group.rabatt),
        beleg.rabatt_grund,
        taxCategory('ram:CategoryTradeTax', group.kategorie, group.satz),
      ),
    ),
    paymentTerms(beleg),
    totals(beleg),
    preceding(beleg),
  )
}

const taxGroup = ({ kategorie, satz, grund, basis, steuer }: BelegTax): string =>
  node(
    'ram:ApplicableTradeTax',
    leaf('ram:CalculatedAmount', cents(steuer)),
    leaf('ram:TypeCode', 'VAT'),
    kategorie === 'S' ? '' : block('ram:ExemptionReason', grund),
    leaf('ram:BasisAmount', cents(basis)),
    leaf('ram:CategoryCode', kategorie),
    leaf('ram:ExemptionReasonCode', VATEX[kategorie] ?? ''),
    // For a group, XRechnung requires a rate even outside the scope of tax (BR-DE-14), whereas a line must
    // not have one (BR-O-5).
    leaf('ram:RateApplicablePercent', withoutZeros(satz)),
  )

/**
 * BT-20 and BT-9. An amount without a due date is due at once (§ 271 BGB), and the rules require a date
 * (BR-CO-25).
 */
function paymentTerms(beleg: Beleg): string {
  if (!isToBePaid(beleg)) return ''
  return node(
    'ram:SpecifiedTradePaymentTerms',
    exact('ram:Description', skontoBt20(beleg.skonto)),
    day('ram:DueDateDateTime', beleg.faellig ?? beleg.datum),
    // BT-89
    leaf('ram:DirectDebitMandateID', collected(beleg)?.mandat ?? ''),
  )
}

function totals({ summen, rabatt_prozent }: Beleg): string {
  const unlessZero = (name: string, amount: string): string =>
    sign(decimal(amount)) === 0 ? '' : leaf(name, cents(amount))
  const isCharge = isSurcharge(rabatt_prozent)
  return node(
    'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
    leaf('ram:LineTotalAmount', cents(summen.positionen)),
    isCharge ? unlessZero('ram:ChargeTotalAmount', negateText(summen.rabatt)) : '',
    isCharge ? '' : unlessZero('ram:AllowanceTotalAmount', summen.rabatt),
    leaf('ram:TaxBasisTotalAmount', cents(summen.netto)),
    leaf('ram:TaxTotalAmount', cents(summen.steuer), attribute('currencyID', CURRENCY)),
    leaf('ram:GrandTotalAmount', cents(summen.brutto)),
    unlessZero('ram:TotalPrepaidAmount', summen.anzahlung),
    leaf('ram:DuePayableAmount', cents(summen.zahlbetrag)),
  )
}

/** BG-3: the invoice of a Storno or a correction; the first advance that a final invoice takes off (`related`). */
function preceding({ art, bezug, abschlaege = [] }: Beleg): string {
  const one = art === 'storno' || art === 'korrektur' ? bezug : (abschlaege[0] ?? null)
  if (one === null) return ''
  return node(
    'ram:InvoiceReferencedDocument',
    leaf('ram:IssuerAssignedID', one.nummer),
    node('ram:FormattedIssueDateTime', leaf('qdt:DateTimeString', dayDigits(one.datum), ' format="102"')),
  )
}
