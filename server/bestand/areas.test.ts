// Areas in other people's plans: in which unit a column is, and which stands do not fit their outline.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FePreview, FeValues } from '#contract/bestand-import.ts'
import { zipBytes } from '#server/write-zip.ts'
import { readLayers, readPreview } from './reader.ts'

const LEVELS = ['', '', 'Abteilung', '', '']
/** Each is a square of 200 m: 4 ha. */
const square = (nr: number): string => {
  const [x, y] = [380_000 + nr * 300, 5_930_000]
  return `"POLYGON((${x} ${y},${x + 200} ${y},${x + 200} ${y + 200},${x} ${y + 200},${x} ${y}))"`
}
const stands = (heading: string, areas: readonly string[]): string =>
  `Abt;${heading};WKT\n${areas.map((area, nr) => `${nr};${area};${square(nr)}`).join('\n')}\n`

describe('areas of a plan', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'areas-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** `chosen`: mapped by a person. */
  async function previewOf(
    name: string,
    bytes: Buffer | string,
    chosen: Readonly<Record<string, string>> = {},
  ): Promise<FePreview> {
    const filePath = join(folder, name)
    writeFileSync(filePath, bytes)
    const file = { datei: filePath, name, ebenen: LEVELS }
    const { schichten } = await readLayers(file, {})
    const values: FeValues = {
      stichtag: null,
      uebernehmen: false,
      schichten: schichten.map((layer) => ({
        name: layer.name,
        tabelle: layer.vorschlag.tabelle!,
        epsg: layer.vorschlag.tabelle === 'bestand' ? 25_833 : null,
        felder: { ...layer.vorschlag.felder, ...chosen },
        ...(layer.ort !== null && { ort: layer.ort }),
      })),
    }
    return readPreview({ ...file, werte: values }, {})
  }
  const hectares = ({ schichten }: FePreview): unknown[] =>
    schichten.flatMap(({ zeilen }) => zeilen.map(({ werte }) => werte['flaeche_ha']))
  const notes = ({ hinweise }: FePreview) => hinweise.filter(({ art }) => art.startsWith('flaeche'))

  test.each([
    ['the heading says so', 'flaeche_m2', ['40000', '', '40.100,0']],
    ['the outlines say so', 'Fläche', ['40000', '', '40100']],
    ['of the program that drew them', 'Shape_Area', ['40000.000001', '', '40100']],
  ])('square metres, as %s, become hectares, and the preview says it', async (_, heading, areas) => {
    const preview = await previewOf('a.csv', stands(heading, areas), { flaeche_ha: heading })
    expect([preview.fehler, hectares(preview)]).toEqual([[], [4, undefined, 4.01]])
    expect(notes(preview)).toEqual([{ schicht: 'a', art: 'flaeche_m2', anzahl: 2, spalten: [heading] }])
  })
  test('a stand of more hectares than a column may hold is no fault in square metres', async () => {
    const preview = await previewOf('a.csv', stands('flaeche_m2', ['1.200.000,0']))
    expect([preview.fehler, hectares(preview)]).toEqual([[], [120]])
  })
  test('ares are known by the heading', async () => {
    const preview = await previewOf('a.csv', stands('Fläche (Ar)', ['400', '395,5']))
    expect([hectares(preview), notes(preview).map(({ art }) => art)]).toEqual([[4, 3.955], ['flaeche_ar']])
  })
  test('hectares stay hectares without a word', async () => {
    for (const heading of ['Fläche', 'FL_HA', 'Fläche (ha)']) {
      const preview = await previewOf('a.csv', stands(heading, ['4', '3,955', '4.0']))
      expect([hectares(preview), notes(preview)]).toEqual([[4, 3.955, 4], []])
    }
  })
  test('a stand whose area is another than that of its outline is named', async () => {
    const preview = await previewOf('a.csv', stands('Fläche', ['4', '40', '4', '3,9', '0,4']))
    expect(preview.fehlerzahl).toBe(0)
    expect(notes(preview)).toEqual([
      {
        schicht: 'a',
        art: 'flaeche_anders',
        anzahl: 2,
        others: [
          { nr: 2, stated: 40, outline: expect.closeTo(4, 1) as number },
          { nr: 5, stated: 0.4, outline: expect.closeTo(4, 1) as number },
        ],
      },
    ])
  })
  test('the stock of a hectare becomes that of the stand, and harvested wood is named', async () => {
    const file = `Abt;FL_HA;Vorrat (Efm/ha);WKT\n1;2,5;300;${square(1)}\n2;;100;${square(2)}\n3;4;;${square(3)}\n`
    const preview = await previewOf('v.csv', file, { vorrat: 'Vorrat (Efm/ha)' })
    const stocks = preview.schichten[0]!.zeilen.map(({ werte }) => werte['vorrat'])
    expect(stocks).toEqual([750, expect.closeTo(400.2, 0), undefined])
    const of = { schicht: 'v', anzahl: 2, spalten: ['Vorrat (Efm/ha)'] }
    expect(preview.hinweise).toEqual([
      { ...of, art: 'vorrat_je_ha' },
      { ...of, art: 'vorrat_efm' },
    ])
    const total = await previewOf('v.csv', file.replace('Vorrat (Efm/ha)', 'Vorrat (Vfm)'), {
      vorrat: 'Vorrat (Vfm)',
    })
    expect(total.schichten[0]!.zeilen.map(({ werte }) => werte['vorrat'])).toEqual([300, 100, undefined])
    expect(total.hinweise).toEqual([])
  })
  test('areas of species are compared with their stands', async () => {
    const zipOf = (species: string): Promise<Buffer> =>
      zipBytes([
        { name: 'Bestaende.csv', inhalt: Buffer.from(stands('Fläche', ['4', '4', '4'])), compress: true },
        { name: 'Baumarten.csv', inhalt: Buffer.from(`Abt;BA;Fläche\n${species}\n`), compress: true },
      ])
    const metres = await previewOf('p.zip', await zipOf('0;FI;20000\n0;BU;20000\n1;FI;39000\n2;BU;2000'))
    expect([hectares(metres), notes(metres).map(({ schicht, art }) => [schicht, art])]).toEqual([
      [4, 4, 4, 2, 2, 3.9, 0.2],
      [['Baumarten', 'flaeche_m2']],
    ])
    const ha = await previewOf('p.zip', await zipOf('0;FI;2\n0;BU;2\n1;FI;3,9\n2;BU;0,2'))
    expect([hectares(ha), notes(ha)]).toEqual([[4, 4, 4, 2, 2, 3.9, 0.2], []])
  })
})
