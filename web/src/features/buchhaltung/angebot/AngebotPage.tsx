// /buchhaltung/angebote/angebot/{id}: one offer, draft or sent, with the real PDF beside its data.
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { formatEuro } from '#domain/geld.ts'
import { rpc } from '../../../data/rpc.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { Badge, Card, DateText, Facts, fact } from '../../../ui/Display.tsx'
import { Page } from '../../../ui/Page.tsx'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { useView } from '../../../ui/view.tsx'
import '../beleg.css'
import { BelegLaden } from '../BelegLaden.tsx'
import { BelegBild, BelegDateien, BelegPositionen, BelegProtokoll, BelegTexte } from '../BelegTeile.tsx'
import { type Angebot, angebotQuery, useBelegAct, vorschauQuery } from '../beleg.data.ts'
import { ANGEBOT_TONES, angebotStandText } from '../entwurf-words.ts'

const EntscheidungDialog = lazy(async () => ({ default: (await import('./EntscheidungDialog.tsx')).EntscheidungDialog }))
const AbrechnenDialog = lazy(async () => ({ default: (await import('./AbrechnenDialog.tsx')).AbrechnenDialog }))

const HOME = '/buchhaltung/angebote/angebot'
const nameOf = ({ nummer, status }: Angebot): string =>
  nummer === null || status === 'entwurf' ? t('Angebotsentwurf') : t('Angebot {nummer}', { nummer })

export function AngebotPage() {
  const { params } = useView()
  const id = params['id'] ?? ''
  const query = useQuery(angebotQuery(id))
  return (
    <BelegLaden query={query} sorte="angebot" id={id}>
      {(angebot) => <Ansicht key={id} id={id} angebot={angebot} />}
    </BelegLaden>
  )
}

function Ansicht({ id, angebot }: { id: string; angebot: Angebot }) {
  const beleg = useQuery(vorschauQuery('angebot', id, angebot.version))
  const name = nameOf(angebot)
  return (
    <Page
      title={name}
      record={angebot.nummer ?? t('Entwurf')}
      subtitle={
        <>
          {angebot.kunde} <Badge tone={ANGEBOT_TONES[angebot.stand]}>{angebotStandText(angebot.stand)}</Badge>
          {angebot.archiviert && <Badge>{t('Archiv')}</Badge>}
        </>
      }
      actions={
        <>
          <BelegDateien sorte="angebot" id={id} name={name} xml={false} />
          <Taten id={id} angebot={angebot} />
        </>
      }
    >
      <div className="beleg-two">
        <div className="stack">
          <Kopf angebot={angebot} />
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
          <BelegProtokoll sorte="angebot" id={id} />
        </div>
        <BelegBild sorte="angebot" id={id} version={angebot.version} name={name} />
      </div>
    </Page>
  )
}

function Kopf({ angebot }: { angebot: Angebot }) {
  return (
    <Card title={t('Kopf')}>
      <Facts
        facts={[
          fact(t('Kunde'), <a href={`/member-management/client/${angebot.client_id}`}>{angebot.kunde}</a>),
          fact(t('Angebotsdatum'), <DateText value={angebot.an_datum} />),
          fact(t('Gültig bis'), <DateText value={angebot.gueltig_bis} />),
          fact(t('Brutto'), formatEuro(angebot.brutto)),
          fact(t('Chance'), angebot.chance === null ? null : `${angebot.chance}\u00A0%`),
          fact(t('Fassung'), angebot.fassung),
          fact(t('Unterschrieben'), angebot.sign ? t('ja') : t('nein')),
          fact(t('Bearbeiter'), angebot.bearbeiter),
          ...(angebot.entschieden_am === null
            ? []
            : [
                fact(
                  t('Entschieden'),
                  <>
                    <DateText value={angebot.entschieden_am} time /> {angebot.entschieden_von}
                    {angebot.entscheidung !== '' && <div className="soft beleg-pre">{angebot.entscheidung}</div>}
                  </>,
                ),
              ]),
          ...(angebot.ersetzt === null ? [] : [fact(t('Fassung davor'), <a href={`${HOME}/${angebot.ersetzt}`}>{t('Angebot')}</a>)]),
          ...(angebot.ersetzt_durch === null
            ? []
            : [fact(t('Ersetzt durch'), <a href={`${HOME}/${angebot.ersetzt_durch}`}>{t('neue Fassung')}</a>)]),
        ]}
      />
    </Card>
  )
}

function Taten({ id, angebot }: { id: string; angebot: Angebot }) {
  const view = useView()
  const [open, setOpen] = useState<'entscheidung' | 'abrechnen' | null>(null)
  const revise = useBelegAct(() => rpc('a_revise_offer', { offer_id: id }))
  if (angebot.status === 'entwurf')
    return (
      <ButtonLink variant="primary" icon="edit" href={`${HOME}/update/${id}`}>
        {t('Bearbeiten')}
      </ButtonLink>
    )
  return (
    <>
      {(angebot.status === 'versendet' || angebot.status === 'abgelehnt') && (
        <Button
          busy={revise.isPending}
          onClick={() =>
            revise.mutate(undefined, {
              onSuccess: (made) => view.go(`${HOME}/update/${made}`),
              onError: (error) => toast.error(messageOf(error)),
            })
          }
        >
          {t('Neue Fassung')}
        </Button>
      )}
      {angebot.status !== 'ersetzt' && angebot.stand !== 'teilabgerechnet' && angebot.stand !== 'abgerechnet' && (
        <Button variant={angebot.status === 'versendet' ? 'primary' : 'secondary'} onClick={() => setOpen('entscheidung')}>
          {t('Entscheidung eintragen')}
        </Button>
      )}
      {angebot.status === 'angenommen' && angebot.stand !== 'abgerechnet' && (
        <Button variant="primary" onClick={() => setOpen('abrechnen')}>
          {t('In Rechnung stellen')}
        </Button>
      )}
      <Suspense>
        {open === 'entscheidung' && <EntscheidungDialog angebot={angebot} onClose={() => setOpen(null)} />}
        {open === 'abrechnen' && <AbrechnenDialog angebot={angebot} onClose={() => setOpen(null)} />}
      </Suspense>
    </>
  )
}
