-- Bank entries and invoices: preview of a file before it is imported, data for proposals, several assignments
-- at once and undoing them.
-- Only apus_admin, like all bookkeeping; policies in zahlung.sql.

-- Entries with their state. As the caller.
create or replace view app.kontoumsatz_liste with (security_invoker = true) as
  select u.id, u.konto, u.datum, u.betrag, (u.betrag - coalesce(z.verbucht, 0))::numeric(14, 2) as rest,
    u.name, u.iban, u.zweck, u.datei, u.erledigt, u.angelegt_am,
    case
      when u.betrag = coalesce(z.verbucht, 0) then 'zugeordnet'
      when u.erledigt then 'abgelegt'
      when coalesce(z.verbucht, 0) <> 0 then 'teilweise'
      else 'offen'
    end as stand,
    coalesce(z.nummern, '') as nummern,
    lower(u.name || ' ' || u.zweck || ' ' || u.iban || ' ' || coalesce(z.nummern, '')) as suchtext
  from app.kontoumsatz u
    left join lateral (
      -- Money for a received invoice goes the other way.
      select sum(b.betrag) filter (where b.art in ('zahlung', 'mahnkosten')) as verbucht,
        string_agg(distinct b.nummer, ', ') filter (where b.gilt) as nummern
      from (
        select p.betrag, p.art, r.nummer,
          p.gegen_id is null and not exists (select from app.zahlung g where g.gegen_id = p.id) as gilt
        from app.zahlung p join app.rechnung r on r.id = p.rechnung_id
        where p.umsatz_id = u.id
        union all
        select -p.betrag, p.art, e.nummer,
          p.gegen_id is null and not exists (select from app.eingang_zahlung g where g.gegen_id = p.id)
        from app.eingang_zahlung p join app.eingang e on e.id = p.eingang_id
        where p.umsatz_id = u.id
      ) b
    ) z on true;
revoke all on app.kontoumsatz_liste from public, nutzer;
grant select on app.kontoumsatz_liste to nutzer;

-- Definer: nutzer may not call the helper that makes an entry's key. How many entries are new, to be shown
-- before anything is written; `fraglich`: those of them on a day that has entries from another kind of file.
create or replace function app.a_probe_bank(umsaetze jsonb)
  returns jsonb language plpgsql stable set search_path = pg_catalog set statement_timeout = '15s' as $$
declare counts jsonb;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.check_umsaetze(a_probe_bank.umsaetze);
  select jsonb_build_object(
    'neu', count(*) filter (where n.stand <> 'bekannt'),
    'bekannt', count(*) filter (where n.stand = 'bekannt'),
    'fraglich', count(*) filter (where n.stand = 'fraglich')
  ) into counts
  from books.bank_umsaetze(a_probe_bank.umsaetze) n;
  return counts;
end $$;
select rights.define('app.a_probe_bank(jsonb)');
grant execute on function app.a_probe_bank(jsonb) to nutzer;

-- As the caller. The invoices that payments are compared with: those with an open or overpaid amount,
-- cancelled ones with money received, and the settled ones of the last 18 months, so that a second payment is
-- noticed. `zahlbetrag`
-- is what the invoice claims after its corrections, `skonto` what the printed invoice offers on that,
-- `mahnkosten` what reminders have demanded beside it and is not paid. Dropped first, because the columns of
-- its answer have changed.
drop function if exists app.a_get_bank_rechnungen();
create or replace function app.a_get_bank_rechnungen()
  returns table (
    rechnung_id bigint, client_id bigint, kunde text, nummer text, rn_datum date, faellig date,
    zahlbetrag text, bezahlt text, offen text, storniert boolean, skonto jsonb, mahnkosten text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  -- Before the policies are asked for every row.
  if not rights.reads_books() then return; end if;
  return query
    select l.id, l.client_id, coalesce(l.kunde, ''), l.nummer, l.rn_datum, l.faellig,
      (l.zahlbetrag + l.korrigiert)::text, l.bezahlt::text, l.offen::text, l.stand = 'storniert',
      coalesce(r.beleg -> 'skonto', '[]'),
      case
        when exists (select from app.mahnung m where m.rechnung_id = l.id) then
          (select greatest(c.demanded - c.paid, 0)::numeric(14, 2)::text from books.reminder_costs(l.id) c)
        else '0.00'
      end
    from app.rechnung_liste l join app.rechnung r on r.id = l.id
    where l.zustand = 'ausgestellt'
      and l.art not in ('storno', 'korrektur')
      and l.id in (
        select o.rechnung_id
        from app.rechnung_offen o
        union
        select x.id
        from app.rechnung x
        where x.rn_datum > checks.today() - 550
      )
    order by l.folge desc limit 20000;
end $$;
grant execute on function app.a_get_bank_rechnungen() to nutzer;

-- As the caller. Accounts from which customers have paid; revoked payments do not count.
create or replace function app.a_get_bank_konten()
  returns table (iban text, client_id bigint) language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select distinct u.iban, z.client_id
    from app.zahlung z join app.kontoumsatz u on u.id = z.umsatz_id
    where z.art = 'zahlung'
      and z.gegen_id is null
      and u.iban <> ''
      and not exists (select from app.zahlung g where g.gegen_id = z.id);
end $$;
grant execute on function app.a_get_bank_konten() to nutzer;

-- Definer: see zahlung.sql. All of these assignments or none: [{umsatz_id, rechnung_id, betrag, skonto,
-- ueberzahlung, mahnkosten}], or with `eingang_id` a received invoice. Answers the ids of the payments made,
-- which a_unmatch_bank takes. Dropped first, because its answer has changed.
drop function if exists app.a_match_bank_all(jsonb);
create or replace function app.a_match_bank_all(zuordnungen jsonb)
  returns jsonb language plpgsql set search_path = pg_catalog as $$
declare
  entry record;
  last_own bigint;
  last_received bigint;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform checks.check_value(
    jsonb_typeof(zuordnungen) = 'array' and jsonb_array_length(zuordnungen) between 1 and 1000, 'zuordnungen',
    'zuordnungen'
  );
  perform checks.check_value(
    not exists (
      select from jsonb_array_elements(zuordnungen) e
      where jsonb_typeof(e) <> 'object'
        or coalesce(e ->> 'umsatz_id', '') !~ '^[1-9][0-9]{0,17}$'
        or e ? 'rechnung_id' = e ? 'eingang_id'
        or coalesce(e ->> 'rechnung_id', e ->> 'eingang_id', '') !~ '^[1-9][0-9]{0,17}$'
        or coalesce(e ->> 'betrag', '0') !~ '^-?[0-9]{1,12}(\.[0-9]{1,2})?$'
    ),
    'zuordnungen', 'zuordnungen'
  );
  perform books.lock();
  -- Under the lock nobody else makes a payment.
  select coalesce(max(z.id), 0) into last_own from app.zahlung z;
  select coalesce(max(p.id), 0) into last_received from app.eingang_zahlung p;
  for entry in
    select (e ->> 'umsatz_id')::bigint as umsatz_id, (e ->> 'rechnung_id')::bigint as rechnung_id,
      (e ->> 'eingang_id')::bigint as eingang_id, (e ->> 'betrag')::numeric as betrag,
      e -> 'skonto' = 'true' as skonto, e -> 'ueberzahlung' = 'true' as ueber,
      coalesce(e -> 'mahnkosten' = 'true', false) as kosten
    from jsonb_array_elements(zuordnungen) with ordinality as t(e, nr)
    order by nr
  loop
    if entry.eingang_id is null then
      perform books.match_umsatz(
        entry.umsatz_id, entry.rechnung_id, entry.betrag, coalesce(entry.skonto, false),
        coalesce(entry.ueber, false), entry.kosten
      );
    else
      perform books.match_eingang(
        entry.umsatz_id, entry.eingang_id, entry.betrag, entry.skonto, coalesce(entry.ueber, false)
      );
    end if;
  end loop;
  return jsonb_build_object(
    'zahlungen', array(select z.id from app.zahlung z where z.id > last_own order by z.id),
    'eingang', array(select p.id from app.eingang_zahlung p where p.id > last_received order by p.id)
  );
end $$;
select rights.define('app.a_match_bank_all(jsonb)');
grant execute on function app.a_match_bank_all(jsonb) to nutzer;

-- Definer: see zahlung.sql. Revokes payments made from an entry, including the discount granted with them;
-- the entry is open again. With `zahlungen` or `eingang` only those (ids from a_match_bank_all), otherwise
-- all.
drop function if exists app.a_unmatch_bank(bigint, text);
create or replace function app.a_unmatch_bank(
  umsatz_id bigint, grund text default '', zahlungen bigint[] default null, eingang bigint[] default null
) returns integer language plpgsql set search_path = pg_catalog as $$
declare
  entry record;
  done integer := 0;
  every boolean := a_unmatch_bank.zahlungen is null and a_unmatch_bank.eingang is null;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  perform rights.check_found(exists (select from app.kontoumsatz u where u.id = a_unmatch_bank.umsatz_id));
  for entry in
    select z.id
    from app.zahlung z
    where z.umsatz_id = a_unmatch_bank.umsatz_id
      and (every or z.id = any (a_unmatch_bank.zahlungen))
      and z.gegen_id is null
      and not exists (select from app.zahlung g where g.gegen_id = z.id)
    order by z.id desc
  loop
    perform books.take_back_zahlung(entry.id, a_unmatch_bank.grund);
    done := done + 1;
  end loop;
  for entry in
    select p.id
    from app.eingang_zahlung p
    where p.umsatz_id = a_unmatch_bank.umsatz_id
      and (every or p.id = any (a_unmatch_bank.eingang))
      and p.gegen_id is null
      and not exists (select from app.eingang_zahlung g where g.gegen_id = p.id)
    order by p.id desc
  loop
    perform books.take_back_eingang_zahlung(entry.id, a_unmatch_bank.grund);
    done := done + 1;
  end loop;
  if done = 0 then raise sqlstate 'PT409' using message = 'nothing is assigned', hint = 'umsatz_frei'; end if;
  return done;
end $$;
select rights.define('app.a_unmatch_bank(bigint, text, bigint[], bigint[])');
grant execute on function app.a_unmatch_bank(bigint, text, bigint[], bigint[]) to nutzer;
