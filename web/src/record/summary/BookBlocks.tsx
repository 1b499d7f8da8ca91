// What was billed and offered to a customer, and of what they were reminded.
import type { KundeBooks, SummaryInvoice } from '#contract/summary.ts'
import { formatEuro } from '#domain/geld.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Badge } from '../../ui/Display.tsx'
import { formatDate } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import {
  ANGEBOT_TONES,
  angebotStateText,
  mahnLevelText,
  RECHNUNG_TONES,
  rechnungStateText,
  stateForCustomer,
} from '../beleg/beleg-states.ts'
import { Block, Row } from './Block.tsx'
import type { KundePlaces } from './kunde-places.ts'

interface Props {
  books: KundeBooks
  places: KundePlaces
}

const isUnpaid = ({ stand }: SummaryInvoice) => ['offen', 'teilbezahlt', 'ueberfaellig'].includes(stand)

export function Invoices({ books, places }: Props) {
  const { rechnungen, sicht } = books
  return (
    <Block
      title={t('Letzte Rechnungen')}
      count={rechnungen.anzahl}
      all={places.invoices()}
      also={places.account === undefined ? undefined : { href: places.account, text: t('Kundenkonto') }}
      empty={t('Noch keine Rechnung.')}
      next={
        sicht === 'buchhaltung' && (
          <ButtonLink size="small" icon="plus" href={places.newInvoice}>
            {t('Rechnung schreiben')}
          </ButtonLink>
        )
      }
    >
      {rechnungen.zeilen.map((row) => (
        <Row
          key={row.id}
          href={places.invoice(row.id)}
          name={row.nummer ?? t('Entwurf vom {tag}', { tag: formatDate(row.datum) })}
          badges={
            <Badge tone={RECHNUNG_TONES[row.stand]}>
              {(sicht === 'kunde' ? stateForCustomer : rechnungStateText)(row.stand)}
            </Badge>
          }
          value={formatEuro(row.betrag)}
          more={
            row.faellig === null
              ? formatDate(row.datum)
              : t('{tag}, fällig am {faellig}', {
                  tag: formatDate(row.datum),
                  faellig: formatDate(row.faellig),
                })
          }
          {...(isUnpaid(row) && { moreValue: t('offen {betrag}', { betrag: formatEuro(row.offen) }) })}
        />
      ))}
    </Block>
  )
}

export function Offers({ books, places }: Props) {
  const { angebote, sicht } = books
  return (
    <Block
      title={t('Offene Angebote')}
      count={angebote.anzahl}
      all={places.offers('stand=entwurf,versendet')}
      empty={t('Zurzeit ist kein Angebot offen.')}
      next={
        sicht === 'buchhaltung' && (
          <ButtonLink size="small" icon="plus" href={places.newOffer}>
            {t('Angebot schreiben')}
          </ButtonLink>
        )
      }
    >
      {angebote.zeilen.map((row) => (
        <Row
          key={row.id}
          href={places.offer(row.id)}
          name={row.nummer ?? t('Entwurf vom {tag}', { tag: formatDate(row.datum) })}
          badges={
            <Badge tone={ANGEBOT_TONES[row.stand]}>
              {(sicht === 'kunde' ? stateForCustomer : angebotStateText)(row.stand)}
            </Badge>
          }
          value={formatEuro(row.betrag)}
          more={
            row.gueltig_bis === null
              ? formatDate(row.datum)
              : t('{tag}, gültig bis {bis}', {
                  tag: formatDate(row.datum),
                  bis: formatDate(row.gueltig_bis),
                })
          }
        />
      ))}
    </Block>
  )
}

export function Reminders({ books: { mahnungen, ueberfaellig }, places }: Props) {
  if (mahnungen === null) return null
  return (
    <Block
      title={t('Letzte Mahnungen')}
      count={mahnungen.anzahl}
      all={places.reminders}
      allText={t('Überfälliges anzeigen')}
      empty={
        ueberfaellig.anzahl === 0
          ? t('Nichts ist überfällig, und gemahnt wurde noch nie.')
          : t('Noch nicht gemahnt.')
      }
      next={
        ueberfaellig.anzahl > 0 && (
          <ButtonLink size="small" icon="mail" href={places.reminders}>
            {t('Mahnung schreiben')}
          </ButtonLink>
        )
      }
    >
      {mahnungen.zeilen.map((row) => (
        <Row
          key={row.id}
          href={places.invoice(row.rechnung_id)}
          name={t('{stufe} zu {nummer}', { stufe: mahnLevelText(row.stufe), nummer: row.nummer })}
          value={formatDate(row.datum)}
          more={t('zu zahlen bis {tag}', { tag: formatDate(row.faellig) })}
          {...(Number(row.gebuehr) > 0 && {
            moreValue: t('Gebühr {betrag}', { betrag: formatEuro(row.gebuehr) }),
          })}
        />
      ))}
    </Block>
  )
}
