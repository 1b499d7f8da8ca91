// Invoices as other programs write them, written down from the standard (EN 16931-3-2 and -3-3) and independent of
// our own writer. All amounts are given, none is computed. `Habits` are what makers do differently.

export interface Line {
  readonly id: string
  readonly name: string
  readonly quantity: string
  readonly unit?: string
  readonly price: string
  /** Quantity that the price is for. */
  readonly per?: string
  readonly net: string
  readonly category?: string
  readonly rate?: string
  readonly off?: string
  readonly on?: string
  readonly from?: string
  readonly to?: string
  readonly description?: string
  readonly property?: readonly [string, string]
}
export interface Tax {
  readonly base: string
  readonly tax: string
  readonly category?: string
  readonly rate?: string
  readonly reason?: string
}
/** Allowance or charge on the invoice. */
export interface Change {
  readonly amount: string
  readonly reason: string
  readonly category?: string
  readonly rate?: string
}
export interface Spec {
  readonly number: string
  readonly type?: string
  readonly day?: string
  readonly due?: string
  readonly terms?: string
  readonly currency?: string
  readonly taxCurrency?: string
  readonly taxInOther?: string
  readonly seller?: string
  readonly vatId?: string
  readonly taxNumber?: string
  readonly buyer?: string
  readonly buyerVatId?: string
  readonly iban?: string
  readonly profile?: string
  readonly supplied?: string
  readonly from?: string
  readonly to?: string
  readonly notes?: readonly string[]
  readonly preceding?: string
  readonly order?: string
  readonly leitweg?: string
  readonly lines: readonly Line[]
  readonly off?: readonly Change[]
  readonly on?: readonly Change[]
  readonly taxes: readonly Tax[]
  readonly sum: string
  readonly offSum?: string
  readonly onSum?: string
  readonly net: string
  readonly tax?: string
  readonly gross: string
  readonly paid?: string
  readonly rounding?: string
  readonly payable: string
  /** Embedded documents: name, type, base64. */
  readonly attachments?: readonly (readonly [string, string, string])[]
  readonly payee?: string
  readonly debit?: boolean
}
export interface Habits {
  /** Prefixes of the document, of aggregates, of basic elements; '' is the default namespace. */
  readonly prefixes?: readonly [string, string, string]
  readonly indented?: boolean
  readonly comments?: boolean
  readonly asSections?: boolean
  readonly declaration?: string
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

type Node = string
const writer = ({ indented = true, asSections = false, comments = false }: Habits) => {
  const end = indented ? '\n  ' : ''
  const written = (text: string): string =>
    asSections && /[<&ä]/.test(text) ? `<![CDATA[${text}]]>` : escaped(text)
  const leaf = (name: string, text: string | undefined, attributes = ''): Node =>
    text === undefined ? '' : `<${name}${attributes}>${written(text)}</${name}>${end}`
  const node = (name: string, ...inner: readonly Node[]): Node =>
    inner.join('') === ''
      ? ''
      : `<${name}>${end}${comments ? `<!-- ${name.replaceAll(':', ' ')} -->` : ''}${inner.join('')}</${name}>${end}`
  return { leaf, node }
}
const each = <T>(list: readonly T[] | undefined, write: (one: T) => Node): Node =>
  (list ?? []).map(write).join('')
const digits = (day: string | undefined): string | undefined => day?.replaceAll('-', '')
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

const CII_SPACES = [
  'CrossIndustryInvoice',
  'ReusableAggregateBusinessInformationEntity',
  'UnqualifiedDataType',
].map((name) => `urn:un:unece:uncefact:data:standard:${name}:100`)
const UBL_SPACES = (root: string): string[] =>
  [`${root}-2`, 'CommonAggregateComponents-2', 'CommonBasicComponents-2'].map(
    (name) => `urn:oasis:names:specification:ubl:schema:xsd:${name}`,
  )
const declared = (prefixes: readonly string[], spaces: readonly string[]): string =>
  prefixes.map((prefix, at) => ` xmlns${prefix === '' ? '' : `:${prefix}`}="${spaces[at]}"`).join('')
const named =
  (prefix: string) =>
  (name: string): string =>
    prefix === '' ? name : `${prefix}:${name}`

export function cii(spec: Spec, habits: Habits = {}): string {
  const { prefixes = ['rsm', 'ram', 'udt'], declaration = DECLARATION } = habits
  const [doc, group, basic] = prefixes.map(named) as [
    (name: string) => string,
    (name: string) => string,
    (name: string) => string,
  ]
  const { leaf, node } = writer(habits)
  const { currency = 'EUR' } = spec
  const day = (name: string, value: string | undefined): Node =>
    value === undefined
      ? ''
      : node(group(name), leaf(basic('DateTimeString'), digits(value), ' format="102"'))
  const tax = (
    name: string,
    category = 'S',
    rate: string | undefined = '19',
    ...more: readonly Node[]
  ): Node =>
    node(
      group(name),
      more[0] ?? '',
      leaf(group('TypeCode'), 'VAT'),
      more[1] ?? '',
      more[2] ?? '',
      leaf(group('CategoryCode'), category),
      leaf(group('RateApplicablePercent'), category === 'O' ? undefined : rate),
    )
  const change = (isCharge: boolean, amount: string, reason: string, taxNode: Node): Node =>
    node(
      group('SpecifiedTradeAllowanceCharge'),
      node(group('ChargeIndicator'), leaf(basic('Indicator'), String(isCharge))),
      leaf(group('ActualAmount'), amount),
      leaf(group('Reason'), reason),
      taxNode,
    )
  const line = (one: Line): Node =>
    node(
      group('IncludedSupplyChainTradeLineItem'),
      node(group('AssociatedDocumentLineDocument'), leaf(group('LineID'), one.id)),
      node(
        group('SpecifiedTradeProduct'),
        leaf(group('Name'), one.name),
        leaf(group('Description'), one.description),
        one.property === undefined
          ? ''
          : node(
              group('ApplicableProductCharacteristic'),
              leaf(group('Description'), one.property[0]),
              leaf(group('Value'), one.property[1]),
            ),
      ),
      node(
        group('SpecifiedLineTradeAgreement'),
        node(
          group('NetPriceProductTradePrice'),
          leaf(group('ChargeAmount'), one.price),
          leaf(group('BasisQuantity'), one.per, ` unitCode="${one.unit ?? 'C62'}"`),
        ),
      ),
      node(
        group('SpecifiedLineTradeDelivery'),
        leaf(group('BilledQuantity'), one.quantity, ` unitCode="${one.unit ?? 'C62'}"`),
      ),
      node(
        group('SpecifiedLineTradeSettlement'),
        tax('ApplicableTradeTax', one.category, one.rate),
        node(group('BillingSpecifiedPeriod'), day('StartDateTime', one.from), day('EndDateTime', one.to)),
        one.off === undefined ? '' : change(false, one.off, 'Rabatt', ''),
        one.on === undefined ? '' : change(true, one.on, 'Zuschlag', ''),
        node(group('SpecifiedTradeSettlementLineMonetarySummation'), leaf(group('LineTotalAmount'), one.net)),
      ),
    )
  const address = node(
    group('PostalTradeAddress'),
    leaf(group('PostcodeCode'), '01067'),
    leaf(group('LineOne'), 'Waldstraße 1'),
    leaf(group('CityName'), 'Dresden'),
    leaf(group('CountryID'), 'DE'),
  )
  const registration = (scheme: string, value: string | undefined): Node =>
    node(group('SpecifiedTaxRegistration'), leaf(group('ID'), value, ` schemeID="${scheme}"`))
  const trade = node(
    doc('SupplyChainTradeTransaction'),
    each(spec.lines, line),
    node(
      group('ApplicableHeaderTradeAgreement'),
      leaf(group('BuyerReference'), spec.leitweg),
      node(
        group('SellerTradeParty'),
        leaf(group('Name'), spec.seller ?? 'Baumschule Müller & Söhne'),
        address,
        registration('VA', spec.vatId),
        registration('FC', spec.taxNumber),
      ),
      node(
        group('BuyerTradeParty'),
        leaf(group('Name'), spec.buyer ?? 'Forstkontor Vermessung GmbH'),
        address,
        registration('VA', spec.buyerVatId),
      ),
      node(group('BuyerOrderReferencedDocument'), leaf(group('IssuerAssignedID'), spec.order)),
      each(spec.attachments, ([name, mime, content]) =>
        node(
          group('AdditionalReferencedDocument'),
          leaf(group('IssuerAssignedID'), name),
          leaf(group('TypeCode'), '916'),
          leaf(group('AttachmentBinaryObject'), content, ` mimeCode="${mime}" filename="${name}"`),
        ),
      ),
    ),
    node(
      group('ApplicableHeaderTradeDelivery'),
      node(group('ActualDeliverySupplyChainEvent'), day('OccurrenceDateTime', spec.supplied)),
    ),
    node(
      group('ApplicableHeaderTradeSettlement'),
      leaf(group('TaxCurrencyCode'), spec.taxCurrency),
      leaf(group('InvoiceCurrencyCode'), currency),
      node(group('PayeeTradeParty'), leaf(group('Name'), spec.payee)),
      node(
        group('SpecifiedTradeSettlementPaymentMeans'),
        leaf(group('TypeCode'), spec.debit ? '59' : '58'),
        node(group('PayeePartyCreditorFinancialAccount'), leaf(group('IBANID'), spec.iban)),
      ),
      each(spec.taxes, (one) =>
        tax(
          'ApplicableTradeTax',
          one.category,
          one.rate,
          leaf(group('CalculatedAmount'), one.tax),
          leaf(group('ExemptionReason'), one.reason),
          leaf(group('BasisAmount'), one.base),
        ),
      ),
      node(group('BillingSpecifiedPeriod'), day('StartDateTime', spec.from), day('EndDateTime', spec.to)),
      each(spec.off, (one) =>
        change(false, one.amount, one.reason, tax('CategoryTradeTax', one.category, one.rate)),
      ),
      each(spec.on, (one) =>
        change(true, one.amount, one.reason, tax('CategoryTradeTax', one.category, one.rate)),
      ),
      node(
        group('SpecifiedTradePaymentTerms'),
        leaf(group('Description'), spec.terms),
        day('DueDateDateTime', spec.due),
      ),
      node(
        group('SpecifiedTradeSettlementHeaderMonetarySummation'),
        leaf(group('LineTotalAmount'), spec.sum),
        leaf(group('ChargeTotalAmount'), spec.onSum),
        leaf(group('AllowanceTotalAmount'), spec.offSum),
        leaf(group('TaxBasisTotalAmount'), spec.net),
        leaf(group('TaxTotalAmount'), spec.tax, ` currencyID="${currency}"`),
        leaf(group('TaxTotalAmount'), spec.taxInOther, ` currencyID="${spec.taxCurrency ?? ''}"`),
        leaf(group('RoundingAmount'), spec.rounding),
        leaf(group('GrandTotalAmount'), spec.gross),
        leaf(group('TotalPrepaidAmount'), spec.paid),
        leaf(group('DuePayableAmount'), spec.payable),
      ),
      node(group('InvoiceReferencedDocument'), leaf(group('IssuerAssignedID'), spec.preceding)),
    ),
  )
  const root = doc('CrossIndustryInvoice')
  return (
    `${declaration}<${root}${declared(prefixes, CII_SPACES)}>` +
    node(
      doc('ExchangedDocumentContext'),
      node(
        group('GuidelineSpecifiedDocumentContextParameter'),
        leaf(group('ID'), spec.profile ?? 'urn:cen.eu:en16931:2017'),
      ),
    ) +
    node(
      doc('ExchangedDocument'),
      leaf(group('ID'), spec.number),
      leaf(group('TypeCode'), spec.type ?? '380'),
      day('IssueDateTime', spec.day ?? '2026-03-02'),
      each(spec.notes, (text) => node(group('IncludedNote'), leaf(group('Content'), text))),
    ) +
    `${trade}</${root}>`
  )
}

export function ubl(spec: Spec, habits: Habits = {}): string {
  const { prefixes = ['', 'cac', 'cbc'], declaration = DECLARATION } = habits
  const isCredit = spec.type === '381'
  const kind = isCredit ? 'CreditNote' : 'Invoice'
  const [doc, group, basic] = prefixes.map(named) as [
    (name: string) => string,
    (name: string) => string,
    (name: string) => string,
  ]
  const { leaf, node } = writer(habits)
  const { currency = 'EUR' } = spec
  const money = (name: string, value: string | undefined, of = currency): Node =>
    leaf(basic(name), value, ` currencyID="${of}"`)
  const category = (name: string, code = 'S', rate: string | undefined = '19', reason?: string): Node =>
    node(
      group(name),
      leaf(basic('ID'), code),
      leaf(basic('Percent'), code === 'O' ? undefined : rate),
      leaf(basic('TaxExemptionReason'), reason),
      node(group('TaxScheme'), leaf(basic('ID'), 'VAT')),
    )
  const change = (isCharge: boolean, amount: string, reason: string, tax: Node): Node =>
    node(
      group('AllowanceCharge'),
      leaf(basic('ChargeIndicator'), String(isCharge)),
      leaf(basic('AllowanceChargeReason'), reason),
      money('Amount', amount),
      tax,
    )
  const address = node(
    group('PostalAddress'),
    leaf(basic('StreetName'), 'Waldstraße 1'),
    leaf(basic('CityName'), 'Dresden'),
    leaf(basic('PostalZone'), '01067'),
    node(group('Country'), leaf(basic('IdentificationCode'), 'DE')),
  )
  const registration = (scheme: string, value: string | undefined): Node =>
    value === undefined
      ? ''
      : node(
          group('PartyTaxScheme'),
          leaf(basic('CompanyID'), value),
          node(group('TaxScheme'), leaf(basic('ID'), scheme)),
        )
  const line = (one: Line): Node =>
    node(
      group(`${kind}Line`),
      leaf(basic('ID'), one.id),
      leaf(
        basic(isCredit ? 'CreditedQuantity' : 'InvoicedQuantity'),
        one.quantity,
        ` unitCode="${one.unit ?? 'C62'}"`,
      ),
      money('LineExtensionAmount', one.net),
      node(group('InvoicePeriod'), leaf(basic('StartDate'), one.from), leaf(basic('EndDate'), one.to)),
      one.off === undefined ? '' : change(false, one.off, 'Rabatt', ''),
      one.on === undefined ? '' : change(true, one.on, 'Zuschlag', ''),
      node(
        group('Item'),
        leaf(basic('Description'), one.description),
        leaf(basic('Name'), one.name),
        category('ClassifiedTaxCategory', one.category, one.rate),
        one.property === undefined
          ? ''
          : node(
              group('AdditionalItemProperty'),
              leaf(basic('Name'), one.property[0]),
              leaf(basic('Value'), one.property[1]),
            ),
      ),
      node(
        group('Price'),
        money('PriceAmount', one.price),
        leaf(basic('BaseQuantity'), one.per, ` unitCode="${one.unit ?? 'C62'}"`),
      ),
    )
  const head = [
    leaf(basic('CustomizationID'), spec.profile ?? 'urn:cen.eu:en16931:2017'),
    leaf(basic('ID'), spec.number),
    leaf(basic('IssueDate'), spec.day ?? '2026-03-02'),
    isCredit ? '' : leaf(basic('DueDate'), spec.due),
    leaf(basic(`${kind}TypeCode`), spec.type ?? '380'),
    each(spec.notes, (text) => leaf(basic('Note'), text)),
    leaf(basic('DocumentCurrencyCode'), currency),
    leaf(basic('TaxCurrencyCode'), spec.taxCurrency),
    leaf(basic('BuyerReference'), spec.leitweg),
    node(group('InvoicePeriod'), leaf(basic('StartDate'), spec.from), leaf(basic('EndDate'), spec.to)),
    node(group('OrderReference'), leaf(basic('ID'), spec.order)),
    node(
      group('BillingReference'),
      node(group('InvoiceDocumentReference'), leaf(basic('ID'), spec.preceding)),
    ),
    each(spec.attachments, ([name, mime, content]) =>
      node(
        group('AdditionalDocumentReference'),
        leaf(basic('ID'), name),
        node(
          group('Attachment'),
          leaf(basic('EmbeddedDocumentBinaryObject'), content, ` mimeCode="${mime}" filename="${name}"`),
        ),
      ),
    ),
    node(
      group('AccountingSupplierParty'),
      node(
        group('Party'),
        address,
        registration('VAT', spec.vatId),
        registration('FC', spec.taxNumber),
        node(
          group('PartyLegalEntity'),
          leaf(basic('RegistrationName'), spec.seller ?? 'Baumschule Müller & Söhne'),
        ),
      ),
    ),
    node(
      group('AccountingCustomerParty'),
      node(
        group('Party'),
        address,
        registration('VAT', spec.buyerVatId),
        node(
          group('PartyLegalEntity'),
          leaf(basic('RegistrationName'), spec.buyer ?? 'Forstkontor Vermessung GmbH'),
        ),
      ),
    ),
    node(group('PayeeParty'), node(group('PartyName'), leaf(basic('Name'), spec.payee))),
    node(group('Delivery'), leaf(basic('ActualDeliveryDate'), spec.supplied)),
    node(
      group('PaymentMeans'),
      leaf(basic('PaymentMeansCode'), spec.debit ? '59' : '58'),
      isCredit ? leaf(basic('PaymentDueDate'), spec.due) : '',
      node(group('PayeeFinancialAccount'), leaf(basic('ID'), spec.iban)),
    ),
    node(group('PaymentTerms'), leaf(basic('Note'), spec.terms)),
    each(spec.off, (one) =>
      change(false, one.amount, one.reason, category('TaxCategory', one.category, one.rate)),
    ),
    each(spec.on, (one) =>
      change(true, one.amount, one.reason, category('TaxCategory', one.category, one.rate)),
    ),
    node(
      group('TaxTotal'),
      money('TaxAmount', spec.tax ?? '0.00'),
      each(spec.taxes, (one) =>
        node(
          group('TaxSubtotal'),
          money('TaxableAmount', one.base),
          money('TaxAmount', one.tax),
          category('TaxCategory', one.category, one.rate, one.reason),
        ),
      ),
    ),
    spec.taxInOther === undefined
      ? ''
      : node(group('TaxTotal'), money('TaxAmount', spec.taxInOther, spec.taxCurrency)),
    node(
      group('LegalMonetaryTotal'),
      money('LineExtensionAmount', spec.sum),
      money('TaxExclusiveAmount', spec.net),
      money('TaxInclusiveAmount', spec.gross),
      money('AllowanceTotalAmount', spec.offSum),
      money('ChargeTotalAmount', spec.onSum),
      money('PrepaidAmount', spec.paid),
      money('PayableRoundingAmount', spec.rounding),
      money('PayableAmount', spec.payable),
    ),
    each(spec.lines, line),
  ]
  const root = doc(kind)
  return `${declaration}<${root}${declared(prefixes, UBL_SPACES(kind))}>${head.join('')}</${root}>`
}
