// GML as servers and surveying authorities write it, and what is refused. gml-corpus.test.ts compares with GDAL.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RawObject } from '#domain/vermessung/check.ts'
import { zipBytes } from '#server/write-zip.ts'
import { fgb, fgbHeader, pointAt } from './flatgeobuf.fixture.ts'
import { ALKIS, answer, el, geometries, GML32, line, list, member, pointIn, segments } from './gml.fixture.ts'
import { openSource } from './open.ts'
import { leftOutOf, type RawLayer, type Unread } from './source.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gml-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Read {
  readonly layers: readonly RawLayer[]
  readonly objects: readonly RawObject[]
  readonly unread: readonly (Unread | null)[]
}
async function readByUs(path: string, choice?: Parameters<typeof openSource>[2]): Promise<Read> {
  const source = await openSource(path, 'Aufmaß.gml', choice)
  try {
    const objects: RawObject[] = []
    for (const { name } of source.schichten) for await (const one of source.readFrom(name)) objects.push(one)
    const unread = source.schichten.map(({ name }) => source.unreadOf?.(name) ?? null)
    return { layers: source.schichten, objects, unread }
  } finally {
    source.close()
  }
}
let files = 0
function written(content: string | Buffer): string {
  const path = join(folder, `hand${++files}.gml`)
  writeFileSync(path, content)
  return path
}
const readText = (content: string | Buffer, choice?: Parameters<typeof openSource>[2]): Promise<Read> =>
  readByUs(written(content), choice)

const ADDRESS = 'http://www.opengis.net/def/crs/EPSG/0'

describe('what servers and authorities write', () => {
  test('several types are layers; the system of the collection holds for geometries that name none', async () => {
    const lineAt = `<k:verlauf>${el('LineString', list('1 2', '3 4'), 'srsName="EPSG:25833"')}</k:verlauf>`
    const text = answer(`<gml:featureMembers>
      <k:schacht gml:id="s.1"><k:nummer>7</k:nummer><k:art>Prüfschacht</k:art><k:tiefe uom="m">1.50</k:tiefe>
        ${pointIn('', '4500001 5900002')}</k:schacht>
      <k:leitung gml:id="l.1">${lineAt}<k:schacht xlink:href="#s.1"/></k:leitung>
      <k:notiz gml:id="n.1"><k:text><![CDATA[<nur> Text]]></k:text></k:notiz>
    </gml:featureMembers>`)
    const { layers, objects } = await readText(Buffer.from(text, 'latin1'))
    expect(layers.map(({ name, geometrie, epsg }) => [name, geometrie, epsg])).toEqual([
      ['schacht', 'punkt', 31_468],
      ['leitung', 'linie', 25_833],
    ])
    expect(objects.map(({ werte }) => werte)).toEqual([
      { gml_id: 's.1', nummer: '7', art: 'Prüfschacht', tiefe: '1.50', tiefe_uom: 'm' },
      { gml_id: 'l.1', schacht_href: '#s.1' },
    ])
  })
  test('types without a geometry are layers where tables are wanted', async () => {
    const { layers, objects } = await readText(
      answer(
        '<gml:featureMember><k:notiz fid="n.1"><k:text><![CDATA[<nur> Text]]></k:text></k:notiz></gml:featureMember>',
      ),
      { tabellen: true },
    )
    expect(layers).toMatchObject([{ name: 'notiz', geometrie: 'ohne', anzahl: 1 }])
    expect(objects).toEqual([{ nr: 1, geometrie: null, werte: { fid: 'n.1', text: '<nur> Text' } }])
  })
  test('objects of one type in several systems are a layer for each', async () => {
    const places = [
      pointIn('urn:ogc:def:crs:EPSG::25832', '1 2'),
      pointIn(`${ADDRESS}/4326`, '53 13'),
      pointIn('urn:ogc:def:crs:EPSG::25832', '3 4'),
      pointIn('urn:ogc:def:crs:EPSG::99999', '5 6'),
      '',
    ]
    const { layers, objects } = await readText(answer(places.map((one) => member(one, 'baum')).join('')))
    expect(layers.map(({ name, anzahl, epsg, system }) => [name, anzahl, epsg, system])).toEqual([
      ['baum (EPSG:25832)', 3, 25_832, 'urn:ogc:def:crs:EPSG::25832'],
      ['baum (EPSG:4326)', 1, 4_326, 'http://www.opengis.net/def/crs/EPSG/0/4326'],
      ['baum (urn:ogc:def:crs:EPSG::99999)', 1, null, 'urn:ogc:def:crs:EPSG::99999'],
    ])
    expect(objects.map(({ nr }) => nr)).toEqual([1, 3, 5, 2, 4])
    expect(objects[3]!.geometrie).toMatchObject({ ort: [13, 53] })
  })
  test.each([
    ['EPSG:4326', [4326, false]],
    ['http://www.opengis.net/gml/srs/epsg.xml#4326', [4326, false]],
    ['urn:ogc:def:crs:OGC:1.3:CRS84', [4326, false]],
    ['http://www.opengis.net/def/crs/OGC/1.3/CRS84', [4326, false]],
    ['urn:ogc:def:crs:EPSG::4326', [4326, true]],
    ['urn:x-ogc:def:crs:EPSG:4326', [4326, true]],
    ['urn:ogc:def:crs:EPSG:6.9:4258', [4258, true]],
    ['http://www.opengis.net/def/crs/EPSG/0/4258', [4258, true]],
    ['urn:ogc:def:crs:EPSG::4937', [4258, true]],
    ['urn:ogc:def:crs:EPSG::31467', [31467, true]],
    ['EPSG:31467', [31467, false]],
    ['urn:ogc:def:crs:EPSG::5678', [31468, false]],
    ['urn:ogc:def:crs,crs:EPSG::31468,crs:EPSG::5783', [31468, true]],
    ['urn:ogc:def:crs,crs:EPSG:6.12:4258,crs:EPSG:6.12:7837', [4258, true]],
    ['urn:ogc:def:crs:EPSG::25832', [25832, false]],
    ['urn:ogc:def:crs:EPSG::32633', [25833, false]],
    ['urn:ogc:def:crs,crs:EPSG::25832,crs:EPSG::7837', [25832, false]],
    [`http://www.opengis.net/def/crs-compound?1=${ADDRESS}/25832&amp;2=${ADDRESS}/7837`, [25832, false]],
    ['urn:adv:crs:ETRS89_UTM32', [25832, false]],
    ['urn:adv:crs:ETRS89_UTM33*DE_DHHN2016_NH', [25833, false]],
    ['urn:adv:crs:ETRS89_Lat-Lon', [4258, true]],
    ['urn:adv:crs:DE_DHDN_3GK3', [31467, false]],
    ['urn:adv:crs:DE_42-83_3GK4', [2398, false]],
    ['urn:adv:crs:DE_RD-83_3GK4', [null, false]],
  ])('%s', async (name, [epsg, northFirst]) => {
    const { layers, objects } = await readText(answer(member(pointIn(name, '1 2'))))
    expect(layers[0]!.epsg).toBe(epsg)
    expect(objects[0]!.geometrie).toMatchObject({ ort: northFirst === true ? [2, 1] : [1, 2] })
  })
  test.each([
    ['urn:ogc:def:crs:EPSG::4326', '13.1 52.4', [13.1, 52.4]],
    ['EPSG:4326', '52.4 13.1', [13.1, 52.4]],
    ['EPSG:4326', '50 60', [50, 60]],
    ['urn:ogc:def:crs:EPSG::31468', '4512345 5823456', [4_512_345, 5_823_456]],
    ['EPSG:31467', '5823456 3512345', [3_512_345, 5_823_456]],
    ['urn:ogc:def:crs:EPSG::25832', '5823456 512345', [512_345, 5_823_456]],
    ['EPSG:5650', '5823456 33412345', [33_412_345, 5_823_456]],
    // In zone 5 both look alike: what the file says holds.
    ['urn:ogc:def:crs:EPSG::31469', '5412345 5823456', [5_823_456, 5_412_345]],
    ['EPSG:9999', '52.4 13.1', [52.4, 13.1]],
  ])('places that are in Germany only the other way round are turned: %s, %s', async (system, place, ort) => {
    const { objects } = await readText(answer(member(pointIn(system, place))))
    expect(objects[0]!.geometrie).toMatchObject({ ort })
  })
  test('an extract of ALKIS: arcs, nested values by their path, the second geometry is counted', async () => {
    const { layers, objects, unread } = await readText(ALKIS)
    expect(layers).toMatchObject([{ name: 'AX_Flurstueck', geometrie: 'flaeche', anzahl: 1, epsg: 25_833 }])
    expect(objects[0]!.werte).toEqual({
      gml_id: 'DEBBAL0100000001',
      identifier: 'urn:adv:oid:DEBBAL0100000001',
      'lebenszeitintervall.beginnt': '2024-01-02T03:04:05Z',
      'modellart.advStandardModell': 'DLKM',
      'modellart.sonstigesModell': 'BB',
      'gemarkung.land': '12',
      'gemarkung.gemarkungsnummer': '1234',
      'flurstuecksnummer.zaehler': '17',
      'flurstuecksnummer.nenner': '2',
      amtlicheFlaeche: '3927',
      amtlicheFlaeche_uom: 'urn:adv:uom:m2',
      istGebucht_href: 'urn:adv:oid:DEBBAL0100000009',
    })
    expect(objects[0]!.geometrie).toMatchObject({ art: 'flaeche', verloren: ['boegen'] })
    expect(unread).toEqual([{ anzahl: 1, arten: ['objektkoordinaten'] }])
  })
  test('curves that are drawn backwards, which GDAL 3.6 does not know', async () => {
    const backwards = el('OrientableCurve', el('baseCurve', line('20 0', '10 10')), 'orientation="-"')
    const { objects } = await readText(
      geometries(
        el('CompositeCurve', el('curveMember', line('0 0', '10 10')) + el('curveMember', backwards)),
      ),
    )
    expect(objects[0]!.geometrie).toMatchObject({
      pieces: [
        [
          [0, 0],
          [10, 10],
          [20, 0],
        ],
      ],
    })
  })
  test('geometries that are elsewhere are counted, never fetched; a file of nothing else says so', async () => {
    const here = member(pointIn('', '1 2'))
    const there = member('<k:position xlink:href="http://127.0.0.1:9/p"/>')
    const part = member(`<k:ort>${el('MultiCurve', '<gml:curveMember xlink:href="#c1"/>')}</k:ort>`)
    const { layers, unread } = await readText(answer(here + there + part))
    expect(layers).toMatchObject([{ name: 'a', anzahl: 1 }])
    expect(unread).toEqual([{ anzahl: 2, arten: ['ort (xlink)', 'position (xlink)'] }])
    await expect(readText(answer(there + part))).rejects.toMatchObject({ code: 'gml_verweise' })
  })
  test('a type of nothing else is named, alone and in a ZIP', async () => {
    const there = member('<k:position xlink:href="http://127.0.0.1:9/p"/>', 'draen')
    const text = answer(member(pointIn('', '1 2')) + there + there)
    const named = [{ schicht: 'draen', art: 'elemente', anzahl: 2, spalten: ['position (xlink)'] }]
    const leftOutIn = async (path: string, name: string) => {
      const source = await openSource(path, name)
      source.close()
      expect(source.schichten.map((layer) => layer.name)).toEqual(['a'])
      return leftOutOf(source, ['a'])
    }
    expect(await leftOutIn(written(text), 'a.gml')).toEqual(named)
    const entries = [{ name: 'x/a.gml', inhalt: Buffer.from(text), compress: true }]
    expect(await leftOutIn(written(await zipBytes(entries)), 'a.zip')).toEqual(named)
  })
  test('a reference is followed within the file only: what goes in circles stays unread', async () => {
    const curve = (id: string, inner: string) =>
      member(`<k:ort>${el('CompositeCurve', inner, `gml:id="${id}"`)}</k:ort>`)
    const to = (id: string) => `<gml:curveMember xlink:href="#${id}"/>`
    const whole = member(`<k:ort>${el('LineString', list('1 2', '3 4'), 'gml:id="w"')}</k:ort>`)
    const position = member('<k:position xlink:href="#w"/>', 'b')
    const found = await readText(answer(whole + position + curve('k', to('w'))))
    expect(found.objects.map(({ geometrie }) => (geometrie as { art: string }).art)).toEqual([
      'linie',
      'linie',
      'linie',
    ])
    expect(found.unread).toEqual([null, null])

    const circle = await readText(answer(whole + curve('x', to('y')) + curve('y', to('x'))))
    expect(circle.unread).toEqual([{ anzahl: 2, arten: ['ort (xlink)'] }])
    const self = await readText(answer(whole + curve('s', to('s'))))
    expect(self.unread).toEqual([{ anzahl: 1, arten: ['ort (xlink)'] }])
    const chain = Array.from({ length: 12 }, (_, nr) => curve(`n${nr}`, to(nr === 11 ? 'w' : `n${nr + 1}`)))
    const long = await readText(answer(whole + chain.join('')))
    expect(long.unread[0]!.anzahl, 'five steps are followed').toBe(7)
    // Each doubles the one before: a billion points from a few lines.
    const twice = Array.from({ length: 30 }, (_, nr) =>
      curve(`d${nr}`, nr === 0 ? to('w') : to(`d${nr - 1}`) + to(`d${nr - 1}`)),
    )
    const many = await readText(answer(whole + twice.join('')))
    expect(many.objects.length).toBeLessThan(8)
    const missing = await readText(answer(whole + curve('m', to('gibt_es_nicht'))))
    expect(missing.unread).toEqual([{ anzahl: 1, arten: ['ort (xlink)'] }])
  })
  test('many references to one large geometry end where the work gets too much', async () => {
    const places = Array.from({ length: 20_000 }, (_, nr) => `${nr} ${nr % 7}`)
    const large = member(
      `<k:ort>${el('LineString', places.map((one) => el('pos', one)).join(''), 'gml:id="g"')}</k:ort>`,
    )
    const all = Array.from({ length: 400 }, () =>
      member(`<k:ort>${el('MultiCurve', '<gml:curveMember xlink:href="#g"/>')}</k:ort>`),
    )
    const { objects, unread } = await readText(answer(large + all.join('')))
    expect(objects.length + unread[0]!.anzahl).toBe(401)
    expect(unread[0]!.anzahl).toBeGreaterThan(100)
  })
  test('geometries that are no points, lines or areas, and broken ones, are faults of their object', async () => {
    const { objects, layers } = await readText(
      geometries(
        segments('<gml:BSpline><gml:posList>1 2 3 4</gml:posList></gml:BSpline>'),
        '<gml:Solid/>',
        '<gml:MultiPoint><gml:pointMember><gml:Point><gml:pos>1 2</gml:pos></gml:Point></gml:pointMember>' +
          '<gml:pointMember><gml:Point><gml:pos>3 4</gml:pos></gml:Point></gml:pointMember></gml:MultiPoint>',
        '<gml:Point/>',
        '<gml:LineString><gml:posList/></gml:LineString>',
        '<gml:Point><gml:pos>drei vier</gml:pos></gml:Point>',
        '<gml:Point><gml:pos>3</gml:pos></gml:Point>',
        '<gml:LineString><gml:posList>1 2 3</gml:posList></gml:LineString>',
        '<gml:LineString><gml:coordinates>1,2 3</gml:coordinates></gml:LineString>',
        segments('<gml:Arc><gml:posList>1 2 3 4</gml:posList></gml:Arc>'),
        segments('<gml:Circle><gml:posList>1 1 2 2 3 3</gml:posList></gml:Circle>'),
      ),
    )
    expect(layers.map(({ epsg, system }) => [epsg, system])).toEqual([
      [25_833, 'urn:ogc:def:crs:EPSG::25833'],
      [null, null],
    ])
    const inOrder = objects.toSorted((a, b) => a.nr - b.nr)
    const faults = inOrder.map(({ geometrie }) => (geometrie as { code?: string }).code ?? '')
    expect(faults.map((code) => code.replace('geometrie_', '')).join(' ')).toBe(
      'art art art leer leer kaputt kaputt kaputt kaputt kaputt kaputt',
    )
  })
  test('in a ZIP, several of them and beside a description, as downloads are', async () => {
    const inZip = async (
      ...names: readonly (readonly [name: string, text: string | Buffer])[]
    ): Promise<Read> =>
      readText(
        Buffer.from(
          await zipBytes(
            names.map(([name, text]) => ({ name, inhalt: Buffer.from(text as string), compress: true })),
          ),
        ),
      )
    const shaft = answer(member(`<k:nr>7</k:nr>${pointIn('', '1 2')}`, 'schacht'))
    const { layers, objects, unread } = await inZip(
      ['a/schacht.gml', shaft],
      ['a/alkis.xml', ALKIS],
      ['a/nochmal.gml', shaft],
      ['a/punkte.fgb', fgb(fgbHeader(), [pointAt(1, 2)])],
      ['a/metadaten.xml', '<MD_Metadata xmlns="http://www.isotc211.org/2005/gmd"/>'],
      ['a/alt.xml', '<!DOCTYPE metadata SYSTEM "http://www.esri.com/metadata/esriprof80.dtd"><metadata/>'],
      ['a/abgebrochen.xml', '<metadata><idinfo>'],
      ['a/liesmich.txt', 'x'],
    )
    expect(layers.map(({ name, geometrie, epsg }) => [name, geometrie, epsg])).toEqual([
      ['schacht', 'punkt', 31_468],
      ['AX_Flurstueck', 'flaeche', 25_833],
      ['schacht 2', 'punkt', 31_468],
      ['schacht 3', 'punkt', 25_833],
    ])
    expect(objects).toHaveLength(4)
    expect(unread[1]).toEqual({ anzahl: 1, arten: ['objektkoordinaten'] })
    await expect(inZip(['a.gml', shaft.replace('<wfs:F', '<!DOCTYPE a><wfs:F')])).rejects.toMatchObject({
      code: 'gml_doctype',
    })
    await expect(inZip(['a.fgb', 'fgb'])).rejects.toMatchObject({ code: 'datei_kaputt' })
    await expect(inZip(['a.xml', '<a/>'])).rejects.toMatchObject({ code: 'keine_schicht' })
    const small = fgb(fgbHeader(), [pointAt(1, 2)])
    const many = Array.from({ length: 1_001 }, (_, nr) => [`${nr}.fgb`, small] as const)
    await expect(inZip(...many)).rejects.toMatchObject({ code: 'datei_aufwand' })
  })
  test.each(['utf16le', 'latin1', 'utf8'] as const)('texts in %s', async (encoding) => {
    const text = answer(member(`<k:t>Größe</k:t>${pointIn('', '1 2')}`))
    const declared = { utf16le: '\uFEFF', latin1: '', utf8: '\uFEFF' }[encoding]
    const named = text.replace(
      'ISO-8859-1',
      { utf16le: 'UTF-16', latin1: 'ISO-8859-1', utf8: 'UTF-8' }[encoding],
    )
    const { objects } = await readText(Buffer.from(declared + named, encoding))
    expect(objects[0]!.werte).toEqual({ t: 'Größe' })
  })
  test.each([
    ['other XML', '<kml xmlns="http://www.opengis.net/kml/2.2"><Document/></kml>', 'format_unbekannt'],
    ['a web page', '<!DOCTYPE html><html><body/></html>', 'format_unbekannt'],
    [
      'a document type',
      `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a ${GML32}>&b;</a>`,
      'gml_doctype',
    ],
    ['an entity of its own', answer('&x;'), 'datei_kaputt'],
    ['nothing in it', answer(''), 'keine_schicht'],
    [
      'letters of another encoding',
      Buffer.from(answer('ö').replace('ISO-8859-1', 'UTF-8'), 'latin1'),
      'datei_kaputt',
    ],
    ['an encoding that nobody knows', answer('').replace('ISO-8859-1', 'x-nobody'), 'datei_kaputt'],
  ])('refused: %s', async (_what, content, code) => {
    await expect(readText(content)).rejects.toMatchObject({ code })
  })
})
