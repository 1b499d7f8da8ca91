// The project folder of a customer: one path segment on the file server, never a path. The database checks
// the same (checks.is_folder_name); both are tested with project-folder.cases.json.

/**
 * Latin letters of western and central Europe, digits, underscore; after the first character also space, dot
 * and hyphen.
 */
const SHAPE = /^[0-9A-Za-z_À-ÖØ-öø-ž][0-9A-Za-z_À-ÖØ-öø-ž .-]{0,99}$/
/** Windows treats these as devices, even with an extension and with spaces before it. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9]) *(?:\.|$)/i

export type FolderFault = 'path' | 'device' | 'end' | 'start' | 'long' | 'signs'

/**
 * What is wrong with a name, the most significant fault first; null if it is valid. The empty text means "no
 * folder" and is valid.
 */
export function folderFault(text: string): FolderFault | null {
  if (text === '') return null
  if (/[/\\]|\.\./.test(text)) return 'path'
  if (text.length > 100) return 'long'
  if (/[. ]$/.test(text)) return 'end'
  if (/^[ .-]/.test(text)) return 'start'
  if (!SHAPE.test(text)) return 'signs'
  if (DEVICE.test(text)) return 'device'
  return null
}

const WRITTEN_OUT: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  ß: 'ss',
}

/** A folder name derived from the customer's name: plain letters, which every file server accepts. */
export function proposeFolder(name: string, client_id: number): string {
  const plain = name
    .normalize('NFC')
    .replaceAll(/[äöüÄÖÜß]/g, (letter) => WRITTEN_OUT[letter] ?? letter)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
  const text = plain
    .replaceAll(/[^0-9A-Za-z]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 60)
    .replaceAll(/_+$/g, '')
  if (text === '') return `Kunde_${client_id}`
  return folderFault(text) === null ? text : `_${text}`
}
