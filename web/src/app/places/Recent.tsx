// The records that this person opened last, with their names.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSession } from '../../data/session.ts'
import { Card } from '../../ui/Display.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { usePreference } from '../../ui/preferences.ts'
import { t } from '../../ui/text.ts'
import { ICONS, recordsOf } from './places.ts'
import { placeNames } from './places.data.ts'

export function Recent() {
  const { roles } = useSession()
  const [starred, opened] = [usePreference('favourites'), usePreference('recent')]
  // The same records as in the menu, so that both share one request.
  const records = useMemo(() => recordsOf([starred, opened], roles), [starred, opened, roles])
  const { data: names = {} } = useQuery({ ...placeNames(records), enabled: records.length > 0 })
  const shown = recordsOf([opened], roles).filter(({ key }) => names[key] !== undefined)
  return (
    <Card title={t('Zuletzt geöffnet')}>
      {shown.length === 0 ? (
        <p className="soft">{t('Was Sie öffnen, finden Sie hier und links im Menü wieder.')}</p>
      ) : (
        <ul className="desk-recent">
          {shown.map(({ key, path, record }) => (
            <li key={key}>
              {record && <Icon name={ICONS[record.kind]} />}
              <a href={path}>{names[key]}</a>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
