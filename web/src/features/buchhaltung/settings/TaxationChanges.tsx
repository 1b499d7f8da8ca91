// What of the taxation changes on a day: agreed or received consideration, small business or not.
import type { Lieferant } from '#contract/buchhaltung.ts'
import {
  type BusinessSize,
  type ChangeFault,
  changeFault,
  type Changing,
  isChangeDay,
  isFirstOfMonth,
  type Taxation,
  taxationOf,
  wayOn,
} from '#domain/ust/taxation.ts'
import { useState } from 'react'
import { unlessFaulty } from '../../../record/dialog-form.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { useDialogForm } from '../../../record/use-dialog-form.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Card } from '../../../ui/Display.tsx'
import { SelectField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { formatDate } from '../../../ui/format.ts'
import { parseDay } from '../../../ui/parse-day.ts'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { today } from '../../../ui/today.ts'
import { DatedRows } from './DatedRows.tsx'
import { useSaveChanges } from './settings.data.ts'

interface Props {
  version: number
  setting: Pick<Lieferant, 'besteuerung' | 'besteuerung_ab' | 'kleinunternehmer' | 'kleinunternehmer_ab'>
}
type Changes<Way extends string> = Changing<Way>['changes']
interface Kind<Way extends string> {
  title: string
  explanation: string
  /** What the ways are about. */
  label: string
  ways: readonly [Way, Way]
  wayText: (way: Way) => string
  /** Which days are possible, and how that is said. */
  isPossible: (day: string) => boolean
  dayText: string
  changing: Changing<Way>
  valuesOf: (changes: Changes<Way>) => Parameters<ReturnType<typeof useSaveChanges>['mutate']>[0]['werte']
}

export function TaxationChanges({ version, setting }: Props) {
  const kind: Kind<Taxation> = {
    title: t('Wechsel der Besteuerung'),
    explanation: t(
      'Bei einem Wechsel zwischen Soll und Ist zählt jede Leistung, wie es an ihrem Tag galt: Keine wird ' +
        'doppelt versteuert, keine bleibt unversteuert (§ 20 Satz 3 UStG).',
    ),
    label: t('Umsatzsteuer wird fällig'),
    ways: ['soll', 'ist'],
    wayText: (way) =>
      way === 'ist'
        ? t('mit der Zahlung (vereinnahmte Entgelte, Ist, § 20 UStG)')
        : t('mit der Leistung (vereinbarte Entgelte, Soll)'),
    isPossible: isFirstOfMonth,
    dayText: t('Der erste Tag eines Monats, zum Beispiel 01.01.2027.'),
    changing: taxationOf(setting),
    valuesOf: (changes) => ({ besteuerung_ab: [...changes] }),
  }
  return <ChangesCard version={version} kind={kind} />
}

export function SmallBusinessChanges({ version, setting }: Props) {
  const kind: Kind<BusinessSize> = {
    title: t('Wechsel bei § 19 UStG'),
    explanation: t(
      'Jede Leistung bleibt, wie es an ihrem Tag galt, auch wenn sie später berechnet oder bezahlt wird. Wer die ' +
        'Grenze im laufenden Jahr überschreitet, trägt den Tag dieses Umsatzes ein.',
    ),
    label: t('Umsatzsteuer'),
    ways: ['regel', 'klein'],
    wayText: (way) =>
      way === 'klein' ? t('keine (Kleinunternehmer nach § 19 UStG)') : t('wie üblich (Regelbesteuerung)'),
    isPossible: isChangeDay,
    dayText: t('Bitte ein Datum wie 31.12.2026.'),
    changing: {
      first: setting.kleinunternehmer ? 'klein' : 'regel',
      changes: setting.kleinunternehmer_ab,
    },
    valuesOf: (changes) => ({ kleinunternehmer_ab: [...changes] }),
  }
  return <ChangesCard version={version} kind={kind} />
}

function ChangesCard<Way extends string>({ version, kind }: { version: number; kind: Kind<Way> }) {
  const save = useSaveChanges()
  const [adding, setAdding] = useState(false)
  const { title, explanation, label, wayText, changing, valuesOf } = kind
  const { changes } = changing
  const remove = ({ ab }: { readonly ab: string }) =>
    save.mutate(
      { werte: valuesOf(changes.filter((one) => one.ab !== ab)), version },
      {
        onSuccess: () => toast.success(t('Der Wechsel ist entfernt.')),
        onError: (error) => toast.error(messageOf(error)),
      },
    )
  return (
    <Card
      title={title}
      actions={
        <Button
          size="small"
          icon="plus"
          aria-label={`${title}: ${t('Wechsel eintragen')}`}
          onClick={() => setAdding(true)}
        >
          {t('Wechsel eintragen')}
        </Button>
      }
    >
      <div className="stack">
        <p className="soft">{explanation}</p>
        {changes.length > 0 && (
          <DatedRows
            label={title}
            entries={changes}
            titles={[label]}
            left={[0, 1]}
            cells={({ art }) => <td>{wayText(art)}</td>}
            removeLabel={({ ab }) => t('Wechsel ab {tag} entfernen', { tag: formatDate(ab) })}
            busy={save.isPending}
            onRemove={remove}
          />
        )}
      </div>
      {adding && <ChangeDialog version={version} kind={kind} onClose={() => setAdding(false)} />}
    </Card>
  )
}

function faultText(fault: ChangeFault, dayText: string): string {
  switch (fault) {
    case 'tag':
      return dayText
    case 'doppelt':
      return t('Für diesen Tag ist schon ein Wechsel eingetragen. Nehmen Sie ihn zuerst heraus.')
    case 'gleich':
      return t('An diesem Tag gilt das schon.')
  }
}

function ChangeDialog<Way extends string>({
  version,
  kind,
  onClose,
}: {
  version: number
  kind: Kind<Way>
  onClose: () => void
}) {
  const save = useSaveChanges()
  const { title, label, ways, wayText, isPossible, dayText, changing, valuesOf } = kind
  const next = `${Number(today().slice(0, 4)) + 1}-01-01`
  const form = useDialogForm({
    initial: { ab: formatDate(next), art: String(wayOn(changing, next) === ways[0] ? ways[1] : ways[0]) },
    check: (values) => {
      const change = { ab: parseDay(values.ab) ?? '', art: values.art === ways[1] ? ways[1] : ways[0] }
      const fault = changeFault(change, changing, isPossible)
      return unlessFaulty(
        change,
        fault === null ? {} : { [fault === 'gleich' ? 'art' : 'ab']: faultText(fault, dayText) },
      )
    },
    send: (change) => save.mutateAsync({ werte: valuesOf([...changing.changes, change]), version }),
    onSent: () => {
      toast.success(t('Der Wechsel ist eingetragen.'))
      onClose()
    },
  })
  return (
    <FormDialog
      {...form.frame}
      title={title}
      submitLabel={t('Eintragen')}
      unsaved={t('Der Wechsel ist noch nicht eingetragen.')}
      onClose={() => {
        form.disarm()
        onClose()
      }}
    >
      <DateField label={t('Gilt ab')} required {...form.text('ab')} />
      <SelectField
        label={label}
        options={ways.map((value) => ({ value, label: wayText(value) }))}
        {...form.text('art')}
      />
    </FormDialog>
  )
}
