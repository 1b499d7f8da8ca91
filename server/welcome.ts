// What the start prints: the address and how to sign in. Never written to the log.
import { DEMO_ACCOUNTS } from '#domain/demo-accounts.ts'
import type { Config } from './config.ts'
import type { WayIn } from './first-start.ts'

interface Found {
  readonly engine: 'postgres' | 'embedded'
  /** What is wrong with the base map's file. */
  readonly baseMapFault: string | null
}

export function welcomeText(config: Config, wayIn: WayIn, { engine, baseMapFault }: Found): string {
  const lines = [
    `${config.APP_TITLE} ist bereit: ${config.PUBLIC_ORIGIN}`,
    '',
    ...(config.trial
      ? [`Probebetrieb mit Beispieldaten in ${config.DATA_DIR}, nur von diesem Rechner aus erreichbar.`]
      : []),
    ...(!config.trial && engine === 'embedded'
      ? [
          `Einzelplatzbetrieb mit eingebauter Datenbank in ${config.DATA_DIR}. ` +
            'Bitte die Sicherungen auf einen anderen Rechner kopieren.',
        ]
      : []),
    ...(config.DEMO_ENDPOINTS
      ? ['Die Demo-Schnittstellen der Vorlage sind eingeschaltet (DEMO_ENDPOINTS=on).']
      : []),
    ...(baseMapFault === null
      ? []
      : [`${baseMapFault} Die Karten zeigen bis dahin den mitgelieferten Umriss.`]),
    ...wayInLines(wayIn),
    '',
    'Beenden mit Strg+C.',
  ]
  const width = 100
  return [
    '',
    '─'.repeat(width),
    ...lines.map((line) => (line === '' ? '' : `  ${line}`)),
    '─'.repeat(width),
    '',
  ].join('\n')
}

function wayInLines(wayIn: WayIn): string[] {
  switch (wayIn.kind) {
    case 'demo':
      return [
        '',
        'Anmelden mit einem Klick auf der Anmeldeseite oder mit einem dieser Zugänge:',
        ...DEMO_ACCOUNTS.map(({ email, title }) => `  ${email.padEnd(42)} ${title}`),
        '',
        `Passwort für alle: ${wayIn.password}`,
        'Es wird nur dieses eine Mal angezeigt. Ein neues gibt es mit „npm run demo-password“, wenn der ' +
          'Server beendet ist.',
      ]
    case 'demo again':
      return [
        'Anmelden: auf der Anmeldeseite auf eines der Beispielkonten klicken.',
        'Das Passwort dazu wurde beim ersten Start angezeigt. Ein neues gibt es mit „npm run demo-password“, ' +
          'wenn der Server beendet ist.',
      ]
    case 'set up':
      return [
        '',
        'Es gibt noch keinen Zugang. Den ersten Administrator richten Sie hier ein (einmal, bis ' +
          clock(wayIn.expires) +
          ' Uhr):',
        `  ${wayIn.link}`,
      ]
    case 'set up by command':
    case 'accounts':
      return []
    case 'other provider':
      return [`Die Anmeldung läuft über ${wayIn.issuer}.`]
  }
}

const clock = (time: Date): string => time.toLocaleTimeString('de-DE', { hour: '2-digit', minute: '2-digit' })
