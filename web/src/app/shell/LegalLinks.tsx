// Links to manual, Impressum and Datenschutz on pages before the sign-in.
import { t } from '../../ui/text.ts'
import { useApplication } from '../app-context.ts'

export function LegalLinks() {
  const { manualUrl, impressumUrl, datenschutzUrl } = useApplication().config
  const links = [
    { href: manualUrl, label: t('Handbuch') },
    { href: impressumUrl, label: t('Impressum') },
    { href: datenschutzUrl, label: t('Datenschutz') },
  ].filter((link): link is { href: string; label: string } => link.href !== null)
  if (links.length === 0) return null
  return (
    <p className="login-foot">
      {links.map(({ href, label }) => (
        <a key={label} href={href} data-native>
          {label}
        </a>
      ))}
    </p>
  )
}
