-- Positions of drafts, one at a time as the specification's calls do it, or the whole list in one
-- transaction. Order is 1, 2, 3 … after each. apus_admin alone.

-- The draft that a position belongs to, locked; exactly one of the two is named.
create or replace function rechte.position_entwurf(
  rechnung_id bigint, angebot_id bigint, version integer default null, out client_id bigint,
  out gegenstand text, out id bigint
) language plpgsql set search_path = pg_catalog as $$
declare
  invoice app.rechnung;
  offer app.angebot;
begin
  if (position_entwurf.rechnung_id is null) = (position_entwurf.angebot_id is null) then
    perform rechte.refuse_feld('rechnung_id', 'position_beleg', 'an invoice or an offer');
  end if;
  if position_entwurf.rechnung_id is not null then
    invoice := rechte.rechnung_entwurf(position_entwurf.rechnung_id, position_entwurf.version);
    client_id := invoice.client_id;
    gegenstand := 'rechnung';
    id := invoice.id;
  else
    offer := rechte.angebot_entwurf(position_entwurf.angebot_id, position_entwurf.version);
    client_id := offer.client_id;
    gegenstand := 'angebot';
    id := offer.id;
  end if;
end $$;

-- Numbers the lines anew and brings the sums up to date. Answers the document's version.
create or replace function rechte.position_ordnen(gegenstand text, id bigint)
  returns integer language plpgsql set search_path = pg_catalog as $$
begin
  update app.position p set lfd_nr = o.nr
  from (
    select q.id, row_number() over (order by q.lfd_nr, q.id) as nr
    from app.position q
    where case gegenstand
      when 'rechnung' then q.rechnung_id = position_ordnen.id
      else q.angebot_id = position_ordnen.id
    end
  ) o
  where o.id = p.id and p.lfd_nr <> o.nr;
  return case gegenstand
    when 'rechnung' then rechte.rechnung_rechnen(position_ordnen.id)
    else rechte.angebot_rechnen(position_ordnen.id)
  end;
end $$;

-- A line as the procedures answer it: decimals as text, with number and amount as the document has them.
create or replace function rechte.position_zeilen(rechnung_id bigint, angebot_id bigint)
  returns table (
    id bigint, rechnung_id_ bigint, angebot_id_ bigint, lfd_nr integer, art text, nr text, anzahl text,
    einheit text, bez text, ep text, rabatt_prozent text, ust_satz text, kategorie text, steuergrund text,
    erl text, erl_on boolean, erl_titel text, le_date date, le_date_bis date, angebot_position_id bigint,
    gewaehlt boolean, betrag text
  ) language sql stable set search_path = pg_catalog as $$
  with kopf as (
    select jsonb_build_object(
      'rabatt_prozent', r.rabatt_prozent, 'ust_satz', r.ust_satz, 'anzahlung', r.anzahlung,
      'kleinunternehmer', false
    ) as kopf
    from app.rechnung r
    where r.id = position_zeilen.rechnung_id
    union all
    select jsonb_build_object(
      'rabatt_prozent', a.rabatt_prozent, 'ust_satz', a.ust_satz, 'anzahlung', 0, 'kleinunternehmer', false
    )
    from app.angebot a
    where a.id = position_zeilen.angebot_id
  ),
  zeilen as (
    select t.zeile, t.nr
    from kopf,
      jsonb_array_elements(
        rechte.beleg_summen(
          kopf.kopf, rechte.beleg_zeilen(position_zeilen.rechnung_id, position_zeilen.angebot_id)
        ) -> 'zeilen'
      ) with ordinality as t(zeile, nr)
  )
  select p.id, p.rechnung_id, p.angebot_id, p.lfd_nr, p.art, z.zeile ->> 'nr', rechte.dezimal_text(p.anzahl),
    p.einheit, p.bez, rechte.dezimal_text(p.ep, 2), p.rabatt_prozent::text, p.ust_satz::text, p.kategorie,
    p.steuergrund, p.erl, p.erl_on, p.erl_titel, p.le_date, p.le_date_bis, p.angebot_position_id, p.gewaehlt,
    z.zeile ->> 'betrag'
  from (
    select q.*, row_number() over (order by q.lfd_nr, q.id) as platz
    from app.position q
    where q.rechnung_id = position_zeilen.rechnung_id or q.angebot_id = position_zeilen.angebot_id
  ) p
    join zeilen z on z.nr = p.platz
  order by p.platz
$$;

create or replace function app.a_get_invoice_positions(invoice_id bigint)
  returns table (
    id bigint, rechnung_id bigint, angebot_id bigint, lfd_nr integer, art text, nr text, anzahl text,
    einheit text, bez text, ep text, rabatt_prozent text, ust_satz text, kategorie text, steuergrund text,
    erl text, erl_on boolean, erl_titel text, le_date date, le_date_bis date, angebot_position_id bigint,
    gewaehlt boolean, betrag text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  return query select * from rechte.position_zeilen(a_get_invoice_positions.invoice_id, null);
end $$;
create or replace function app.a_get_offer_positions(offer_id bigint)
  returns table (
    id bigint, rechnung_id bigint, angebot_id bigint, lfd_nr integer, art text, nr text, anzahl text,
    einheit text, bez text, ep text, rabatt_prozent text, ust_satz text, kategorie text, steuergrund text,
    erl text, erl_on boolean, erl_titel text, le_date date, le_date_bis date, angebot_position_id bigint,
    gewaehlt boolean, betrag text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  return query select * from rechte.position_zeilen(null, a_get_offer_positions.offer_id);
end $$;

-- Null of erl is empty, of erl_on true, of erl_titel empty; without lfd_nr it comes last, with one that is
-- taken the others move down.
create or replace function app.a_insert_position(
  anzahl numeric, bez text, einheit text, ep numeric, lfd_nr integer default null,
  rechnung_id bigint default null, angebot_id bigint default null, erl text default null,
  erl_on boolean default null, erl_titel text default null, art text default null,
  rabatt_prozent numeric default null, ust_satz numeric default null, kategorie text default null,
  steuergrund text default null
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  doc record;
  made app.position;
  place integer;
  last integer;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  doc := rechte.position_entwurf(a_insert_position.rechnung_id, a_insert_position.angebot_id);
  select coalesce(max(p.lfd_nr), 0) into last
  from app.position p
  where p.rechnung_id = a_insert_position.rechnung_id or p.angebot_id = a_insert_position.angebot_id;
  if last >= 1000 then perform rechte.refuse_feld('positionen', 'position_anzahl', 'too many lines'); end if;
  place := least(greatest(coalesce(a_insert_position.lfd_nr, last + 1), 1), last + 1);
  update app.position p set lfd_nr = p.lfd_nr + 1
  where (p.rechnung_id = a_insert_position.rechnung_id or p.angebot_id = a_insert_position.angebot_id)
    and p.lfd_nr >= place;
  insert into app.position (
    client_id, rechnung_id, angebot_id, lfd_nr, art, anzahl, einheit, bez, ep, rabatt_prozent, ust_satz,
    kategorie, steuergrund, erl, erl_on, erl_titel
  )
  values (
    doc.client_id, a_insert_position.rechnung_id, a_insert_position.angebot_id, place,
    coalesce(a_insert_position.art, 'position'), a_insert_position.anzahl,
    coalesce(btrim(a_insert_position.einheit), ''), rechte.mehrzeilig(a_insert_position.bez),
    a_insert_position.ep, coalesce(a_insert_position.rabatt_prozent, 0), a_insert_position.ust_satz,
    nullif(a_insert_position.kategorie, ''), coalesce(btrim(a_insert_position.steuergrund), ''),
    rechte.mehrzeilig(a_insert_position.erl), coalesce(a_insert_position.erl_on, true),
    coalesce(btrim(a_insert_position.erl_titel), '')
  )
  returning * into made;
  perform rechte.position_ordnen(doc.gegenstand, doc.id);
  perform rechte.protokolliere(
    doc.gegenstand, doc.id, doc.client_id, 'position_neu', rechte.position_eintrag(made)
  );
  return made.id;
end $$;

-- What the audit chain keeps of a line.
create or replace function rechte.position_eintrag(p app.position)
  returns jsonb language sql immutable set search_path = pg_catalog as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'id', p.id, 'lfd_nr', p.lfd_nr, 'art', p.art, 'bez', p.bez, 'anzahl', p.anzahl::text,
    'einheit', p.einheit, 'ep', p.ep::text, 'rabatt_prozent', p.rabatt_prozent::text,
    'ust_satz', p.ust_satz::text, 'kategorie', p.kategorie
  ))
$$;

-- As a_insert_position; what else belongs to a line (kind, discount, rate, dates) stays as it is where it is
-- not given. The document of a line does not change.
create or replace function app.a_update_position(
  id bigint, anzahl numeric, bez text, einheit text, ep numeric, lfd_nr integer default null,
  rechnung_id bigint default null, angebot_id bigint default null, erl text default null,
  erl_on boolean default null, erl_titel text default null, art text default null,
  rabatt_prozent numeric default null, ust_satz numeric default null, kategorie text default null,
  steuergrund text default null
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  before app.position;
  after app.position;
  doc record;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  select p.* into before from app.position p where p.id = a_update_position.id;
  if not found
    or a_update_position.rechnung_id <> before.rechnung_id
    or a_update_position.angebot_id <> before.angebot_id
  then
    raise sqlstate 'PT404' using message = 'not found or not allowed';
  end if;
  doc := rechte.position_entwurf(before.rechnung_id, before.angebot_id);
  -- Moved: those between make room, so that it stands where it was said.
  if a_update_position.lfd_nr is not null and a_update_position.lfd_nr <> before.lfd_nr then
    update app.position p set lfd_nr = p.lfd_nr + case
      when a_update_position.lfd_nr < before.lfd_nr then 1
      else -1
    end
    where (p.rechnung_id = before.rechnung_id or p.angebot_id = before.angebot_id)
      and p.id <> before.id
      and p.lfd_nr between least(
        a_update_position.lfd_nr, before.lfd_nr
      ) and greatest(a_update_position.lfd_nr, before.lfd_nr);
  end if;
  update app.position p set
    anzahl = a_update_position.anzahl, einheit = coalesce(btrim(a_update_position.einheit), ''),
    bez = rechte.mehrzeilig(a_update_position.bez), ep = a_update_position.ep,
    lfd_nr = greatest(coalesce(a_update_position.lfd_nr, p.lfd_nr), 1),
    erl = rechte.mehrzeilig(a_update_position.erl), erl_on = coalesce(a_update_position.erl_on, true),
    erl_titel = coalesce(btrim(a_update_position.erl_titel), ''),
    art = coalesce(a_update_position.art, p.art),
    rabatt_prozent = coalesce(a_update_position.rabatt_prozent, p.rabatt_prozent),
    ust_satz = coalesce(a_update_position.ust_satz, p.ust_satz),
    kategorie = coalesce(nullif(a_update_position.kategorie, ''), p.kategorie),
    steuergrund = coalesce(btrim(a_update_position.steuergrund), p.steuergrund)
  where p.id = before.id
  returning * into after;
  perform rechte.position_ordnen(doc.gegenstand, doc.id);
  perform rechte.protokolliere(
    doc.gegenstand, doc.id, doc.client_id, 'position_geaendert',
    jsonb_build_object('id', after.id) || rechte.unterschied(to_jsonb(before), to_jsonb(after))
  );
  return after.id;
end $$;

create or replace function app.a_delete_position(position_id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
declare
  before app.position;
  doc record;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  select p.* into before from app.position p where p.id = a_delete_position.position_id;
  if not found then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  doc := rechte.position_entwurf(before.rechnung_id, before.angebot_id);
  delete from app.position p where p.id = before.id;
  perform rechte.position_ordnen(doc.gegenstand, doc.id);
  perform rechte.protokolliere(
    doc.gegenstand, doc.id, doc.client_id, 'position_geloescht', rechte.position_eintrag(before)
  );
end $$;

-- All lines of a document in their new order, each once.
create or replace function app.a_reorder_positions(
  positionen bigint[], rechnung_id bigint default null, angebot_id bigint default null,
  version integer default null
) returns integer language plpgsql set search_path = pg_catalog as $$
declare
  doc record;
  now_version integer;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  doc := rechte.position_entwurf(
    a_reorder_positions.rechnung_id, a_reorder_positions.angebot_id, a_reorder_positions.version
  );
  if (
    select array_agg(p.id order by p.id)
    from app.position p
    where p.rechnung_id = a_reorder_positions.rechnung_id or p.angebot_id = a_reorder_positions.angebot_id
  ) is distinct from (
    select array_agg(t.given order by t.given) from unnest(a_reorder_positions.positionen) as t(given)
  ) then
    raise sqlstate 'PT409'
      using message = 'other lines than those of the document', hint = 'changed_meanwhile';
  end if;
  update app.position p set lfd_nr = t.nr
  from unnest(a_reorder_positions.positionen) with ordinality as t(given, nr)
  where p.id = t.given and p.lfd_nr <> t.nr;
  now_version := rechte.position_ordnen(doc.gegenstand, doc.id);
  perform rechte.protokolliere(
    doc.gegenstand, doc.id, doc.client_id, 'positionen_geordnet',
    jsonb_build_object('positionen', to_jsonb(a_reorder_positions.positionen))
  );
  return now_version;
end $$;

-- The whole list as it shall be, in order: lines with an id are changed, those without are new, those that
-- are missing go. What a line does not name takes its default; whether it bills a line of an offer stays as
-- it was. Answers the document's version.
create or replace function rechte.positionen_speichern(
  gegenstand text, id bigint, client_id bigint, positionen jsonb
) returns integer language plpgsql set search_path = pg_catalog as $$
declare
  invoice bigint := case gegenstand when 'rechnung' then positionen_speichern.id end;
  offer bigint := case gegenstand when 'angebot' then positionen_speichern.id end;
  before jsonb;
  after jsonb;
  now_version integer;
  entry jsonb;
  nr bigint;
  feld text;
  row_id bigint;
  kept bigint[] := '{}';
begin
  if jsonb_typeof(positionen_speichern.positionen) is distinct from 'array' then
    perform rechte.refuse_feld('positionen', 'felder', 'a list is expected');
  end if;
  if jsonb_array_length(positionen_speichern.positionen) > 1000 then
    perform rechte.refuse_feld('positionen', 'position_anzahl', 'too many lines');
  end if;
  select coalesce(jsonb_object_agg(p.id, rechte.position_eintrag(p)), '{}') into before
  from app.position p
  where p.rechnung_id = invoice or p.angebot_id = offer;
  for entry, nr in
    select t.entry, t.nr
    from jsonb_array_elements(positionen_speichern.positionen) with ordinality as t(entry, nr)
  loop
    perform rechte.check_felder(
      entry,
      '{id,lfd_nr,rechnung_id,angebot_id,client_id,nr,betrag,gewaehlt,angebot_position_id,art,anzahl,einheit,bez,ep,rabatt_prozent,ust_satz,kategorie,steuergrund,erl,erl_on,erl_titel,le_date,le_date_bis}'
    );
    row_id := nullif(entry ->> 'id', '')::bigint;
    if row_id is not null and (not before ? row_id::text or row_id = any (kept)) then
      raise sqlstate 'PT409' using message = 'a line that is not there any more', hint = 'changed_meanwhile';
    end if;
    begin
      if row_id is null then
        insert into app.position (client_id, rechnung_id, angebot_id, lfd_nr)
        values (positionen_speichern.client_id, invoice, offer, nr)
        returning position.id into row_id;
      end if;
      update app.position p set
        lfd_nr = nr, art = coalesce(entry ->> 'art', 'position'),
        anzahl = coalesce((entry ->> 'anzahl')::numeric, 1),
        einheit = coalesce(btrim(entry ->> 'einheit'), ''), bez = rechte.mehrzeilig(entry ->> 'bez'),
        ep = coalesce((entry ->> 'ep')::numeric, 0),
        rabatt_prozent = coalesce((entry ->> 'rabatt_prozent')::numeric, 0),
        ust_satz = nullif(entry ->> 'ust_satz', '')::numeric, kategorie = nullif(entry ->> 'kategorie', ''),
        steuergrund = coalesce(btrim(entry ->> 'steuergrund'), ''), erl = rechte.mehrzeilig(entry ->> 'erl'),
        erl_on = coalesce((entry ->> 'erl_on')::boolean, true),
        erl_titel = coalesce(btrim(entry ->> 'erl_titel'), ''),
        le_date = nullif(entry ->> 'le_date', '')::date,
        le_date_bis = nullif(entry ->> 'le_date_bis', '')::date
      where p.id = row_id;
    exception
      when check_violation or numeric_value_out_of_range or invalid_text_representation
        or datetime_field_overflow or invalid_datetime_format
      then
        -- Which line it was: the browser shows the fault there.
        get stacked diagnostics feld = constraint_name;
        perform rechte.refuse_feld(
          'positionen', 'position_wert',
          format('line %s: %s', nr, coalesce(
            nullif(replace(replace(feld, 'position_', ''), '_check', ''), ''), sqlerrm
          ))
        );
    end;
    kept := kept || row_id;
  end loop;
  delete from app.position p where (p.rechnung_id = invoice or p.angebot_id = offer) and p.id <> all (kept);
  now_version := rechte.position_ordnen(positionen_speichern.gegenstand, positionen_speichern.id);
  select coalesce(jsonb_object_agg(p.id, rechte.position_eintrag(p)), '{}') into after
  from app.position p
  where p.rechnung_id = invoice or p.angebot_id = offer;
  perform rechte.protokolliere(
    positionen_speichern.gegenstand, positionen_speichern.id, positionen_speichern.client_id, 'positionen',
    jsonb_build_object(
      'vorher', (
        select coalesce(jsonb_object_agg(b.key, b.value), '{}')
        from jsonb_each(before) b
        where b.value is distinct from after -> b.key
      ),
      'nachher', (
        select coalesce(jsonb_object_agg(a.key, a.value), '{}')
        from jsonb_each(after) a
        where a.value is distinct from before -> a.key
      )
    )
  );
  return now_version;
end $$;

create or replace function app.a_save_positions(
  positionen jsonb, rechnung_id bigint default null, angebot_id bigint default null,
  version integer default null
) returns jsonb language plpgsql set search_path = pg_catalog as $$
declare
  doc record;
  now_version integer;
  sums jsonb;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  doc := rechte.position_entwurf(
    a_save_positions.rechnung_id, a_save_positions.angebot_id, a_save_positions.version
  );
  now_version := rechte.positionen_speichern(
    doc.gegenstand, doc.id, doc.client_id, a_save_positions.positionen
  );
  sums := case doc.gegenstand
    when 'rechnung' then (select rechte.rechnung_beleg(r) -> 'summen' from app.rechnung r where r.id = doc.id)
    else (select rechte.angebot_beleg(a) -> 'summen' from app.angebot a where a.id = doc.id)
  end;
  return jsonb_build_object(
    'version', now_version, 'summen', sums,
    'positionen', (
      select coalesce(jsonb_agg(
        to_jsonb(z) - '{rechnung_id_,angebot_id_}'::text[]
        || jsonb_build_object('rechnung_id', z.rechnung_id_, 'angebot_id', z.angebot_id_)
        order by z.lfd_nr
      ), '[]')
      from rechte.position_zeilen(a_save_positions.rechnung_id, a_save_positions.angebot_id) z
    )
  );
end $$;

-- A draft as a whole, all or nothing: the columns that `werte` names, and unless `positionen` is null its
-- lines. Answers the new version.
create or replace function app.a_save_beleg(
  art text, id bigint, werte jsonb, positionen jsonb default null, version integer default null
) returns integer language plpgsql set search_path = pg_catalog as $$
declare
  doc record;
  given jsonb := coalesce(werte, '{}');
  now_version integer;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  if art is null or art not in ('rechnung', 'angebot') then
    perform rechte.refuse_feld('art', 'position_beleg', 'an invoice or an offer');
  end if;
  doc := rechte.position_entwurf(
    case art when 'rechnung' then a_save_beleg.id end, case art when 'angebot' then a_save_beleg.id end,
    a_save_beleg.version
  );
  perform rechte.check_felder(
    given,
    case art
      when 'rechnung' then
        '{bearbeiter,rn_datum,le_date,le_date_bis,anrede,anschreiben,zuerl,ust_satz,zahlungsziel,skonto,rabatt_prozent,rabatt_grund,anzahlung,bestellnummer,format}'
      else
        '{bearbeiter,an_datum,gueltig_bis,anrede,anschreiben,zuerl,ust_satz,chance,rabatt_prozent,rabatt_grund}'
    end::text[]
  );
  if given <> '{}' and art = 'rechnung' then
    now_version := rechte.rechnung_setzen(rechte.rechnung_entwurf(doc.id), given);
  end if;
  if given <> '{}' and art = 'angebot' then
    now_version := rechte.angebot_setzen(rechte.angebot_entwurf(doc.id), given);
  end if;
  if coalesce(jsonb_typeof(a_save_beleg.positionen), 'null') <> 'null' then
    now_version := rechte.positionen_speichern(
      doc.gegenstand, doc.id, doc.client_id, a_save_beleg.positionen
    );
  end if;
  return coalesce(now_version, rechte.position_ordnen(doc.gegenstand, doc.id));
end $$;

do $$
declare entry regprocedure;
begin
  foreach entry in array array[
    'rechte.position_entwurf(bigint, bigint, integer)', 'rechte.position_ordnen(text, bigint)',
    'rechte.position_zeilen(bigint, bigint)', 'rechte.position_eintrag(app.position)',
    'rechte.positionen_speichern(text, bigint, bigint, jsonb)'
  ]::regprocedure[] loop
    execute format('revoke execute on function %s from public', entry);
    execute format('grant execute on function %s to forst_definer', entry);
  end loop;
  foreach entry in array array[
    'app.a_get_invoice_positions(bigint)', 'app.a_get_offer_positions(bigint)',
    'app.a_insert_position(numeric, text, text, numeric, integer, bigint, bigint, text, boolean, text, text, numeric, numeric, text, text)',
    'app.a_update_position(bigint, numeric, text, text, numeric, integer, bigint, bigint, text, boolean, text, text, numeric, numeric, text, text)',
    'app.a_delete_position(bigint)', 'app.a_reorder_positions(bigint[], bigint, bigint, integer)',
    'app.a_save_positions(jsonb, bigint, bigint, integer)',
    'app.a_save_beleg(text, bigint, jsonb, jsonb, integer)'
  ]::regprocedure[] loop
    perform rechte.define(entry);
    execute format('grant execute on function %s to nutzer', entry);
  end loop;
end $$;
