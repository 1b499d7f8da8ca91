// Where the terms of EN 16931 stand in UN/CEFACT Cross Industry Invoice D16B (EN 16931-3-3).
import { type GroupMap, partyMap } from './mapping.ts'

const TRADE = '/SupplyChainTradeTransaction'
const AGREEMENT = `${TRADE}/ApplicableHeaderTradeAgreement`
const DELIVERY = `${TRADE}/ApplicableHeaderTradeDelivery`
const SETTLEMENT = `${TRADE}/ApplicableHeaderTradeSettlement`
const TERMS = `${SETTLEMENT}/SpecifiedTradePaymentTerms`
const MEANS = `${SETTLEMENT}/SpecifiedTradeSettlementPaymentMeans`
const CONTEXT = '/ExchangedDocumentContext'
const DAY = 'DateTimeString'

const ADDRESS = [
  'LineOne',
  'LineTwo',
  'LineThree',
  'CityName',
  'PostcodeCode',
  'CountrySubDivisionName',
  'CountryID',
]
const party = partyMap({
  address: 'PostalTradeAddress',
  lines: ADDRESS,
  contact: 'DefinedTradeContact',
  reached: [
    'PersonName|DepartmentName',
    'TelephoneUniversalCommunication/CompleteNumber',
    'EmailURIUniversalCommunication/URIID',
  ],
})

const allowance = (
  id: string,
  path: string,
  isCharge: boolean,
  [amount, base, percent, ...rest]: readonly string[],
): GroupMap => ({
  id,
  path: `${path}[ChargeIndicator/Indicator=${isCharge}]`,
  terms: [
    [amount!, 'ActualAmount'],
    [base!, 'BasisAmount'],
    [percent!, 'CalculationPercent'],
    [rest[0]!, 'Reason'],
    [rest[1]!, 'ReasonCode'],
    ...(rest[2] === undefined
      ? []
      : ([
          [rest[2], 'CategoryTradeTax/CategoryCode'],
          [rest[3]!, 'CategoryTradeTax/RateApplicablePercent'],
        ] as const)),
  ],
})

const LINE_SETTLEMENT = 'SpecifiedLineTradeSettlement'
const LINE_AGREEMENT = 'SpecifiedLineTradeAgreement'
const GROSS = `${LINE_AGREEMENT}/GrossPriceProductTradePrice`
const NET = `${LINE_AGREEMENT}/NetPriceProductTradePrice`
const LINE_OFF = `${LINE_SETTLEMENT}/SpecifiedTradeAllowanceCharge`
const PRODUCT = 'SpecifiedTradeProduct'

const LINE: GroupMap = {
  id: 'BG-25',
  path: `${TRADE}/IncludedSupplyChainTradeLineItem`,
  terms: [
    ['BT-126', 'AssociatedDocumentLineDocument/LineID'],
    ['BT-127', 'AssociatedDocumentLineDocument/IncludedNote/Content'],
    ['BT-128', `${LINE_SETTLEMENT}/AdditionalReferencedDocument/IssuerAssignedID`],
    ['BT-128-1', `${LINE_SETTLEMENT}/AdditionalReferencedDocument/ReferenceTypeCode`],
    ['BT-129', 'SpecifiedLineTradeDelivery/BilledQuantity'],
    ['BT-130', 'SpecifiedLineTradeDelivery/BilledQuantity@unitCode'],
    ['BT-131', `${LINE_SETTLEMENT}/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount`],
    ['BT-132', `${LINE_AGREEMENT}/BuyerOrderReferencedDocument/LineID`],
    ['BT-133', `${LINE_SETTLEMENT}/ReceivableSpecifiedTradeAccountingAccount/ID`],
  ],
  groups: [
    {
      id: 'BG-26',
      path: `${LINE_SETTLEMENT}/BillingSpecifiedPeriod`,
      terms: [
        ['BT-134', `StartDateTime/${DAY}`],
        ['BT-135', `EndDateTime/${DAY}`],
      ],
    },
    allowance('BG-27', LINE_OFF, false, ['BT-136', 'BT-137', 'BT-138', 'BT-139', 'BT-140']),
    allowance('BG-28', LINE_OFF, true, ['BT-141', 'BT-142', 'BT-143', 'BT-144', 'BT-145']),
    {
      id: 'BG-29',
      path: '',
      terms: [
        ['BT-146', `${NET}/ChargeAmount`],
        ['BT-147', `${GROSS}/AppliedTradeAllowanceCharge/ActualAmount`],
        ['BT-148', `${GROSS}/ChargeAmount`],
        ['BT-149', `${NET}/BasisQuantity|${GROSS}/BasisQuantity`],
        ['BT-150', `${NET}/BasisQuantity@unitCode|${GROSS}/BasisQuantity@unitCode`],
      ],
    },
    {
      id: 'BG-30',
      path: `${LINE_SETTLEMENT}/ApplicableTradeTax`,
      terms: [
        ['BT-151', 'CategoryCode'],
        ['BT-152', 'RateApplicablePercent'],
      ],
    },
    {
      id: 'BG-31',
      path: PRODUCT,
      terms: [
        ['BT-153', 'Name'],
        ['BT-154', 'Description'],
        ['BT-155', 'SellerAssignedID'],
        ['BT-156', 'BuyerAssignedID'],
        ['BT-157', 'GlobalID'],
        ['BT-158', 'DesignatedProductClassification/ClassCode'],
        ['BT-159', 'OriginTradeCountry/ID'],
      ],
      groups: [
        {
          id: 'BG-32',
          path: 'ApplicableProductCharacteristic',
          terms: [
            ['BT-160', 'Description'],
            ['BT-161', 'Value|ValueMeasure'],
          ],
        },
      ],
    },
  ],
}

const PARTIES: readonly GroupMap[] = [
  party({
    id: 'BG-4',
    path: `${AGREEMENT}/SellerTradeParty`,
    terms: [
      ['BT-27', 'Name'],
      ['BT-28', 'SpecifiedLegalOrganization/TradingBusinessName'],
      ['BT-29', 'ID'],
      ['BT-29-0', 'GlobalID'],
      ['BT-30', 'SpecifiedLegalOrganization/ID'],
      ['BT-31', 'SpecifiedTaxRegistration/ID[@schemeID=VA]'],
      ['BT-32', 'SpecifiedTaxRegistration/ID[@schemeID=FC]'],
      ['BT-33', 'Description'],
      ['BT-34', 'URIUniversalCommunication/URIID'],
    ],
    address: ['BG-5', ['BT-35', 'BT-36', 'BT-162', 'BT-37', 'BT-38', 'BT-39', 'BT-40']],
    contact: ['BG-6', ['BT-41', 'BT-42', 'BT-43']],
  }),
  party({
    id: 'BG-7',
    path: `${AGREEMENT}/BuyerTradeParty`,
    terms: [
      ['BT-44', 'Name'],
      ['BT-45', 'SpecifiedLegalOrganization/TradingBusinessName'],
      ['BT-46', 'ID|GlobalID'],
      ['BT-47', 'SpecifiedLegalOrganization/ID'],
      ['BT-48', 'SpecifiedTaxRegistration/ID[@schemeID=VA]'],
      ['BT-49', 'URIUniversalCommunication/URIID'],
    ],
    address: ['BG-8', ['BT-50', 'BT-51', 'BT-163', 'BT-52', 'BT-53', 'BT-54', 'BT-55']],
    contact: ['BG-9', ['BT-56', 'BT-57', 'BT-58']],
  }),
  {
    id: 'BG-10',
    path: `${SETTLEMENT}/PayeeTradeParty`,
    terms: [
      ['BT-59', 'Name'],
      ['BT-60', 'ID|GlobalID'],
      ['BT-61', 'SpecifiedLegalOrganization/ID'],
    ],
  },
  party({
    id: 'BG-11',
    path: `${AGREEMENT}/SellerTaxRepresentativeTradeParty`,
    terms: [
      ['BT-62', 'Name'],
      ['BT-63', 'SpecifiedTaxRegistration/ID'],
    ],
    address: ['BG-12', ['BT-64', 'BT-65', 'BT-164', 'BT-66', 'BT-67', 'BT-68', 'BT-69']],
  }),
  party({
    id: 'BG-13',
    path: DELIVERY,
    terms: [
      ['BT-70', 'ShipToTradeParty/Name'],
      ['BT-71', 'ShipToTradeParty/ID|ShipToTradeParty/GlobalID'],
      ['BT-72', `ActualDeliverySupplyChainEvent/OccurrenceDateTime/${DAY}`],
    ],
    addressAt: 'ShipToTradeParty/PostalTradeAddress',
    address: ['BG-15', ['BT-75', 'BT-76', 'BT-165', 'BT-77', 'BT-78', 'BT-79', 'BT-80']],
  }),
]

const SETTLED: readonly GroupMap[] = [
  {
    id: 'BG-14',
    path: `${SETTLEMENT}/BillingSpecifiedPeriod`,
    terms: [
      ['BT-73', `StartDateTime/${DAY}`],
      ['BT-74', `EndDateTime/${DAY}`],
    ],
  },
  {
    id: 'BG-16',
    path: MEANS,
    terms: [
      ['BT-81', 'TypeCode'],
      ['BT-82', 'Information'],
      ['BT-83', `${SETTLEMENT}/PaymentReference`],
    ],
    groups: [
      {
        id: 'BG-17',
        path: '',
        terms: [
          [
            'BT-84',
            'PayeePartyCreditorFinancialAccount/IBANID|PayeePartyCreditorFinancialAccount/ProprietaryID',
          ],
          ['BT-85', 'PayeePartyCreditorFinancialAccount/AccountName'],
          ['BT-86', 'PayeeSpecifiedCreditorFinancialInstitution/BICID'],
        ],
      },
      {
        id: 'BG-18',
        path: 'ApplicableTradeSettlementFinancialCard',
        terms: [
          ['BT-87', 'ID'],
          ['BT-88', 'CardholderName'],
        ],
      },
      {
        id: 'BG-19',
        path: '',
        terms: [
          ['BT-89', `${TERMS}/DirectDebitMandateID`],
          ['BT-90', `${SETTLEMENT}/CreditorReferenceID`],
          ['BT-91', 'PayerPartyDebtorFinancialAccount/IBANID'],
        ],
      },
    ],
  },
  allowance(
    'BG-20',
    `${SETTLEMENT}/SpecifiedTradeAllowanceCharge`,
    false,
    'BT-92 BT-93 BT-94 BT-97 BT-98 BT-95 BT-96'.split(' '),
  ),
  allowance(
    'BG-21',
    `${SETTLEMENT}/SpecifiedTradeAllowanceCharge`,
    true,
    'BT-99 BT-100 BT-101 BT-104 BT-105 BT-102 BT-103'.split(' '),
  ),
  {
    id: 'BG-22',
    path: `${SETTLEMENT}/SpecifiedTradeSettlementHeaderMonetarySummation`,
    terms: [
      ['BT-106', 'LineTotalAmount'],
      ['BT-107', 'AllowanceTotalAmount'],
      ['BT-108', 'ChargeTotalAmount'],
      ['BT-109', 'TaxBasisTotalAmount'],
      ['BT-110', 'TaxTotalAmount[@currencyID?=$document]'],
      ['BT-111', 'TaxTotalAmount[@currencyID=$tax]'],
      ['BT-112', 'GrandTotalAmount'],
      ['BT-113', 'TotalPrepaidAmount'],
      ['BT-114', 'RoundingAmount'],
      ['BT-115', 'DuePayableAmount'],
    ],
  },
  {
    id: 'BG-23',
    path: `${SETTLEMENT}/ApplicableTradeTax`,
    terms: [
      ['BT-116', 'BasisAmount'],
      ['BT-117', 'CalculatedAmount'],
      ['BT-118', 'CategoryCode'],
      ['BT-119', 'RateApplicablePercent'],
      ['BT-120', 'ExemptionReason'],
      ['BT-121', 'ExemptionReasonCode'],
    ],
  },
]

/** The namespaces of all elements begin with this. */
export const CII_FAMILY = 'urn:un:unece:uncefact:data:standard:'
export const CII_ROOT = 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100'

export const CII: GroupMap = {
  id: 'BG-0',
  path: '',
  terms: [
    ['BT-1', '/ExchangedDocument/ID'],
    ['BT-2', `/ExchangedDocument/IssueDateTime/${DAY}`],
    ['BT-3', '/ExchangedDocument/TypeCode'],
    ['BT-5', `${SETTLEMENT}/InvoiceCurrencyCode`],
    ['BT-6', `${SETTLEMENT}/TaxCurrencyCode`],
    ['BT-7', `${SETTLEMENT}/ApplicableTradeTax/TaxPointDate/DateString`],
    ['BT-8', `${SETTLEMENT}/ApplicableTradeTax/DueDateTypeCode`],
    ['BT-9', `${TERMS}/DueDateDateTime/${DAY}`],
    ['BT-10', `${AGREEMENT}/BuyerReference`],
    ['BT-11', `${AGREEMENT}/SpecifiedProcuringProject/ID`],
    ['BT-12', `${AGREEMENT}/ContractReferencedDocument/IssuerAssignedID`],
    ['BT-13', `${AGREEMENT}/BuyerOrderReferencedDocument/IssuerAssignedID`],
    ['BT-14', `${AGREEMENT}/SellerOrderReferencedDocument/IssuerAssignedID`],
    ['BT-15', `${DELIVERY}/ReceivingAdviceReferencedDocument/IssuerAssignedID`],
    ['BT-16', `${DELIVERY}/DespatchAdviceReferencedDocument/IssuerAssignedID`],
    ['BT-17', `${AGREEMENT}/AdditionalReferencedDocument[TypeCode=50]/IssuerAssignedID`],
    ['BT-18', `${AGREEMENT}/AdditionalReferencedDocument[TypeCode=130]/IssuerAssignedID`],
    ['BT-19', `${SETTLEMENT}/ReceivableSpecifiedTradeAccountingAccount/ID`],
    ['BT-20', `${TERMS}/Description`],
  ],
  groups: [
    {
      id: 'BG-1',
      path: '/ExchangedDocument/IncludedNote',
      terms: [
        ['BT-21', 'SubjectCode'],
        ['BT-22', 'Content'],
      ],
    },
    {
      id: 'BG-2',
      path: CONTEXT,
      terms: [
        ['BT-23', 'BusinessProcessSpecifiedDocumentContextParameter/ID'],
        ['BT-24', 'GuidelineSpecifiedDocumentContextParameter/ID'],
      ],
    },
    {
      id: 'BG-3',
      path: `${SETTLEMENT}/InvoiceReferencedDocument`,
      terms: [
        ['BT-25', 'IssuerAssignedID'],
        ['BT-26', `FormattedIssueDateTime/${DAY}`],
      ],
    },
    ...PARTIES,
    ...SETTLED,
    {
      id: 'BG-24',
      path: `${AGREEMENT}/AdditionalReferencedDocument[TypeCode=916]`,
      terms: [
        ['BT-122', 'IssuerAssignedID'],
        ['BT-123', 'Name'],
        ['BT-124', 'URIID'],
        ['BT-125', 'AttachmentBinaryObject'],
        ['BT-125-1', 'AttachmentBinaryObject@mimeCode'],
        ['BT-125-2', 'AttachmentBinaryObject@filename'],
      ],
    },
    LINE,
  ],
}
