import { describe, expect, test } from 'vitest'
import { formatSql, tokensOf } from './format-sql.ts'

function expectLayout(source: string, ...lines: readonly string[]): void {
  const text = formatSql(source)
  expect(text).toBe(`${lines.join('\n')}\n`)
  expect(tokensOf(text)).toEqual(tokensOf(source))
  expect(formatSql(text)).toBe(text)
}

const LONG = 'a_rather_long_name_of_a_column'

describe('top level', () => {
  test('short statements stay on a line, blank lines are kept once', () => {
    expectLayout(
      'revoke all on a.b\n  from public;\ngrant select on a.b to c;\n\n\n\nset role x;',
      'revoke all on a.b from public;',
      'grant select on a.b to c;',
      '',
      'set role x;',
    )
  })

  test('nothing stays nothing', () => {
    expect(formatSql('')).toBe('')
    expect(formatSql(' \n\n')).toBe('')
  })

  test('long lists are packed', () => {
    const functions = Array.from({ length: 6 }, (_, nr) => `rights.funktion_${nr}(bigint, text)`)
    expectLayout(
      `grant execute on function ${functions.join(', ')} to nutzer;`,
      'grant execute on function rights.funktion_0(bigint, text), rights.funktion_1(bigint, text),',
      '  rights.funktion_2(bigint, text), rights.funktion_3(bigint, text), rights.funktion_4(bigint, text),',
      '  rights.funktion_5(bigint, text) to nutzer;',
    )
  })

  test('a policy has its rules on lines of their own', () => {
    expectLayout(
      `create policy own on app.x to nutzer using (user_id = (select rights.user_id()))
         with check (user_id = (select rights.user_id()));`,
      'create policy own on app.x to nutzer',
      '  using (user_id = (select rights.user_id()))',
      '  with check (user_id = (select rights.user_id()));',
    )
  })

  test('a trigger says below what it does', () => {
    expectLayout(
      `create or replace trigger a_limit before insert or update on app.ansicht for each row
         when (current_user = 'nutzer') execute function rights.limit();`,
      'create or replace trigger a_limit before insert or update on app.ansicht',
      "  for each row when (current_user = 'nutzer') execute function rights.limit();",
    )
  })
})

describe('comments', () => {
  test('long ones are wrapped, paragraphs and rulers stay', () => {
    const words = Array.from({ length: 20 }, () => 'wording').join(' ')
    expectLayout(
      `-- Head ${'-'.repeat(150)}\n\n-- ${words}.\n-- Another thought.\nset a = 1;`,
      `-- Head ${'-'.repeat(102)}`,
      '',
      `-- ${Array.from({ length: 13 }, () => 'wording').join(' ')}`,
      `-- ${Array.from({ length: 7 }, () => 'wording').join(' ')}.`,
      '-- Another thought.',
      'set a = 1;',
    )
  })

  test('behind a semicolon they stay where they fit', () => {
    expectLayout('set a = 1; -- short\nset b = 2;', 'set a = 1; -- short', 'set b = 2;')
  })

  test('behind an item they go above its line', () => {
    expectLayout('select a, -- first\n  b from c;', '-- first', 'select a, b from c;')
  })

  test('within a list they keep their item', () => {
    expectLayout('select a,\n-- About b.\nb from c;', 'select a,', '  -- About b.', '  b', 'from c;')
  })

  test('at the end', () => {
    expectLayout('set a = 1;\n\n-- Last.', 'set a = 1;', '', '-- Last.')
  })

  test('of several lines', () => {
    expectLayout('/* one\n   two */\nset a = 1;', '/* one\n   two */', 'set a = 1;')
  })
})

describe('tokens', () => {
  test.each([
    "select E'it\\'s', 'it''s', \"Qu\"\"oted\", $q$ as  it is $q$, 1.5e3, $1;",
    "select a::text[], b ->> 'c', d #>> '{e,f}', -1, a - 1, a.*, count(*), x[1:2] from t;",
    'select f(a => 1, b := 2), array[1, 2], any (x), x in (1), exists (select 1) from t;',
    'insert into a.b (c) values (1);',
    'insert into a.b(c) values (1);',
    'select a operator(public.&&) b, a <@ b, a ? b, not a;',
  ])('%s', (source) => {
    expectLayout(source, source)
  })

  test('what is no SQL stays as it is', () => {
    for (const source of [
      ')(',
      "select 'open",
      'case when',
      'do $$ if x then $$;',
      'create function ((',
      '\\i x',
    ]) {
      expect(tokensOf(formatSql(source))).toEqual(tokensOf(source))
    }
  })

  test('strings that a line break joins stay two', () => {
    expectLayout("select 'a'\n  'b';", "select 'a'\n  'b';")
  })
})

describe('queries', () => {
  test('one clause a line, joins below', () => {
    expectLayout(
      `select a.id, b.name from app.first a join app.second b on b.id = a.id
         left join app.third c on c.id = b.id where a.x and b.y group by 1 having count(*) > 1
         order by 2 limit 5;`,
      'select a.id, b.name',
      'from app.first a',
      '  join app.second b on b.id = a.id',
      '  left join app.third c on c.id = b.id',
      'where a.x and b.y',
      'group by 1',
      'having count(*) > 1',
      'order by 2 limit 5;',
    )
  })

  test('conditions begin with their operator', () => {
    expectLayout(
      `select * from t where t.${LONG} between 1 and 2 and t.${LONG} is distinct from t.b or t.${LONG} = 3;`,
      'select * from t',
      `where t.${LONG} between 1 and 2`,
      `    and t.${LONG} is distinct from t.b`,
      `  or t.${LONG} = 3;`,
    )
  })

  test('common table expressions', () => {
    expectLayout(
      `with a as (select 1 as x), b as (select a.${LONG}, a.${LONG} from a where a.${LONG} > 0)
         select * from b;`,
      'with a as (select 1 as x),',
      'b as (',
      `  select a.${LONG}, a.${LONG}`,
      '  from a',
      `  where a.${LONG} > 0`,
      ')',
      'select * from b;',
    )
  })

  test('insert and update', () => {
    expectLayout(
      `insert into app.t as x (${LONG}, b) values (1, 2)
         on conflict (b) do update set b = excluded.b returning x.id;`,
      `insert into app.t as x (${LONG}, b)`,
      'values (1, 2)',
      'on conflict (b) do update set b = excluded.b',
      'returning x.id;',
    )
    expectLayout(
      `update app.t x set ${LONG} = 1, ${LONG}_b = 2, ${LONG}_c = 3 where x.id = 1;`,
      'update app.t x set',
      `  ${LONG} = 1, ${LONG}_b = 2,`,
      `  ${LONG}_c = 3`,
      'where x.id = 1;',
    )
  })

  test('case, one when a line', () => {
    expectLayout(
      `select case when t.${LONG} > 1 then 'something' when t.${LONG} > 0 then 'else' else '' end as stand
         from t;`,
      'select case',
      `  when t.${LONG} > 1 then 'something'`,
      `  when t.${LONG} > 0 then 'else'`,
      "  else ''",
      'end as stand',
      'from t;',
    )
  })

  test('pairs stay together', () => {
    expectLayout(
      `select jsonb_build_object('key_one', ${LONG}, 'key_two', ${LONG}, 'key_three', ${LONG}) from t;`,
      'select jsonb_build_object(',
      `  'key_one', ${LONG}, 'key_two', ${LONG},`,
      `  'key_three', ${LONG}`,
      ')',
      'from t;',
    )
  })
})

describe('functions', () => {
  test('of one expression', () => {
    expectLayout(
      `create function rights.f(value text, ${LONG} integer) returns text language sql immutable
         return lower(value);`,
      `create function rights.f(value text, ${LONG} integer)`,
      '  returns text language sql immutable',
      '  return lower(value);',
    )
  })

  test('in SQL', () => {
    expectLayout(
      'create function f() returns int language sql as $$ select 1; select 2 $$;',
      'create function f() returns int language sql as $$',
      '  select 1;',
      '  select 2',
      '$$;',
    )
    expectLayout(
      'create function f() returns int begin atomic select 1; select case when a then 1 end; end;',
      'create function f() returns int',
      'begin atomic',
      '  select 1;',
      '  select case when a then 1 end;',
      'end;',
    )
  })

  test('in PL/pgSQL', () => {
    expectLayout(
      `create function f() returns int language plpgsql as $$
       declare a int := 1; b text; begin <<outer>> for a in 1..3 loop continue when a = 2; end loop;
       if a then return 1; end if; if a then return 1; return 2; elsif b then null; else
         case a when 1 then null; else raise 'x' using hint = 'y'; end case; end if;
       begin perform g(); exception when others then null; end; return query select 1; end $$;`,
      'create function f() returns int language plpgsql as $$',
      'declare',
      '  a int := 1;',
      '  b text;',
      'begin',
      '  <<outer>>',
      '  for a in 1..3 loop',
      '    continue when a = 2;',
      '  end loop;',
      '  if a then return 1; end if;',
      '  if a then',
      '    return 1;',
      '    return 2;',
      '  elsif b then',
      '    null;',
      '  else',
      '    case a',
      '      when 1 then null;',
      "      else raise 'x' using hint = 'y';",
      '    end case;',
      '  end if;',
      '  begin',
      '    perform g();',
      '  exception',
      '    when others then null;',
      '  end;',
      '  return query select 1;',
      'end $$;',
    )
  })

  test('a body in another language is left alone', () => {
    expectLayout(
      'create function f() returns int language plpython3u as $$\nif a:\n   return 1\n$$;',
      'create function f() returns int language plpython3u as $$\nif a:\n   return 1\n$$;',
    )
  })

  test('do', () => {
    expectLayout(
      'do $x$ declare a record; begin for a in select 1 loop execute a.b; end loop; end $x$;',
      'do $x$',
      'declare a record;',
      'begin',
      '  for a in select 1 loop',
      '    execute a.b;',
      '  end loop;',
      'end $x$;',
    )
  })
})
