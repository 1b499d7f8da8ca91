// GML by hand: elements, answers of servers, an extract of a cadastre.

export const GML32 = 'xmlns:gml="http://www.opengis.net/gml/3.2"'
const GML31 = 'xmlns:gml="http://www.opengis.net/gml"'
export const PLANE = 'srsName="urn:ogc:def:crs:EPSG::25833"'
const XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'

export const el = (name: string, inner: string, attributes = ''): string =>
  `<gml:${name} ${attributes}>${inner}</gml:${name}>`
export const list = (...places: readonly string[]): string => el('posList', places.join(' '))
export const line = (...places: readonly string[]): string => el('LineString', list(...places))
export const segments = (inner: string): string => el('Curve', el('segments', inner), PLANE)
export const patches = (inner: string, attributes = PLANE): string =>
  el('Surface', el('patches', inner), attributes)

/** An object for each. */
export const geometries = (...all: readonly string[]): string =>
  `<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:a="urn:a" ${GML32} ${XLINK}>` +
  all
    .map((one, nr) => `<wfs:member><a:ort gml:id="i${nr}"><a:geom>${one}</a:geom></a:ort></wfs:member>`)
    .join('') +
  '</wfs:FeatureCollection>'

/** As a WFS of version 1.1 answers. */
export const answer = (body: string): string =>
  `<?xml version="1.0" encoding="ISO-8859-1"?>
  <wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs" xmlns:k="http://kreis" ${GML31} ${XLINK}
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://kreis http://127.0.0.1:9/schema.xsd">
  <gml:boundedBy><gml:Envelope srsName="EPSG:31468"><gml:lowerCorner>4500000 5900000</gml:lowerCorner>
  </gml:Envelope></gml:boundedBy>${body}</wfs:FeatureCollection>`
/** An object of the type k:a. */
export const member = (inner: string, name = 'a'): string =>
  `<gml:featureMember><k:${name}>${inner}</k:${name}></gml:featureMember>`
export const pointIn = (system: string, place: string): string =>
  `<k:ort>${el('Point', el('pos', place), system === '' ? '' : `srsName="${system}"`)}</k:ort>`

const [A, B, TOP] = ['380000 5930000', '380100 5930000', '380050 5930050']
const piece = (inner: string): string => el('curveMember', el('Curve', el('segments', inner)))
const parcel = patches(
  el(
    'PolygonPatch',
    el(
      'exterior',
      el('Ring', piece(el('LineStringSegment', list(B, A))) + piece(el('Arc', list(A, TOP, B)))),
    ),
  ),
  'srsName="urn:adv:crs:ETRS89_UTM33"',
)
export const ALKIS = `<?xml version="1.0" encoding="UTF-8"?>
<AX_Bestandsdatenauszug xmlns="http://www.adv-online.de/namespaces/adv/gid/7.1" ${GML32}
  xmlns:wfs="http://www.opengis.net/wfs/2.0" ${XLINK}>
<antragsnummer>A1</antragsnummer>
<enthaelt><wfs:FeatureCollection><wfs:boundedBy/>
<wfs:member><AX_Flurstueck gml:id="DEBBAL0100000001">
  <gml:identifier codeSpace="http://www.adv-online.de/">urn:adv:oid:DEBBAL0100000001</gml:identifier>
  <lebenszeitintervall><AA_Lebenszeitintervall><beginnt>2024-01-02T03:04:05Z</beginnt></AA_Lebenszeitintervall>
  </lebenszeitintervall>
  <modellart><AA_Modellart><advStandardModell>DLKM</advStandardModell></AA_Modellart></modellart>
  <modellart><AA_Modellart><sonstigesModell>BB</sonstigesModell></AA_Modellart></modellart>
  <position>${parcel}</position>
  <gemarkung><AX_Gemarkung_Schluessel><land>12</land><gemarkungsnummer>1234</gemarkungsnummer>
  </AX_Gemarkung_Schluessel></gemarkung>
  <flurstuecksnummer><AX_Flurstuecksnummer><zaehler>17</zaehler><nenner>2</nenner></AX_Flurstuecksnummer>
  </flurstuecksnummer>
  <amtlicheFlaeche uom="urn:adv:uom:m2">3927</amtlicheFlaeche>
  <objektkoordinaten>${el('Point', el('pos', '380050 5930010'))}</objektkoordinaten>
  <istGebucht xlink:href="urn:adv:oid:DEBBAL0100000009"/>
</AX_Flurstueck></wfs:member>
<wfs:member><AX_Buchungsstelle gml:id="DEBBAL0100000009"><laufendeNummer>1</laufendeNummer></AX_Buchungsstelle>
</wfs:member>
</wfs:FeatureCollection></enthaelt></AX_Bestandsdatenauszug>
`
