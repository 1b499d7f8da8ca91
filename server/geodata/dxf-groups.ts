// The ASCII form of DXF as its groups: a line with a number that says what the next line is. Source: AutoCAD DXF
// Reference (Autodesk), group codes by number.
import { isUtf8 } from 'node:buffer'
import { decodeText } from './decode-text.ts'
import type { TextEncoding } from '#domain/text-encoding.ts'
import { FileFault } from './source.ts'

/** A group: its code and its bytes, not yet a text. */
export type Group = readonly [code: number, value: Buffer]

export interface Entity {
  readonly type: string
  readonly groups: readonly Group[]
}

/** An entity with its parts: the corners of a line, the attributes of an insert. */
export interface Whole {
  readonly entity: Entity
  readonly parts: Entity[]
}

/** Comments may stand before the first section. */
export const isDxf = (head: string): boolean => /^(?:\s*999\r?\n[^\n]*\n)*\s*0\r?\n\s*SECTION\s/.test(head)
/** Of the binary form, and of a DWG, which starts with its version. */
export const isClosedDrawing = (head: string): boolean =>
  head.startsWith('AutoCAD Binary DXF') || /^AC10\d\d/.test(head)

/** An entity with more groups than a line of 250,000 corners has was made to fill the memory. */
const MOST_GROUPS = 1_500_000
const MOST_BLOCKS = 100_000
const MOST_GROUPS_OF_HEAD = 100
const LINE_FEED = 10

function* groupsOf(bytes: Buffer, from = 0): Iterable<Group> {
  let at = from
  const line = (): Buffer => {
    const end = bytes.indexOf(LINE_FEED, at)
    const to = end < 0 ? bytes.length : end
    const found = bytes.subarray(at, to > at && bytes[to - 1] === 13 ? to - 1 : to)
    at = to + 1
    return found
  }
  while (at < bytes.length) {
    const code = Number(line().toString('latin1'))
    if (at > bytes.length) return
    if (!Number.isInteger(code)) throw new FileFault('datei_kaputt')
    yield [code, line()]
  }
}

const nameIn = (value: Buffer): string => value.toString('latin1').trim().toUpperCase()

export interface DxfHeader {
  readonly encoding: TextEncoding
}

const CODE_PAGES: Readonly<Record<string, TextEncoding>> = {
  ANSI_1250: 'windows-1250',
  ANSI_1252: 'windows-1252',
  DOS437: 'cp437',
  DOS850: 'cp850',
  DOS852: 'cp852',
  MACINTOSH: 'macintosh',
}
/** From AutoCAD 2007 on everything is UTF-8, whatever the code page says. */
const FIRST_UTF8 = 'AC1021'

/**
 * What the header says about the letters of the texts; Windows-1252 if it says nothing. Programs that write UTF-8
 * into an old version do not say so, but text of a code page is practically never valid UTF-8.
 */
export function headerOf(bytes: Buffer): DxfHeader {
  if (isUtf8(bytes)) return { encoding: 'utf-8' }
  let variable = ''
  let version = ''
  let page = ''
  for (const [code, value] of groupsOf(bytes)) {
    if (code === 0 && nameIn(value) === 'ENDSEC') break
    if (code === 9) variable = nameIn(value)
    else if (variable === '$ACADVER') version ||= nameIn(value)
    else if (variable === '$DWGCODEPAGE') page ||= nameIn(value)
  }
  return { encoding: version >= FIRST_UTF8 ? 'utf-8' : (CODE_PAGES[page] ?? 'windows-1252') }
}

/**
 * The entities of the drawing, in file order: without blocks, tables and objects.
 * @throws FileFault if the file breaks off
 */
export function* entitiesOf(bytes: Buffer): Iterable<Entity> {
  let section = ''
  let awaitsName = false
  let type = ''
  let groups: Group[] = []
  for (const [code, value] of groupsOf(bytes)) {
    if (code === 0) {
      if (section === 'ENTITIES' && type !== '') yield { type, groups }
      const name = nameIn(value)
      if (name === 'EOF') return
      awaitsName = name === 'SECTION'
      if (name === 'ENDSEC') section = ''
      type = section === 'ENTITIES' ? name : ''
      groups = []
    } else if (awaitsName && code === 2) {
      section = nameIn(value)
      awaitsName = false
    } else if (type !== '') {
      if (groups.length >= MOST_GROUPS) throw new FileFault('datei_aufwand')
      groups.push([code, value])
    }
  }
  throw new FileFault('datei_kaputt')
}

/** Where in the file the entities of a block are: behind the type of the block itself. */
export interface BlockPlace {
  readonly block: Entity
  readonly from: number
}

/** Name of a block for looking it up: its letters as they are in the file, without case. */
export const blockKey = (name: Buffer): string => nameIn(name)

/** The blocks of the drawing; their entities stay in the file until they are asked for. */
export function blocksOf(bytes: Buffer): ReadonlyMap<string, BlockPlace> {
  const blocks = new Map<string, BlockPlace>()
  let section = ''
  let awaitsName = false
  let open: { readonly groups: Group[]; readonly from: number } | null = null
  const close = (): void => {
    const name = open?.groups.find(([code]) => code === 2)?.[1]
    if (name !== undefined && blocks.size < MOST_BLOCKS)
      blocks.set(blockKey(name), { block: { type: 'BLOCK', groups: open!.groups }, from: open!.from })
    open = null
  }
  for (const [code, value] of groupsOf(bytes)) {
    if (code === 0) {
      close()
      const name = nameIn(value)
      if (name === 'EOF' || section === 'ENTITIES') break
      awaitsName = name === 'SECTION'
      if (name === 'ENDSEC') section = ''
      if (section === 'BLOCKS' && name === 'BLOCK')
        open = { groups: [], from: value.byteOffset + value.length - bytes.byteOffset }
    } else if (awaitsName && code === 2) {
      section = nameIn(value)
      awaitsName = false
    } else if (open !== null && open.groups.length < MOST_GROUPS_OF_HEAD) open.groups.push([code, value])
  }
  return blocks
}

/** The entities of a block, until its end. @throws FileFault */
export function* entitiesOfBlock(bytes: Buffer, { from }: BlockPlace): Iterable<Entity> {
  let type = ''
  let groups: Group[] = []
  // Behind the type there is the rest of its line.
  for (const [code, value] of groupsOf(bytes, bytes.indexOf(LINE_FEED, from) + 1)) {
    if (code === 0) {
      if (type !== '') yield { type, groups }
      type = nameIn(value)
      groups = []
      if (type === 'ENDBLK' || type === 'ENDSEC' || type === 'EOF') return
    } else if (type !== '') {
      if (groups.length >= MOST_GROUPS) throw new FileFault('datei_aufwand')
      groups.push([code, value])
    }
  }
}

/** NaN where the entity has no such group. */
export function numberIn({ groups }: Entity, code: number): number {
  const found = groups.find(([one]) => one === code)
  return found === undefined ? Number.NaN : Number(found[1].toString('latin1'))
}

const INSERTED: Readonly<Record<string, string>> = { c: 'Ø', d: '°', p: '±', '%': '%' }

/** A text with its control sequences resolved: %%d, \U+00E4; and in texts of several lines \P, {\f…;text}. */
export function textIn({ type, groups }: Entity, codes: readonly number[], encoding: TextEncoding): string {
  const raw = groups
    .filter(([code]) => codes.includes(code))
    .map(([, value]) => decodeText(value, encoding))
    .join('')
    .replaceAll(/\\U\+([0-9A-Fa-f]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/%%([cdp%])/gi, (_, letter: string) => INSERTED[letter.toLowerCase()]!)
  if (type !== 'MTEXT') return raw.trim()
  return raw
    .replaceAll(/\\P|\^J/g, ' ')
    .replaceAll('\\~', '\u00A0')
    .replaceAll(/\\[LlOoKk]/g, '')
    .replaceAll(/\\[A-Za-z][^;\\{}]{0,200};/g, '')
    .replaceAll(/(?<!\\)[{}]/g, '')
    .replaceAll(/\\([\\{}])/g, '$1')
    .trim()
}
