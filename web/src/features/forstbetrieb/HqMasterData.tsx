// Master data of one headquarters: the form for ogf_admin, facts for everybody else, with whom to contact for
// changes.
import { type ReactNode, useState } from 'react'
import type { Hq } from '#contract/hq.ts'
import type { HqDetails } from '#contract/rpc.ts'
import { areaDifference, isNotableDifference } from '#domain/area.ts'
import { epsgName } from '#domain/epsg.ts'
import { type HqField, hqField } from '#domain/hq-fields.ts'
import { accessName, hqInputsOf, hqLabel, showHqValue } from '../../record/hq/hq-fields.ts'
import type { HqValues } from '../../record/hq/hq-form.ts'
import { HqFields } from '../../record/hq/HqFields.tsx'
import { RecordForm } from '../../record/RecordForm.tsx'
import type { RecordEditor } from '../../record/use-record-form.ts'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Badge, Card, DateText, Facts, fact, Notice, NumberText } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { SupportContact } from '../../ui/support.tsx'
import { t } from '../../ui/text.ts'

interface Props {
  hq: Hq
  details: HqDetails | null
  editor: RecordEditor<HqField, Hq, HqValues>
  isAdmin: boolean
}
export function HqMasterData({ hq, details, editor, isAdmin }: Props) {
  return (
    <div className="hq-columns">
      <Card title={isAdmin ? t('Stammdaten bearbeiten') : t('Stammdaten')}>
        {isAdmin ? <Edit hq={hq} editor={editor} /> : <Read hq={hq} />}
      </Card>
      <Card title={t('Auf einen Blick')}>
        <div className="stack">
          <Facts
            facts={[
              fact(t('Kunde'), details?.kunde),
              fact(t('Zugeordnete Personen'), details === null ? null : formatNumber(details.nutzer)),
              fact(
                t('Gezeichnete Fläche'),
                <NumberText key="ha" value={details?.flaeche_ha} digits={2} unit="ha" />,
              ),
              fact(t('Koordinatensystem'), details?.epsg ? epsgName(details.epsg) : null),
            ]}
          />
          <AreaNotice drawn={details?.flaeche_ha ?? null} onPaper={hq.dcFLAEHB} />
        </div>
      </Card>
    </div>
  )
}

function Edit({ hq, editor }: { hq: Hq; editor: Props['editor'] }) {
  const [asking, setAsking] = useState(false)
  const { form } = editor
  /** Revoking access asks first and names the headquarters; saving anything else does not. */
  const submit = () => {
    const revokes =
      hq.fb_enabled &&
      form.getValues('fb_enabled') === false &&
      form.formState.dirtyFields.fb_enabled === true
    if (!revokes) return editor.submit()
    setAsking(true)
    return Promise.resolve(false)
  }
  return (
    <>
      <RecordForm editor={{ ...editor, submit }} label={t('Stammdaten')}>
        <HqFields form={form} />
      </RecordForm>
      <ConfirmDialog
        open={asking}
        title={t('Freischaltung aufheben?')}
        record={hq.sHQ}
        confirmLabel={t('Freischaltung aufheben')}
        danger
        onConfirm={() => editor.submit().then(() => setAsking(false))}
        onCancel={() => setAsking(false)}
      >
        <p>
          {t(
            'Die zugeordneten Personen sehen danach nur noch, dass dieser Forstbetrieb nicht ' +
              'freigeschaltet ist. Daten gehen nicht verloren.',
          )}
        </p>
      </ConfirmDialog>
    </>
  )
}

/** A value with its type, so that numbers are aligned and days are days. */
function shown(column: HqField, hq: Hq): ReactNode {
  const value = hq[column]
  if (column === 'fb_enabled')
    return <Badge tone={hq.fb_enabled ? 'success' : 'warning'}>{accessName(hq.fb_enabled)}</Badge>
  switch (hqField(column).kind) {
    case 'date':
      return <DateText value={value as string | null} />
    case 'area':
      return <NumberText value={value as number | null} unit="ha" />
    default:
      return showHqValue(column, value)
  }
}

const Read = ({ hq }: { hq: Hq }) => (
  <div className="stack">
    <Facts
      facts={['name', 'plan', 'access']
        .flatMap(hqInputsOf)
        .map((column) => fact(hqLabel(column), shown(column, hq)))}
    />
    <KeptByUs />
  </div>
)

/** Explains why nothing can be edited, and who can change it. */
export const KeptByUs = ({ children }: { children?: ReactNode }) => (
  <Notice title={t('Diese Angaben pflegen wir für Sie')}>
    {children ?? t('Ist etwas nicht mehr richtig, geben Sie uns Bescheid.')} <SupportContact />
  </Notice>
)

/** Warns if the drawn area and the registered one differ notably. */
export function AreaNotice({ drawn, onPaper }: { drawn: number | null; onPaper: number | null }) {
  const difference = areaDifference(drawn, onPaper)
  if (difference === null || !isNotableDifference(difference)) return null
  const share = formatNumber(Math.abs(difference) * 100, 1)
  const ha = (value: number | null) => formatNumber(value, 2)
  return (
    <Notice tone="warning" title={t('Die Flächen weichen voneinander ab')}>
      {difference > 0
        ? t('Gezeichnet sind {drawn} ha, das ist {share} % mehr als laut FE ({paper} ha).', {
            drawn: ha(drawn),
            share,
            paper: ha(onPaper),
          })
        : t('Gezeichnet sind {drawn} ha, das ist {share} % weniger als laut FE ({paper} ha).', {
            drawn: ha(drawn),
            share,
            paper: ha(onPaper),
          })}
    </Notice>
  )
}
