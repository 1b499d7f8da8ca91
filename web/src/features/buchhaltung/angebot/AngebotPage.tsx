// /buchhaltung/angebote/angebot/{id}: one offer, draft or sent, with the real PDF beside its data.
import { useState } from 'react'
import { formatEuro } from '#domain/geld.ts'
import { rpc } from '../../../data/rpc.ts'
import { useHasRole } from '../../../data/session.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateText, type Fact, fact } from '../../../ui/Display.tsx'
import { splitOff } from '../../../ui/split-off.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { type BelegKind, BelegView, issuedFact } from '../BelegView.tsx'
import { KundeLink } from '../KundeLink.tsx'
import { type Angebot, angebotQuery, useBelegAct } from '../beleg.data.ts'
import { ANGEBOT_TONES, angebotStateText } from '../draft-words.ts'
import { ANGEBOT_KIND } from '../beleg-kinds.ts'
import { FirstDispatch, DispatchCard } from '../dispatch/DispatchCard.tsx'
import { effectiveReferences, moreFacts, referencesOf } from '../place-fields.ts'
import { Billing } from './Billing.tsx'
import { AcceptanceLinks } from './AcceptanceLinks.tsx'
import { Order } from './Order.tsx'
import { ReviseButton } from './ReviseButton.tsx'

const DecisionDialog = splitOff(async () => (await import('./DecisionDialog.tsx')).DecisionDialog)
const AdvanceDialog = splitOff(async () => (await import('./AdvanceDialog.tsx')).AdvanceDialog)
const BillingDialog = splitOff(async () => (await import('./BillingDialog.tsx')).BillingDialog)

const { record } = ANGEBOT_KIND
const nameOf = ({ nummer, status }: Angebot): string =>
  nummer === null || status === 'entwurf' ? t('Angebotsentwurf') : t('Angebot {nummer}', { nummer })

const ANGEBOT_SPEC: BelegKind<Angebot> = {
  docKind: ANGEBOT_KIND,
  query: angebotQuery,
  name: nameOf,
  isDraft: ({ status }) => status === 'entwurf',
  stand: ({ stand }) => ({ text: angebotStateText(stand), tone: ANGEBOT_TONES[stand] }),
  hasXml: false,
  facts: factsOf,
  acts: (angebot) => <ActionBar angebot={angebot} />,
  cards: (angebot) => (
    <>
      {angebot.status === 'angenommen' && (
        <>
          <Order angebot={angebot} />
          <Billing angebot={angebot} />
        </>
      )}
      {angebot.status !== 'entwurf' && (
        <>
          <DispatchCard art="angebot" id={String(angebot.id)} />
          <Answers angebot={angebot} />
        </>
      )}
    </>
  ),
}
/** The links are closed to auditors; the answer itself is in the facts. */
function Answers({ angebot }: { angebot: Angebot }) {
  return useHasRole('apus_admin') && <AcceptanceLinks angebot={angebot} />
}
export const AngebotPage = () => <BelegView art={ANGEBOT_SPEC} />

function factsOf(angebot: Angebot): Fact[] {
  return [
    fact(t('Kunde'), <KundeLink {...angebot} />),
    fact(t('Angebotsdatum'), <DateText value={angebot.an_datum} />),
    fact(t('Gültig bis'), <DateText value={angebot.gueltig_bis} />),
    fact(t('Angeboten, brutto'), formatEuro(angebot.brutto)),
    ...(angebot.auftrag_brutto === null
      ? []
      : [
          fact(t('Beauftragt, brutto'), formatEuro(angebot.auftrag_brutto)),
          fact(t('Noch abzurechnen, brutto'), formatEuro(angebot.rest_brutto)),
        ]),
    fact(t('Chance'), angebot.chance === null ? null : `${angebot.chance}\u00A0%`),
    fact(t('Fassung'), angebot.fassung),
    fact(t('Unterschrieben'), angebot.sign ? t('ja') : t('nein')),
    ...moreFacts({
      leistungsort: angebot.leistungsort,
      leistungsland: angebot.leistungsland,
      verweise: effectiveReferences(referencesOf((field) => angebot[field])),
    }),
    fact(t('Bearbeiter'), angebot.bearbeiter),
    ...issuedFact(angebot),
    ...(angebot.entschieden_am === null
      ? []
      : [
          fact(
            t('Entschieden'),
            <>
              <DateText value={angebot.entschieden_am} time />{' '}
              {angebot.entschieden_als === 'intern'
                ? t('eingetragen von {name}', { name: angebot.entschieden_von ?? '' })
                : angebot.entschieden_von}
              {angebot.entscheidung !== '' && <div className="soft beleg-pre">{angebot.entscheidung}</div>}
            </>,
          ),
        ]),
    ...(angebot.ersetzt === null
      ? []
      : [fact(t('Fassung davor'), <a href={record(angebot.ersetzt)}>{t('Angebot')}</a>)]),
    ...(angebot.ersetzt_durch === null
      ? []
      : [fact(t('Ersetzt durch'), <a href={record(angebot.ersetzt_durch)}>{t('neue Fassung')}</a>)]),
  ]
}

/**
 * Offers that neither wait for an answer nor are still to be billed. The database decides; these are the
 * states it accepts.
 */
const ARCHIVABLE: ReadonlySet<string> = new Set(['abgelehnt', 'abgelaufen', 'abgerechnet', 'ersetzt'])

function ActionBar({ angebot }: { angebot: Angebot }) {
  const [open, setOpen] = useState<'entscheidung' | 'abrechnen' | 'abschlag' | 'schluss' | null>(null)
  const archive = useBelegAct((archived: boolean) =>
    rpc('a_set_archive_for_an', { offer_id: angebot.id, archiviert: archived }),
  )
  return (
    <>
      {(angebot.archiviert || ARCHIVABLE.has(angebot.stand)) && (
        <Button
          busy={archive.isPending}
          onClick={() =>
            archive.mutate(!angebot.archiviert, {
              onSuccess: (is) =>
                toast.success(
                  is ? t('Das Angebot liegt im Archiv.') : t('Das Angebot ist wieder in der Liste.'),
                ),
              onError: (error) => toast.error(messageOf(error)),
            })
          }
        >
          {angebot.archiviert ? t('Aus dem Archiv holen') : t('Archivieren')}
        </Button>
      )}
      {(angebot.status === 'versendet' || angebot.status === 'abgelehnt') && (
        <ReviseButton angebot={angebot} />
      )}
      {angebot.status !== 'ersetzt' &&
        angebot.stand !== 'teilabgerechnet' &&
        angebot.stand !== 'abgerechnet' && (
          <Button onClick={() => setOpen('entscheidung')}>{t('Entscheidung eintragen')}</Button>
        )}
      {angebot.status === 'versendet' && (
        <FirstDispatch art="angebot" id={String(angebot.id)} label={t('Angebot versenden')} />
      )}
      {angebot.status === 'angenommen' && angebot.stand !== 'abgerechnet' && (
        <>
          <Button onClick={() => setOpen('abschlag')}>{t('Abschlagsrechnung schreiben')}</Button>
          <Button onClick={() => setOpen('schluss')}>{t('Schlussrechnung schreiben')}</Button>
          <Button variant="primary" onClick={() => setOpen('abrechnen')}>
            {t('In Rechnung stellen')}
          </Button>
        </>
      )}
      {open === 'entscheidung' && <DecisionDialog angebot={angebot} onClose={() => setOpen(null)} />}
      {open === 'abschlag' && <AdvanceDialog angebot={angebot} onClose={() => setOpen(null)} />}
      {(open === 'abrechnen' || open === 'schluss') && (
        <BillingDialog angebot={angebot} final={open === 'schluss'} onClose={() => setOpen(null)} />
      )}
    </>
  )
}
