// Page behind a one-time link: one offer, read and answered without signing in. The link's code is only sent
// in request bodies and never appears in an address that leaves the browser.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { AcceptanceAnswer, AcceptanceInput } from '#contract/document.ts'
import { ApiError } from '../../data/api-error.ts'
import { callGeneral } from '../../data/client.ts'
import { drawsPdf, PdfView, saveFile } from '../../record/beleg/PdfView.tsx'
import { messageOf } from '../../record/record-faults.ts'
import { Button } from '../../ui/Button.tsx'
import { Card, Notice } from '../../ui/Display.tsx'
import { formatDate } from '../../ui/format.ts'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { SupportContact } from '../../ui/support.tsx'
import { t } from '../../ui/text.ts'
import { AngebotReader } from './AngebotReader.tsx'
import { Contact } from './Contact.tsx'
import './documents.css'

const ask = <T,>(
  what: 'ansehen' | 'entscheiden',
  body: { code: string } | AcceptanceInput,
  signal?: AbortSignal,
): Promise<T> => callGeneral<T>('POST', `annahme/${what}`, { body, quiet: true, timeoutMs: 20_000, signal })
const acceptanceQuery = (code: string) =>
  queryOptions({
    queryKey: ['annahme', code],
    queryFn: ({ signal }) => ask<AcceptanceAnswer>('ansehen', { code }, signal),
    retry: 1,
  })
const acceptancePdf = (code: string) =>
  queryOptions({
    queryKey: ['annahme', code, 'pdf'],
    queryFn: ({ signal }) =>
      callGeneral<Blob>('POST', 'annahme/pdf', {
        body: { code },
        file: true,
        quiet: true,
        accept: '*/*',
        timeoutMs: 60_000,
        signal,
      }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })

export function Acceptance({ code }: { code: string }) {
  const query = useQuery(acceptanceQuery(code))
  const client = useQueryClient()
  const [answered, setAnswered] = useState<AcceptanceAnswer | null>(null)
  if (answered?.entschieden) return <ThankYou antwort={answered} />
  if (query.isPending)
    return (
      <Card>
        <Skeleton lines={8} />
      </Card>
    )
  if (query.isError && query.data === undefined)
    return (
      <Card>
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </Card>
    )
  const seen = answered ?? query.data
  if (seen.stand !== 'offen') return <NoLongerOpen antwort={seen} />
  const { angebot } = seen
  return (
    <>
      <p className="annahme-lead">
        {t(
          'Guten Tag {name}, {anbieter} hat für {kunde} dieses Angebot erstellt. Sie können es hier ' +
            'lesen und direkt annehmen oder ablehnen.',
          {
            name: seen.empfaenger,
            anbieter: angebot.anbieter.name,
            kunde: angebot.kunde,
          },
        )}
      </p>
      <div className="beleg-two">
        <div className="stack">
          <AngebotReader
            angebot={angebot}
            wer={null}
            decide={async ({ angenommen, bemerkung, positionen, name }) => {
              setAnswered(
                await ask<AcceptanceAnswer>('entscheiden', {
                  code,
                  angenommen,
                  bemerkung,
                  positionen: [...positionen],
                  name,
                }),
              )
              client.removeQueries({ queryKey: acceptanceQuery(code).queryKey })
            }}
          />
          <p className="soft">
            {t('Dieser Link gilt bis zum {tag} und für eine Antwort. Bitte geben Sie ihn nicht weiter.', {
              tag: formatDate(seen.link_bis),
            })}
          </p>
        </div>
        <Preview code={code} name={t('Angebot {nummer}', { nummer: angebot.nummer })} />
      </div>
    </>
  )
}

function Preview({ code, name }: { code: string; name: string }) {
  const query = useQuery(acceptancePdf(code))
  return (
    <Card
      title={t('Das Angebot als PDF')}
      actions={
        query.data &&
        drawsPdf() && (
          <Button size="small" icon="download" onClick={() => saveFile(query.data, name, 'pdf')}>
            {t('PDF herunterladen')}
          </Button>
        )
      }
    >
      {query.isError ? (
        <Notice
          tone="info"
          title={t('Das PDF lässt sich gerade nicht anzeigen')}
          actions={<Button onClick={() => void query.refetch()}>{t('Erneut versuchen')}</Button>}
        >
          {query.error instanceof ApiError ? query.error.message : messageOf(query.error)}
        </Notice>
      ) : query.data === undefined ? (
        <Skeleton lines={12} />
      ) : (
        <PdfView key={code} blob={query.data} name={name} />
      )}
    </Card>
  )
}

/** Takes the focus, because it replaces the element that had it: screen readers start here. */
function Heading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <h2 ref={heading} tabIndex={-1}>
      {children}
    </h2>
  )
}

function ThankYou({ antwort }: { antwort: AcceptanceAnswer }) {
  if (antwort.stand !== 'benutzt') return <NoLongerOpen antwort={antwort} />
  const { angenommen, nummer, anbieter } = antwort
  return (
    <Card>
      <div className="annahme-end">
        <Heading>
          {angenommen ? t('Vielen Dank für Ihren Auftrag') : t('Vielen Dank für Ihre Antwort')}
        </Heading>
        <p>
          {angenommen
            ? t('Ihre Annahme des Angebots {nummer} ist angekommen. {anbieter} meldet sich bei Ihnen.', {
                nummer,
                anbieter: anbieter.name,
              })
            : t(
                'Ihre Ablehnung des Angebots {nummer} ist angekommen. Möchten Sie es sich anders überlegen, ' +
                  'rufen Sie uns einfach an.',
                {
                  nummer,
                },
              )}
        </p>
        <p className="soft">
          <Contact {...anbieter} />
        </p>
        <p className="soft">{t('Sie können diese Seite jetzt schließen.')}</p>
      </div>
    </Card>
  )
}

function noLongerOpenText(
  answer: Exclude<AcceptanceAnswer, { stand: 'offen' }>,
): readonly [title: string, text: string] {
  switch (answer.stand) {
    case 'benutzt':
      return answer.angenommen
        ? [
            t('Dieses Angebot ist angenommen'),
            t(
              'Über diesen Link wurde am {tag} geantwortet. Angenommen ist das Angebot {nummer}; Sie müssen ' +
                'nichts weiter tun.',
              {
                tag: formatDate(answer.benutzt_am),
                nummer: answer.nummer,
              },
            ),
          ]
        : [
            t('Zu diesem Angebot liegt Ihre Antwort vor'),
            t(
              'Über diesen Link wurde am {tag} geantwortet. Möchten Sie etwas ändern, sprechen Sie uns bitte an.',
              {
                tag: formatDate(answer.benutzt_am),
              },
            ),
          ]
    case 'zurueckgezogen':
      return [
        t('Dieser Link gilt nicht mehr'),
        t(
          'Er wurde von uns zurückgezogen. Möchten Sie das Angebot beantworten, bitten Sie uns um einen neuen Link.',
        ),
      ]
    case 'abgelaufen':
      return [
        t('Dieser Link ist abgelaufen'),
        t(
          'Das Angebot selbst gilt noch. Bitten Sie uns um einen neuen Link, oder antworten Sie auf anderem Weg.',
        ),
      ]
    case 'angebot_abgelaufen':
      return [
        t('Dieses Angebot ist abgelaufen'),
        t('Es lässt sich nicht mehr annehmen. Auf Nachfrage erhalten Sie gern ein neues.'),
      ]
    case 'ersetzt':
      return [
        t('Zu diesem Angebot gibt es eine neue Fassung'),
        t('Die alte lässt sich nicht mehr beantworten. Bitten Sie uns um den Link zur neuen.'),
      ]
    case 'entschieden':
      return [
        t('Dieses Angebot ist schon beantwortet'),
        t('Die Antwort liegt uns auf anderem Weg vor; Sie müssen nichts weiter tun.'),
      ]
    case 'unbekannt':
      return [
        t('Dieser Link ist ungültig'),
        t(
          'Vielleicht fehlt ein Stück davon. Bitte öffnen Sie ihn noch einmal aus der Nachricht, oder kopieren ' +
            'Sie ihn ganz in die Adresszeile.',
        ),
      ]
  }
}

/** The link cannot be used to answer: why, and what to do next. */
function NoLongerOpen({ antwort }: { antwort: AcceptanceAnswer }) {
  if (antwort.stand === 'offen') return null
  const [title, text] = noLongerOpenText(antwort)
  return (
    <Card>
      <div className="annahme-end">
        <Heading>{title}</Heading>
        <p>{text}</p>
        <p className="soft">
          {antwort.stand === 'unbekannt' ? <SupportContact /> : <Contact {...antwort.anbieter} />}
        </p>
      </div>
    </Card>
  )
}
