// What a key may do and when it was used, in words.
import type { Zugang } from '#contract/zugang.ts'
import type { Half, KeyGroup } from '#domain/zugang.ts'
import type { Tone } from '../../ui/Display.tsx'
import { formatDate } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { dayAhead } from '../../ui/today.ts'

export function groupName(group: KeyGroup): string {
  switch (group) {
    case 'kunden':
      return t('Kunden')
    case 'betriebe':
      return t('Forstbetriebe und Abos')
    case 'personen':
      return t('Personen')
    case 'karten':
      return t('Karten und Pläne')
    case 'vermessung':
      return t('Vermessung')
    case 'bestaende':
      return t('Waldbestände')
    case 'habitat':
      return t('Habitatbäume')
    case 'belege':
      return t('Belege und Zahlungen')
    case 'notizen':
      return t('Notizen')
  }
}

export const halfName = (half: Half): string => (half === 'forst' ? t('Forst') : t('Entwässerung'))

/** "Liest nur Karten und Pläne, Vermessung. Nur Sparte Entwässerung. Nur Kunde Forst A." */
export function limitsText(
  { nur_lesen, gruppen, haelfte, client_id, kunde }: Zugang,
  isOwn: boolean,
): string {
  const what = gruppen === null ? null : gruppen.map(groupName).join(', ')
  const sentences = [
    what === null
      ? nur_lesen
        ? isOwn
          ? t('Liest alles, was Sie sehen.')
          : t('Liest alles, was die Person sieht.')
        : isOwn
          ? t('Liest und schreibt alles, was Sie dürfen.')
          : t('Liest und schreibt alles, was die Person darf.')
      : nur_lesen
        ? t('Liest nur: {what}.', { what })
        : t('Liest und schreibt nur: {what}.', { what }),
    haelfte === null ? '' : t('Nur Sparte {half}.', { half: halfName(haelfte) }),
    client_id === null ? '' : t('Nur Kunde {name}.', { name: kunde ?? client_id }),
  ]
  return sentences.filter((text) => text !== '').join(' ')
}

const SOON_DAYS = 14

export function stateOf({ zustand, bis }: Zugang): { readonly tone: Tone; readonly text: string } {
  if (zustand === 'beendet') return { tone: 'neutral', text: t('widerrufen') }
  if (zustand === 'abgelaufen') return { tone: 'neutral', text: t('abgelaufen') }
  if (bis <= dayAhead(SOON_DAYS)) return { tone: 'warning', text: t('läuft bald ab') }
  return { tone: 'success', text: t('aktiv') }
}

/** The server notes the hour, not the minute. */
export function lastUseText({ zuletzt_am }: Pick<Zugang, 'zuletzt_am'>, now = new Date()): string {
  if (zuletzt_am === null) return t('Noch nie benutzt')
  const at = new Date(zuletzt_am)
  if (at.toDateString() === now.toDateString())
    return t('Zuletzt benutzt heute zwischen {from} und {to} Uhr', {
      from: at.getHours(),
      to: at.getHours() + 1,
    })
  return t('Zuletzt benutzt am {day}', { day: formatDate(zuletzt_am) })
}

export function endText({ zustand, bis, beendet_am, beendet_von }: Zugang): string {
  if (zustand === 'aktiv') return t('Gilt bis {day}', { day: formatDate(bis) })
  if (zustand === 'abgelaufen') return t('Galt bis {day}', { day: formatDate(bis) })
  const day = formatDate(beendet_am)
  return beendet_von === null
    ? t('Widerrufen am {day}', { day })
    : t('Widerrufen am {day} von {who}', { day, who: beendet_von })
}
