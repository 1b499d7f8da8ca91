// /habitatbaeume/index: the habitat trees of a holding as list and map, and the findings of the check.
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useEffect, useMemo, useState } from 'react'
import type { HabitatCheck } from '#contract/habitat.ts'
import { useHasRole } from '../../data/session.ts'
import type { Betrieb } from '../../list/betrieb.data.ts'
import { BetriebLoading, WithoutBetrieb } from '../../list/BetriebPicker.tsx'
import { BetriebStart } from '../../places/BetriebStart.tsx'
import type { BulkAction } from '../../list/bulk.ts'
import type { ListModel } from '../../list/list-model.ts'
import { countText, ListCard, useList } from '../../list/ListPage.tsx'
import type { TableList } from '../../list/table-source.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Segments } from '../../ui/Choice.tsx'
import { Card, Notice } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { leaveFocusToHeading } from '../../ui/leave-focus.ts'
import { Page } from '../../ui/Page.tsx'
import { EmptyState, Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { useAsked } from '../../ui/use-asked.ts'
import { useView } from '../../ui/view.tsx'
import { GisExport } from './GisExport.tsx'
import { idsOfFinding, habitatList, MOST_FOUND, type TableRow } from './habitat-list.tsx'
import { fetchAllIds, filterWords } from './report-selection.ts'
import {
  addressesQuery,
  type HabitatRights,
  checkQuery,
  removeTree,
  useHabitatRights,
} from './habitat.data.ts'
import { FINDINGS } from '../../record/habitat/habitat-words.ts'
import './habitat.css'

// Loaded on demand.
const CreateTree = splitOff(async () => (await import('./CreateTree.tsx')).CreateTree)
const BulkDialog = splitOff(async () => (await import('./BulkDialog.tsx')).BulkDialog)
const PhotoWall = splitOff(async () => (await import('./PhotoWall.tsx')).PhotoWall, <Skeleton lines={8} />)
const ReportDialog = splitOff(
  async () => (await import('../../record/habitat/ReportDialog.tsx')).ReportDialog,
)
const HabitatKarte = splitOff(
  async () => (await import('./HabitatKarte.tsx')).HabitatKarte,
  <Skeleton lines={8} />,
)

/** Parameters dropped on switching to another holding; only the view is kept. */
const KEYS = [
  ...'suche seite sort liste art struktur zustand status markiert foto befund bhd verloren'.split(' '),
  ...'kawm erfasst e1 e2 e3 e4 e5 stand'.split(' '),
]

const ADDRESS = ['e1', 'e2', 'e3', 'e4', 'e5', 'stand']

type View = 'liste' | 'karte' | 'fotos'
const parseView = (text: string | undefined): View => (text === 'karte' || text === 'fotos' ? text : 'liste')

export const HabitatPage = () => (
  <BetriebStart was="habitat" keys={KEYS}>
    {(id, choice) => (
      <BetriebLoading key={id} id={id} choice={choice}>
        {(betrieb) => <Trees betrieb={betrieb} choice={choice} />}
      </BetriebLoading>
    )}
  </BetriebStart>
)

function emptyText(rights: HabitatRights, team: boolean): string {
  if (rights.mayChange)
    return t('Legen Sie den ersten Baum an: Art und Lage genügen, alles andere lässt sich nachtragen.')
  return team
    ? t(
        'Für diesen Forstbetrieb ist noch nichts erfasst. Erfassen können die Personen des Betriebs ' +
          'und die Verwaltung.',
      )
    : t('Sobald die Personen Ihres Forstbetriebs Bäume erfassen, sehen Sie sie hier.')
}

function Trees({ betrieb, choice }: { betrieb: Betrieb; choice: ReactNode }) {
  const team = useHasRole('ogf_admin', 'ogf_team')
  const isKundeAdmin = useHasRole('kundenadmin')
  // People of a holding that is not enabled yet get a notice; the customer's admins and staff see the trees
  // anyway.
  if (!betrieb.fb_enabled && !team && !isKundeAdmin)
    return (
      <WithoutBetrieb choice={choice}>
        <EmptyState icon="lock" title={t('{name} ist noch nicht freigeschaltet', { name: betrieb.sHQ })}>
          {t(
            'Habitatbäume sehen und erfassen Sie, sobald Ihr Ansprechpartner bei uns den Forstbetrieb ' +
              'freischaltet.',
          )}
        </EmptyState>
      </WithoutBetrieb>
    )
  return <TreesPage betrieb={betrieb} choice={choice} team={team} />
}

/** The list with its check and addresses. */
function useTrees(betrieb: Betrieb, rights: HabitatRights, team: boolean) {
  const { search } = useView()
  // Both queries read every tree: unless a filter in the address needs them, the rows load first.
  const [drawn, setDrawn] = useState(false)
  const check = useQuery({
    ...checkQuery(betrieb.idHQ),
    enabled: drawn || search['befund'] !== undefined,
  }).data
  const { data: addresses = NONE } = useQuery({
    ...addressesQuery(betrieb.idHQ),
    enabled: drawn || ADDRESS.some((key) => search[key] !== undefined),
  })
  const list = useMemo(
    () => habitatList(betrieb, check, addresses, emptyText(rights, team)),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the rights object is new on each render
    [betrieb, check, addresses, rights.mayChange, team],
  )
  const model = useList(list)
  const there = !model.rows.loading
  useEffect(() => {
    if (there) setDrawn(true)
  }, [there])
  return { list, model, pruefung: check }
}

interface PageProps {
  betrieb: Betrieb
  choice: ReactNode
  team: boolean
}
function TreesPage({ betrieb, choice, team }: PageProps) {
  const rights = useHabitatRights(betrieb.idHQ)
  const { list, model, pruefung } = useTrees(betrieb, rights, team)
  const adding = useAsked('neu', 'baum')
  const [bulkEdit, setBulkEdit] = useState<{ rows: readonly TableRow[]; clear: () => void } | null>(null)
  const [report, setReport] = useState<Report | null>(null)
  const { mayChange, erase } = rights
  const bulk = useMemo(
    () => [
      ...bulkActions({ mayChange, erase }, (rows, clear) => setBulkEdit({ rows, clear })),
      reportAction(setReport),
    ],
    [mayChange, erase],
  )
  const addButton = mayChange && (
    <Button variant="primary" icon="plus" onClick={adding.open}>
      {t('Neuer Habitatbaum')}
    </Button>
  )
  return (
    <Page
      subtitle={t('{name}: {anzahl}', { name: betrieb.sHQ, anzahl: countText(model) })}
      actions={
        <>
          {mayChange && (
            <ButtonLink href={`/habitatbaeume/import?fb=${betrieb.idHQ}`} icon="upload">
              {t('Importieren')}
            </ButtonLink>
          )}
          <Button icon="file" onClick={() => setReport(listReport(model, list))}>
            {t('PDF-Bericht')}
          </Button>
          <GisExport betrieb={betrieb} />
          {addButton}
        </>
      }
    >
      {choice}
      <div className="stack">
        <Findings pruefung={pruefung} model={model} />
        <Views betrieb={betrieb} list={list} model={model} mayChange={mayChange} />
        <ListCard model={model} bulk={bulk} firstSteps={addButton} />
      </div>
      {report && <ReportDialog hq={betrieb.idHQ} {...report} onClose={() => setReport(null)} />}
      {adding.isOpen && mayChange && <CreateTree betrieb={betrieb} onClose={adding.close} />}
      {bulkEdit && (
        <BulkDialog
          betrieb={betrieb}
          rows={bulkEdit.rows}
          onDone={bulkEdit.clear}
          onClose={() => setBulkEdit(null)}
        />
      )}
    </Page>
  )
}

interface ViewsProps {
  betrieb: Betrieb
  list: TableList<TableRow>
  model: ListModel<TableRow>
  mayChange: boolean
}
/** The trees as a map or as photos, above the list. */
function Views({ betrieb, list, model, mayChange }: ViewsProps) {
  const { search, setSearch } = useView()
  const shownView = parseView(search['ansicht'])
  return (
    <>
      <div className="habitat-ansicht">
        <Segments<View>
          label={t('Ansicht')}
          value={shownView}
          options={[
            { value: 'liste', label: t('Liste') },
            { value: 'karte', label: t('Karte und Liste') },
            { value: 'fotos', label: t('Fotos und Liste') },
          ]}
          onChange={(next) => setSearch({ ansicht: next === 'liste' ? undefined : next }, { replace: true })}
        />
      </div>
      {shownView !== 'liste' && (
        <Card>
          {shownView === 'karte' ? (
            <HabitatKarte betrieb={betrieb} list={list} state={model.shown} />
          ) : (
            <PhotoWall list={list} state={model.shown} rights={mayChange} />
          )}
        </Card>
      )}
    </>
  )
}
const NONE: readonly never[] = []

/** Findings to look at, each with a link. */
function Findings({ pruefung, model }: { pruefung: HabitatCheck | undefined; model: ListModel<TableRow> }) {
  if (pruefung === undefined || model.state.filter['befund'] !== undefined)
    return pruefung !== undefined &&
      idsOfFinding(pruefung, model.state.filter['befund'] ?? '').length > MOST_FOUND ? (
      <Notice tone="info">
        {t('Gezeigt werden die ersten {n} Bäume dieser Prüfung.', { n: formatNumber(MOST_FOUND) })}
      </Notice>
    ) : null
  const { zahlen } = pruefung
  const wording = {
    doppelt: (n: number) =>
      n === 1
        ? t('1 Paar steht näher als 2 m beieinander')
        : t('{n} Paare stehen näher als 2 m beieinander', { n: formatNumber(n) }),
    ausserhalb: (n: number) =>
      n === 1
        ? t('1 Baum liegt außerhalb des Forstbetriebs')
        : t('{n} Bäume liegen außerhalb des Forstbetriebs', { n: formatNumber(n) }),
    nummer_doppelt: (n: number) =>
      n === 1 ? t('1 Nummer ist doppelt') : t('{n} Nummern sind doppelt', { n: formatNumber(n) }),
  }
  const found = FINDINGS.filter((finding) => zahlen[finding] > 0)
  if (found.length === 0) return null
  return (
    <Notice tone="warning" title={t('Die Prüfung hat etwas gefunden')}>
      <p>{t('Vielleicht wurde ein Baum zweimal erfasst oder eine Lage falsch abgelesen.')}</p>
      <div className="habitat-befunde">
        {found.map((finding) => (
          <Button
            key={finding}
            ref={leaveFocusToHeading}
            size="small"
            onClick={() => model.setFilter('befund', finding)}
          >
            {wording[finding](zahlen[finding])}
          </Button>
        ))}
      </div>
    </Notice>
  )
}

type Report = Pick<ComponentProps<typeof ReportDialog>, 'was' | 'filter' | 'ids'>
const treesText = (n: number): string =>
  n === 1 ? t('1 Habitatbaum') : t('{n} Habitatbäumen', { n: formatNumber(n) })
/** The filtered list at the moment the button is pressed. */
function listReport(model: ListModel<TableRow>, list: TableList<TableRow>): Report {
  const state = model.shown
  const filter = filterWords(list, state)
  const { total } = model.rows
  return {
    was: total === null ? t('den gefilterten Habitatbäumen') : treesText(total),
    filter,
    ids: filter.length === 0 ? null : (signal) => fetchAllIds(list, state, signal),
  }
}
const reportAction = (open: (report: Report) => void): BulkAction<TableRow> => ({
  key: 'bericht',
  label: t('PDF-Bericht'),
  icon: 'file',
  open: (rows) =>
    open({ was: treesText(rows.length), filter: [t('einzeln ausgewählt')], ids: rows.map(({ id }) => id) }),
})

const bulkActions = (
  rights: HabitatRights,
  open: (rows: readonly TableRow[], clear: () => void) => void,
): readonly BulkAction<TableRow>[] => [
  ...(rights.mayChange ? [{ key: 'aendern', label: t('Ändern'), icon: 'edit' as const, open }] : []),
  ...(rights.erase
    ? [
        {
          key: 'loeschen',
          label: t('Löschen'),
          icon: 'trash' as const,
          danger: true,
          confirm: (rows: readonly TableRow[]) => ({
            title:
              rows.length === 1
                ? t('Einen Habitatbaum löschen?')
                : t('{n} Habitatbäume löschen?', { n: formatNumber(rows.length) }),
            text: t(
              'Fotos und Kontrollen gehen mit verloren, und Geräte im Wald bringen die Bäume nicht ' +
                'zurück. Ist ein Baum nur umgefallen oder entnommen, dann tragen Sie besser den Verlust ' +
                'ein: So bleibt er als Nachweis erhalten.',
            ),
            label: t('Endgültig löschen'),
          }),
          run: ({ id }: TableRow, signal: AbortSignal) => removeTree(id, signal),
          done: (n: number) =>
            n === 1
              ? t('1 Habitatbaum ist gelöscht.')
              : t('{n} Habitatbäume sind gelöscht.', { n: formatNumber(n) }),
        },
      ]
    : []),
]
