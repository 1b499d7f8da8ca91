// Buttons from one step of an import to the next, and back.
import { type ReactNode, useState } from 'react'
import type { FarAway } from '#domain/far-away.ts'
import { MOVED_M, type Moved } from '#domain/vermessung/moved.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Display.tsx'
import { Checkbox } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Actions } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'
import { tableName } from '../kataster/kataster-words.ts'

interface Props {
  busy: boolean
  /** The next step is possible. */
  ready: boolean
  onNext: () => void
  onBack: () => void
}
interface Words {
  next: string
  working: string
  back: string
}

const ActionBar = ({ busy, ready, onNext, onBack, next, working, back }: Props & Words) => (
  <Actions>
    <Button variant="primary" busy={busy} disabled={!ready} onClick={onNext}>
      {busy ? working : next}
    </Button>
    <Button onClick={onBack} disabled={busy}>
      {back}
    </Button>
  </Actions>
)

export const ToCheck = (props: Props) => (
  <ActionBar
    {...props}
    next={t('Weiter zur Prüfung')}
    working={t('Wird geprüft …')}
    back={t('Andere Datei')}
  />
)

interface ApplyProps extends Omit<Props, 'onNext'> {
  /** What is far away: the import then needs a confirmation. */
  fern: FarAway | null
  /** Known objects that would be moved: the same. */
  verschoben?: Moved | null
  onNext: (ort_bestaetigt: boolean, verschiebung_bestaetigt: boolean) => void
}
export function ApplyImport({ fern, verschoben = null, ready, onNext, ...props }: ApplyProps) {
  const [confirmed, setConfirmed] = useState(false)
  const [moves, setMoves] = useState(false)
  return (
    <>
      {fern !== null && <FarQuestion fern={fern} confirmed={confirmed} onChange={setConfirmed} />}
      {verschoben !== null && <MovedQuestion verschoben={verschoben} confirmed={moves} onChange={setMoves} />}
      <ActionBar
        {...props}
        ready={ready && (fern === null || confirmed) && (verschoben === null || moves)}
        onNext={() => onNext(fern !== null, verschoben !== null)}
        next={t('Jetzt importieren')}
        working={t('Wird importiert …')}
        back={t('Zurück zur Zuordnung')}
      />
    </>
  )
}

interface FarProps {
  fern: FarAway
  confirmed: boolean
  onChange: (confirmed: boolean) => void
}
function FarQuestion({ fern: { anzahl, von, km, bezug, objekte }, confirmed, onChange }: FarProps) {
  const isMost = 2 * anzahl > von
  const values = { n: formatNumber(anzahl), all: formatNumber(von), km: formatNumber(km) }
  // With a wrong system every row is as far as the next: a few are enough to recognize it.
  const named = isMost ? objekte.slice(0, 3) : objekte
  return (
    <Notice tone="warning" title={t('Liegen die Daten wirklich dort?')}>
      <div className="stack">
        <p>
          {farText(bezug, values)}{' '}
          {isMost
            ? t(
                'Meist stimmt dann das Koordinatensystem oder seine Zone nicht; gehen Sie zurück zur Zuordnung.',
              )
            : t(
                'Die übrigen liegen nahe; meist stimmt dann in diesen Zeilen der Ost- oder Nordwert nicht. ' +
                  'Berichtigen Sie die Datei und laden Sie sie noch einmal hoch.',
              )}
        </p>
        <Listed anzahl={anzahl}>
          {named.map(({ schicht, nr, name, km: away }) => (
            <li key={`${schicht} ${nr}`}>
              {t('{schicht}, Zeile {nr}', { schicht, nr: formatNumber(nr) })}
              {name === '' ? '' : ` (${name})`}
              {`: ${formatNumber(away)} km`}
            </li>
          ))}
        </Listed>
        <Checkbox
          label={t('Ja, die Daten liegen dort')}
          checked={confirmed}
          onChange={({ target }) => onChange(target.checked)}
        />
      </div>
    </Notice>
  )
}

function farText(from: FarAway['bezug'], values: Record<'n' | 'all' | 'km', string>): string {
  switch (from) {
    case 'bestand':
      return t('Von den vorhandenen Daten sind sie bis zu {km} km entfernt (Objekte: {n} von {all}).', values)
    case 'land':
      return t(
        'Vom Bundesland der Anschrift sind sie bis zu {km} km entfernt (Objekte: {n} von {all}).',
        values,
      )
    case 'datei':
      return t('Von der Mitte der Datei sind sie bis zu {km} km entfernt (Objekte: {n} von {all}).', values)
  }
}

/** The first ones of so many. */
function Listed({ anzahl, children }: { anzahl: number; children: readonly ReactNode[] }) {
  const more = anzahl - children.length
  return (
    <ul>
      {children}
      {more > 0 && <li>{t('{n} weitere', { n: formatNumber(more) })}</li>}
    </ul>
  )
}

interface MovedProps {
  verschoben: Moved
  confirmed: boolean
  onChange: (confirmed: boolean) => void
}
function MovedQuestion({ verschoben: { anzahl, objekte }, confirmed, onChange }: MovedProps) {
  const values = { n: formatNumber(anzahl), m: formatNumber(MOVED_M) }
  return (
    <Notice tone="warning" title={t('Sind das wirklich dieselben Objekte?')}>
      <div className="stack">
        <p>
          {t(
            'Ihre Kennung gibt es schon, aber mehr als {m} m entfernt (Objekte: {n}). Der Import würde sie ' +
              'verschieben und ihre Angaben überschreiben.',
            values,
          )}{' '}
          {t(
            'Meist ist die Spalte der Kennung nur eine Zeilennummer; gehen Sie zurück zur Zuordnung und wählen Sie ' +
              'eine andere.',
          )}
        </p>
        <Listed anzahl={anzahl}>
          {objekte.map(({ tabelle, schluessel, m }) => (
            <li key={`${tabelle} ${schluessel}`}>
              {`${tableName(tabelle)} ${schluessel}: ${formatNumber(m)} m`}
            </li>
          ))}
        </Listed>
        <Checkbox
          label={t('Ja, es sind dieselben Objekte')}
          checked={confirmed}
          onChange={({ target }) => onChange(target.checked)}
        />
      </div>
    </Notice>
  )
}
