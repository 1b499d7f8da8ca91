// The official rules, fetched from Maven Central by Maven itself and cached in .cache/einvoice: 55 MB, once.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const CACHE = join(import.meta.dirname, '../../.cache/einvoice')
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy'
const MINUTES_10 = 600_000

interface Artifact {
  readonly coordinates: string
  readonly file: string
  readonly sha256: string
}

const ARTIFACTS: readonly Artifact[] = [
  // Mustang with its dependencies: veraPDF, Saxon, PDFBox, the schema and the rules of ZUGFeRD 2.5.
  {
    coordinates: 'org.mustangproject:validator:2.25.0:jar:shaded',
    file: 'validator-2.25.0-shaded.jar',
    sha256: '32c1ef0a6fd07cb1c9618944e20d70a354d4f49eb5d02311c626762fb5f1852b',
  },
  // Mustang contains older versions of these three: the rules of CEN 1.3.16, of XRechnung 3.0.2 (Schematron
  // 2.5.0), and the schema D16B.
  {
    coordinates: 'com.helger.phive.rules:phive-rules-en16931:4.3.7:jar',
    file: 'phive-rules-en16931-4.3.7.jar',
    sha256: '842998fe45911442b711300ab251e46489a9a5e2ffc02ddefc4293f8784c2662',
  },
  {
    coordinates: 'com.helger.phive.rules:phive-rules-xrechnung:4.2.3:jar',
    file: 'phive-rules-xrechnung-4.2.3.jar',
    sha256: '7a7903c18b8c7f4ffef20c45d0deb6b8d79f76ba13aff00b415f4a7e334025bb',
  },
  {
    coordinates: 'com.helger.cii:ph-cii-d16b:4.1.1:jar',
    file: 'ph-cii-d16b-4.1.1.jar',
    sha256: '6f8d04bcb702b26ec4b748e8739ca27ab088034994d45ed1d708a583171dee0a',
  },
]

export type Fetched = { readonly classpath: string } | { readonly missing: string }

const runs = (command: string, args: readonly string[]) =>
  spawnSync(command, args, { encoding: 'utf8', timeout: MINUTES_10, cwd: CACHE })
const pathOf = ({ file }: Artifact): string => join(CACHE, file)

/**
 * Returns the Java class path, or a sentence saying what is missing. A file with the wrong hash does not
 * count as missing but is an error.
 */
export function fetchValidator(): Fetched {
  // Must come first, because commands run in this folder: a missing folder would look like a missing command.
  mkdirSync(CACHE, { recursive: true })
  const java = /version "(\d+)/.exec(runs('java', ['-version']).stderr ?? '')?.[1]
  if (Number(java ?? 0) < 17) return { missing: 'Java 17 or newer is not installed' }
  for (const artifact of ARTIFACTS) {
    if (existsSync(pathOf(artifact))) continue
    const copied = runs('mvn', [
      '-q',
      '-B',
      COPY,
      `-Dartifact=${artifact.coordinates}`,
      `-DoutputDirectory=${CACHE}`,
    ])
    if (copied.error !== undefined) return { missing: 'Maven is not installed' }
    if (copied.status !== 0 || !existsSync(pathOf(artifact)))
      return { missing: `Maven Central cannot be reached: ${firstError(copied.stdout + copied.stderr)}` }
  }
  for (const artifact of ARTIFACTS) {
    if (
      createHash('sha256')
        .update(readFileSync(pathOf(artifact)))
        .digest('hex') === artifact.sha256
    )
      continue
    rmSync(pathOf(artifact))
    throw new Error(`${artifact.file} is not the file it should be; it has been removed`)
  }
  return { classpath: ARTIFACTS.map(pathOf).join(':') }
}

const firstError = (text: string) =>
  text.split('\n').find((line) => line.includes('ERROR')) ?? 'no reason given'
