// A project file of QGIS: the layers of a customer or a holding from the OGC services, with symbols, names and a
// sheet to print. Only what QGIS cannot set by itself is written; everything else it adds when it saves. Checked
// with QGIS 3.22 (e2e/qgis-doors.py).
import { html, type Html } from '#server/html.ts'
import {
  AREA_ALPHA,
  HALO_MM,
  LABEL_COLOR,
  LABEL_PT,
  LABEL_SCALE,
  LINE_MM,
  type Look,
  OUTLINE_MM,
  POINT_MM,
  propertiesOf,
} from './looks.ts'
import { WMTS_PATH } from './wmts.ts'

export interface ProjectPlan {
  readonly id: string
  readonly title: string
}

export interface Project {
  readonly title: string
  readonly epsg: number
  /** In the project's system; null if there is nothing yet. */
  readonly extent: readonly [west: number, south: number, east: number, north: number] | null
  readonly layers: readonly Look[]
  readonly plans: readonly ProjectPlan[]
  /** Where the features come from. */
  readonly source: Online | Offline
}
interface Online {
  /** Address of the services of this customer or holding alone. */
  readonly base: string
}
interface Offline {
  /** A GeoPackage beside the project, in the project's system, with a table for each collection. */
  readonly gpkg: string
}

/** QGIS ignores short ids and makes others, which the tree of layers then does not know. */
const idOf = (id: string): string => `forstkontor_${id}`

type Provider = 'OAPIF' | 'ogr' | 'wms'

/** Without a number of QGIS's own, whichever, it does not read the authority's name. */
const crsOf = (epsg: number): Html =>
  html`<spatialrefsys><srsid>1</srsid><srid>${epsg}</srid><authid>EPSG:${epsg}</authid></spatialrefsys>`

const option = (name: string, value: string | number): Html =>
  html`<Option type="QString" name="${name}" value="${value}"/>`
const options = (values: Readonly<Record<string, string | number>>): Html =>
  html`<Option type="Map">${Object.entries(values).map(([name, value]) => option(name, value))}</Option>`

function symbolOf({ collection: { kind }, color }: Look): Html {
  const solid = `${color.join(',')},255`
  const [type, symbol, values] =
    kind === 'point'
      ? [
          'marker',
          'SimpleMarker',
          { name: 'circle', size: POINT_MM, size_unit: 'MM', color: solid, outline_color: '255,255,255,255' },
        ]
      : kind === 'line'
        ? ['line', 'SimpleLine', { line_color: solid, line_width: LINE_MM, line_width_unit: 'MM' }]
        : [
            'fill',
            'SimpleFill',
            {
              color: `${color.join(',')},${AREA_ALPHA}`,
              style: 'solid',
              outline_color: solid,
              outline_width: OUTLINE_MM,
            },
          ]
  return html`<symbol type="${String(type)}" name="0" alpha="1" clip_to_extent="1" force_rhr="0">
<layer class="${String(symbol)}" enabled="1" pass="0" locked="0">
${options(values as Record<string, string | number>)}</layer></symbol>`
}

/** Placements of QGIS: beside a point, along a line, within an area. */
const PLACEMENT = { point: 0, line: 2, polygon: 1 } as const

/** An expression of QGIS. `||` gives nothing where a property is missing, `concat` leaves it out. */
function labelOf(look: Look): string {
  const parts = look.label.map((part) => (typeof part === 'string' ? `'${part}'` : `"${part.property}"`))
  return propertiesOf(look).length === 1 ? parts.join(' || ') : `concat(${parts.join(', ')})`
}

const labelling = (look: Look): Html =>
  html`<labeling type="simple"><settings calloutType="simple">
<text-style fieldName="${labelOf(look)}" isExpression="1" fontSize="${LABEL_PT}" fontSizeUnit="Point"
 textColor="${LABEL_COLOR.join(',')},255" textOpacity="1" fontFamily="Sans Serif"><text-buffer bufferDraw="1"
 bufferSize="${HALO_MM}" bufferSizeUnits="MM" bufferColor="255,255,255,255" bufferOpacity="1"/></text-style>
<placement placement="${PLACEMENT[look.collection.kind]}" dist="1" distUnits="MM"/>
<rendering drawLabels="1" obstacle="1" scaleVisibility="1" scaleMax="${LABEL_SCALE}" scaleMin="0"/>
</settings></labeling>`

interface Source {
  readonly provider: Provider
  readonly text: string
  readonly epsg: number
}

const vectorSource = ({ source, epsg }: Project, { collection: { id } }: Look): Source =>
  'gpkg' in source
    ? { provider: 'ogr', text: `./${source.gpkg}|layername=${id}`, epsg }
    : {
        provider: 'OAPIF',
        text: `pageSize='1000' pagingEnabled='true' typename='${id}' url='${source.base}'`,
        epsg: 4326,
      }

const rasterSource = ({ base }: Online, { id }: ProjectPlan): Source => ({
  provider: 'wms',
  text: [
    'crs=EPSG:3857&dpiMode=7&format=image/png',
    `layers=plan-${id}&styles=default&tileMatrixSet=GoogleMapsCompatible`,
    `url=${encodeURIComponent(`${base}${WMTS_PATH}`)}`,
  ].join('&'),
  epsg: 3857,
})

/** A layer, and its line in the tree. */
interface Layer {
  readonly xml: Html
  readonly inTree: Html
}

/**
 * QField offers to change what its settings leave open. What is changed on a device comes back by no way of its own,
 * so nobody shall collect there what would be lost: the package is for looking.
 */
const LOCKS = ['feature_addition', 'attribute_editing', 'geometry_editing', 'feature_deletion'].map(
  (what) => html`<Option type="bool" name="QFieldSync/is_${what}_locked" value="true"/>
`,
)
/** Files are taken along as they are. */
const DEVICE_LAYER = html`<customproperties><Option type="Map">
<Option type="QString" name="QFieldSync/action" value="copy"/>
<Option type="QString" name="QFieldSync/cloud_action" value="no_action"/>
${LOCKS}</Option></customproperties>
`

function vector(project: Project, look: Look): Layer {
  const { id, title, kind } = look.collection
  const source = vectorSource(project, look)
  return {
    inTree: inTree(id, title, source, true),
    xml: html`<maplayer type="vector" geometry="${{ point: 'Point', line: 'Line', polygon: 'Polygon' }[kind]}"
 labelsEnabled="1" readOnly="${source.provider === 'ogr' ? 1 : 0}">
<id>${idOf(id)}</id><datasource>${source.text}</datasource><layername>${title}</layername>
<srs>${crsOf(source.epsg)}</srs><provider encoding="UTF-8">${source.provider}</provider>
${source.provider === 'ogr' && DEVICE_LAYER}<renderer-v2 type="singleSymbol" enableorderby="0" forceraster="0"
 symbollevels="0"><symbols>${symbolOf(look)}</symbols></renderer-v2>
${labelling(look)}</maplayer>
`,
  }
}

function raster(online: Online, plan: ProjectPlan): Layer {
  const [id, source] = [`plan_${plan.id}`, rasterSource(online, plan)]
  return {
    inTree: inTree(id, plan.title, source, false),
    xml: html`<maplayer type="raster"><id>${idOf(id)}</id>
<datasource>${source.text}</datasource><layername>${plan.title}</layername>
<srs>${crsOf(source.epsg)}</srs><provider>${source.provider}</provider></maplayer>
`,
  }
}

const inTree = (id: string, title: string, { provider, text }: Source, shown: boolean): Html =>
  html`<layer-tree-layer id="${idOf(id)}" name="${title}" providerKey="${provider}" source="${text}"
 checked="Qt::${shown ? 'Checked' : 'Unchecked'}" expanded="0"/>
`

const extentOf = ([west, south, east, north]: NonNullable<Project['extent']>): Html =>
  html`<xmin>${west}</xmin><ymin>${south}</ymin><xmax>${east}</xmax><ymax>${north}</ymax>`

/** Of the map on the sheet, in millimetres. */
const [WIDTH, HEIGHT] = [215, 168]
const MAP = '{b5c57a25-db26-4d50-a927-14916746d6d1}'

/**
 * A4 across: map, title, legend, scale bar. QGIS evaluates what is in [% %] in a label, so the name is not written
 * into it but asked for there. The map shows
 * the whole project when it is opened.
 */
function sheet({ extent, epsg }: Project): Html {
  const [west, south, east, north] = fitted(extent ?? [0, 0, WIDTH, HEIGHT], WIDTH / HEIGHT)
  return html`<Layout name="A4 quer" units="mm" printResolution="300"><PageCollection>
<LayoutItem type="65638" size="297,210,mm" position="0,0,mm" uuid="{2e8744da-ae71-450f-9881-71456195a2a6}"/>
</PageCollection>
<LayoutItem type="65639" uuid="${MAP}" id="Karte" size="${WIDTH},${HEIGHT},mm" position="10,25,mm"
 frame="true" zValue="1"
 visibility="1" opacity="1" background="true" followPreset="false" keepLayerSet="false" drawCanvasItems="true">
<Extent xmin="${west}" ymin="${south}" xmax="${east}" ymax="${north}"/><crs>${crsOf(epsg)}</crs></LayoutItem>
<LayoutItem type="65641" uuid="{0fd2a9d6-a7c2-400f-a4e0-debc525afea1}" id="Titel" size="200,12,mm"
 position="10,10,mm" zValue="2" visibility="1" opacity="1" labelText="[% @project_title %]" htmlState="0" marginX="0"
 marginY="0"><text-style fontSize="16" fontSizeUnit="Point" fontFamily="Sans Serif" textColor="0,0,0,255"
 textOpacity="1"/></LayoutItem>
<LayoutItem type="65646" uuid="{44c9ee7e-9027-4611-b489-a427f7990b75}" id="Maßstab" size="60,12,mm"
 position="12,196,mm" zValue="3" visibility="1" opacity="1" mapUuid="${MAP}" style="Single Box" unitType="meters"
 unitLabel="m" numMapUnitsPerScaleBarUnit="1" numSegments="2" numSegmentsLeft="0"
 segmentSizeMode="1" minBarWidth="40"
 maxBarWidth="100" height="2"/>
<LayoutItem type="65642" uuid="{fc6c4233-ff3f-40c8-b800-8bcc92494529}" id="Legende" size="50,40,mm"
 position="228,25,mm" zValue="4" visibility="1" opacity="1" background="true" map_uuid="${MAP}"
 legendFilterByAtlas="0"/>
</Layout>`
}

/** The extent, widened to the shape of what it is drawn on. */
function fitted(
  [west, south, east, north]: NonNullable<Project['extent']>,
  shape: number,
): NonNullable<Project['extent']> {
  const [x, y] = [(west + east) / 2, (south + north) / 2]
  const height = Math.max(north - south, (east - west) / shape, 100) * 1.1
  return [x - (height * shape) / 2, y - height / 2, x + (height * shape) / 2, y + height / 2]
}

/** Paths beside the project, as a device needs them, and QField begins with looking. */
const OFFLINE_SETTINGS = html`<Paths><Absolute type="bool">false</Absolute></Paths>
<qfieldsync><initialMapMode type="QString">browse</initialMapMode></qfieldsync>
`

/** The project as QGIS reads it (`.qgs`). */
export function writeProject(project: Project): string {
  const { source, title, epsg, extent } = project
  const layers = project.layers.map((one) => vector(project, one))
  const plans = 'gpkg' in source ? [] : project.plans.map((one) => raster(source, one))
  return html`<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>
<qgis version="3.22.16" projectname="${title}"><title>${title}</title>
<projectCrs>${crsOf(epsg)}</projectCrs>
<layer-tree-group>
${layers.map((one) => one.inTree)}
${
  plans.length > 0 &&
  html`<layer-tree-group name="Pläne" checked="Qt::Unchecked" expanded="0">
${plans.map((one) => one.inTree)}
</layer-tree-group>`
}</layer-tree-group>
<mapcanvas name="theMapCanvas"><units>meters</units>
${extent !== null && html`<extent>${extentOf(extent)}</extent>`}
<destinationsrs>${crsOf(epsg)}</destinationsrs></mapcanvas>
<projectlayers>
${[...layers, ...plans].map(({ xml }) => xml)}</projectlayers>
<properties><SpatialRefSys><ProjectionsEnabled type="int">1</ProjectionsEnabled></SpatialRefSys>
${'gpkg' in source && OFFLINE_SETTINGS}</properties>
<Layouts>${sheet(project)}</Layouts>
</qgis>
`.text
}
