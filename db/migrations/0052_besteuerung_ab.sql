-- Changes between agreed and received consideration: {ab, art} each, the first day of a month and what holds
-- from then on. Before the first one `besteuerung` holds.
alter table app.lieferant
  add column besteuerung_ab jsonb not null default '[]' check (jsonb_typeof(besteuerung_ab) = 'array');
