-- Data protection: what was handed out, deleted or blocked, for whom and by whom; and customers whose documents the law wants kept.

create table app.datenschutz_vorgang (
  id bigint generated always as identity primary key,
  zeit timestamptz not null default clock_timestamp(),
  art text not null check (art in ('auskunft', 'selbstauskunft', 'loeschung', 'sperrung')),
  -- Who did it; the name of a person that is deleted later is taken out.
  wer text,
  user_id bigint,
  -- For whom: a number and no name, so that the record of a deletion keeps nothing of what was deleted.
  person_id bigint,
  client_id bigint,
  -- Rows by table.
  umfang jsonb not null default '{}',
  check ((person_id is null) <> (client_id is null))
);
create index datenschutz_vorgang_person on app.datenschutz_vorgang (person_id, id);
create index datenschutz_vorgang_kunde on app.datenschutz_vorgang (client_id, id);
create index datenschutz_vorgang_wer on app.datenschutz_vorgang (user_id, id);

-- A blocked customer keeps name, address and contracts until that day, and nothing else; then it is deleted.
alter table app.kunde add column gesperrt_bis date;
create index kunde_gesperrt on app.kunde (gesperrt_bis) where gesperrt_bis is not null;

create index verlauf_wer on app.verlauf (user_id, id);
create index if not exists ereignis_email on idp.ereignis (lower(email));
