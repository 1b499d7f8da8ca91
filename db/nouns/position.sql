-- Positions of drafts: one at a time, as the specification's calls do it, or the whole list in one
-- transaction. Numbers are 1, 2, 3 … after each. For apus_admin; every write is a definer, because nobody has
-- a grant to write.

-- The draft that a position belongs to, locked. Exactly one of the two is named.
create or replace function books.position_draft(
  rechnung_id bigint, angebot_id bigint, version integer default null, out client_id bigint,
  out gegenstand text, out id bigint
) language plpgsql set search_path = pg_catalog as $$
declare
  invoice app.rechnung;
  offer app.angebot;
begin
  if (position_draft.rechnung_id is null) = (position_draft.angebot_id is null) then
    perform checks.refuse_field('rechnung_id', 'position_beleg', 'an invoice or an offer');
  end if;
  if position_draft.rechnung_id is not null then
    invoice := books.rechnung_draft(position_draft.rechnung_id, position_draft.version);
    perform books.check_no_korrektur(invoice);
    client_id := invoice.client_id;
    gegenstand := 'rechnung';
    id := invoice.id;
  else
    offer := books.angebot_draft(position_draft.angebot_id, position_draft.version);
    client_id := offer.client_id;
    gegenstand := 'angebot';
    id := offer.id;
  end if;
end $$;
grant execute on function books.position_draft(bigint, bigint, integer) to forst_definer;

-- Numbers the lines and updates the sums. Returns the document's version.
create or replace function books.renumber_positions(gegenstand text, id bigint)
  returns integer language plpgsql set search_path = pg_catalog as $$
begin
  update app.position p set lfd_nr = o.nr
  from (
    select q.id, row_number() over (order by q.lfd_nr, q.id) as nr
    from app.position q
    where case gegenstand
      when 'rechnung' then q.rechnung_id = renumber_positions.id
      else q.angebot_id = renumber_positions.id
    end
  ) o
  where o.id = p.id and p.lfd_nr <> o.nr;
  return case gegenstand
    when 'rechnung' then books.compute_rechnung(renumber_positions.id)
    else books.compute_angebot(renumber_positions.id)
  end;
end $$;
grant execute on function books.renumber_positions(text, bigint) to forst_definer;

-- A line as the procedures answer it: decimals as text, number and amount as in the document.
create or replace function books.position_lines(rechnung_id bigint, angebot_id bigint)
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
    where r.id = position_lines.rechnung_id
    union all
    select jsonb_build_object(
      'rabatt_prozent', a.rabatt_prozent, 'ust_satz', a.ust_satz, 'anzahlung', 0, 'kleinunternehmer', false
    )
    from app.angebot a
    where a.id = position_lines.angebot_id
  ),
  zeilen as (
    select t.zeile, t.nr
    from kopf,
      jsonb_array_elements(
        books.beleg_sums(
          kopf.kopf, books.beleg_lines(position_lines.rechnung_id, position_lines.angebot_id)
        ) -> 'zeilen'
      ) with ordinality as t(zeile, nr)
  )
  select p.id, p.rechnung_id, p.angebot_id, p.lfd_nr, p.art, z.zeile ->> 'nr', books.decimal_text(p.anzahl),
    p.einheit, p.bez, books.decimal_text(p.ep, 2), p.rabatt_prozent::text, p.ust_satz::text, p.kategorie,
    p.steuergrund, p.erl, p.erl_on, p.erl_titel, p.le_date, p.le_date_bis, p.angebot_position_id, p.gewaehlt,
    z.zeile ->> 'betrag'
  from (
    select q.*, row_number() over (order by q.lfd_nr, q.id) as platz
    from app.position q
    where q.rechnung_id = position_lines.rechnung_id or q.angebot_id = position_lines.angebot_id
  ) p
    join zeilen z on z.nr = p.platz
  order by p.platz
$$;
grant execute on function books.position_lines(bigint, bigint) to forst_definer;

create or replace function app.a_get_invoice_positions(invoice_id bigint)
  returns table (
    id bigint, rechnung_id bigint, angebot_id bigint, lfd_nr integer, art text, nr text, anzahl text,
    einheit text, bez text, ep text, rabatt_prozent text, ust_satz text, kategorie text, steuergrund text,
    erl text, erl_on boolean, erl_titel text, le_date date, le_date_bis date, angebot_position_id bigint,
    gewaehlt boolean, betrag text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.reads_books(exists (
    select from app.rechnung r
    where r.id = a_get_invoice_positions.invoice_id and r.beleg is not null
  )));
  return query select * from books.position_lines(a_get_invoice_positions.invoice_id, null);
end $$;
select rights.define('app.a_get_invoice_positions(bigint)');
grant execute on function app.a_get_invoice_positions(bigint) to nutzer;
create or replace function app.a_get_offer_positions(offer_id bigint)
  returns table (
    id bigint, rechnung_id bigint, angebot_id bigint, lfd_nr integer, art text, nr text, anzahl text,
    einheit text, bez text, ep text, rabatt_prozent text, ust_satz text, kategorie text, steuergrund text,
    erl text, erl_on boolean, erl_titel text, le_date date, le_date_bis date, angebot_position_id bigint,
    gewaehlt boolean, betrag text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.reads_books(exists (
    select from app.angebot a
    where a.id = a_get_offer_positions.offer_id and a.beleg is not null
  )));
  return query select * from books.position_lines(null, a_get_offer_positions.offer_id);
end $$;
select rights.define('app.a_get_offer_positions(bigint)');
grant execute on function app.a_get_offer_positions(bigint) to nutzer;

-- Null means: erl empty, erl_on true, erl_titel empty. Without lfd_nr the line comes last; with one that is
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
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  doc := books.position_draft(a_insert_position.rechnung_id, a_insert_position.angebot_id);
  select coalesce(max(p.lfd_nr), 0) into last
  from app.position p
  where p.rechnung_id = a_insert_position.rechnung_id or p.angebot_id = a_insert_position.angebot_id;
  if last >= 1000 then perform checks.refuse_field('positionen', 'position_anzahl', 'too many lines'); end if;
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
    coalesce(btrim(a_insert_position.einheit), ''), books.multiline(a_insert_position.bez),
    a_insert_position.ep, coalesce(a_insert_position.rabatt_prozent, 0), a_insert_position.ust_satz,
    nullif(a_insert_position.kategorie, ''), coalesce(btrim(a_insert_position.steuergrund), ''),
    books.multiline(a_insert_position.erl), coalesce(a_insert_position.erl_on, true),
    coalesce(btrim(a_insert_position.erl_titel), '')
  )
  returning * into made;
  perform books.renumber_positions(doc.gegenstand, doc.id);
  perform books.record(doc.gegenstand, doc.id, doc.client_id, 'position_neu', books.position_entry(made));
  return made.id;
end $$;
select rights.define(
  'app.a_insert_position(numeric, text, text, numeric, integer, bigint, bigint, text, boolean,
    text, text, numeric, numeric, text, text)'
);
grant execute on function app.a_insert_position(
  numeric, text, text, numeric, integer, bigint, bigint, text, boolean, text, text, numeric, numeric, text,
  text
) to nutzer;

-- What the audit chain keeps of a line.
create or replace function books.position_entry(p app.position)
  returns jsonb language sql immutable set search_path = pg_catalog as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'id', p.id, 'lfd_nr', p.lfd_nr, 'art', p.art, 'bez', p.bez, 'anzahl', p.anzahl::text,
    'einheit', p.einheit, 'ep', p.ep::text, 'rabatt_prozent', p.rabatt_prozent::text,
    'ust_satz', p.ust_satz::text, 'kategorie', p.kategorie
  ))
$$;
grant execute on function books.position_entry(app.position) to forst_definer;

-- As app.a_insert_position. Kind, discount, rate and dates stay as they are unless given. The document of a
-- line does not change.
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
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  select p.* into before from app.position p where p.id = a_update_position.id;
  perform rights.check_found(
    found
    and (a_update_position.rechnung_id = before.rechnung_id) is not false
    and (a_update_position.angebot_id = before.angebot_id) is not false
  );
  doc := books.position_draft(before.rechnung_id, before.angebot_id);
  -- The lines between the old place and the new one make room.
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
    bez = books.multiline(a_update_position.bez), ep = a_update_position.ep,
    lfd_nr = greatest(coalesce(a_update_position.lfd_nr, p.lfd_nr), 1),
    erl = books.multiline(a_update_position.erl), erl_on = coalesce(a_update_position.erl_on, true),
    erl_titel = coalesce(btrim(a_update_position.erl_titel), ''),
    art = coalesce(a_update_position.art, p.art),
    rabatt_prozent = coalesce(a_update_position.rabatt_prozent, p.rabatt_prozent),
    ust_satz = coalesce(a_update_position.ust_satz, p.ust_satz),
    kategorie = coalesce(nullif(a_update_position.kategorie, ''), p.kategorie),
    steuergrund = coalesce(btrim(a_update_position.steuergrund), p.steuergrund)
  where p.id = before.id
  returning * into after;
  perform books.renumber_positions(doc.gegenstand, doc.id);
  perform books.record(
    doc.gegenstand, doc.id, doc.client_id, 'position_geaendert',
    jsonb_build_object('id', after.id) || history.difference(to_jsonb(before), to_jsonb(after))
  );
  return after.id;
end $$;
select rights.define(
  'app.a_update_position(bigint, numeric, text, text, numeric, integer, bigint, bigint, text,
    boolean, text, text, numeric, numeric, text, text)'
);
grant execute on function app.a_update_position(
  bigint, numeric, text, text, numeric, integer, bigint, bigint, text, boolean, text, text, numeric, numeric,
  text, text
) to nutzer;

create or replace function app.a_delete_position(position_id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
declare
  before app.position;
  doc record;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  select p.* into before from app.position p where p.id = a_delete_position.position_id;
  perform rights.check_found(found);
  doc := books.position_draft(before.rechnung_id, before.angebot_id);
  delete from app.position p where p.id = before.id;
  perform books.renumber_positions(doc.gegenstand, doc.id);
  perform books.record(
    doc.gegenstand, doc.id, doc.client_id, 'position_geloescht', books.position_entry(before)
  );
end $$;
select rights.define('app.a_delete_position(bigint)');
grant execute on function app.a_delete_position(bigint) to nutzer;

-- All lines of a document in their new order, each once.
create or replace function app.a_reorder_positions(
  positionen bigint[], rechnung_id bigint default null, angebot_id bigint default null,
  version integer default null
) returns integer language plpgsql set search_path = pg_catalog as $$
declare
  doc record;
  now_version integer;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  doc := books.position_draft(
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
  now_version := books.renumber_positions(doc.gegenstand, doc.id);
  perform books.record(
    doc.gegenstand, doc.id, doc.client_id, 'positionen_geordnet',
    jsonb_build_object('positionen', to_jsonb(a_reorder_positions.positionen))
  );
  return now_version;
end $$;
select rights.define('app.a_reorder_positions(bigint[], bigint, bigint, integer)');
grant execute on function app.a_reorder_positions(bigint[], bigint, bigint, integer) to nutzer;

-- The whole list as it should be, in order: lines with an id are changed, lines without are added, missing
-- ones are deleted. Fields that a line does not name take their default; the reference to a line of an offer
-- stays. Returns the document's version.
create or replace function books.save_positions(gegenstand text, id bigint, client_id bigint, positions jsonb)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  invoice bigint := case gegenstand when 'rechnung' then save_positions.id end;
  offer bigint := case gegenstand when 'angebot' then save_positions.id end;
  before jsonb;
  after jsonb;
  now_version integer;
  entry jsonb;
  nr bigint;
  field text;
  row_id bigint;
  kept bigint[] := '{}';
begin
  if jsonb_typeof(save_positions.positions) is distinct from 'array' then
    perform checks.refuse_field('positionen', 'felder', 'a list is expected');
  end if;
  if jsonb_array_length(save_positions.positions) > 1000 then
    perform checks.refuse_field('positionen', 'position_anzahl', 'too many lines');
  end if;
  select coalesce(jsonb_object_agg(p.id, books.position_entry(p)), '{}') into before
  from app.position p
  where p.rechnung_id = invoice or p.angebot_id = offer;
  for entry, nr in
    select t.entry, t.nr
    from jsonb_array_elements(save_positions.positions) with ordinality as t(entry, nr)
  loop
    perform checks.check_fields(
      entry,
      '{id,lfd_nr,rechnung_id,angebot_id,client_id,nr,betrag,gewaehlt,angebot_position_id,art,anzahl,
        einheit,bez,ep,rabatt_prozent,ust_satz,kategorie,steuergrund,erl,erl_on,erl_titel,le_date,
        le_date_bis}'
    );
    row_id := nullif(entry ->> 'id', '')::bigint;
    if row_id is not null and (not before ? row_id::text or row_id = any (kept)) then
      raise sqlstate 'PT409' using message = 'a line that is not there any more', hint = 'changed_meanwhile';
    end if;
    begin
      if row_id is null then
        insert into app.position (client_id, rechnung_id, angebot_id, lfd_nr)
        values (save_positions.client_id, invoice, offer, nr)
        returning position.id into row_id;
      end if;
      update app.position p set
        lfd_nr = nr, art = coalesce(entry ->> 'art', 'position'),
        anzahl = coalesce((entry ->> 'anzahl')::numeric, 1),
        einheit = coalesce(btrim(entry ->> 'einheit'), ''), bez = books.multiline(entry ->> 'bez'),
        ep = coalesce((entry ->> 'ep')::numeric, 0),
        rabatt_prozent = coalesce((entry ->> 'rabatt_prozent')::numeric, 0),
        ust_satz = nullif(entry ->> 'ust_satz', '')::numeric, kategorie = nullif(entry ->> 'kategorie', ''),
        steuergrund = coalesce(btrim(entry ->> 'steuergrund'), ''), erl = books.multiline(entry ->> 'erl'),
        erl_on = coalesce((entry ->> 'erl_on')::boolean, true),
        erl_titel = coalesce(btrim(entry ->> 'erl_titel'), ''),
        le_date = nullif(entry ->> 'le_date', '')::date,
        le_date_bis = nullif(entry ->> 'le_date_bis', '')::date
      where p.id = row_id;
    exception
      when check_violation or numeric_value_out_of_range or invalid_text_representation
        or datetime_field_overflow or invalid_datetime_format
      then
        -- Names the line, so that the browser shows the fault there.
        get stacked diagnostics field = constraint_name;
        perform checks.refuse_field(
          'positionen', 'position_wert',
          format('line %s: %s', nr, coalesce(
            nullif(replace(replace(field, 'position_', ''), '_check', ''), ''), sqlerrm
          ))
        );
    end;
    kept := kept || row_id;
  end loop;
  delete from app.position p where (p.rechnung_id = invoice or p.angebot_id = offer) and p.id <> all (kept);
  now_version := books.renumber_positions(save_positions.gegenstand, save_positions.id);
  select coalesce(jsonb_object_agg(p.id, books.position_entry(p)), '{}') into after
  from app.position p
  where p.rechnung_id = invoice or p.angebot_id = offer;
  perform books.record(
    save_positions.gegenstand, save_positions.id, save_positions.client_id, 'positionen',
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
grant execute on function books.save_positions(text, bigint, bigint, jsonb) to forst_definer;

create or replace function app.a_save_positions(
  positionen jsonb, rechnung_id bigint default null, angebot_id bigint default null,
  version integer default null
) returns jsonb language plpgsql set search_path = pg_catalog as $$
declare
  doc record;
  now_version integer;
  sums jsonb;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  doc := books.position_draft(
    a_save_positions.rechnung_id, a_save_positions.angebot_id, a_save_positions.version
  );
  now_version := books.save_positions(doc.gegenstand, doc.id, doc.client_id, a_save_positions.positionen);
  sums := case doc.gegenstand
    when 'rechnung' then (select books.rechnung_beleg(r) -> 'summen' from app.rechnung r where r.id = doc.id)
    else (select books.angebot_beleg(a) -> 'summen' from app.angebot a where a.id = doc.id)
  end;
  return jsonb_build_object(
    'version', now_version, 'summen', sums,
    'positionen', (
      select coalesce(jsonb_agg(
        to_jsonb(z) - '{rechnung_id_,angebot_id_}'::text[]
        || jsonb_build_object('rechnung_id', z.rechnung_id_, 'angebot_id', z.angebot_id_)
        order by z.lfd_nr
      ), '[]')
      from books.position_lines(a_save_positions.rechnung_id, a_save_positions.angebot_id) z
    )
  );
end $$;
select rights.define('app.a_save_positions(jsonb, bigint, bigint, integer)');
grant execute on function app.a_save_positions(jsonb, bigint, bigint, integer) to nutzer;

-- Saves a draft in one transaction: the columns that `werte` names and, unless `positionen` is null, its
-- lines. Returns the new version.
create or replace function app.a_save_beleg(
  art text, id bigint, werte jsonb, positionen jsonb default null, version integer default null
) returns integer language plpgsql set search_path = pg_catalog as $$
declare
  doc record;
  given jsonb := coalesce(werte, '{}');
  now_version integer;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  if art is null or art not in ('rechnung', 'angebot') then
    perform checks.refuse_field('art', 'position_beleg', 'an invoice or an offer');
  end if;
  doc := books.position_draft(
    case art when 'rechnung' then a_save_beleg.id end, case art when 'angebot' then a_save_beleg.id end,
    a_save_beleg.version
  );
  perform checks.check_fields(
    given,
    case art
      when 'rechnung' then
        '{bearbeiter,rn_datum,le_date,le_date_bis,anrede,anschreiben,zuerl,ust_satz,zahlungsziel,skonto,
          rabatt_prozent,rabatt_grund,anzahlung,bestellnummer,format,leistungsort,leistungsland,kaeufer_ref,
          projekt_nr,vertrag_nr,vergabe_nr,objekt_nr}'
      else
        '{bearbeiter,an_datum,gueltig_bis,anrede,anschreiben,zuerl,ust_satz,chance,rabatt_prozent,
          rabatt_grund,leistungsort,leistungsland,kaeufer_ref,projekt_nr,vertrag_nr,vergabe_nr,objekt_nr}'
    end::text[]
  );
  if given <> '{}' and art = 'rechnung' then
    now_version := books.set_rechnung(books.rechnung_draft(doc.id), given);
  end if;
  if given <> '{}' and art = 'angebot' then
    now_version := books.set_angebot(books.angebot_draft(doc.id), given);
  end if;
  if coalesce(jsonb_typeof(a_save_beleg.positionen), 'null') <> 'null' then
    now_version := books.save_positions(doc.gegenstand, doc.id, doc.client_id, a_save_beleg.positionen);
  end if;
  return coalesce(now_version, books.renumber_positions(doc.gegenstand, doc.id));
end $$;
select rights.define('app.a_save_beleg(text, bigint, jsonb, jsonb, integer)');
grant execute on function app.a_save_beleg(text, bigint, jsonb, jsonb, integer) to nutzer;
