-- Notices. Everybody reads and ticks off their own. They are created only by triggers and the server's daily
-- work. The preference mutedNotices lists what a person does not want: the name of a kind mutes it in the
-- application, the name with .mail mutes its mail.

select rights.protect('app.meldung');
select rights.protect('notices.meldung_post');
grant select, insert, delete on app.meldung to forst_definer;
grant select, insert, update on notices.meldung_post to forst_definer;
grant select on app.einstellung to forst_definer;
grant select, update (gelesen_am) on app.meldung to nutzer;
create policy own on app.meldung to nutzer
  using (user_id = (select rights.user_id()) and in_app)
  with check (user_id = (select rights.user_id()) and in_app);

-- Definer: nutzer may not delete notices. A notice must not outlive the right that it came from: with a link
-- or its role go those of its customer, with a role of the staff all of the person's. Mails that wait go too.
create or replace function notices.drop_with_right()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if tg_table_name = 'benutzer' then
    delete from app.meldung m where m.user_id = old.user_id;
  else
    -- A headquarters gives no more than a link to its customer does.
    delete from app.meldung m
    where m.user_id = old.user_id
      and m.client_id = old.client_id
      and (
        tg_table_name = 'benutzer_kunde'
        or not exists (
          select from app.benutzer_kunde k
          where k.user_id = old.user_id and k.client_id = old.client_id and k.rolle <> 'nutzer'
        )
      );
  end if;
  return null;
end $$;
select rights.define('notices.drop_with_right()');
create or replace trigger y_meldung_weg after delete on app.benutzer_kunde
  for each row execute function notices.drop_with_right();
create or replace trigger y_meldung_rolle after update of rolle on app.benutzer_kunde
  for each row when (old.rolle <> new.rolle and old.rolle <> 'nutzer')
  execute function notices.drop_with_right();
create or replace trigger y_meldung_weg after delete on app.benutzer_hq
  for each row execute function notices.drop_with_right();
create or replace trigger y_meldung_rolle after update of hq_status on app.benutzer_hq
  for each row when (not old.hq_status <@ new.hq_status) execute function notices.drop_with_right();
create or replace trigger y_meldung_rolle after update of system_status, apus_admin, apus_team on app.benutzer
  for each row
  when (
    old.system_status <> new.system_status or old.apus_admin > new.apus_admin or old.apus_team > new.apus_team
  ) execute function notices.drop_with_right();

-- Number of unread notices; every open window asks once a minute.
create or replace function app.__o_count_meldungen()
  returns integer language sql stable set search_path = pg_catalog as $$
  select count(*)::integer
  from app.meldung m
  where m.user_id = (select rights.user_id()) and m.in_app and m.gelesen_am is null
$$;
grant execute on function app.__o_count_meldungen() to nutzer;

-- Ticks notices off, or undoes that; `ids` null means all. Returns the ones that changed, so that exactly
-- those can be changed back.
create or replace function app.__o_set_meldungen_gelesen(
  ids bigint[] default null, gelesen boolean default true
) returns bigint[] language sql set search_path = pg_catalog as $$
  with geaendert as (
    update app.meldung m set gelesen_am = case when __o_set_meldungen_gelesen.gelesen then now() end
    where m.user_id = (select rights.user_id())
      and (ids is null or m.id = any (ids))
      and (m.gelesen_am is null) = __o_set_meldungen_gelesen.gelesen
    returning m.id
  )
  select coalesce(array_agg(g.id order by g.id), '{}')
  from geaendert g
$$;
grant execute on function app.__o_set_meldungen_gelesen(bigint[], boolean) to nutzer;

-- Receivers; never anybody who is locked.
create or replace function notices.people_with_status(variadic status text[])
  returns bigint[] language sql stable set search_path = pg_catalog as $$
  select array(
    select b.user_id
    from app.benutzer b
    where b.enabled and (b.system_status = any (status) or (b.apus_admin and 'apus_admin' = any (status)))
  )
$$;
grant execute on function notices.people_with_status(text[]) to forst_definer;
create or replace function notices.people_of_kunde(client_id bigint, variadic roles text[])
  returns bigint[] language sql stable set search_path = pg_catalog as $$
  select array(
    select b.user_id
    from app.benutzer_kunde bk join app.benutzer b on b.user_id = bk.user_id
    where bk.client_id = people_of_kunde.client_id and bk.rolle = any (roles) and b.enabled
  )
$$;
grant execute on function notices.people_of_kunde(bigint, text[]) to forst_definer;

-- Definer: nutzer may not write the table. Creates a notice for every receiver who wants it, once. Mails are
-- queued in the same transaction, so none reports something that was rolled back.
-- For triggers and daily work, not published. Returns the number of notices. The mail about a new document
-- waits half an hour, because the office may send the document itself meanwhile.
create or replace function notices.notify(
  art text, receivers bigint[], schluessel text, params jsonb, ziel text, client_id bigint default null
) returns integer language plpgsql set search_path = pg_catalog as $$
declare told integer;
begin
  with wunsch as (
    select b.user_id, not coalesce(e.wert ? notify.art, false) as in_app,
      not coalesce(e.wert ? (notify.art || '.mail'), false) as per_mail
    from app.benutzer b
      left join app.einstellung e on e.user_id = b.user_id and e.schluessel = 'mutedNotices'
    where b.user_id = any (notify.receivers) and b.enabled
  ),
  neu as (
    insert into app.meldung (user_id, art, schluessel, params, ziel, client_id, in_app)
    select w.user_id, notify.art, notify.schluessel, notify.params, notify.ziel, notify.client_id, w.in_app
    from wunsch w
    where w.in_app or w.per_mail
    on conflict do nothing
    returning id, user_id
  ),
  post as (
    insert into notices.meldung_post (meldung_id, naechster)
    select n.id, now() + case notify.art when 'dokument_neu' then interval '30 minutes' else interval '0' end
    from neu n join wunsch w on w.user_id = n.user_id
    where w.per_mail
  )
  select count(*) into told
  from neu;
  return told;
end $$;
select rights.define('notices.notify(text, bigint[], text, jsonb, text, bigint)');
grant execute on function notices.notify(text, bigint[], text, jsonb, text, bigint) to forst_definer;

-- Notices by kind, called by the tables they are about.

-- To a customer's people: a plan was released to them.
create or replace function notices.notify_karte_shown(karte_id bigint, name text, client_id bigint)
  returns integer language sql set search_path = pg_catalog as $$
  select notices.notify(
    'karte_gezeigt', notices.people_of_kunde(client_id, 'nutzer', 'admin'), 'karte/' || karte_id,
    jsonb_build_object('karte', name), '/karten/' || karte_id, client_id
  )
$$;
grant execute on function notices.notify_karte_shown(bigint, text, bigint) to forst_definer;
-- To a customer's admins, who may write `bem_client`: it was answered. `am` distinguishes one answer from the
-- next.
create or replace function notices.notify_answer(karte_id bigint, name text, client_id bigint, am timestamptz)
  returns integer language sql set search_path = pg_catalog as $$
  select notices.notify(
    'bem_client_antwort', notices.people_of_kunde(client_id, 'admin'),
    'karte/' || karte_id || '/' || extract(epoch from am)::numeric(20, 3), jsonb_build_object('karte', name),
    '/karten/' || karte_id, client_id
  )
$$;
grant execute on function notices.notify_answer(bigint, text, bigint, timestamptz) to forst_definer;
-- To the bookkeeping: a customer accepted an offer.
create or replace function notices.notify_angebot_accepted(angebot_id bigint, label text, client_id bigint)
  returns integer language sql set search_path = pg_catalog as $$
  select notices.notify(
    'angebot_angenommen', notices.people_with_status('apus_admin', 'admin'), 'angebot/' || angebot_id,
    jsonb_build_object(
      'angebot', label,
      'kunde', (select k.name from app.kunde k where k.client_id = notify_angebot_accepted.client_id)
    ),
    '/buchhaltung/angebote/angebot/' || angebot_id, client_id
  )
$$;
grant execute on function notices.notify_angebot_accepted(bigint, text, bigint) to forst_definer;

-- Definer: reads all vouchers and terms and writes closed tables. The server's daily work as forst_betrieb;
-- running it again creates nothing twice. Vouchers not redeemed that expire within 14 days; terms that end
-- within 30 days. Deletes notices older than half a year.
create or replace function notices.notify_expiring(today date)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  told integer;
  admins bigint[] := notices.people_with_status('ogf_admin', 'admin');
begin
  -- One statement: the embedded engine serves nobody else meanwhile. `rang` decides which link a person gets
  -- who is affected in more than one way.
  with laufzeit as (
    select a.client_id, a.hqid, 'abo/' || a.id || '/' || a.ende as schluessel,
      jsonb_build_object('hq', h."sHQ", 'modul', a.modul, 'ende', a.ende, 'zustand', a.zustand) as params
    from app.abo a join app.hq h on h."idHQ" = a.hqid
    where a.zustand <> 'beendet' and a.ende between today and today + 30
  ),
  anlass as (
    select u.user_id, 'gutschein_laeuft_ab' as art,
      'gutschein/' || g.id || '/' || g.expire_date as schluessel,
      jsonb_build_object(
        'id', g.id, 'expire_date', g.expire_date, 'rabatt_abo', g.rabatt_abo, 'rabatt_kawm', g.rabatt_kawm
      ) as params,
      '/gutschein/index' as ziel, null::bigint as client_id, 1 as rang
    from app.gutschein g cross join unnest(admins) as u(user_id)
    where g.expire_date between today and today + 14 and g.eingeloest_am is null
    -- The provider's admins have a list of all terms (/finanzen); they get notices only of terms that will
    -- really end.
    union all
    select u.user_id, 'laufzeit_endet', l.schluessel, l.params, '/finanzen/index', l.client_id, 1
    from laufzeit l cross join unnest(admins) as u(user_id)
    where l.params ->> 'zustand' = 'gekuendigt'
    union all
    select bk.user_id, 'laufzeit_endet', l.schluessel, l.params,
      '/kunde/' || l.client_id || '/forstbetrieb/' || l.hqid, l.client_id, 2
    from laufzeit l
      join app.benutzer_kunde bk on bk.client_id = l.client_id and bk.rolle = 'kundenadmin'
    union all
    select bh.user_id, 'laufzeit_endet', l.schluessel, l.params, '/abo/index', l.client_id, 3
    from laufzeit l
      join app.benutzer_hq bh on bh.hqid = l.hqid and 'hq_admin' = any (bh.hq_status)
  ),
  wunsch as (
    select distinct on (a.user_id, a.art, a.schluessel) a.*, not coalesce(e.wert ? a.art, false) as in_app,
      not coalesce(e.wert ? (a.art || '.mail'), false) as per_mail
    from anlass a
      join app.benutzer b on b.user_id = a.user_id and b.enabled
      left join app.einstellung e on e.user_id = b.user_id and e.schluessel = 'mutedNotices'
    where not exists (
      select from app.meldung m
      where m.user_id = a.user_id and m.art = a.art and m.schluessel = a.schluessel
    )
    order by a.user_id, a.art, a.schluessel, a.rang
  ),
  neu as (
    insert into app.meldung (user_id, art, schluessel, params, ziel, client_id, in_app)
    select w.user_id, w.art, w.schluessel, w.params, w.ziel, w.client_id, w.in_app
    from wunsch w
    where w.in_app or w.per_mail
    order by w.art desc, w.params ->> 'ende' desc, w.schluessel
    on conflict do nothing
    returning id, user_id, art, schluessel
  ),
  post as (
    insert into notices.meldung_post (meldung_id)
    select n.id
    from neu n
      join wunsch w on w.user_id = n.user_id and w.art = n.art and w.schluessel = n.schluessel
    where w.per_mail
  )
  select count(*) into told
  from neu;
  delete from app.meldung m where m.erstellt < today - 183;
  return told;
end $$;
select rights.define('notices.notify_expiring(date)');
grant execute on function notices.notify_expiring(date) to forst_betrieb;

-- Definer: forst_betrieb may not call accounts.mail_of. Takes due mails; no other server gets them for ten
-- minutes, after that the first one has crashed. Mails no longer needed are dropped: the notice was read, the
-- person is locked, it is older than three days, or the document itself was mailed to the same address (while
-- that mail waits, so does the notice). Sent to the contact address if it is confirmed, otherwise to the
-- sign-in address (accounts.mail_of).
create or replace function notices.take_mail(most integer)
  returns table (
    meldung_id bigint, person bigint, empfaenger text, name text, art text, params jsonb, ziel text,
    versuch integer
  ) language plpgsql set search_path = pg_catalog as $$
begin
  with beleg_mail as (
    select m.id, bool_or(v.zustand = 'gesendet') as gesendet
    from notices.meldung_post p
      join app.meldung m on m.id = p.meldung_id
      join app.benutzer b on b.user_id = m.user_id
      join app.versand v on v.weg = 'mail'
        and accounts.fold_address(v.an) in (
          accounts.fold_address(b.email), accounts.fold_address(accounts.mail_of(b.user_id))
        )
        and v.zustand <> 'fehlgeschlagen'
        and m.schluessel in (
          'rechnung/' || v.rechnung_id, 'abschlag/' || v.rechnung_id, 'schluss/' || v.rechnung_id,
          'storno/' || v.rechnung_id, 'korrektur/' || v.rechnung_id, 'angebot/' || v.angebot_id
        )
    where p.zustand = 'wartet' and m.art = 'dokument_neu'
    group by m.id
  )
  update notices.meldung_post p set
    zustand = case when d.gesendet then 'aufgegeben' else p.zustand end,
    grund = case when d.gesendet then 'Beleg gesendet' end,
    naechster = case
      when d.gesendet then p.naechster
      else greatest(p.naechster, now() + interval '10 minutes')
    end
  from beleg_mail d
  where p.meldung_id = d.id;
  update notices.meldung_post p set
    zustand = 'aufgegeben',
    grund = case
      when m.gelesen_am is not null then 'gelesen'
      when not b.enabled then 'gesperrt'
      else 'zu alt'
    end
  from app.meldung m join app.benutzer b on b.user_id = m.user_id
  where p.meldung_id = m.id
    and p.zustand = 'wartet'
    and (m.gelesen_am is not null or not b.enabled or m.erstellt < now() - interval '3 days');
  return query
    with dran as (
      select p.meldung_id as id
      from notices.meldung_post p
      where p.zustand = 'wartet' and p.naechster <= now()
      order by p.naechster, p.meldung_id limit most for update skip locked
    ),
    genommen as (
      update notices.meldung_post p set versuche = p.versuche + 1, naechster = now() + interval '10 minutes'
      from dran
      where p.meldung_id = dran.id
      returning p.meldung_id as id, p.versuche
    )
    select m.id, b.user_id, accounts.mail_of(b.user_id),
      nullif(concat_ws(' ', b.first_name, b.last_name), ''), m.art, m.params, m.ziel, g.versuche
    from genommen g
      join app.meldung m on m.id = g.id
      join app.benutzer b on b.user_id = m.user_id
    order by m.id;
end $$;
select rights.define('notices.take_mail(integer)');
grant execute on function notices.take_mail(integer) to forst_betrieb;

-- Definer: as above. Before a mail is handed over, which may take the mail server ten minutes: those of its
-- notices that are still the caller's (`attempts`, as they were taken). Another server has taken the others.
-- Dropped first, because its parameters had other names.
drop function if exists notices.renew_mail(bigint[], integer[]);
create or replace function notices.renew_mail(notice_ids bigint[], attempts integer[])
  returns table (meldung_id bigint) language sql set search_path = pg_catalog as $$
  update notices.meldung_post p set naechster = now() + interval '15 minutes'
  from unnest(renew_mail.notice_ids, renew_mail.attempts) as t(id, versuch)
  where p.meldung_id = t.id and p.versuche = t.versuch and p.zustand = 'wartet'
  returning p.meldung_id
$$;
select rights.define('notices.renew_mail(bigint[], integer[])');
grant execute on function notices.renew_mail(bigint[], integer[]) to forst_betrieb;

-- Definer: as above. Result of a mail. A failed one is retried after 1, 5, 25, 125 and 625 minutes, then
-- given up.
create or replace function notices.mail_result(meldung_id bigint, sent boolean)
  returns void language sql set search_path = pg_catalog as $$
  update notices.meldung_post p set
    zustand = case when sent then 'gesendet' when p.versuche >= 6 then 'aufgegeben' else 'wartet' end,
    gesendet_am = case when sent then now() end, grund = case when not sent then 'abgelehnt' end,
    naechster = case
      when sent then p.naechster
      else now() + interval '1 minute' * power(5, p.versuche - 1)
    end
  where p.meldung_id = mail_result.meldung_id and p.zustand = 'wartet'
$$;
select rights.define('notices.mail_result(bigint, boolean)');
grant execute on function notices.mail_result(bigint, boolean) to forst_betrieb;

-- Definer: as above, when a server with a mail server starts at `seit`. If that is new, what was reported
-- before stays in the application and is not mailed: nothing was ever sent, or since the last mail something
-- was given up because there was no mail server. Otherwise the mails that wait are sent as usual.
create or replace function notices.begin_mails(seit timestamptz)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  last timestamptz := (select max(p.gesendet_am) from notices.meldung_post p);
  dropped integer;
begin
  if last is not null
    and not exists (
      select from notices.meldung_post p join app.meldung m on m.id = p.meldung_id
      where p.grund = 'kein Mailserver' and m.erstellt > last
    )
  then
    return 0;
  end if;
  update notices.meldung_post p set zustand = 'aufgegeben', grund = 'kein Mailserver'
  from app.meldung m
  where m.id = p.meldung_id and p.zustand = 'wartet' and p.versuche = 0 and m.erstellt < begin_mails.seit;
  get diagnostics dropped = row_count;
  return dropped;
end $$;
select rights.define('notices.begin_mails(timestamptz)');
grant execute on function notices.begin_mails(timestamptz) to forst_betrieb;

-- Definer: as above. Nothing waits without a mail server: it would all be sent on the day one is set up.
create or replace function notices.give_up_mails()
  returns void language sql set search_path = pg_catalog as $$
  update notices.meldung_post p set zustand = 'aufgegeben', grund = 'kein Mailserver'
  where p.zustand = 'wartet'
$$;
select rights.define('notices.give_up_mails()');
grant execute on function notices.give_up_mails() to forst_betrieb;
