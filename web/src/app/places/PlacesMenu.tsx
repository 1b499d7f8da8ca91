// The top of the menu: favourites and the records opened last.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Role } from '#domain/roles.ts'
import { useSession } from '../../data/session.ts'
import { currentPreferences, setPreference, usePreference } from '../../ui/preferences.ts'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { groupsAround, type MenuEntry, menuOf } from '../menu.ts'
import { preferencesLoaded } from '../preferences-sync.ts'
import { routeOf, ROUTES } from '../routes.ts'
import { MenuList } from '../shell/MenuList.tsx'
import type { OpenPage } from '../shell/page-name.ts'
import type { Groups } from '../shell/use-groups.ts'
import { ICONS, placeOf, placesOf, recordsOf, withRecent } from './places.ts'
import { type Names, PLACE_NAMES, placeNames } from './places.data.ts'
import { FAVOURITES, PlacesRoom, RECENT } from './PlacesRoom.tsx'
import './places.css'

const FavouritesDialog = splitOff(
  async () => (await import('./FavouritesDialog.tsx')).FavouritesDialog,
  null,
  { optional: true },
)

interface PlacesProps {
  readonly page: OpenPage
  readonly collapsed: boolean
  readonly groups: Groups
}

export function PlacesMenu({ page, collapsed, groups }: PlacesProps) {
  const { roles } = useSession()
  const [starred, opened, chosen] = [
    usePreference('favourites'),
    usePreference('recent'),
    usePreference('openGroups'),
  ]
  const records = useMemo(() => recordsOf([starred, opened], roles), [starred, opened, roles])
  const { data: names, isLoading } = useQuery({ ...placeNames(records), enabled: records.length > 0 })
  useRemember(page)
  useRefreshAfterChanges()
  const [arranging, setArranging] = useState(false)
  const favourites = useMemo(() => entriesOf(starred, roles, names), [starred, roles, names])
  const recent = useMemo(() => entriesOf(opened, roles, names), [opened, roles, names])
  const arrange: MenuEntry = {
    ...groupOf('/favoriten/ordnen', t('Favoriten ordnen'), 'sort', []),
    act: () => setArranging(true),
  }
  const entries = [
    groupOf(
      FAVOURITES,
      t('Favoriten'),
      'star',
      favourites.length > 1 ? [...favourites, arrange] : favourites,
    ),
    groupOf(RECENT, t('Zuletzt geöffnet'), 'clock', recent),
  ].filter(({ children }) => children.length > 0)
  const isOpen = (path: string) => chosen[path] ?? path === FAVOURITES
  if (isLoading) return <PlacesRoom />
  return (
    <>
      {entries.length > 0 && (
        <div className="places">
          <MenuList
            entries={entries}
            active={page.path}
            collapsed={collapsed}
            groups={{ ...groups, isOpen }}
          />
        </div>
      )}
      {arranging &&
        createPortal(
          <FavouritesDialog favourites={favourites} onClose={() => setArranging(false)} />,
          document.body,
        )}
    </>
  )
}

/** Puts the record on the screen first, once its page knows its name. */
function useRemember({ path, record }: OpenPage) {
  const queries = useQueryClient()
  const { roles } = useSession()
  useEffect(() => {
    const place = placeOf(path)
    if (record === null || !place?.record) return
    let here = true
    // Before the server's list is known, one begun here would replace it.
    void preferencesLoaded.then((known) => {
      const { favourites, recent } = currentPreferences()
      const changed = withRecent(recent, path)
      if (!here || !known || changed === recent) return
      const [before, after] = [recent, changed].map((list) => recordsOf([favourites, list], roles))
      const names = before!.length === 0 ? {} : queries.getQueryData<Names>(placeNames(before!).queryKey)
      // The page has given the name: it need not be looked up. Drafts have the same names.
      if (names && record !== t('Entwurf'))
        queries.setQueryData(placeNames(after!).queryKey, { ...names, [place.key]: record })
      setPreference('recent', changed)
    })
    return () => {
      here = false
    }
  }, [path, record, roles, queries])
}

/** Whatever this person changed may have renamed or removed one of the records. */
function useRefreshAfterChanges() {
  const queries = useQueryClient()
  useEffect(
    () =>
      queries.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'success')
          void queries.invalidateQueries({ queryKey: PLACE_NAMES })
      }),
    [queries],
  )
}

const groupOf = (path: string, title: string, icon: MenuEntry['icon'], children: MenuEntry[]): MenuEntry => ({
  path,
  title,
  icon,
  external: false,
  named: true,
  children,
})

/** Records without a name are gone, or no longer this person's. */
function entriesOf(paths: readonly string[], roles: readonly Role[], names: Names = {}): MenuEntry[] {
  const places = placesOf(paths, roles)
  const titles = places.map(({ key, line, record }) => (record ? names[key] : t(line.title)))
  return places.flatMap(({ path, line, record }, at) => {
    const title = titles[at]
    if (title === undefined) return []
    const isTwice = !record && titles.indexOf(title) !== titles.lastIndexOf(title)
    const around = isTwice ? groupsAround(menuOf(ROUTES, roles), path)?.at(-1) : undefined
    const icon = record ? ICONS[record.kind] : (line.icon ?? routeOf(line.activeMenu ?? '')?.icon)
    const entry = around ? `${title} · ${t(around.title)}` : title
    return [{ path, title: entry, icon, external: false, named: true as const, children: [] }]
  })
}
