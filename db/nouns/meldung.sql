-- Notices. Everybody reads and ticks off their own; nobody writes one by hand: they come from triggers and
-- from the server's daily work. What a person does not want is said by the preference mutedNotices: the name
-- of a kind for the application, the name with .mail for the e-mail.

select rechte.protect('app.meldung');
select rechte.protect('rechte.meldung_post');
grant select, insert, delete on app.meldung to forst_definer;
grant select, insert, update on rechte.meldung_post to forst_definer;
grant select on app.einstellung to forst_definer;
grant select, update (gelesen_am) on app.meldung to nutzer;
create policy own on app.meldung to nutzer
  using (user_id = (select rechte.user_id()) and in_app)
  with check (user_id = (select rechte.user_id()) and in_app);

-- Unread ones; asked every minute by every open window.
create or replace function app.__o_count_meldungen()
  returns integer language sql stable set search_path = pg_catalog as $$
  select count(*)::integer
  from app.meldung m
  where m.user_id = (select rechte.user_id()) and m.in_app and m.gelesen_am is null
$$;

-- Ticks notices off, or takes that back; without numbers all of them. Answers which ones changed, so that
-- exactly those can be changed back.
create or replace function app.__o_set_meldungen_gelesen(
  ids bigint[] default null, gelesen boolean default true
) returns bigint[] language sql set search_path = pg_catalog as $$
  with geaendert as (
    update app.meldung m set gelesen_am = case when __o_set_meldungen_gelesen.gelesen then now() end
    where m.user_id = (select rechte.user_id())
      and (ids is null or m.id = any (ids))
      and (m.gelesen_am is null) = __o_set_meldungen_gelesen.gelesen
    returning m.id
  )
  select coalesce(array_agg(g.id order by g.id), '{}')
  from geaendert g
$$;
revoke execute on function app.__o_count_meldungen(), app.__o_set_meldungen_gelesen(bigint[], boolean)
  from public;
grant execute on function app.__o_count_meldungen(), app.__o_set_meldungen_gelesen(bigint[], boolean)
  to nutzer;

-- Whom it concerns: all that are not locked.
create or replace function rechte.leute_mit_status(variadic status text[])
  returns bigint[] language sql stable set search_path = pg_catalog as $$
  select array(
    select b.user_id
    from app.benutzer b
    where b.enabled and (b.system_status = any (status) or (b.apus_admin and 'apus_admin' = any (status)))
  )
$$;
create or replace function rechte.leute_von_kunde(client_id bigint, variadic rollen text[])
  returns bigint[] language sql stable set search_path = pg_catalog as $$
  select array(
    select b.user_id
    from app.benutzer_kunde bk join app.benutzer b on b.user_id = bk.user_id
    where bk.client_id = leute_von_kunde.client_id and bk.rolle = any (rollen) and b.enabled
  )
$$;

drop function if exists rechte.leute_von_hq(bigint, text);

-- Definer: nobody may write the table. Tells people something, each of them once, as far as they want to
-- know; mails wait in the same transaction, so none tells of what did not happen.
-- For triggers and daily work only, no procedure of the API. Answers how many were told. Mail of a new
-- document waits half an hour: meanwhile the office may send the document itself.
create or replace function rechte.melde(
  art text, empfaenger bigint[], schluessel text, params jsonb, ziel text, client_id bigint default null
) returns integer language plpgsql set search_path = pg_catalog as $$
declare gemeldet integer;
begin
  with wunsch as (
    select b.user_id, not coalesce(e.wert ? melde.art, false) as in_app,
      not coalesce(e.wert ? (melde.art || '.mail'), false) as per_mail
    from app.benutzer b
      left join app.einstellung e on e.user_id = b.user_id and e.schluessel = 'mutedNotices'
    where b.user_id = any (melde.empfaenger) and b.enabled
  ),
  neu as (
    insert into app.meldung (user_id, art, schluessel, params, ziel, client_id, in_app)
    select w.user_id, melde.art, melde.schluessel, melde.params, melde.ziel, melde.client_id, w.in_app
    from wunsch w
    where w.in_app or w.per_mail
    on conflict do nothing
    returning id, user_id
  ),
  post as (
    insert into rechte.meldung_post (meldung_id, naechster)
    select n.id, now() + case melde.art when 'dokument_neu' then interval '30 minutes' else interval '0' end
    from neu n join wunsch w on w.user_id = n.user_id
    where w.per_mail
  )
  select count(*) into gemeldet
  from neu;
  return gemeldet;
end $$;
select rechte.define('rechte.melde(text, bigint[], text, jsonb, text, bigint)');

-- What is told whom, for the tables it comes from.

-- A customer's people: a map was opened to them.
create or replace function rechte.melde_karte_gezeigt(karte_id bigint, name text, client_id bigint)
  returns integer language sql set search_path = pg_catalog as $$
  select rechte.melde(
    'karte_gezeigt', rechte.leute_von_kunde(client_id, 'nutzer', 'admin'), 'karte/' || karte_id,
    jsonb_build_object('karte', name), '/karten/' || karte_id, client_id
  )
$$;
-- Those of a customer who may write bem_client: it was answered. `am` tells one answer from the next.
create or replace function rechte.melde_antwort(karte_id bigint, name text, client_id bigint, am timestamptz)
  returns integer language sql set search_path = pg_catalog as $$
  select rechte.melde(
    'bem_client_antwort', rechte.leute_von_kunde(client_id, 'admin'),
    'karte/' || karte_id || '/' || extract(epoch from am)::numeric(20, 3), jsonb_build_object('karte', name),
    '/karten/' || karte_id, client_id
  )
$$;
-- The bookkeeping: a customer has accepted an offer.
create or replace function rechte.melde_angebot_angenommen(
  angebot_id bigint, bezeichnung text, client_id bigint
) returns integer language sql set search_path = pg_catalog as $$
  select rechte.melde(
    'angebot_angenommen', rechte.leute_mit_status('apus_admin', 'admin'), 'angebot/' || angebot_id,
    jsonb_build_object(
      'angebot', bezeichnung,
      'kunde', (select k.name from app.kunde k where k.client_id = melde_angebot_angenommen.client_id)
    ),
    '/buchhaltung/angebote/angebot/' || angebot_id, client_id
  )
$$;

-- Definer: looks at everybody's vouchers and terms and writes into closed tables. The server's daily work as
-- forst_betrieb; running it again tells nothing twice. Vouchers that expire within 14 days and were not
-- redeemed; terms that end within 30 days. What is older than half a year goes.
create or replace function rechte.melde_ablaeufe(heute date)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  gemeldet integer;
  admins bigint[] := rechte.leute_mit_status('ogf_admin', 'admin');
begin
  -- In one go: the embedded engine answers nobody meanwhile. The order of `rang` chooses the address for who
  -- is concerned in more than one way.
  with laufzeit as (
    select a.client_id, a.hqid, 'abo/' || a.id || '/' || a.ende as schluessel,
      jsonb_build_object('hq', h."sHQ", 'modul', a.modul, 'ende', a.ende, 'zustand', a.zustand) as params
    from app.abo a join app.hq h on h."idHQ" = a.hqid
    where a.zustand <> 'beendet' and a.ende between heute and heute + 30
  ),
  anlass as (
    select u.user_id, 'gutschein_laeuft_ab' as art,
      'gutschein/' || g.id || '/' || g.expire_date as schluessel,
      jsonb_build_object(
        'id', g.id, 'expire_date', g.expire_date, 'rabatt_abo', g.rabatt_abo, 'rabatt_kawm', g.rabatt_kawm
      ) as params,
      '/gutschein/index' as ziel, null::bigint as client_id, 1 as rang
    from app.gutschein g cross join unnest(admins) as u(user_id)
    where g.expire_date between heute and heute + 14 and g.eingeloest_am is null
    -- The provider's admins have a list of all terms (/finanzen); a notice is for those that will really end.
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
    insert into rechte.meldung_post (meldung_id)
    select n.id
    from neu n
      join wunsch w on w.user_id = n.user_id and w.art = n.art and w.schluessel = n.schluessel
    where w.per_mail
  )
  select count(*) into gemeldet
  from neu;
  delete from app.meldung m where m.erstellt < heute - 183;
  return gemeldet;
end $$;
select rechte.define('rechte.melde_ablaeufe(date)');

-- Definer, for the server's post (as forst_betrieb). Takes mails that are due: nobody else gets them for ten
-- minutes, after which whoever took them has died over them. What nobody needs any more is not sent: read
-- meanwhile, the person locked, older than three days, the document itself sent to the same address (while
-- that waits, so does the notice). To the contact address once it was confirmed, else to the sign-in address
-- (rechte.mail_an).
do $$
begin
  if exists (
    select from pg_proc p
    where p.oid = to_regprocedure('rechte.post_nehmen(integer)') and not 'person' = any (p.proargnames)
  ) then
    drop function rechte.post_nehmen(integer);
  end if;
end $$;
create or replace function rechte.post_nehmen(hoechstens integer)
  returns table (
    meldung_id bigint, person bigint, empfaenger text, name text, art text, params jsonb, ziel text,
    versuch integer
  ) language plpgsql set search_path = pg_catalog as $$
begin
  with beleg_mail as (
    select m.id, bool_or(v.zustand = 'gesendet') as gesendet
    from rechte.meldung_post p
      join app.meldung m on m.id = p.meldung_id
      join app.benutzer b on b.user_id = m.user_id
      join app.versand v on v.weg = 'mail'
        and rechte.fold_address(v.an) in (
          rechte.fold_address(b.email), rechte.fold_address(rechte.mail_an(b.user_id))
        )
        and v.zustand <> 'fehlgeschlagen'
        and m.schluessel in (
          'rechnung/' || v.rechnung_id, 'storno/' || v.rechnung_id, 'angebot/' || v.angebot_id
        )
    where p.zustand = 'wartet' and m.art = 'dokument_neu'
    group by m.id
  )
  update rechte.meldung_post p set
    zustand = case when d.gesendet then 'aufgegeben' else p.zustand end,
    grund = case when d.gesendet then 'Beleg gesendet' end,
    naechster = case
      when d.gesendet then p.naechster
      else greatest(p.naechster, now() + interval '10 minutes')
    end
  from beleg_mail d
  where p.meldung_id = d.id;
  update rechte.meldung_post p set
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
      from rechte.meldung_post p
      where p.zustand = 'wartet' and p.naechster <= now()
      order by p.naechster, p.meldung_id limit hoechstens for update skip locked
    ),
    genommen as (
      update rechte.meldung_post p set versuche = p.versuche + 1, naechster = now() + interval '10 minutes'
      from dran
      where p.meldung_id = dran.id
      returning p.meldung_id as id, p.versuche
    )
    select m.id, b.user_id, rechte.mail_an(b.user_id), nullif(concat_ws(' ', b.first_name, b.last_name), ''),
      m.art, m.params, m.ziel, g.versuche
    from genommen g
      join app.meldung m on m.id = g.id
      join app.benutzer b on b.user_id = m.user_id
    order by m.id;
end $$;
select rechte.define('rechte.post_nehmen(integer)');

-- Definer: as above. What became of a mail. What was refused is tried again after 1, 5, 25, 125 and 625
-- minutes and then given up.
create or replace function rechte.post_ergebnis(meldung_id bigint, gesendet boolean)
  returns void language sql set search_path = pg_catalog as $$
  update rechte.meldung_post p set
    zustand = case when gesendet then 'gesendet' when p.versuche >= 6 then 'aufgegeben' else 'wartet' end,
    gesendet_am = case when gesendet then now() end, grund = case when not gesendet then 'abgelehnt' end,
    naechster = case
      when gesendet then p.naechster
      else now() + interval '1 minute' * power(5, p.versuche - 1)
    end
  where p.meldung_id = post_ergebnis.meldung_id and p.zustand = 'wartet'
$$;
select rechte.define('rechte.post_ergebnis(bigint, boolean)');

-- Definer: as above. Without a mail server nothing waits: it would all go out on the day that one is set up.
create or replace function rechte.post_aufgeben() returns void language sql set search_path = pg_catalog as $$
  update rechte.meldung_post p set zustand = 'aufgegeben', grund = 'kein Mailserver'
  where p.zustand = 'wartet'
$$;
select rechte.define('rechte.post_aufgeben()');

grant execute on function rechte.leute_mit_status(text[]), rechte.leute_von_kunde(bigint, text[]),
  rechte.melde(text, bigint[], text, jsonb, text, bigint), rechte.melde_karte_gezeigt(bigint, text, bigint),
  rechte.melde_antwort(bigint, text, bigint, timestamptz),
  rechte.melde_angebot_angenommen(bigint, text, bigint) to forst_definer;
grant execute on function rechte.melde_ablaeufe(date), rechte.post_nehmen(integer),
  rechte.post_ergebnis(bigint, boolean), rechte.post_aufgeben() to forst_betrieb;
