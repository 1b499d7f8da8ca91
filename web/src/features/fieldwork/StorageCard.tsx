// How much storage the browser grants, how much is used, and whether the browser may evict it.
import { useEffect, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { formatBytes } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { persistent } from './fieldwork-db.ts'

interface StorageSpace {
  readonly occupied: number
  readonly frei: number
  readonly persistent: boolean
}
const read = async (): Promise<StorageSpace> => {
  const [{ usage = 0, quota = 0 }, persisted] = await Promise.all([
    navigator.storage.estimate(),
    navigator.storage.persisted(),
  ])
  return { occupied: usage, frei: Math.max(0, quota - usage), persistent: persisted }
}

export function StorageCard() {
  const [space, setSpace] = useState<StorageSpace | null>(null)
  useEffect(() => {
    let gone = false
    read().then(
      (found) => !gone && setSpace(found),
      // Not supported by this browser.
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [])
  if (space === null) return null
  return (
    <Card title={t('Speicher dieses Geräts')}>
      <div className="stack">
        <p>
          {t(
            '{used} belegt. Der Browser erlaubt noch {free}, höchstens so viel, wie auf dem Gerät frei ist.',
            {
              used: formatBytes(space.occupied),
              free: formatBytes(space.frei),
            },
          )}
        </p>
        <p className="soft">
          {space.persistent
            ? t('Der Browser räumt diesen Speicher nicht automatisch.')
            : t(
                'Der Browser darf diesen Speicher räumen, wenn der Platz knapp wird. Auf dem ' +
                  'Startbildschirm installiert geschieht das nicht ohne Weiteres; übertragen Sie, was ' +
                  'wartet, bald.',
              )}
        </p>
        {!space.persistent && (
          <div className="actions">
            <Button
              onClick={() =>
                void persistent()
                  .then(read)
                  .then(setSpace, () => undefined)
              }
            >
              {t('Dauerhaft speichern')}
            </Button>
          </div>
        )}
      </div>
    </Card>
  )
}
