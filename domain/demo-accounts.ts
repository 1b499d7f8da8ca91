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

const account = (
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
  account('ogf_admin', 'Anna', 'Ahorn', 'Verwaltung Forst (alle Kunden und Nutzer)'),
  account('ogf_team', 'Theo', 'Tanne', 'Team Forst (liest alles)'),
  account('apus_admin', 'Petra', 'Pappel', 'Verwaltung Dränage und Buchhaltung'),
  account('apus_team', 'Uwe', 'Ulme', 'Team Dränage'),
  account('admin', 'Alma', 'Akazie', 'beide Verwaltungen'),
  account('kundenadmin', 'Karl', 'Kiefer', 'Verwaltung eines Kunden'),
  account('ogf_standard', 'Stefan', 'Stieleiche', 'ein Forstbetrieb'),
  account('ogf_fb_admin', 'Frieda', 'Fichte', 'Verwaltung eines Forstbetriebs'),
  account('multiple_fb', 'Mara', 'Mehlbeere', 'mehrere Forstbetriebe'),
  account('inactive_fb', 'Ingo', 'Ilex', 'nur ein stillgelegter Forstbetrieb'),
  account('appuser', 'Bodo', 'Birke', 'Karten eines Kunden'),
  account('appuser_admin', 'Lena', 'Linde', 'Karten und Nutzer eines Kunden'),
  account('pruefer', 'Paul', 'Platane', 'Betriebsprüfung (liest die Buchhaltung)'),
  account('ogf_init', 'Nora', 'Neubert', 'neu registriert, noch nichts freigeschaltet'),
]
