// One-time links with which a customer reads and answers an offer without signing in: create, copy once,
// withdraw, and the outcome of each.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AcceptanceLink, LinkState } from '#contract/document.ts'
import { rpc } from '../../../data/rpc.ts'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/Dialog.tsx'
import { Badge, Card, DateText, type Tone } from '../../../ui/Display.tsx'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { splitOff } from '../../../ui/split-off.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { type Angebot, belegKey, useBelegAct } from '../beleg.data.ts'

const LinkDialog = splitOff(async () => (await import('./LinkDialog.tsx')).LinkDialog)

function linkText(stand: LinkState): string {
  switch (stand) {
    case 'offen':
      return t('offen')
    case 'benutzt':
      return t('benutzt')
    case 'zurueckgezogen':
      return t('zurückgezogen')
    case 'abgelaufen':
      return t('abgelaufen')
    case 'angebot_abgelaufen':
      return t('Angebot abgelaufen')
    case 'ersetzt':
      return t('Angebot ersetzt')
    case 'entschieden':
      return t('anders beantwortet')
  }
}
const TONES: Partial<Record<LinkState, Tone>> = { offen: 'info', benutzt: 'success' }

export function AcceptanceLinks({ angebot }: { angebot: Angebot }) {
  const id = String(angebot.id)
  const query = useQuery({
    queryKey: [...belegKey('angebot', id), 'links'],
    queryFn: ({ signal }) => rpc('a_get_annahme_links', { offer_id: id }, { signal }),
  })
  const [making, setMaking] = useState(false)
  const [ending, setEnding] = useState<AcceptanceLink | null>(null)
  const revoke = useBelegAct((link_id: number) => rpc('a_revoke_annahme_link', { link_id }))
  const canMake = angebot.stand === 'versendet'
  // Hide the card if the offer can no longer be answered by link and no link was ever made.
  if (!canMake && (query.data?.length ?? 0) === 0) return null
  return (
    <Card
      title={t('Links zur Annahme')}
      actions={
        canMake && (
          <Button size="small" icon="plus" onClick={() => setMaking(true)}>
            {t('Link erstellen')}
          </Button>
        )
      }
    >
      {query.isPending ? (
        <Skeleton lines={2} />
      ) : query.isError && query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data.length === 0 ? (
        <p className="soft">
          {t(
            'Noch keiner. Mit einem Link kann der Kunde das Angebot ohne Anmeldung lesen, annehmen oder ' +
              'ablehnen: einmal und nur bis zu seinem Ablauf.',
          )}
        </p>
      ) : (
        <ul className="beleg-log" aria-label={t('Links zur Annahme')}>
          {query.data.map((link) => (
            <TableRow key={link.id} link={link} onEnd={() => setEnding(link)} />
          ))}
        </ul>
      )}
      {making && <LinkDialog angebot={angebot} onClose={() => setMaking(false)} />}
      <ConfirmDialog
        open={ending !== null}
        title={t('Link zurückziehen?')}
        record={ending?.empfaenger ?? ''}
        confirmLabel={t('Zurückziehen')}
        danger
        busy={revoke.isPending}
        onCancel={() => setEnding(null)}
        onConfirm={() =>
          ending &&
          revoke.mutateAsync(ending.id).then(() => {
            toast.success(t('Der Link gilt nicht mehr.'))
            setEnding(null)
          })
        }
      >
        <p>
          {t(
            'Wer ihn öffnet, erfährt nur noch, dass er nicht mehr gilt. Das lässt sich nicht rückgängig ' +
              'machen; ein neuer Link ist schnell erstellt.',
          )}
        </p>
      </ConfirmDialog>
    </Card>
  )
}

function TableRow({ link, onEnd }: { link: AcceptanceLink; onEnd: () => void }) {
  const {
    empfaenger,
    stand,
    gueltig_bis,
    angelegt_am,
    angelegt_von,
    benutzt_am,
    benutzt_von,
    zurueckgezogen_am,
    zurueckgezogen_von,
  } = link
  const events: readonly (readonly [what: string, when: string | null, who: string | null])[] = [
    [t('erstellt'), angelegt_am, angelegt_von],
    [t('beantwortet'), benutzt_am, benutzt_von],
    [t('zurückgezogen'), zurueckgezogen_am, zurueckgezogen_von],
  ]
  return (
    <li>
      <strong>{empfaenger}</strong>
      <Badge tone={TONES[stand] ?? 'neutral'}>{linkText(stand)}</Badge>
      {stand === 'offen' && (
        <span>
          {t('bis')} <DateText value={gueltig_bis} />
        </span>
      )}
      {stand === 'offen' && (
        <Button
          size="small"
          variant="quiet"
          aria-label={t('Link für {name} zurückziehen', { name: empfaenger })}
          onClick={onEnd}
        >
          {t('Zurückziehen')}
        </Button>
      )}
      <span className="soft beleg-log-more">
        {events
          .filter(([, when]) => when !== null)
          .map(([what, when, who], at) => (
            <span key={what}>
              {at > 0 && ' · '}
              {what} <DateText value={when} time /> {who}
            </span>
          ))}
      </span>
    </li>
  )
}
