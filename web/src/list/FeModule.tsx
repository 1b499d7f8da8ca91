// Explains why a page shows no individual stands: the holding has not bought the module, or it has not been
// released. The database decides; this says so and offers the next step.
import type { ReactNode } from 'react'
import type { BestandScope } from '#contract/bestand.ts'
import { useHasRole } from '../data/session.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Notice } from '../ui/Display.tsx'
import { EmptyState } from '../ui/States.tsx'
import { SupportContact } from '../ui/support.tsx'
import { t } from '../ui/text.ts'

interface Props {
  umfang: Exclude<BestandScope, 'alles'>
  hq: { readonly idHQ: number; readonly sHQ: string }
}

/** Link for those who may subscribe; nothing for everyone else. */
function AboLink({ idHQ }: { idHQ: number }): ReactNode {
  return useHasRole('ogf_standard') ? (
    <ButtonLink href={`/na/index?fb=${idHQ}`} icon="ticket" variant="primary">
      {t('Abo ansehen')}
    </ButtonLink>
  ) : null
}

/** Replaces a page that has nothing to show without the module. */
export function WithoutFe({ umfang, hq }: Props) {
  if (umfang === 'nicht_freigegeben')
    return (
      <EmptyState icon="lock" title={t('{name} ist noch nicht freigeschaltet', { name: hq.sHQ })}>
        {t('Der Waldbestand öffnet sich mit der Freischaltung des Forstbetriebs.')} <SupportContact />
      </EmptyState>
    )
  return (
    <EmptyState
      icon="lock"
      title={t('Teil des Moduls Forsteinrichtung (FE)')}
      action={<AboLink idHQ={hq.idHQ} />}
    >
      {umfang === 'summen'
        ? t(
            'Zahlen je Bestand gehören zum Modul Forsteinrichtung (FE). Für {name} ist die Basis-FE freigeschaltet.',
            { name: hq.sHQ },
          )
        : t(
            'Bestände und Baumarten gehören zum Modul Forsteinrichtung (FE), ihre Summen je Ebene auch zur ' +
              'Basis-FE. Für {name} ist keines von beiden freigeschaltet.',
            { name: hq.sHQ },
          )}{' '}
      <SupportContact />
    </EmptyState>
  )
}

/** Notice above the content that Basis-FE includes. */
export const OnlyBasis = ({ hq }: Pick<Props, 'hq'>) => (
  <Notice title={t('Sie sehen die Summen der Basis-FE')} actions={<AboLink idHQ={hq.idHQ} />}>
    {t('Einzelne Bestände mit Karte, Alter und Vorrat gehören zum Modul Forsteinrichtung (FE).')}
  </Notice>
)
