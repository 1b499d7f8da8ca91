// /buchhaltung/angebote/angebot/update/{update_id}: the draft of an offer.
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { rpc } from '../../../data/rpc.ts'
import { useRecordForm } from '../../../record/use-record-form.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Display.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { formatDate } from '../../../ui/format.ts'
import { Page } from '../../../ui/Page.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { useView } from '../../../ui/view.tsx'
import { BelegLaden } from '../BelegLaden.tsx'
import { fensterQuery } from '../beleg.data.ts'
import { KundeWechsel } from '../KundeWechsel.tsx'
import { EntwurfLoeschen } from '../EntwurfLoeschen.tsx'
import { EntwurfSeite, type Felder } from '../EntwurfSeite.tsx'
import type { FeldWerte } from '../entwurf-words.ts'
import { ANGEBOT, ANGEBOT_FELDER, type AngebotEntwurf, type AngebotFeld, angebotEntwurf, useSaveAngebot } from './angebot-kind.ts'

export function AngebotEntwurfPage() {
  const { params } = useView()
  const id = params['update_id'] ?? ''
  const query = useQuery(angebotEntwurf(id))
  return (
    <BelegLaden query={query} sorte="angebot" id={id}>
      {(angebot) =>
        angebot.status === 'entwurf' ? (
          <Entwurf key={id} angebot={angebot} />
        ) : (
          <Page title={t('Angebot {nummer}', { nummer: angebot.nummer ?? '' })}>
            <Card>
              <EmptyState
                icon="lock"
                title={t('Dieses Angebot ist ausgestellt')}
                action={
                  <ButtonLink variant="primary" href={`/buchhaltung/angebote/angebot/${id}`}>
                    {t('Zum Angebot')}
                  </ButtonLink>
                }
              >
                {t('Ausgestellte Angebote lassen sich nicht ändern. Legen Sie dafür eine neue Fassung an.')}
              </EmptyState>
            </Card>
          </Page>
        )
      }
    </BelegLaden>
  )
}

function werteOf(wert: (field: AngebotFeld) => string | number | null): FeldWerte {
  const text = (field: AngebotFeld) => String(wert(field) ?? '')
  const until = wert('gueltig_bis')
  return {
    beleg: {
      bearbeiter: text('bearbeiter'),
      datum: text('an_datum'),
      ...(until !== null && { gueltig_bis: String(until) }),
      anrede: text('anrede'),
      anschreiben: text('anschreiben'),
      zuerl: text('zuerl'),
      ust_satz: text('ust_satz'),
      rabatt_prozent: text('rabatt_prozent'),
      rabatt_grund: text('rabatt_grund'),
    },
    bestellnummer: null,
    anzahlung: '0.00',
  }
}

function Entwurf({ angebot }: { angebot: AngebotEntwurf }) {
  const id = String(angebot.id)
  const save = useSaveAngebot(id)
  const editor = useRecordForm(ANGEBOT, angebot, save)
  const fenster = useQuery(fensterQuery('angebot', angebot.an_datum)).data
  const issue = useCallback(
    async (version: number) => {
      const [issued] = await rpc('a_issue_offer', { offer_id: id, version })
      return { nummer: issued?.nummer ?? '', datum: issued?.an_datum ?? '' }
    },
    [id],
  )
  const kopf = ({ bind }: Felder<AngebotFeld>) => (
    <>
      <TextField
        {...bind('an_datum')}
        required
        placeholder={t('TT.MM.JJJJ')}
        autoComplete="off"
        hint={
          fenster &&
          (fenster.min === null
            ? t('bis {max}', { max: formatDate(fenster.max) })
            : t('{min} bis {max}', { min: formatDate(fenster.min), max: formatDate(fenster.max) }))
        }
      />
      <TextField {...bind('gueltig_bis')} placeholder={t('TT.MM.JJJJ')} autoComplete="off" hint={t('leer: nach den Einstellungen')} />
      <TextField {...bind('ust_satz')} required unit="%" inputMode="decimal" autoComplete="off" />
      <TextField {...bind('bearbeiter')} maxLength={100} autoComplete="off" />
    </>
  )
  const konditionen = ({ bind }: Felder<AngebotFeld>) => (
    <>
      <TextField
        {...bind('chance')}
        unit="%"
        inputMode="numeric"
        autoComplete="off"
        hint={t('Wie wahrscheinlich der Auftrag ist; zählt in der Vorschau der Einnahmen.')}
      />
      <TextField {...bind('rabatt_prozent')} unit="%" inputMode="decimal" autoComplete="off" />
      <TextField {...bind('rabatt_grund')} maxLength={200} autoComplete="off" />
    </>
  )
  return (
    <EntwurfSeite
      sorte="angebot"
      title={t('Angebot schreiben')}
      row={angebot}
      editor={editor}
      defs={ANGEBOT_FELDER}
      datum="an_datum"
      kopf={kopf}
      konditionen={konditionen}
      werteOf={werteOf}
      issueTitle={t('Angebot ausstellen?')}
      issue={issue}
      detailHref={`/buchhaltung/angebote/angebot/${id}`}
      more={
        <>
          <KundeWechsel sorte="angebot" id={id} kunde={angebot.kunde} />
          <EntwurfLoeschen sorte="angebot" id={id} version={angebot.version} name={angebot.kunde} />
        </>
      }
    />
  )
}
