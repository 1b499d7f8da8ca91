-- What is still owed or still to be billed, kept by the life cycle, so that lists and sums do not add up the books
-- of all years. A row exists only while something is open.
create table app.rechnung_offen (
  rechnung_id bigint primary key references app.rechnung on delete cascade,
  -- Below zero: owed to the customer.
  offen numeric(14, 2) not null check (offen <> 0)
);
create table app.angebot_offen (
  angebot_id bigint primary key references app.angebot on delete cascade,
  -- Whether an issued invoice bills a part of it.
  begonnen boolean not null,
  rest_brutto numeric(14, 2) not null
);

-- The few drafts among the invoices of all years.
create index rechnung_entwurf on app.rechnung (id) where zustand = 'entwurf';
