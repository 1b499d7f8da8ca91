// What the check found, with rule and place: by the official rules where they are set up, by our own always, and what
// the two see differently.
import type { Eingang } from '#contract/eingang.ts'
import { type InvoiceFault, OWN_RULES } from '#domain/eingang/fault.ts'
import { officialOf } from '#domain/eingang/official.ts'
import { said } from '../../../data/said.ts'
import { Badge, Card } from '../../../ui/Display.tsx'
import { t } from '../../../ui/text.ts'
import { checkedText, differenceText } from './check-words.ts'

export function EingangFaults({ eingang: { befunde, geprueft, format } }: { eingang: Eingang }) {
  const official = officialOf(geprueft)
  const isOfficial = official !== null && 'version' in official
  const own = geprueft.startsWith(OWN_RULES) ? OWN_RULES : geprueft
  const of = (by: InvoiceFault['by']) => befunde.filter((one) => one.by === by)
  return (
    <Card title={t('Prüfung')}>
      <div className="stack">
        <p>{checkedText(format, official, own)}</p>
        {isOfficial ? (
          <>
            <Found title={t('Nach den amtlichen und nach unseren Regeln')} found={of('beide')} />
            <Found title={t('Nur nach den amtlichen Regeln')} found={of('amtlich')} />
            <Found title={t('Nur nach unseren Regeln')} found={of(undefined)} />
          </>
        ) : (
          <Found found={befunde} />
        )}
        {befunde.length === 0 && format !== 'pdf' && <p>{t('Keine Fehler gefunden.')}</p>}
        {isOfficial && befunde.length > 0 && of('beide').length + of('amtlich').length === 0 && (
          <p>{t('Nach den amtlichen Regeln ist nichts zu beanstanden.')}</p>
        )}
        {format !== 'pdf' && <p className="soft">{differenceText(isOfficial)}</p>}
      </div>
    </Card>
  )
}

function Found({ title, found }: { title?: string; found: readonly InvoiceFault[] }) {
  if (found.length === 0) return null
  const inOrder = found.toSorted((a, b) => Number(a.weight === 'hint') - Number(b.weight === 'hint'))
  return (
    <>
      {title !== undefined && <h3>{title}</h3>}
      <ul className="eingang-outcomes" aria-label={title ?? t('Befunde')}>
        {inOrder.map((one, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the list never changes
          <Row key={index} found={one} />
        ))}
      </ul>
    </>
  )
}

function Row({ found: { rule, term, place, weight, text, wording } }: { found: InvoiceFault }) {
  return (
    <li>
      <span>
        <Badge tone={weight === 'fault' ? 'danger' : 'warning'}>
          {weight === 'fault' ? t('Fehler') : t('Hinweis')}
        </Badge>{' '}
        {said(text)}
      </span>
      <span className="soft">
        {[rule, term, place === '' ? '' : t('Position {nr}', { nr: place })]
          .filter((part) => part !== '')
          .join(' · ')}
      </span>
      {wording !== undefined && !wording.includes(text) && (
        <details className="soft">
          <summary>{t('Wortlaut der Regel')}</summary>
          <span lang="en">{wording}</span>
        </details>
      )}
    </li>
  )
}
