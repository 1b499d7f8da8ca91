// One document, draft or issued, with the real PDF beside its data. Facts, actions and cards specific to
// invoices or offers come from their own pages.
import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Beleg } from '#domain/beleg.ts'
import { useHasRole } from '../../data/session.ts'
import { NotesCard } from '../../record/notes/notes-tab.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { Badge, Card, type Fact, Facts, fact, DateText, type Tone } from '../../ui/Display.tsx'
import { Page } from '../../ui/Page.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import './beleg.css'
import { type BelegDetails, type BelegKey, previewQuery } from './beleg.data.ts'
import { BelegLoading } from './BelegLoading.tsx'
import { BelegImage, BelegFiles, BelegPositions, BelegLog, BelegTexts } from './BelegParts.tsx'
import type { DocKind } from './beleg-kinds.ts'
import { useArrival } from './use-arrival.ts'

export interface BelegKind<Row extends BelegDetails> {
  readonly docKind: DocKind
  readonly query: (id: string) => UseQueryOptions<Row, Error, Row, BelegKey>
  readonly name: (row: Row) => string
  readonly isDraft: (row: Row) => boolean
  readonly stand: (row: Row) => { readonly text: string; readonly tone: Tone }
  /** Whether an e-invoice exists for it, which depends on the format. */
  readonly hasXml: boolean
  /** `beleg`: the document as issued, or as it would be issued now; undefined while loading. */
  readonly facts: (row: Row, beleg: Beleg | undefined) => readonly Fact[]
  /** Action buttons of an issued document, for those who write the books. */
  readonly acts: (row: Row) => ReactNode
  /** Buttons of a draft that has no page of its own to write it; null: it has one. */
  readonly draftActs?: (row: Row) => ReactNode
  /** Cards between texts and history, stacked. */
  readonly cards: (row: Row) => ReactNode
}

export function BelegView<Row extends BelegDetails>({ art }: { art: BelegKind<Row> }) {
  const { params } = useView()
  const id = params['id'] ?? ''
  const query = useQuery(art.query(id))
  return (
    <BelegLoading query={query} docKind={art.docKind} id={id}>
      {(row) => <View key={id} id={id} art={art} row={row} />}
    </BelegLoading>
  )
}

function View<Row extends BelegDetails>({ id, art, row }: { id: string; art: BelegKind<Row>; row: Row }) {
  const { docKind } = art
  const writes = useHasRole('apus_admin')
  const beleg = useQuery(previewQuery(docKind.docKind, id, row.version))
  const name = art.name(row)
  const isDraft = art.isDraft(row)
  const stand = art.stand(row)
  const isHere = useArrival(id)
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
          <BelegFiles
            docKind={docKind.docKind}
            id={id}
            name={name}
            xml={art.hasXml && !isDraft && beleg.data?.format !== 'pdf'}
          />
          {isDraft && art.draftActs?.(row) != null ? (
            writes && art.draftActs(row)
          ) : isDraft ? (
            <ButtonLink variant="primary" icon="edit" href={docKind.draft(id)}>
              {t('Bearbeiten')}
            </ButtonLink>
          ) : (
            writes && (
              <div className="beleg-acts" hidden={!isHere}>
                {art.acts(row)}
              </div>
            )
          )}
        </>
      }
    >
      <div className="beleg-two">
        <div className="stack">
          <Card title={docKind.words().head}>
            <Facts facts={art.facts(row, beleg.data)} />
          </Card>
          {!isHere && (
            <Card>
              <Skeleton lines={6} />
            </Card>
          )}
          <div className={isHere ? 'stack' : undefined} hidden={!isHere}>
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
                <BelegPositions beleg={beleg.data} />
                <BelegTexts beleg={beleg.data} />
              </>
            )}
            {art.cards(row)}
            {writes && <NotesCard art={docKind.docKind} id={Number(id)} />}
            <BelegLog docKind={docKind.docKind} id={id} />
          </div>
        </div>
        <BelegImage docKind={docKind.docKind} id={id} version={row.version} name={name} />
      </div>
    </Page>
  )
}

/** When and by whom it was issued; empty for a draft. */
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
