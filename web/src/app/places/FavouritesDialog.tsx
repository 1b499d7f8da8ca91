// The order of the favourites, and taking them out without opening them.
import { Button, IconButton } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { currentPreferences, setPreference } from '../../ui/preferences.ts'
import { EmptyState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import type { MenuEntry } from '../menu.ts'
import { swapped, toggled } from './places.ts'
import './favourites.css'

export function FavouritesDialog({
  favourites,
  onClose,
}: {
  favourites: readonly MenuEntry[]
  onClose: () => void
}) {
  const swap = ({ path }: MenuEntry, other: MenuEntry | undefined) => {
    if (other) setPreference('favourites', swapped(currentPreferences().favourites, path, other.path))
  }
  return (
    <Dialog
      open
      title={t('Favoriten ordnen')}
      width="small"
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('Fertig')}
        </Button>
      }
    >
      {favourites.length === 0 && <EmptyState icon="star" title={t('Keine Favoriten')} />}
      <ol className="favourites">
        {favourites.map((entry, at) => (
          <li key={entry.path}>
            <span>{entry.title}</span>
            <IconButton
              icon="sortUp"
              size="small"
              label={t('{name} nach oben', { name: entry.title })}
              className={at === 0 ? 'favourites-end' : undefined}
              onClick={() => swap(entry, favourites[at - 1])}
            />
            <IconButton
              icon="sortDown"
              size="small"
              label={t('{name} nach unten', { name: entry.title })}
              className={at === favourites.length - 1 ? 'favourites-end' : undefined}
              onClick={() => swap(entry, favourites[at + 1])}
            />
            <IconButton
              icon="close"
              size="small"
              label={t('{name} entfernen', { name: entry.title })}
              onClick={() => {
                const rest = toggled(currentPreferences().favourites, entry.path)
                if (rest) setPreference('favourites', rest)
              }}
            />
          </li>
        ))}
      </ol>
    </Dialog>
  )
}
