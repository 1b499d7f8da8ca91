-- Received advance invoices: their input tax is deducted with the payment (§ 15 (1) Nr. 1 sentence 3 UStG).

alter table app.eingang drop constraint eingang_vorsteuer_check;
alter table app.eingang add constraint eingang_vorsteuer_check check (
  vorsteuer in ('inland', 'anzahlung', 'eu_leistung', 'andere_leistung', 'erwerb', 'keine')
);
-- Advances that still wait for their decision; what was decided stays as it was declared.
update app.eingang set vorsteuer = 'anzahlung'
where zustand = 'neu'
  and vorsteuer = 'inland'
  and gelesen #>> '{terms,BT-3,0}' in ('326', '386', '875');
