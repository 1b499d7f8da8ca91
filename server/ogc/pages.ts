// The same documents for people: plain pages without script, in the look of the sign-in pages.
import { html, type Html } from '#server/html.ts'
import { OGC_BASE } from '#server/refuse.ts'
import { COLLECTIONS, type Collection } from './collections.ts'
import type { Column, ColumnType } from './columns.ts'
import type { Extent } from './documents.ts'

const frame = (base: string, title: string, content: Html): string =>
  html`<!doctype html>
<html lang="de">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Forstkontor</title>
<link rel="stylesheet" href="${OGC_BASE}/ogc.css">
</head>
<body>
<header><a href="${base}?f=html">Forstkontor · OGC API</a></header>
<main><h1>${title}</h1>${content}</main>
</body>
</html>
`.text

export const landingHtml = (base: string): string =>
  frame(
    base,
    'Daten für Kartenprogramme',
    html`<p>Hier lesen und ändern QGIS und andere Programme Vermessung, Bestände, Pläne und Habitatbäume, mit
denselben Rechten wie Sie in Forstkontor (Pläne und Bestände nur lesend).</p>
<ul>
<li><a href="${base}/collections?f=html">Sammlungen</a></li>
<li><a href="${base}/styles?f=html">Stile der Vektorkacheln</a></li>
<li><a href="${base}/conformance?f=html">Unterstützte Standards</a></li>
<li><a href="${base}/api">Beschreibung der Schnittstelle (OpenAPI)</a></li>
</ul>
<h2>In QGIS verbinden</h2>
<ol>
<li>Legen Sie in Forstkontor in Ihrem Profil unter „Schlüssel für Programme“ einen Schlüssel an, und kopieren Sie
ihn.</li>
<li>Öffnen Sie in QGIS: Layer › Layer hinzufügen › WFS / OGC API – Features › Neu.</li>
<li>Tragen Sie die Adresse <code>${base}</code> ein, und wählen Sie die Version „OGC API – Features“ und die
Anmeldung „Basic“: Der Name ist beliebig, das Passwort ist der Schlüssel.</li>
</ol>`,
  )

export const conformanceHtml = (base: string, classes: readonly string[]): string =>
  frame(
    base,
    'Unterstützte Standards',
    html`<ul>${classes.map((name) => html`<li><code>${name}</code></li>`)}</ul>`,
  )

export const apiHtml = (base: string): string =>
  frame(
    base,
    'Beschreibung der Schnittstelle',
    html`<p>Die Beschreibung nach OpenAPI 3 steht unter <a href="${base}/api"><code>${base}/api</code></a>.</p>`,
  )

export function collectionsHtml(base: string, extents: ReadonlyMap<string, Extent | null>): string {
  const seen = COLLECTIONS.filter(({ id }) => extents.has(id))
  const content =
    seen.length === 0
      ? html`<p>Für Sie gibt es hier noch keine Daten.</p>`
      : html`<ul>${seen.map(
          ({ id, title, description }) =>
            html`<li><a href="${base}/collections/${id}?f=html">${title}</a><br>${description}</li>`,
        )}</ul>`
  return frame(base, 'Sammlungen', content)
}

const degrees = (value: number): string => value.toFixed(4).replace('.', ',')

export function collectionHtml(base: string, collection: Collection, extent: Extent | null): string {
  const here = `${base}/collections/${collection.id}`
  return frame(
    base,
    collection.title,
    html`<p>${collection.description}</p>
${
  extent !== null &&
  html`<p>Von ${degrees(extent.west)}° bis ${degrees(extent.east)}° Ost, von ${degrees(extent.south)}° bis
${degrees(extent.north)}° Nord.</p>`
}
<ul>
<li><a href="${here}/items?f=html&amp;limit=50">Objekte ansehen</a></li>
<li><a href="${here}/items">Objekte als GeoJSON</a></li>
<li><a href="${here}/queryables?f=html">Eigenschaften, nach denen sich filtern lässt</a></li>
</ul>`,
  )
}

const KINDS: Readonly<Record<ColumnType, string | null>> = {
  text: 'Text',
  uuid: 'Text',
  integer: 'Zahl',
  number: 'Zahl',
  boolean: 'ja oder nein',
  date: 'Tag',
  timestamp: 'Zeitpunkt',
  json: null,
}

export function queryablesHtml(
  base: string,
  { title }: Collection,
  columns: readonly Pick<Column, 'name' | 'type'>[],
): string {
  const rows = columns.flatMap(({ name, type }) =>
    KINDS[type] === null ? [] : [[name, KINDS[type]] as const],
  )
  return frame(
    base,
    `${title}: Eigenschaften`,
    html`<p>Nach diesen Eigenschaften lässt sich filtern.</p>
<table>
<thead><tr><th scope="col">Name</th><th scope="col">Art</th></tr></thead>
<tbody>${[['geometry', 'Geometrie'] as const, ...rows].map(
      ([name, kind]) => html`<tr><th scope="row">${name}</th><td>${kind}</td></tr>
`,
    )}</tbody>
</table>`,
  )
}

interface ShownFeature {
  readonly id: number
  readonly properties: Readonly<Record<string, unknown>>
}

const cell = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'boolean'
      ? value
        ? 'ja'
        : 'nein'
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value)

export function featuresHtml(
  base: string,
  collection: Collection,
  features: readonly ShownFeature[],
  next: string | null,
): string {
  const names = Object.keys(features[0]?.properties ?? {})
  const content =
    features.length === 0
      ? html`<p>Hier gibt es keine Objekte.</p>`
      : html`<div class="wide" tabindex="0" role="region" aria-label="${collection.title}"><table>
<thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${features.map(
          ({ properties }) => html`<tr>${names.map((name) => html`<td>${cell(properties[name])}</td>`)}</tr>
`,
        )}</tbody>
</table></div>`
  return frame(
    base,
    collection.title,
    html`${content}
${next !== null && html`<p><a href="${next}" rel="next">Weitere Objekte</a></p>`}`,
  )
}

export const featureHtml = (base: string, { title }: Collection, { id, properties }: ShownFeature): string =>
  frame(
    base,
    `${title}: ${id}`,
    html`<table>
<tbody>${Object.entries(properties).map(
      ([name, value]) => html`<tr><th scope="row">${name}</th><td>${cell(value)}</td></tr>
`,
    )}</tbody>
</table>`,
  )

interface ShownStyle {
  readonly id: string
  readonly title: string
  readonly description: string
}

export const stylesHtml = (base: string, styles: readonly ShownStyle[]): string =>
  frame(
    base,
    'Stile der Vektorkacheln',
    styles.length === 0
      ? html`<p>Für Sie gibt es hier noch keine Daten.</p>`
      : html`<ul>${styles.map(
          ({ id, title, description }) =>
            html`<li><a href="${base}/styles/${id}/metadata?f=html">${title}</a><br>${description}</li>`,
        )}</ul>`,
  )

export const styleHtml = (base: string, { id, title, description }: ShownStyle): string =>
  frame(
    base,
    title,
    html`<p>${description}</p>
<p>Adresse für Programme: <code>${base}/styles/${id}</code></p>`,
  )

export const STYLE = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;margin:0}
header{border-bottom:1px solid #8886;padding:.75rem 1.5rem}
main{max-width:70rem;padding:1rem 1.5rem}
a{color:light-dark(#1d5c38,#8fd3a8)}
code{overflow-wrap:anywhere}
li{margin:.4rem 0}
.wide{overflow-x:auto}
table{border-collapse:collapse}
th,td{border-bottom:1px solid #8884;padding:.3rem .75rem .3rem 0;text-align:left;vertical-align:top}
`
