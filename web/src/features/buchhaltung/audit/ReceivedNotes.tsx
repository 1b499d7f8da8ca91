// Received invoices that a batch does not have: undecided ones, those of an earlier batch, and those that came too
// late for theirs.
import type { DatevEingangRow } from '#contract/datev.ts'
import { Notice } from '../../../ui/Display.tsx'
import { Checkbox } from '../../../ui/Field.tsx'
import { formatDate } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'
import { eingangPath } from '../eingang/eingang-path.ts'
import type { Preview } from './datev.data.ts'

const NAMED = 3

export function ReceivedNotes({
  preview: { wartet, late, known },
  again,
  onAgain,
}: {
  preview: Preview
  again: boolean
  onAgain: (again: boolean) => void
}) {
  const changed = known.filter(({ geaendert }) => geaendert)
  const [first] = late
  return (
    <>
      {wartet.length > 0 && (
        <Notice
          tone="warning"
          title={
            wartet.length === 1
              ? t('1 Eingangsrechnung wartet auf ihre Entscheidung')
              : t('{n} Eingangsrechnungen warten auf ihre Entscheidung', { n: wartet.length })
          }
        >
          {t('Sie sind nicht freigegeben und fehlen deshalb im Stapel.')} <Links rows={wartet} />
        </Notice>
      )}
      {first !== undefined && (
        <Notice
          tone="warning"
          title={
            late.length === 1
              ? t('1 Eingangsrechnung kam zu spät für ihren Stapel')
              : t('{n} Eingangsrechnungen kamen zu spät für ihren Stapel', { n: late.length })
          }
        >
          {t(
            'Die älteste ist vom {tag}. Bitte exportieren Sie ihren Zeitraum noch einmal, ohne die übrigen.',
            {
              tag: formatDate(first.datum),
            },
          )}{' '}
          <Links rows={late} />
        </Notice>
      )}
      {changed.length > 0 && (
        <Notice tone="warning" title={t('Nach der Übergabe wurde neu entschieden')}>
          {t('Bitte stimmen Sie sich mit der Steuerberatung ab.')} <Links rows={changed} />
        </Notice>
      )}
      {known.length > 0 && (
        <Checkbox
          label={
            known.length === 1
              ? t('1 Eingangsrechnung noch einmal mitgeben')
              : t('{n} Eingangsrechnungen noch einmal mitgeben', { n: known.length })
          }
          hint={t('Sie standen schon in einem Stapel und würden doppelt gebucht.')}
          checked={again}
          onChange={({ target }) => onAgain(target.checked)}
        />
      )}
    </>
  )
}

const Links = ({ rows }: { rows: readonly DatevEingangRow[] }) => (
  <>
    {rows.slice(0, NAMED).map(({ eingang_id, kreditor, nummer }) => (
      <a key={eingang_id} className="buch-link" href={eingangPath(eingang_id)}>
        {t('{kreditor}, {nummer}', { kreditor, nummer })}
      </a>
    ))}
  </>
)
