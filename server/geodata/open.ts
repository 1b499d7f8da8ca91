// Chooses the reader for a file: by its first bytes, and by the name only where they are not conclusive.
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { openArchive, openCsv } from './archive.ts'
import { openDxf } from './dxf.ts'
import { utf16Of } from './decode-text.ts'
import { isClosedDrawing, isDxf } from './dxf-groups.ts'
import { isFlatGeobuf, openFlatGeobuf } from './flatgeobuf.ts'
import { openGeoJson } from './geojson.ts'
import { isXml, piecesOfFile } from './gml-features.ts'
import { openGml } from './gml.ts'
import { openGpkg } from './gpkg.ts'
import { FileFault, type Source } from './source.ts'
import { splitMixed } from './split-mixed.ts'

const SQLITE = 'SQLite format 3\0'

function headOf(file: string): Buffer {
  const handle = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(512)
    return bytes.subarray(0, readSync(handle, bytes, 0, 512, 0))
  } finally {
    closeSync(handle)
  }
}

/** GeoJSON texts one after the other (RFC 8142), and MapInfo's MIF: sound files, and no tables. */
const isOtherText = (head: string): boolean =>
  head.startsWith('\u001E') || /^Version\s+\d+\s*\r?\n/i.test(head)

const LONGEST_LINE = 2 ** 20

/** Whether each line is an object: GeoJSON that programs append to. */
function isSequence(bytes: Buffer): boolean {
  const end = bytes.indexOf('\n')
  if (
    end < 0 ||
    end > LONGEST_LINE ||
    !bytes
      .toString('latin1', end, end + 16)
      .trimStart()
      .startsWith('{')
  )
    return false
  try {
    JSON.parse(bytes.toString('utf8', 0, end))
    return true
  } catch {
    return false
  }
}

interface Choice {
  /** GeoPackage tables without geometry are wanted too. */
  readonly tabellen?: boolean
}

/** Each layer holds one kind of geometry. @throws FileFault */
export async function openSource(file: string, name: string, choice: Choice = {}): Promise<Source> {
  const source = await openFile(file, name, choice)
  try {
    return await splitMixed(source)
  } catch (error) {
    source.close()
    throw error
  }
}

async function openFile(file: string, name: string, choice: Choice): Promise<Source> {
  const head = headOf(file)
  const layer = name.replace(/\.[a-z0-9]+$/i, '').slice(0, 100) || 'Datei'
  if (head.toString('latin1', 0, 16) === SQLITE) return ensure(openGpkg(file, choice))
  if (isFlatGeobuf(head)) return ensure(openFlatGeobuf(file, layer))
  if (head.toString('latin1', 0, 4) === 'PK\x03\x04') return ensure(await openArchive(file, choice))
  const wide = utf16Of(head)
  const text = new TextDecoder(wide ?? 'utf-8').decode(head).trimStart()
  // XML says itself how it is written, and is not read at once.
  const wholeText = (): Buffer => {
    const bytes = readFileSync(file)
    return wide === null ? bytes : Buffer.from(new TextDecoder(wide).decode(bytes))
  }
  if (isOtherText(text)) throw new FileFault('format_unbekannt')
  if (text.startsWith('{')) {
    const bytes = wholeText()
    if (isSequence(bytes)) throw new FileFault('format_unbekannt')
    return ensure(openGeoJson(bytes, layer))
  }
  if (isXml(head)) return ensure(openGml(() => piecesOfFile(file), choice))
  if (isClosedDrawing(text)) throw new FileFault('zeichnung_geschlossen')
  if (isDxf(text)) return ensure(openDxf(wholeText()))
  // Text tables have no signature: they are text with a column separator.
  if (!text.includes('\0') && /[;,\t|]/.test(text) && !text.startsWith('<'))
    return ensure(openCsv(readFileSync(file), layer))
  throw new FileFault('format_unbekannt')
}

/** Every fault of a row, and everything said about a layer, repeats its names. */
const LONGEST_NAME = 1_000

/** @throws FileFault if there is no layer, or a name that no program would write */
function ensure(source: Source): Source {
  const names = source.schichten.flatMap(({ name, spalten }) => [name, ...spalten.map((one) => one.name)])
  if (names.length > 0 && names.every(({ length }) => length <= LONGEST_NAME)) return source
  source.close()
  throw new FileFault(names.length === 0 ? 'keine_schicht' : 'datei_kaputt')
}
