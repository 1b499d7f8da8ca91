// Says that the browser has emptied the storage of this device, until the person has read it.
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Display.tsx'
import { formatDateTime, formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { useFieldwork } from './fieldwork-context.ts'
import { besideHere } from './mark-cookie.ts'
import { acknowledgeLost, type Lost, readLost } from './storage-mark.ts'

function countsText({ am, baeume, bilder }: Lost): string {
  const trees = baeume === 1 ? t('1 Erfassung') : t('{n} Erfassungen', { n: formatNumber(baeume) })
  const photos = bilder === 1 ? t('1 Foto') : t('{n} Fotos', { n: formatNumber(bilder) })
  const what = [baeume > 0 && trees, bilder > 0 && photos].filter(Boolean).join(', ')
  return t(
    'Zuletzt, am {when}, warteten hier {what}, die nicht übertragen waren. Gibt es davon eine gesicherte ' +
      'Datei, kann die Verwaltung sie einlesen; sonst erfassen Sie bitte noch einmal.',
    { when: formatDateTime(am), what },
  )
}

export function LostNotice() {
  const { sub } = useFieldwork()
  const [lost, setLost] = useState(() => readLost(besideHere(), sub))
  if (lost === null) return null
  return (
    <Notice
      tone={lost.counts === null ? 'warning' : 'danger'}
      title={t('Der Browser hat den Speicher dieses Geräts geleert')}
      actions={
        <Button
          onClick={() => {
            acknowledgeLost(besideHere())
            setLost(null)
          }}
        >
          {t('Verstanden')}
        </Button>
      }
    >
      {lost.counts === null
        ? t(
            'Auf Übertragung wartete von Ihnen nichts. Bitte speichern Sie neu auf dem Gerät, was Sie ' +
              'mitnehmen wollen.',
          )
        : countsText(lost.counts)}
    </Notice>
  )
}
