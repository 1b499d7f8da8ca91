// The page of a record that cannot be shown: loading, not found, or failed.
import { ButtonLink } from '../ui/Button.tsx'
import { Card } from '../ui/Display.tsx'
import { Page } from '../ui/Page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import { isMissing } from '../data/api-error.ts'

export interface MissingWords {
  /** Page title on an error, and if the record is not found. */
  readonly title: string
  readonly notFound: string
  readonly headline: string
  readonly hint: string
  readonly back: { readonly href: string; readonly text: string }
}

interface Props {
  /** Null while loading. */
  error: unknown
  /** The record was loaded but does not belong at this address. */
  foreign?: boolean
  words: MissingWords
  onRetry: () => void
}

export function RecordUnready({ error, foreign = false, words, onRetry }: Props) {
  if (error === null && !foreign)
    return (
      <Page>
        <Card>
          <Skeleton lines={8} />
        </Card>
      </Page>
    )
  const missing = foreign || isMissing(error)
  return (
    <Page title={missing ? words.notFound : words.title}>
      <Card>
        {missing ? (
          <EmptyState
            icon="search"
            title={words.headline}
            action={<ButtonLink href={words.back.href}>{words.back.text}</ButtonLink>}
          >
            {words.hint}
          </EmptyState>
        ) : (
          <ErrorState error={error} onRetry={onRetry} />
        )}
      </Card>
    </Page>
  )
}
