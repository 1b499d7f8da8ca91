// Master data of one customer: the form with its save bar, and the two settings that take effect by themselves.
import type { Kunde } from '#contract/kunde.ts'
import { KatasterSchalter } from '../../record/kunde/KatasterSchalter.tsx'
import { AdressFelder, EinstellungsFelder, KontaktFelder } from '../../record/kunde/KundeFelder.tsx'
import { Projektordner } from '../../record/kunde/Projektordner.tsx'
import type { KundeEditor } from '../../record/kunde/use-kunde-form.ts'
import { RecordForm } from '../../record/RecordForm.tsx'
import { Card } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'

export function KundeStammdaten({ kunde, editor }: { kunde: Kunde; editor: KundeEditor }) {
  const { form } = editor
  return (
    <div className="kunde-columns">
      <Card>
        <RecordForm editor={editor}>
          <AdressFelder form={form} />
          <KontaktFelder form={form} />
          <EinstellungsFelder form={form} />
        </RecordForm>
      </Card>
      <Card title={t('Projekt')}>
        <KatasterSchalter kunde={kunde} />
        <Projektordner kunde={kunde} />
      </Card>
    </div>
  )
}
