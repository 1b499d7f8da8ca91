// The figures of the form, by its groups, and what is to be paid.
import type { InputTaxRow, UstRow } from '#contract/ust.ts'
import { type Decimal, formatEuro, formatGerman, isEqual } from '#domain/geld.ts'
import type { AdvanceReturn, Figure } from '#domain/ust/return.ts'
import { Card } from '../../../ui/Display.tsx'
import { SmallTable } from '../../../ui/SmallTable.tsx'
import { t } from '../../../ui/text.ts'
import { groupTitle, kennzahlName, kennzahlNumber } from './ust-words.ts'

type Link = (kz: string) => string
type Found = AdvanceReturn<UstRow, InputTaxRow>
/** With a soft hyphen: the word is wider than its figures on a phone. */
const baseTitle = (): string => t('Bemessungsgrundlage').replace('sgrund', 's\u00ADgrund')

/** The groups of the form with their figures. */
const groupsOf = ({ figures, owed, deducted }: Found) =>
  [...Map.groupBy([...figures, ...owed, ...deducted], ({ kennzahl }) => kennzahl.group)] as const

export function UstFigures({ found, title, link }: { found: Found; title: string; link: Link }) {
  return (
    <Card title={title}>
      <div className="stack">
        <div className="ust-table">
          <SmallTable label={title}>
            <thead>
              <tr>
                <th scope="col">{t('Kennzahl')}</th>
                <th scope="col" className="cell-end">
                  {baseTitle()}
                </th>
                <th scope="col" className="cell-end">
                  {t('Steuer')}
                </th>
                <th scope="col" className="cell-end ust-wide">
                  {t('Belege')}
                </th>
              </tr>
            </thead>
            {groupsOf(found).map(([group, figures]) => (
              <tbody key={group}>
                <tr>
                  <th scope="rowgroup" colSpan={4} className="ust-group">
                    {groupTitle(group)}
                  </th>
                </tr>
                {figures.map((figure) => (
                  <FigureRow key={figure.kennzahl.nr} figure={figure} link={link} />
                ))}
              </tbody>
            ))}
            <tfoot>
              <Total title={t('Umsatzsteuer')} shown={found.formTax} value={found.tax} />
              <Total title={t('Vorsteuer')} shown={found.inputTax} value={found.inputTax} />
              <Total
                title={
                  found.formDue.wert < 0n ? t('Überschuss (Kennzahl 83)') : t('Vorauszahlung (Kennzahl 83)')
                }
                shown={found.formDue}
                value={found.due}
              />
            </tfoot>
          </SmallTable>
        </div>
        <p className="soft">
          {t(
            'Bemessungsgrundlagen stehen im Formular in vollen Euro ohne Cent; bei 19 % und 7 % rechnet das ' +
              'Formular die Steuer daraus. Darunter steht, was die Belege auf den Cent ergeben.',
          )}
        </p>
        <p className="soft">
          {t(
            'Eingangsrechnungen zählen, sobald sie freigegeben sind. Einfuhrumsatzsteuer, ' +
              'Sondervorauszahlung und Berichtigungen nach § 15a UStG ergänzt die Steuerberatung.',
          )}
        </p>
      </div>
    </Card>
  )
}

const Total = ({ title, shown, value }: { title: string; shown: Decimal; value: Decimal }) => (
  <tr>
    <th scope="row" colSpan={2}>
      {title}
    </th>
    <td className="cell-end nums">
      {formatEuro(shown)}
      <ByDocuments value={value} shown={shown} />
    </td>
    <td className="cell-end soft ust-wide">–</td>
  </tr>
)

/** What the documents make, where the form shows something else. */
const ByDocuments = ({ value, shown }: { value: Decimal; shown: Decimal }) =>
  isEqual(value, shown) ? null : (
    <span className="ust-exact">{t('laut Belegen {betrag}', { betrag: formatEuro(value) })}</span>
  )
const tone = (value: Decimal): string =>
  value.wert < 0n ? 'cell-end nums buch-minus' : value.wert === 0n ? 'cell-end nums soft' : 'cell-end nums'

function FigureRow({ figure, link }: { figure: Figure<unknown>; link: Link }) {
  const { kennzahl, basis, tax, formBasis, formTax, rows } = figure
  const number = kennzahlNumber(kennzahl)
  const hasTax = kennzahl.group !== 'steuerfrei' && kennzahl.group !== 'ergaenzend'
  const hasBasis = kennzahl.group !== 'vorsteuer'
  return (
    <tr>
      <th scope="row" className="ust-name">
        <span className="ust-figure">
          <span className="ust-nr nums">
            {rows.length === 0 ? number : <a href={link(kennzahl.nr)}>{number}</a>}
          </span>{' '}
          <span className="ust-what">{kennzahlName(kennzahl)}</span>
        </span>
      </th>
      <td className={tone(formBasis)}>
        {hasBasis ? `${formatGerman(formBasis)}\u00A0€` : '–'}
        {hasBasis && <ByDocuments value={basis} shown={formBasis} />}
      </td>
      <td className={tone(formTax)}>
        {hasTax ? formatEuro(formTax) : '–'}
        {hasTax && <ByDocuments value={tax} shown={formTax} />}
      </td>
      <td className="cell-end nums ust-wide">
        {rows.length === 0 ? (
          <span className="soft">0</span>
        ) : (
          <a
            href={link(kennzahl.nr)}
            aria-label={
              rows.length === 1
                ? t('1 Beleg zu Kennzahl {nr}', { nr: kennzahl.nr })
                : t('{n} Belege zu Kennzahl {nr}', { n: rows.length, nr: kennzahl.nr })
            }
          >
            {rows.length}
          </a>
        )}
      </td>
    </tr>
  )
}
