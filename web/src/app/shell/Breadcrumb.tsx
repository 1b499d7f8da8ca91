// The way from home to the open page. A navigation with an ordered list: links to where one may go, plain text where one is.
import { useSession } from '../../data/session.ts'
import { t } from '../../ui/text.ts'
import { crumbsOf } from '../breadcrumb.ts'
import './breadcrumb.css'
import type { OpenPage } from './page-name.ts'

export function Breadcrumb({ page }: { page: OpenPage }) {
  const { roles } = useSession()
  const crumbs = crumbsOf(page.path, roles, page.record)
  return (
    <nav aria-label={t('Brotkrumen')} className="breadcrumb">
      <ol>
        {crumbs.map(({ title, href }) => (
          <li key={title}>{href ? <a href={href}>{t(title)}</a> : <span aria-current="page">{t(title)}</span>}</li>
        ))}
      </ol>
    </nav>
  )
}
