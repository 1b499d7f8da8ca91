// Support contact from the deployment's settings: phone and hours, for pages that can only say "please ask
// us".
import { PhoneLink } from './PhoneLink.tsx'
import { t } from './text.ts'

export interface Support {
  readonly phone: string
  readonly hours: string
}
let support: Support | null = null

/** Called once at the start. */
export function setSupport(found: Support | null) {
  support = found
}

/**
 * One sentence: "Rufen Sie uns an: 0351 123456 (Mo–Fr 9–17 Uhr)." with a clickable number; if none is
 * configured, it says whom to contact.
 */
export function SupportContact() {
  if (support === null) return <>{t('Bitte wenden Sie sich an Ihren Ansprechpartner bei uns.')}</>
  return (
    <>
      {t('Rufen Sie uns an:')} <PhoneLink number={support.phone} />
      {support.hours && ` (${support.hours})`}
    </>
  )
}
