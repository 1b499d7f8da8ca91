// The files for banks keep the schemas of ISO 20022, whatever names, texts and amounts the orders have.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { creditTransferXml, type DebitOrder, directDebitXml, type SepaFile } from '#domain/sepa/pain.ts'
import { makeRandom } from '../db/seeds/random.ts'
import { findBankSchemas } from './api-tester.ts'

const schemas = findBankSchemas()

/** What people type, and what would be markup. */
const NAMES = [
  'Müller & Söhne',
  '<Forst>',
  'Ærø Łódź 日本',
  'Ελλάς',
  `Forst ${'x'.repeat(90)}`,
  '"Wald" \'GbR\'',
  'A',
  '\u0007B\nC',
]
const ACCOUNTS = [
  'DE02120300000000202051',
  'AT611904300234573201',
  'CH9300762011623852957',
  'GB82WEST12345698765432',
]
const BANKS = ['', 'INGDDEFF', 'BYLADEM1001']
const AMOUNTS = ['0.01', '1.00', '119.00', '999999999.99']
const PURPOSES = ['Rechnung RE-2026-0042', '', 'x'.repeat(300), 'Zeile 1\nZeile 2 & <mehr>', '€ 5,- „bar“']
const SEQUENCES = ['FRST', 'RCUR', 'OOFF'] as const

describe.skipIf(schemas === undefined)('files for banks', () => {
  const faultsOf = async (name: string, xml: string): Promise<readonly string[]> => {
    const schema = readFileSync(join(schemas!, `${name}.xsd`), 'utf8')
    const { errors } = await validateXML({
      xml: [{ fileName: `${name}.xml`, contents: xml }],
      schema: [schema],
    })
    return errors.map(({ message }) => message)
  }
  const random = makeRandom(20_022)
  const some = <T>(of: readonly T[]): T => random.pick(of)
  const account = () => ({ name: some(NAMES), iban: some(ACCOUNTS), bic: some(BANKS) })
  const file = (nr: number): SepaFile => ({
    id: `FK-${nr}`,
    erstellt: '2026-11-27T09:30:00',
    konto: account(),
    tag: '2026-12-10',
  })
  const debit = (nr: number): DebitOrder => ({
    referenz: `RE-2026-${nr}`,
    betrag: some(AMOUNTS),
    debtor: account(),
    mandat: `M-${nr}`,
    unterschrieben: '2026-01-15',
    art: some(['core', 'b2b']),
    folge: some(SEQUENCES),
    zweck: some(PURPOSES),
  })
  const rounds = Array.from({ length: 12 }, (_, nr) => nr)
  const orders = <T>(make: (nr: number) => T): T[] =>
    Array.from({ length: random.int(1, 20) }, (_, nr) => make(nr))

  test.each(rounds)('direct debits, %i', async (nr) => {
    const xml = directDebitXml(file(nr), 'DE98ZZZ09999999999', orders(debit))
    expect(await faultsOf('pain.008.001.08', xml)).toEqual([])
  })
  test.each(rounds)('credit transfers, %i', async (nr) => {
    const xml = creditTransferXml(
      file(nr),
      orders((each) => ({
        referenz: `E-${each}`,
        betrag: some(AMOUNTS),
        empfaenger: account(),
        zweck: some(PURPOSES),
        ...(each % 3 === 0 && { tag: '2026-12-15' }),
      })),
    )
    expect(await faultsOf('pain.001.001.09', xml)).toEqual([])
  })
  test('an element in another place is noticed', async () => {
    const xml = directDebitXml(file(1), 'DE98ZZZ09999999999', [debit(1)])
    const moved = xml.replace(/( *<MsgId>.*?<\/MsgId>\n)( *<CreDtTm>.*?<\/CreDtTm>\n)/, '$2$1')
    expect(moved).not.toBe(xml)
    expect((await faultsOf('pain.008.001.08', moved)).join()).toContain('CreDtTm')
  })
})
