// /buchhaltung/offene-posten/konto/$id: what moved a customer's account between two days, and the balance after
// each movement. To be printed and sent when a customer asks what is still open.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountLine, CustomerAccount } from '#contract/zahlung.ts'
import { isDay } from '#domain/day.ts'
import { formatEuro } from '#domain/geld.ts'
import { ApiError } from '../../../data/api-error.ts'
import { mahnLevelText } from '../../../record/beleg/beleg-states.ts'
import { Card, DateText } from '../../../ui/Display.tsx'
import { formatDate } from '../../../ui/format.ts'
import { Page } from '../../../ui/Page.tsx'
import { HeadRow, SmallTable } from '../../../ui/SmallTable.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { today } from '../../../ui/today.ts'
import { useView } from '../../../ui/view.tsx'
import { type DayRange, dayRangeOf, Period, yearOf } from '../audit/Period.tsx'
import '../buchhaltung.css'
import { accountQuery } from './account.data.ts'

export function AccountPage() {
  const view = useView()
  const { id = '' } = view.params
  const [from, bis] = [view.search['von'] ?? '', view.search['bis'] ?? '']
  const [text, setText] = useState(() =>
    isDay(from) && isDay(bis) ? { von: formatDate(from), bis: formatDate(bis) } : yearOf(today(), 0),
  )
  const days = dayRangeOf(text)
  /** The last period that could be read. */
  const [shown, setShown] = useState<DayRange>(() => days ?? dayRangeOf(yearOf(today(), 0))!)
  const query = useQuery(accountQuery(id, shown))
  const change = (next: typeof text) => {
    setText(next)
    const range = dayRangeOf(next)
    if (range === null) return
    setShown(range)
    view.setSearch({ ...range }, { replace: true })
  }
  return (
    <Page
      record={query.data?.kunde}
      subtitle={t('Kundenkonto vom {von} bis {bis}', {
        von: formatDate(shown.von),
        bis: formatDate(shown.bis),
      })}
    >
      <Period value={text} today={today()} onChange={change} />
      {query.isPending ? (
        <Skeleton lines={8} />
      ) : query.isError && query.error instanceof ApiError && query.error.code === 'not_found' ? (
        <EmptyState icon="people" title={t('Diesen Kunden gibt es in der Buchhaltung nicht')} />
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Account account={query.data} days={shown} />
      )}
    </Page>
  )
}

function Account({ account, days }: { account: CustomerAccount; days: DayRange }) {
  const { anfang, ende, gebuehren, pauschalen, zeilen } = account
  return (
    <Card flush>
      <SmallTable label={t('Kundenkonto')}>
        <HeadRow titles={[t('Datum'), t('Vorgang'), t('Betrag'), t('Saldo')]} left={[0, 1]} />
        <tbody>
          <Balance day={days.von} name={t('Anfangssaldo')} value={anfang} />
          {zeilen.map((line) => (
            <tr key={`${line.art} ${line.rechnung_id} ${line.datum} ${line.saldo} ${line.stufe}`}>
              <td>
                <DateText value={line.datum} />
              </td>
              <td>
                <Movement line={line} />
              </td>
              <td className="cell-end nums">{line.art !== 'mahnung' && formatEuro(line.betrag)}</td>
              <BalanceCell value={line.saldo} />
            </tr>
          ))}
          <Balance day={days.bis} name={t('Endsaldo')} value={ende} />
        </tbody>
      </SmallTable>
      <p className="soft buch-foot">
        {zeilen.length === 0 && `${t('In diesem Zeitraum gab es keine Bewegung.')} `}
        {t('Ein Saldo über null ist noch zu zahlen, einer unter null ist ein Guthaben des Kunden.')}{' '}
        {Number(gebuehren) > 0 &&
          t('Mahngebühren von {betrag} sind darin nicht enthalten.', { betrag: formatEuro(gebuehren) })}{' '}
        {(Number(pauschalen) > 0 || zeilen.some(({ zinsen }) => Number(zinsen) > 0)) &&
          t('Verzugszinsen und Verzugspauschalen der Mahnungen auch nicht.')}
      </p>
    </Card>
  )
}

const BalanceCell = ({ value }: { value: string }) => (
  <td className={value.startsWith('-') ? 'cell-end nums buch-minus' : 'cell-end nums'}>
    {formatEuro(value)}
  </td>
)

function Balance({ day, name, value }: { day: string; name: string; value: string }) {
  return (
    <tr>
      <td>
        <DateText value={day} />
      </td>
      <th scope="row" colSpan={2}>
        {name}
      </th>
      <BalanceCell value={value} />
    </tr>
  )
}

/** Fee, interest and lump sum of a reminder, as far as it demands them. */
const extrasOf = ({ gebuehr, zinsen, pauschale }: AccountLine): string =>
  [
    Number(gebuehr) > 0 && t('Gebühr {betrag}', { betrag: formatEuro(gebuehr ?? '0.00') }),
    Number(zinsen) > 0 && t('Zinsen {betrag}', { betrag: formatEuro(zinsen ?? '0.00') }),
    Number(pauschale) > 0 && t('Pauschale {betrag}', { betrag: formatEuro(pauschale ?? '0.00') }),
  ]
    .filter(Boolean)
    .map((extra) => `, ${extra}`)
    .join('')

function movementText(line: AccountLine): string {
  const { art, nummer, faellig, stufe, kosten } = line
  switch (art) {
    case 'rechnung':
      return t('Rechnung {nummer}, fällig am {tag}', { nummer, tag: formatDate(faellig) })
    case 'abschlag':
      return t('Abschlagsrechnung {nummer}, fällig am {tag}', { nummer, tag: formatDate(faellig) })
    case 'schluss':
      return t('Schlussrechnung {nummer}, fällig am {tag}', { nummer, tag: formatDate(faellig) })
    case 'verrechnung':
      return t('Rest von {nummer} in der Schlussrechnung', { nummer })
    case 'storno':
      return t('Storno {nummer}', { nummer })
    case 'korrektur':
      return t('Korrektur {nummer}', { nummer })
    case 'zahlung':
      return t('Zahlung zu {nummer}', { nummer })
    case 'rueckzahlung':
      return t('Rückzahlung zu {nummer}', { nummer })
    case 'skonto':
      return t('Skonto zu {nummer}', { nummer })
    case 'ausfall':
      return t('Ausfall zu {nummer}', { nummer })
    case 'mahnkosten':
      return t('{betrag} Mahnkosten zu {nummer} bezahlt', { betrag: formatEuro(kosten ?? '0.00'), nummer })
    case 'mahnung':
      return `${t('{stufe} zu {nummer}', { stufe: mahnLevelText(stufe ?? 1), nummer })}${extrasOf(line)}`
  }
}

const Movement = ({ line }: { line: AccountLine }) => (
  <a href={`/buchhaltung/rechnungen/rechnung/${line.rechnung_id}`}>{movementText(line)}</a>
)
