// Where the terms of EN 16931 stand in UBL 2.1, Invoice and CreditNote (EN 16931-3-2).
import { type GroupMap, partyMap } from './mapping.ts'

const SELLER = '/AccountingSupplierParty/Party'
const VAT = 'PartyTaxScheme[TaxScheme/ID=VAT]/CompanyID'

const party = partyMap({
  address: 'PostalAddress',
  lines: [
    'StreetName',
    'AdditionalStreetName',
    'AddressLine/Line',
    'CityName',
    'PostalZone',
    'CountrySubentity',
    'Country/IdentificationCode',
  ],
  contact: 'Contact',
  reached: ['Name', 'Telephone', 'ElectronicMail'],
})

const allowance = (
  id: string,
  path: string,
  isCharge: boolean,
  [amount, base, percent, ...rest]: readonly string[],
): GroupMap => ({
  id,
  path: `${path}[ChargeIndicator=${isCharge}]`,
  terms: [
    [amount!, 'Amount'],
    [base!, 'BaseAmount'],
    [percent!, 'MultiplierFactorNumeric'],
    [rest[0]!, 'AllowanceChargeReason'],
    [rest[1]!, 'AllowanceChargeReasonCode'],
    ...(rest[2] === undefined
      ? []
      : ([
          [rest[2], 'TaxCategory/ID'],
          [rest[3]!, 'TaxCategory/Percent'],
        ] as const)),
  ],
})

const LINE: GroupMap = {
  id: 'BG-25',
  path: '/InvoiceLine|/CreditNoteLine',
  terms: [
    ['BT-126', 'ID'],
    ['BT-127', 'Note'],
    ['BT-128', 'DocumentReference/ID'],
    ['BT-128-1', 'DocumentReference/DocumentTypeCode'],
    ['BT-129', 'InvoicedQuantity|CreditedQuantity'],
    ['BT-130', 'InvoicedQuantity@unitCode|CreditedQuantity@unitCode'],
    ['BT-131', 'LineExtensionAmount'],
    ['BT-132', 'OrderLineReference/LineID'],
    ['BT-133', 'AccountingCost'],
  ],
  groups: [
    {
      id: 'BG-26',
      path: 'InvoicePeriod',
      terms: [
        ['BT-134', 'StartDate'],
        ['BT-135', 'EndDate'],
      ],
    },
    allowance('BG-27', 'AllowanceCharge', false, ['BT-136', 'BT-137', 'BT-138', 'BT-139', 'BT-140']),
    allowance('BG-28', 'AllowanceCharge', true, ['BT-141', 'BT-142', 'BT-143', 'BT-144', 'BT-145']),
    {
      id: 'BG-29',
      path: 'Price',
      terms: [
        ['BT-146', 'PriceAmount'],
        ['BT-147', 'AllowanceCharge[ChargeIndicator=false]/Amount'],
        ['BT-148', 'AllowanceCharge[ChargeIndicator=false]/BaseAmount'],
        ['BT-149', 'BaseQuantity'],
        ['BT-150', 'BaseQuantity@unitCode'],
      ],
    },
    {
      id: 'BG-30',
      path: 'Item/ClassifiedTaxCategory',
      terms: [
        ['BT-151', 'ID'],
        ['BT-152', 'Percent'],
      ],
    },
    {
      id: 'BG-31',
      path: 'Item',
      terms: [
        ['BT-153', 'Name'],
        ['BT-154', 'Description'],
        ['BT-155', 'SellersItemIdentification/ID'],
        ['BT-156', 'BuyersItemIdentification/ID'],
        ['BT-157', 'StandardItemIdentification/ID'],
        ['BT-158', 'CommodityClassification/ItemClassificationCode'],
        ['BT-159', 'OriginCountry/IdentificationCode'],
      ],
      groups: [
        {
          id: 'BG-32',
          path: 'AdditionalItemProperty',
          terms: [
            ['BT-160', 'Name'],
            ['BT-161', 'Value'],
          ],
        },
      ],
    },
  ],
}

const PARTIES: readonly GroupMap[] = [
  party({
    id: 'BG-4',
    path: SELLER,
    terms: [
      ['BT-27', 'PartyLegalEntity/RegistrationName|PartyName/Name'],
      ['BT-28', 'PartyName/Name'],
      // A creditor identifier (BT-90) is here as well.
      ['BT-29', 'PartyIdentification/ID[@schemeID!=SEPA]'],
      ['BT-30', 'PartyLegalEntity/CompanyID'],
      ['BT-31', VAT],
      ['BT-32', 'PartyTaxScheme[TaxScheme/ID!=VAT]/CompanyID'],
      ['BT-33', 'PartyLegalEntity/CompanyLegalForm'],
      ['BT-34', 'EndpointID'],
    ],
    address: ['BG-5', ['BT-35', 'BT-36', 'BT-162', 'BT-37', 'BT-38', 'BT-39', 'BT-40']],
    contact: ['BG-6', ['BT-41', 'BT-42', 'BT-43']],
  }),
  party({
    id: 'BG-7',
    path: '/AccountingCustomerParty/Party',
    terms: [
      ['BT-44', 'PartyLegalEntity/RegistrationName|PartyName/Name'],
      ['BT-45', 'PartyName/Name'],
      ['BT-46', 'PartyIdentification/ID'],
      ['BT-47', 'PartyLegalEntity/CompanyID'],
      ['BT-48', VAT],
      ['BT-49', 'EndpointID'],
    ],
    address: ['BG-8', ['BT-50', 'BT-51', 'BT-163', 'BT-52', 'BT-53', 'BT-54', 'BT-55']],
    contact: ['BG-9', ['BT-56', 'BT-57', 'BT-58']],
  }),
  {
    id: 'BG-10',
    path: '/PayeeParty',
    terms: [
      ['BT-59', 'PartyName/Name'],
      ['BT-60', 'PartyIdentification/ID[@schemeID!=SEPA]'],
      ['BT-61', 'PartyLegalEntity/CompanyID'],
    ],
  },
  party({
    id: 'BG-11',
    path: '/TaxRepresentativeParty',
    terms: [
      ['BT-62', 'PartyName/Name'],
      ['BT-63', 'PartyTaxScheme/CompanyID'],
    ],
    address: ['BG-12', ['BT-64', 'BT-65', 'BT-164', 'BT-66', 'BT-67', 'BT-68', 'BT-69']],
  }),
  party({
    id: 'BG-13',
    path: '/Delivery',
    terms: [
      ['BT-70', 'DeliveryParty/PartyName/Name'],
      ['BT-71', 'DeliveryLocation/ID'],
      ['BT-72', 'ActualDeliveryDate'],
    ],
    addressAt: 'DeliveryLocation/Address',
    address: ['BG-15', ['BT-75', 'BT-76', 'BT-165', 'BT-77', 'BT-78', 'BT-79', 'BT-80']],
  }),
]

const SETTLED: readonly GroupMap[] = [
  {
    id: 'BG-14',
    path: '/InvoicePeriod',
    terms: [
      ['BT-73', 'StartDate'],
      ['BT-74', 'EndDate'],
    ],
  },
  {
    id: 'BG-16',
    path: '/PaymentMeans',
    terms: [
      ['BT-81', 'PaymentMeansCode'],
      ['BT-82', 'PaymentMeansCode@name'],
      ['BT-83', 'PaymentID'],
    ],
    groups: [
      {
        id: 'BG-17',
        path: 'PayeeFinancialAccount',
        terms: [
          ['BT-84', 'ID'],
          ['BT-85', 'Name'],
          ['BT-86', 'FinancialInstitutionBranch/ID'],
        ],
      },
      {
        id: 'BG-18',
        path: 'CardAccount',
        terms: [
          ['BT-87', 'PrimaryAccountNumberID'],
          ['BT-88', 'HolderName'],
        ],
      },
      {
        id: 'BG-19',
        path: 'PaymentMandate',
        terms: [
          ['BT-89', 'ID'],
          [
            'BT-90',
            `${SELLER}/PartyIdentification/ID[@schemeID=SEPA]|/PayeeParty/PartyIdentification/ID[@schemeID=SEPA]`,
          ],
          ['BT-91', 'PayerFinancialAccount/ID'],
        ],
      },
    ],
  },
  allowance('BG-20', '/AllowanceCharge', false, 'BT-92 BT-93 BT-94 BT-97 BT-98 BT-95 BT-96'.split(' ')),
  allowance('BG-21', '/AllowanceCharge', true, 'BT-99 BT-100 BT-101 BT-104 BT-105 BT-102 BT-103'.split(' ')),
  {
    id: 'BG-22',
    path: '/LegalMonetaryTotal',
    terms: [
      ['BT-106', 'LineExtensionAmount'],
      ['BT-107', 'AllowanceTotalAmount'],
      ['BT-108', 'ChargeTotalAmount'],
      ['BT-109', 'TaxExclusiveAmount'],
      ['BT-110', '/TaxTotal/TaxAmount[@currencyID?=$document]'],
      ['BT-111', '/TaxTotal/TaxAmount[@currencyID=$tax]'],
      ['BT-112', 'TaxInclusiveAmount'],
      ['BT-113', 'PrepaidAmount'],
      ['BT-114', 'PayableRoundingAmount'],
      ['BT-115', 'PayableAmount'],
    ],
  },
  {
    id: 'BG-23',
    path: '/TaxTotal/TaxSubtotal',
    terms: [
      ['BT-116', 'TaxableAmount'],
      ['BT-117', 'TaxAmount'],
      ['BT-118', 'TaxCategory/ID'],
      ['BT-119', 'TaxCategory/Percent'],
      ['BT-120', 'TaxCategory/TaxExemptionReason'],
      ['BT-121', 'TaxCategory/TaxExemptionReasonCode'],
    ],
  },
]

/** The namespaces of all elements begin with this. */
export const UBL_FAMILY = 'urn:oasis:names:specification:ubl:schema:xsd:'
export const UBL_ROOTS: Readonly<Record<string, string>> = {
  Invoice: `${UBL_FAMILY}Invoice-2`,
  CreditNote: `${UBL_FAMILY}CreditNote-2`,
}

const OTHERS = 'DocumentTypeCode'
export const UBL: GroupMap = {
  id: 'BG-0',
  path: '',
  terms: [
    ['BT-1', '/ID'],
    ['BT-2', '/IssueDate'],
    ['BT-3', '/InvoiceTypeCode|/CreditNoteTypeCode'],
    ['BT-5', '/DocumentCurrencyCode'],
    ['BT-6', '/TaxCurrencyCode'],
    ['BT-7', '/TaxPointDate'],
    ['BT-8', '/InvoicePeriod/DescriptionCode'],
    ['BT-9', '/DueDate|/PaymentMeans/PaymentDueDate'],
    ['BT-10', '/BuyerReference'],
    ['BT-11', `/ProjectReference/ID|/AdditionalDocumentReference[${OTHERS}=50]/ID`],
    ['BT-12', '/ContractDocumentReference/ID'],
    ['BT-13', '/OrderReference/ID'],
    ['BT-14', '/OrderReference/SalesOrderID'],
    ['BT-15', '/ReceiptDocumentReference/ID'],
    ['BT-16', '/DespatchDocumentReference/ID'],
    ['BT-17', '/OriginatorDocumentReference/ID'],
    ['BT-18', `/AdditionalDocumentReference[${OTHERS}=130]/ID`],
    ['BT-19', '/AccountingCost'],
    ['BT-20', '/PaymentTerms/Note'],
  ],
  groups: [
    // BT-21 comes in front of the text: #AAI#…
    { id: 'BG-1', path: '/Note', terms: [['BT-22', '']], codeInFront: 'BT-21' },
    {
      id: 'BG-2',
      path: '',
      terms: [
        ['BT-23', '/ProfileID'],
        ['BT-24', '/CustomizationID'],
      ],
    },
    {
      id: 'BG-3',
      path: '/BillingReference/InvoiceDocumentReference',
      terms: [
        ['BT-25', 'ID'],
        ['BT-26', 'IssueDate'],
      ],
    },
    ...PARTIES,
    ...SETTLED,
    {
      id: 'BG-24',
      path: `/AdditionalDocumentReference[${OTHERS}!=130]`,
      terms: [
        ['BT-122', 'ID'],
        ['BT-123', 'DocumentDescription'],
        ['BT-124', 'Attachment/ExternalReference/URI'],
        ['BT-125', 'Attachment/EmbeddedDocumentBinaryObject'],
        ['BT-125-1', 'Attachment/EmbeddedDocumentBinaryObject@mimeCode'],
        ['BT-125-2', 'Attachment/EmbeddedDocumentBinaryObject@filename'],
      ],
    },
    LINE,
  ],
}
