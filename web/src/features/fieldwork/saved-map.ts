// The base map of a pack, for the layers of a map: its tiles come from this device.
import type { FieldworkDb, FieldworkPacket, Sub } from './fieldwork-db.ts'
import type { SavedMap } from './ol-fieldwork.ts'
import { detailsOf, tileAt } from './packet.ts'

/** Null if the pack was saved without one. */
export function savedMap(db: FieldworkDb, sub: Sub, packet: FieldworkPacket): SavedMap | null {
  const { karte } = detailsOf(packet)
  return (
    karte && {
      min: karte.min,
      max: karte.max,
      isVector: karte.form === 'vektor',
      kachel: async (at) => {
        const found = await tileAt(db, sub, packet.idHQ, karte.ebene, at)
        return found === undefined ? null : new Blob([found.bytes], { type: found.typ })
      },
    }
  )
}
