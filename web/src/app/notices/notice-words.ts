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
    case 'dokument_neu': {
      const { art, nummer } = content.params
      return art === 'angebot'
        ? {
            icon: 'file',
            title: t('Neues Angebot: {nummer}', { nummer }),
            text: t('Sie können es ansehen und direkt annehmen oder ablehnen.'),
          }
        : {
            icon: 'file',
            title:
              art === 'rechnung'
                ? t('Neue Rechnung: {nummer}', { nummer })
                : art === 'storno'
                  ? t('Neue Stornorechnung: {nummer}', { nummer })
                  : art === 'korrektur'
                    ? t('Neue Rechnungskorrektur: {nummer}', { nummer })
                    : art === 'abschlag'
                      ? t('Neue Abschlagsrechnung: {nummer}', { nummer })
                      : t('Neue Schlussrechnung: {nummer}', { nummer }),
            text: t('Das Dokument liegt für Sie bereit.'),
          }
    }
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
    case 'zugang_neu': {
      const { name, bis } = content.params
      return {
        icon: 'shield',
        title: t('Neuer Schlüssel für ein Programm: {name}', { name }),
        text: t(
          'Er gilt bis {tag}. Waren Sie das nicht, widerrufen Sie ihn sofort in Ihrem Profil, und ' +
            'ändern Sie Ihr Passwort.',
          {
            tag: formatDate(bis),
          },
        ),
      }
    }
    case 'zugang_endet': {
      const { name, bis } = content.params
      return {
        icon: 'clock',
        title: t('Schlüssel „{name}“ läuft am {tag} ab', { name, tag: formatDate(bis) }),
        text: t(
          'Danach hat das Programm keinen Zugriff mehr. Brauchen Sie es weiter, legen Sie vorher einen ' +
            'neuen Schlüssel an, und tragen Sie ihn im Programm ein.',
        ),
      }
    }
    case 'webhook_pause':
      return {
        icon: 'warning',
        title: t('„{name}“ wird nicht mehr benachrichtigt', { name: content.params.name }),
        text:
          content.params.grund === 'abgemeldet'
            ? t(
                'Das Programm hat sich abgemeldet. Wenn Sie es nicht mehr brauchen, löschen Sie den Empfänger.',
              )
            : content.params.grund === 'geheimnis'
              ? t(
                  'Das Geheimnis ist nicht mehr lesbar. Bitte legen Sie ein neues an, und tragen Sie es im ' +
                    'Programm ein.',
                )
              : t(
                  'Das Programm hat zweieinhalb Tage lang nichts angenommen. Bitte prüfen Sie es, und setzen Sie ' +
                    'den Empfänger dann fort.',
                ),
      }
  }
}
