// A new base role: guests of the drainage half, who read the abbreviations and see nothing of any customer.
import { type Change, english } from './change.ts'

export const ROLE: Change = {
  title: 'a role',
  edits: [
    { file: 'domain/roles.ts', find: "  'appuser_admin',\n  'apus_team',\n", insert: "  'appuser_guest',\n" },
    {
      file: 'domain/roles.ts',
      find: "VALIDATED: readonly Role[] = [\n  'ogf_init',\n  'ogf_standard',\n  'appuser',\n",
      insert: "  'appuser_guest',\n",
    },
    {
      file: 'domain/roles.cases.json',
      find: '"hqs": [], "roles": ["appuser", "appuser_admin"] },\n',
      insert:
        '  { "why": "a guest", "groups": ["appuser_validated"], "system_status": "appuser_guest", ' +
        '"apus_admin": false, "apus_team": false, "pruefer": false, "kunden": [], "hqs": [], ' +
        '"roles": ["appuser_guest"] },\n',
    },
    {
      file: 'domain/role-origins.ts',
      find: "  if (['apus_admin', 'apus_team', 'appuser', 'appuser_admin'",
      insert: ", 'appuser_guest'",
    },
    {
      file: 'domain/demo-accounts.ts',
      find: "  account('appuser_admin', 'Lena', 'Linde', 'Karten und Nutzer eines Kunden'),\n",
      insert: "  account('appuser_guest', 'Gesa', 'Ginster', 'Gast ohne Kunden'),\n",
    },
    {
      file: 'db/migrations/9999_appuser_guest.sql',
      insert: `-- A role for guests.
alter table app.benutzer drop constraint benutzer_system_status_check,
  add check (
    system_status in (
      'ogf_init', 'ogf_standard', 'ogf_team', 'ogf_admin', 'kundenadmin', 'appuser', 'appuser_admin',
      'appuser_guest', 'apus_team', 'apus_admin', 'admin'
    )
  );
`,
    },
    {
      file: 'db/nouns/rights.sql',
      find: "validated constant text[] := '{ogf_init,ogf_standard,appuser,",
      insert: 'appuser_guest,',
    },
    {
      file: 'db/nouns/benutzer.sql',
      find: "    when role in ('apus_admin', 'apus_team', 'appuser', 'appuser_admin'",
      insert: ", 'appuser_guest'",
    },
    {
      file: 'db/seeds/sample-people.ts',
      find: "client_id: 2, kunde: 'admin' },\n",
      insert: "    appuser_guest: { status: 'appuser_guest' },\n",
    },
    {
      file: 'web/src/ui/role-words.ts',
      find: "gibt sie frei und verwaltet deren Nutzer.'),\n  },\n",
      insert: `  appuser_guest: {
    name: () => t('Gast'),
    explained: () => t('Liest die Abkürzungen und sieht nichts von Kunden.'),
  },
`,
    },
    {
      file: 'web/src/app/routes.ts',
      find: "roles: ['appuser', 'apus_admin'",
      insert: ", 'appuser_guest'",
    },
    {
      file: 'web/src/app/who-opens-what.fixture.ts',
      find: "'/abkuerzungen/index': ['appuser', 'apus_admin'",
      insert: ", 'appuser_guest'",
    },
    {
      file: 'web/src/app/who-opens-what.fixture.ts',
      find: "  'appuser',\n  'appuser_admin',\n",
      insert: "  'appuser_guest',\n",
    },
    {
      file: 'web/src/app/upsell.test.ts',
      find: '  appuser_admin: { lead: false, idHQ: 11 },\n',
      insert: '  appuser_guest: { lead: true, idHQ: 11 },\n',
    },
    {
      file: 'db/test/world.ts',
      find: "groups: ['appuser_admin'], kunde: 'admin' },\n",
      insert: "  appuser_guest: { user_id: 118, status: 'appuser_guest', groups: ['appuser_validated'] },\n",
    },
    {
      file: 'db/test/procedures.ts',
      find: '  appuser_admin: DRAINAGE,\n',
      insert: '  appuser_guest: DRAINAGE,\n',
    },
    english({
      Gast: 'Guest',
      'Liest die Abkürzungen und sieht nichts von Kunden.':
        'Reads the abbreviations and sees nothing of customers.',
    }),
  ],
  commands: ['npm run freeze', 'npm run texts'],
  tests: [
    'domain/roles.test.ts',
    'domain/role-origins.test.ts',
    'server/operations/frozen.test.ts',
    'web/src/app/guard.test.ts',
    'web/src/app/menu.test.ts',
    'web/src/app/upsell.test.ts',
    'web/texts/texts.test.ts',
    'db/seeds/seeds.test.ts',
    'db/test/matrix.sql.test.ts',
    'db/test/nutzer.sql.test.ts',
    'db/test/rules.sql.test.ts',
  ],
}
