// A new call: how many vouchers expire within so many months.
import type { Change } from './change.ts'

export const CALL: Change = {
  title: 'a call',
  edits: [
    {
      file: 'db/nouns/gutschein.sql',
      find: 'grant execute on function app.a_issue_gutschein_code(bigint) to nutzer;\n',
      insert: `
-- How many vouchers expire within so many months.
create or replace function app.a_count_gutscheine(monate integer)
  returns bigint language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('ogf_admin'));
  return (
    select count(*)
    from app.gutschein g
    where g.expire_date < current_date + make_interval(months => a_count_gutscheine.monate)
  );
end $$;
grant execute on function app.a_count_gutscheine(integer) to nutzer;
`,
    },
    {
      file: 'contract/abo.ts',
      find: '  a_issue_gutschein_code: { takes: { id: Id }; answers: string }\n',
      insert: '  a_count_gutscheine: { takes: { monate: number }; answers: number }\n',
    },
    {
      file: 'db/test/cells/abo.ts',
      find: '  procedures: {\n',
      insert:
        '    a_count_gutscheine: [\n' +
        "      { what: 'a year', call: one('select app.a_count_gutscheine(12)'), may: ADMIN },\n" +
        '    ],\n',
    },
    { file: 'bench/scale/requests.ts', find: "  seit: '2026-10-01',\n", insert: "  monate: '12',\n" },
  ],
  commands: ['npm run freeze'],
  tests: [
    'server/operations/frozen.test.ts',
    'bench/scale/calls.sql.test.ts',
    'db/test/matrix.sql.test.ts',
    'db/test/surface.sql.test.ts',
  ],
}
