// The two lists of keys for programs: one's own on the profile page, and those of a half with their owners and
// of the installation, for the provider's admins. One module, so that pages name one file more and not two.
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { KeyList } from './KeyList.tsx'

const MakeKey = splitOff(async () => (await import('./MakeKey.tsx')).MakeKey)

export function OwnKeys({ dataApi }: { dataApi: string }) {
  const [making, setMaking] = useState(false)
  return (
    <div className="stack">
      <p className="soft">
        {t(
          'Mit einem Schlüssel arbeitet ein Programm wie QGIS oder Excel in Ihrem Namen: Es darf nie ' +
            'mehr als Sie selbst und auf Wunsch viel weniger. Im Verlauf steht dann zum Beispiel „Anna ' +
            'Ahorn durch QGIS Büro“.',
        )}
      </p>
      <KeyList
        alle={false}
        none={t('Legen Sie für jedes Programm einen eigenen an. So können Sie jeden für sich widerrufen.')}
        action={
          <Button icon="plus" onClick={() => setMaking(true)}>
            {t('Schlüssel anlegen')}
          </Button>
        }
      />
      {making && <MakeKey art="person" dataApi={dataApi} onClose={() => setMaking(false)} />}
    </div>
  )
}

export function AllKeys({ dataApi }: { dataApi: string }) {
  const [making, setMaking] = useState(false)
  return (
    <div className="stack">
      <p className="soft">
        {t(
          'Alle Schlüssel der Sparte, die Sie verwalten, auch persönliche. Einen gemeinsamen Schlüssel ' +
            'sehen und widerrufen alle, die die Sparte verwalten. Er hat die Rechte der Person, die ihn ' +
            'angelegt hat; verliert sie diese, gilt er nicht mehr.',
        )}
      </p>
      <KeyList
        alle
        none={t('Persönliche Schlüssel legt jede Person in ihrem Profil an. Danach stehen sie auch hier.')}
        action={
          <Button icon="plus" onClick={() => setMaking(true)}>
            {t('Gemeinsamen Schlüssel anlegen')}
          </Button>
        }
      />
      {making && <MakeKey art="haus" dataApi={dataApi} onClose={() => setMaking(false)} />}
    </div>
  )
}
