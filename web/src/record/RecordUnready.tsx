// The page of a record that is not there to be shown: still on its way, not found, or something went wrong.
import { ButtonLink } from '../ui/Button.tsx'
import { Card } from '../ui/Display.tsx'
import { Page } from '../ui/Page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import { isMissing } from '../data/api-error.ts'

export interface MissingWords {
  /** Title of the page while nobody knows what is wrong, and when the record is not found. */
  readonly title: string
  readonly notFound: string
  readonly headline: string
  readonly hint: string
  readonly back: { readonly href: string; readonly text: string }
}

interface Props {
  /** Null: it is still on its way. */
  error: unknown
  /** Read, and not to be shown at this address. */
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
