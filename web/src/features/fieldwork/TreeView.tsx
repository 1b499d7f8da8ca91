// What the device knows about one tree: its data, photos, pending changes, and what can be done with it.

import { useState } from 'react'
import type { MeasuredFix } from '#domain/gnss/fix.ts'
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
import { structureNames, structuresOf } from '../../record/habitat/structures-text.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge, Facts, fact, Notice } from '../../ui/Display.tsx'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { accuracyText, fixText } from './accuracy-text.ts'
import type { FieldworkDraft, FieldworkPacket } from './fieldwork-db.ts'
import { PhotoPart } from './PhotoPart.tsx'
import type { TreeSituation } from './queue-read.ts'
import { Clarification, DiscardButton } from './TreeClarification.tsx'
import { InspectionDialog, LossDialog } from './TreeDialogs.tsx'

interface ViewProps {
  lage: TreeSituation
  entwurf: FieldworkDraft | undefined
  packet: FieldworkPacket
  onEdit: () => void
}
export function TreeView({ lage, entwurf, packet, onEdit }: ViewProps) {
  const { treeView, capture } = lage
  const { werte } = treeView
  const [dialog, setDialog] = useState<'kontrolle' | 'verlust' | null>(null)
  const deleted = treeView.stand === 'geloescht'
  return (
    <article className="erf-form">
      <Headline treeView={treeView} />
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
      <PhotoPart kennung={treeView.kennung} idHQ={treeView.idHQ} onServer={lage.baum?.bilder ?? 0} />
      <TreeFacts lage={lage} packet={packet} />
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

function Headline({ treeView: { werte, stand } }: Pick<TreeSituation, 'treeView'>) {
  return (
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
        {stand === 'wartet' && <Badge tone="info">{t('wartet auf Übertragung')}</Badge>}
      </p>
    </header>
  )
}

function TreeFacts({ lage: { treeView, capture }, packet }: Pick<ViewProps, 'lage' | 'packet'>) {
  const { werte } = treeView
  const inspections = [...(capture?.unterwegs?.kontrollen ?? []), ...(capture?.kontrollen ?? [])]
  return (
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
          fact(t('Lage'), placeText(werte)),
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
          ...(inspections.length === 0
            ? []
            : [
                fact(
                  t('Kontrollen, die warten'),
                  inspections.map(({ datum }) => formatDate(datum)).join(', '),
                ),
              ]),
          fact(fieldLabel('bemerkung'), werte.bemerkung),
        ]}
      />
    </section>
  )
}

function placeText({
  lat,
  lon,
  genauigkeit_m,
  lage_fix,
  genauigkeit_geschaetzt,
}: TreeSituation['treeView']['werte']): string {
  const place = `${formatNumber(lat, 6)}° N, ${formatNumber(lon, 6)}° O`
  const fix = lage_fix === null ? '' : `, ${fixText(lage_fix as MeasuredFix, genauigkeit_geschaetzt)}`
  return genauigkeit_m === null ? place : `${place} (± ${accuracyText(genauigkeit_m)}${fix})`
}
