// Appearance settings for everyone: colour, scheme, language, density.
import { useState } from 'react'
import { Segments } from './Choice.tsx'
import { type Preferences, setPreference, usePreferences } from './preferences.ts'
import { t } from './text.ts'
import { hasUnsavedChanges } from './unsaved.ts'
import { ThemePicker } from './ThemePicker.tsx'
import './appearance.css'

export function Appearance() {
  const { scheme, language, size } = usePreferences()
  const [kept, setKept] = useState(false)
  const choose = (next: Preferences['language']) => {
    // Changing the language recreates the pages, which would lose unsaved input.
    setKept(hasUnsavedChanges())
    if (!hasUnsavedChanges()) setPreference('language', next)
  }
  return (
    <div className="appearance">
      <ThemePicker />
      <Segments
        label={t('Helligkeit')}
        value={scheme}
        onChange={(value) => setPreference('scheme', value)}
        options={[
          { value: 'auto', label: t('wie System') },
          { value: 'light', label: t('hell') },
          { value: 'dark', label: t('dunkel') },
        ]}
      />
      <Segments
        label={t('Zeilen und Abstände')}
        value={size}
        onChange={(value) => setPreference('size', value)}
        options={[
          { value: 'medium', label: t('normal') },
          { value: 'small', label: t('kompakt') },
        ]}
      />
      <Segments
        label={t('Sprache')}
        value={language}
        onChange={choose}
        options={[
          { value: 'de', label: 'Deutsch' },
          { value: 'en', label: 'English' },
        ]}
        hint={
          kept && (
            <span role="alert">
              {t(
                'Bitte speichern oder verwerfen Sie zuerst Ihre Änderungen; eine andere Sprache lädt die Seite neu.',
              )}
            </span>
          )
        }
      />
    </div>
  )
}
