-- Auditors (role pruefer): they read the books and their archive until a day set by apus_admin, and nothing
-- else. All their policies are here.

-- Of invoices and offers what is issued: a draft has no number, and nothing is booked by it.
create policy pruefer on app.rechnung for select to nutzer
  using (beleg is not null and (select rights.has_role('pruefer')));
create policy pruefer on app.angebot for select to nutzer
  using (beleg is not null and (select rights.has_role('pruefer')));
create policy pruefer on app.position for select to nutzer
  using (
    (select rights.has_role('pruefer'))
    and (
      exists (select from app.rechnung r where r.id = rechnung_id and r.beleg is not null)
      or exists (select from app.angebot a where a.id = angebot_id and a.beleg is not null)
    )
  );
-- Terms of the customers that stand in the books. The customers themselves are closed: their names and
-- addresses are in the documents, and in a_get_buch_kunden.
create policy pruefer on app.kunde_rechnung for select to nutzer
  using (
    (select rights.has_role('pruefer'))
    and (
      exists (select from app.rechnung r where r.client_id = kunde_rechnung.client_id)
      or exists (select from app.angebot a where a.client_id = kunde_rechnung.client_id)
    )
  );
create policy pruefer on app.ereignis for select to nutzer
  using (art in ('document.issued', 'offer.decided') and (select rights.has_role('pruefer')));
create policy pruefer on app.anlage for select to nutzer
  using ((select rights.has_role('pruefer')) and books.is_issued(rechnung_id));
do $$
declare relation regclass;
begin
  foreach relation in array array[
    'app.zahlung', 'app.kontoumsatz', 'app.mahnung', 'app.versand', 'app.dokument', 'app.protokoll',
    'app.nummernkreis', 'app.lieferant', 'app.eingang', 'app.kreditor', 'app.sepa_mandat', 'app.sepa_lauf',
    'app.sepa_posten', 'app.eingang_zahlung', 'app.zahllauf', 'app.zahlposten'
  ]::regclass[] loop
    execute format(
      $p$create policy pruefer on %s for select to nutzer using ((select rights.has_role('pruefer')))$p$,
      relation
    );
  end loop;
end $$;

-- Definer: auditors do not see customers. Head data of the customers that stand in documents of a period, or
-- in its payments, reminders and deliveries; nothing of the people there.
-- Dropped first, because the columns of its answer have changed.
drop function if exists app.a_get_buch_kunden(date, date);
create or replace function app.a_get_buch_kunden(von date, bis date)
  returns table (client_id bigint, name text, name_zusatz text, strasse text, plz text, ort text, land text)
  language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.reads_books());
  return query
    select k.client_id, k.name, k.name_zusatz, k.strasse, k.plz, k.ort, k.land
    from app.kunde k
    where k.client_id in (
      select r.client_id
      from app.rechnung r
      where r.beleg is not null and r.rn_datum between a_get_buch_kunden.von and a_get_buch_kunden.bis
      union
      select a.client_id
      from app.angebot a
      where a.beleg is not null and a.an_datum between a_get_buch_kunden.von and a_get_buch_kunden.bis
      union
      select z.client_id
      from app.zahlung z
      where z.datum between a_get_buch_kunden.von and a_get_buch_kunden.bis
      union
      select m.client_id
      from app.mahnung m
      where m.datum between a_get_buch_kunden.von and a_get_buch_kunden.bis
      union
      select v.client_id
      from app.versand v
      where (
        v.angelegt_am at time zone 'Europe/Berlin'
      )::date between a_get_buch_kunden.von and a_get_buch_kunden.bis
      union
      select e.client_id
      from app.sepa_posten e join app.sepa_lauf f on f.id = e.lauf_id
      where f.tag between a_get_buch_kunden.von and a_get_buch_kunden.bis
        or f.zurueckgezogen_am between a_get_buch_kunden.von and a_get_buch_kunden.bis
        or (
          f.angelegt_am at time zone 'Europe/Berlin'
        )::date between a_get_buch_kunden.von and a_get_buch_kunden.bis
      union
      select t.client_id
      from app.sepa_mandat t
      where t.widerrufen_am between a_get_buch_kunden.von and a_get_buch_kunden.bis
        or (
          t.angelegt_am at time zone 'Europe/Berlin'
        )::date between a_get_buch_kunden.von and a_get_buch_kunden.bis
    )
    order by k.client_id;
end $$;
select rights.define('app.a_get_buch_kunden(date, date)');
grant execute on function app.a_get_buch_kunden(date, date) to nutzer;

-- Definer: reads people and links regardless of their policies. Auditors are nothing else: a person who holds
-- another role or a link reads no books, and an auditor gets neither before the audit has ended.
create or replace function accounts.check_auditor_alone()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare person app.benutzer;
begin
  if tg_table_name = 'benutzer' then
    person := new;
  else
    select b.* into person from app.benutzer b where b.user_id = new.user_id;
  end if;
  if rights.is_auditor(person.pruefer_bis)
    and (
      tg_table_name <> 'benutzer'
      or person.system_status <> 'ogf_init'
      or person.apus_admin
      or person.apus_team
      or exists (select from app.benutzer_kunde bk where bk.user_id = person.user_id)
      or exists (select from app.benutzer_hq bh where bh.user_id = person.user_id)
    )
  then
    raise sqlstate 'PT409' using message = 'an auditor holds no other role', hint = 'pruefer_allein';
  end if;
  return new;
end $$;
select rights.define('accounts.check_auditor_alone()');
create or replace trigger c_auditor
  before insert or update of system_status, apus_admin, apus_team, pruefer_bis on app.benutzer
  for each row when (current_user <> 'forst_betrieb') execute function accounts.check_auditor_alone();
create or replace trigger c_auditor before insert on app.benutzer_kunde
  for each row when (current_user <> 'forst_betrieb') execute function accounts.check_auditor_alone();
create or replace trigger c_auditor before insert on app.benutzer_hq
  for each row when (current_user <> 'forst_betrieb') execute function accounts.check_auditor_alone();

-- Definer: only procedures write people. Lets somebody else audit the books until a day, or ends that (null).
-- The chain names the person by their number, because personal data can be deleted.
create or replace function app.a_set_pruefer(user_id bigint, bis date)
  returns void language plpgsql set search_path = pg_catalog as $$
declare before date;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  select b.pruefer_bis into before
  from app.benutzer b
  where b.user_id = a_set_pruefer.user_id for update;
  perform rights.refuse_unless(found and not privacy.is_deleted(a_set_pruefer.user_id));
  perform checks.check_value(
    coalesce(a_set_pruefer.bis between checks.today() and checks.today() + 731, a_set_pruefer.bis is null),
    'bis', 'pruefer_bis'
  );
  if a_set_pruefer.bis is not distinct from before then return; end if;
  update app.benutzer b set pruefer_bis = a_set_pruefer.bis
  where b.user_id = a_set_pruefer.user_id;
  perform books.record(
    'pruefer', a_set_pruefer.user_id, null,
    case when a_set_pruefer.bis is null then 'beendet' else 'erteilt' end,
    jsonb_build_object('bis', a_set_pruefer.bis, 'davor', before)
  );
end $$;
select rights.define('app.a_set_pruefer(bigint, date)');
grant execute on function app.a_set_pruefer(bigint, date) to nutzer;
