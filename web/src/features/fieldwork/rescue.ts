// Last resort: everything of a person that exists only on this device, as one file to hand over. Names inside
// are those of the queue, readable without this application.
import { zip } from '../../ui/export/zip.ts'
import type { FieldworkDb, Sub } from './fieldwork-db.ts'
import { fetchEverything } from './queue-read.ts'

const EXTENSION: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
}
/** daten.json with captures, conflicts, drafts and photo metadata; fotos/ with the photos' bytes. */
export async function rescueFile(
  db: FieldworkDb,
  sub: Sub,
  present: Date,
): Promise<{ name: string; datei: Blob }> {
  const { erfassungen, konflikte, entwuerfe, bilder } = await fetchEverything(db, sub)
  const photos = bilder.map(({ original, vorschau: _preview, ...photo }) => ({
    datei: `fotos/${photo.kennung}.${EXTENSION[photo.typ] ?? 'bin'}`,
    original,
    bild: photo,
  }))
  const data = {
    programm: 'Forstkontor',
    fassung: 1,
    erstellt_am: present.toISOString(),
    erfassungen,
    konflikte,
    entwuerfe,
    bilder: photos.map(({ datei, bild }) => ({ datei, ...bild })),
  }
  return {
    name: `Forstkontor-Feld_${present.toISOString().slice(0, 16).replace(/[T:]/g, '-')}.zip`,
    datei: await zip([
      { name: 'daten.json', texts: [JSON.stringify(data, null, 2)] },
      ...photos.map(({ datei, original }) => ({ name: datei, blob: original })),
    ]),
  }
}
