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
const amount = (betrag: string, currencyCode = 'EUR'): string => `<Amt Ccy="${currencyCode}">${betrag}</Amt>`

function partXml(
  fassung: CamtVersion,
  teil: SamplePart,
  richtung: 'CRDT' | 'DBIT',
  fallback: string,
): string {
  const way = teil.richtung ?? richtung
  const who = (way === 'CRDT') !== (teil.returned !== undefined) ? 'Dbtr' : 'Cdtr'
  const us = who === 'Dbtr' ? 'Cdtr' : 'Dbtr'
  const named = (name: string): string =>
    fassung === '08' ? `<Pty>${tag('Nm', name)}</Pty>` : tag('Nm', name)
  const account = (iban: string): string => `<Id><IBAN>${iban}</IBAN></Id>`
  const sum = teil.betrag ?? fallback
  return [
    '<TxDtls>',
    `<Refs>${tag('AcctSvcrRef', teil.referenz)}<EndToEndId>${escape(teil.endToEnd ?? 'NOTPROVIDED')}</EndToEndId></Refs>`,
    fassung === '02' ? '' : `${amount(sum, teil.currencyCode)}<CdtDbtInd>${way}</CdtDbtInd>`,
    fassung === '02' ? `<AmtDtls><TxAmt>${amount(sum, teil.currencyCode)}</TxAmt></AmtDtls>` : '',
    '<RltdPties>',
    `<${who}>${named(escape(teil.name ?? ''))}</${who}>`,
    teil.iban === undefined ? '' : `<${who}Acct>${account(teil.iban)}</${who}Acct>`,
    `<${us}>${named('Waldvermessung Muster GmbH')}</${us}><${us}Acct>${account(OWN_IBAN)}</${us}Acct>`,
    '</RltdPties>',
    tag('RmtInf', (teil.zweck ?? []).map((line) => `<Ustrd>${escape(line)}</Ustrd>`).join('')),
    teil.returned === undefined ? '' : `<RtrInf><Rsn><Cd>${teil.returned}</Cd></Rsn></RtrInf>`,
    '</TxDtls>',
  ].join('')
}

function buchungXml(fassung: CamtVersion, one: SampleBuchung): string {
  const { betrag, richtung = 'CRDT', stand = 'BOOK', datum = '2026-03-02' } = one
  return [
    '<Ntry>',
    amount(betrag, one.currencyCode),
    `<CdtDbtInd>${richtung}</CdtDbtInd>`,
    one.storno === undefined ? '' : `<RvslInd>${one.storno}</RvslInd>`,
    fassung === '08' ? `<Sts><Cd>${stand}</Cd></Sts>` : `<Sts>${stand}</Sts>`,
    `<BookgDt><Dt>${datum}</Dt></BookgDt><ValDt><Dt>${datum}</Dt></ValDt>`,
    tag('AcctSvcrRef', one.referenz),
    '<BkTxCd><Prtry><Cd>NTRF+166</Cd><Issr>DK</Issr></Prtry></BkTxCd>',
    tag('NtryDtls', (one.pieces ?? []).map((teil) => partXml(fassung, teil, richtung, betrag)).join('')),
    tag('AddtlNtryInf', one.text),
    '</Ntry>',
  ].join('\n')
}

const saldo = (art: string, betrag: string | undefined, currencyCode: string): string => {
  if (betrag === undefined) return ''
  const minus = betrag.startsWith('-')
  return `<Bal><Tp><CdOrPrtry><Cd>${art}</Cd></CdOrPrtry></Tp>${amount(minus ? betrag.slice(1) : betrag, currencyCode)}<CdtDbtInd>${minus ? 'DBIT' : 'CRDT'}</CdtDbtInd><Dt><Dt>2026-03-31</Dt></Dt></Bal>`
}

export function statementXml(
  fassung: CamtVersion,
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
        `<${part}><Id>A${index + 1}</Id><ElctrncSeqNb>${index + 1}</ElctrncSeqNb><CreDtTm>2026-04-01T03:00:00+02:00</CreDtTm>`,
        `<Acct><Id>${iban === null ? '<Othr><Id>202051</Id></Othr>' : `<IBAN>${iban}</IBAN>`}</Id><Ccy>${currencyCode}</Ccy></Acct>`,
        saldo(index % 2 === 0 ? 'OPBD' : 'PRCD', anfang, currencyCode),
        saldo('CLBD', ende, currencyCode),
        ...buchungen.map((one) => buchungXml(fassung, one)),
        `</${part}>`,
      ].join('\n'),
  )
  return `<?xml version="1.0" encoding="${encoding}"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${art}.001.${fassung}">\n<${message}><GrpHdr><MsgId>M1</MsgId></GrpHdr>\n${body.join('\n')}\n</${message}></Document>`
}
