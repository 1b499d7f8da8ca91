// A hiking club for the cases of the dialect: one relation or function of every kind that it treats
// differently, and what a case is. On both engines: test/dialect-engines.ts.
import { expect } from 'vitest'
import type { DataApiOptions } from './data-api.ts'
import type { Response, Shop } from './data-api.fixture.ts'

const TABLES = `
  create type trail.place as (lat numeric(6,3), long numeric(6,3));
  create type trail.mood as enum ('calm', 'busy', 'full');
  create table trail.region (id int primary key, name text not null, parent_id int references trail.region);
  create table trail.hut (
    id int primary key, name text not null, region_id int references trail.region, beds int,
    height numeric(6,1), tags text[] not null default '{}', sleeps int4range, season daterange, extra jsonb,
    info json, words tsvector, place trail.place, opened date, private boolean, mood trail.mood, "Old Name" text);
  create table trail.warden (hut_id int primary key references trail.hut, name text not null);
  create table trail.guide (id int primary key, name text not null, born date);
  create table trail.tour (id int primary key, title text not null, km numeric(5,1), level int,
    start_id int constraint tour_start references trail.hut, goal_id int constraint tour_goal references trail.hut);
  create table trail.tour_guide (tour_id int references trail.tour, guide_id int references trail.guide,
    role text not null default 'lead', primary key (tour_id, guide_id));
  create table trail.stage (tour_id int references trail.tour, nr int, title text not null, minutes int,
    primary key (tour_id, nr));
  create table trail.photo (id int primary key, tour_id int, stage_nr int, caption text,
    foreign key (tour_id, stage_nr) references trail.stage);
  create table trail.diary (id int primary key, hut_id int references trail.hut, owner text not null, text text);
  create table trail.friend (guide_id int references trail.guide, friend_id int references trail.guide,
    primary key (guide_id, friend_id));
  create table trail.bigtable (id int primary key, parity int);
  create table trail.stock (code text primary key, name text unique, amount int not null default 1,
    note text default 'none', changed date not null default '2020-01-01');
  create table trail.secret_ledger (id int primary key, hut_id int references trail.hut, sum numeric);
  create table back.crew (id int primary key, name text, hut_id int constraint crew_works_at references trail.hut,
    deputy_at int constraint crew_deputises_at references trail.hut);
  create table back.shift (crew_id int references back.crew, tour_id int references trail.tour,
    primary key (crew_id, tour_id));
`

const VIEWS = `
  create view trail.hut_list as select id, name, region_id, beds from trail.hut;
  create view trail.high_hut as select l.id as hut_id, l.name, l.region_id, h.height
    from trail.hut_list l join trail.hut h on h.id = l.id where h.height > 1500;
  create view trail.crew as select id, name, hut_id as works_at from back.crew;
  create view trail.crew_places as select id, hut_id as works_at, deputy_at from back.crew;
  create view trail.shift as select crew_id, tour_id from back.shift;
  create view trail.odd_list as select name as "odd } name", id as "the {id", region_id as "re\\gion {" from trail.hut;
  create view trail.deep_list as select s.id, s.region_id,
      (select count(*) from trail.tour t where t.start_id = s.id) as starts
    from (select id, region_id from trail.hut where id > 0) s;
  create view trail.both_lists as select id, region_id from trail.hut union all select id, region_id from trail.hut;
  create materialized view trail.region_sum as select r.id as region_id, count(*) as huts
    from trail.region r join trail.hut h on h.region_id = r.id group by r.id;
`

const ROWS = `
  insert into trail.region values (1, 'Alps', null), (2, 'Tyrol', 1), (3, 'Uri', 1), (4, 'Harz', null);
  insert into trail.hut values
    (1, 'Alm', 2, 10, 1200.5, '{old,warm}', '[1,10)', '[2024-05-01,2024-10-01)',
      '{"water": true, "stars": 3, "host": {"name": "Resi", "langs": ["de", "it"]}, "a key": 1}', '{"k": "v"}',
      'cow:1 milk:2', '(47.1,11.2)', '1901-06-01', false, 'calm', 'Alte Alm'),
    (2, 'Berg', 2, 40, 2100.0, '{cold}', '[10,40)', '[2024-06-15,2024-09-15)',
      '{"water": false, "stars": 1, "host": {"name": "Sepp", "langs": ["de"]}}', '[1,2,3]',
      'snow:1 rope:2', '(47.2,11.3)', '1950-01-01', true, 'busy', null),
    (3, 'Carl', 3, null, 1800.0, '{}', null, null, null, null, null, null, null, null, null, ''),
    (4, 'Dorf, "alt"', 4, 5, 600.0, '{old}', '[3,5]', 'empty', '[5, 6]', null, 'cow:1,3 barn:2', '(51.8,10.6)',
      '1999-12-31', false, 'full', 'x.y');
  insert into trail.warden values (1, 'Resi'), (2, 'Sepp');
  insert into trail.guide values (1, 'Ada', '1980-01-01'), (2, 'Bo', '1990-02-02'), (3, 'Cy', null);
  insert into trail.tour values (1, 'Round', 12.5, 2, 1, 1), (2, 'Ridge', 20.0, 3, 1, 2), (3, 'Valley', 8.0, 1, 2, 3),
    (4, 'Dream', null, null, null, null);
  insert into trail.tour_guide values (1, 1, 'lead'), (1, 2, 'help'), (2, 1, 'lead'), (3, 3, 'lead');
  insert into trail.stage values (1, 1, 'Up', 90), (1, 2, 'Down', 60), (2, 1, 'Climb', 240), (2, 2, 'Rest', null);
  insert into trail.photo values (1, 1, 1, 'start'), (2, 1, 1, 'view'), (3, 2, 1, 'rope'), (4, null, null, 'lost');
  insert into trail.diary values (1, 1, 'u1', 'mine'), (2, 1, 'u2', 'theirs'), (3, 2, 'u2', 'other');
  insert into trail.friend values (1, 2), (2, 3);
  insert into trail.bigtable select i, i % 2 from generate_series(1, 400) i;
  insert into trail.stock values ('rope', 'Rope', 5, 'red', '2021-01-01'), ('axe', 'Axe', 2, null, '2021-02-02');
  insert into trail.secret_ledger values (1, 1, 100);
  insert into back.crew values (1, 'Toni', 1), (2, 'Vroni', 2); insert into back.shift values (1, 1), (2, 1), (2, 2);
  refresh materialized view trail.region_sum;
  analyze trail.bigtable; analyze trail.hut;
`

const FUNCTIONS = `
  create function trail.label(trail.hut) returns text language sql stable as $$ select $1.name || ' ' || $1.id $$;
  create function trail.tag_count(trail.hut) returns int language sql stable as $$ select cardinality($1.tags) $$;
  create function trail.profile(trail.hut) returns jsonb language sql stable
    as $$ select jsonb_build_object('n', $1.id, 'by', jsonb_build_array($1.name)) $$;
  create function trail.label(trail.tour) returns text language sql stable as $$ select $1.title || '!' $$;
  create function trail.closed(trail.hut) returns int language sql stable as 'select 1';
  create function trail.neighbours(trail.hut) returns setof trail.hut language sql stable
    as $$ select * from trail.hut h where h.region_id = $1.region_id and h.id <> $1.id $$;
  create function trail.start_hut(trail.tour) returns setof trail.hut rows 1 language sql stable
    as $$ select * from trail.hut where id = $1.start_id $$;
  create function trail.region(trail.warden) returns setof trail.region rows 1 language sql stable
    as $$ select r.* from trail.region r join trail.hut h on h.region_id = r.id where h.id = $1.hut_id $$;
  create function trail.huts_in(region int) returns setof trail.hut language sql stable
    as 'select * from trail.hut where region_id = region order by id';
  create function trail.highest() returns trail.hut language sql stable
    as 'select * from trail.hut order by height desc limit 1';
  create domain trail.hut_row as trail.hut check ((value).id > 0);
  create domain trail.high_row as trail.hut_row check ((value).height > 1500);
  create function trail.first_hut() returns trail.hut_row language sql stable
    as 'select h from trail.hut h order by id limit 1';
  create function trail.high_rows() returns setof trail.high_row language sql stable
    as 'select h from trail.hut h where height > 1500 order by id';
  create function trail.goal_row(trail.tour) returns trail.hut_row language sql stable
    as 'select h from trail.hut h where h.id = $1.goal_id';
  create function trail.numbers(n int) returns setof int language sql stable as 'select generate_series(1, n)';
  create function trail.spans(n int) returns table (id int, word text) language sql stable
    as $$ select i, 'w' || i from generate_series(1, n) i $$;
  create function trail.price(beds int) returns int language sql immutable as 'select beds * 10';
  create function trail.price(beds int, nights int) returns int language sql immutable as 'select beds * 10 * nights';
  create function trail.unclear(a int) returns text language sql immutable as $$ select 'int' $$;
  create function trail.unclear(a text) returns text language sql immutable as $$ select 'text' $$;
  create function trail.whole(json) returns json language sql immutable as 'select $1';
  create function trail.raw_text(text) returns text language sql immutable as 'select upper($1)';
  create function trail.raw_bytes(bytea) returns int language sql immutable as 'select length($1)';
  create function trail.sum_of(variadic parts int[]) returns int language sql immutable
    as 'select coalesce(sum(x), 0)::int from unnest(parts) x';
  create function trail.greet(name text default 'you') returns text language sql immutable
    as $$ select 'Hi ' || name $$;
  create function trail.bump(code text) returns int language sql volatile
    as 'update trail.stock s set amount = amount + 1 where s.code = bump.code returning amount';
  create function trail.nap(seconds float) returns text language sql volatile as $$ select pg_sleep(seconds)::text $$;
`

const RIGHTS = `
  alter table trail.diary enable row level security; alter table trail.diary force row level security;
  create policy own on trail.diary to trail_web
    using (owner = (select nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub'));
  grant select on trail.region, trail.hut, trail.warden, trail.guide, trail.tour, trail.tour_guide, trail.stage,
    trail.photo, trail.diary, trail.friend, trail.bigtable, trail.hut_list, trail.high_hut, trail.crew, trail.shift,
    trail.region_sum, trail.odd_list, trail.deep_list, trail.both_lists,
    trail.crew_places to trail_web;
  grant select, insert, update, delete on trail.stock to trail_web;
  grant insert, update, delete on trail.guide, trail.tour, trail.tour_guide, trail.stage to trail_web;
  grant execute on all functions in schema trail to trail_web;
  revoke execute on function trail.closed from trail_web, public;
  grant select on trail.region to trail_guest;
`

/** Runs as superuser on an empty database. Roles belong to the whole server, so they may already exist. */
export const DIALECT_SQL = `
  do $$ begin
    if not exists (select from pg_roles where rolname = 'trail_login')
      then create role trail_login login noinherit; end if;
    if not exists (select from pg_roles where rolname = 'trail_web') then create role trail_web nologin; end if;
    if not exists (select from pg_roles where rolname = 'trail_guest') then create role trail_guest nologin; end if;
  end $$;
  grant trail_web, trail_guest to trail_login;
  create schema trail; create schema back;
  grant usage on schema trail to trail_login, trail_web, trail_guest;
  alter default privileges revoke execute on functions from public;
  ${TABLES}${VIEWS}${ROWS}${FUNCTIONS}${RIGHTS}`

/** A request and what has to come of it. */
export interface DialectCase {
  readonly name: string
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Text is sent as it is, everything else as JSON. */
  readonly body?: unknown
  /** Who asks; u1 by default. */
  readonly as?: string
  readonly status: number
  /** The whole body as JSON; of an object whose `code` is given only the keys named here. */
  readonly answer?: unknown
  /** The whole body as it is. */
  readonly text?: string
  /** Headers that have to be there, in lower case; null: that must not. */
  readonly headersOut?: Readonly<Record<string, string | readonly string[] | null>>
}

export const DIALECT_OPTIONS: Partial<DataApiOptions> = {
  schemas: ['trail'],
  role: 'trail_web',
  base: '',
  preRequest: { name: 'nothing', text: 'select 1' },
}

/** Sends a case and compares what comes back. */
export async function runCase(shop: Shop, one: DialectCase): Promise<void> {
  const { method = 'GET', headers = {}, body, as = 'u1' } = one
  const answer: Response = await shop.call(encodePath(one.path), {
    method,
    headers: { ...headers },
    as,
    ...(body === undefined ? {} : { body }),
  })
  const seen: unknown = one.answer === undefined ? undefined : answer.json
  expect([answer.status, answer.status === one.status ? '' : answer.text]).toEqual([one.status, ''])
  if (isRefusal(one.answer)) expect(seen).toMatchObject(one.answer)
  else expect(seen).toEqual(one.answer)
  if (one.text !== undefined) expect(answer.text).toBe(one.text)
  for (const [name, value] of Object.entries(one.headersOut ?? {}))
    expect([name, answer.headers[name] ?? null]).toEqual([name, value])
}

const isRefusal = (answer: unknown): answer is { code: string } =>
  typeof answer === 'object' && answer !== null && 'code' in answer

/** Cases are written as people read them; what may not stand in an address is encoded. */
const encodePath = (path: string) => path.replace(/[^!-~]|["<>\\^`{|}]/gu, (char) => encodeURIComponent(char))
