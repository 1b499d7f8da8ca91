// A folder of official rules as an operator sets it up: KoSIT's layout with the scenarios that the tests need, the
// schemas and stylesheets out of the jars from Maven Central, and Saxon. KoSIT's own package is not there.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const SPACES: Readonly<Record<string, string>> = {
  ubl: 'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2',
  cbc: 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
  rsm: 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  ram: 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
}
const XRECHNUNG = 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0'
const CII = (id: string): string =>
  `exists(/rsm:CrossIndustryInvoice[rsm:ExchangedDocumentContext/` +
  `ram:GuidelineSpecifiedDocumentContextParameter/ram:ID/text() = '${id}'])`
const CII_SCHEMA = 'external/schemas/d16b/data/standard/CrossIndustryInvoice_100pD16B.xsd'
const CORE = (syntax: string): string =>
  `external/schematron/1.3.16/${syntax.toLowerCase()}/EN16931-${syntax}-validation.xslt`
const GERMAN = (syntax: string): string => `external/schematron/3.0.2/XRechnung-${syntax}-validation.xslt`

const resource = (location: string): string =>
  `<resource><name>n</name><location>${location}</location></resource>`
const scenario = (name: string, match: string, schema: string, rules: readonly string[]): string =>
  `<scenario><name>${name}</name>${Object.entries(SPACES)
    .map(([prefix, uri]) => `<namespace prefix="${prefix}">${uri}</namespace>`)
    .join('')}<match>${match}</match><validateWithXmlSchema>${resource(schema)}</validateWithXmlSchema>${rules
    .map((one) => `<validateWithSchematron>${resource(one)}</validateWithSchematron>`)
    .join('')}<createReport>${resource('report.xsl')}<customLevel level="warning">BR-CL-23</customLevel>` +
  `</createReport></scenario>`

const SCENARIOS = `<?xml version="1.0" encoding="UTF-8"?>
<scenarios xmlns="http://www.xoev.de/de/validator/framework/1/scenarios" frameworkVersion="1.0.0">
<name>Validator Configuration XRechnung 3.0.2</name><author>Test</author><date>2026-01-31</date>
${scenario(
  'EN16931 XRechnung (UBL Invoice)',
  `exists(/ubl:Invoice/cbc:CustomizationID[ . = '${XRECHNUNG}'])`,
  'schema/UBL_21/maindoc/UBL-Invoice-2.1.xsd',
  [CORE('UBL'), GERMAN('UBL')],
)}
${scenario('EN16931 XRechnung (CII)', CII(XRECHNUNG), CII_SCHEMA, [CORE('CII'), GERMAN('CII')])}
${scenario('EN16931 (CII)', CII('urn:cen.eu:en16931:2017'), CII_SCHEMA, [CORE('CII')])}
</scenarios>`

/** @param classpath of the jars with rules and Saxon (fetch-validator.ts) */
export function makeRulesFolder(classpath: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'rules-'))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'scenarios.xml'), SCENARIOS)
  for (const jar of classpath.split(':')) {
    const { status, stderr } = spawnSync('jar', ['xf', jar, 'external', 'schema/UBL_21'], {
      cwd: folder,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${jar} was not unpacked: ${stderr}`)
    symlinkSync(jar, join(folder, basename(jar)))
  }
  return folder
}

/** As it is, with one file taken away. */
export function withoutEngine(folder: string): string {
  const bare = mkdtempSync(join(tmpdir(), 'rules-'))
  cpSync(join(folder, 'scenarios.xml'), join(bare, 'scenarios.xml'))
  return bare
}
