// What is measured: 50,000 rows of many tenants behind row security, with 25 rows or 4 kB per answer.

export const SCENE_SQL = `
  do $$ begin
    if not exists (select from pg_roles where rolname = 'bench_login')
      then create role bench_login login noinherit; end if;
    if not exists (select from pg_roles where rolname = 'bench_web') then create role bench_web nologin; end if;
  end $$;
  grant bench_web to bench_login;
  create schema bench; grant usage on schema bench to bench_login, bench_web;
  create table bench.item (
    id int primary key, tenant text not null, shelf int not null, name text not null, price numeric(8,2) not null,
    "dtSeen" date not null, text text not null);
  insert into bench.item select i, 't' || i % 100, i / 25, 'item number ' || i, i % 1000 + 0.5,
    date '2020-01-01' + i % 1000, rpad('text ' || i, 40, 'x')
    from generate_series(0, 49999) i;
  update bench.item set tenant = 't' || shelf % 100;
  create index on bench.item (shelf, id);
  alter table bench.item enable row level security; alter table bench.item force row level security;
  create policy own on bench.item to bench_web
    using (tenant = (select nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub'));
  grant select, update on bench.item to bench_web;
`

/** Separate from the script because it must not run in a transaction. */
export const TIDY_SQL = 'vacuum analyze bench.item'

export const CLAIMS = JSON.stringify({
  iss: 'https://id.example',
  sub: 't7',
  exp: 4102444800,
  iat: 1700000000,
  groups: ['bench'],
  role: 'bench_web',
})
export const TOKEN = 'bench.token.t7'

/** Shelves whose rows belong to tenant t7; 25 rows each. */
export const SHELVES: readonly number[] = Array.from({ length: 20 }, (_, i) => 7 + i * 100)

export const readPath = (shelf: number) => `/rest/item?shelf=eq.${shelf}&order=id&limit=25`

/** The statement that the data API generates for readPath, for measuring without HTTP. */
export const READ_TEXT = `select pg_catalog.count(*) as n, coalesce(pg_catalog.json_agg(_q.*), '[]')::text as body
  from (select _t."id", _t."tenant", _t."shelf", _t."name", _t."price", _t."dtSeen", _t."text"
    from "bench"."item" as _t where (_t."shelf" = $1) order by _t."id" limit $2) as _q`

export const SETTINGS = {
  search_path: '"bench", "public"',
  'request.jwt.claims': CLAIMS,
  'request.method': 'GET',
  'request.path': '/item',
} as const
