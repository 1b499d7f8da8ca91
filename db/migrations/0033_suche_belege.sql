-- Documents are found by their amount as well.
create index rechnung_betrag on app.rechnung (brutto, id);
create index angebot_betrag on app.angebot (brutto, id);
