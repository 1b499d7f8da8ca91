// Texts of notices in the language of the interface; those of the e-mails are in
// server/notices/notice-said.ts.
import { type Role, ROLES } from '#domain/roles.ts'
import type { NoteKind } from '#contract/note.ts'
import type { NoticeKind, NoticeContent } from '#contract/notice.ts'
import { formatDate, formatNumber } from '../../ui/format.ts'
import type { IconName } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'

export const KINDS: readonly NoticeKind[] = [
  'karte_gezeigt',
  'bem_client_antwort',
  'dokument_neu',
  'angebot_angenommen',
  'angebot_abgelehnt',
  'gutschein_laeuft_ab',
  'laufzeit_endet',
  'notiz_erwaehnt',
  'buecher_befund',
  'zugang_neu',
  'zugang_endet',
  'webhook_pause',
]

/** Name of a kind, in the settings. */
export function kindName(art: NoticeKind): string {
  switch (art) {
    case 'karte_gezeigt':
      return t('Ein neuer Plan wurde freigegeben')
    case 'bem_client_antwort':
      return t('Eine Bemerkung zu einem Plan wurde beantwortet')
    case 'angebot_angenommen':
      return t('Ein Angebot wurde angenommen')
    case 'angebot_abgelehnt':
      return t('Ein Angebot wurde abgelehnt')
    case 'dokument_neu':
      return t('Ein neues Angebot oder eine neue Rechnung ist da')
    case 'gutschein_laeuft_ab':
      return t('Ein Gutschein läuft bald ab')
    case 'laufzeit_endet':
      return t('Die Laufzeit eines Abos endet bald')
    case 'notiz_erwaehnt':
      return t('Jemand hat Sie in einer Notiz erwähnt')
    case 'buecher_befund':
      return t('Die nächtliche Prüfung der Bücher hat etwas gefunden')
    case 'zugang_neu':
      return t('In Ihrem Namen wurde ein Schlüssel für ein Programm angelegt')
    case 'zugang_endet':
      return t('Ein Schlüssel für ein Programm läuft bald ab')
    case 'webhook_pause':
      return t('Ein Programm wird nicht mehr benachrichtigt')
  }
}

/** Roles that can receive a kind; only they are offered its switch. */
const REACHES: Readonly<Record<NoticeKind, readonly Role[]>> = {
  karte_gezeigt: ['appuser', 'appuser_admin'],
  bem_client_antwort: ['appuser_admin'],
  dokument_neu: ['kundenadmin', 'appuser_admin'],
  angebot_angenommen: ['apus_admin', 'admin'],
  angebot_abgelehnt: ['apus_admin', 'admin'],
  gutschein_laeuft_ab: ['ogf_admin', 'admin'],
  laufzeit_endet: ['ogf_admin', 'kundenadmin', 'ogf_fb_admin', 'admin'],
  notiz_erwaehnt: [
    'ogf_admin',
    'apus_admin',
    'apus_team',
    'admin',
    'kundenadmin',
    'appuser',
    'appuser_admin',
    'ogf_fb_admin',
  ],
  buecher_befund: ['apus_admin', 'admin'],
  zugang_neu: ROLES.filter((role) => role !== 'ogf_init'),
  zugang_endet: ROLES.filter((role) => role !== 'ogf_init'),
  webhook_pause: ['ogf_admin', 'apus_admin', 'admin'],
}
export const kindsFor = (roles: readonly Role[]): readonly NoticeKind[] =>
  KINDS.filter((art) => REACHES[art].some((role) => roles.includes(role)))

function moduleName(feature: string): string {
  if (feature === 'fe') return t('Forsteinrichtung')
  if (feature === 'basis_fe') return t('Basis-Forsteinrichtung')
  return t('KAWM')
}

/** The record that a note is at. */
function noteRecord(art: NoteKind, name: string): string {
  switch (art) {
    case 'kunde':
      return t('In einer Notiz zum Kunden „{name}“.', { name })
    case 'hq':
      return t('In einer Notiz zum Forstbetrieb „{name}“.', { name })
    case 'angebot':
      return name === ''
        ? t('In einer Notiz zu einem Angebotsentwurf.')
        : t('In einer Notiz zum Angebot {name}.', { name })
    case 'rechnung':
      return name === ''
        ? t('In einer Notiz zu einem Rechnungsentwurf.')
        : t('In einer Notiz zur Rechnung {name}.', { name })
    case 'karte':
      return t('In einer Notiz zum Plan „{name}“.', { name })
  }
}

export interface Words {
  readonly title: string
  readonly text: string
  readonly icon: IconName
}
type Params<Kind extends NoticeContent['art']> = Extract<NoticeContent, { art: Kind }>['params']

function documentTitle({ art, nummer }: Params<'dokument_neu'>): string {
  switch (art) {
    case 'rechnung':
      return t('Neue Rechnung: {nummer}', { nummer })
    case 'storno':
      return t('Neue Stornorechnung: {nummer}', { nummer })
    case 'korrektur':
      return t('Neue Rechnungskorrektur: {nummer}', { nummer })
    case 'abschlag':
      return t('Neue Abschlagsrechnung: {nummer}', { nummer })
    case 'angebot':
      return t('Neues Angebot: {nummer}', { nummer })
    default:
      return t('Neue Schlussrechnung: {nummer}', { nummer })
  }
}

const documentWords = (document: Params<'dokument_neu'>): Words => ({
  icon: 'file',
  title: documentTitle(document),
  text:
    document.art === 'angebot'
      ? t('Sie können es ansehen und direkt annehmen oder ablehnen.')
      : t('Das Dokument liegt für Sie bereit.'),
})

const newKeyWords = ({ name, bis }: Params<'zugang_neu'>): Words => ({
  icon: 'shield',
  title: t('Neuer Schlüssel für ein Programm: {name}', { name }),
  text: t(
    'Er gilt bis {tag}. Waren Sie das nicht, widerrufen Sie ihn sofort in Ihrem Profil, und ' +
      'ändern Sie Ihr Passwort.',
    { tag: formatDate(bis) },
  ),
})

const endingKeyWords = ({ name, bis }: Params<'zugang_endet'>): Words => ({
  icon: 'clock',
  title: t('Schlüssel „{name}“ läuft am {tag} ab', { name, tag: formatDate(bis) }),
  text: t(
    'Danach hat das Programm keinen Zugriff mehr. Brauchen Sie es weiter, legen Sie vorher einen ' +
      'neuen Schlüssel an, und tragen Sie ihn im Programm ein.',
  ),
})

function pauseText(reason: Params<'webhook_pause'>['grund']): string {
  if (reason === 'abgemeldet')
    return t('Das Programm hat sich abgemeldet. Wenn Sie es nicht mehr brauchen, löschen Sie den Empfänger.')
  if (reason === 'geheimnis')
    return t(
      'Das Geheimnis ist nicht mehr lesbar. Bitte legen Sie ein neues an, und tragen Sie es im ' +
        'Programm ein.',
    )
  return t(
    'Das Programm hat zweieinhalb Tage lang nichts angenommen. Bitte prüfen Sie es, und setzen Sie ' +
      'den Empfänger dann fort.',
  )
}

export function wordsOf(content: NoticeContent): Words {
  switch (content.art) {
    case 'karte_gezeigt':
      return {
        icon: 'map',
        title: t('Neuer Plan: {karte}', content.params),
        text: t('Der Plan wurde für Sie freigegeben.'),
      }
    case 'bem_client_antwort':
      return {
        icon: 'mail',
        title: t('Antwort zum Plan {karte}', content.params),
        text: t('Ihre Bemerkung zum Plan wurde beantwortet.'),
      }
    case 'angebot_angenommen': {
      const { angebot, kunde } = content.params
      return {
        icon: 'check',
        title: t('Angebot {angebot} angenommen', { angebot }),
        text:
          kunde === null
            ? t('Das Angebot wurde angenommen.')
            : t('{kunde} hat das Angebot angenommen.', { kunde }),
      }
    }
    case 'angebot_abgelehnt': {
      const { angebot, kunde } = content.params
      return {
        icon: 'close',
        title: t('Angebot {angebot} abgelehnt', { angebot }),
        text:
          kunde === null
            ? t('Das Angebot wurde abgelehnt.')
            : t('{kunde} hat das Angebot abgelehnt.', { kunde }),
      }
    }
    case 'dokument_neu':
      return documentWords(content.params)
    case 'gutschein_laeuft_ab': {
      const { id, expire_date, rabatt_abo, rabatt_kawm } = content.params
      return {
        icon: 'ticket',
        title: t('Gutschein {id} läuft am {tag} ab', { id, tag: formatDate(expire_date) }),
        text: t('{abo} % auf das Abo, {kawm} % auf KAWM; noch nicht eingelöst.', {
          abo: formatNumber(rabatt_abo),
          kawm: formatNumber(rabatt_kawm),
        }),
      }
    }
    case 'laufzeit_endet': {
      const { hq, modul, ende, zustand } = content.params
      return {
        icon: 'clock',
        title: t('{hq}: Laufzeit endet am {tag}', { hq, tag: formatDate(ende) }),
        text:
          zustand === 'gekuendigt'
            ? t('Das Abo {modul} ist gekündigt und endet dann.', { modul: moduleName(modul) })
            : t('Wird das Abo {modul} nicht gekündigt, verlängert es sich danach.', {
                modul: moduleName(modul),
              }),
      }
    }
    case 'notiz_erwaehnt': {
      const { von, art, name } = content.params
      return {
        icon: 'edit',
        title: von === null ? t('Sie wurden erwähnt') : t('{von} hat Sie erwähnt', { von }),
        text: noteRecord(art, name),
      }
    }
    case 'buecher_befund':
      return {
        icon: 'warning',
        title: t('Die Bücher sind nicht, wie sie gebucht wurden'),
        text: t('Die nächtliche Prüfung hat etwas gefunden. Bitte sehen Sie es sich heute noch an.'),
      }
    case 'zugang_neu':
      return newKeyWords(content.params)
    case 'zugang_endet':
      return endingKeyWords(content.params)
    case 'webhook_pause':
      return {
        icon: 'warning',
        title: t('„{name}“ wird nicht mehr benachrichtigt', { name: content.params.name }),
        text: pauseText(content.params.grund),
      }
  }
}
