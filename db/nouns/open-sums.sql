-- What is still owed (app.rechnung_offen) and still to be billed (app.angebot_offen), kept in the transaction
-- that changes it, so that lists, overview, reminders and forecast do not add up the books of all years. Both
-- follow from documents and payments: books.count_open makes them again, books.check_open compares.

do $$
declare relation regclass;
begin
  foreach relation in array array['app.rechnung_offen', 'app.angebot_offen']::regclass[] loop
    perform rights.protect(relation);
    execute format('grant select, insert, update, delete on %s to forst_definer', relation);
    execute format('grant select on %s to nutzer', relation);
    execute format(
      $p$create policy buchhaltung on %s for select to nutzer using ((select rights.reads_books()))$p$,
      relation
    );
  end loop;
end $$;

-- What is owed of issued invoices: what they claim less what came in. A cancelled one claims nothing, so that
-- what was paid for it is owed to the customer; an advance that the final invoice has taken off claims what
-- was received. A Storno itself is no claim, nor is a correction: it lowers the claim of its invoice at once.
create or replace view books.owed with (security_invoker = true) as
  select r.id as rechnung_id,
    (
      case
        when s.id is not null then 0
        when r.art = 'abschlag' then
          coalesce((select t.gezahlt from books.taken_off(r.id, r.angebot_id, 'infinity') t), r.zahlbetrag)
        else r.zahlbetrag + books.corrected(r.id, 'infinity')
      end
      - coalesce((
        select sum(z.betrag)
        from app.zahlung z
        where z.rechnung_id = r.id and z.art <> 'mahnkosten'
      ), 0)
    )::numeric(14, 2) as offen
  from app.rechnung r left join app.rechnung s on s.storno_von = r.id
  where r.zustand = 'ausgestellt' and r.art not in ('storno', 'korrektur');
revoke all on books.owed from public, nutzer;
grant select on books.owed to forst_definer;

-- Accepted offers of which something is not billed. `begonnen`: an issued invoice bills a part. Advances that
-- no final invoice has taken off are billed already.
create or replace view books.to_bill with (security_invoker = true) as
  select a.id as angebot_id, o.begonnen > 0 as begonnen,
    (x.rest - least(greatest(x.rest, 0), v.brutto))::numeric(14, 2) as rest_brutto
  from app.angebot a
    cross join lateral (
      select count(*) as zeilen, count(*) filter (where s.abgerechnet <> 0) as begonnen,
        count(*) filter (where abs(s.abgerechnet) >= abs(s.anzahl)) as voll
      from books.angebot_progress(a.id) s
    ) o
    cross join lateral (
      select case
        when o.begonnen = 0 and a.auftrag_brutto is not null then a.auftrag_brutto
        else (books.order_sums(a, true) ->> 'brutto')::numeric
      end as rest
    ) x
    cross join lateral (
      select coalesce(sum(r.brutto), 0) as brutto
      from app.rechnung r
      where r.angebot_id = a.id
        and r.art = 'abschlag'
        and r.zustand = 'ausgestellt'
        and not exists (select from app.rechnung s where s.storno_von = r.id)
        and not exists (select from books.final_invoice(a.id))
    ) v
  where a.status = 'angenommen' and (o.zeilen = 0 or o.voll < o.zeilen);
revoke all on books.to_bill from public, nutzer;
grant select on books.to_bill to forst_definer;

create or replace function books.update_owed(rechnung_ids bigint[])
  returns void language sql set search_path = pg_catalog as $$
  with now as (select w.* from books.owed w where w.rechnung_id = any (rechnung_ids) and w.offen <> 0),
  settled as (
    delete from app.rechnung_offen o
    where o.rechnung_id = any (rechnung_ids)
      and not exists (select from now n where n.rechnung_id = o.rechnung_id)
  )
  insert into app.rechnung_offen (rechnung_id, offen)
  select n.rechnung_id, n.offen
  from now n
  on conflict (rechnung_id) do update set offen = excluded.offen
$$;
grant execute on function books.update_owed(bigint[]) to forst_definer;

create or replace function books.update_to_bill(angebot_ids bigint[])
  returns void language sql set search_path = pg_catalog as $$
  with now as (select u.* from books.to_bill u where u.angebot_id = any (angebot_ids)),
  billed as (
    delete from app.angebot_offen o
    where o.angebot_id = any (angebot_ids)
      and not exists (select from now n where n.angebot_id = o.angebot_id)
  )
  insert into app.angebot_offen (angebot_id, begonnen, rest_brutto)
  select n.angebot_id, n.begonnen, n.rest_brutto
  from now n
  on conflict (angebot_id) do update set begonnen = excluded.begonnen, rest_brutto = excluded.rest_brutto
$$;
grant execute on function books.update_to_bill(bigint[]) to forst_definer;

-- Definer, like the triggers below: the sums follow from all rows, no matter who writes, and nobody else may
-- write them. Once per statement, because an invoice of five hundred lines is one.
create or replace function books.sum_zahlung()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  perform books.update_owed(array(select distinct c.rechnung_id from changed c));
  return null;
end $$;
select rights.define('books.sum_zahlung()');
create or replace trigger y_offen_neu after insert on app.zahlung referencing new table as changed
  for each statement execute function books.sum_zahlung();
create or replace trigger y_offen after update on app.zahlung referencing new table as changed
  for each statement execute function books.sum_zahlung();
create or replace trigger y_offen_weg after delete on app.zahlung referencing old table as changed
  for each statement execute function books.sum_zahlung();

-- Offers that lines of issued invoices bill.
create or replace function books.billed_by(rechnung_ids bigint[])
  returns bigint[] language sql stable set search_path = pg_catalog as $$
  select array(
    select distinct o.angebot_id
    from app.position b join app.position o on o.id = b.angebot_position_id
    where b.rechnung_id = any (rechnung_ids)
  )
$$;
grant execute on function books.billed_by(bigint[]) to forst_definer;

create or replace function books.sum_rechnung()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare
  issued bigint[];
  orders bigint[];
begin
  select array_agg(c.id) || array_remove(array_agg(coalesce(c.storno_von, c.korrektur_von)), null),
    array_remove(array_agg(distinct c.angebot_id), null) into issued, orders
  from changed c
  where c.zustand = 'ausgestellt';
  if issued is null then return null; end if;
  -- A final invoice settles the advances of its order, and its Storno frees them.
  perform books.update_owed(
    issued || array(select r.id from app.rechnung r where r.angebot_id = any (orders) and r.art = 'abschlag')
  );
  perform books.update_to_bill(orders || books.billed_by(issued));
  return null;
end $$;
select rights.define('books.sum_rechnung()');
create or replace trigger y_offen_neu after insert on app.rechnung referencing new table as changed
  for each statement execute function books.sum_rechnung();
create or replace trigger y_offen after update on app.rechnung referencing new table as changed
  for each statement execute function books.sum_rechnung();
create or replace trigger y_offen_weg after delete on app.rechnung referencing old table as changed
  for each statement execute function books.sum_rechnung();

create or replace function books.sum_angebot()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  perform books.update_to_bill(array(select c.id from changed c));
  return null;
end $$;
select rights.define('books.sum_angebot()');
create or replace trigger y_offen_neu after insert on app.angebot referencing new table as changed
  for each statement execute function books.sum_angebot();
create or replace trigger y_offen after update on app.angebot referencing new table as changed
  for each statement execute function books.sum_angebot();

-- Of lines only those of an accepted offer count, and those of issued invoices that bill one: a draft is
-- saved as often as somebody types.
create or replace function books.sum_position()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  perform books.update_to_bill(array(
    select a.id
    from changed c join app.angebot a on a.id = c.angebot_id and a.status = 'angenommen'
    union
    select o.angebot_id
    from changed c
      join app.rechnung r on r.id = c.rechnung_id and r.zustand = 'ausgestellt'
      join app.position o on o.id = c.angebot_position_id
  ));
  return null;
end $$;
select rights.define('books.sum_position()');
create or replace trigger y_offen_neu after insert on app.position referencing new table as changed
  for each statement execute function books.sum_position();
create or replace trigger y_offen after update on app.position referencing new table as changed
  for each statement execute function books.sum_position();
create or replace trigger y_offen_weg after delete on app.position referencing old table as changed
  for each statement execute function books.sum_position();

-- Definer: under forced row security an owner sees no rows. Documents whose kept sum is not what follows from
-- the books; a part of the whole check (books.check_seals).
create or replace function books.check_open()
  returns table (tabelle text, schluessel bigint) language sql stable set search_path = pg_catalog as $$
  select 'rechnung', coalesce(w.rechnung_id, o.rechnung_id)
  from (select w.* from books.owed w where w.offen <> 0) w
    full join app.rechnung_offen o on o.rechnung_id = w.rechnung_id
  where w.offen is distinct from o.offen
  union all
  select 'angebot', coalesce(u.angebot_id, o.angebot_id)
  from books.to_bill u full join app.angebot_offen o on o.angebot_id = u.angebot_id
  where (u.begonnen, u.rest_brutto) is distinct from (o.begonnen, o.rest_brutto)
$$;
select rights.define('books.check_open()');
grant execute on function books.check_open() to forst_betrieb;

-- Definer: as above. Makes both again; runs with each version, and after the check has found a difference.
create or replace function books.count_open() returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform books.lock();
  delete from app.rechnung_offen;
  insert into app.rechnung_offen (rechnung_id, offen)
  select w.rechnung_id, w.offen
  from books.owed w
  where w.offen <> 0;
  delete from app.angebot_offen;
  insert into app.angebot_offen (angebot_id, begonnen, rest_brutto)
  select u.angebot_id, u.begonnen, u.rest_brutto
  from books.to_bill u;
end $$;
select rights.define('books.count_open()');
grant execute on function books.count_open() to forst_betrieb;
select books.count_open();
