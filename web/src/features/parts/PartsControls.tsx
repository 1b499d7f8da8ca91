// Buttons, fields, dialogs and menus in all their states.
import { useState } from 'react'
import { Button, ButtonLink, IconButton } from '../../ui/Button.tsx'
import { Segments, Switch } from '../../ui/Choice.tsx'
import { DateField } from '../../ui/DateField.tsx'
import { ConfirmDialog, Dialog, DialogParts, Drawer } from '../../ui/Dialog.tsx'
import { Checkbox, FieldGrid, FieldGroup, SelectField, TextAreaField, TextField } from '../../ui/Field.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { Menu, MenuEntry, type MenuItem } from '../../ui/Menu.tsx'
import { MultiSelect } from '../../ui/MultiSelect.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { ShownOnce } from '../../ui/ShownOnce.tsx'
import { SuggestField } from '../../ui/SuggestField.tsx'
import { ThemePicker } from '../../ui/ThemePicker.tsx'
import { t } from '../../ui/text.ts'

const nothing = () => {}
const VARIANTS = ['primary', 'secondary', 'quiet', 'danger'] as const
const SPECIES = ['Buche', 'Eiche', 'Fichte'].map((name) => ({ value: name, label: name }))

export const Buttons = () => (
  <>
    {VARIANTS.map((variant) => (
      <div key={variant} className="parts-row">
        <Button variant={variant}>{t('Speichern')}</Button>
        <Button variant={variant} icon="plus">
          {t('Neu')}
        </Button>
        <Button variant={variant} disabled>
          {t('Speichern')}
        </Button>
        <Button variant={variant} busy>
          {t('Speichern')}
        </Button>
        <Button variant={variant} size="small" icon="edit">
          {t('Bearbeiten')}
        </Button>
      </div>
    ))}
    <div className="parts-row">
      <ButtonLink href="/verwaltung/bausteine" icon="external">
        {t('Öffnen')}
      </ButtonLink>
      <IconButton icon="edit" label={t('Bearbeiten')} />
      <IconButton icon="trash" label={t('Löschen')} variant="danger" />
      <IconButton icon="close" label={t('Schließen')} size="small" />
      <IconButton icon="download" label={t('Herunterladen')} disabled />
      <a href="/verwaltung/bausteine">{t('Öffnen')}</a>
    </div>
    <Pagination page={3} pageSize={25} total={312} shown={25} onPage={nothing} onPageSize={nothing} />
  </>
)

export function Fields() {
  const [search, setSearch] = useState('Buche')
  const [kinds, setKinds] = useState(['Buche', 'Eiche'])
  const [on, setOn] = useState(true)
  const [size, setSize] = useState<'klein' | 'normal'>('normal')
  return (
    <>
      <FieldGrid>
        <TextField label={t('Name')} defaultValue="Realverband Neuhausen" required />
        <TextField label={t('Ort')} placeholder={t('Name eingeben')} hint={t('Mit Postleitzahl')} />
        <TextField label={t('E-Mail')} defaultValue="k.linde@" error={t('Bitte prüfen Sie die Adresse.')} />
        <TextField label={t('Fläche')} defaultValue="12,5" unit="ha" />
        <TextField label={t('Kundennummer')} defaultValue="K-1042" disabled />
        <TextField label={t('Status')} defaultValue={t('abgerechnet')} readOnly />
        <DateField label={t('Datum')} defaultValue="31.12.2026" />
        <SuggestField label={t('Baumart')} suggestions={['Buche']} defaultValue="Eiche" />
        <SelectField label={t('Baumart')} options={SPECIES} defaultValue="Eiche" />
        <SelectField label={t('Baumart')} options={SPECIES} emptyOption={t('alle')} disabled />
        <MultiSelect label={t('Baumarten')} options={SPECIES} value={kinds} onChange={setKinds} />
        <MultiSelect label={t('Baumarten')} options={SPECIES} value={[]} onChange={nothing} />
        <TextAreaField label={t('Bemerkung')} rows={2} defaultValue="Zugang über den Forstweg" />
      </FieldGrid>
      <FieldGroup title={t('Benachrichtigungen')} hint={t('Auch am Telefon')}>
        <Checkbox label={t('Per E-Mail')} defaultChecked />
        <Checkbox label={t('In der Anwendung')} hint={t('Unter der Glocke oben')} />
        <Checkbox label={t('Per E-Mail')} disabled />
        <Checkbox label={t('In der Anwendung')} error={t('Bitte wählen Sie etwas aus.')} />
      </FieldGroup>
      <div className="parts-row">
        <Switch label={t('Dunkle Farben')} checked={on} onChange={setOn} />
        <Switch label={t('Dunkle Farben')} checked={!on} onChange={(next) => setOn(!next)} />
        <Segments
          label={t('Größe')}
          value={size}
          options={[
            { value: 'klein', label: t('Klein') },
            { value: 'normal', label: t('Normal') },
          ]}
          onChange={setSize}
        />
      </div>
      <ThemePicker />
      <div className="parts-row">
        <SearchField label={t('Suchen')} value={search} onValue={setSearch} />
        <SearchField label={t('Suchen')} value="" onValue={nothing} />
        <FileDrop label={t('Datei auswählen')} accept=".csv" className="parts-drop" onFiles={nothing}>
          {(choose) => (
            <Button icon="upload" onClick={choose}>
              {t('Datei auswählen')}
            </Button>
          )}
        </FileDrop>
      </div>
    </>
  )
}

const items = (): MenuItem[] => [
  { key: 'a', label: t('Bearbeiten'), icon: 'edit' },
  { key: 'b', label: t('Herunterladen'), icon: 'download', disabled: true },
  { key: 'c', label: t('Bemerkung'), checked: true, divided: true },
  { key: 'd', label: t('Datum'), checked: false },
  { key: 'e', label: t('Löschen'), icon: 'trash', danger: true, divided: true },
]

/** Shown in the page itself; what is open above it would hide the rest. */
export const Overlays = () => (
  <div className="parts-overlays">
    <div className="dialog-box dialog-box-small parts-inline">
      <DialogParts
        titleId="bausteine-dialog"
        title={t('Rechnung löschen?')}
        onClose={nothing}
        footer={
          <>
            <Button>{t('Abbrechen')}</Button>
            <Button variant="danger" icon="trash">
              {t('Löschen')}
            </Button>
          </>
        }
      >
        <p className="confirm-record">RE-2026-0042</p>
        <p>{t('Das lässt sich nicht rückgängig machen.')}</p>
      </DialogParts>
    </div>
    <div className="menu parts-inline" role="menu" aria-label={t('Aktionen')}>
      {items().map((item) => (
        <MenuEntry key={item.key} item={item} close={nothing} />
      ))}
    </div>
    <div className="parts-row">
      <Menu label={t('Aktionen')} trigger={t('Aktionen')} items={items()} />
      <Opened />
    </div>
  </div>
)

const OVERLAYS = ['dialog', 'drawer', 'confirm', 'once'] as const
const overlayName = (which: (typeof OVERLAYS)[number]): string => {
  switch (which) {
    case 'dialog':
      return t('Dialog')
    case 'drawer':
      return t('Schublade')
    case 'confirm':
      return t('Rückfrage')
    case 'once':
      return t('Nur einmal gezeigt')
  }
}
/** What covers the page, one press away. */
function Opened() {
  const [open, setOpen] = useState<(typeof OVERLAYS)[number] | null>(null)
  const close = () => setOpen(null)
  const text = t('Ein Satz, der sagt, was ist, und was der nächste Schritt ist.')
  return (
    <>
      {OVERLAYS.map((which) => (
        <Button key={which} onClick={() => setOpen(which)}>
          {overlayName(which)}
        </Button>
      ))}
      <Dialog open={open === 'dialog'} title={overlayName('dialog')} onClose={close}>
        <p>{text}</p>
      </Dialog>
      <Drawer open={open === 'drawer'} title={overlayName('drawer')} onClose={close}>
        <p>{text}</p>
      </Drawer>
      <ConfirmDialog
        open={open === 'confirm'}
        title={t('Rechnung löschen?')}
        record="RE-2026-0042"
        confirmLabel={t('Löschen')}
        danger
        onCancel={close}
        onConfirm={close}
      >
        <p>{t('Das lässt sich nicht rückgängig machen.')}</p>
      </ConfirmDialog>
      {open === 'once' && (
        <ShownOnce
          title={overlayName('once')}
          value="K7M2P-9XQ4T-HB3RD-W6YNC"
          label={t('Gutscheincode')}
          large
          copyLabel={t('Kopieren')}
          doneLabel={t('Ich habe den Code notiert')}
          warning={overlayName('once')}
          advice={text}
          copyByHand={text}
          onClose={close}
        />
      )}
    </>
  )
}
