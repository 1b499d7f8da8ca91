// /habitatbaeume/index: the habitat trees of a holding as list and map, and what the check finds among them.
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useEffect, useMemo, useState } from 'react'
import type { HabitatPruefung } from '#contract/habitat.ts'
import { useHasRole } from '../../data/session.ts'
import type { Betrieb } from '../../list/betrieb.data.ts'
import { BetriebLaden, BetriebWahl, OhneBetrieb } from '../../list/BetriebWahl.tsx'
import type { BulkAction } from '../../list/bulk.ts'
import { countText, ListCard, type ListModel, useList } from '../../list/ListPage.tsx'
import type { TableList } from '../../list/table-source.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Segments } from '../../ui/Choice.tsx'
import { Card, Notice } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { EmptyState, Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { GisExport } from './GisExport.tsx'
import { gefunden, habitatList, MOST_FOUND, type Zeile } from './habitat-list.tsx'
import { alleIds, filterWorte } from './bericht-auswahl.ts'
import { adressenQuery, type Darf, pruefungQuery, removeBaum, useDarf } from './habitat.data.ts'
import { BEFUNDE } from '../../record/habitat/habitat-words.ts'
import './habitat.css'

// Not part of the list until somebody asks for it.
const BaumAnlegen = splitOff(async () => (await import('./BaumAnlegen.tsx')).BaumAnlegen)
const SammelDialog = splitOff(async () => (await import('./SammelDialog.tsx')).SammelDialog)
const FotoWand = splitOff(async () => (await import('./FotoWand.tsx')).FotoWand, <Skeleton lines={8} />)
const BerichtDialog = splitOff(async () => (await import('../../record/habitat/BerichtDialog.tsx')).BerichtDialog)
const HabitatKarte = splitOff(async () => (await import('./HabitatKarte.tsx')).HabitatKarte, <Skeleton lines={8} />)

/** Another holding has nothing in common with the one before but how its trees are looked at. */
const KEYS = 'suche seite sort liste art struktur zustand status markiert foto befund bhd verloren kawm erfasst e1 e2 e3 e4 e5 stand'.split(
  ' ',
)

const ADRESSE = ['e1', 'e2', 'e3', 'e4', 'e5', 'stand']

type Ansicht = 'liste' | 'karte' | 'fotos'
const parseAnsicht = (text: string | undefined): Ansicht => (text === 'karte' || text === 'fotos' ? text : 'liste')

export const HabitatPage = () => (
  <BetriebWahl keys={KEYS} frage={t('Wessen Habitatbäume möchten Sie sehen?')}>
    {(id, wahl) => (
      <BetriebLaden key={id} id={id} wahl={wahl}>
        {(betrieb) => <Baeume betrieb={betrieb} wahl={wahl} />}
      </BetriebLaden>
    )}
  </BetriebWahl>
)

function leerText(darf: Darf, team: boolean): string {
  if (darf.aendern) return t('Legen Sie den ersten Baum an: Art und Lage genügen, alles andere lässt sich nachtragen.')
  return team
    ? t('Für diesen Forstbetrieb ist noch nichts erfasst. Erfassen können die Personen des Betriebs und ein Admin.')
    : t('Sobald die Personen Ihres Forstbetriebs Bäume erfassen, sehen Sie sie hier.')
}

function Baeume({ betrieb, wahl }: { betrieb: Betrieb; wahl: ReactNode }) {
  const { search, setSearch } = useView()
  const darf = useDarf(betrieb.idHQ)
  const team = useHasRole('ogf_admin', 'ogf_team')
  const kundenadmin = useHasRole('kundenadmin')
  // Both look at every tree: where no filter of the address needs them the rows come first.
  const [drawn, setDrawn] = useState(false)
  const pruefung = useQuery({ ...pruefungQuery(betrieb.idHQ), enabled: drawn || search['befund'] !== undefined }).data
  const { data: adressen = KEINE } = useQuery({
    ...adressenQuery(betrieb.idHQ),
    enabled: drawn || ADRESSE.some((key) => search[key] !== undefined),
  })
  const list = useMemo(
    () => habitatList(betrieb, pruefung, adressen, leerText(darf, team)),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what a person may do is made anew with each rendering
    [betrieb, pruefung, adressen, darf.aendern, team],
  )
  const model = useList(list)
  const there = !model.rows.loading
  useEffect(() => {
    if (there) setDrawn(true)
  }, [there])
  const [anlegen, setAnlegen] = useState(false)
  const [sammel, setSammel] = useState<{ rows: readonly Zeile[]; clear: () => void } | null>(null)
  const [bericht, setBericht] = useState<Bericht | null>(null)
  const bulk = useMemo(
    () => [
      ...sammelAktionen({ aendern: darf.aendern, loeschen: darf.loeschen }, (rows, clear) => setSammel({ rows, clear })),
      berichtAktion(setBericht),
    ],
    [darf.aendern, darf.loeschen],
  )
  const ansicht = parseAnsicht(search['ansicht'])
  // Whose people are not let in yet are told so; the customer's admins and staff see the trees anyway.
  if (!betrieb.fb_enabled && !team && !kundenadmin)
    return (
      <OhneBetrieb wahl={wahl}>
        <EmptyState icon="lock" title={t('{name} ist noch nicht freigeschaltet', { name: betrieb.sHQ })}>
          {t('Habitatbäume sehen und erfassen Sie, sobald Ihre Ansprechperson bei uns den Forstbetrieb freischaltet.')}
        </EmptyState>
      </OhneBetrieb>
    )
  const neu = (
    <Button variant="primary" icon="plus" onClick={() => setAnlegen(true)}>
      {t('Neuer Habitatbaum')}
    </Button>
  )
  return (
    <Page
      subtitle={t('{name}: {anzahl}', { name: betrieb.sHQ, anzahl: countText(model) })}
      actions={
        <>
          {darf.aendern && (
            <ButtonLink href={`/habitatbaeume/import?fb=${betrieb.idHQ}`} icon="upload">
              {t('Importieren')}
            </ButtonLink>
          )}
          <Button icon="file" onClick={() => setBericht(derListe(model, list))}>
            {t('PDF-Bericht')}
          </Button>
          <GisExport betrieb={betrieb} />
          {darf.aendern && neu}
        </>
      }
    >
      {wahl}
      <div className="stack">
        <Befunde pruefung={pruefung} model={model} />
        <div className="habitat-ansicht">
          <Segments<Ansicht>
            label={t('Ansicht')}
            value={ansicht}
            options={[
              { value: 'liste', label: t('Liste') },
              { value: 'karte', label: t('Karte und Liste') },
              { value: 'fotos', label: t('Fotos und Liste') },
            ]}
            onChange={(next) => setSearch({ ansicht: next === 'liste' ? undefined : next }, { replace: true })}
          />
        </div>
        {ansicht !== 'liste' && (
          <Card>
            {ansicht === 'karte' ? (
              <HabitatKarte betrieb={betrieb} list={list} state={model.shown} />
            ) : (
              <FotoWand list={list} state={model.shown} darf={darf.aendern} />
            )}
          </Card>
        )}
        <ListCard model={model} bulk={bulk} firstSteps={darf.aendern && neu} />
      </div>
      {bericht && <BerichtDialog hq={betrieb.idHQ} {...bericht} onClose={() => setBericht(null)} />}
      {anlegen && <BaumAnlegen betrieb={betrieb} onClose={() => setAnlegen(false)} />}
      {sammel && <SammelDialog betrieb={betrieb} rows={sammel.rows} onDone={sammel.clear} onClose={() => setSammel(null)} />}
    </Page>
  )
}
const KEINE: readonly never[] = []

/** What somebody should look at, each with the way to it. */
function Befunde({ pruefung, model }: { pruefung: HabitatPruefung | undefined; model: ListModel<Zeile> }) {
  if (pruefung === undefined || model.state.filter['befund'] !== undefined)
    return pruefung !== undefined && gefunden(pruefung, model.state.filter['befund'] ?? '').length > MOST_FOUND ? (
      <Notice tone="info">{t('Gezeigt werden die ersten {n} Bäume dieser Prüfung.', { n: formatNumber(MOST_FOUND) })}</Notice>
    ) : null
  const { zahlen } = pruefung
  const worte = {
    doppelt: (n: number) =>
      n === 1 ? t('1 Paar steht näher als 2 m beieinander') : t('{n} Paare stehen näher als 2 m beieinander', { n: formatNumber(n) }),
    ausserhalb: (n: number) =>
      n === 1 ? t('1 Baum liegt außerhalb des Forstbetriebs') : t('{n} Bäume liegen außerhalb des Forstbetriebs', { n: formatNumber(n) }),
    nummer_doppelt: (n: number) => (n === 1 ? t('1 Nummer ist doppelt') : t('{n} Nummern sind doppelt', { n: formatNumber(n) })),
  }
  const found = BEFUNDE.filter((befund) => zahlen[befund] > 0)
  if (found.length === 0) return null
  return (
    <Notice tone="warning" title={t('Die Prüfung hat etwas gefunden')}>
      <p>{t('Vielleicht wurde ein Baum zweimal erfasst oder eine Lage falsch abgelesen.')}</p>
      <div className="habitat-befunde">
        {found.map((befund) => (
          <Button key={befund} size="small" onClick={() => model.setFilter('befund', befund)}>
            {worte[befund](zahlen[befund])}
          </Button>
        ))}
      </div>
    </Notice>
  )
}

type Bericht = Pick<ComponentProps<typeof BerichtDialog>, 'was' | 'filter' | 'ids'>
const anzahlText = (n: number): string => (n === 1 ? t('1 Habitatbaum') : t('{n} Habitatbäumen', { n: formatNumber(n) }))
/** What the list shows, as it was filtered when the button was pressed. */
function derListe(model: ListModel<Zeile>, list: TableList<Zeile>): Bericht {
  const state = model.shown
  const filter = filterWorte(list, state)
  const { total } = model.rows
  return {
    was: total === null ? t('den gefilterten Habitatbäumen') : anzahlText(total),
    filter,
    ids: filter.length === 0 ? null : (signal) => alleIds(list, state, signal),
  }
}
const berichtAktion = (open: (bericht: Bericht) => void): BulkAction<Zeile> => ({
  key: 'bericht',
  label: t('PDF-Bericht'),
  icon: 'file',
  open: (rows) => open({ was: anzahlText(rows.length), filter: [t('einzeln ausgewählt')], ids: rows.map(({ id }) => id) }),
})

const sammelAktionen = (darf: Darf, open: (rows: readonly Zeile[], clear: () => void) => void): readonly BulkAction<Zeile>[] => [
  ...(darf.aendern ? [{ key: 'aendern', label: t('Ändern'), icon: 'edit' as const, open }] : []),
  ...(darf.loeschen
    ? [
        {
          key: 'loeschen',
          label: t('Löschen'),
          icon: 'trash' as const,
          danger: true,
          confirm: (rows: readonly Zeile[]) => ({
            title: rows.length === 1 ? t('Einen Habitatbaum löschen?') : t('{n} Habitatbäume löschen?', { n: formatNumber(rows.length) }),
            text: t(
              'Fotos und Kontrollen gehen mit verloren, und Geräte im Wald bringen die Bäume nicht zurück. Ist ein Baum nur umgefallen oder entnommen, dann tragen Sie besser den Verlust ein: So bleibt er als Nachweis erhalten.',
            ),
            label: t('Endgültig löschen'),
          }),
          run: ({ id }: Zeile, signal: AbortSignal) => removeBaum(id, signal),
          done: (n: number) => (n === 1 ? t('1 Habitatbaum ist gelöscht.') : t('{n} Habitatbäume sind gelöscht.', { n: formatNumber(n) })),
        },
      ]
    : []),
]
