// Shows a new key once, and how it is used.
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ShownOnce } from '../../ui/ShownOnce.tsx'
import { t } from '../../ui/text.ts'
import './program-keys.css'

export interface ShownMade {
  readonly name: string
  /** Null: a client of the outside provider uses the key. */
  readonly zugang: string | null
  /** By which programs use the key with OAuth 2; null: they cannot. */
  readonly clientId: string | null
}

interface Props extends ShownMade {
  /** Path of the data API. */
  dataApi: string
  onClose: () => void
}

export function ShownKey({ zugang, ...props }: Props) {
  if (zugang !== null) return <Secret {...props} zugang={zugang} />
  return (
    <Dialog
      open
      title={t('Schlüssel für {name}', { name: props.name })}
      onClose={props.onClose}
      footer={
        <Button variant="primary" onClick={props.onClose} data-autofocus>
          {t('Schließen')}
        </Button>
      }
    >
      <p>{t('Tokens mit dieser Kennung gelten ab sofort, bis Sie diesen Schlüssel widerrufen.')}</p>
    </Dialog>
  )
}

function Secret({ name, zugang, clientId, dataApi, onClose }: Props & { zugang: string }) {
  const address = `${window.location.origin}${dataApi}/kunde`
  return (
    <ShownOnce
      title={t('Schlüssel für {name}', { name })}
      value={zugang}
      label={t('Schlüssel')}
      copyLabel={t('Schlüssel kopieren')}
      doneLabel={t('Ich habe den Schlüssel gespeichert')}
      warning={t('Er wird nur dieses eine Mal angezeigt')}
      advice={t(
        'Speichern Sie ihn jetzt im Programm oder in Ihrem Passwortspeicher. Geht er verloren, ' +
          'widerrufen Sie ihn, und legen Sie einen neuen an.',
      )}
      copyByHand={t(
        'Das Kopieren ist hier nicht möglich. Bitte markieren Sie den Schlüssel und kopieren Sie ihn von Hand.',
      )}
      onClose={onClose}
    >
      <dl className="program-key-uses">
        <dt>curl</dt>
        <dd>
          <code>{`curl -u programm:${t('<Schlüssel>')} "${address}"`}</code>
        </dd>
        <dt>QGIS</dt>
        <dd>
          {t(
            'Layer › Layer hinzufügen › WFS / OGC API – Features › Neu: Adresse {origin}/ogc, Anmeldung „Basic“ ' +
              'mit beliebigem Namen und dem Schlüssel als Passwort.',
            { origin: window.location.origin },
          )}
        </dd>
        <dt>Excel</dt>
        <dd>
          {t('Daten › Aus dem Web › {address} › „Standard“: Name beliebig, der Schlüssel als Passwort.', {
            address,
          })}
        </dd>
        {clientId !== null && (
          <>
            <dt>OAuth 2</dt>
            <dd>
              {t('Kennung {client}, das Geheimnis ist der Schlüssel; Adressen: {address}', {
                client: clientId,
                address: `${window.location.origin}/realms/master/.well-known/openid-configuration`,
              })}
            </dd>
          </>
        )}
      </dl>
    </ShownOnce>
  )
}
