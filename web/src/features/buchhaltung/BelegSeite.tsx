// One document, draft or issued, with the real PDF beside its data. What belongs to invoices or offers alone comes from their pages: facts, acts, cards.
import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Beleg } from '#domain/beleg.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Badge, Card, type Fact, Facts, fact, DateText, type Tone } from '../../ui/Display.tsx'
import { Page } from '../../ui/Page.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import './beleg.css'
import { type BelegDetails, type BelegKey, vorschauQuery } from './beleg.data.ts'
import { BelegLaden } from './BelegLaden.tsx'
import { BelegBild, BelegDateien, BelegPositionen, BelegProtokoll, BelegTexte } from './BelegTeile.tsx'
import type { Sorte } from './sorten.ts'

export interface BelegArt<Row extends BelegDetails> {
  readonly sorte: Sorte
  readonly query: (id: string) => UseQueryOptions<Row, Error, Row, BelegKey>
  readonly name: (row: Row) => string
  readonly isDraft: (row: Row) => boolean
  readonly stand: (row: Row) => { readonly text: string; readonly tone: Tone }
  /** An e-invoice goes with it, if its format has one. */
  readonly hasXml: boolean
  /** `beleg`: as it was issued, or would be now; undefined while it is fetched. */
  readonly facts: (row: Row, beleg: Beleg | undefined) => readonly Fact[]
  /** Buttons of what can be done with an issued one. */
  readonly acts: (row: Row) => ReactNode
  /** Cards between texts and history, one below the other. */
  readonly cards: (row: Row) => ReactNode
}

export function BelegSeite<Row extends BelegDetails>({ art }: { art: BelegArt<Row> }) {
  const { params } = useView()
  const id = params['id'] ?? ''
  const query = useQuery(art.query(id))
  return (
    <BelegLaden query={query} sorte={art.sorte} id={id}>
      {(row) => <Ansicht key={id} id={id} art={art} row={row} />}
    </BelegLaden>
  )
}

function Ansicht<Row extends BelegDetails>({ id, art, row }: { id: string; art: BelegArt<Row>; row: Row }) {
  const { sorte } = art
  const beleg = useQuery(vorschauQuery(sorte.sorte, id, row.version))
  const name = art.name(row)
  const isDraft = art.isDraft(row)
  const stand = art.stand(row)
  return (
    <Page
      title={name}
      record={row.nummer ?? t('Entwurf')}
      subtitle={
        <>
          {row.kunde} <Badge tone={stand.tone}>{stand.text}</Badge>
          {row.archiviert && <Badge>{t('Archiv')}</Badge>}
        </>
      }
      actions={
        <>
          <BelegDateien sorte={sorte.sorte} id={id} name={name} xml={art.hasXml && !isDraft && beleg.data?.format !== 'pdf'} />
          {isDraft ? (
            <ButtonLink variant="primary" icon="edit" href={sorte.draft(id)}>
              {t('Bearbeiten')}
            </ButtonLink>
          ) : (
            art.acts(row)
          )}
        </>
      }
    >
      <div className="beleg-two">
        <div className="stack">
          <Card title={t('Kopf')}>
            <Facts facts={art.facts(row, beleg.data)} />
          </Card>
          {beleg.isPending ? (
            <Card>
              <Skeleton lines={6} />
            </Card>
          ) : beleg.isError ? (
            <Card>
              <ErrorState error={beleg.error} onRetry={() => void beleg.refetch()} />
            </Card>
          ) : (
            <>
              <BelegPositionen beleg={beleg.data} />
              <BelegTexte beleg={beleg.data} />
            </>
          )}
          {art.cards(row)}
          <BelegProtokoll sorte={sorte.sorte} id={id} />
        </div>
        <BelegBild sorte={sorte.sorte} id={id} version={row.version} name={name} />
      </div>
    </Page>
  )
}

/** When it was issued, and by whom; nothing of a draft. */
export const issuedFact = ({ ausgestellt_am, ausgestellt_von }: BelegDetails): readonly Fact[] =>
  ausgestellt_am === null
    ? []
    : [
        fact(
          t('Ausgestellt'),
          <>
            <DateText value={ausgestellt_am} time /> {ausgestellt_von}
          </>,
        ),
      ]
