// What may be attached to a note: documents, tables and pictures whose bytes are what the name says. A file that
// could run when somebody opens it is refused, and a name that hides what it is.
import { open } from 'node:fs/promises'
import { NOTE_FILE_TYPES, type NoteFileType } from '#contract/note.ts'
import { fileTypeOf } from '#server/files/file-type.ts'

const HEAD = 65_536
/** Holds the directory of every archive that is an ordinary document. */
const TAIL = 2 ** 20

/** Parts by which an archive is known as a document. */
const PARTS: readonly (readonly [part: string, kind: NoteFileType])[] = [
  ['word/document.xml', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xl/workbook.xml', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['ppt/presentation.xml', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
]
const OPEN_DOCUMENT = ['text', 'spreadsheet'].map(
  (kind) => `application/vnd.oasis.opendocument.${kind}` as NoteFileType,
)
/** Macros run when the document is opened. */
const MACRO = /vbaProject\.bin|Basic\/script-lb\.xml/i
const RUNS =
  /\.(?:exe|com|bat|cmd|scr|pif|js|jse|vbs|vbe|wsf|msi|ps1|hta|lnk|jar|cpl|reg|dll|svg|html?)\s*\./i
/** Turns the direction of reading, so that "fdp.exe" reads "exe.pdf", or is not seen at all. */
const HIDES = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/

export type NoteFileFault = 'notiz_datei_typ' | 'notiz_datei_name' | 'notiz_datei_makro'

/** The type by the bytes, or why the file is refused. */
export async function noteFileTypeOf(
  path: string,
  name: string,
): Promise<{ readonly mime: NoteFileType } | { readonly fault: NoteFileFault }> {
  if (HIDES.test(name) || RUNS.test(name)) return { fault: 'notiz_datei_name' }
  const mime = (await fileTypeOf(path)) ?? (await documentTypeOf(path))
  if (mime === null) return { fault: 'notiz_datei_typ' }
  if (mime === 'macro') return { fault: 'notiz_datei_makro' }
  const endings: readonly string[] = NOTE_FILE_TYPES[mime]
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return endings.includes(ending) ? { mime } : { fault: 'notiz_datei_name' }
}

async function documentTypeOf(path: string): Promise<NoteFileType | 'macro' | null> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const head = Buffer.alloc(Math.min(HEAD, size))
    await file.read(head, 0, head.length, 0)
    if (!head.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004', 'latin1')))
      return isPlainText(head) ? 'text/plain' : null
    const tail = Buffer.alloc(Math.min(TAIL, size))
    await file.read(tail, 0, tail.length, size - tail.length)
    return archiveTypeOf(head.toString('latin1', 0, 200), tail.toString('latin1'))
  } finally {
    await file.close()
  }
}

function archiveTypeOf(head: string, directory: string): NoteFileType | 'macro' | null {
  const office = PARTS.find(([part]) => directory.includes('[Content_Types].xml') && directory.includes(part))
  // The first entry is the type, uncompressed.
  const written = OPEN_DOCUMENT.find((kind) => head.slice(30).startsWith(`mimetype${kind}`))
  const kind = office?.[1] ?? written ?? null
  return kind !== null && MACRO.test(directory) ? 'macro' : kind
}

/** UTF-8 or an old Windows text; no page and no script of a shell. */
function isPlainText(head: Buffer): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  if (head.length === 0 || /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(head.toString('latin1')))
    return false
  const start = head.toString('latin1', 0, 1024)
  return !/<(?:!doctype|html|script|svg|\?xml|\?php|iframe)\b/i.test(start) && !start.startsWith('#!')
}
