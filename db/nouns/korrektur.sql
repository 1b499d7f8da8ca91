-- Corrections of single lines or amounts of an issued invoice, beside the whole Storno (§ 14 (6) Nr. 2 UStG
-- with § 31 (5) UStDV). A correction is a row of app.rechnung (rechnung.sql) with amounts below zero. For
-- apus_admin. The amounts are the same rules as domain/korrektur.ts; both are tested with
-- domain/korrektur.cases.json. What was decided and why: docs/decisions/korrektur.md.

create or replace function books.refuse_korrektur(rule text, nummer text default null)
  returns void language plpgsql immutable set search_path = pg_catalog as $$
begin
  raise sqlstate 'PT409'
    using message = 'corrections of an invoice', hint = rule,
      detail = jsonb_build_object('nummer', coalesce(refuse_korrektur.nummer, ''))::text;
end $$;
grant execute on function books.refuse_korrektur(text, text) to forst_definer;

-- A correction is written by its own procedures; those of other drafts would change lines without the invoice
-- that they take back.
create or replace function books.check_no_korrektur(draft app.rechnung)
  returns void language plpgsql immutable set search_path = pg_catalog as $$
begin
  if draft.art = 'korrektur' then perform books.refuse_korrektur('korrektur_fest'); end if;
end $$;
grant execute on function books.check_no_korrektur(app.rechnung) to forst_definer;

-- The rules ------------------------------------------------------------------------------------------------

-- What is left of each line of an invoice: its quantity and amount less what its issued corrections took
-- back, both without their sign. `beleg`: the original; `korrekturen`: the documents of its corrections.
create or replace function books.line_rest(beleg jsonb, korrekturen jsonb)
  returns table (
    id text, nr text, zeile jsonb, menge numeric, betrag numeric, rest_menge numeric, rest_betrag numeric
  ) language sql immutable set search_path = pg_catalog as $$
  with taken as (
    select p #>> '{korrigiert,id}' as id, sum((p #>> '{korrigiert,menge}')::numeric) as menge,
      sum(abs((p ->> 'betrag')::numeric)) as betrag
    from jsonb_array_elements(korrekturen) k, jsonb_array_elements(k -> 'positionen') p
    group by 1
  )
  select p ->> 'id', p ->> 'nr', p, abs((p ->> 'anzahl')::numeric), abs((p ->> 'betrag')::numeric),
    abs((p ->> 'anzahl')::numeric) - coalesce(t.menge, 0),
    abs((p ->> 'betrag')::numeric) - coalesce(t.betrag, 0)
  from jsonb_array_elements(beleg -> 'positionen') with ordinality as o(p, platz)
    left join taken t on t.id = p ->> 'id'
  where p ->> 'art' <> 'ueberschrift' and (p ->> 'betrag')::numeric <> 0
  order by o.platz
$$;
grant execute on function books.line_rest(jsonb, jsonb) to nutzer, forst_definer, forst_betrieb;

-- The line of a correction: {menge}, taken back at the price of the original, or its share of what a lower
-- price has left; {preis}, by which the price of all that is left is lowered; or {betrag}, net. What takes
-- the last of a quantity takes the last of the amount. `fehler`: why it cannot be, with the field.
create or replace function books.korrektur_line(
  zeile jsonb, rest_menge numeric, rest_betrag numeric, wunsch jsonb, out anzahl numeric, out ep numeric,
  out rabatt_prozent numeric, out einheit text, out bez text, out menge numeric, out feld text,
  out fehler text
) language plpgsql immutable set search_path = pg_catalog as $$
declare
  side numeric := -sign((zeile ->> 'betrag')::numeric);
  price numeric := (zeile ->> 'ep')::numeric;
  left_over numeric := 1 - (zeile ->> 'rabatt_prozent')::numeric * 0.01;
  given numeric;
begin
  feld := case when wunsch ? 'menge' then 'menge' when wunsch ? 'preis' then 'preis' else 'betrag' end;
  given := (wunsch ->> feld)::numeric;
  rabatt_prozent := 0;
  menge := 0;
  if given is null or given <= 0 then
    fehler := 'korrektur_null';
    return;
  end if;
  if feld = 'menge' then
    if given > rest_menge then
      fehler := 'korrektur_menge';
      return;
    end if;
    menge := given;
    -- More than rounding: the price was lowered, or an amount was taken back.
    if given < rest_menge
      and rest_betrag > 0
      and round(rest_menge * price * left_over, 2) - rest_betrag > 0.05
    then
      anzahl := side;
      ep := round(rest_betrag * given / rest_menge, 2);
      einheit := 'psch';
      bez := left('Anteil: ' || (zeile ->> 'bez'), 500);
      if ep = 0 then fehler := 'korrektur_null'; end if;
    elsif round(given * price * left_over, 2) = rest_betrag
      or (given < rest_menge and round(given * price * left_over, 2) < rest_betrag)
    then
      anzahl := side * given;
      ep := price;
      rabatt_prozent := (zeile ->> 'rabatt_prozent')::numeric;
      einheit := zeile ->> 'einheit';
      bez := zeile ->> 'bez';
    elsif given < rest_menge or rest_betrag = 0 then
      fehler := 'korrektur_betrag';
    else
      -- The price was lowered before, or cents were left by rounding.
      anzahl := side;
      ep := rest_betrag;
      einheit := 'psch';
      bez := left('Rest: ' || (zeile ->> 'bez'), 500);
    end if;
  elsif feld = 'preis' then
    anzahl := side * rest_menge;
    ep := given;
    rabatt_prozent := (zeile ->> 'rabatt_prozent')::numeric;
    einheit := zeile ->> 'einheit';
    bez := left('Preisminderung: ' || (zeile ->> 'bez'), 500);
    if given > price or round(given * rest_menge * left_over, 2) > rest_betrag then
      fehler := 'korrektur_preis';
    elsif round(given * rest_menge * left_over, 2) = 0 then
      fehler := 'korrektur_null';
    end if;
  else
    anzahl := side;
    ep := given;
    einheit := 'psch';
    bez := left('Minderung: ' || (zeile ->> 'bez'), 500);
    if given > rest_betrag then fehler := 'korrektur_betrag'; end if;
  end if;
end $$;
grant execute on function books.korrektur_line(jsonb, numeric, numeric, jsonb)
  to nutzer, forst_definer, forst_betrieb;

-- What is left of an invoice by category and rate.
create or replace function books.sums_rest(beleg jsonb, korrekturen jsonb)
  returns jsonb language sql immutable set search_path = pg_catalog as $$
  select coalesce(jsonb_agg(
    s || (
      select jsonb_object_agg(
        key,
        (
          (s ->> key)::numeric + coalesce((
            select sum((t ->> key)::numeric)
            from jsonb_array_elements(korrekturen) k, jsonb_array_elements(k #> '{summen,steuern}') t
            where t ->> 'kategorie' = s ->> 'kategorie' and t ->> 'satz' = s ->> 'satz'
          ), 0)
        )::numeric(14, 2)::text
      )
      from unnest('{positionen,rabatt,basis,steuer}'::text[]) key
    ) order by nr
  ), '[]')
  from jsonb_array_elements(beleg #> '{summen,steuern}') with ordinality as o(s, nr)
$$;
grant execute on function books.sums_rest(jsonb, jsonb) to nutzer, forst_definer, forst_betrieb;

-- The sums of a correction so that all of them together never exceed the invoice: what takes the last of a
-- tax group takes the last of its discount and tax, and none takes more tax than is left.
create or replace function books.korrektur_sums(summen jsonb, rest jsonb)
  returns jsonb language sql immutable set search_path = pg_catalog as $$
  with own as (
    select o.nr, o.s, r, (o.s ->> 'positionen')::numeric + (r ->> 'positionen')::numeric = 0 as last
    from jsonb_array_elements(summen -> 'steuern') with ordinality as o(s, nr)
      left join jsonb_array_elements(rest) r on r ->> 'kategorie' = o.s ->> 'kategorie'
        and r ->> 'satz' = o.s ->> 'satz'
  ),
  discounted as (
    select nr, s, r, last, (s ->> 'positionen')::numeric as positionen,
      case when last then -(r ->> 'rabatt')::numeric else (s ->> 'rabatt')::numeric end as rabatt
    from own
  ),
  taxed as (
    select d.*, d.positionen - d.rabatt as basis,
      case
        when d.r is null then (d.s ->> 'steuer')::numeric
        when d.last then -(d.r ->> 'steuer')::numeric
        when abs((d.s ->> 'steuer')::numeric) > abs((d.r ->> 'steuer')::numeric) then
          -(d.r ->> 'steuer')::numeric
        else (d.s ->> 'steuer')::numeric
      end as steuer
    from discounted d
  ),
  total as (
    select sum(positionen) as positionen, sum(rabatt) as rabatt, sum(basis) as netto, sum(steuer) as steuer,
      jsonb_agg(
        s || jsonb_build_object(
          'rabatt', rabatt::numeric(14, 2)::text, 'basis', basis::numeric(14, 2)::text,
          'steuer', steuer::numeric(14, 2)::text
        ) order by nr
      ) as steuern
    from taxed
  )
  select case
    when t.steuern is null then korrektur_sums.summen
    else korrektur_sums.summen || jsonb_build_object(
      'rabatt', t.rabatt::numeric(14, 2)::text, 'netto', t.netto::numeric(14, 2)::text,
      'steuer', t.steuer::numeric(14, 2)::text, 'brutto', (t.netto + t.steuer)::numeric(14, 2)::text,
      'zahlbetrag', (t.netto + t.steuer)::numeric(14, 2)::text, 'steuern', t.steuern
    )
  end
  from total t
$$;
grant execute on function books.korrektur_sums(jsonb, jsonb) to nutzer, forst_definer, forst_betrieb;

-- The documents of the issued corrections of an invoice.
create or replace function books.korrekturen(rechnung_id bigint)
  returns jsonb language sql stable set search_path = pg_catalog
  return coalesce((
    select jsonb_agg(k.beleg order by k.folge)
    from app.rechnung k
    where k.korrektur_von = korrekturen.rechnung_id and k.zustand = 'ausgestellt'
  ), '[]');
grant execute on function books.korrekturen(bigint) to nutzer, forst_definer;

-- The document of a correction, from that of any invoice: it names the original, has no due day and no
-- discount for early payment, and is taxed as the original was, whatever the settings say now.
create or replace function books.korrektur_beleg(r app.rechnung, head jsonb)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare
  source app.rechnung;
  made jsonb;
begin
  select o.* into source from app.rechnung o where o.id = r.korrektur_von;
  made := books.computed_beleg(
    head || jsonb_build_object(
      'faellig', null, 'skonto', '[]'::jsonb,
      'lieferant', (head -> 'lieferant') - '{kleinunternehmer_von,kleinunternehmer_bis}'::text[]
        || jsonb_build_object('kleinunternehmer', source.beleg #> '{lieferant,kleinunternehmer}'),
      'bezug', jsonb_build_object('art', source.art, 'nummer', source.nummer, 'datum', source.rn_datum)
    ),
    0
  );
  return made || jsonb_build_object(
    'summen', books.korrektur_sums(
      made -> 'summen', books.sums_rest(source.beleg, books.korrekturen(source.id))
    )
  );
end $$;
grant execute on function books.korrektur_beleg(app.rechnung, jsonb) to forst_definer;

-- Drafts ----------------------------------------------------------------------------------------------------

-- The invoice that is corrected, locked.
create or replace function books.korrektur_source(id bigint)
  returns app.rechnung language plpgsql set search_path = pg_catalog as $$
declare
  source app.rechnung;
  storno text;
begin
  select r.* into source from app.rechnung r where r.id = korrektur_source.id for update;
  perform rights.check_found(found);
  if source.zustand <> 'ausgestellt' then
    perform books.refuse_korrektur('korrektur_entwurf_rechnung');
  end if;
  if source.art = 'abschlag' then perform books.refuse_korrektur('korrektur_abschlag', source.nummer); end if;
  if source.art not in ('rechnung', 'schluss') then
    perform books.refuse_korrektur('korrektur_von', source.nummer);
  end if;
  select s.nummer into storno from app.rechnung s where s.storno_von = source.id;
  if found then perform books.refuse_korrektur('korrektur_storniert', storno); end if;
  return source;
end $$;
grant execute on function books.korrektur_source(bigint) to forst_definer;

-- Writes the lines of a draft: [{position_id, menge | preis | betrag}], each line of the original once.
create or replace function books.set_korrektur_lines(draft app.rechnung, source app.rechnung, zeilen jsonb)
  returns void language plpgsql set search_path = pg_catalog as $$
declare
  entry jsonb;
  nr bigint;
  line record;
  made record;
  amount text;
begin
  perform checks.check_value(
    jsonb_typeof(zeilen) = 'array' and jsonb_array_length(zeilen) between 1 and 1000, 'zeilen',
    'korrektur_zeilen'
  );
  perform checks.check_value(
    (select count(distinct e ->> 'position_id') = count(*) from jsonb_array_elements(zeilen) e), 'zeilen',
    'korrektur_zeilen'
  );
  delete from app.position p where p.rechnung_id = draft.id;
  for entry, nr in select t.e, t.nr from jsonb_array_elements(zeilen) with ordinality as t(e, nr) loop
    perform checks.check_value(jsonb_typeof(entry) = 'object', 'zeilen', 'korrektur_zeilen');
    perform checks.check_fields(entry, '{position_id,menge,preis,betrag}');
    perform checks.check_value(
      (select count(*) = 1 from unnest('{menge,preis,betrag}'::text[]) k where entry ? k), 'zeilen',
      'korrektur_zeilen'
    );
    select e.value into amount from jsonb_each_text(entry) e where e.key <> 'position_id';
    perform checks.check_value(
      coalesce(amount, '') ~ case
        when entry ? 'menge' then '^[0-9]{1,9}(\.[0-9]{1,3})?$'
        when entry ? 'preis' then '^[0-9]{1,9}(\.[0-9]{1,4})?$'
        else '^[0-9]{1,9}(\.[0-9]{1,2})?$'
      end,
      'zeilen', 'korrektur_zahl'
    );
    select r.* into line
    from books.line_rest(source.beleg, books.korrekturen(source.id)) r
    where r.id = entry ->> 'position_id';
    perform checks.check_value(found, 'zeilen', 'korrektur_zeilen');
    made := books.korrektur_line(line.zeile, line.rest_menge, line.rest_betrag, entry);
    if made.fehler is not null then
      perform checks.refuse_field(
        'zeilen.' || (nr - 1) || '.' || made.feld, made.fehler,
        format('line %s: %s of %s left', line.nr, line.rest_menge, line.rest_betrag)
      );
    end if;
    insert into app.position (
      client_id, rechnung_id, lfd_nr, anzahl, einheit, bez, ep, rabatt_prozent, ust_satz, kategorie,
      steuergrund, le_date, le_date_bis, korrektur_position_id, korrektur_menge
    )
    values (
      draft.client_id, draft.id, nr, made.anzahl, made.einheit, made.bez, made.ep, made.rabatt_prozent,
      case line.zeile ->> 'kategorie' when 'S' then (line.zeile ->> 'ust_satz')::numeric else 0 end,
      line.zeile ->> 'kategorie', left(line.zeile ->> 'steuergrund', 200), (line.zeile ->> 'le_date')::date,
      (line.zeile ->> 'le_date_bis')::date, line.id::bigint, made.menge
    );
  end loop;
end $$;
grant execute on function books.set_korrektur_lines(app.rechnung, app.rechnung, jsonb) to forst_definer;

-- A correction reduces: no tax group below nothing, and not more in all than the invoice has left.
create or replace function books.check_korrektur(draft app.rechnung)
  returns void language plpgsql stable set search_path = pg_catalog as $$
declare
  source app.rechnung;
  storno text;
  given jsonb;
begin
  if draft.art <> 'korrektur' then return; end if;
  select r.* into source from app.rechnung r where r.id = draft.korrektur_von;
  select s.nummer into storno from app.rechnung s where s.storno_von = source.id;
  if found then perform books.refuse_korrektur('korrektur_storniert', storno); end if;
  perform checks.check_value(draft.rn_datum >= source.rn_datum, 'rn_datum', 'korrektur_datum');
  if not exists (select from app.position p where p.rechnung_id = draft.id)
    or exists (
      select from app.position p
        left join books.line_rest(source.beleg, books.korrekturen(source.id)) l on l.id
          = p.korrektur_position_id::text
      where p.rechnung_id = draft.id
        and (
          l.id is null
          or p.korrektur_menge > l.rest_menge
          or abs(round(p.anzahl * p.ep * (1 - p.rabatt_prozent * 0.01), 2)) > l.rest_betrag
        )
    )
  then
    perform books.refuse_korrektur('korrektur_ueberholt', source.nummer);
  end if;
  given := books.sums_rest(
    source.beleg, books.korrekturen(source.id) || jsonb_build_array(books.rechnung_beleg(draft))
  );
  if exists (
      select from jsonb_array_elements(given) s
        join jsonb_array_elements(source.beleg #> '{summen,steuern}') o on o ->> 'kategorie'
            = s ->> 'kategorie'
          and o ->> 'satz' = s ->> 'satz'
      where (s ->> 'basis')::numeric * sign((o ->> 'basis')::numeric) < 0
    )
    or (books.rechnung_beleg(draft) #>> '{summen,brutto}')::numeric >= 0
  then
    perform checks.refuse_field('zeilen', 'korrektur_gruppe', 'a tax group would be below nothing');
  end if;
end $$;
grant execute on function books.check_korrektur(app.rechnung) to forst_definer;

-- Reason, day and lines of a draft; ends with all checks but those of the law, which are made at issue.
create or replace function books.write_korrektur(
  draft app.rechnung, source app.rechnung, zeilen jsonb, grund text, rn_datum date
) returns integer language plpgsql set search_path = pg_catalog as $$
declare
  reason text := btrim(books.multiline(grund));
  now_version integer;
  after app.rechnung;
begin
  perform checks.check_value(reason <> '', 'grund', 'korrektur_grund');
  perform checks.check_value(checks.is_text(reason, 1000), 'grund', 'text_1000');
  update app.rechnung r set
    anschreiben = reason, rn_datum = coalesce(write_korrektur.rn_datum, draft.rn_datum)
  where r.id = draft.id;
  perform books.set_korrektur_lines(draft, source, zeilen);
  now_version := books.compute_rechnung(draft.id);
  select r.* into after from app.rechnung r where r.id = draft.id;
  perform books.check_korrektur(after);
  return now_version;
end $$;
grant execute on function books.write_korrektur(app.rechnung, app.rechnung, jsonb, text, date)
  to forst_definer;

-- Definer, as all that writes the books. A draft correction; one at a time, so that none counts on what
-- another takes back.
create or replace function app.a_add_korrektur(
  invoice_id bigint, zeilen jsonb, grund text, rn_datum date default null
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  source app.rechnung;
  draft app.rechnung;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  source := books.korrektur_source(a_add_korrektur.invoice_id);
  if exists (select from app.rechnung k where k.korrektur_von = source.id and k.zustand = 'entwurf') then
    perform books.refuse_korrektur('korrektur_entwurf', source.nummer);
  end if;
  insert into app.rechnung (
    client_id, bearbeiter, le_date, le_date_bis, rn_datum, anrede, ust_satz, art, korrektur_von,
    rabatt_prozent, rabatt_grund, bestellnummer, format, leistungsort, leistungsland, kaeufer_ref, projekt_nr,
    vertrag_nr, vergabe_nr, objekt_nr
  )
  values (
    source.client_id, books.clerk(), source.le_date, source.le_date_bis,
    coalesce(a_add_korrektur.rn_datum, checks.today()), source.anrede, source.ust_satz, 'korrektur',
    source.id, source.rabatt_prozent, source.rabatt_grund, source.bestellnummer, source.beleg ->> 'format',
    source.leistungsort, source.leistungsland, source.kaeufer_ref, source.projekt_nr, source.vertrag_nr,
    source.vergabe_nr, source.objekt_nr
  )
  returning * into draft;
  perform books.write_korrektur(
    draft, source, a_add_korrektur.zeilen, a_add_korrektur.grund, a_add_korrektur.rn_datum
  );
  perform books.record(
    'rechnung', draft.id, source.client_id, 'angelegt',
    jsonb_build_object('art', 'korrektur', 'korrektur_von', source.id)
  );
  return draft.id;
end $$;
select rights.define('app.a_add_korrektur(bigint, jsonb, text, date)');
grant execute on function app.a_add_korrektur(bigint, jsonb, text, date) to nutzer;

-- Definer: as above. Writes lines, reason and day of a draft correction again. Returns the new version.
create or replace function app.a_save_korrektur(
  invoice_id bigint, zeilen jsonb, grund text, rn_datum date default null, version integer default null
) returns integer language plpgsql set search_path = pg_catalog as $$
declare
  draft app.rechnung;
  now_version integer;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  draft := books.rechnung_draft(a_save_korrektur.invoice_id, a_save_korrektur.version);
  if draft.art <> 'korrektur' then perform books.refuse_korrektur('korrektur_von'); end if;
  now_version := books.write_korrektur(
    draft, books.korrektur_source(draft.korrektur_von), a_save_korrektur.zeilen, a_save_korrektur.grund,
    a_save_korrektur.rn_datum
  );
  perform books.record(
    'rechnung', draft.id, draft.client_id, 'positionen', jsonb_build_object('zeilen', a_save_korrektur.zeilen)
  );
  return now_version;
end $$;
select rights.define('app.a_save_korrektur(bigint, jsonb, text, date, integer)');
grant execute on function app.a_save_korrektur(bigint, jsonb, text, date, integer) to nutzer;

-- As the caller: the lines of an issued invoice with what is left of them, and its corrections; drafts only
-- for those who see them.
create or replace function app.a_get_korrektur(invoice_id bigint)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare
  source app.rechnung;
  made jsonb;
begin
  perform rights.refuse_unless(rights.reads_books(exists (
    select from app.rechnung r where r.id = a_get_korrektur.invoice_id and r.beleg is not null
  )));
  select r.* into source from app.rechnung r where r.id = a_get_korrektur.invoice_id;
  perform rights.check_found(found and source.beleg is not null);
  made := books.korrekturen(source.id);
  return jsonb_build_object(
    'brutto', source.brutto::text, 'korrigiert', books.corrected(source.id, 'infinity')::numeric(14, 2)::text,
    'rest', (source.brutto + books.corrected(source.id, 'infinity'))::numeric(14, 2)::text,
    'steuern', books.sums_rest(source.beleg, made), 'rabatt_prozent', source.beleg -> 'rabatt_prozent',
    'zeilen', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'position_id', l.id, 'nr', l.nr, 'bez', l.zeile ->> 'bez', 'einheit', l.zeile ->> 'einheit',
          'anzahl', l.zeile ->> 'anzahl', 'ep', l.zeile ->> 'ep',
          'rabatt_prozent', l.zeile ->> 'rabatt_prozent', 'betrag', l.zeile ->> 'betrag',
          'kategorie', l.zeile ->> 'kategorie', 'ust_satz', l.zeile ->> 'ust_satz',
          'rest_menge', books.decimal_text(l.rest_menge), 'rest_betrag', l.rest_betrag::numeric(14, 2)::text
        ) order by l.platz
      ), '[]')
      from (select r.*, row_number() over () as platz from books.line_rest(source.beleg, made) r) l
    ),
    'korrekturen', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'id', k.id, 'nummer', k.nummer, 'datum', k.rn_datum, 'grund', k.anschreiben,
          'brutto', k.brutto::text, 'entwurf', k.zustand = 'entwurf'
        ) order by k.folge nulls last, k.id
      ), '[]')
      from app.rechnung k
      where k.korrektur_von = source.id
    )
  );
end $$;
grant execute on function app.a_get_korrektur(bigint) to nutzer;

-- As the caller: what a draft takes back of which line, as a_save_korrektur takes it.
create or replace function app.a_get_korrektur_zeilen(invoice_id bigint)
  returns table (position_id bigint, menge text, preis text, betrag text)
  language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  return query
    select p.korrektur_position_id,
      case when p.korrektur_menge > 0 then books.decimal_text(p.korrektur_menge) end,
      case when p.korrektur_menge = 0 and p.bez like 'Preisminderung: %' then books.decimal_text(p.ep, 2) end,
      case
        when p.korrektur_menge = 0 and p.bez not like 'Preisminderung: %' then books.decimal_text(p.ep, 2)
      end
    from app.position p
    where p.rechnung_id = a_get_korrektur_zeilen.invoice_id and p.korrektur_position_id is not null
    order by p.lfd_nr;
end $$;
grant execute on function app.a_get_korrektur_zeilen(bigint) to nutzer;
