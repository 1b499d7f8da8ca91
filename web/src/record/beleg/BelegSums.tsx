// The sums of a document with its tax groups.
import type { BelegSums as Sums, TaxCategory } from '#domain/beleg.ts'
import { decimal, formatEuro, formatGerman, negateText, sign } from '#domain/geld.ts'
import { isSurcharge } from '#domain/rechnung.ts'
import { t } from '../../ui/text.ts'
import './beleg-parts.css'

/** Why no tax is added: reverse charge differs from exempt. */
function taxFree(category: TaxCategory, basis: string): string {
  if (category === 'AE') return t('Steuer schuldet der Empfänger: {basis}', { basis })
  return category === 'O' ? t('nicht steuerbar: {basis}', { basis }) : t('steuerfrei: {basis}', { basis })
}

const discountName = (percent: string): string =>
  isSurcharge(percent)
    ? t('Zuschlag {prozent} %', { prozent: formatGerman(decimal(negateText(percent))) })
    : t('Rabatt {prozent} %', { prozent: formatGerman(decimal(percent)) })

export function BelegSums({
  summen,
  rabatt_prozent = '0',
  live = false,
}: {
  summen: Sums
  rabatt_prozent?: string
  live?: boolean
}) {
  const lines: (readonly [name: string, value: string, strong?: boolean])[] = []
  if (sign(decimal(summen.rabatt)) !== 0)
    lines.push(
      [t('Summe der Positionen'), summen.positionen],
      [discountName(rabatt_prozent), negateText(summen.rabatt)],
    )
  lines.push([t('Netto'), summen.netto])
  for (const { kategorie, satz, basis, steuer } of summen.steuern)
    lines.push([
      kategorie === 'S'
        ? t('{satz} % USt auf {basis}', { satz: formatGerman(decimal(satz)), basis: formatEuro(basis) })
        : taxFree(kategorie, formatEuro(basis)),
      steuer,
    ])
  lines.push([t('Brutto'), summen.brutto, true])
  if (sign(decimal(summen.anzahlung)) !== 0)
    lines.push([t('Anzahlung'), negateText(summen.anzahlung)], [t('Zu zahlen'), summen.zahlbetrag, true])
  return (
    <dl className="beleg-summen" aria-label={t('Summen')} aria-live={live ? 'off' : undefined}>
      {lines.map(([name, value, strong]) => (
        <div key={name} className={strong ? 'beleg-summen-strong' : undefined}>
          <dt>{name}</dt>
          <dd>{formatEuro(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
