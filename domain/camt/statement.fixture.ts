// Sample statements as German banks write them: versions 001.02 (names directly, plain status), 001.04 and
// 001.08 (names one level deeper, coded status).

export type CamtVersion = '02' | '04' | '08'
export interface SamplePart {
  readonly betrag?: string
  readonly currencyCode?: string
  readonly richtung?: 'CRDT' | 'DBIT'
  readonly name?: string
  readonly iban?: string
  readonly endToEnd?: string
  readonly zweck?: readonly string[]
  readonly referenz?: string
  readonly returned?: string
}
export interface SampleBuchung {
  readonly betrag: string
  readonly richtung?: 'CRDT' | 'DBIT'
  readonly stand?: 'BOOK' | 'PDNG' | 'INFO'
  readonly storno?: boolean
  readonly datum?: string
  readonly referenz?: string
  readonly text?: string
  readonly currencyCode?: string
  readonly pieces?: readonly SamplePart[]
}
export interface SampleStatement {
  readonly iban?: string | null
  readonly currencyCode?: string
  readonly anfang?: string
  readonly ende?: string
  readonly buchungen: readonly SampleBuchung[]
}
export const OWN_IBAN = 'DE02120300000000202051'
export const KUNDEN_IBAN = 'DE89370400440532013000'

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const tag = (name: string, content: string | undefined): string =>
  content === undefined || content === '' ? '' : `<${name}>${content}</${name}>`
const amount = (amountText: string, currencyCode = 'EUR'): string =>
  `<Amt Ccy="${currencyCode}">${amountText}</Amt>`

function partXml(
  revision: CamtVersion,
  part: SamplePart,
  direction: 'CRDT' | 'DBIT',
  fallback: string,
): string {
  const way = part.richtung ?? direction
  const who = (way === 'CRDT') !== (part.returned !== undefined) ? 'Dbtr' : 'Cdtr'
  const us = who === 'Dbtr' ? 'Cdtr' : 'Dbtr'
  const named = (name: string): string =>
    revision === '08' ? `<Pty>${tag('Nm', name)}</Pty>` : tag('Nm', name)
  const account = (iban: string): string => `<Id><IBAN>${iban}</IBAN></Id>`
  const sum = part.betrag ?? fallback
  return [
    '<TxDtls>',
    `<Refs>${tag('AcctSvcrRef', part.referenz)}` +
      `<EndToEndId>${escape(part.endToEnd ?? 'NOTPROVIDED')}</EndToEndId></Refs>`,
    revision === '02' ? '' : `${amount(sum, part.currencyCode)}<CdtDbtInd>${way}</CdtDbtInd>`,
    revision === '02' ? `<AmtDtls><TxAmt>${amount(sum, part.currencyCode)}</TxAmt></AmtDtls>` : '',
    '<RltdPties>',
    `<${who}>${named(escape(part.name ?? ''))}</${who}>`,
    part.iban === undefined ? '' : `<${who}Acct>${account(part.iban)}</${who}Acct>`,
    `<${us}>${named('Waldvermessung Muster GmbH')}</${us}><${us}Acct>${account(OWN_IBAN)}</${us}Acct>`,
    '</RltdPties>',
    tag('RmtInf', (part.zweck ?? []).map((line) => `<Ustrd>${escape(line)}</Ustrd>`).join('')),
    part.returned === undefined ? '' : `<RtrInf><Rsn><Cd>${part.returned}</Cd></Rsn></RtrInf>`,
    '</TxDtls>',
  ].join('')
}

function buchungXml(revision: CamtVersion, one: SampleBuchung): string {
  const { betrag, richtung = 'CRDT', stand = 'BOOK', datum = '2026-03-02' } = one
  return [
    '<Ntry>',
    amount(betrag, one.currencyCode),
    `<CdtDbtInd>${richtung}</CdtDbtInd>`,
    one.storno === undefined ? '' : `<RvslInd>${one.storno}</RvslInd>`,
    revision === '08' ? `<Sts><Cd>${stand}</Cd></Sts>` : `<Sts>${stand}</Sts>`,
    `<BookgDt><Dt>${datum}</Dt></BookgDt><ValDt><Dt>${datum}</Dt></ValDt>`,
    tag('AcctSvcrRef', one.referenz),
    '<BkTxCd><Prtry><Cd>NTRF+166</Cd><Issr>DK</Issr></Prtry></BkTxCd>',
    tag('NtryDtls', (one.pieces ?? []).map((part) => partXml(revision, part, richtung, betrag)).join('')),
    tag('AddtlNtryInf', one.text),
    '</Ntry>',
  ].join('\n')
}

const balance = (art: string, amountText: string | undefined, currencyCode: string): string => {
  if (amountText === undefined) return ''
  const minus = amountText.startsWith('-')
  return (
    `<Bal><Tp><CdOrPrtry><Cd>${art}</Cd></CdOrPrtry></Tp>` +
    `${amount(minus ? amountText.slice(1) : amountText, currencyCode)}` +
    `<CdtDbtInd>${minus ? 'DBIT' : 'CRDT'}</CdtDbtInd>` +
    `<Dt><Dt>2026-03-31</Dt></Dt></Bal>`
  )
}

export function statementXml(
  revision: CamtVersion,
  bankStatements: readonly SampleStatement[],
  { art = '053', encoding = 'UTF-8' } = {},
): string {
  const names = {
    '052': ['BkToCstmrAcctRpt', 'Rpt'],
    '053': ['BkToCstmrStmt', 'Stmt'],
    '054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
  }[art]!
  const [message, part] = names as [string, string]
  const body = bankStatements.map(
    ({ iban = OWN_IBAN, currencyCode = 'EUR', anfang, ende, buchungen }, index) =>
      [
        `<${part}><Id>A${index + 1}</Id>` +
          `<ElctrncSeqNb>${index + 1}</ElctrncSeqNb><CreDtTm>2026-04-01T03:00:00+02:00</CreDtTm>`,
        `<Acct><Id>${iban === null ? '<Othr><Id>202051</Id></Othr>' : `<IBAN>${iban}</IBAN>`}</Id>` +
          `<Ccy>${currencyCode}</Ccy></Acct>`,
        balance(index % 2 === 0 ? 'OPBD' : 'PRCD', anfang, currencyCode),
        balance('CLBD', ende, currencyCode),
        ...buchungen.map((one) => buchungXml(revision, one)),
        `</${part}>`,
      ].join('\n'),
  )
  return (
    `<?xml version="1.0" encoding="${encoding}"?>\n` +
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${art}.001.${revision}">\n` +
    `<${message}><GrpHdr><MsgId>M1</MsgId></GrpHdr>\n${body.join('\n')}\n</${message}></Document>`
  )
}
