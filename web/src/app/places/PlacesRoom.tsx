// Keeps the room of the places at the top of the menu until they are there, so that nothing moves below a
// pointer.
import { usePreferences } from '../../ui/preferences.ts'

/** The groups of the places, beside the menu's own in the list of open ones. */
export const FAVOURITES = '/favoriten'
export const RECENT = '/zuletzt'

const ROW = 44

export function PlacesRoom() {
  const { favourites, recent, openGroups } = usePreferences()
  const rows = (count: number, open = false) => (count === 0 ? 0 : open ? count + 1 : 1)
  // From two on, there is an entry to arrange them.
  const starred = favourites.length + (favourites.length > 1 ? 1 : 0)
  const height =
    ROW * (rows(starred, openGroups[FAVOURITES] ?? true) + rows(recent.length, openGroups[RECENT]))
  return height > 0 && <div className="places" style={{ height }} />
}
