-- By which consideration turnover tax is computed: agreed ('soll', § 16 (1) UStG) or received ('ist', § 20 UStG).
alter table app.lieferant
  add column besteuerung text not null default 'soll' check (besteuerung in ('soll', 'ist'));
