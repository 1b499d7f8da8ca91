// /annahme#code: target of one-time links. Public and without the application's frame; the code is in the
// fragment, which browsers do not send with the page request.
import { useSyncExternalStore } from 'react'
import { Acceptance } from '../../features/documents/Acceptance.tsx'
import { t } from '../../ui/text.ts'
import { useApplication } from '../app-context.ts'
import { LegalLinks } from '../shell/LegalLinks.tsx'
import { Logo } from '../shell/Logo.tsx'
import './acceptance.css'

const codeNow = () => location.hash.slice(1)
function onHash(changed: () => void) {
  addEventListener('hashchange', changed)
  return () => removeEventListener('hashchange', changed)
}

export function AcceptancePage() {
  const { config } = useApplication()
  const code = useSyncExternalStore(onHash, codeNow)
  return (
    <main className="annahme">
      <header className="annahme-head">
        <Logo size={36} />
        <span>{config.title}</span>
      </header>
      <h1>{t('Ihr Angebot')}</h1>
      <Acceptance key={code} code={code} />
      <LegalLinks />
    </main>
  )
}
