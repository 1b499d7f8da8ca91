-- Jump-to search: any part of a record's text is found through an index of its trigrams.

create extension if not exists pg_trgm;

create index kunde_suche on app.kunde using gin (suchtext public.gin_trgm_ops);
create index hq_suche on app.hq using gin (suchtext public.gin_trgm_ops);
create index benutzer_suche on app.benutzer using gin (suchtext public.gin_trgm_ops);
