// "Was ist neu": shown once per version to people who used an earlier one. New users see nothing.
import { useEffect, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { setPreference, usePreference } from '../../ui/preferences.ts'
import { t } from '../../ui/text.ts'
import { preferencesLoaded } from '../preferences-sync.ts'
import { unseen } from '../release-notes.ts'
import { VERSION } from '../version.ts'

/**
 * Waits for the server, which knows what the person has seen; without its answer nothing is shown, so that
 * nothing is shown twice.
 */
function useLoaded(): boolean {
  const [loaded, setLoaded] = useState(false)
  useEffect(() => {
    let here = true
    void preferencesLoaded.then((known) => here && setLoaded(known))
    return () => {
      here = false
    }
  }, [])
  return loaded
}

export function ReleaseNote() {
  const loaded = useLoaded()
  const seen = usePreference('seenVersion')
  useEffect(() => {
    if (loaded && seen === '') setPreference('seenVersion', VERSION)
  }, [loaded, seen])
  if (!loaded || seen === '') return null
  const news = unseen(seen)
  if (news.length === 0) return null
  return (
    <section className="corner-card" aria-labelledby="neu">
      <h2 id="neu">{t('Was ist neu')}</h2>
      {news.map(({ version, news: points }) => (
        <ul key={version} aria-label={t('Version {version}', { version })}>
          {points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      ))}
      <div className="corner-actions">
        <Button variant="primary" size="small" onClick={() => setPreference('seenVersion', VERSION)}>
          {t('Verstanden')}
        </Button>
      </div>
    </section>
  )
}
