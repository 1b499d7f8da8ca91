// Computes the same random documents three times (by SQL, by the browser's engine, and from the XML alone)
// and checks which amounts appear on paper.
import type { OwnerConnection } from '#server/database/database.ts'
import { ciiXml } from '#domain/e-rechnung/xrechnung-3-0.ts'
import { computeBeleg } from '#domain/rechnung.ts'
import { execFileSync } from 'node:child_process'
import { isDeepStrictEqual } from 'node:util'
import { belegOf, threeRates } from '../../server/documents/beleg.fixture.ts'
import { createRenderer } from '../../server/documents/renderer.ts'
import { amountText, euro } from '../../server/documents/notation.ts'
import { amountFaults, amountsOfBeleg, amountsOfXml } from '../../test/einvoice/amounts.ts'
import { parseXml } from '../../test/einvoice/xml-tree.ts'
import { belegOfDocument, type RandomDocument, randomDocuments } from '../../test/random-documents.ts'

const CHUNK = 2_000
const SEED = 20261121

/** The text of a PDF as a third-party reader (poppler) extracts it. */
const textOf = (pdf: Uint8Array): string =>
  execFileSync('pdftotext', ['-raw', '-enc', 'UTF-8', '-', '-'], {
    input: pdf,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })

const bare = (text: string): string => text.replaceAll(/\s/g, '')

export interface Differences {
  readonly documents: number
  readonly sql: number
  readonly xml: number
  readonly papers: number
  readonly paper: number
}

export async function compareSums(
  owner: OwnerConnection,
  count: number,
  papers: number,
): Promise<Differences> {
  const found = { sql: 0, xml: 0, paper: 0 }
  const like = belegOf({}, [{}])
  let chunk: RandomDocument[] = []
  let nr = 0
  async function flush(): Promise<void> {
    const { rows } = await owner.query<{ found: string }>(
      `select books.beleg_sums(d, d -> 'positionen')::text as found
        from jsonb_array_elements($1::jsonb) with ordinality as t(d, nr)
        order by nr`,
      [JSON.stringify(chunk)],
    )
    for (const [at, document] of chunk.entries()) {
      const { summen, zeilen } = computeBeleg(document)
      if (!isDeepStrictEqual(JSON.parse(rows[at]!.found), { summen, zeilen })) found.sql += 1
      const beleg = belegOfDocument(document, like, `RE-2026-${++nr}`)
      const xml = parseXml(ciiXml(beleg, 'en16931'))
      if (!isDeepStrictEqual(amountsOfXml(xml), amountsOfBeleg(beleg)) || amountFaults(xml).length > 0)
        found.xml += 1
    }
    process.stderr.write(`\r${nr} documents, differences: SQL ${found.sql}, XML ${found.xml} `)
    chunk = []
  }
  for (const document of randomDocuments(count, SEED)) {
    chunk.push(document)
    if (chunk.length === CHUNK) await flush()
  }
  if (chunk.length > 0) await flush()
  process.stderr.write('\n')

  const renderer = createRenderer()
  for (const document of randomDocuments(papers, SEED)) {
    const beleg = belegOfDocument(document, { ...threeRates(), format: 'pdf' }, 'RE-2026-1')
    const text = bare(textOf(await renderer.render(beleg)))
    const { brutto, netto, steuern } = beleg.summen
    const sums = [
      brutto,
      ...(beleg.lieferant.kleinunternehmer ? [] : [netto, ...steuern.map(({ steuer }) => steuer)]),
    ].map(amountText)
    const bases = beleg.lieferant.kleinunternehmer ? [] : steuern.map(({ basis }) => euro(basis))
    const lines = beleg.positionen
      .filter(({ art }) => art !== 'ueberschrift')
      .map((position) => amountText(position.betrag))
    if (![...sums, ...bases, ...lines].every((amount) => text.includes(bare(amount)))) found.paper += 1
  }
  await renderer.close()
  return { documents: count, papers, ...found }
}
