// The service and its tables described: the service document, and $metadata as XML and JSON (CSDL 4.0 and 4.01).
import { FUNCTION_NAMES } from './functions.ts'
import type { Property } from './edm.ts'
import type { Table } from './query.ts'

export const NAMESPACE = 'Forstkontor'

export const serviceDocument = (base: string, tables: readonly Table[], withContext: boolean): object => ({
  ...(withContext && { '@odata.context': `${base}/$metadata` }),
  value: tables.map(({ set: { name, title } }) => ({ name, title, kind: 'EntitySet', url: name })),
})

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const attributes = (given: Readonly<Record<string, string>>): string =>
  Object.entries(given)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('')

const description = (text: string): string =>
  `<Annotation Term="Org.OData.Core.V1.Description"${attributes({ String: text })}/>`

const propertyXml = ({ name, edm, nullable, facets, label }: Property): string =>
  `<Property${attributes({ Name: name, Type: edm, ...(nullable ? {} : { Nullable: 'false' }), ...facets })}>` +
  `${description(label)}</Property>`

const typeXml = ({ set, properties }: Table): string =>
  `<EntityType Name="${set.name}"><Key><PropertyRef Name="${set.key}"/></Key>` +
  `${[...properties.values()].map(propertyXml).join('')}${description(set.title)}</EntityType>`

/** What a program need not try. */
const RESTRICTIONS = [
  ['InsertRestrictions', 'Insertable'],
  ['UpdateRestrictions', 'Updatable'],
  ['DeleteRestrictions', 'Deletable'],
  ['ExpandRestrictions', 'Expandable'],
] as const
const CAPABILITIES = 'Org.OData.Capabilities.V1'

const setXml = ({ set: { name, title, search } }: Table): string =>
  `<EntitySet Name="${name}" EntityType="${NAMESPACE}.${name}">${description(title)}` +
  RESTRICTIONS.map(([term, property]) => recordXml(term, property, false)).join('') +
  `${recordXml('SearchRestrictions', 'Searchable', search !== null)}</EntitySet>`

const recordXml = (term: string, property: string, value: boolean): string =>
  `<Annotation Term="${CAPABILITIES}.${term}"><Record>` +
  `<PropertyValue Property="${property}" Bool="${value}"/></Record></Annotation>`

export const metadataXml = (tables: readonly Table[]): string =>
  '<?xml version="1.0" encoding="utf-8"?>\n' +
  '<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">' +
  [
    [
      'https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Core.V1.xml',
      'Org.OData.Core.V1',
    ],
    [`https://oasis-tcs.github.io/odata-vocabularies/vocabularies/${CAPABILITIES}.xml`, CAPABILITIES],
  ]
    .map(
      ([address, namespace]) =>
        `<edmx:Reference Uri="${address}"><edmx:Include Namespace="${namespace}"/></edmx:Reference>`,
    )
    .join('') +
  `<edmx:DataServices><Schema Namespace="${NAMESPACE}" xmlns="http://docs.oasis-open.org/odata/ns/edm">` +
  tables.map(typeXml).join('') +
  `<EntityContainer Name="Container">${tables.map(setXml).join('')}` +
  `<Annotation Term="${CAPABILITIES}.BatchSupported" Bool="false"/>` +
  `<Annotation Term="${CAPABILITIES}.FilterFunctions"><Collection>` +
  FUNCTION_NAMES.map((name) => `<String>${name}</String>`).join('') +
  '</Collection></Annotation></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>\n'

const DESCRIPTION = '@Org.OData.Core.V1.Description'

function propertyJson({ edm, nullable, facets, label }: Property): object {
  const [, inner] = /^Collection\((.+)\)$/.exec(edm) ?? []
  return {
    $Type: inner ?? edm,
    ...(inner !== undefined && { $Collection: true }),
    ...(nullable && { $Nullable: true }),
    ...Object.fromEntries(
      Object.entries(facets).map(([name, value]) => [
        `$${name}`,
        /^\d+$/.test(value) ? Number(value) : value,
      ]),
    ),
    [DESCRIPTION]: label,
  }
}

export const metadataJson = (tables: readonly Table[]): object => ({
  $Version: '4.01',
  $EntityContainer: `${NAMESPACE}.Container`,
  [NAMESPACE]: {
    ...Object.fromEntries(
      tables.map(({ set, properties }) => [
        set.name,
        {
          $Kind: 'EntityType',
          $Key: [set.key],
          ...Object.fromEntries([...properties].map(([name, property]) => [name, propertyJson(property)])),
          [DESCRIPTION]: set.title,
        },
      ]),
    ),
    Container: {
      $Kind: 'EntityContainer',
      ...Object.fromEntries(
        tables.map(({ set: { name, title } }) => [
          name,
          { $Collection: true, $Type: `${NAMESPACE}.${name}`, [DESCRIPTION]: title },
        ]),
      ),
    },
  },
})
