// One survey object in the field: its view, or its form. Both are read from the device again when something changes.
import { useState } from 'react'
import { fieldsOf } from '#domain/vermessung/fields.ts'
import { fieldName, lengthText } from '../../record/kataster/kataster-words.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Badge, fact, Facts, Notice } from '../../ui/Display.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useDeletionReason } from '../../record/kataster/deletion-reason.tsx'
import { toast } from '../../ui/toasts.ts'
import { useView } from '../../ui/view.tsx'
import './capture.css'
import { presentTime } from './device-clock.ts'
import type { FieldworkPacket, Identifier } from './fieldwork-db.ts'
import { useFieldwork } from './fieldwork-context.ts'
import { useFieldworkState } from './fieldwork-state.ts'
import { PhotoPart } from './PhotoPart.tsx'
import { fetchDraft, fetchObject, type ObjectSituation } from './queue-read.ts'
import { saveChange } from './queue.ts'
import { SurveyChange } from './SurveyChange.tsx'
import { DiscardObject, SurveyClarification, textOfFault } from './SurveyClarification.tsx'
import { showSurveyValue } from '../../record/kataster/survey-form.ts'
import { lengthOf, parsePlaces } from '../../karte/survey-place.ts'
import { objectName } from './survey-words.ts'
import { useStored } from './use-stored.ts'

export function SurveyObject({ kennung, packet: open }: { kennung: Identifier; packet: FieldworkPacket }) {
  const { pakete } = useFieldworkState()
  const { search, setSearch } = useView()
  const { data: loaded, fehler } = useStored(
    async (db, sub) => ({
      lage: await fetchObject(db, sub, kennung),
      entwurf: await fetchDraft(db, sub, kennung),
    }),
    kennung,
  )
  if (fehler !== null) return <ErrorState error={fehler} />
  if (loaded === null) return <Skeleton lines={8} />
  const { lage, entwurf } = loaded
  if (lage === null)
    return (
      <EmptyState
        icon="layers"
        title={t('Dieses Objekt gibt es auf diesem Gerät nicht')}
        action={<ButtonLink href="/feld">{t('Zur Karte')}</ButtonLink>}
      >
        {t('Vielleicht wurde es gelöscht, oder es gehört zu einem Kunden, der hier nicht gespeichert ist.')}
      </EmptyState>
    )
  // It may belong to another customer than the open one.
  const packet = pakete.find(({ idHQ }) => idHQ === lage.view.idHQ) ?? open
  if (search['form'] === 'aendern')
    return (
      <SurveyChange
        lage={lage}
        entwurf={entwurf}
        packet={packet}
        onDone={() => setSearch({ form: undefined }, { replace: true })}
      />
    )
  const onEdit = () => setSearch({ form: 'aendern' })
  return (
    <article className="erf-form">
      <Headline lage={lage} />
      <SurveyClarification lage={lage} onEdit={onEdit} />
      {entwurf !== undefined && (
        <Notice
          tone="info"
          title={t('Begonnene Änderung')}
          actions={<Button onClick={onEdit}>{t('Fortsetzen')}</Button>}
        >
          {t('An diesem Objekt haben Sie etwas geändert und noch nicht gespeichert.')}
        </Notice>
      )}
      <Actions lage={lage} onEdit={onEdit} />
      {lage.view.stand !== 'geloescht' && lage.view.werte['geloescht'] !== true && (
        <PhotoPart
          kennung={kennung}
          idHQ={lage.view.idHQ}
          tabelle={lage.view.tabelle}
          onServer={lage.object?.bilder ?? 0}
        />
      )}
      <ObjectFacts lage={lage} />
    </article>
  )
}

function Headline({ lage: { view } }: { lage: ObjectSituation }) {
  const { tabelle, werte, stand } = view
  return (
    <header className="erf-kopf">
      <h2>{objectName(tabelle, werte)}</h2>
      <p className="erf-marken">
        {werte['vermessen'] !== null && (
          <Badge>{werte['vermessen'] === true ? t('vermessen') : t('vermutet')}</Badge>
        )}
        {stand === 'wartet' &&
          (werte['geloescht'] === true ? (
            <Badge tone="warning">{t('wird gelöscht')}</Badge>
          ) : (
            <Badge tone="info">{t('wartet auf Übertragung')}</Badge>
          ))}
      </p>
    </header>
  )
}

function Actions({ lage, onEdit }: { lage: ObjectSituation; onEdit: () => void }) {
  const { db, sub } = useFieldwork()
  const [deleting, setDeleting] = useState(false)
  const reason = useDeletionReason()
  const { kennung, tabelle, werte, stand } = lage.view
  if (stand === 'geloescht') return null
  if (werte['geloescht'] === true)
    return (
      <div className="erf-taten">
        <Button onClick={() => void keep()}>{t('Doch nicht löschen')}</Button>
      </div>
    )
  /** Nothing is to be deleted on the server if it never got there. */
  const isNew = lage.object === undefined && lage.capture?.version === null
  const remove = async () => {
    const deletionReason = reason.given()
    if (deletionReason === null) return
    const values = { geloescht: true, loeschgrund: deletionReason }
    await saveChange(db, { sub, kennung, werte: values, present: presentTime() })
    setDeleting(false)
    toast.success(
      t('{name} wird mit der nächsten Übertragung gelöscht.', { name: objectName(tabelle, werte) }),
    )
  }
  function keep() {
    return saveChange(db, {
      sub,
      kennung,
      werte: { geloescht: false, loeschgrund: null },
      present: presentTime(),
    }).catch((error: unknown) => toast.error(textOfFault(error)))
  }
  return (
    <>
      <div className="erf-taten">
        <Button variant="primary" icon="edit" onClick={onEdit}>
          {t('Ändern')}
        </Button>
        {isNew ? (
          lage.capture.unterwegs === null && <DiscardObject lage={lage} />
        ) : (
          <Button icon="trash" onClick={() => setDeleting(true)}>
            {t('Löschen')}
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={deleting}
        danger
        title={t('Objekt löschen?')}
        record={objectName(tabelle, werte)}
        confirmLabel={t('Löschen')}
        onConfirm={remove}
        onCancel={() => setDeleting(false)}
      >
        <p>
          {t(
            'Es wird mit der nächsten Übertragung aus dem Kataster gelöscht, mit allen Fotos. Im Büro lässt es ' +
              'sich 90 Tage lang wiederherstellen.',
          )}
        </p>
        {reason.field}
      </ConfirmDialog>
    </>
  )
}

function ObjectFacts({ lage: { view } }: { lage: ObjectSituation }) {
  const { tabelle, werte } = view
  const parts = parsePlaces(String(werte['lage'] ?? ''))
  return (
    <section className="erf-teil" aria-label={t('Angaben')}>
      <Facts
        facts={[
          ...(tabelle === 'draenage' ? [fact(t('Leitungslänge'), lengthText(lengthOf(parts)))] : []),
          ...fieldsOf(tabelle).flatMap(({ name }) => {
            const text = showSurveyValue(tabelle, name, werte[name])
            return text === '' || name === 'schluessel' ? [] : [fact(fieldName(name), text)]
          }),
        ]}
      />
    </section>
  )
}
