// Master data of one customer: the form with its save bar, and the two settings that take effect immediately.
import type { Kunde } from '#contract/kunde.ts'
import { KatasterSwitch } from '../../record/kunde/KatasterSwitch.tsx'
import { AddressFields, SettingFields, ContactFields } from '../../record/kunde/KundeFields.tsx'
import { ProjectFolder } from '../../record/kunde/ProjectFolder.tsx'
import type { KundeEditor } from '../../record/kunde/use-kunde-form.ts'
import { RecordForm } from '../../record/RecordForm.tsx'
import { Card } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'

export function KundeMasterData({ kunde, editor }: { kunde: Kunde; editor: KundeEditor }) {
  const { form } = editor
  return (
    <div className="kunde-columns">
      <Card>
        <RecordForm editor={editor}>
          <AddressFields form={form} />
          <ContactFields form={form} />
          <SettingFields form={form} />
        </RecordForm>
      </Card>
      <Card title={t('Projekt')}>
        <KatasterSwitch kunde={kunde} />
        <ProjectFolder kunde={kunde} />
      </Card>
    </div>
  )
}
