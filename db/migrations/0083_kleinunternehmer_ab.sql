-- Changes of § 19 UStG: {ab, art} each, a day and what holds from then on ('klein' or 'regel'). Before the
-- first one `kleinunternehmer` holds.
alter table app.lieferant
  add column kleinunternehmer_ab jsonb not null default '[]' check (jsonb_typeof(kleinunternehmer_ab) = 'array');
