-- Days between an invoice that announces its collection and the day of collection: fourteen unless agreed
-- otherwise (rulebook of the EPC, 4.3.1).
alter table app.lieferant
  add column einzug_tage integer not null default 14 check (einzug_tage between 1 and 60);
