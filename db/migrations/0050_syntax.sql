-- In which of the two syntaxes of EN 16931 a customer gets an XRechnung.

alter table app.kunde_rechnung
  add column syntax text not null default 'cii' check (syntax in ('cii', 'ubl'));
