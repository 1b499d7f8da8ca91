-- Which addresses are the same, and from when on a person's tokens count.

-- Only A to Z are folded. lower() also turns U+212A (KELVIN SIGN) into a k, so that somebody else's address would be taken for ours.
create function rechte.fold_address(value text) returns text language sql immutable parallel safe
  return translate(value, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz');

-- What lower() told apart is still apart, so no row can stand in the way of these.
drop index app.benutzer_email;
drop index app.benutzer_username;
drop index idp.konto_email;
drop index idp.ereignis_email;
create unique index benutzer_email on app.benutzer (rechte.fold_address(email));
create unique index benutzer_username on app.benutzer (rechte.fold_address(username));
create unique index konto_email on idp.konto (rechte.fold_address(email));
create index ereignis_email on idp.ereignis (rechte.fold_address(email));

-- Tokens issued before `ab` are refused. It belongs to the person and not to the account they are bound to: a token may be out that has never been used, so that no account is bound yet.
create table rechte.sitzungsende (
  user_id bigint primary key references app.benutzer on delete cascade,
  ab timestamptz not null,
  -- Of a deleted person: digest of the sign-in address, for as long as a token may live that names it.
  ehemals text unique
);
insert into rechte.sitzungsende (user_id, ab)
  select i.user_id, i.sessions_valid_after from rechte.identitaet i where i.iss <> 'geloescht' and i.sessions_valid_after > '-infinity';
