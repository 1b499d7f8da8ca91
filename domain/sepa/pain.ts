// Files for the bank: direct debits (pain.008.001.08) and credit transfers (pain.001.001.09), the versions that
// German banks take since November 2025 (Anlage 3 des DFÜ-Abkommens). Amounts stay exact decimals, texts are
// written with the characters of SEPA. Pure: the same orders give the same bytes.
import { decimal, formatCents, sum } from '../geld.ts'
import { sepaText } from './charset.ts'

interface SepaAccount {
  readonly name: string
  readonly iban: string
  /** May be empty: within SEPA the IBAN is enough. */
  readonly bic: string
}
export type SepaSequence = 'FRST' | 'RCUR' | 'OOFF'
export interface DebitOrder {
  /** EndToEndId, at most 35 characters. */
  readonly referenz: string
  readonly betrag: string
  readonly debtor: SepaAccount
  readonly mandat: string
  /** Day of signature. */
  readonly unterschrieben: string
  readonly art: 'core' | 'b2b'
  readonly folge: SepaSequence
  readonly zweck: string
}
interface TransferOrder {
  readonly referenz: string
  /** Day of execution, if it is another one than that of the file. */
  readonly tag?: string
  readonly betrag: string
  readonly empfaenger: SepaAccount
  readonly zweck: string
}
export interface SepaFile {
  /** MsgId, at most 30 characters: parts are numbered behind it. */
  readonly id: string
  /** "2026-11-27T09:30:00" */
  readonly erstellt: string
  /** Our account. */
  readonly konto: SepaAccount
  /** Day of collection or execution. */
  readonly tag: string
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
type Node = readonly [name: string, content: string | readonly Node[], attributes?: string]

function write([name, content, attributes = '']: Node, depth: number): string {
  const indent = '  '.repeat(depth)
  const begin = `${indent}<${name}${attributes}>`
  if (typeof content === 'string')
    return `${begin}${content.replaceAll(/[&<>]/g, (sign) => ESCAPES[sign]!)}</${name}>\n`
  return `${begin}\n${content.map((node) => write(node, depth + 1)).join('')}${indent}</${name}>\n`
}
/** Nested single elements: at(['Id', 'IBAN'], 'DE…'). */
const at = (path: readonly string[], text: string): Node =>
  path.toReversed().reduce<string | readonly Node[]>((inner, name) => [[name, inner]], text)[0] as Node

const total = (orders: readonly { readonly betrag: string }[]): string =>
  formatCents(sum(orders.map(({ betrag }) => decimal(betrag))))
const counts = (orders: readonly { readonly betrag: string }[]): Node[] => [
  ['NbOfTxs', String(orders.length)],
  ['CtrlSum', total(orders)],
]
/** What the rules of SEPA have for something that is not known: an empty element makes a bank refuse the file. */
const UNKNOWN = 'NOTPROVIDED'
/** A name in letters that SEPA has none of leaves nothing. */
const party = (name: string, account: SepaAccount): Node => [
  name,
  [['Nm', sepaText(account.name, 70) || UNKNOWN]],
]
const purpose = (text: string): Node[] => {
  const written = sepaText(text, 140)
  return written === '' ? [] : [at(['RmtInf', 'Ustrd'], written)]
}
const agent = (name: string, { bic }: SepaAccount): Node =>
  bic === '' ? at([name, 'FinInstnId', 'Othr', 'Id'], UNKNOWN) : at([name, 'FinInstnId', 'BICFI'], bic)
const amount = (amountText: string): Node => ['InstdAmt', formatCents(decimal(amountText)), ' Ccy="EUR"']
const header = (file: SepaFile, orders: readonly { readonly betrag: string }[]): Node => [
  'GrpHdr',
  [['MsgId', file.id], ['CreDtTm', file.erstellt], ...counts(orders), party('InitgPty', file.konto)],
]
const documentOf = (version: string, root: string, parts: readonly Node[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${write(
    ['Document', [[root, parts]], ` xmlns="urn:iso:std:iso:20022:tech:xsd:${version}"`],
    0,
  )}`

const debit = ({ referenz, betrag, debtor, mandat, unterschrieben, zweck }: DebitOrder): Node => [
  'DrctDbtTxInf',
  [
    at(['PmtId', 'EndToEndId'], referenz),
    amount(betrag),
    [
      'DrctDbtTx',
      [
        [
          'MndtRltdInf',
          [
            ['MndtId', mandat],
            ['DtOfSgntr', unterschrieben],
          ],
        ],
      ],
    ],
    agent('DbtrAgt', debtor),
    party('Dbtr', debtor),
    at(['DbtrAcct', 'Id', 'IBAN'], debtor.iban),
    ...purpose(zweck),
  ],
]

/** Orders of one scheme and one place in the sequence of a mandate stand in their own part. */
function debitPart(file: SepaFile, creditor: string, id: string, orders: readonly DebitOrder[]): Node {
  const [{ art, folge }] = orders as [DebitOrder]
  return [
    'PmtInf',
    [
      ['PmtInfId', id],
      ['PmtMtd', 'DD'],
      ['BtchBookg', 'true'],
      ...counts(orders),
      [
        'PmtTpInf',
        [
          at(['SvcLvl', 'Cd'], 'SEPA'),
          at(['LclInstrm', 'Cd'], art === 'b2b' ? 'B2B' : 'CORE'),
          ['SeqTp', folge],
        ],
      ],
      ['ReqdColltnDt', file.tag],
      party('Cdtr', file.konto),
      at(['CdtrAcct', 'Id', 'IBAN'], file.konto.iban),
      agent('CdtrAgt', file.konto),
      ['ChrgBr', 'SLEV'],
      [
        'CdtrSchmeId',
        [['Id', [['PrvtId', [['Othr', [['Id', creditor], at(['SchmeNm', 'Prtry'], 'SEPA')]]]]]]],
      ],
      ...orders.map(debit),
    ],
  ]
}

export function directDebitXml(file: SepaFile, creditor: string, orders: readonly DebitOrder[]): string {
  const groups = Map.groupBy(orders, ({ art, folge }) => `${art} ${folge}`)
  const parts = [...groups.keys()]
    .toSorted()
    .map((key, index) => debitPart(file, creditor, `${file.id}-${index + 1}`, groups.get(key)!))
  return documentOf('pain.008.001.08', 'CstmrDrctDbtInitn', [header(file, orders), ...parts])
}

const transfer = ({ referenz, betrag, empfaenger, zweck }: TransferOrder): Node => [
  'CdtTrfTxInf',
  [
    at(['PmtId', 'EndToEndId'], referenz),
    ['Amt', [amount(betrag)]],
    ...(empfaenger.bic === '' ? [] : [agent('CdtrAgt', empfaenger)]),
    party('Cdtr', empfaenger),
    at(['CdtrAcct', 'Id', 'IBAN'], empfaenger.iban),
    ...purpose(zweck),
  ],
]

/** The day is given once for a part (ISO 20022: ReqdExctnDt of PmtInf), so each day is a separate part. */
const transferPart = (
  { konto }: SepaFile,
  id: string,
  day: string,
  orders: readonly TransferOrder[],
): Node => [
  'PmtInf',
  [
    ['PmtInfId', id],
    ['PmtMtd', 'TRF'],
    ['BtchBookg', 'true'],
    ...counts(orders),
    ['PmtTpInf', [at(['SvcLvl', 'Cd'], 'SEPA')]],
    at(['ReqdExctnDt', 'Dt'], day),
    party('Dbtr', konto),
    at(['DbtrAcct', 'Id', 'IBAN'], konto.iban),
    agent('DbtrAgt', konto),
    ['ChrgBr', 'SLEV'],
    ...orders.map(transfer),
  ],
]

export function creditTransferXml(file: SepaFile, orders: readonly TransferOrder[]): string {
  const days = Map.groupBy(orders, ({ tag }) => tag ?? file.tag)
  const parts = [...days.keys()]
    .toSorted()
    .map((day, index) => transferPart(file, `${file.id}-${index + 1}`, day, days.get(day)!))
  return documentOf('pain.001.001.09', 'CstmrCdtTrfInitn', [header(file, orders), ...parts])
}
