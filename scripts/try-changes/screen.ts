// A new screen with an entry in the menu: how many vouchers expire in each year. Its two files are in screen/,
// as text, because they are no part of the scripts.
import { readFileSync } from 'node:fs'
import { type Change, english } from './change.ts'

const textOf = (file: string): string => readFileSync(new URL(`screen/${file}`, import.meta.url), 'utf8')

export const SCREEN: Change = {
  title: 'a screen',
  edits: [
    {
      file: 'web/src/app/routes.ts',
      find: "import('../features/gutschein/GutscheinPage.tsx'), 'GutscheinPage'),\n      },\n",
      insert: `      {
        path: '/gutschein/jahre',
        title: 'Gutscheine nach Ablaufjahr',
        roles: ['ogf_admin'],
        icon: 'chart',
        page: pageIn(() => import('../features/gutschein/YearsPage.tsx'), 'YearsPage'),
      },
`,
    },
    { file: 'web/src/features/gutschein/years.data.ts', insert: textOf('years-data.txt') },
    { file: 'web/src/features/gutschein/YearsPage.tsx', insert: textOf('years-page.txt') },
    {
      file: 'web/src/app/who-opens-what.fixture.ts',
      find: "  '/gutschein/index': ['ogf_admin'],\n",
      insert: "  '/gutschein/jahre': ['ogf_admin'],\n",
    },
    ...["'Verwaltung: Gutscheine,", 'Stammdaten, Nutzer, Gutscheine,'].map((find) => ({
      file: 'web/src/app/menu.test.ts',
      find,
      insert: ' Gutscheine nach Ablaufjahr,',
    })),
    english({ Ablaufjahr: 'Year of expiry', 'Gutscheine nach Ablaufjahr': 'Vouchers by year of expiry' }),
  ],
  commands: ['npm run texts'],
  tests: ['web/src/app/guard.test.ts', 'web/src/app/menu.test.ts', 'web/texts/texts.test.ts'],
}
