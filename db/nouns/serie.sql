-- Recurring invoices: a template with its rhythm, the periods that are due, and the drafts made of them.
-- Nothing is issued here: apus_admin makes the drafts of a preview, and they go the ordinary way. The periods
-- are computed here alone, tested with domain/serie.cases.json; reasons: docs/decisions/serie.md.

do $$
declare relation regclass;
begin
  foreach relation in array array['app.serie', 'app.serie_lauf']::regclass[] loop
    perform rights.protect(relation);
    execute format('grant select, insert, update, delete on %s to forst_definer', relation);
    execute format('grant select on %s to nutzer', relation);
    execute format(
      $p$create policy buchhaltung on %s for select to nutzer
        using ((select rights.has_role('apus_admin')))$p$,
      relation
    );
  end loop;
end $$;

-- Both under the number of the series.
select history.watch('app.serie', 'id', true);
select history.watch('app.serie_lauf', 'serie_id', false);
create policy serie on app.verlauf for select to nutzer
  using (tabelle in ('serie', 'serie_lauf') and (select rights.has_role('apus_admin')));
-- As with templates: hidden from the forest half's admins.
create policy serie_allein on app.verlauf as restrictive for select to nutzer
  using (tabelle not in ('serie', 'serie_lauf') or (select rights.has_role('apus_admin')));

create or replace function books.refuse_serie(rule text, titel text default '')
  returns void language plpgsql immutable set search_path = pg_catalog as $$
begin
  raise sqlstate 'PT409'
    using message = 'recurring invoices', hint = rule,
      detail = jsonb_build_object('titel', refuse_serie.titel)::text;
end $$;
grant execute on function books.refuse_serie(text, text) to forst_definer;

-- Periods ---------------------------------------------------------------------------------------------------

-- The periods that begin by a day. Each begins in its month on the day of the first one, or on the month's
-- last day if it has no such day: counted from the first one, so that 31 January is followed by 28 February
-- and 31 March. The last one ends with the series.
create or replace function books.serie_periods(
  monate integer, beginn date, ende date, anzahl integer, until date
) returns table (nr integer, von date, bis date) language sql immutable parallel safe
  set search_path = pg_catalog as $$
  select k + 1, p.von, least(p.danach - 1, serie_periods.ende)
  from (select least(serie_periods.until, serie_periods.ende) as tag) l
    cross join lateral generate_series(0, least(
      coalesce(serie_periods.anzahl, 1200) - 1,
      (
        12 * (extract(year from l.tag) - extract(year from serie_periods.beginn))
        + extract(month from l.tag)
        - extract(month from serie_periods.beginn)
      )::integer / serie_periods.monate,
      1199
    )) k
    cross join lateral (
      select (serie_periods.beginn + make_interval(months => k * serie_periods.monate))::date as von,
        (serie_periods.beginn + make_interval(months => (k + 1) * serie_periods.monate))::date as danach
    ) p
  where p.von <= l.tag
  order by k
$$;
grant execute on function books.serie_periods(integer, date, date, integer, date) to nutzer, forst_definer;

-- A period in words: whole months, quarters, half-years and years by name, others by their days.
create or replace function books.period_text(von date, bis date)
  returns text language sql stable set search_path = pg_catalog as $$
  select case
    when not whole then to_char(von, 'DD.MM.YYYY') || ' bis ' || to_char(bis, 'DD.MM.YYYY')
    when months = 1 then first || ' ' || year
    when months = 3 and month % 3 = 1 then month / 3 + 1 || '. Quartal ' || year
    when months = 6 and month % 6 = 1 then month / 6 + 1 || '. Halbjahr ' || year
    when months = 12 and month = 1 then year::text
    else first || ' ' || year || ' bis ' || last || ' ' || last_year
  end
  from (
    select extract(day from von) = 1 and extract(day from bis + 1) = 1 as whole,
      extract(month from von)::integer as month, extract(year from von)::integer as year,
      extract(year from bis)::integer as last_year,
      (
        12 * (extract(year from bis) - extract(year from von))
        + extract(month from bis)
        - extract(month from von)
        + 1
      )::integer as months,
      names[extract(month from von)::integer] as first, names[extract(month from bis)::integer] as last
    from (
      select '{Januar,Februar,März,April,Mai,Juni,Juli,August,September,Oktober,November,Dezember}'::text[]
        as names
    ) n
  ) x
$$;
grant execute on function books.period_text(date, date) to nutzer, forst_definer;

create or replace function books.fill_period(text text, von date, bis date)
  returns text language sql stable set search_path = pg_catalog as $$
  select replace(
    replace(
      replace(
        replace(fill_period.text, '{zeitraum}', books.period_text(von, bis)), '{von}',
        to_char(von, 'DD.MM.YYYY')
      ),
      '{bis}', to_char(bis, 'DD.MM.YYYY')
    ),
    '{jahr}', to_char(von, 'YYYY')
  )
$$;
grant execute on function books.fill_period(text, date, date) to forst_definer;

-- The day on which the next period is due that has no draft and was not left out; null: there is none.
create or replace function books.serie_next(s app.serie)
  returns date language sql stable set search_path = pg_catalog as $$
  select case s.faellig_am when 'beginn' then p.von else least(p.danach - 1, s.ende) end
  from generate_series(1, least(
    coalesce(s.anzahl, 1200), 1200,
    1 + (select count(*) from app.serie_lauf l where l.serie_id = s.id)::integer
  )) g(nr)
    cross join lateral (
      select (s.beginn + make_interval(months => (g.nr - 1) * s.monate))::date as von,
        (s.beginn + make_interval(months => g.nr * s.monate))::date as danach
    ) p
  where not exists (select from app.serie_lauf l where l.serie_id = s.id and l.nr = g.nr)
    and (s.ende is null or p.von <= s.ende)
  order by g.nr limit 1
$$;
grant execute on function books.serie_next(app.serie) to forst_definer;

-- Definer: also for the server's own work. Keeps that day, so that what is due is found without the periods
-- of every series.
create or replace function books.keep_serie_next()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  new.naechste := books.serie_next(new);
  return new;
end $$;
select rights.define('books.keep_serie_next()');
create or replace trigger c_naechste before insert or update of monate, beginn, ende, anzahl, faellig_am
  on app.serie
  for each row execute function books.keep_serie_next();
-- Definer: a draft that is discarded takes its period with it, no matter who discards it.
create or replace function books.keep_next_of_serie()
  returns trigger language plpgsql set search_path = pg_catalog as $$
declare run app.serie_lauf := case tg_op when 'DELETE' then old else new end;
begin
  update app.serie s set naechste = books.serie_next(s) where s.id = run.serie_id;
  return null;
end $$;
select rights.define('books.keep_next_of_serie()');
create or replace trigger c_naechste after insert or delete or update of nr on app.serie_lauf
  for each row execute function books.keep_next_of_serie();

-- What is due by a day: periods of active series without a draft that nobody has left out.
create or replace function books.serie_due(tag date)
  returns table (serie_id bigint, nr integer, von date, bis date, faellig date)
  language sql stable rows 20 set search_path = pg_catalog as $$
  select s.id, p.nr, p.von, p.bis, f.faellig
  from app.serie s
    cross join lateral books.serie_periods(s.monate, s.beginn, s.ende, s.anzahl, serie_due.tag) p
    cross join lateral (select case s.faellig_am when 'beginn' then p.von else p.bis end as faellig) f
  where s.zustand = 'aktiv'
    and s.naechste <= serie_due.tag
    and f.faellig <= serie_due.tag
    -- An expression: `not exists` would be answered by reading all of them once.
    and (select true from app.serie_lauf l where l.serie_id = s.id and l.nr = p.nr limit 1) is null
$$;
grant execute on function books.serie_due(date) to nutzer, forst_definer;

-- The template ----------------------------------------------------------------------------------------------

-- Columns of an invoice that a template keeps, without those that are empty.
create or replace function books.serie_head(r jsonb)
  returns jsonb language sql immutable set search_path = pg_catalog as $$
  select coalesce(jsonb_object_agg(e.key, e.value), '{}')
  from jsonb_each(r) e
  where e.key = any (
      '{anrede,anschreiben,zuerl,ust_satz,zahlungsziel,skonto,rabatt_prozent,rabatt_grund,bestellnummer,
        format,leistungsort,leistungsland,kaeufer_ref,projekt_nr,vertrag_nr,vergabe_nr,objekt_nr}'::text[]
    )
    and e.value not in ('null', '""')
$$;
grant execute on function books.serie_head(jsonb) to forst_definer;

-- The lines of an invoice as a template keeps them: without their days, which are those of the period.
create or replace function books.serie_template(rechnung_id bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select coalesce(
    jsonb_agg(p - '{id,lfd_nr,le_date,le_date_bis,gewaehlt,korrigiert}'::text[] order by nr), '[]'
  )
  from jsonb_array_elements(books.beleg_lines(serie_template.rechnung_id, null)) with ordinality as t(p, nr)
$$;
grant execute on function books.serie_template(bigint) to forst_definer;

-- The invoice of a period as it would be inserted, and its lines.
create or replace function books.serie_rechnung(s app.serie, von date, bis date)
  returns app.rechnung language sql stable set search_path = pg_catalog as $$
  select jsonb_populate_record(
    null::app.rechnung,
    '{"id": 0, "art": "rechnung", "zustand": "entwurf", "anrede": "", "anschreiben": "", "zuerl": "",
      "rabatt_prozent": 0, "rabatt_grund": "", "anzahlung": 0}'::jsonb
      || s.kopf
      || (
        select coalesce(jsonb_object_agg(e.key, books.fill_period(e.value #>> '{}', von, bis)), '{}')
        from jsonb_each(s.kopf) e
        where e.key in ('anrede', 'anschreiben', 'zuerl')
      ) || jsonb_build_object(
      'client_id', s.client_id, 'bearbeiter', books.clerk(), 'rn_datum', checks.today(), 'le_date', von,
      'le_date_bis', nullif(bis, von),
      'ust_satz', coalesce((s.kopf ->> 'ust_satz')::numeric, books.usual_ust())
    )
  )
$$;
grant execute on function books.serie_rechnung(app.serie, date, date) to forst_definer;
create or replace function books.serie_lines(s app.serie, von date, bis date)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select coalesce(jsonb_agg(
    p || jsonb_build_object(
      'id', nr::text, 'lfd_nr', nr, 'bez', books.fill_period(p ->> 'bez', von, bis),
      'erl_titel', books.fill_period(p ->> 'erl_titel', von, bis),
      'erl', books.fill_period(p ->> 'erl', von, bis), 'le_date', null, 'le_date_bis', null, 'gewaehlt', false
    ) order by nr
  ), '[]')
  from jsonb_array_elements(s.positionen) with ordinality as t(p, nr)
$$;
grant execute on function books.serie_lines(app.serie, date, date) to forst_definer;

-- The draft of a period.
create or replace function books.add_serie_draft(s app.serie, von date, bis date)
  returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  head app.rechnung := books.serie_rechnung(s, von, bis);
  made bigint;
begin
  insert into app.rechnung (
    client_id, bearbeiter, le_date, le_date_bis, rn_datum, anrede, anschreiben, zuerl, ust_satz, zahlungsziel,
    skonto, rabatt_prozent, rabatt_grund, bestellnummer, format, leistungsort, leistungsland, kaeufer_ref,
    projekt_nr, vertrag_nr, vergabe_nr, objekt_nr
  )
  values (
    head.client_id, head.bearbeiter, head.le_date, head.le_date_bis, head.rn_datum, head.anrede,
    head.anschreiben, head.zuerl, head.ust_satz, head.zahlungsziel, head.skonto, head.rabatt_prozent,
    head.rabatt_grund, head.bestellnummer, head.format, head.leistungsort, head.leistungsland,
    head.kaeufer_ref, head.projekt_nr, head.vertrag_nr, head.vergabe_nr, head.objekt_nr
  )
  returning rechnung.id into made;
  insert into app.position (
    client_id, rechnung_id, lfd_nr, art, anzahl, einheit, bez, ep, rabatt_prozent, ust_satz, kategorie,
    steuergrund, erl, erl_on, erl_titel
  )
  select head.client_id, made, p.lfd_nr, p.art, p.anzahl, p.einheit, p.bez, p.ep, p.rabatt_prozent,
    p.ust_satz, p.kategorie, p.steuergrund, p.erl, p.erl_on, p.erl_titel
  from jsonb_populate_recordset(null::app.position, books.serie_lines(s, von, bis)) p;
  perform books.compute_rechnung(made);
  return made;
end $$;
grant execute on function books.add_serie_draft(app.serie, date, date) to forst_definer;

-- Only the words that a period fills in; braces around anything but a word stay as they are.
create or replace function books.check_serie_text(field text, value text)
  returns void language plpgsql immutable set search_path = pg_catalog as $$
begin
  perform checks.check_value(
    regexp_replace(coalesce(value, ''), '\{(zeitraum|von|bis|jahr)\}', '', 'g') !~* '\{[a-zäöüß_]+\}', field,
    'serie_platzhalter'
  );
end $$;
grant execute on function books.check_serie_text(text, text) to forst_definer;

-- The template is saved as a draft and taken back: what a draft refuses, the template refuses with the same
-- words, before and after a period is filled in. Returns it as the draft has kept it, with its sums.
create or replace function books.tried_serie(s app.serie)
  returns app.serie language plpgsql set search_path = pg_catalog as $$
declare
  draft app.rechnung;
  line record;
begin
  perform books.check_serie_text(e.key, e.value #>> '{}')
  from jsonb_each(s.kopf) e
  where e.key in ('anrede', 'anschreiben', 'zuerl');
  begin
    insert into app.rechnung (client_id, rn_datum, ust_satz)
    values (s.client_id, checks.today(), books.usual_ust())
    returning * into draft;
    perform books.set_rechnung(draft, s.kopf);
    perform books.save_positions('rechnung', draft.id, s.client_id, s.positionen);
    select r.* into draft from app.rechnung r where r.id = draft.id;
    s.kopf := books.serie_head(to_jsonb(draft));
    s.positionen := books.serie_template(draft.id);
    s.netto := draft.netto;
    s.brutto := draft.brutto;
    perform books.add_serie_draft(s, p.von, p.bis)
    from books.serie_periods(s.monate, s.beginn, s.ende, 1, s.beginn) p;
    raise sqlstate 'ZZ001';
  exception
    when sqlstate 'ZZ001' then null;
  end;
  for line in
    select nr, p ->> 'bez' as bez, p ->> 'erl' as erl, p ->> 'erl_titel' as erl_titel
    from jsonb_array_elements(s.positionen) with ordinality as t(p, nr)
    order by nr
  loop
    perform books.check_serie_text('positionen', line.bez || ' ' || line.erl_titel || ' ' || line.erl);
  end loop;
  return s;
end $$;
grant execute on function books.tried_serie(app.serie) to forst_definer;

-- A plain invoice or its draft, as the template of a series.
create or replace function books.serie_source(rechnung_id bigint, client_id bigint default null)
  returns app.rechnung language plpgsql stable set search_path = pg_catalog as $$
declare source app.rechnung;
begin
  select r.* into source from app.rechnung r where r.id = serie_source.rechnung_id;
  perform rights.check_found(found);
  if source.art <> 'rechnung' then perform books.refuse_serie('serie_quelle'); end if;
  if source.client_id <> serie_source.client_id then perform books.refuse_serie('serie_kunde'); end if;
  return source;
end $$;
grant execute on function books.serie_source(bigint, bigint) to forst_definer;

-- The row with what `werte` names; the rest stays. `rechnung_id`: its texts and lines become the template.
create or replace function books.changed_serie(before app.serie, werte jsonb)
  returns app.serie language plpgsql set search_path = pg_catalog as $$
declare
  given app.serie;
  source app.rechnung;
  last app.serie_lauf;
begin
  perform checks.check_fields(
    werte, '{titel,monate,beginn,ende,anzahl,faellig_am,zustand,kopf,positionen,rechnung_id}'
  );
  given := jsonb_populate_record(before, werte - 'kopf');
  given.titel := btrim(given.titel);
  perform checks.check_value(coalesce(given.titel, '') <> '', 'titel', 'fehlt'),
    checks.check_value(checks.is_line(given.titel, 100), 'titel', 'zeile_100'),
    checks.check_value(given.beginn is not null, 'beginn', 'fehlt'),
    checks.check_value(coalesce(given.monate in (1, 3, 6, 12), false), 'monate', 'serie_rhythmus'),
    checks.check_value(given.beginn between '2000-01-01' and '2199-12-31', 'beginn', 'serie_tag'),
    checks.check_value(
      given.ende is null or given.ende between '2000-01-01' and '2199-12-31', 'ende', 'serie_tag'
    ),
    checks.check_value(given.ende is null or given.ende >= given.beginn, 'ende', 'serie_ende_beginn'),
    checks.check_value(given.anzahl is null or given.anzahl between 1 and 1200, 'anzahl', 'serie_anzahl'),
    checks.check_value(coalesce(given.faellig_am in ('beginn', 'ende'), false), 'faellig_am', 'felder'),
    checks.check_value(coalesce(given.zustand in ('aktiv', 'pausiert'), false), 'zustand', 'felder');
  -- What has been billed keeps its number and its days.
  select l.* into last
  from app.serie_lauf l
  where l.serie_id = before.id
  order by l.nr desc limit 1;
  if found then
    perform checks.check_value(given.monate = before.monate, 'monate', 'serie_begonnen'),
      checks.check_value(given.beginn = before.beginn, 'beginn', 'serie_begonnen'),
      checks.check_value(given.ende is null or given.ende >= last.bis, 'ende', 'serie_ende'),
      checks.check_value(given.anzahl is null or given.anzahl >= last.nr, 'anzahl', 'serie_anzahl_lauf');
  end if;
  if werte ? 'rechnung_id' then
    source := books.serie_source((werte ->> 'rechnung_id')::bigint, before.client_id);
    given.kopf := books.serie_head(to_jsonb(source));
    given.positionen := books.serie_template(source.id);
  end if;
  if werte ? 'positionen' then given.positionen := werte -> 'positionen'; end if;
  if werte ? 'kopf' then
    perform checks.check_fields(
      werte -> 'kopf',
      '{anrede,anschreiben,zuerl,ust_satz,zahlungsziel,skonto,rabatt_prozent,rabatt_grund,bestellnummer,
        format,leistungsort,leistungsland,kaeufer_ref,projekt_nr,vertrag_nr,vergabe_nr,objekt_nr}'
    );
    given.kopf := given.kopf || (werte -> 'kopf');
  end if;
  if werte ?| '{rechnung_id,positionen,kopf}' then given := books.tried_serie(given); end if;
  return given;
end $$;
grant execute on function books.changed_serie(app.serie, jsonb) to forst_definer;

-- One of them, locked.
create or replace function books.serie_row(id bigint, version integer default null)
  returns app.serie language plpgsql set search_path = pg_catalog as $$
declare s app.serie;
begin
  select x.* into s from app.serie x where x.id = serie_row.id for update;
  perform rights.check_found(found);
  perform checks.check_version(serie_row.version, s.version);
  return s;
end $$;
grant execute on function books.serie_row(bigint, integer) to forst_definer;

-- Definer, as all that writes the books. A series whose template is an invoice or a draft; `werte` replaces
-- what of it should be different.
create or replace function app.a_add_serie(invoice_id bigint, werte jsonb)
  returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  source app.rechnung;
  blank app.serie;
  given app.serie;
  made bigint;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  source := books.serie_source(a_add_serie.invoice_id);
  perform books.beleg_kunde(source.client_id);
  blank.client_id := source.client_id;
  blank.faellig_am := 'beginn';
  blank.zustand := 'aktiv';
  given := books.changed_serie(blank, a_add_serie.werte || jsonb_build_object('rechnung_id', source.id));
  insert into app.serie (
    client_id, titel, monate, beginn, ende, anzahl, faellig_am, zustand, kopf, positionen, netto, brutto
  )
  values (
    given.client_id, given.titel, given.monate, given.beginn, given.ende, given.anzahl, given.faellig_am,
    given.zustand, given.kopf, given.positionen, given.netto, given.brutto
  )
  returning serie.id into made;
  return made;
end $$;
select rights.define('app.a_add_serie(bigint, jsonb)');
grant execute on function app.a_add_serie(bigint, jsonb) to nutzer;

-- Definer: as above. Rhythm, end, pause, texts and lines; returns the new version.
create or replace function app.a_save_serie(serie_id bigint, werte jsonb, version integer default null)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  given app.serie;
  now_version integer;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  given := books.changed_serie(books.serie_row(a_save_serie.serie_id, a_save_serie.version), werte);
  update app.serie s set
    titel = given.titel, monate = given.monate, beginn = given.beginn, ende = given.ende,
    anzahl = given.anzahl, faellig_am = given.faellig_am, zustand = given.zustand, kopf = given.kopf,
    positionen = given.positionen, netto = given.netto, brutto = given.brutto
  where s.id = given.id
  returning s.version into now_version;
  return now_version;
end $$;
select rights.define('app.a_save_serie(bigint, jsonb, integer)');
grant execute on function app.a_save_serie(bigint, jsonb, integer) to nutzer;

-- Definer: as above. Only one that has billed nothing; others are ended.
create or replace function app.a_delete_serie(serie_id bigint, version integer default null)
  returns void language plpgsql set search_path = pg_catalog as $$
declare s app.serie;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  s := books.serie_row(a_delete_serie.serie_id, a_delete_serie.version);
  if exists (select from app.serie_lauf l where l.serie_id = s.id and l.art = 'entwurf') then
    perform books.refuse_serie('serie_laeufe', s.titel);
  end if;
  delete from app.serie x where x.id = s.id;
end $$;
select rights.define('app.a_delete_serie(bigint, integer)');
grant execute on function app.a_delete_serie(bigint, integer) to nutzer;

-- Runs ------------------------------------------------------------------------------------------------------

-- What is compared with the next run: lines with their amounts, rates and place. Without the period, which
-- differs each time.
create or replace function books.serie_stand(s app.serie, beleg jsonb)
  returns jsonb language sql immutable set search_path = pg_catalog as $$
  select jsonb_build_object(
    'netto', beleg #>> '{summen,netto}', 'brutto', beleg #>> '{summen,brutto}',
    'leistungsort', beleg -> 'leistungsort',
    'steuern', (
      select coalesce(
        jsonb_agg(
          jsonb_build_object('kategorie', t.tax -> 'kategorie', 'satz', t.tax -> 'satz') order by t.nr
        ),
        '[]'
      )
      from jsonb_array_elements(beleg #> '{summen,steuern}') with ordinality as t(tax, nr)
    ),
    'zeilen', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'bez', t.p -> 'bez', 'anzahl', t.p -> 'anzahl', 'einheit', t.p -> 'einheit', 'ep', t.p -> 'ep',
          'rabatt_prozent', t.p -> 'rabatt_prozent',
          'betrag', beleg #> array['positionen', (t.nr - 1)::text, 'betrag']
        ) order by t.nr
      ), '[]')
      from jsonb_array_elements(s.positionen) with ordinality as t(p, nr)
      where t.p ->> 'art' <> 'ueberschrift'
    )
  )
$$;
grant execute on function books.serie_stand(app.serie, jsonb) to forst_definer;

-- A period of a series that is due and has nothing yet; the first that is not is refused by name.
create or replace function books.serie_period(s app.serie, nr integer, out von date, out bis date)
  language plpgsql stable set search_path = pg_catalog as $$
begin
  if exists (select from app.serie_lauf l where l.serie_id = s.id and l.nr = serie_period.nr) then
    perform books.refuse_serie('serie_vergeben', s.titel);
  end if;
  select p.von, p.bis into von, bis
  from books.serie_periods(s.monate, s.beginn, s.ende, s.anzahl, checks.today()) p
  where p.nr = serie_period.nr
    and s.zustand = 'aktiv'
    and case s.faellig_am when 'beginn' then p.von else p.bis end <= checks.today();
  if not found then perform books.refuse_serie('serie_nicht_faellig', s.titel); end if;
end $$;
grant execute on function books.serie_period(app.serie, integer) to forst_definer;

-- Definer: as above. The drafts of chosen periods: [{serie_id, nr, version}], with the version that the
-- preview has shown. All or none; returns their ids in that order.
create or replace function app.a_add_serie_rechnungen(auswahl jsonb)
  returns bigint[] language plpgsql set search_path = pg_catalog as $$
declare
  entry jsonb;
  s app.serie;
  period record;
  made bigint;
  answer bigint[] := '{}';
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  perform checks.check_value(
    coalesce(jsonb_typeof(auswahl) = 'array' and jsonb_array_length(auswahl) between 1 and 200, false),
    'auswahl', 'serie_auswahl'
  );
  for entry in select t.e from jsonb_array_elements(auswahl) with ordinality as t(e, nr) order by t.nr loop
    perform checks.check_fields(entry, '{serie_id,nr,version}');
    s := books.serie_row((entry ->> 'serie_id')::bigint, (entry ->> 'version')::integer);
    perform books.beleg_kunde(s.client_id);
    period := books.serie_period(s, (entry ->> 'nr')::integer);
    made := books.add_serie_draft(s, period.von, period.bis);
    insert into app.serie_lauf (client_id, serie_id, nr, von, bis, art, rechnung_id, stand)
    select s.client_id, s.id, (entry ->> 'nr')::integer, period.von, period.bis, 'entwurf', made,
      books.serie_stand(s, books.rechnung_beleg(r))
    from app.rechnung r
    where r.id = made;
    perform books.record('rechnung', made, s.client_id, 'angelegt', jsonb_build_object(
      'serie_id', s.id, 'zeitraum', books.period_text(period.von, period.bis)
    ));
    answer := answer || made;
  end loop;
  return answer;
end $$;
select rights.define('app.a_add_serie_rechnungen(jsonb)');
grant execute on function app.a_add_serie_rechnungen(jsonb) to nutzer;

-- Definer: as above. A due period that is not billed, with the reason.
create or replace function app.a_skip_serie(serie_id bigint, nr integer, grund text)
  returns void language plpgsql set search_path = pg_catalog as $$
declare
  s app.serie;
  period record;
  reason text := btrim(books.multiline(grund));
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  s := books.serie_row(a_skip_serie.serie_id);
  perform checks.check_value(reason <> '', 'grund', 'fehlt'),
    checks.check_value(checks.is_text(reason, 500), 'grund', 'text_500');
  period := books.serie_period(s, a_skip_serie.nr);
  insert into app.serie_lauf (client_id, serie_id, nr, von, bis, art, grund)
  values (s.client_id, s.id, a_skip_serie.nr, period.von, period.bis, 'ausgelassen', reason);
end $$;
select rights.define('app.a_skip_serie(bigint, integer, text)');
grant execute on function app.a_skip_serie(bigint, integer, text) to nutzer;

-- Definer: as above. A period that was left out is due again.
create or replace function app.a_unskip_serie(serie_id bigint, nr integer)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  delete from app.serie_lauf l
  where l.serie_id = a_unskip_serie.serie_id and l.nr = a_unskip_serie.nr and l.art = 'ausgelassen';
  perform rights.check_found(found);
end $$;
select rights.define('app.a_unskip_serie(bigint, integer)');
grant execute on function app.a_unskip_serie(bigint, integer) to nutzer;

-- Reads -----------------------------------------------------------------------------------------------------

-- All series as the caller: the next period, and how many are due.
create or replace function app.a_get_serien()
  returns table (
    id bigint, client_id bigint, kunde text, titel text, monate integer, beginn date, ende date,
    anzahl integer, faellig_am text, stand text, naechste date, faellige integer, angelegte integer,
    netto text, brutto text, version integer
  ) language plpgsql stable set search_path = pg_catalog as $$
declare today date := checks.today();
begin
  if not rights.has_role('apus_admin') then return; end if;
  return query
    select s.id, s.client_id, k.name, s.titel, s.monate, s.beginn, s.ende, s.anzahl, s.faellig_am,
      case when s.naechste is null then 'beendet' else s.zustand end, s.naechste, coalesce(d.zahl, 0),
      (
        select count(*)::integer
        from app.serie_lauf l
        where l.serie_id = s.id and l.art = 'entwurf'
      ),
      s.netto::text, s.brutto::text, s.version
    from app.serie s
      join app.kunde k on k.client_id = s.client_id
      left join (
        select x.serie_id, count(*)::integer as zahl
        from books.serie_due(today) x
        group by x.serie_id
      ) d on d.serie_id = s.id
    order by s.naechste nulls last, s.id;
end $$;
grant execute on function app.a_get_serien() to nutzer;

-- Definer: a draft's document is made of the settings and the customer's terms. What is due, oldest first and
-- at most 200, each with its document as it would be, what the last run was made of, and its invoice.
create or replace function app.a_get_serie_faellig()
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  return (
    select jsonb_build_object(
      'anzahl', count(*),
      'zeilen', coalesce(
        jsonb_agg(
          jsonb_build_object(
            'serie_id', s.id, 'nr', d.nr, 'version', s.version, 'titel', s.titel, 'client_id', s.client_id,
            'kunde', k.name, 'gesperrt', k.gesperrt_bis is not null, 'von', d.von, 'bis', d.bis,
            'zeitraum', books.period_text(d.von, d.bis), 'faellig', d.faellig,
            'gekuerzt', d.bis < (s.beginn + make_interval(months => d.nr * s.monate))::date - 1,
            'beleg', b.beleg, 'stand', books.serie_stand(s, b.beleg), 'vorher', v.vorher
          ) order by d.faellig, s.id, d.nr
        ) filter (where d.platz <= 200),
        '[]'
      )
    )
    from (
      select x.*, row_number() over (order by x.faellig, x.serie_id, x.nr) as platz
      from books.serie_due(checks.today()) x
    ) d
      join app.serie s on s.id = d.serie_id
      join app.kunde k on k.client_id = s.client_id
      left join lateral (
        select books.rechnung_beleg(
          books.serie_rechnung(s, d.von, d.bis), books.serie_lines(s, d.von, d.bis)
        ) as beleg
        where d.platz <= 200
      ) b on true
      left join lateral (
        select jsonb_build_object(
          'stand', l.stand, 'zeitraum', books.period_text(l.von, l.bis), 'rechnung_id', r.id,
          'nummer', r.nummer, 'netto', r.netto::text
        ) as vorher
        from app.serie_lauf l left join app.rechnung r on r.id = l.rechnung_id
        where l.serie_id = s.id and l.nr < d.nr and l.art = 'entwurf'
        order by l.nr desc limit 1
      ) v on true
  );
end $$;
select rights.define('app.a_get_serie_faellig()');
grant execute on function app.a_get_serie_faellig() to nutzer;

-- As the caller: one series with its template, its runs (the newest 200) and the next three periods.
create or replace function app.a_get_serie(serie_id bigint)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare s app.serie;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  select x.* into s from app.serie x where x.id = a_get_serie.serie_id;
  perform rights.check_found(found);
  return to_jsonb(s) || jsonb_build_object(
    'kunde', (select k.name from app.kunde k where k.client_id = s.client_id), 'netto', s.netto::text,
    'brutto', s.brutto::text,
    'laeufe', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'nr', l.nr, 'zeitraum', books.period_text(l.von, l.bis), 'art', l.art, 'grund', l.grund,
          'rechnung_id', l.rechnung_id, 'nummer', r.nummer, 'zustand', r.zustand, 'brutto', r.brutto::text
        ) order by l.nr desc
      ), '[]')
      from (select x.* from app.serie_lauf x where x.serie_id = s.id order by x.nr desc limit 200) l
        left join app.rechnung r on r.id = l.rechnung_id
    ),
    'naechste', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'nr', n.nr, 'zeitraum', books.period_text(n.von, n.bis),
          'faellig', case s.faellig_am when 'beginn' then n.von else n.bis end
        ) order by n.nr
      ), '[]')
      from (
        select p.*
        from books.serie_periods(
          s.monate, s.beginn, s.ende, s.anzahl, greatest(checks.today(), s.beginn) + 96 * s.monate
        ) p
        where not exists (select from app.serie_lauf l where l.serie_id = s.id and l.nr = p.nr)
        order by p.nr limit 3
      ) n
    )
  );
end $$;
grant execute on function app.a_get_serie(bigint) to nutzer;
