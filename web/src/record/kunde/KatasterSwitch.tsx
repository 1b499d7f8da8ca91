// Switches the survey overviews of a customer on or off. Takes effect immediately.
import type { Kunde } from '#contract/kunde.ts'
import { Checkbox } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { messageOf } from '../record-faults.ts'
import { useSetting } from './kunde-record.data.ts'

export function KatasterSwitch({ kunde }: { kunde: Kunde }) {
  const setting = useSetting(String(kunde.client_id))
  const shown =
    setting.isPending && 'kataster_status' in setting.variables
      ? setting.variables.kataster_status
      : kunde.kataster_status
  return (
    <Checkbox
      label={t('Kataster freigeschaltet')}
      hint={t(
        'Die Nutzer dieses Kunden sehen dann die Übersichten zur Einmessung. Die Umstellung wirkt sofort.',
      )}
      checked={shown}
      aria-busy={setting.isPending}
      onChange={({ target }) => {
        if (setting.isPending) return
        setting.mutate(
          { kataster_status: target.checked },
          {
            onSuccess: (row) =>
              toast.undo(
                row.kataster_status
                  ? t('Kataster freigeschaltet.')
                  : t('Freischaltung des Katasters aufgehoben.'),
                () => setting.mutateAsync({ kataster_status: !row.kataster_status }),
              ),
            onError: (error) => toast.error(messageOf(error)),
          },
        )
      }}
    />
  )
}
