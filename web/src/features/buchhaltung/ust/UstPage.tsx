// /buchhaltung/umsatzsteuer: the figures of the Umsatzsteuer-Voranmeldung of a month or quarter as far as our own
// documents and received invoices make them, each leading to its documents. For apus_admin and auditors.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { InputTaxRow, UstRow } from '#contract/ust.ts'
import { FORMS } from '#domain/ust/kennzahlen.ts'
import { type AdvanceReturn, advanceReturn, type Figure } from '#domain/ust/return.ts'
import { useHasRole } from '../../../data/session.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card, Notice } from '../../../ui/Display.tsx'
import { saveFile } from '../../../ui/export/save-file.ts'
import { SelectField } from '../../../ui/Field.tsx'
import { Page, Toolbar } from '../../../ui/Page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { today } from '../../../ui/today.ts'
import { useView } from '../../../ui/view.tsx'
import '../buchhaltung.css'
import { daysOf, PARTS, parsePeriod, type ReturnPeriod } from './period.ts'
import { UstDocuments } from './UstDocuments.tsx'
import { UstFigures } from './UstFigures.tsx'
import { MOST_WAITING, ustQuery } from './ust.data.ts'
import { ownDocument, periodName, receivedDocument, restWords, type ReturnDocument } from './ust-words.ts'
import './ust.css'

export function UstPage() {
  const { search } = useView()
  const period = parsePeriod(search, today())
  const query = useQuery({ ...ustQuery(daysOf(period)), placeholderData: keepPreviousData })
  const { data, isPlaceholderData } = query
  const found = data && advanceReturn(period.year, data.rows, data.received)
  return (
    <Page
      subtitle={t('Umsatzsteuer-Voranmeldung: was eigene und Eingangsrechnungen dazu beitragen')}
      actions={found && !isPlaceholderData && <PageButtons found={found} period={period} />}
    >
      <Choice period={period} />
      {FORMS[period.year] === undefined ? (
        <Card>
          <EmptyState
            icon="calendar"
            title={t('Den Vordruck für {jahr} kennt Forstkontor nicht', { jahr: period.year })}
          >
            {t('Seine Kennzahlen sind noch nicht hinterlegt. Bitte wählen Sie ein anderes Jahr.')}
          </EmptyState>
        </Card>
      ) : found && data ? (
        <div className="stack" aria-busy={isPlaceholderData}>
          {[...new Set(data.ways)].map((way) => (
            <Explained key={way} besteuerung={way} hasChanged={data.changed} />
          ))}
          <Waiting count={data.waiting} />
          <Return found={found} period={period} />
        </div>
      ) : query.isError ? (
        <Card>
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        </Card>
      ) : (
        <Card>
          <Skeleton lines={10} />
        </Card>
      )}
    </Page>
  )
}

/** Known forms, and the year of today, which may have none yet. */
function yearOptions(current: string) {
  const years = new Set([...Object.keys(FORMS), today().slice(0, 4), current])
  return [...years].toSorted().map((year) => ({ value: year, label: year }))
}

function Choice({ period: { year, part } }: { period: ReturnPeriod }) {
  const view = useView()
  const set = (change: Readonly<Record<string, string>>) =>
    view.setSearch({ jahr: year, zeitraum: part, kz: undefined, ...change }, { replace: true })
  return (
    <Toolbar label={t('Zeitraum der Voranmeldung')}>
      <SelectField
        label={t('Jahr')}
        value={year}
        options={yearOptions(year)}
        onChange={({ target }) => set({ jahr: target.value })}
      />
      <SelectField
        label={t('Zeitraum')}
        value={part}
        options={PARTS.map((value) => ({ value, label: periodName(year, value) }))}
        onChange={({ target }) => set({ zeitraum: target.value })}
      />
    </Toolbar>
  )
}

function PageButtons({ found, period }: { found: AdvanceReturn<UstRow, InputTaxRow>; period: ReturnPeriod }) {
  const { von, bis } = daysOf(period)
  const save = async () => {
    const [{ csvFile }, { ustTable }] = await Promise.all([
      import('../../../ui/export/csv.ts'),
      import('./ust-file.ts'),
    ])
    saveFile(csvFile(ustTable(t('Umsatzsteuer'), found)), `${t('Umsatzsteuer')}_${von}_${bis}.csv`)
  }
  return (
    <>
      <Button icon="download" onClick={() => void save()}>
        {t('CSV')}
      </Button>
      <Button icon="file" onClick={() => window.print()}>
        {t('Drucken')}
      </Button>
    </>
  )
}

function Explained({ besteuerung, hasChanged }: { besteuerung: 'soll' | 'ist'; hasChanged: boolean }) {
  const mayChange = useHasRole('apus_admin')
  return (
    <Notice
      title={
        besteuerung === 'ist'
          ? t('Nach vereinnahmten Entgelten (Ist, § 20 UStG)')
          : t('Nach vereinbarten Entgelten (Soll, § 16 Abs. 1 UStG)')
      }
    >
      {besteuerung === 'ist'
        ? t(
            'Eine Rechnung zählt, wenn sie bezahlt wird; eine Teilzahlung wird nach Steuersätzen aufgeteilt. ' +
              'Leistungen an Unternehmer in der EU zählen mit der Leistung.',
          )
        : t(
            'Eine Rechnung zählt im Monat der Leistung, vorher Bezahltes mit der Zahlung. Skonto, Ausfall, ' +
              'Storno und Korrektur mindern den Monat, in dem sie geschehen (§ 17 UStG).',
          )}{' '}
      {hasChanged &&
        `${t('Leistungen vor einem Wechsel zählen, wie es an ihrem Tag galt (§ 20 Satz 3 UStG).')} `}
      {mayChange && <a href="/buchhaltung/einstellungen">{t('In den Einstellungen ändern')}</a>}
    </Notice>
  )
}

/** The documents behind a figure; undefined: there is no such figure. */
function documentsOf({ figures, owed, deducted }: AdvanceReturn<UstRow, InputTaxRow>, nr: string) {
  const pick = <Row,>(of: readonly Figure<Row>[], document: (row: Row) => ReturnDocument) =>
    of
      .filter(({ kennzahl }) => kennzahl.nr === nr)
      .map(({ basis, tax, rows }) => ({ nr, basis, tax, rows: rows.map(document) }))
  return [
    ...pick(figures, ownDocument),
    ...pick(owed, receivedDocument('steuer')),
    ...pick(deducted, receivedDocument('abzug')),
  ][0]
}

/** Invoices that may belong to the period and do not count yet. */
function Waiting({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <Notice tone="warning" title={t('Eingangsrechnungen warten auf die Freigabe')}>
      {t('Sie zählen noch nicht.')}{' '}
      <a href="/buchhaltung/eingang?stand=neu">
        {count === 1
          ? t('1 Rechnung ansehen')
          : count === MOST_WAITING
            ? t('{n} Rechnungen oder mehr ansehen', { n: count })
            : t('{n} Rechnungen ansehen', { n: count })}
      </a>
    </Notice>
  )
}

function Return({ found, period }: { found: AdvanceReturn<UstRow, InputTaxRow>; period: ReturnPeriod }) {
  const view = useView()
  const name = periodName(period.year, period.part)
  const chosen = view.search['kz'] ?? ''
  const figure = documentsOf(found, chosen)
  const rest = found.rests.find(({ reason }) => reason === chosen)
  const link = (kz: string): string =>
    `?${new URLSearchParams({ jahr: period.year, zeitraum: period.part, kz }).toString()}`
  const isEmpty =
    found.rests.length === 0 &&
    [...found.figures, ...found.owed, ...found.deducted].every(({ rows }) => rows.length === 0)
  return (
    <>
      {isEmpty && (
        <Notice title={t('In diesem Zeitraum gibt es keine Umsätze')}>
          {t('Entwürfe zählen nicht. Fehlt etwas, sehen Sie bitte nach dem Leistungsdatum der Rechnung.')}
        </Notice>
      )}
      {found.rests.map(({ reason, rows }) => {
        const [title, text] = restWords(reason)
        return (
          <Notice key={reason} tone={reason === 'unklar' ? 'warning' : 'info'} title={title}>
            {text}{' '}
            <a href={link(reason)}>
              {rows.length === 1 ? t('1 Beleg') : t('{n} Belege', { n: rows.length })}
            </a>
          </Notice>
        )
      })}
      <UstFigures found={found} title={t('Kennzahlen für {zeitraum}', { zeitraum: name })} link={link} />
      {figure && (
        <UstDocuments
          title={t('Belege zu Kennzahl {nr}', { nr: figure.nr })}
          basis={figure.basis}
          tax={figure.tax}
          rows={figure.rows}
        />
      )}
      {rest && (
        <UstDocuments
          title={restWords(rest.reason)[0]}
          basis={rest.basis}
          tax={rest.tax}
          rows={rest.rows.map(ownDocument)}
        />
      )}
      <p className="soft">{FORMS[period.year]?.source}</p>
    </>
  )
}
