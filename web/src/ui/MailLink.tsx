// An address, one press away from the mail.
import { t } from './text.ts'

/** Breaks behind the @ before it breaks within a word. */
export function AddressText({ address }: { address: string }) {
  const end = address.indexOf('@') + 1
  return (
    <>
      {address.slice(0, end)}
      <wbr />
      {address.slice(end)}
    </>
  )
}

export function MailLink({ address }: { address: string | null | undefined }) {
  if (!address) return <span className="soft">–</span>
  return (
    <a
      className="reach-mail"
      href={`mailto:${encodeURIComponent(address)}`}
      title={t('E-Mail an {address} schreiben', { address })}
    >
      <AddressText address={address} />
    </a>
  )
}
