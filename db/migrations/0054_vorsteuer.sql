-- Input tax of received invoices, and the tax that we owe as the recipient.

alter table app.eingang
  -- inland: tax of the invoice (§ 15 (1) Nr. 1 UStG); eu_leistung: § 13b (1); andere_leistung: § 13b (2);
  -- erwerb: goods from another state of the EU (§ 1a); keine: nothing is deducted and nothing owed.
  add column vorsteuer text not null default 'inland'
    check (vorsteuer in ('inland', 'eu_leistung', 'andere_leistung', 'erwerb', 'keine')),
  -- What of the tax of the invoice may be deducted; null: all of it.
  add column vorsteuer_betrag numeric(14, 2),
  -- Rate at which we owe the tax.
  add column vorsteuer_satz numeric(4, 2) not null default 19 check (vorsteuer_satz in (19, 7)),
  -- Last day of the supply; null: the day of the invoice.
  add column leistung date check (leistung between '2000-01-01' and '2100-12-31'),
  -- Day on which it reached us; null: when it was taken in.
  add column erhalten date check (erhalten between '2000-01-01' and '2100-12-31');
