// The frame of every page that opens without a sign-in: whose it is, the language, the legal links.
import { type ReactNode, useEffect, useState } from 'react'
import { refuseTooLong } from '../../ui/refuse-too-long.ts'
import { setPreference, usePreferences } from '../../ui/preferences.ts'
import { t } from '../../ui/text.ts'
import { hasUnsavedChanges } from '../../ui/unsaved.ts'
import { useApplication } from '../app-context.ts'
import { LegalLinks } from '../shell/LegalLinks.tsx'
import { Logo } from '../shell/Logo.tsx'
import './guest.css'

const LANGUAGES = [
  ['de', 'Deutsch'],
  ['en', 'English'],
] as const

export function GuestPage({ className, children }: { className?: string; children: ReactNode }) {
  const { config } = useApplication()
  useEffect(refuseTooLong, [])
  return (
    <div className="guest">
      <header className="guest-head">
        <span className="guest-name">
          <Logo size={32} />
          {config.title}
        </span>
        <LanguageChoice />
      </header>
      <main className={`guest-main ${className ?? ''}`}>{children}</main>
      <footer className="guest-foot">
        <LegalLinks />
      </footer>
    </div>
  )
}

function LanguageChoice() {
  const { language } = usePreferences()
  const [kept, setKept] = useState(false)
  return (
    <fieldset className="guest-languages" aria-label={t('Sprache')}>
      {kept && (
        <span role="alert" className="soft">
          {t('Bitte senden oder leeren Sie zuerst Ihre Eingaben; eine andere Sprache lädt die Seite neu.')}
        </span>
      )}
      {LANGUAGES.map(([code, name]) => (
        <button
          key={code}
          type="button"
          lang={code}
          aria-pressed={language === code}
          onClick={() => {
            const isKept = code !== language && hasUnsavedChanges()
            setKept(isKept)
            if (!isKept) setPreference('language', code)
          }}
        >
          {name}
        </button>
      ))}
    </fieldset>
  )
}
