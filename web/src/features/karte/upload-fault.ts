// Why a scan was refused, and what to do next.
import { inLanguage } from '../../data/api-error.ts'
import { ownRequests } from '../../data/client.ts'
import { textOf } from '../../data/fault-body.ts'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

/** For example 2 GB. */
export function maxFileSize(): string {
  const mb = ownRequests.uploadLimitMb()
  return mb >= 1024 ? `${formatNumber(mb / 1024, mb % 1024 === 0 ? 0 : 1)} GB` : `${formatNumber(mb)} MB`
}

/** A function, so that the text follows the language when displayed. */
export type UploadFault = () => string

export const BY_UPLOAD = {
  leer: () => t('Die Datei ist leer. Bitte wählen Sie eine andere.'),
  gross: () =>
    t(
      'Die Datei ist größer als {most}. Bitte scannen Sie mit geringerer Auflösung oder speichern Sie ' +
        'mit Kompression (TIFF mit JPEG).',
      {
        most: maxFileSize(),
      },
    ),
  readOut: () =>
    t(
      'Die Datei ließ sich nicht lesen. Vielleicht wurde sie verschoben oder geändert: Bitte wählen ' +
        'Sie sie noch einmal.',
    ),
  connection: () =>
    t('Die Verbindung ist abgebrochen. Was schon übertragen ist, bleibt; setzen Sie einfach fort.'),
  art: () =>
    t(
      'Das ist kein Scan, den wir lesen können: TIFF, JPEG, PNG, WebP oder PDF. Bitte speichern Sie ' +
        'den Scan in einem dieser Formate.',
    ),
  weg: () => t('Diesen Plan gibt es nicht mehr, oder Sie dürfen ihm keinen Scan geben.'),
  anmelden: () => t('Ihre Sitzung ist abgelaufen. Melden Sie sich neu an und setzen Sie den Upload fort.'),
  beschaedigt: () =>
    t('Die Datei kam nicht so an, wie sie auf Ihrem Rechner liegt. Bitte laden Sie sie noch einmal hoch.'),
  voll: () =>
    t(
      'Auf dem Server ist kein Platz mehr. Bitte sagen Sie der Verwaltung Bescheid; der Upload lässt ' +
        'sich später fortsetzen.',
    ),
  other: () => t('Der Server hat die Datei nicht angenommen. Bitte versuchen Sie es noch einmal.'),
} as const

const BY_STATUS: Readonly<Record<number, UploadFault>> = {
  401: BY_UPLOAD.anmelden,
  403: BY_UPLOAD.weg,
  404: BY_UPLOAD.weg,
  410: BY_UPLOAD.connection,
  413: BY_UPLOAD.gross,
  415: BY_UPLOAD.art,
  460: BY_UPLOAD.beschaedigt,
  507: BY_UPLOAD.voll,
}

/** Loaded with the first refusal; offline, the general text is used. */
const ruleText = (rule: string): Promise<string | undefined> =>
  import('../../data/rule-texts.ts').then(
    ({ BY_RULE }) => BY_RULE[rule],
    () => undefined,
  )

/** The rule's text, else the server's message, else the text for the status. */
export async function uploadFault(status: number, body: string, began = false): Promise<UploadFault> {
  let said: { message?: unknown; hint?: unknown } = {}
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value === 'object' && value !== null) said = value
  } catch {
    // Not JSON: answered by something between here and the server.
  }
  const rule = textOf(said.hint)
  const sentence = rule === undefined ? undefined : await ruleText(rule)
  if (sentence !== undefined) return () => t(sentence)
  const known = BY_STATUS[status]
  const message = textOf(said.message)
  const translated = message === undefined ? '' : await inLanguage(message)
  // For a started upload, "not found" means the upload and not the plan; the server's message says so.
  if (message !== undefined && (known === undefined || (began && (status === 404 || status === 410))))
    return () => translated
  return known ?? BY_UPLOAD.other
}
