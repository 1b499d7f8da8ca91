// /annahme#code: target of one-time links. Public and without the application's frame; the code is in the
// fragment, which browsers do not send with the page request.
import { useSyncExternalStore } from 'react'
import { Acceptance } from '../../features/documents/Acceptance.tsx'
import { t } from '../../ui/text.ts'
import './acceptance.css'
import { GuestPage } from './GuestPage.tsx'

const codeNow = () => location.hash.slice(1)
function onHash(changed: () => void) {
  addEventListener('hashchange', changed)
  return () => removeEventListener('hashchange', changed)
}

export function AcceptancePage() {
  const code = useSyncExternalStore(onHash, codeNow)
  return (
    <GuestPage className="annahme">
      <h1>{t('Ihr Angebot')}</h1>
      <Acceptance key={code} code={code} />
    </GuestPage>
  )
}
