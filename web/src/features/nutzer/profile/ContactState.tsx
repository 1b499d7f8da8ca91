// Whether the user's contact address is confirmed, and how to proceed if it is not.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { NutzerRecord } from '#contract/nutzer.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { formatDateTime } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { ownContact, sendLink } from './profile.data.ts'

/** Polling interval while a mail is on its way. */
const LOOK_MS = 5_000

export function ContactState({ person }: { person: NutzerRecord }) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const { data } = useQuery({
    ...ownContact,
    refetchInterval: ({ state }) =>
      state.data?.offen != null && state.data.gefragt_am === null ? LOOK_MS : false,
  })
  if (person.mail === null || !data) return null
  if (data.bestaetigt)
    return <p className="soft">{t('Nachrichten gehen an {address}.', { address: data.mail_an })}</p>
  const again = async () => {
    setBusy(true)
    try {
      if (await sendLink())
        toast.success(t('Der Link ist unterwegs an {address}.', { address: person.mail ?? '' }))
      else
        toast.info(
          t(
            'In der letzten Stunde gingen schon drei Links dorthin. Der nächste kommt, sobald sie vorbei ist.',
          ),
        )
      await client.invalidateQueries(ownContact)
    } catch (error) {
      toast.error(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="stack">
      <p>
        {data.offen === null
          ? t('{address} ist noch nicht bestätigt.', { address: person.mail })
          : data.gefragt_am === null
            ? t('{address} ist noch nicht bestätigt. Der Link dorthin ist unterwegs.', {
                address: data.offen,
              })
            : t('{address} ist noch nicht bestätigt. Der Link ging am {when} dorthin; er gilt einen Tag.', {
                address: data.offen,
                when: formatDateTime(data.gefragt_am),
              })}{' '}
        {t('Bis dahin gehen Nachrichten an {address}.', { address: data.mail_an })}
      </p>
      {(data.offen === null || data.gefragt_am !== null) && (
        <div>
          <Button busy={busy} onClick={() => void again()}>
            {t('Link senden')}
          </Button>
        </div>
      )}
    </div>
  )
}
