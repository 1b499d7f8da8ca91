-- What was open on a day is added up from all invoices and payments: these two indexes hold all that it needs,
-- in the same order, so that no row of the tables is read.
create index rechnung_posten on app.rechnung (id)
  include (client_id, nummer, rn_datum, faellig, brutto, anzahlung, zahlbetrag)
  where art = 'rechnung' and zustand = 'ausgestellt';
create index zahlung_posten on app.zahlung (rechnung_id) include (id, datum, betrag, art, gegen_id);
