// Whom to ask about an offer: by telephone, else by mail.
import type { AngebotView } from '#contract/document.ts'
import { MailLink } from '../../ui/MailLink.tsx'
import { PhoneLink } from '../../ui/PhoneLink.tsx'

export const Contact = ({ name, telefon, mail }: AngebotView['anbieter']) => (
  <>
    {name}
    {telefon && (
      <>
        , <PhoneLink number={telefon} />
      </>
    )}
    {mail && (
      <>
        , <MailLink address={mail} />
      </>
    )}
  </>
)
