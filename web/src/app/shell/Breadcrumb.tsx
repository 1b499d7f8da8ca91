// The way from home to the open page. A navigation with an ordered list: links to where one may go, plain text where one is.
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
            // The place belongs to the key: a customer may be called like the page above it.
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
