-- What was ordered of an accepted offer: its lines with the chosen ones, an alternative in place of the line it stands for. Null until it is accepted. What was sent stays in netto, steuer, brutto.
alter table app.angebot
  add column auftrag_netto numeric(14, 2),
  add column auftrag_steuer numeric(14, 2),
  add column auftrag_brutto numeric(14, 2),
  add check (num_nonnulls(auftrag_netto, auftrag_steuer, auftrag_brutto) in (0, 3) and auftrag_brutto = auftrag_netto + auftrag_steuer);
