-- Contact addresses: the owner of the mailbox has to confirm it. A link is sent to a new address; until the
-- person follows it, signed in, mails go to the sign-in address.

select rights.protect('accounts.kontakt');
grant select, insert, update, delete on accounts.kontakt to forst_definer;

-- Definer: the table is closed to nutzer. The address the application sends mails to.
create or replace function accounts.mail_of(person bigint)
  returns text language sql stable set search_path = pg_catalog as $$
  select coalesce((
    select k.bestaetigt
    from accounts.kontakt k
    where k.user_id = b.user_id and accounts.fold_address(k.bestaetigt) = accounts.fold_address(b.mail)
  ), b.email)
  from app.benutzer b
  where b.user_id = mail_of.person
$$;
select rights.define('accounts.mail_of(bigint)');
grant execute on function accounts.mail_of(bigint) to forst_definer;

-- Definer: as above. Asks for confirmation, whether the person or an admin changed the address. Saving it
-- again after the code has expired asks again.
create or replace function accounts.contact_changed()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if new.mail is null
    or accounts.fold_address(new.mail) = accounts.fold_address(new.email)
    or exists (
      select from accounts.kontakt k
      where k.user_id = new.user_id and accounts.fold_address(k.bestaetigt) = accounts.fold_address(new.mail)
    )
  then
    update accounts.kontakt k set offen = null, code_digest = null, code_bis = null, naechster = null
    where k.user_id = new.user_id;
    return null;
  end if;
  insert into accounts.kontakt as k (user_id, offen, naechster)
  values (new.user_id, new.mail, now())
  on conflict on constraint kontakt_pkey do update
    set offen = excluded.offen, code_digest = null, code_bis = null, versuche = 0, naechster = now()
    where k.offen is distinct from excluded.offen
      or (k.naechster is null and coalesce(k.code_bis, '-infinity') < now());
  return null;
end $$;
select rights.define('accounts.contact_changed()');
-- Operations (sample data, restore) send no confirmation: hundreds of people would get a mail at once. Their
-- mails go to the sign-in address until they save the contact address again.
create or replace trigger x_kontakt after insert or update of mail on app.benutzer
  for each row when (current_user <> 'forst_betrieb') execute function accounts.contact_changed();

-- Definer: as above. For the server's mails (as forst_betrieb). Takes one due confirmation and stores the
-- digest of the code for its mail. At most three mails an hour for one person, and to one address for three
-- people an hour.
-- Dropped first: nobody reads the name any more.
drop function if exists accounts.take_contact(text);
create or replace function accounts.take_contact(digest text)
  returns table (person bigint, an text) language sql set search_path = pg_catalog as $$
  with dran as (
    select k.user_id
    from accounts.kontakt k join app.benutzer b on b.user_id = k.user_id
    where k.naechster <= now()
      and b.enabled
      and (k.anzahl < 3 or k.stunde < now() - interval '1 hour')
      and (
        select count(*)
        from accounts.kontakt o
        where accounts.fold_address(o.gesendet_an) = accounts.fold_address(k.offen)
          and o.gesendet_am > now() - interval '1 hour'
          and o.user_id <> k.user_id
      ) < 3
    order by k.naechster, k.user_id limit 1 for update of k skip locked
  )
  update accounts.kontakt k set
    code_digest = take_contact.digest, code_bis = now() + interval '24 hours', versuche = k.versuche + 1,
    naechster = now() + interval '10 minutes'
  from dran
  where k.user_id = dran.user_id
  returning k.user_id, k.offen
$$;
select rights.define('accounts.take_contact(text)');
grant execute on function accounts.take_contact(text) to forst_betrieb;
-- Definer: as above. Result of the mail with that code. A failed mail does not count; it is retried after 1,
-- 5, 25, 125 and 625 minutes and then given up.
create or replace function accounts.contact_result(digest text, sent boolean)
  returns void language sql set search_path = pg_catalog as $$
  update accounts.kontakt k set
    naechster = case
      when sent or k.versuche >= 6 then null
      else now() + interval '1 minute' * power(5, k.versuche - 1)
    end,
    gesendet_an = case when sent then k.offen else k.gesendet_an end,
    gesendet_am = case when sent then now() else k.gesendet_am end,
    stunde = case
      when sent and coalesce(k.stunde, '-infinity') < now() - interval '1 hour' then now()
      else k.stunde
    end,
    anzahl = case
      when not sent then k.anzahl
      when coalesce(k.stunde, '-infinity') < now() - interval '1 hour' then 1
      else k.anzahl + 1
    end
  where k.code_digest = contact_result.digest
$$;
select rights.define('accounts.contact_result(text, boolean)');
grant execute on function accounts.contact_result(text, boolean) to forst_betrieb;

-- Definer: as above. Confirms the contact address with the code from the mail, entered by the person. False:
-- the code belongs to somebody else, was used or has expired, or the address has changed since.
create or replace function app.__o_confirm_mail(code text)
  returns boolean language plpgsql set search_path = pg_catalog as $$
declare me bigint := rights.user_id();
begin
  perform rights.refuse_unless(me is not null);
  update accounts.kontakt k set
    bestaetigt = k.offen, offen = null, code_digest = null, code_bis = null, naechster = null
  from app.benutzer b
  where b.user_id = me
    and k.user_id = me
    and k.offen = b.mail
    and k.code_bis > now()
    and k.code_digest = encode(sha256(convert_to(__o_confirm_mail.code, 'UTF8')), 'hex');
  return found;
end $$;
select rights.define('app.__o_confirm_mail(text)');
grant execute on function app.__o_confirm_mail(text) to nutzer;

-- Definer: as above. Where the caller's mails go, whether that is the contact address, and which address
-- waits for confirmation. `gefragt_am` is null until that mail has been sent.
create or replace function app.a_get_kontakt()
  returns table (mail_an text, bestaetigt boolean, offen text, gefragt_am timestamptz)
  language plpgsql stable set search_path = pg_catalog as $$
declare me bigint := rights.user_id();
begin
  perform rights.refuse_unless(me is not null);
  return query
    select accounts.mail_of(me),
      coalesce(accounts.fold_address(b.mail) = accounts.fold_address(accounts.mail_of(me)), true), k.offen,
      case when k.gesendet_an = k.offen then k.gesendet_am end
    from app.benutzer b left join accounts.kontakt k on k.user_id = b.user_id
    where b.user_id = me;
end $$;
select rights.define('app.a_get_kontakt()');
grant execute on function app.a_get_kontakt() to nutzer;

-- Definer: as above. Sends the link again if the mail was lost. False: three have been sent, the next goes
-- when the hour is over.
create or replace function app.a_send_kontakt_link()
  returns boolean language plpgsql set search_path = pg_catalog as $$
declare
  me bigint := rights.user_id();
  address text;
begin
  select b.mail into address
  from app.benutzer b
  where b.user_id = me and accounts.fold_address(b.mail) <> accounts.fold_address(accounts.mail_of(me));
  -- Also the answer for callers without a record.
  if not found then raise sqlstate 'PT404' using message = 'no address waits for its confirmation'; end if;
  insert into accounts.kontakt as k (user_id, offen, naechster)
  values (me, address, now())
  on conflict on constraint kontakt_pkey do update
    set offen = excluded.offen, versuche = 0, naechster = now();
  return (
    select k.anzahl < 3 or coalesce(k.stunde, '-infinity') < now() - interval '1 hour'
    from accounts.kontakt k
    where k.user_id = me
  );
end $$;
select rights.define('app.a_send_kontakt_link()');
grant execute on function app.a_send_kontakt_link() to nutzer;
