-- Files of scanned plans and the work on them. Seen as the plan they belong to; customers see no order that
-- failed. Written by the functions below alone: by the staff's procedures, and by forst_karte, as which the
-- server takes up scans and works on orders. forst_karte holds no right on any table.

select rechte.protect('app.karte_datei');
select rechte.protect('app.karte_auftrag');
grant select, insert, update, delete on app.karte_datei, app.karte_auftrag to forst_definer;
grant update (width, height, din, status) on app.kartenblatt to forst_definer;
grant select on app.karte_datei, app.karte_auftrag to nutzer;
create policy staff on app.karte_datei for select to nutzer
  using ((select rechte.has_any('apus_admin', 'apus_team')));
create policy shown on app.karte_datei for select to nutzer
  using (
    client_id = any ((select rechte.kunden_als('appuser', 'appuser_admin'))::bigint[])
    and exists (select from app.kartenblatt k where k.id = karte_id and k.show_client)
  );
create policy staff on app.karte_auftrag for select to nutzer
  using ((select rechte.has_any('apus_admin', 'apus_team')));
create policy shown on app.karte_auftrag for select to nutzer
  using (
    stand <> 'fehlgeschlagen'
    and client_id = any ((select rechte.kunden_als('appuser', 'appuser_admin'))::bigint[])
    and exists (select from app.kartenblatt k where k.id = karte_id and k.show_client)
  );

-- What is asked by the screens ------------------------------------------------------------------------------

create or replace function app.a_get_karte_dateien(karte_id bigint)
  returns table (
    id bigint, karte_id bigint, art text, name text, mime text, groesse bigint, sha256 text, breite integer,
    hoehe integer, dpi integer, angelegt_am timestamptz, wer text, kacheln boolean, epsg integer,
    umriss jsonb, georef_typ text
  ) language sql stable set search_path = pg_catalog as $$
  select d.id, d.karte_id, d.art, d.name, d.mime, d.groesse, d.sha256, d.breite, d.hoehe, d.dpi,
    d.angelegt_am, d.wer, d.kacheln_sha256 is not null, d.epsg, d.umriss, d.georef_typ
  from app.karte_datei d
  where d.karte_id = a_get_karte_dateien.karte_id
  order by d.id desc limit 1000
$$;
create or replace function app.a_get_karte_auftraege(karte_id bigint)
  returns table (
    id bigint, karte_id bigint, art text, stand text, fortschritt integer, fehler text, einzelheit text,
    angelegt_am timestamptz, begonnen_am timestamptz, beendet_am timestamptz, wer text, werte jsonb
  ) language sql stable set search_path = pg_catalog as $$
  select a.id, a.karte_id, a.art, a.stand, a.fortschritt, a.fehler, a.einzelheit, a.angelegt_am,
    a.begonnen_am, a.beendet_am, a.wer, a.werte
  from app.karte_auftrag a
  where a.karte_id = a_get_karte_auftraege.karte_id
  order by a.id desc limit 200
$$;

-- Enabled points that a transformation needs; the same numbers stand in domain/georef/transform.ts.
create or replace function rechte.mindestpunkte(georef_typ text)
  returns integer language sql immutable set search_path = pg_catalog
  return case georef_typ
    when 'linear' then 2
    when 'helmert' then 2
    when 'polynom1' then 3
    when 'polynom2' then 6
    when 'polynom3' then 10
    when 'tps' then 3
    when 'projektiv' then 4
  end;
revoke execute on function rechte.mindestpunkte(text) from public;
grant execute on function rechte.mindestpunkte(text) to forst_definer;

-- Definer: orders are closed. Takes points and method as they are saved now.
create or replace function app.a_add_karte_auftrag(
  karte_id bigint, verfahren text default 'cubic', kompression text default 'jpeg'
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  blatt app.kartenblatt;
  scan bigint;
  punkte jsonb;
  made bigint;
begin
  perform rechte.refuse_unless(rechte.has_any('apus_admin', 'apus_team'));
  select k.* into blatt
  from app.kartenblatt k
  where k.id = a_add_karte_auftrag.karte_id for update;
  if blatt.id is null then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  perform rechte.check_value(
    verfahren in ('near', 'bilinear', 'cubic', 'cubicspline', 'lanczos'), 'verfahren', 'karte_verfahren'
  );
  perform rechte.check_value(kompression in ('jpeg', 'deflate'), 'kompression', 'karte_kompression');
  select d.id into scan
  from app.karte_datei d
  where d.karte_id = blatt.id and d.art = 'scan'
  order by d.id desc limit 1;
  if scan is null then raise sqlstate 'PT409' using message = 'no scan', hint = 'karte_ohne_scan'; end if;
  if blatt.georef_typ is null then
    raise sqlstate 'PT409' using message = 'no transformation', hint = 'karte_ohne_methode';
  end if;
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'mapx', p.mapx, 'mapy', p.mapy, 'pixelx', p.pixelx, 'pixely', p.pixely, 'enable', p.enable
    ) order by p.nr
  ), '[]') into punkte
  from app.mappoint p
  where p.karte_id = blatt.id;
  if (
    select count(*) from app.mappoint p where p.karte_id = blatt.id and p.enable
  ) < rechte.mindestpunkte(blatt.georef_typ) then
    raise sqlstate 'PT409' using message = 'too few points', hint = 'karte_punkte_wenige';
  end if;
  if exists (
    select from app.karte_auftrag a
    where a.karte_id = blatt.id and a.art = 'entzerren' and a.stand in ('wartet', 'laeuft')
  ) then
    raise sqlstate 'PT409' using message = 'under way', hint = 'karte_auftrag_laeuft';
  end if;
  insert into app.karte_auftrag (karte_id, client_id, datei_id, art, werte, wer, user_id)
  select blatt.id, blatt.client_id, scan, 'entzerren',
    jsonb_build_object(
      'georef_typ', blatt.georef_typ, 'epsg', blatt.epsg, 'res', blatt.res,
      'verfahren', a_add_karte_auftrag.verfahren, 'kompression', a_add_karte_auftrag.kompression,
      'punkte', punkte
    ),
    me.name, me.user_id
  from rechte.ich() me
  returning karte_auftrag.id into made;
  return made;
end $$;

-- Definer: as above. False: it had come to its end already.
create or replace function app.a_cancel_karte_auftrag(id bigint)
  returns boolean language plpgsql set search_path = pg_catalog as $$
declare auftrag app.karte_auftrag;
begin
  perform rechte.refuse_unless(rechte.has_any('apus_admin', 'apus_team'));
  select a.* into auftrag
  from app.karte_auftrag a
  where a.id = a_cancel_karte_auftrag.id for update;
  if auftrag.id is null then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  if auftrag.stand not in ('wartet', 'laeuft') then return false; end if;
  update app.karte_auftrag a set stand = 'abgebrochen', lebt_bis = null, beendet_am = now()
  where a.id = auftrag.id;
  return true;
end $$;

-- What a plan says of its scan follows the newest one; an order to cut it where it is not cut yet.
create or replace function rechte.karte_neuester_scan(karte_id bigint, wer text, user_id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
declare scan app.karte_datei;
begin
  select d.* into scan
  from app.karte_datei d
  where d.karte_id = karte_neuester_scan.karte_id and d.art = 'scan'
  order by d.id desc limit 1;
  update app.kartenblatt k set width = scan.breite, height = scan.hoehe
  where k.id = karte_neuester_scan.karte_id
    and (k.width, k.height) is distinct from (scan.breite, scan.hoehe);
  update app.karte_auftrag a set stand = 'abgebrochen', lebt_bis = null, beendet_am = now()
  where a.karte_id = karte_neuester_scan.karte_id
    and a.art = 'kacheln'
    and a.stand in ('wartet', 'laeuft')
    and a.datei_id is distinct from scan.id;
  if scan.id is null or scan.kacheln_sha256 is not null then return; end if;
  insert into app.karte_auftrag (karte_id, client_id, datei_id, art, wer, user_id)
  values (
    scan.karte_id, scan.client_id, scan.id, 'kacheln', karte_neuester_scan.wer, karte_neuester_scan.user_id
  )
  on conflict do nothing;
end $$;
revoke execute on function rechte.karte_neuester_scan(bigint, text, bigint) from public;
grant execute on function rechte.karte_neuester_scan(bigint, text, bigint) to forst_definer;

-- Definer: orders are closed. A scan whose cutting failed or was cancelled is cut once more. Older ones are
-- not: a later one took their place.
create or replace function app.a_retry_karte_kacheln(datei_id bigint)
  returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  scan app.karte_datei;
  made bigint;
begin
  perform rechte.refuse_unless(rechte.has_any('apus_admin', 'apus_team'));
  select d.* into scan
  from app.karte_datei d
  where d.id = a_retry_karte_kacheln.datei_id and d.art = 'scan';
  if scan.id is null then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  perform 1 from app.kartenblatt k where k.id = scan.karte_id for update;
  -- As it is now that the plan is held: the cutting may have come to its end meanwhile.
  select d.* into scan from app.karte_datei d where d.id = scan.id;
  if scan.id is null then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  if scan.kacheln_sha256 is not null then
    raise sqlstate 'PT409' using message = 'cut already', hint = 'karte_scan_zerlegt';
  end if;
  if exists (
    select from app.karte_datei d
    where d.karte_id = scan.karte_id and d.art = 'scan' and d.id > scan.id
  ) then
    raise sqlstate 'PT409' using message = 'not the newest', hint = 'karte_scan_aelter';
  end if;
  insert into app.karte_auftrag (karte_id, client_id, datei_id, art, wer, user_id)
  select scan.karte_id, scan.client_id, scan.id, 'kacheln', me.name, me.user_id
  from rechte.ich() me
  on conflict do nothing
  returning karte_auftrag.id into made;
  if made is null then
    raise sqlstate 'PT409' using message = 'under way', hint = 'karte_zerlegen_laeuft';
  end if;
  return made;
end $$;

-- Definer: files are closed. The bytes go with the server's next clean-up, as no row names them any more.
create or replace function app.a_delete_karte_datei(id bigint)
  returns boolean language plpgsql set search_path = pg_catalog as $$
declare datei app.karte_datei;
begin
  perform rechte.refuse_unless(rechte.has_any('apus_admin', 'apus_team'));
  select d.* into datei from app.karte_datei d where d.id = a_delete_karte_datei.id;
  if datei.id is null then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  perform 1 from app.kartenblatt k where k.id = datei.karte_id for update;
  if exists (
    select from app.karte_auftrag a
    where a.datei_id = datei.id
      and a.karte_id = datei.karte_id
      and a.art = 'entzerren'
      and a.stand in ('wartet', 'laeuft')
  ) then
    raise sqlstate 'PT409' using message = 'worked on', hint = 'karte_datei_in_arbeit';
  end if;
  delete from app.karte_datei d where d.id = datei.id;
  if not found then return false; end if;
  -- Files have no history of their own: it stands in that of the plan.
  insert into app.verlauf (wer, user_id, tabelle, schluessel, client_id, aktion, alt, neu)
  select me.name, me.user_id, 'kartenblatt', datei.karte_id::text, datei.client_id, 'geaendert',
    jsonb_build_object('datei_' || datei.art, datei.name), jsonb_build_object('datei_' || datei.art, null)
  from rechte.ich() me;
  if datei.art = 'scan' then
    perform rechte.karte_neuester_scan(datei.karte_id, me.name, me.user_id) from rechte.ich() me;
  end if;
  return true;
end $$;

-- What the server does --------------------------------------------------------------------------------------

-- Definer: files are closed. A scan that was uploaded in the caller's name. The same upload told twice is the
-- same file. `din` is a proposal where the plan has none.
create or replace function rechte.karte_scan_aufnehmen(
  karte_id bigint, upload text, name text, mime text, groesse bigint, sha256 text, bild_sha256 text,
  breite integer, hoehe integer, dpi integer, din text
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  blatt app.kartenblatt;
  made bigint;
  me record := rechte.ich();
begin
  perform rechte.refuse_unless(rechte.has_any('apus_admin', 'apus_team'));
  select k.* into blatt
  from app.kartenblatt k
  where k.id = karte_scan_aufnehmen.karte_id for update;
  if blatt.id is null then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  select d.id into made
  from app.karte_datei d
  where d.upload = karte_scan_aufnehmen.upload and d.karte_id = blatt.id;
  if found then return made; end if;
  insert into app.karte_datei as d (
    karte_id, client_id, art, upload, name, mime, groesse, sha256, bild_sha256, breite, hoehe, dpi, wer,
    user_id
  )
  values (
    blatt.id, blatt.client_id, 'scan', karte_scan_aufnehmen.upload, karte_scan_aufnehmen.name,
    karte_scan_aufnehmen.mime, karte_scan_aufnehmen.groesse, karte_scan_aufnehmen.sha256,
    karte_scan_aufnehmen.bild_sha256, karte_scan_aufnehmen.breite, karte_scan_aufnehmen.hoehe,
    karte_scan_aufnehmen.dpi, me.name, me.user_id
  )
  returning d.id into made;
  update app.kartenblatt k set
    status = case k.status when 'neu' then 'gescannt' else k.status end,
    din = coalesce(k.din, karte_scan_aufnehmen.din)
  where k.id = blatt.id and (k.status = 'neu' or (k.din is null and karte_scan_aufnehmen.din is not null));
  perform rechte.karte_neuester_scan(blatt.id, me.name, me.user_id);
  return made;
end $$;

-- Definer: orders are closed. What an upload has become, for whoever made it; null: nothing yet.
create or replace function rechte.karte_upload_datei(karte_id bigint, upload text)
  returns bigint language sql stable set search_path = pg_catalog as $$
  select d.groesse
  from app.karte_datei d
  where d.karte_id = karte_upload_datei.karte_id
    and d.upload = karte_upload_datei.upload
    and rechte.has_any('apus_admin', 'apus_team')
$$;

-- Definer: as above. An order that is due, the oldest first; whoever took it says within `frist` that they
-- are at it. One that was begun three times and never ended is given up.
create or replace function rechte.karte_auftrag_nehmen(art text, frist interval)
  returns table (
    id bigint, versuch integer, karte_id bigint, datei_id bigint, name text, mime text, sha256 text,
    breite integer, hoehe integer, werte text
  ) language plpgsql set search_path = pg_catalog as $$
begin
  update app.karte_auftrag a set
    stand = 'fehlgeschlagen', fehler = 'karte_absturz', lebt_bis = null, beendet_am = now()
  where a.art = karte_auftrag_nehmen.art and a.stand = 'laeuft' and a.lebt_bis < now() and a.versuche >= 3;
  -- Persons in turn: who was served last comes last, however many orders wait of each.
  return query
    with bedient as (
      select b.user_id, max(b.begonnen_am) as zuletzt
      from app.karte_auftrag b
      where b.art = karte_auftrag_nehmen.art and b.begonnen_am > now() - interval '1 day'
      group by b.user_id
    ),
    dran as (
      select a.id
      from app.karte_auftrag a
        left join bedient on bedient.user_id is not distinct from a.user_id
      where a.art = karte_auftrag_nehmen.art
        and (a.stand = 'wartet' or (a.stand = 'laeuft' and a.lebt_bis < now()))
      order by bedient.zuletzt nulls first, a.id limit 1 for update of a skip locked
    ),
    genommen as (
      update app.karte_auftrag a set
        stand = 'laeuft', versuche = a.versuche + 1, fortschritt = 0, lebt_bis = now() + frist,
        begonnen_am = coalesce(a.begonnen_am, now())
      from dran
      where a.id = dran.id
      returning a.*
    )
    select g.id, g.versuche, g.karte_id, d.id, d.name,
      case when d.bild_sha256 is null then d.mime else 'image/png' end, coalesce(d.bild_sha256, d.sha256),
      d.breite, d.hoehe, g.werte::text
    from genommen g join app.karte_datei d on d.id = g.datei_id;
end $$;
-- Definer: as above. False: it is no longer theirs to do, because it was cancelled, deleted or given to
-- another.
create or replace function rechte.karte_auftrag_lebt(
  id bigint, versuch integer, fortschritt integer, frist interval
) returns boolean language plpgsql set search_path = pg_catalog as $$
begin
  update app.karte_auftrag a set lebt_bis = now() + frist, fortschritt = karte_auftrag_lebt.fortschritt
  where a.id = karte_auftrag_lebt.id and a.versuche = versuch and a.stand = 'laeuft';
  return found;
end $$;
-- Definer: as above. It went wrong: for good; or, without a reason, it is to be taken again, unless it was
-- begun three times already. `umsonst`: that it was begun says nothing of it.
create or replace function rechte.karte_auftrag_fehler(
  id bigint, versuch integer, fehler text, einzelheit text, umsonst boolean default false
) returns boolean language plpgsql set search_path = pg_catalog as $$
begin
  update app.karte_auftrag a set
    stand = case
      when karte_auftrag_fehler.fehler is null and (umsonst or a.versuche < 3) then 'wartet'
      else 'fehlgeschlagen'
    end,
    fehler = case
      when karte_auftrag_fehler.fehler is null and (umsonst or a.versuche < 3) then null
      else coalesce(karte_auftrag_fehler.fehler, 'karte_absturz')
    end,
    einzelheit = nullif(rechte.bank_zeile(karte_auftrag_fehler.einzelheit, 300), ''),
    versuche = a.versuche - case when umsonst then 1 else 0 end, lebt_bis = null,
    beendet_am = case
      when karte_auftrag_fehler.fehler is null and (umsonst or a.versuche < 3) then null
      else now()
    end
  where a.id = karte_auftrag_fehler.id and a.versuche = versuch and a.stand = 'laeuft';
  return found;
end $$;
-- Definer: as above. The scan is cut. False: nobody waits for it any more.
create or replace function rechte.karte_kacheln_fertig(id bigint, versuch integer, sha256 text)
  returns boolean language plpgsql set search_path = pg_catalog as $$
declare auftrag app.karte_auftrag;
begin
  update app.karte_auftrag a set stand = 'fertig', fortschritt = 100, lebt_bis = null, beendet_am = now()
  where a.id = karte_kacheln_fertig.id and a.versuche = versuch and a.stand = 'laeuft' and a.art = 'kacheln'
  returning a.* into auftrag;
  if auftrag.id is null then return false; end if;
  update app.karte_datei d set kacheln_sha256 = karte_kacheln_fertig.sha256
  where d.id = auftrag.datei_id;
  return true;
end $$;
-- Definer: as above. The result is made and checked: from now on it is the newest. False: nobody waits for it
-- any more.
create or replace function rechte.karte_ergebnis_fertig(
  id bigint, versuch integer, name text, groesse bigint, sha256 text, breite integer, hoehe integer,
  umriss jsonb
) returns boolean language plpgsql set search_path = pg_catalog as $$
declare auftrag app.karte_auftrag;
begin
  update app.karte_auftrag a set stand = 'fertig', fortschritt = 100, lebt_bis = null, beendet_am = now()
  where a.id = karte_ergebnis_fertig.id
    and a.versuche = versuch
    and a.stand = 'laeuft'
    and a.art = 'entzerren'
  returning a.* into auftrag;
  if auftrag.id is null then return false; end if;
  insert into app.karte_datei (
    karte_id, client_id, art, name, mime, groesse, sha256, kacheln_sha256, breite, hoehe, epsg, umriss,
    georef_typ, wer, user_id
  )
  values (
    auftrag.karte_id, auftrag.client_id, 'ergebnis', karte_ergebnis_fertig.name, 'image/tiff',
    karte_ergebnis_fertig.groesse, karte_ergebnis_fertig.sha256, karte_ergebnis_fertig.sha256,
    karte_ergebnis_fertig.breite, karte_ergebnis_fertig.hoehe, (auftrag.werte ->> 'epsg')::integer,
    karte_ergebnis_fertig.umriss, auftrag.werte ->> 'georef_typ', auftrag.wer, auftrag.user_id
  );
  update app.kartenblatt k set status = 'georeferenziert'
  where k.id = auftrag.karte_id and k.status in ('neu', 'gescannt');
  return true;
end $$;

-- Definer: rows of every customer name files. Those of the given names that some row holds on to; and whether
-- any is named at all, without which nothing is to be thrown away.
create or replace function rechte.dateien_benannt(namen text[])
  returns setof text language sql stable set search_path = pg_catalog as $$
  select n.name
  from unnest(namen) as n(name)
  where exists (select from app.karte_datei d where d.sha256 = n.name)
    or exists (select from app.karte_datei d where d.bild_sha256 = n.name)
    or exists (select from app.karte_datei d where d.kacheln_sha256 = n.name)
    or exists (select from app.habitatbilder b where b.sha256 = n.name)
    or exists (select from app.habitatbilder b where b.klein = n.name)
    or exists (select from app.habitatbilder b where b.mittel = n.name)
    or exists (select from app.habitatbilder b where b.gross = n.name)
$$;
create or replace function rechte.dateien_gibt_es()
  returns boolean language sql stable set search_path = pg_catalog
  return exists (select from app.karte_datei) or exists (select from app.habitatbilder);

do $$
declare entry regprocedure;
begin
  foreach entry in array array[
    'app.a_add_karte_auftrag(bigint, text, text)', 'app.a_cancel_karte_auftrag(bigint)',
    'app.a_retry_karte_kacheln(bigint)', 'app.a_delete_karte_datei(bigint)'
  ]::regprocedure[] loop
    perform rechte.define(entry);
  end loop;
  foreach entry in array array[
    'rechte.karte_scan_aufnehmen(bigint, text, text, text, bigint, text, text, integer, integer, integer, text)',
    'rechte.karte_upload_datei(bigint, text)', 'rechte.karte_auftrag_nehmen(text, interval)',
    'rechte.karte_auftrag_lebt(bigint, integer, integer, interval)',
    'rechte.karte_auftrag_fehler(bigint, integer, text, text, boolean)',
    'rechte.karte_kacheln_fertig(bigint, integer, text)',
    'rechte.karte_ergebnis_fertig(bigint, integer, text, bigint, text, integer, integer, jsonb)',
    'rechte.dateien_benannt(text[])', 'rechte.dateien_gibt_es()', 'rechte.check_request()'
  ]::regprocedure[] loop
    if entry <> 'rechte.check_request()'::regprocedure then perform rechte.define(entry); end if;
    execute format('grant execute on function %s to forst_karte', entry);
  end loop;
end $$;
grant usage on schema rechte to forst_karte;
revoke execute on function app.a_get_karte_dateien(bigint), app.a_get_karte_auftraege(bigint) from public;
grant execute on function app.a_get_karte_dateien(bigint), app.a_get_karte_auftraege(bigint),
  app.a_add_karte_auftrag(bigint, text, text), app.a_cancel_karte_auftrag(bigint),
  app.a_retry_karte_kacheln(bigint), app.a_delete_karte_datei(bigint) to nutzer;
