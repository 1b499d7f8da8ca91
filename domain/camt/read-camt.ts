// Bank statements: camt.053 (ISO 20022) of the versions 001.02 to 001.08 and later, from an already parsed
// XML tree. Booked entries become transactions of the account; entries that are only pending, or cannot be
// right, are left out and reported as hints. Intraday reports and single advices (camt.052, camt.054) are
// refused by name: their entries appear again in the statement, under other references.
import { add, type Decimal, formatCents, NULL, sign, subtract } from '../geld.ts'
import { isDay } from '../day.ts'
import { readEntry } from './entry.ts'
import { CamtFault, type CamtHint, type CamtStatement } from './statement.ts'
import { amountOf, at, children, clip, dayOf, directionOf, firstText, ibanAt, signed, textAt } from './xml.ts'
import type { XmlTree } from '../xml-tree.ts'

/** A text up to version 06, a nested code from 07 on. */
const statusOf = (entry: XmlTree): string => firstText(entry, 'Sts/Cd', 'Sts/Prtry', 'Sts')

function balanceOf(
  statement: XmlTree,
  codes: readonly string[],
): { value: Decimal; day: string | null } | null {
  for (const code of codes)
    for (const balance of children(statement, 'Bal')) {
      if (firstText(balance, 'Tp/CdOrPrtry/Cd', 'Tp/CdOrPrtry/Prtry') !== code) continue
      const amount = amountOf(at(balance, 'Amt'))
      if (amount !== null)
        return { value: signed(amount, directionOf(balance) ?? 1), day: dayOf(at(balance, 'Dt')) }
    }
  return null
}

function readStatement(statement: XmlTree): CamtStatement {
  const account = ibanAt(statement, 'Acct/Id/IBAN')
  const currencyCode = textAt(statement, 'Acct/Ccy') || at(statement, 'Bal/Amt')?.attributes['Ccy'] || 'EUR'
  if (currencyCode !== 'EUR') throw new CamtFault('waehrung', currencyCode)
  const entries = children(statement, 'Ntry')
  const booked = entries.filter((entry) => ['BOOK', ''].includes(statusOf(entry)))
  const read = booked.map((entry) => readEntry(entry, { konto: account, currencyCode }))
  const [opening, closing] = [balanceOf(statement, ['OPBD', 'PRCD']), balanceOf(statement, ['CLBD'])]
  const missing =
    opening && closing
      ? subtract(
          closing.value,
          read.reduce((so, { summe }) => add(so, summe), opening.value),
        )
      : NULL
  const hints: CamtHint[] = []
  const note = (art: CamtHint['art'], count: number, amount = '0.00'): void => {
    if (count > 0) hints.push({ art, anzahl: count, betrag: amount })
  }
  note('konto', account === '' ? 1 : 0)
  note('vorgemerkt', entries.length - booked.length)
  note('null', read.filter(({ summe, buchungen }) => sign(summe) === 0 && buchungen.length === 0).length)
  note('sammler', read.filter(({ isBulk }) => isBulk).length)
  note('saldo', sign(missing) === 0 ? 0 : 1, formatCents(missing))
  const buchungen = read.flatMap(({ buchungen: some }) => some)
  const days = buchungen.map(({ datum }) => datum).toSorted()
  const period = at(statement, 'FrToDt')
  const limit = (name: string): string | null => {
    const day = textAt(period, name).slice(0, 10)
    return isDay(day) ? day : null
  }
  return {
    quelle: 'camt',
    konto: account,
    nummer: firstText(statement, 'ElctrncSeqNb', 'LglSeqNb', 'Id'),
    von: limit('FrDtTm') ?? days[0] ?? closing?.day ?? null,
    bis: limit('ToDtTm') ?? days.at(-1) ?? closing?.day ?? null,
    anfang: opening === null ? null : formatCents(opening.value),
    ende: closing === null ? null : formatCents(closing.value),
    buchungen,
    hinweise: hints,
  }
}

const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:(camt\.05[234])\.001\.(\d\d)$/

/** The statements of one file, in the order of the file. Throws CamtFault. */
export function readCamt(root: XmlTree): CamtStatement[] {
  const found = NAMESPACE.exec(root.namespace)
  const message = root.children[0]
  const kind = found?.[1] ?? (message?.name === 'BkToCstmrStmt' ? 'camt.053' : '')
  if (root.name !== 'Document' || kind === '') throw new CamtFault('kein_camt', clip(root.name, 60))
  if (kind === 'camt.052') throw new CamtFault('camt052')
  if (kind === 'camt.054') throw new CamtFault('camt054')
  const version = Number(found?.[2] ?? '2')
  if (message?.name !== 'BkToCstmrStmt' || version < 2)
    throw new CamtFault('version', clip(root.namespace || root.name, 80))
  const statements = children(message, 'Stmt')
  if (statements.length === 0) throw new CamtFault('leer')
  return statements.map(readStatement)
}
