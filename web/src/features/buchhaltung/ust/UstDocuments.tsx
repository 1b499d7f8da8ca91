// The documents behind one figure, with what each adds to it and why. Opened by a link of the figure, so that it
// takes the focus.
import { useEffect, useRef } from 'react'
import { type Decimal, formatEuro } from '#domain/geld.ts'
import { Card, DateText } from '../../../ui/Display.tsx'
import { SmallTable } from '../../../ui/SmallTable.tsx'
import { t } from '../../../ui/text.ts'
import type { ReturnDocument } from './ust-words.ts'

/** The file has all of them. */
const SHOWN = 300

const Amount = ({ value }: { value: string }) => (
  <td className={value.startsWith('-') ? 'cell-end nums buch-minus' : 'cell-end nums'}>
    {formatEuro(value)}
  </td>
)

export function UstDocuments({
  title,
  basis,
  tax,
  rows,
}: {
  title: string
  basis: Decimal
  tax: Decimal
  rows: readonly ReturnDocument[]
}) {
  const section = useRef<HTMLDivElement>(null)
  useEffect(() => {
    section.current?.focus()
    section.current?.scrollIntoView({ block: 'nearest' })
  }, [title])
  return (
    <div ref={section} tabIndex={-1} className="ust-table ust-documents">
      <Card title={title}>
        <div className="stack">
          <SmallTable label={title}>
            <thead>
              <tr>
                <th scope="col">{t('Beleg')}</th>
                {[t('Datum'), t('Kunde oder Lieferant'), t('Anlass'), t('Leistung')].map((head) => (
                  <th key={head} scope="col" className="ust-wide">
                    {head}
                  </th>
                ))}
                {[t('Netto'), t('Steuer')].map((head) => (
                  <th key={head} scope="col" className="cell-end">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, SHOWN).map((row) => (
                <tr key={row.key}>
                  <th scope="row" className="ust-name">
                    <a className="beleg-nummer" href={row.href}>
                      {row.nummer}
                    </a>
                    <span className="ust-narrow">
                      {row.name} · {row.anlass}
                    </span>
                  </th>
                  <td className="ust-wide">
                    <DateText value={row.datum} />
                  </td>
                  <td className="ust-name ust-wide">{row.name}</td>
                  <td className="ust-name ust-wide">{row.anlass}</td>
                  <td className="ust-wide">
                    <DateText value={row.leistung} />
                  </td>
                  <Amount value={row.basis} />
                  <Amount value={row.steuer} />
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">{t('Summe')}</th>
                <td className="soft ust-wide" colSpan={4}>
                  {rows.length === 1 ? t('1 Beleg') : t('{n} Belege', { n: rows.length })}
                </td>
                <td className="cell-end nums">{formatEuro(basis)}</td>
                <td className="cell-end nums">{formatEuro(tax)}</td>
              </tr>
            </tfoot>
          </SmallTable>
          {rows.length > SHOWN && (
            <p className="soft">
              {t('… und {n} weitere. Die CSV-Datei enthält alle.', { n: rows.length - SHOWN })}
            </p>
          )}
        </div>
      </Card>
    </div>
  )
}
