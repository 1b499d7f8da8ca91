// The star beside a page's heading: puts the page or its record among the favourites, or takes it out.
import { useQueryClient } from '@tanstack/react-query'
import { useOptionalSession } from '../../data/session.ts'
import { IconButton } from '../../ui/Button.tsx'
import { currentPreferences, setPreference, usePreference } from '../../ui/preferences.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { isFavourite, MOST_FAVOURITES, placeOf, recordsOf, toggled } from './places.ts'
import { type Names, placeNames } from './places.data.ts'
import './star.css'

export function Star({ path }: { path: string }) {
  const queries = useQueryClient()
  // Guests see pages too, and have no favourites.
  const session = useOptionalSession()
  const favourites = usePreference('favourites')
  if (session === null || placeOf(path) === null) return null
  const on = isFavourite(favourites, path)
  const toggle = () => {
    const lists = currentPreferences()
    const shown = placeNames(recordsOf([lists.favourites, lists.recent], session.roles)).queryKey
    const next = toggled(lists.favourites, path, queries.getQueryData<Names>(shown))
    if (next) setPreference('favourites', next)
    else
      toast.info(
        t('Sie haben schon {n} Favoriten. Bitte entfernen Sie zuerst einen.', { n: MOST_FAVOURITES }),
      )
  }
  return (
    <IconButton
      icon="star"
      size="small"
      className={on ? 'star star-on' : 'star'}
      label={on ? t('Aus den Favoriten entfernen') : t('Zu den Favoriten hinzufügen')}
      onClick={toggle}
    />
  )
}
