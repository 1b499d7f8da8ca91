// What our own check found, with the rule and the place, and by which rules it looked.
import type { Eingang } from '#contract/eingang.ts'
import type { InvoiceFault } from '#domain/eingang/fault.ts'
import { said } from '../../../data/said.ts'
import { Badge, Card } from '../../../ui/Display.tsx'
import { t } from '../../../ui/text.ts'

export function EingangFaults({ eingang: { befunde, geprueft, format } }: { eingang: Eingang }) {
  const faults = befunde.filter(({ weight }) => weight === 'fault')
  const hints = befunde.filter(({ weight }) => weight === 'hint')
  return (
    <Card title={t('Prüfung')}>
      <div className="stack">
        {befunde.length === 0 ? (
          <p>{format === 'pdf' ? t('Ein PDF wird nicht nachgerechnet.') : t('Keine Fehler gefunden.')}</p>
        ) : (
          <ul className="eingang-outcomes" aria-label={t('Befunde')}>
            {[...faults, ...hints].map((one) => (
              <Row key={`${one.rule} ${one.term} ${one.place} ${one.text}`} found={one} />
            ))}
          </ul>
        )}
        <p className="soft">
          {t(
            'Geprüft nach eigenen Regeln ({regeln}): Summen und Steuer auf den Cent, Pflichtangaben nach EN 16931 ' +
              'und § 14 UStG, Formate. Die amtlichen Regeln der XRechnung (Schematron) sind nicht angewendet; ' +
              'ihre Codelisten und Zusatzregeln bleiben hier ungeprüft.',
            { regeln: geprueft },
          )}
        </p>
      </div>
    </Card>
  )
}

function Row({ found: { rule, term, place, weight, text } }: { found: InvoiceFault }) {
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
    </li>
  )
}
