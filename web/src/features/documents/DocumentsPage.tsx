// /dokumente/index: offers and invoices issued to the user's own customers, for their admins.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { add, decimal, formatEuro, NULL, sign } from '#domain/geld.ts'
import { countText, ListCard, useList } from '../../list/ListPage.tsx'
import { arrayQuery } from '../../list/use-list-rows.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Display.tsx'
import { Page } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'
import { todoOf } from './document-words.ts'
import { documentsOf, type Kunde } from './documents-list.tsx'
import { type CustomerDocument, hrefOf } from './documents.data.ts'
import './documents.css'

const BARE = documentsOf([])
const NONE: readonly CustomerDocument[] = []

const kundenIn = (rows: readonly CustomerDocument[]): Kunde[] =>
  [...new Map(rows.map(({ client_id, kunde }) => [client_id, kunde]))]
    .map(([id, name]) => ({ id, name }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'de'))

export function DocumentsPage() {
  const known = useQuery(arrayQuery(BARE)).data ?? NONE
  const joined = JSON.stringify(kundenIn(known))
  const list = useMemo(() => documentsOf(JSON.parse(joined) as Kunde[]), [joined])
  const model = useList(list)
  return (
    <Page subtitle={countText(model)}>
      <Todo rows={known} onShow={(act) => model.setFilter('tun', act)} />
      <ListCard model={model} />
    </Page>
  )
}

/** What needs doing, in one sentence each, with a link. */
function Todo({ rows, onShow }: { rows: readonly CustomerDocument[]; onShow: (act: string) => void }) {
  const waiting = rows.filter((row) => todoOf(row) === 'antworten')
  const answers = waiting.length
  const bills = rows.filter((row) => todoOf(row) === 'zahlen' && sign(decimal(row.offen)) > 0)
  const late = bills.some(({ stand }) => stand === 'ueberfaellig')
  const open = bills.reduce((sum, { offen }) => add(sum, decimal(offen)), NULL)
  if (answers === 0 && bills.length === 0) return null
  return (
    <div className="dok-todo">
      {answers > 0 && (
        <Notice
          tone="info"
          title={
            answers === 1
              ? t('1 Angebot wartet auf Ihre Antwort')
              : t('{n} Angebote warten auf Ihre Antwort', { n: answers })
          }
          actions={
            answers === 1 ? (
              <ButtonLink variant="primary" href={hrefOf(waiting[0]!)}>
                {t('Ansehen und antworten')}
              </ButtonLink>
            ) : (
              <Button onClick={() => onShow('antworten')}>{t('Ansehen und antworten')}</Button>
            )
          }
        >
          {t('Sie können gleich hier annehmen oder ablehnen.')}
        </Notice>
      )}
      {bills.length > 0 && (
        <Notice
          tone={late ? 'warning' : 'info'}
          title={
            bills.length === 1
              ? t('1 Rechnung ist offen: {betrag}', { betrag: formatEuro(open) })
              : t('{n} Rechnungen sind offen: {betrag}', { n: bills.length, betrag: formatEuro(open) })
          }
          actions={<Button onClick={() => onShow('zahlen')}>{t('Offene Rechnungen zeigen')}</Button>}
        >
          {t('IBAN und GiroCode für die Überweisung stehen auf der Rechnung (PDF).')}
        </Notice>
      )}
    </div>
  )
}
