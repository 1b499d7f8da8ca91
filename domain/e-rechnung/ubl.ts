// The same invoice as UBL 2.1, for receivers of XRechnung who take nothing else: the same terms in another syntax.
// All our kinds (380, 326, 384) are written as Invoice; CreditNote is for 381, which we do not issue.

import { isInvoiceKind } from '../abschlag.ts'
import type { Beleg, BelegAnlage, BelegPosition, BelegTax } from '../beleg.ts'
import { germanDay } from '../day.ts'
import { decimal, formatCents, formatDecimal, multiply, negateText, round2, sign, subtract } from '../geld.ts'
import { isSurcharge } from '../rechnung.ts'
import { skontoBt20 } from '../skonto.ts'
import { unitCode } from '../units.ts'
import { type Address, electronicAddress, identifier, isOutsideOfTax, streetLines } from './parties.ts'
import { collected } from './payment.ts'
import { explanation, sections, sectionText } from './sections.ts'
import { attribute, block, blockOf, encoded, exact, leaf, lineOf, node } from './xml.ts'
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
import { GUIDELINE_ID, NoERechnungError, notes, TYPE_CODE } from './xrechnung-3-0.ts'

/** Stored with every document: the rules it was written for. */
export const UBL_RULESET = 'XRechnung 3.0.2 (UBL 2.1)'

export function ublXml(beleg: Beleg, attached: AttachedBytes = NOTHING_ATTACHED): string {
  if (!isInvoiceKind(beleg.art)) throw new NoERechnungError(`${beleg.art} is no invoice`)
  if (beleg.entwurf || beleg.nummer === '') throw new NoERechnungError('a draft has no number')
  const when = supply(beleg)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"',
    ' xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"',
    ' xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">\n',
    leaf('cbc:CustomizationID', GUIDELINE_ID.xrechnung),
    leaf('cbc:ProfileID', PROCESS),
    leaf('cbc:ID', beleg.nummer),
    leaf('cbc:IssueDate', beleg.datum),
    // § 271 BGB, BR-CO-25: see paymentTerms of the other syntax.
    isToBePaid(beleg) ? leaf('cbc:DueDate', beleg.faellig ?? beleg.datum) : '',
    leaf('cbc:InvoiceTypeCode', TYPE_CODE[beleg.art]),
    ...notes(beleg).map((note) => block('cbc:Note', withSubject(note))),
    leaf('cbc:DocumentCurrencyCode', CURRENCY),
    leaf('cbc:BuyerReference', beleg.empfaenger.leitweg_id) ||
      leaf('cbc:BuyerReference', beleg.verweise?.kaeufer_ref ?? ''),
    when === null || (when.from === when.to && beleg.art !== 'abschlag') ? '' : period(when.from, when.to),
    named('cac:OrderReference', beleg.empfaenger.bestellnummer),
    ...preceding(beleg),
    named('cac:OriginatorDocumentReference', beleg.verweise?.vergabe_nr),
    named('cac:ContractDocumentReference', beleg.verweise?.vertrag_nr),
    ...related(beleg, attached),
    named('cac:ProjectReference', beleg.verweise?.projekt_nr),
    node('cac:AccountingSupplierParty', seller(beleg)),
    node('cac:AccountingCustomerParty', buyer(beleg)),
    delivery(beleg, when),
    paymentMeans(beleg),
    isToBePaid(beleg) ? node('cac:PaymentTerms', exact('cbc:Note', skontoBt20(beleg.skonto))) : '',
    ...beleg.summen.steuern.map((group) => groupAllowance(beleg, group)),
    node('cac:TaxTotal', money('cbc:TaxAmount', beleg.summen.steuer), ...beleg.summen.steuern.map(taxGroup)),
    totals(beleg),
    ...lines(beleg),
    '</Invoice>\n',
  ].join('')
}

const money = (name: string, amount: string): string =>
  leaf(name, cents(amount), attribute('currencyID', CURRENCY))
const VAT = node('cac:TaxScheme', leaf('cbc:ID', 'VAT'))
const named = (name: string, id = ''): string => (lineOf(id) === '' ? '' : node(name, leaf('cbc:ID', id)))
const period = (from: string | null, to: string | null): string =>
  node('cac:InvoicePeriod', leaf('cbc:StartDate', from ?? ''), leaf('cbc:EndDate', to ?? ''))

// --- References

/** BG-3: here any number of times, so a final invoice names all of its advances. */
const preceding = ({ art, bezug, abschlaege = [] }: Beleg): string[] =>
  (art === 'storno' || art === 'korrektur' ? (bezug === null ? [] : [bezug]) : abschlaege).map(
    ({ nummer, datum }) =>
      node(
        'cac:BillingReference',
        node('cac:InvoiceDocumentReference', leaf('cbc:ID', nummer), leaf('cbc:IssueDate', datum)),
      ),
  )

/** BT-18 (130), the billed offer, and the attachments. */
const related = ({ bezug, verweise, anlagen = [] }: Beleg, attached: AttachedBytes): string[] => [
  lineOf(verweise?.objekt_nr ?? '') === ''
    ? ''
    : node(
        'cac:AdditionalDocumentReference',
        leaf('cbc:ID', verweise?.objekt_nr ?? ''),
        leaf('cbc:DocumentTypeCode', '130'),
      ),
  bezug?.art !== 'angebot'
    ? ''
    : node(
        'cac:AdditionalDocumentReference',
        leaf('cbc:ID', bezug.nummer),
        leaf('cbc:DocumentDescription', `Angebot vom ${germanDay(bezug.datum)}`),
      ),
  ...anlagen.map((one) => attachment(one, attached)),
]

/** BG-24 */
function attachment(
  { id, name, beschreibung, dateiname, mime }: BelegAnlage,
  attached: AttachedBytes,
): string {
  const bytes = attached.get(id)
  if (bytes === undefined) throw new NoERechnungError(`the bytes of attachment ${id} are missing`)
  return node(
    'cac:AdditionalDocumentReference',
    leaf('cbc:ID', name),
    leaf('cbc:DocumentDescription', beschreibung),
    node(
      'cac:Attachment',
      encoded(
        'cbc:EmbeddedDocumentBinaryObject',
        bytes,
        attribute('mimeCode', mime) + attribute('filename', dateiname),
      ),
    ),
  )
}

// --- Parties

function address(of: Address): string {
  const [one, two] = streetLines(of)
  return node(
    'cac:PostalAddress',
    leaf('cbc:StreetName', one),
    leaf('cbc:AdditionalStreetName', two),
    leaf('cbc:CityName', of.ort),
    leaf('cbc:PostalZone', of.plz),
    node('cac:Country', leaf('cbc:IdentificationCode', identifier(of.land))),
  )
}

function endpoint(mail: string, leitwegId = ''): string {
  const [scheme, id] = electronicAddress(mail, leitwegId)
  return leaf('cbc:EndpointID', id, attribute('schemeID', scheme))
}

const registration = (id: string, scheme: string): string =>
  lineOf(id) === '' ? '' : node('cac:PartyTaxScheme', leaf('cbc:CompanyID', id), scheme)

/** Which identifiers there are: see parties.ts. */
function seller(beleg: Beleg): string {
  const { lieferant } = beleg
  const outside = isOutsideOfTax(beleg)
  const debit = collected(beleg)
  const ustId = outside ? '' : identifier(lieferant.ust_id)
  return node(
    'cac:Party',
    endpoint(lieferant.mail),
    ustId === ''
      ? named('cac:PartyIdentification', lieferant.steuernummer) ||
          named('cac:PartyIdentification', identifier(lieferant.ust_id))
      : '',
    // BT-90
    debit === undefined
      ? ''
      : node('cac:PartyIdentification', leaf('cbc:ID', debit.glaeubiger_id, attribute('schemeID', 'SEPA'))),
    address(lieferant),
    registration(ustId, VAT),
    registration(lieferant.steuernummer, node('cac:TaxScheme', leaf('cbc:ID', 'FC'))),
    node(
      'cac:PartyLegalEntity',
      leaf('cbc:RegistrationName', lieferant.name),
      block('cbc:CompanyLegalForm', lieferant.fusszeile),
    ),
    node(
      'cac:Contact',
      leaf('cbc:Name', lieferant.ansprechpartner),
      leaf('cbc:Telephone', lieferant.telefon),
      leaf('cbc:ElectronicMail', lieferant.mail),
    ),
  )
}

const buyer = (beleg: Beleg): string => {
  const { empfaenger } = beleg
  return node(
    'cac:Party',
    endpoint(empfaenger.mail, empfaenger.leitweg_id),
    address(empfaenger),
    registration(isOutsideOfTax(beleg) ? '' : identifier(empfaenger.ust_id), VAT),
    node('cac:PartyLegalEntity', leaf('cbc:RegistrationName', empfaenger.name)),
  )
}

// --- Supply and payment

/** BT-72; of an advance nothing is completed, and it names who the supply is for (BT-70). */
const delivery = ({ art, empfaenger }: Beleg, when: ReturnType<typeof supply>): string =>
  art === 'abschlag'
    ? node(
        'cac:Delivery',
        node('cac:DeliveryParty', node('cac:PartyName', leaf('cbc:Name', empfaenger.name))),
      )
    : node('cac:Delivery', leaf('cbc:ActualDeliveryDate', when?.to ?? ''))

/** 59, a SEPA direct debit (BG-19); 58, a SEPA transfer; if nothing is due no account (1, not defined). */
function paymentMeans(beleg: Beleg): string {
  const debit = collected(beleg)
  if (debit !== undefined)
    return node(
      'cac:PaymentMeans',
      leaf('cbc:PaymentMeansCode', '59'),
      leaf('cbc:PaymentID', beleg.nummer),
      node(
        'cac:PaymentMandate',
        leaf('cbc:ID', debit.mandat),
        node('cac:PayerFinancialAccount', leaf('cbc:ID', identifier(debit.iban))),
      ),
    )
  const { iban, bic, kontoinhaber, name } = beleg.lieferant
  const account = isToBePaid(beleg) ? identifier(iban) : ''
  return node(
    'cac:PaymentMeans',
    leaf('cbc:PaymentMeansCode', account === '' ? '1' : '58'),
    leaf('cbc:PaymentID', beleg.nummer),
    account === ''
      ? ''
      : node(
          'cac:PayeeFinancialAccount',
          leaf('cbc:ID', account),
          leaf('cbc:Name', kontoinhaber) || leaf('cbc:Name', name),
          named('cac:FinancialInstitutionBranch', identifier(bic)),
        ),
  )
}

/** BT-21 comes in front of BT-22. */
function withSubject(note: string): string {
  const subject = subjectOf(note)
  return subject === '' ? note : `#${subject}#${note}`
}

// --- Amounts

interface Allowance {
  readonly percent: string
  readonly base: string
  readonly amount: string
  readonly reason: string
  readonly tax: string
}
/**
 * Percentage and base are given together or not at all; a zero allowance is omitted. The sign of the
 * percentage says whether it is a surcharge.
 */
function allowance({ percent, base, amount, reason, tax }: Allowance): string {
  if (sign(decimal(amount)) === 0) return ''
  const isCharge = isSurcharge(percent)
  const hasRate = sign(decimal(percent)) !== 0
  return node(
    'cac:AllowanceCharge',
    leaf('cbc:ChargeIndicator', String(isCharge)),
    isCharge ? '' : leaf('cbc:AllowanceChargeReasonCode', DISCOUNT_CODE),
    leaf('cbc:AllowanceChargeReason', reason) ||
      leaf('cbc:AllowanceChargeReason', isCharge ? 'Zuschlag' : 'Rabatt'),
    hasRate ? leaf('cbc:MultiplierFactorNumeric', withoutZeros(unsigned(percent))) : '',
    money('cbc:Amount', isCharge ? negateText(amount) : amount),
    hasRate ? money('cbc:BaseAmount', base) : '',
    tax,
  )
}
const groupAllowance = ({ rabatt_prozent, rabatt_grund }: Beleg, group: BelegTax): string =>
  allowance({
    percent: rabatt_prozent,
    base: group.positionen,
    amount: cents(group.rabatt),
    reason: rabatt_grund,
    tax: taxCategory('cac:TaxCategory', group.kategorie, group.satz),
  })

/** Outside the scope of tax (O) there is no rate, not even 0. */
const taxCategory = (name: string, category: BelegTax['kategorie'], rate: string): string =>
  node(name, leaf('cbc:ID', category), category === 'O' ? '' : leaf('cbc:Percent', withoutZeros(rate)), VAT)

const taxGroup = ({ kategorie, satz, grund, basis, steuer }: BelegTax): string =>
  node(
    'cac:TaxSubtotal',
    money('cbc:TaxableAmount', basis),
    money('cbc:TaxAmount', steuer),
    node(
      'cac:TaxCategory',
      leaf('cbc:ID', kategorie),
      // Here XRechnung requires a rate even outside the scope of tax (BR-DE-14).
      leaf('cbc:Percent', withoutZeros(satz)),
      leaf('cbc:TaxExemptionReasonCode', VATEX[kategorie] ?? ''),
      kategorie === 'S' ? '' : block('cbc:TaxExemptionReason', grund),
      VAT,
    ),
  )

function totals({ summen, rabatt_prozent }: Beleg): string {
  const unlessZero = (name: string, amount: string): string =>
    sign(decimal(amount)) === 0 ? '' : money(name, amount)
  const isCharge = isSurcharge(rabatt_prozent)
  return node(
    'cac:LegalMonetaryTotal',
    money('cbc:LineExtensionAmount', summen.positionen),
    money('cbc:TaxExclusiveAmount', summen.netto),
    money('cbc:TaxInclusiveAmount', summen.brutto),
    isCharge ? '' : unlessZero('cbc:AllowanceTotalAmount', summen.rabatt),
    isCharge ? unlessZero('cbc:ChargeTotalAmount', negateText(summen.rabatt)) : '',
    unlessZero('cbc:PrepaidAmount', summen.anzahlung),
    money('cbc:PayableAmount', summen.zahlbetrag),
  )
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
  const full = round2(multiply(decimal(position.anzahl), decimal(position.ep)))
  const { le_date, le_date_bis } = position
  return node(
    'cac:InvoiceLine',
    leaf('cbc:ID', position.nr === '' ? String(position.lfd_nr) : position.nr),
    block('cbc:Note', section),
    leaf('cbc:InvoicedQuantity', withoutZeros(quantity), attribute('unitCode', unit.code)),
    money('cbc:LineExtensionAmount', position.betrag),
    le_date === null && le_date_bis === null ? '' : period(le_date, le_date_bis ?? le_date),
    allowance({
      percent: position.rabatt_prozent,
      base: formatDecimal(full),
      amount: formatCents(subtract(full, decimal(position.betrag))),
      reason: '',
      tax: '',
    }),
    node(
      'cac:Item',
      block('cbc:Description', explanation(position)),
      leaf('cbc:Name', position.bez) ||
        leaf('cbc:Name', position.erl_titel) ||
        leaf('cbc:Name', `Position ${position.nr}`),
      taxCategory('cac:ClassifiedTaxCategory', position.kategorie, position.ust_satz),
      // A unit without a code is sent as "one" (C62); its name becomes a property of the item (BG-32).
      unit.bekannt || lineOf(position.einheit) === ''
        ? ''
        : node(
            'cac:AdditionalItemProperty',
            leaf('cbc:Name', 'Einheit'),
            leaf('cbc:Value', position.einheit),
          ),
    ),
    node('cac:Price', leaf('cbc:PriceAmount', withoutZeros(price, 2), attribute('currencyID', CURRENCY))),
  )
}
