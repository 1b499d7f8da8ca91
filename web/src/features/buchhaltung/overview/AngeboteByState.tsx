// Offers by state: totals, what is still to be billed, and the expected value of the open ones.
import type { AngebotSum } from '#contract/overview.ts'
import { Badge, Card, Notice } from '../../../ui/Display.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { SmallTable } from '../../../ui/SmallTable.tsx'
import { t } from '../../../ui/text.ts'
import '../../../ui/table.css'
import { ANGEBOT_TONES, angebotStateText } from '../draft-words.ts'
import { Amount } from './Amount.tsx'
import { angeboteIn } from './paths.ts'

export function AngeboteByState({ angebote }: { angebote: readonly AngebotSum[] }) {
  return (
    <Card title={t('Angebote')}>
      {angebote.length === 0 ? (
        <Notice>{t('Noch keine Angebote')}</Notice>
      ) : (
        <div className="stack">
          <SmallTable label={t('Angebote nach Status')}>
            <thead>
              <tr>
                <th scope="col">{t('Status')}</th>
                {[t('Anzahl'), t('Netto'), t('Brutto'), t('Noch abzurechnen'), t('Nach Chance')].map(
                  (head) => (
                    <th key={head} scope="col" className="cell-end">
                      {head}
                    </th>
                  ),
                )}
              </tr>
            </thead>
            <tbody>
              {angebote.map((row) => {
                const href = angeboteIn(row.stand)
                return (
                  <tr key={row.stand}>
                    <th scope="row">
                      <Badge tone={ANGEBOT_TONES[row.stand]}>{angebotStateText(row.stand)}</Badge>
                    </th>
                    <td className="cell-end nums">
                      <a href={href}>{formatNumber(row.anzahl)}</a>
                    </td>
                    <Amount value={row.netto} href={href} />
                    <Amount value={row.brutto} href={href} />
                    <Amount value={row.rest} href={href} />
                    <Amount value={row.gewichtet} href={href} />
                  </tr>
                )
              })}
            </tbody>
          </SmallTable>
          <p className="soft">
            {t(
              'Angenommene zählen mit dem, was beauftragt ist. Offene zählen nach ihrer Chance; ohne Angabe ' +
                'gilt die Hälfte. Beides brutto.',
            )}
          </p>
        </div>
      )}
    </Card>
  )
}
