// How much room the browser gives, how much is used, and whether it may clear it by itself.
import { useEffect, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { formatBytes } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { haltbar } from './feld-db.ts'

interface Platz {
  readonly belegt: number
  readonly frei: number
  readonly haltbar: boolean
}
const read = async (): Promise<Platz> => {
  const [{ usage = 0, quota = 0 }, persisted] = await Promise.all([navigator.storage.estimate(), navigator.storage.persisted()])
  return { belegt: usage, frei: Math.max(0, quota - usage), haltbar: persisted }
}

export function Speicherplatz() {
  const [platz, setPlatz] = useState<Platz | null>(null)
  useEffect(() => {
    let gone = false
    read().then(
      (found) => !gone && setPlatz(found),
      // A browser that says nothing of it.
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [])
  if (platz === null) return null
  return (
    <Card title={t('Speicher dieses Geräts')}>
      <div className="stack">
        <p>{t('{used} belegt, {free} frei', { used: formatBytes(platz.belegt), free: formatBytes(platz.frei) })}</p>
        <p className="soft">
          {platz.haltbar
            ? t('Der Browser räumt diesen Speicher nicht von selbst.')
            : t(
                'Der Browser darf diesen Speicher räumen, wenn der Platz knapp wird. Auf dem Startbildschirm installiert geschieht das nicht ohne Weiteres; übertragen Sie, was wartet, bald.',
              )}
        </p>
        {!platz.haltbar && (
          <div className="actions">
            <Button
              onClick={() =>
                void haltbar()
                  .then(read)
                  .then(setPlatz, () => undefined)
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
