// One tree in the field: its data, photos, a check-up, its loss, and its form. Conflicts with somebody else's
// changes are resolved here.
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { messageOf } from '../../record/record-faults.ts'
import { ConflictDialog } from '../../record/ConflictDialog.tsx'
import { changesOf, mergedChanges } from '../../record/merge.ts'
import type { TreeValues } from '../../record/habitat/tree.ts'
import {
  TREE_FIELDS,
  treeKind,
  treeResolver,
  type TreeFormValues,
  type TreeFormField,
  toTreeFormValues,
  toTreeValues,
} from '../../record/habitat/habitat-form.ts'
import {
  addressOf,
  kindText,
  treeName,
  fieldLabel,
  markName,
  statusName,
  lossName,
  stateName,
} from '../../record/habitat/habitat-words.ts'
import { newId } from '../../record/habitat/new-id.ts'
import { structureNames, structuresOf } from '../../record/habitat/structures-text.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Badge, Facts, fact, Notice } from '../../ui/Display.tsx'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { ToldError } from '../../ui/told-error.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { useView } from '../../ui/view.tsx'
import { TreeForm } from './TreeForm.tsx'
import './capture.css'
import { sides } from './capture.ts'
import { type FieldworkDraft, type FieldworkPacket, type Identifier } from './fieldwork-db.ts'
import { showFault } from './FieldworkEntry.tsx'
import { useFieldwork } from './fieldwork-context.ts'
import { useFieldworkState } from './fieldwork-state.ts'
import { PhotoBar } from './PhotoBar.tsx'
import { InspectionDialog, LossDialog } from './TreeDialogs.tsx'
import { useRuleText } from './rule-text.ts'
import {
  type TreeSituation,
  watch,
  fetchTree,
  fetchDraft,
  recreateDeleted,
  resolveConflict,
  saveChange,
  retry,
  discardDraft,
  discardCapture,
} from './queue.ts'
import { useDraft } from './use-draft.ts'

interface Loaded {
  readonly lage: TreeSituation | null
  readonly entwurf: FieldworkDraft | undefined
}

export function FieldworkTree({ kennung, packet: offen }: { kennung: Identifier; packet: FieldworkPacket }) {
  const { pakete } = useFieldworkState()
  const { db, sub } = useFieldwork()
  const { search, setSearch } = useView()
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const [fehler, setError] = useState<unknown>(null)
  useEffect(() => {
    let gone = false
    const read = () =>
      void Promise.all([fetchTree(db, sub, kennung), fetchDraft(db, sub, kennung)]).then(
        ([lage, entwurf]) => !gone && setLoaded({ lage, entwurf }),
        (error: unknown) => !gone && setError(error),
      )
    read()
    const stop = watch(read)
    return () => {
      gone = true
      stop()
    }
  }, [db, sub, kennung])
  if (fehler !== null) return <ErrorState error={fehler} />
  if (loaded === null) return <Skeleton lines={8} />
  if (loaded.lage === null)
    return (
      <EmptyState
        icon="tree"
        title={t('Diesen Baum gibt es auf diesem Gerät nicht')}
        action={<ButtonLink href="/feld/baeume">{t('Zu den Bäumen')}</ButtonLink>}
      >
        {t(
          'Vielleicht wurde er gelöscht, oder er gehört zu einem Forstbetrieb, der hier nicht gespeichert ist.',
        )}
      </EmptyState>
    )
  // The tree may belong to a holding other than the open one.
  const { idHQ } = loaded.lage.treeView
  const packet = pakete.find((one) => one.idHQ === idHQ) ?? offen
  if (search['form'] === 'aendern')
    return (
      <EditForm
        lage={loaded.lage}
        entwurf={loaded.entwurf}
        packet={packet}
        feld={search['feld']}
        onDone={() => setSearch({ form: undefined, feld: undefined }, { replace: true })}
      />
    )
  return (
    <View
      lage={loaded.lage}
      entwurf={loaded.entwurf}
      packet={packet}
      onEdit={() => setSearch({ form: 'aendern' })}
    />
  )
}

interface ViewProps {
  lage: TreeSituation
  entwurf: FieldworkDraft | undefined
  packet: FieldworkPacket
  onEdit: () => void
}
function View({ lage, entwurf, packet, onEdit }: ViewProps) {
  const { treeView, baum, capture } = lage
  const { werte } = treeView
  const [dialog, setDialog] = useState<'kontrolle' | 'verlust' | null>(null)
  const deleted = treeView.stand === 'geloescht'
  const kontrollen = [...(capture?.unterwegs?.kontrollen ?? []), ...(capture?.kontrollen ?? [])]
  return (
    <article className="erf-form">
      <header className="erf-kopf">
        <h2>{treeName(werte)}</h2>
        <p className="erf-marken">
          {werte.verlust_datum !== null && <Badge tone="danger">{t('verloren')}</Badge>}
          <Badge>{statusName(werte.status)}</Badge>
          <Badge>{stateName(werte.zustand)}</Badge>
          {werte.markierung_art === null ? (
            <Badge tone="warning">{t('nicht markiert')}</Badge>
          ) : (
            <Badge tone="success">{markName(werte.markierung_art)}</Badge>
          )}
          {treeView.stand === 'wartet' && <Badge tone="info">{t('wartet auf Übertragung')}</Badge>}
        </p>
      </header>
      <Clarification lage={lage} packet={packet} onEdit={onEdit} />
      {entwurf !== undefined && (
        <Notice
          tone="info"
          title={t('Begonnene Änderung')}
          actions={<Button onClick={onEdit}>{t('Fortsetzen')}</Button>}
        >
          {t('An diesem Baum haben Sie etwas geändert und noch nicht gespeichert.')}
        </Notice>
      )}
      {!deleted && (
        <div className="erf-taten">
          <Button variant="primary" icon="edit" onClick={onEdit}>
            {t('Ändern')}
          </Button>
          <Button onClick={() => setDialog('kontrolle')}>{t('Kontrolle')}</Button>
          {werte.verlust_datum === null && (
            <Button onClick={() => setDialog('verlust')}>{t('Verlust')}</Button>
          )}
        </div>
      )}
      <section className="erf-teil" aria-label={t('Fotos')}>
        <h3>
          {t('Fotos')}
          {baum !== undefined && baum.bilder > 0 && (
            <span className="soft">
              {' '}
              {baum.bilder === 1 ? t('1 auf dem Server') : t('{n} auf dem Server', { n: baum.bilder })}
            </span>
          )}
        </h3>
        <PhotoBar baum={treeView.kennung} idHQ={treeView.idHQ} stand="wartet" />
      </section>
      <section className="erf-teil" aria-label={t('Angaben')}>
        <Facts
          facts={[
            fact(fieldLabel('art'), kindText(werte.art, werte.art_text)),
            fact(fieldLabel('bhd_cm'), werte.bhd_cm === null ? null : `${formatNumber(werte.bhd_cm)} cm`),
            fact(fieldLabel('hoehe_m'), werte.hoehe_m === null ? null : `${formatNumber(werte.hoehe_m)} m`),
            fact(fieldLabel('strukturen'), structureNames(structuresOf(werte.strukturen))),
            fact(t('Adresse'), addressOf(werte, packet.ebenen)),
            fact(
              fieldLabel('markierung_art'),
              werte.markierung_art === null
                ? null
                : [markName(werte.markierung_art), formatDate(werte.markierung_datum)]
                    .filter(Boolean)
                    .join(', '),
            ),
            fact(
              t('Lage'),
              `${formatNumber(werte.lat, 6)}° N, ${formatNumber(werte.lon, 6)}° O${werte.genauigkeit_m === null ? '' : ` (± ${formatNumber(werte.genauigkeit_m, 1)} m)`}`,
            ),
            fact(t('Erfasst'), [formatDate(werte.erfasst_am), werte.erfasser].filter(Boolean).join(', ')),
            ...(werte.verlust_datum === null
              ? []
              : [
                  fact(
                    t('Verlust'),
                    [formatDate(werte.verlust_datum), werte.verlust_grund && lossName(werte.verlust_grund)]
                      .filter(Boolean)
                      .join(', '),
                  ),
                ]),
            ...(kontrollen.length === 0
              ? []
              : [
                  fact(
                    t('Kontrollen, die warten'),
                    kontrollen.map(({ datum }) => formatDate(datum)).join(', '),
                  ),
                ]),
            fact(fieldLabel('bemerkung'), werte.bemerkung),
          ]}
        />
      </section>
      {treeView.stand === 'wartet' && capture?.version === null && capture.unterwegs === null && (
        <div className="erf-taten">
          <DiscardButton lage={lage} />
        </div>
      )}
      {dialog === 'kontrolle' && (
        <InspectionDialog kennung={treeView.kennung} onClose={() => setDialog(null)} />
      )}
      {dialog === 'verlust' && <LossDialog lage={lage} onClose={() => setDialog(null)} />}
    </article>
  )
}

type ViewPart = Omit<ViewProps, 'entwurf'>
/** What the queue cannot decide on its own. */
function Clarification({ lage, packet, onEdit }: ViewPart) {
  const { treeView, capture, conflict } = lage
  const { db, sub } = useFieldwork()
  const view = useView()
  const [open, setOpen] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const grund = useRuleText(capture?.antwort?.regel ?? null)
  const { kennung, stand } = treeView
  const versuche = (work: Promise<unknown>) =>
    work.catch((error: unknown) => setFault(error instanceof ToldError ? error.message : messageOf(error)))
  const discardButton = <DiscardButton lage={lage} />
  if (capture === undefined) return null
  return (
    <>
      {fault !== null && (
        <Notice tone="danger" title={t('Nicht gespeichert')}>
          {fault}
        </Notice>
      )}
      {stand === 'konflikt' && conflict !== undefined && (
        <Notice
          tone="warning"
          title={t('Inzwischen geändert')}
          actions={
            <Button variant="primary" onClick={() => setOpen(true)}>
              {t('Entscheiden')}
            </Button>
          }
        >
          {t(
            'Jemand anderes hat diesen Baum geändert. Nichts ist überschrieben: wählen Sie, was gelten soll.',
          )}
        </Notice>
      )}
      {stand === 'geloescht' && (
        <Notice
          tone="warning"
          title={t('Auf dem Server gelöscht')}
          actions={
            <>
              {discardButton}
              <Button
                variant="primary"
                size="small"
                onClick={() =>
                  void versuche(
                    recreateDeleted(db, { sub, kennung, newId, present: new Date() }).then((fresh) => {
                      if (fresh !== null) view.go(`/feld/baum/${fresh}`, { replace: true })
                    }),
                  )
                }
              >
                {t('Neu anlegen')}
              </Button>
            </>
          }
        >
          {t(
            'Jemand hat diesen Baum gelöscht, während hier noch etwas von ihm wartete. Sie können ihn mit Ihren Angaben und Fotos neu anlegen oder Ihre Angaben verwerfen.',
          )}
        </Notice>
      )}
      {stand === 'abgelehnt' && (
        <Notice
          tone="danger"
          title={t('Vom Server nicht angenommen')}
          actions={
            <>
              {discardButton}
              <Button size="small" onClick={() => void versuche(retry(db, sub, kennung))}>
                {t('Noch einmal senden')}
              </Button>
              <Button size="small" variant="primary" onClick={onEdit}>
                {t('Berichtigen')}
              </Button>
            </>
          }
        >
          {capture.antwort?.feld != null && (
            <strong>{fieldLabel(capture.antwort.feld, packet.ebenen)}: </strong>
          )}
          {grund}
        </Notice>
      )}
      {open && conflict !== undefined && (
        <Conflict
          lage={{ capture, server: conflict.server }}
          packet={packet}
          onChoose={(gewaehlt) => {
            setOpen(false)
            void versuche(resolveConflict(db, sub, kennung, gewaehlt, new Date()))
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

/** Discards this tree's pending changes. */
function DiscardButton({ lage: { treeView, capture } }: Pick<ViewProps, 'lage'>) {
  const { db, sub } = useFieldwork()
  const view = useView()
  const [weg, setDiscarding] = useState(false)
  const { kennung, stand } = treeView
  const gib = async () => {
    setDiscarding(false)
    try {
      if (!(await discardCapture(db, sub, kennung)))
        toast.error(t('Dieser Baum ist gerade unterwegs zum Server. Warten Sie, bis die Antwort da ist.'))
      else if (capture?.version === null || stand === 'geloescht') view.go('/feld/baeume', { replace: true })
    } catch (error) {
      toast.error(error instanceof ToldError ? error.message : messageOf(error))
    }
  }
  return (
    <>
      <Button size="small" onClick={() => setDiscarding(true)}>
        {t('Verwerfen')}
      </Button>
      <ConfirmDialog
        open={weg}
        danger
        title={t('Erfassung verwerfen?')}
        record={treeName(treeView.werte)}
        confirmLabel={t('Verwerfen')}
        onConfirm={() => void gib()}
        onCancel={() => setDiscarding(false)}
      >
        <p>
          {t(
            'Was von diesem Baum noch nicht übertragen ist, ist dann weg, auch seine Fotos auf diesem Gerät.',
          )}
        </p>
      </ConfirmDialog>
    </>
  )
}

interface ConflictProps {
  lage: {
    capture: NonNullable<TreeSituation['capture']>
    server: NonNullable<TreeSituation['conflict']>['server']
  }
  packet: FieldworkPacket
  onChoose: (gewaehlt: Partial<TreeValues>) => void
  onClose: () => void
}
function Conflict({ lage: { capture, server }, packet, onChoose, onClose }: ConflictProps) {
  const { base, mine, theirs } = sides(capture, server)
  return (
    <ConflictDialog<TreeFormField, typeof theirs, TreeFormValues>
      kind={treeKind(packet.ebenen)}
      conflict={{ base, mine, theirs }}
      saving={false}
      onResolve={(choice) => onChoose(mergedChanges(TREE_FIELDS, choice, mine, theirs))}
      onClose={onClose}
    />
  )
}

interface EditFormProps {
  lage: TreeSituation
  entwurf: FieldworkDraft | undefined
  packet: FieldworkPacket
  /** The field that the server rejected. */
  feld: string | undefined
  onDone: () => void
}
function EditForm({ lage, entwurf, packet, feld, onDone }: EditFormProps) {
  const { db, sub } = useFieldwork()
  // Snapshot when the form opens: a sync meanwhile does not change the form; differences are handled on
  // saving.
  const [anfang] = useState(() => ({
    treeView: lage.treeView,
    version: lage.baum?.baum.version ?? null,
    werte: toTreeFormValues(lage.treeView.werte),
    antwort: lage.capture?.antwort ?? null,
  }))
  const { kennung, idHQ } = anfang.treeView
  const form = useForm<TreeFormValues>({
    resolver: treeResolver,
    defaultValues: { ...anfang.werte, ...(entwurf?.werte as TreeFormValues | undefined) },
    mode: 'onTouched',
    shouldFocusError: false,
  })
  const sicherung = useDraft({
    name: kennung,
    kennung,
    idHQ,
    form,
    worthKeeping: (values) => TREE_FIELDS.some((one) => values[one] !== anfang.werte[one]),
  })
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const [leaving, setLeaving] = useState(false)
  const page = useRef<HTMLFormElement>(null)
  const disarm = useUnsavedChanges(sicherung.fehler !== null)
  const discard = () => {
    sicherung.ende()
    void discardDraft(db, sub, kennung, 'keines').finally(onDone)
  }
  const refused = anfang.treeView.stand === 'abgelehnt' ? (anfang.antwort?.feld ?? feld) : undefined
  const sentence = useRuleText(anfang.treeView.stand === 'abgelehnt' ? (anfang.antwort?.regel ?? null) : null)
  useEffect(() => {
    if (refused === undefined || !TREE_FIELDS.includes(refused as TreeFormField)) return
    form.setError(refused as TreeFormField, { type: 'server', message: sentence })
    showFault(page.current, refused)
  }, [form, refused, sentence])

  const save = () =>
    form.handleSubmit(
      async (values) => {
        if (busy) return
        setBusy(true)
        setFault(null)
        try {
          const werte = changesOf(
            TREE_FIELDS,
            anfang.treeView.werte,
            toTreeValues(values),
          ) as Partial<TreeValues>
          sicherung.ende()
          await saveChange(db, {
            sub,
            kennung,
            werte,
            viewed: { version: anfang.version, werte: anfang.treeView.werte },
            entwurf: kennung,
            present: new Date(),
          })
          disarm()
          toast.success(t('Die Änderung ist auf diesem Gerät gespeichert.'))
          onDone()
        } catch (error) {
          setFault(error instanceof ToldError ? error.message : messageOf(error))
          setBusy(false)
        }
      },
      (errors) => {
        setFault(t('Es fehlt noch etwas: die Stellen sind rot bezeichnet.'))
        showFault(
          page.current,
          TREE_FIELDS.find((one) => errors[one] !== undefined),
        )
      },
    )()
  return (
    <form ref={page} className="erf-form" noValidate onSubmit={(event) => event.preventDefault()}>
      <header className="erf-kopf">
        <h2>{t('{name} ändern', { name: treeName(anfang.treeView.werte) })}</h2>
      </header>
      <TreeForm form={form} packet={packet} neu={false} />
      <div className="erf-leiste">
        {(fault ?? sicherung.fehler?.message) && (
          <p className="field-error" role="alert">
            {fault ?? sicherung.fehler?.message}
          </p>
        )}
        <div className="erf-taten">
          <Button
            disabled={busy}
            onClick={() => {
              if (TREE_FIELDS.some((one) => form.getValues(one) !== anfang.werte[one])) setLeaving(true)
              else discard()
            }}
          >
            {t('Abbrechen')}
          </Button>
          <Button variant="primary" icon="check" busy={busy} onClick={() => void save()}>
            {t('Speichern')}
          </Button>
        </div>
      </div>
      <ConfirmDialog
        open={leaving}
        danger
        title={t('Eingaben verwerfen?')}
        confirmLabel={t('Verwerfen')}
        cancelLabel={t('Weiter bearbeiten')}
        onConfirm={discard}
        onCancel={() => setLeaving(false)}
      >
        <p>{t('Was Sie an diesem Baum geändert haben, ist noch nicht gespeichert.')}</p>
      </ConfirmDialog>
    </form>
  )
}
