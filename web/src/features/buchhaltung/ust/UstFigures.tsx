// The figures of the form, by its groups. What our own documents do not make stands there by name.
import type { UstRow } from '#contract/ust.ts'
import { type Decimal, formatEuro, formatGerman, isEqual } from '#domain/geld.ts'
import type { KennzahlGroup } from '#domain/ust/kennzahlen.ts'
import type { AdvanceReturn, Figure } from '#domain/ust/return.ts'
import { Card } from '../../../ui/Display.tsx'
import { SmallTable } from '../../../ui/SmallTable.tsx'
import { t } from '../../../ui/text.ts'
import { groupTitle, kennzahlName, kennzahlNumber } from './ust-words.ts'

const GROUPS: readonly KennzahlGroup[] = ['steuerpflichtig', 'steuerfrei', 'ergaenzend']
type Link = (kz: string) => string
/** With a soft hyphen: the word is wider than its figures on a phone. */
const baseTitle = (): string => t('Bemessungsgrundlage').replace('sgrund', 's\u00ADgrund')

export function UstFigures({
  found,
  title,
  link,
}: {
  found: AdvanceReturn<UstRow>
  title: string
  link: Link
}) {
  const received = found.figures.filter(({ kennzahl }) => kennzahl.group === 'eingang')
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
            {GROUPS.map((group) => (
              <tbody key={group}>
                <tr>
                  <th scope="rowgroup" colSpan={4} className="ust-group">
                    {groupTitle(group)}
                  </th>
                </tr>
                {found.figures
                  .filter(({ kennzahl }) => kennzahl.group === group)
                  .map((figure) => (
                    <FigureRow key={figure.kennzahl.nr} figure={figure} link={link} />
                  ))}
              </tbody>
            ))}
            <tfoot>
              <tr>
                <th scope="row" colSpan={2}>
                  {t('Umsatzsteuer')}
                </th>
                <td className="cell-end nums">
                  {formatEuro(found.formTax)}
                  <ByDocuments value={found.tax} shown={found.formTax} />
                </td>
                <td className="cell-end soft ust-wide">–</td>
              </tr>
            </tfoot>
          </SmallTable>
        </div>
        <p className="soft">
          {t(
            'Bemessungsgrundlagen stehen im Formular in vollen Euro ohne Cent; bei 19 % und 7 % rechnet das ' +
              'Formular die Steuer daraus. Darunter steht, was die Belege auf den Cent ergeben.',
          )}
        </p>
        <section aria-label={t('Nicht aus Forstkontor')}>
          <h3 className="ust-title">{t('Nicht aus Forstkontor')}</h3>
          <p className="soft">
            {t(
              'Eingangsrechnungen werden hier noch nicht geführt. Diese Kennzahlen ergänzt die Steuerberatung.',
            )}
          </p>
          <ul className="ust-missing">
            {received.map(({ kennzahl }) => (
              <li key={kennzahl.nr}>
                <strong className="nums">{kennzahlNumber(kennzahl)}</strong> {kennzahlName(kennzahl)}
              </li>
            ))}
          </ul>
        </section>
      </div>
    </Card>
  )
}

/** What the documents make, where the form shows something else. */
const ByDocuments = ({ value, shown }: { value: Decimal; shown: Decimal }) =>
  isEqual(value, shown) ? null : (
    <span className="ust-exact">{t('laut Belegen {betrag}', { betrag: formatEuro(value) })}</span>
  )
const tone = (value: Decimal): string =>
  value.wert < 0n ? 'cell-end nums buch-minus' : value.wert === 0n ? 'cell-end nums soft' : 'cell-end nums'

function FigureRow({ figure, link }: { figure: Figure<UstRow>; link: Link }) {
  const { kennzahl, basis, tax, formBasis, formTax, rows } = figure
  const number = kennzahlNumber(kennzahl)
  const hasTax = kennzahl.group === 'steuerpflichtig'
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
        {`${formatGerman(formBasis)}\u00A0€`}
        <ByDocuments value={basis} shown={formBasis} />
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
            aria-label={t('{n} Belege zu Kennzahl {nr}', { n: rows.length, nr: kennzahl.nr })}
          >
            {rows.length}
          </a>
        )}
      </td>
    </tr>
  )
}
