-- Subscriptions. Read: ogf_admin all, a customer's kundenadmin those of the customer, foresters those of
-- their headquarters. Written only by the procedures below: a subscription is a contract, and its price comes
-- from the list, never from the caller.

select rights.protect('app.abo');
select rights.protect('app.abo_preis');
select rights.protect('abo.gutschein_code');
select rights.protect('abo.gutschein_versuch');
grant select, insert, update on app.abo to forst_definer;
grant select on app.abo, app.abo_preis to nutzer;
grant select on app.abo_preis to forst_definer;
grant select, insert, delete on abo.gutschein_code to forst_definer;
grant select, insert, delete on abo.gutschein_versuch to forst_definer;
grant select, update (code_ausgegeben_am, eingeloest_am, eingeloest_von, eingeloest_hqid) on app.gutschein
  to forst_definer;
grant update (
  fe_enabled, basis_fe_enabled, kawm_enabled, version, geaendert_am, geaendert_von
) on app.kunde_hq to forst_definer;

create policy admin on app.abo for select to nutzer using ((select rights.has_role('ogf_admin')));
create policy own_kunde on app.abo for select to nutzer
  using (client_id = any ((select rights.kunden_as('kundenadmin'))::bigint[]));
create policy linked on app.abo for select to nutzer
  using (
    (select rights.has_any('ogf_standard', 'ogf_fb_admin'))
    and hqid = any ((select rights.hqs_as())::bigint[])
  );
create policy subscribers on app.abo_preis for select to nutzer
  using ((select rights.has_any('ogf_admin', 'kundenadmin', 'ogf_standard', 'ogf_fb_admin')));
create policy abo on app.verlauf for select to nutzer
  using (tabelle = 'abo' and exists (select from app.abo a where a.id::text = verlauf.schluessel));
select history.watch('app.abo', 'id', true);

-- For lists: subscriptions with the names of headquarters and customer. Without the right to read the
-- customer, its name is null.
create or replace view app.abo_liste with (security_invoker = true) as
  select a.id, a.client_id, a.hqid, h."sHQ", h.sortname,
    h.suchtext || ' ' || coalesce(k.suchtext, '') as suchtext, k.name as kunde, a.modul, a.beginn, a.laufzeit,
    a.ende, a.preis, a.rabatt, a.rabatt_monate, a.netto, a.ust_satz, a.gutschein_id, a.zustand,
    a.gekuendigt_am, a.vorgaenger_id, a.version, a.geaendert_am, a.geaendert_von
  from app.abo a
    join app.hq h on h."idHQ" = a.hqid
    left join app.kunde k on k.client_id = a.client_id;
revoke all on app.abo_liste from public, nutzer;
grant select on app.abo_liste to nutzer;

-- Net price of a term in euros. The discount is rounded to cents once, half away from zero. domain/abo.ts has
-- the same rule; both are tested with domain/abo.cases.json.
create or replace function abo.netto(preis numeric, laufzeit integer, rabatt numeric, rabatt_monate integer)
  returns numeric language sql immutable parallel safe set search_path = pg_catalog
  return preis - round(preis * rabatt * rabatt_monate / (100 * laufzeit), 2);
grant execute on function abo.netto(numeric, integer, numeric, integer) to forst_definer;
-- Last day of a term: the day before the one that corresponds to its first; where that is missing, the last
-- of the month (§ 188 (2) and (3) BGB). A month from 31 January ends on 28 or 29 February.
create or replace function abo.end_of(beginn date, laufzeit integer)
  returns date language sql immutable parallel safe set search_path = pg_catalog
  return (beginn + make_interval(months => laufzeit))::date - case
    when extract(day from beginn + make_interval(months => laufzeit)) = extract(day from beginn) then 1
    else 0
  end;
grant execute on function abo.end_of(date, integer) to forst_definer;

-- Case, blanks and dashes do not matter, and characters easily misread for each other (0 and O, 1, I and L)
-- count as the same.
create or replace function abo.code_digest(code text)
  returns bytea language sql immutable parallel safe set search_path = pg_catalog
  return sha256(convert_to(
    translate(upper(regexp_replace(code, '[^A-Za-z0-9]', '', 'g')), 'OIL', '011'), 'UTF8'
  ));
grant execute on function abo.code_digest(text) to forst_definer;

-- Whether the caller may start and cancel subscriptions for a headquarters.
create or replace function abo.may_subscribe(hqid bigint)
  returns boolean language sql stable set search_path = pg_catalog as $$
  select rights.has_role('ogf_admin')
    or (rights.has_any('ogf_standard', 'ogf_fb_admin') and may_subscribe.hqid = any (rights.hqs_as()))
$$;
grant execute on function abo.may_subscribe(bigint) to nutzer, forst_definer;

-- Whether the caller may start a contract for a headquarters, from now until the end of the transaction.
-- Locks the rows, so that meanwhile nobody can block the customer, disable the headquarters, lock the caller
-- or remove their link; waits for transactions that have begun to. Same order of locks as in deletions, so
-- that no deadlock occurs. Callers without the right lock nothing.
create or replace function abo.hold(hqid bigint)
  returns boolean language plpgsql set search_path = pg_catalog as $$
declare me bigint := rights.user_id();
begin
  if not abo.may_subscribe(hold.hqid) then return false; end if;
  perform from app.kunde k join app.hq h using (client_id)
  where h."idHQ" = hold.hqid for key share of k;
  perform from app.benutzer b where b.user_id = me for share;
  perform from app.benutzer_hq bh where bh.hqid = hold.hqid and bh.user_id = me for share;
  perform from app.hq h where h."idHQ" = hold.hqid for share;
  return abo.may_subscribe(hold.hqid);
end $$;
grant execute on function abo.hold(bigint) to forst_definer;

-- Definer: codes and tries are closed to nutzer. Finds a voucher by its code, or says in `grund` why it
-- cannot be used. Every try is counted; after ten within ten minutes the answer is 'zu_oft'.
-- The reason is returned, not raised, because an error would roll back the count.
create or replace function abo.find_gutschein(code text, out id bigint, out grund text)
  language plpgsql set search_path = pg_catalog as $$
declare
  me bigint := rights.user_id();
  found record;
begin
  perform pg_advisory_xact_lock(hashtext('abo.gutschein_versuch'), hashtext(me::text));
  delete from abo.gutschein_versuch v where v.zeit < clock_timestamp() - interval '1 day' and v.user_id = me;
  if (
    select count(*)
    from abo.gutschein_versuch v
    where v.user_id = me and v.zeit > clock_timestamp() - interval '10 minutes'
  ) >= 10 then
    grund := 'zu_oft';
    return;
  end if;
  insert into abo.gutschein_versuch (user_id) values (me);
  select g.* into found
  from abo.gutschein_code c join app.gutschein g on g.id = c.gutschein_id
  where c.digest = abo.code_digest(code);
  if found.id is null then
    grund := 'unbekannt';
  elsif found.eingeloest_am is not null then
    grund := 'eingeloest';
  elsif found.expire_date < checks.today() then
    grund := 'abgelaufen';
  else
    id := found.id;
  end if;
end $$;
select rights.define('abo.find_gutschein(text)');

-- Procedures that take a code return one value, not rows: a caller could filter or count rows, and a call
-- that fails on that would roll back the count of the try.
do $$
declare entry record;
begin
  for entry in
    select p.oid::regprocedure as name
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'app' and p.proname in ('__o_check_gutschein', '__o_start_abo') and p.proretset
  loop
    execute format('drop function %s', entry.name);
  end loop;
end $$;

-- Definer: as above. What a code is worth, for callers who may subscribe at all.
create or replace function app.__o_check_gutschein(code text)
  returns jsonb language plpgsql set search_path = pg_catalog as $$
declare voucher record;
begin
  perform rights.refuse_unless(rights.has_any('ogf_admin', 'ogf_standard', 'ogf_fb_admin'));
  voucher := abo.find_gutschein(code);
  return (
    select jsonb_build_object(
      'gueltig', voucher.id is not null, 'grund', voucher.grund, 'rabatt_abo', g.rabatt_abo,
      'rabatt_kawm', g.rabatt_kawm, 'laufzeit', g.laufzeit, 'expire_date', g.expire_date
    )
    from (values (1)) one left join app.gutschein g on g.id = voucher.id
  );
end $$;
select rights.define('app.__o_check_gutschein(text)');
grant execute on function app.__o_check_gutschein(text) to nutzer;

-- Definer: changes switch, voucher and contract together, none of which nutzer may write. An empty code
-- starts without a discount; an invalid code starts nothing, and `grund` is the reason. At most one term of a
-- module runs at a time; fe contains basis_fe, so these two exclude each other.
create or replace function app.__o_start_abo(hqid bigint, modul text, code text default '')
  returns jsonb language plpgsql set search_path = pg_catalog as $$
declare
  voucher record;
  voucher_id bigint;
  price record;
  place record;
  discount numeric := 0;
  months integer := 0;
  rest integer := 0;
  started bigint;
  switched boolean;
begin
  perform rights.refuse_unless(abo.hold(__o_start_abo.hqid));
  select h.client_id, h.fb_enabled into place
  from app.hq h
  where h."idHQ" = __o_start_abo.hqid;
  perform rights.refuse_unless(place.client_id is not null);
  select p.* into price from app.abo_preis p where p.modul = __o_start_abo.modul;
  if not found then
    raise check_violation using message = 'unknown module', column = 'modul', hint = 'modul';
  end if;
  if not place.fb_enabled then
    raise sqlstate 'PT409' using message = 'the headquarters is not enabled', hint = 'fb_disabled';
  end if;
  -- Starts for one headquarters wait for each other. A voucher goes to the first transaction that updates its
  -- row.
  perform pg_advisory_xact_lock(hashtext('app.abo'), hashtext(__o_start_abo.hqid::text));
  if exists (
    select from app.abo a
    where a.hqid = __o_start_abo.hqid
      and a.zustand <> 'beendet'
      and (
        a.modul = __o_start_abo.modul
        or (a.modul in ('fe', 'basis_fe') and __o_start_abo.modul in ('fe', 'basis_fe'))
      )
  ) then
    raise sqlstate 'PT409' using message = 'a subscription is running already', hint = 'abo_laeuft';
  end if;
  -- Modules the provider has switched on without a contract are not sold again; fe contains basis_fe.
  if exists (
    select from app.kunde_hq s
    where s.hqid = __o_start_abo.hqid
      and case __o_start_abo.modul
        when 'fe' then s.fe_enabled
        when 'basis_fe' then s.fe_enabled or s.basis_fe_enabled
        else s.kawm_enabled
      end
  ) then
    raise sqlstate 'PT409' using message = 'the module is switched on already', hint = 'modul_an';
  end if;
  if btrim(coalesce(code, '')) <> '' then
    voucher := abo.find_gutschein(code);
    if voucher.id is null then
      return jsonb_build_object('gestartet', false, 'grund', voucher.grund, 'id', null);
    end if;
    -- Used up for nothing, it would be lost for the module that it is for.
    if exists (
      select from app.gutschein g
      where g.id = voucher.id
        and case __o_start_abo.modul when 'kawm' then g.rabatt_kawm else g.rabatt_abo end = 0
    ) then
      return jsonb_build_object('gestartet', false, 'grund', 'modul', 'id', null);
    end if;
    voucher_id := voucher.id;
    update app.gutschein g set
      eingeloest_am = now(), eingeloest_von = rights.caller_name(), eingeloest_hqid = __o_start_abo.hqid
    where g.id = voucher_id and g.eingeloest_am is null
    returning case __o_start_abo.modul when 'kawm' then g.rabatt_kawm else g.rabatt_abo end,
      least(g.laufzeit, price.laufzeit), greatest(g.laufzeit - price.laufzeit, 0) into discount, months, rest;
    if not found then
      return jsonb_build_object('gestartet', false, 'grund', 'eingeloest', 'id', null);
    end if;
  end if;
  switched := abo.switch_module(__o_start_abo.hqid, __o_start_abo.modul, true);
  insert into app.abo (
    client_id, hqid, modul, beginn, laufzeit, ende, preis, rabatt, rabatt_monate, netto, ust_satz,
    gutschein_id, rabatt_rest, schaltet
  )
  values (
    place.client_id, __o_start_abo.hqid, __o_start_abo.modul, checks.today(), price.laufzeit,
    abo.end_of(checks.today(), price.laufzeit), price.preis, discount, months,
    abo.netto(price.preis, price.laufzeit, discount, months), price.ust_satz, voucher_id, rest, switched
  )
  returning app.abo.id into started;
  return jsonb_build_object('gestartet', true, 'grund', null, 'id', started);
end $$;
select rights.define('app.__o_start_abo(bigint, text, text)');
grant execute on function app.__o_start_abo(bigint, text, text) to nutzer;

-- Switches a module on or off. Returns whether that changed anything.
create or replace function abo.switch_module(hqid bigint, modul text, wanted boolean)
  returns boolean language plpgsql set search_path = pg_catalog as $$
begin
  update app.kunde_hq s set
    fe_enabled = case when modul = 'fe' then wanted else s.fe_enabled end,
    basis_fe_enabled = case when modul = 'basis_fe' then wanted else s.basis_fe_enabled end,
    kawm_enabled = case when modul = 'kawm' then wanted else s.kawm_enabled end
  where s.hqid = switch_module.hqid
    and wanted is distinct from case modul
      when 'fe' then s.fe_enabled
      when 'basis_fe' then s.basis_fe_enabled
      else s.kawm_enabled
    end;
  return found;
end $$;
grant execute on function abo.switch_module(bigint, text, boolean) to forst_definer;

-- Definer: nutzer may not write the table. A cancelled term runs to its end and is not renewed; until then
-- the cancellation can be taken back.
create or replace function app.__o_cancel_abo(id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
declare term record;
begin
  select a.* into term from app.abo a where a.id = __o_cancel_abo.id for update;
  perform rights.refuse_unless(term.id is not null and abo.may_subscribe(term.hqid));
  if term.zustand <> 'aktiv' then
    raise sqlstate 'PT409' using message = 'not running or cancelled already', hint = 'abo_nicht_aktiv';
  end if;
  update app.abo a set zustand = 'gekuendigt', gekuendigt_am = now()
  where a.id = __o_cancel_abo.id;
end $$;
select rights.define('app.__o_cancel_abo(bigint)');
grant execute on function app.__o_cancel_abo(bigint) to nutzer;

-- Definer: as above.
create or replace function app.__o_resume_abo(id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
declare term record;
begin
  select a.* into term from app.abo a where a.id = __o_resume_abo.id for update;
  perform rights.refuse_unless(term.id is not null and abo.may_subscribe(term.hqid));
  if term.zustand <> 'gekuendigt' then
    raise sqlstate 'PT409' using message = 'not cancelled', hint = 'abo_nicht_gekuendigt';
  end if;
  update app.abo a set zustand = 'aktiv', gekuendigt_am = null
  where a.id = __o_resume_abo.id;
end $$;
select rights.define('app.__o_resume_abo(bigint)');
grant execute on function app.__o_resume_abo(bigint) to nutzer;

-- Definer: forst_betrieb calls it, but history and versions must be written as for any other change. Ends
-- cancelled terms and renews the others, up to `today`. Runs daily; safe to repeat.
-- A renewal costs the list price at the time of renewal. A voucher's discount continues while it has months
-- left.
create or replace function abo.renew_due(today date)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  term record;
  price record;
  months integer;
  handled integer := 0;
  start date;
begin
  perform pg_advisory_xact_lock(hashtext('abo.renew_due'));
  loop
    select a.* into term
    from app.abo a
    where a.zustand <> 'beendet' and a.ende < today
    order by a.ende, a.id limit 1 for update;
    exit when not found;
    handled := handled + 1;
    update app.abo a set zustand = 'beendet' where a.id = term.id;
    if term.zustand = 'gekuendigt' then
      if term.schaltet then perform abo.switch_module(term.hqid, term.modul, false); end if;
    else
      select p.* into strict price from app.abo_preis p where p.modul = term.modul;
      start := term.ende + 1;
      months := least(term.rabatt_rest, price.laufzeit);
      insert into app.abo (
        client_id, hqid, modul, beginn, laufzeit, ende, preis, rabatt, rabatt_monate, netto, ust_satz,
        gutschein_id, rabatt_rest, schaltet, vorgaenger_id
      )
      values (
        term.client_id, term.hqid, term.modul, start, price.laufzeit, abo.end_of(start, price.laufzeit),
        price.preis, case when months > 0 then term.rabatt else 0 end, months,
        abo.netto(price.preis, price.laufzeit, term.rabatt, months), price.ust_satz, term.gutschein_id,
        term.rabatt_rest - months, term.schaltet, term.id
      );
    end if;
  end loop;
  return handled;
end $$;
select rights.define('abo.renew_due(date)');
grant execute on function abo.renew_due(date) to forst_betrieb;

-- Net revenue of the forest half per month and module: a term's price spread evenly over its months, rounded
-- so that the months add up to the price.
-- Runs as the caller, so row security applies; still restricted to ogf_admin, because these are the
-- provider's figures.
create or replace function app.a_get_abo_einnahmen(von date, bis date)
  returns table (monat date, modul text, netto numeric, laufend bigint)
  language plpgsql stable set search_path = pg_catalog as $$
declare first date := date_trunc('month', von);
begin
  perform rights.refuse_unless(rights.has_role('ogf_admin'));
  if bis < von or bis > von + 3700 then
    raise check_violation
      using message = 'at most ten years, from earlier to later', column = 'bis', hint = 'zeitraum';
  end if;
  return query
    select m.monat, m.modul, sum(m.netto), count(*)
    from (
      select date_trunc('month', a.beginn + make_interval(months => nr))::date as monat, a.modul,
        round(a.netto * (nr + 1) / a.laufzeit, 2) - round(a.netto * nr / a.laufzeit, 2) as netto
      from app.abo a cross join lateral generate_series(0, a.laufzeit - 1) nr
      where a.ende >= first and a.beginn <= bis
    ) m
    where m.monat >= first and m.monat <= bis
    group by 1, 2
    order by 1, 2;
end $$;
grant execute on function app.a_get_abo_einnahmen(date, date) to nutzer;

-- Figures of the terms running today, per module. As the caller; restricted like the revenue.
create or replace function app.a_get_abo_uebersicht()
  returns table (
    modul text, laufend bigint, gekuendigt bigint, mit_rabatt bigint, netto numeric, endet_bald bigint
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('ogf_admin'));
  return query
    select p.modul, count(a.id), count(a.id) filter (where a.zustand = 'gekuendigt'),
      count(a.id) filter (where a.rabatt > 0), coalesce(sum(round(a.netto * 12 / a.laufzeit, 2)), 0),
      count(a.id) filter (where a.ende <= checks.today() + 60)
    from app.abo_preis p
      left join app.abo a on a.modul = p.modul and a.zustand <> 'beendet'
    group by p.modul
    order by p.modul;
end $$;
grant execute on function app.a_get_abo_uebersicht() to nutzer;
