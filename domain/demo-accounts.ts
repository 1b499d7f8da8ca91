// The accounts of the trial, one per role. Sample data creates the people and their links (db/seeds);
// passwords are generated at the first start and not stored.
import type { ROLES } from './roles.ts'

export interface DemoAccount {
  /** The role the account demonstrates, and the local part of its address. */
  readonly role: (typeof ROLES)[number]
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  /** For the list printed at the first start. */
  readonly title: string
}

export const PROBE_DOMAIN = 'probe.forstkontor.example'

const konto = (
  role: DemoAccount['role'],
  first_name: string,
  last_name: string,
  title: string,
): DemoAccount => ({
  role,
  email: `${role}@${PROBE_DOMAIN}`,
  first_name,
  last_name,
  title,
})

export const DEMO_ACCOUNTS: readonly DemoAccount[] = [
  konto('ogf_admin', 'Anna', 'Ahorn', 'Verwaltung Forst (alle Kunden und Nutzer)'),
  konto('ogf_team', 'Theo', 'Tanne', 'Team Forst (liest alles)'),
  konto('apus_admin', 'Petra', 'Pappel', 'Verwaltung Dränage und Buchhaltung'),
  konto('apus_team', 'Uwe', 'Ulme', 'Team Dränage'),
  konto('admin', 'Alma', 'Akazie', 'beide Verwaltungen'),
  konto('kundenadmin', 'Karl', 'Kiefer', 'Verwaltung eines Kunden'),
  konto('ogf_standard', 'Stefan', 'Stieleiche', 'ein Forstbetrieb'),
  konto('ogf_fb_admin', 'Frieda', 'Fichte', 'Verwaltung eines Forstbetriebs'),
  konto('multiple_fb', 'Mara', 'Mehlbeere', 'mehrere Forstbetriebe'),
  konto('inactive_fb', 'Ingo', 'Ilex', 'nur ein stillgelegter Forstbetrieb'),
  konto('appuser', 'Bodo', 'Birke', 'Karten eines Kunden'),
  konto('appuser_admin', 'Lena', 'Linde', 'Karten und Nutzer eines Kunden'),
  konto('ogf_init', 'Nora', 'Neubert', 'neu registriert, noch nichts freigeschaltet'),
]
