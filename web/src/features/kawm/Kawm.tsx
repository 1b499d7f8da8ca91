// The grant of one holding: its state, what is missing, its stands, its progress by month and its evidence.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Kawm as Figuren } from '#contract/habitat.ts'
import { isDefect, type KawmMissing, NATURAL_FOREST_FROM_HA } from '#domain/kawm.ts'
import { useHasRole } from '../../data/session.ts'
import type { Betrieb } from '../../list/betrieb.data.ts'
import { missingText } from '../../record/kawm/kawm-words.ts'
import { ProgressBar } from '../../record/kawm/ProgressBar.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Card, DateText, Facts, fact, Notice, NumberText } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { Bestaende } from './Bestaende.tsx'
import { Certificates } from './Certificates.tsx'
import { bestaendeQuery } from './kawm-page.data.ts'
import { MonthlyCourse } from './MonthlyCourse.tsx'

// Loaded on demand.
const ReportDialog = splitOff(
  async () => (await import('../../record/habitat/ReportDialog.tsx')).ReportDialog,
)

export function Kawm({ kawm, betrieb, choice }: { kawm: Figuren; betrieb: Betrieb; choice: ReactNode }) {
  const [report, setReport] = useState(false)
  const bestaende = useQuery(bestaendeQuery(betrieb.idHQ))
  return (
    <Page
      subtitle={betrieb.sHQ}
      actions={
        <>
          <Button icon="file" onClick={() => setReport(true)}>
            {t('PDF-Bericht')}
          </Button>
          <ButtonLink href={`/habitatbaeume/index?fb=${betrieb.idHQ}`} icon="tree">
            {t('Habitatbäume öffnen')}
          </ButtonLink>
        </>
      }
    >
      {choice}
      <div className="stack">
        <div className="kawm-oben">
          <Card title={t('Stand der Förderung')}>
            <Grant kawm={kawm} />
          </Card>
          <Card title={t('Für den Nachweis')}>
            <MissingParts kawm={kawm} />
          </Card>
        </div>
        {bestaende.data ? (
          <Bestaende data={bestaende.data} stand={bestaende.dataUpdatedAt} />
        ) : (
          <Card title={t('Bestände')}>
            {bestaende.isPending ? (
              <Skeleton lines={8} />
            ) : (
              <ErrorState error={bestaende.error} onRetry={() => void bestaende.refetch()} />
            )}
          </Card>
        )}
        {bestaende.data && <MonthlyCourse data={bestaende.data} />}
        <Certificates betrieb={betrieb} kawm={kawm} />
      </div>
      {report && (
        <ReportDialog
          hq={betrieb.idHQ}
          was={t('allen Habitatbäumen von {name}', { name: betrieb.sHQ })}
          filter={[]}
          ids={null}
          onClose={() => setReport(false)}
        />
      )}
    </Page>
  )
}

function Grant({ kawm }: { kawm: Figuren }) {
  const { soll, erfasst, markiert } = kawm
  return (
    <div className="stack">
      {soll !== null && soll > 0 && (
        <div className="stack">
          <ProgressBar name={t('Erfasst')} value={erfasst} of={soll} />
          <ProgressBar name={t('Markiert')} value={markiert} of={soll} />
        </div>
      )}
      <Facts facts={[...treeFacts(kawm), ...bindingFacts(kawm)]} />
    </div>
  )
}

const treeFacts = ({ soll, fehlend, frist, tage, flaeche, eigene, ...kawm }: Figuren) => [
  fact(
    t('Förderfläche'),
    flaeche === null ? null : (
      <span key="ha">
        <NumberText value={flaeche} digits={2} unit="ha" />{' '}
        <span className="soft">({eigene ? t('eigene Angabe') : t('aus der Forsteinrichtung')})</span>
      </span>
    ),
  ),
  fact(t('Soll (5 je ha)'), <NumberText key="soll" value={soll} />),
  fact(t('Fehlen noch'), <NumberText key="fehlend" value={fehlend} />),
  fact(t('Habitatbäume'), <NumberText key="b" value={kawm.baeume} />),
  fact(t('Anwärter'), <NumberText key="a" value={kawm.anwaerter} />),
  fact(t('Verloren'), <NumberText key="v" value={kawm.verloren} />),
  fact(t('Bewilligt am'), kawm.bewilligung === null ? null : <DateText key="am" value={kawm.bewilligung} />),
  fact(
    t('Markieren bis'),
    frist === null || tage === null ? null : (
      <span key="frist">
        <DateText value={frist} />{' '}
        <span className="soft">
          {tage === 1
            ? t('(1 Tag)')
            : tage >= 0
              ? t('({n} Tage)', { n: formatNumber(tage) })
              : tage === -1
                ? t('(seit 1 Tag vorbei)')
                : t('(seit {n} Tagen vorbei)', { n: formatNumber(-tage) })}
        </span>
      </span>
    ),
  ),
]

const bindingFacts = ({ bindung_10, bindung_20, naturwald_soll, naturwald_pflicht }: Figuren) => [
  fact(
    t('Bindung, Kriterien 1 bis 11'),
    bindung_10 === null ? null : <Until key="10" tag={bindung_10} jahre={10} />,
  ),
  fact(
    t('Bindung, natürliche Waldentwicklung'),
    bindung_20 === null ? null : <Until key="20" tag={bindung_20} jahre={20} />,
  ),
  fact(
    t('Natürliche Waldentwicklung (5 %)'),
    naturwald_soll === null ? null : (
      <span key="nat">
        <NumberText value={naturwald_soll} digits={2} unit="ha" />{' '}
        <span className="soft">
          {naturwald_pflicht
            ? t('(Pflicht über {ab} ha)', { ab: formatNumber(NATURAL_FOREST_FROM_HA) })
            : t('(freiwillig bis {ab} ha)', { ab: formatNumber(NATURAL_FOREST_FROM_HA) })}
        </span>
      </span>
    ),
  ),
]

const Until = ({ tag, jahre }: { tag: string; jahre: number }) => (
  <span>
    {t('bis')} <DateText value={tag} />{' '}
    <span className="soft">{jahre === 1 ? t('(1 Jahr)') : t('({n} Jahre)', { n: jahre })}</span>
  </span>
)

function MissingParts({ kawm }: { kawm: Figuren }) {
  const defects = kawm.fehlt.filter(({ code }) => isDefect(code))
  const hints = kawm.fehlt.filter(({ code }) => !isDefect(code))
  return (
    <div className="stack">
      {defects.length === 0 ? (
        <Notice tone="success">{t('Alles da, was der Nachweis braucht.')}</Notice>
      ) : (
        <Notice tone="warning" title={t('Es fehlt noch')}>
          <MissingList kawm={kawm} fehlt={defects} />
        </Notice>
      )}
      {hints.length > 0 && (
        <div>
          <h3 className="kawm-hinweise">{t('Hinweise')}</h3>
          <MissingList kawm={kawm} fehlt={hints} />
        </div>
      )}
    </div>
  )
}

function MissingList({ kawm, fehlt }: { kawm: Figuren; fehlt: readonly KawmMissing[] }) {
  const admin = useHasRole('ogf_admin')
  return (
    <ul className="kawm-fehlt">
      {fehlt.map((one) => {
        const path = pathOf(one, kawm.idHQ, admin)
        return (
          <li key={one.code}>
            {missingText(one, kawm)}
            {path && (
              <>
                {' '}
                <a href={path.href}>{path.name}</a>
              </>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** Where to fix it; null if this person cannot. */
export function pathOf(
  { code }: KawmMissing,
  hq: number,
  admin: boolean,
): { readonly href: string; readonly name: string } | null {
  const trees = `/habitatbaeume/index?fb=${hq}`
  switch (code) {
    case 'modul_aus':
    case 'flaeche_fehlt':
    case 'bewilligung_fehlt':
      return admin ? { href: `/forstbetriebe/${hq}`, name: t('Eintragen') } : null
    case 'baeume_fehlen':
      return { href: trees, name: t('Bäume erfassen') }
    case 'markierung_fehlt':
    case 'frist_versaeumt':
    case 'frist_bald':
      return { href: `${trees}&markiert=nein&verloren=nein&kawm=ja`, name: t('Bäume ohne Markierung') }
    case 'ohne_bild':
      return { href: `${trees}&foto=nein&verloren=nein&kawm=ja`, name: t('Bäume ohne Foto') }
    case 'naturwald':
      return { href: `/waldbestand/index?fb=${hq}`, name: t('Bestände ansehen') }
  }
}
