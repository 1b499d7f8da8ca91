// The breadcrumb: a navigation with an ordered list of links; the current page and pages without access are
// plain text.
import { useSession } from '../../data/session.ts'
import { t } from '../../ui/text.ts'
import { crumbsOf } from '../breadcrumb.ts'
import './breadcrumb.css'
import type { OpenPage } from './page-name.ts'

export function Breadcrumb({ page }: { page: OpenPage }) {
  const { roles } = useSession()
  const crumbs = crumbsOf(page.path, roles, page.names)
  return (
    <nav aria-label={t('Brotkrumen')} className="breadcrumb">
      <ol>
        {crumbs.map((crumb, at) => {
          const title = crumb.named ? crumb.title : t(crumb.title)
          const last = at === crumbs.length - 1
          return (
            // The index is part of the key, because a customer may have the same name as the page above.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={`${at} ${title}`}>
              {crumb.href ? (
                <a href={crumb.href}>{title}</a>
              ) : (
                <span
                  aria-current={last ? 'page' : undefined}
                  className={last ? 'breadcrumb-here' : undefined}
                >
                  {title}
                </span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
