// /habitatbaeume/{id}: one tree. Who may write has its form, everybody else its data.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { adresseText } from '#domain/bestand.ts'
import { betriebQuery, type Betrieb } from '../../list/betrieb.data.ts'
import { RecordConflict, RecordForm } from '../../record/RecordForm.tsx'
import { RecordUnready } from '../../record/RecordUnready.tsx'
import { useRecordForm } from '../../record/use-record-form.ts'
import { VerlaufList } from '../../record/VerlaufList.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { Badge, Card, fact, Facts, Notice } from '../../ui/Display.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { BaumFelder } from './BaumFelder.tsx'
import { BAUM_FELDER, baumKind, baumWords, showValue } from '../../record/habitat/habitat-form.ts'
import { baumHref } from './habitat-list.tsx'
import type { Baum } from '../../record/habitat/baum.ts'
import { baumQuery, baumVerlauf, kontrollenQuery, pruefungQuery, umrisseQuery, useDarf, useSaveBaum } from './habitat.data.ts'
import {
  artText,
  baumName,
  EBENE_FELDER,
  fieldLabel,
  meterText,
  statusName,
  zustandName,
  zustandTone,
} from '../../record/habitat/habitat-words.ts'
import { HabitatBilder } from './HabitatBilder.tsx'
import { Kontrollen } from './Kontrollen.tsx'
import './habitat.css'

const LageText = splitOff(async () => (await import('./LageMeter.tsx')).LageText)
const LageKarte = splitOff(async () => (await import('./LageKarte.tsx')).LageKarte, <Skeleton lines={6} />)
const BaumLoeschen = splitOff(async () => (await import('./BaumLoeschen.tsx')).BaumLoeschen)

export function BaumPage() {
  const id = useView().params['id'] ?? ''
  return <Laden key={id} id={id} />
}

function Laden({ id }: { id: string }) {
  const query = useQuery(baumQuery(id))
  const betrieb = useQuery({ ...betriebQuery(String(query.data?.idHQ ?? '')), enabled: query.data !== undefined })
  if (query.data && betrieb.data) return <Seite baum={query.data} betrieb={betrieb.data} />
  const words = {
    title: t('Habitatbaum'),
    notFound: t('Habitatbaum nicht gefunden'),
    headline: t('Diesen Habitatbaum gibt es nicht'),
    hint: t('Die Nummer {id} gehört zu keinem Baum, den Sie sehen dürfen. Vielleicht wurde er gelöscht.', { id }),
    back: { href: '/habitatbaeume/index', text: t('Zu den Habitatbäumen') },
  }
  return (
    <RecordUnready
      error={query.error ?? betrieb.error}
      words={words}
      onRetry={() => void (query.isError ? query.refetch() : betrieb.refetch())}
    />
  )
}

function Seite({ baum, betrieb }: { baum: Baum; betrieb: Betrieb }) {
  const { search, setSearch } = useView()
  const darf = useDarf(baum.idHQ)
  const [removing, setRemoving] = useState(false)
  const { data: kontrollen } = useQuery(kontrollenQuery(baum.id))
  const words = useMemo(() => baumWords(betrieb.ebenen), [betrieb.ebenen])
  const name = baumName(baum)
  return (
    <Page
      record={name}
      subtitle={
        <>
          <a href={`/habitatbaeume/index?fb=${baum.idHQ}`}>{betrieb.sHQ}</a>
          {' · '}
          {changedText(baum)}
        </>
      }
      actions={
        darf.loeschen && <IconButton icon="trash" variant="secondary" label={t('Habitatbaum löschen')} onClick={() => setRemoving(true)} />
      }
    >
      <Hinweise baum={baum} />
      <Tabs
        label={t('Angaben zum Habitatbaum')}
        value={search['ansicht'] ?? 'baum'}
        onChange={(tab) => setSearch({ ansicht: tab === 'baum' ? undefined : tab }, { replace: true })}
        tabs={[
          {
            id: 'baum',
            label: t('Baum'),
            content: (
              <div className="habitat-spalten">
                {darf.aendern ? <Formular baum={baum} betrieb={betrieb} /> : <Angaben baum={baum} betrieb={betrieb} />}
                <div className="habitat-neben">
                  <HabitatBilder baum={baum} name={name} darf={darf} />
                  {!darf.aendern && (
                    <Card title={t('Lage')}>
                      <Lage baum={baum} betrieb={betrieb} />
                    </Card>
                  )}
                </div>
              </div>
            ),
          },
          {
            id: 'kontrollen',
            label: t('Kontrollen'),
            count: kontrollen?.length,
            content: <Kontrollen baum={baum} darf={darf} />,
          },
          { id: 'verlauf', label: t('Verlauf'), content: <VerlaufList query={baumVerlauf(baum.id)} words={() => words} /> },
        ]}
      />
      {removing && <BaumLoeschen baum={baum} name={name} kontrollen={kontrollen?.length ?? 0} onClose={() => setRemoving(false)} />}
    </Page>
  )
}

function changedText({ geaendert_am, geaendert_von }: Baum): string {
  const when = formatDateTime(geaendert_am)
  return geaendert_von === null
    ? t('zuletzt geändert am {when}', { when })
    : t('zuletzt geändert am {when} von {who}', { when, who: geaendert_von })
}

/** What the check says of this tree, each with the other one that it is about. */
function Hinweise({ baum }: { baum: Baum }) {
  const zeilen = useQuery(pruefungQuery(baum.idHQ)).data?.zeilen.filter(({ id, andere }) => id === baum.id || andere === baum.id) ?? []
  const other = (zeile: (typeof zeilen)[number]): ReactNode => {
    const [id, nummer] = zeile.id === baum.id ? [zeile.andere, zeile.andere_nummer] : [zeile.id, zeile.nummer]
    return (
      id !== null && <a href={baumHref(id)}>{nummer === null ? t('anderer Baum ohne Nummer') : t('anderer Baum: {nummer}', { nummer })}</a>
    )
  }
  const told = zeilen.flatMap((zeile) => {
    const meter = zeile.abstand_m === null ? '' : meterText(Number(zeile.abstand_m))
    if (zeile.befund === 'doppelt')
      return [{ key: `d${zeile.id}-${zeile.andere}`, text: t('Nur {meter} neben einem anderen Baum.', { meter }), zeile }]
    if (zeile.befund === 'ausserhalb') return [{ key: 'a', text: t('{meter} außerhalb des Forstbetriebs.', { meter }), zeile }]
    if (zeile.befund === 'nummer_doppelt')
      return [{ key: `n${zeile.id}-${zeile.andere}`, text: t('Die Nummer ist doppelt vergeben.'), zeile }]
    return []
  })
  if (told.length === 0) return null
  return (
    <Notice tone="warning" title={t('Die Prüfung hat etwas gefunden')}>
      <ul className="habitat-hinweise">
        {told.map(({ key, text, zeile }) => (
          <li key={key}>
            {text} {other(zeile)}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function Formular({ baum, betrieb }: { baum: Baum; betrieb: Betrieb }) {
  const { mutateAsync } = useSaveBaum(baum.id)
  const kind = useMemo(() => baumKind(betrieb.ebenen), [betrieb.ebenen])
  const editor = useRecordForm(kind, baum, mutateAsync)
  return (
    <Card>
      <RecordForm editor={editor}>
        <BaumFelder form={editor.form} betrieb={betrieb} />
      </RecordForm>
      <RecordConflict editor={editor} />
    </Card>
  )
}

const ANGABEN = BAUM_FELDER.filter(
  (feld) => !['art_text', 'lat', 'lon', 'genauigkeit_m', 'lage_methode', 'iSTAND', ...EBENE_FELDER].includes(feld),
)

function Angaben({ baum, betrieb }: { baum: Baum; betrieb: Betrieb }) {
  return (
    <Card title={t('Baum')}>
      <Facts
        facts={[
          ...ANGABEN.map((feld) =>
            fact(
              fieldLabel(feld),
              feld === 'zustand' ? (
                <Badge tone={zustandTone(baum.zustand)}>{zustandName(baum.zustand)}</Badge>
              ) : feld === 'status' ? (
                statusName(baum.status)
              ) : feld === 'art' ? (
                artText(baum.art, baum.art_text)
              ) : (
                showValue(feld, baum[feld]) || null
              ),
            ),
          ),
          fact(t('Forstliche Adresse'), adresseText({ l: EBENE_FELDER.map((feld) => baum[feld]), s: baum.iSTAND }, betrieb.ebenen)),
        ]}
      />
    </Card>
  )
}

function Lage({ baum, betrieb }: { baum: Baum; betrieb: Betrieb }) {
  const umrisse = useQuery(umrisseQuery(baum.idHQ)).data
  return (
    <div className="stack">
      <LageKarte
        label={t('Lage des Baums in {name}', { name: betrieb.sHQ })}
        ort={{ lon: baum.lon, lat: baum.lat }}
        genauigkeit={baum.genauigkeit_m ?? 0}
        umrisse={umrisse}
      />
      <Facts
        facts={[
          ...(['lat', 'lon', 'genauigkeit_m', 'lage_methode'] as const).map((feld) =>
            fact(fieldLabel(feld), showValue(feld, baum[feld]) || null),
          ),
          fact(t('Lage in Metern'), <LageText key="meter" idHQ={baum.idHQ} ort={{ lon: baum.lon, lat: baum.lat }} />),
        ]}
      />
    </div>
  )
}
