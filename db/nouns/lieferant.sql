-- Settings of the bookkeeping: the supplier, number ranges, billing of customers. For apus_admin only
-- (policies in books.sql); written by the procedures below.

-- Width and height as stated in a PNG or JPEG; null if missing.
create or replace function checks.image_size(bytes bytea)
  returns integer[] language plpgsql immutable set search_path = pg_catalog as $$
declare
  at integer := 2;
  marker integer;
begin
  if substring(bytes from 1 for 8) = '\x89504e470d0a1a0a' then
    if length(bytes) < 24 or substring(bytes from 13 for 4) <> '\x49484452' then return null; end if;
    -- If the upper two bytes are not zero, the edge is too long anyway.
    return array[
      case
        when substring(bytes from 17 for 2) = '\x0000' then get_byte(bytes, 18) * 256 + get_byte(bytes, 19)
        else 65536
      end,
      case
        when substring(bytes from 21 for 2) = '\x0000' then get_byte(bytes, 22) * 256 + get_byte(bytes, 23)
        else 65536
      end
    ];
  end if;
  while at + 9 <= length(bytes) and get_byte(bytes, at) = 255 loop
    marker := get_byte(bytes, at + 1);
    if marker = 255 then
      at := at + 1;
    elsif marker between 192 and 207 and marker not in (196, 200, 204) then
      return array[
        get_byte(bytes, at + 7) * 256 + get_byte(bytes, at + 8),
        get_byte(bytes, at + 5) * 256 + get_byte(bytes, at + 6)
      ];
    else
      at := at + 2 + greatest(2, get_byte(bytes, at + 2) * 256 + get_byte(bytes, at + 3));
    end if;
  end loop;
  return null;
end $$;
grant execute on function checks.image_size(bytea) to forst_definer, forst_betrieb;

-- Checks a logo by its content, by the same rules as domain/logo.ts; both are tested with
-- domain/logo.cases.json. Returns its type, or what is wrong with it.
create or replace function checks.logo_fault(bytes bytea)
  returns text language plpgsql immutable set search_path = pg_catalog as $$
declare
  kind text;
  size integer[];
  source text;
  brackets integer;
  tags integer := 0;
  elements integer := 0;
  tag text[];
  entry text[];
  element text;
  name text;
  value text;
  id text;
  open_names text[] := '{}';
  open_ids text[] := '{}';
  targets text[] := '{}';
  repeaters text[] := '{}';
begin
  if bytes is null then return null; end if;
  if length(bytes) = 0 then return 'leer'; end if;
  if length(bytes) > 1048576 then return 'gross'; end if;
  kind := case
    when substring(bytes from 1 for 8) = '\x89504e470d0a1a0a' then 'image/png'
    when substring(bytes from 1 for 3) = '\xffd8ff' then 'image/jpeg'
  end;
  if kind is not null then
    size := checks.image_size(bytes);
    if size is null then return 'art'; end if;
    return case
      when least(size[1], size[2]) < 1
        or greatest(size[1], size[2]) > 6000
        or size[1]::bigint * size[2] > 16000000
      then 'masse'
      else kind
    end;
  end if;
  begin
    source := convert_from(bytes, 'UTF8');
  exception
    when others then return 'art';
  end;
  -- Without comments; null if one is not closed.
  select case
    when bool_or(nr > 1 and strpos(part, '-->') = 0) then null
    else string_agg(case when nr = 1 then part else substr(part, strpos(part, '-->') + 3) end, '' order by nr)
  end into source
  from string_to_table(source, '<!--') with ordinality as t(part, nr);
  if source is null then return 'svg_kaputt'; end if;
  source := regexp_replace(source, '^\ufeff?\s*<\?xml[^<>]*\?>', '');
  if source !~* '^\ufeff?\s*<([a-z_][\w.-]*:)?svg[\s>/]' then return 'art'; end if;
  if source ~ '<[!?]'
    or source ~* 'url\(\s*([''"]\s*)?[^#''"\s]|javascript:|@import|&(?!(amp|lt|gt|quot|apos);)|\\'
  then
    return 'svg_aktiv';
  end if;
  brackets := length(source) - length(replace(source, '<', ''));
  if brackets > 10000 then return 'svg_schwer'; end if;
  for tag in
    select regexp_matches(source, '<(/?)([a-zA-Z_][\w:.-]*)(([^<>"'']|"[^"<]*"|''[^''<]*'')*)>', 'g')
  loop
    tags := tags + 1;
    if tag[1] = '/' then
      if open_names[cardinality(open_names)] is distinct from tag[2] then return 'svg_kaputt'; end if;
      open_names := trim_array(open_names, 1);
      open_ids := trim_array(open_ids, 1);
    else
      elements := elements + 1;
      if elements > 5000 or cardinality(open_names) >= 32 then return 'svg_schwer'; end if;
      element := lower(regexp_replace(tag[2], '^[^:]*:', ''));
      if element = any (
        '{script,foreignobject,iframe,object,embed,audio,video,animate,animatemotion,animatetransform,
            animatecolor,set,handler,listener,image,feimage,a,link}'
      ) then
        return 'svg_aktiv';
      end if;
      id := '';
      for entry in select regexp_matches(tag[3], '([\w:.-]{1,100})\s*=\s*("([^"]*)"|''([^'']*)'')', 'g') loop
        name := lower(regexp_replace(entry[1], '^[^:]*:', ''));
        value := coalesce(entry[3], entry[4], '');
        if name like 'on%' or name = 'base' then return 'svg_aktiv'; end if;
        if name = 'id' then id := value; end if;
        continue when name <> 'href';
        if value not like '#%' then return 'svg_aktiv'; end if;
        if element = 'use' then targets := targets || substr(value, 2); end if;
      end loop;
      if element = 'use' then repeaters := repeaters || open_ids || id; end if;
      if tag[3] not like '%/' then
        open_names := open_names || tag[2];
        open_ids := open_ids || id;
      end if;
    end if;
    if cardinality(open_names) = 0 and tags <> brackets then return 'svg_kaputt'; end if;
  end loop;
  if cardinality(open_names) > 0 or tags <> brackets then return 'svg_kaputt'; end if;
  if exists (select from unnest(targets) target where target <> '' and target = any (repeaters)) then
    return 'svg_schwer';
  end if;
  return 'image/svg+xml';
end $$;
grant execute on function checks.logo_fault(bytea) to forst_definer, forst_betrieb;

-- Definer: nobody has a grant to write these tables, as in all of the bookkeeping. `werte`: any of the
-- columns; `logo` is base64 or null, and its type is determined from its content.
create or replace function app.a_set_lieferant(werte jsonb, version integer default null)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  before app.lieferant;
  after app.lieferant;
  given jsonb := a_set_lieferant.werte;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  perform checks.check_fields(
    given,
    '{name,name_zusatz,strasse,plz,ort,land,steuernummer,ust_id,ansprechpartner,telefon,mail,webseite,
      bank,kontoinhaber,iban,bic,glaeubiger_id,einzug_tage,
      fusszeile,kleinunternehmer,kleinunternehmer_ab,
      besteuerung,besteuerung_ab,zahlungsziel,skonto,angebot_tage,
      ust_satz,logo,logo_typ,mahngebuehren,mahn_frist,mahn_kulanz,basiszins,aufbewahrung_text,datev_berater,
      datev_mandant,datev_kontenlaenge,datev_erloeskonten,datev_debitor_von,datev_rahmen,
      datev_jahresbeginn,datev_debitor_sammel,datev_bankkonto,datev_skontokonten,datev_anzahlungskonten,
      datev_aufwandskonten,datev_festschreiben,anlagen_anzahl,anlagen_mb}'
  );
  select l.* into before from app.lieferant l;
  if found then perform checks.check_version(a_set_lieferant.version, before.version); end if;
  if given ? 'iban' then
    given := given || jsonb_build_object('iban', checks.norm_iban(coalesce(given ->> 'iban', '')));
  end if;
  if given ? 'bic' then
    given := given
      || jsonb_build_object('bic', upper(regexp_replace(coalesce(given ->> 'bic', ''), '\s', '', 'g')));
  end if;
  if given ? 'ust_id' then
    given := given || jsonb_build_object('ust_id', checks.norm_ust_id(coalesce(given ->> 'ust_id', '')));
  end if;
  if given ? 'glaeubiger_id' then
    given := given || jsonb_build_object(
      'glaeubiger_id', upper(regexp_replace(coalesce(given ->> 'glaeubiger_id', ''), '\s', '', 'g'))
    );
  end if;
  if given ->> 'glaeubiger_id' <> '' and checks.creditor_id_fault(given ->> 'glaeubiger_id') is not null then
    perform checks.refuse_field('glaeubiger_id', 'glaeubiger_id');
  end if;
  if given ->> 'iban' <> '' and checks.iban_fault(given ->> 'iban') is not null then
    perform checks.refuse_field('iban', 'iban');
  end if;
  if given ->> 'ust_id' <> '' and checks.ust_id_fault(given ->> 'ust_id') is not null then
    perform checks.refuse_field('ust_id', 'ust_id');
  end if;
  if btrim(given ->> 'steuernummer') <> ''
    and checks.tax_number_fault(given ->> 'steuernummer') is not null
  then
    perform checks.refuse_field('steuernummer', 'steuernummer');
  end if;
  if given ? 'mahngebuehren'
    and exists (
      select from jsonb_array_elements(case jsonb_typeof(given -> 'mahngebuehren')
        when 'array' then given -> 'mahngebuehren'
        else '[null]'
      end) fee
      where jsonb_typeof(fee) <> 'string' or fee #>> '{}' !~ '^[0-9]{1,6}\.[0-9]{2}$'
    )
  then
    perform checks.refuse_field('mahngebuehren', 'betrag');
  end if;
  if given ? 'besteuerung_ab' then perform books.check_taxation(given -> 'besteuerung_ab'); end if;
  if given ? 'kleinunternehmer_ab' then
    perform books.check_small_business(given -> 'kleinunternehmer_ab');
  end if;
  if given ? 'basiszins' then perform books.check_base_rates(given -> 'basiszins'); end if;
  if before.name is null then
    -- The table's defaults apply to whatever is not given.
    insert into app.lieferant (name, strasse, plz, ort)
    values (given ->> 'name', given ->> 'strasse', given ->> 'plz', given ->> 'ort')
    returning * into before;
  end if;
  after := jsonb_populate_record(before, given - 'logo');
  if given ? 'logo_typ' and not given ? 'logo' and after.logo_typ is distinct from before.logo_typ then
    perform checks.refuse_field('logo', 'logo_art', 'a type without a logo');
  end if;
  if given ? 'logo' then
    begin
      after.logo := decode(nullif(given ->> 'logo', ''), 'base64');
    exception
      when data_exception then perform checks.refuse_field('logo', 'logo_art', 'no base64');
    end;
    after.logo_typ := checks.logo_fault(after.logo);
    if after.logo_typ !~ '^image/' then
      perform checks.refuse_field('logo', 'logo_' || after.logo_typ, 'not a logo');
    end if;
  end if;
  update app.lieferant l set (
    name, name_zusatz, strasse, plz, ort, land, steuernummer, ust_id, ansprechpartner, telefon, mail,
    webseite, bank, kontoinhaber, iban, bic, glaeubiger_id, einzug_tage, fusszeile, kleinunternehmer,
    kleinunternehmer_ab, besteuerung, besteuerung_ab, zahlungsziel, skonto, angebot_tage, ust_satz, logo,
    logo_typ, mahngebuehren, mahn_frist, mahn_kulanz, basiszins, aufbewahrung_text, datev_berater,
    datev_mandant, datev_kontenlaenge, datev_erloeskonten, datev_debitor_von, datev_rahmen,
    datev_jahresbeginn, datev_debitor_sammel, datev_bankkonto, datev_skontokonten, datev_anzahlungskonten,
    datev_aufwandskonten, datev_festschreiben, anlagen_anzahl, anlagen_mb
  ) = (
    select after.name, after.name_zusatz, after.strasse, after.plz, after.ort, after.land,
      btrim(after.steuernummer), after.ust_id, after.ansprechpartner, after.telefon, after.mail,
      after.webseite, after.bank, after.kontoinhaber, after.iban, after.bic, after.glaeubiger_id,
      after.einzug_tage, after.fusszeile, after.kleinunternehmer, after.kleinunternehmer_ab,
      after.besteuerung, after.besteuerung_ab, after.zahlungsziel, after.skonto, after.angebot_tage,
      after.ust_satz, after.logo, after.logo_typ, after.mahngebuehren, after.mahn_frist, after.mahn_kulanz,
      after.basiszins, after.aufbewahrung_text, after.datev_berater, after.datev_mandant,
      after.datev_kontenlaenge, after.datev_erloeskonten, after.datev_debitor_von, after.datev_rahmen,
      after.datev_jahresbeginn, after.datev_debitor_sammel, after.datev_bankkonto, after.datev_skontokonten,
      after.datev_anzahlungskonten, after.datev_aufwandskonten, after.datev_festschreiben,
      after.anlagen_anzahl, after.anlagen_mb
  )
  where true
  returning * into after;
  perform books.record(
    'lieferant', null, null, 'geaendert', history.difference(to_jsonb(before), to_jsonb(after))
  );
  return after.version;
end $$;
select rights.define('app.a_set_lieferant(jsonb, integer)');
grant execute on function app.a_set_lieferant(jsonb, integer) to nutzer;

-- Definer: see above. Billing of a customer; creates the row if there is none yet.
create or replace function app.a_set_kunde_rechnung(
  client_id bigint, werte jsonb, version integer default null
) returns integer language plpgsql set search_path = pg_catalog as $$
declare
  before app.kunde_rechnung;
  after app.kunde_rechnung;
  given jsonb := a_set_kunde_rechnung.werte;
  customer app.kunde;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  perform checks.check_fields(
    given,
    '{rechnungsformat,leitweg_id,rechnung_mail,ust_id,ist_privat,zahlungsziel,skonto,bestellnummer,debitor,
      leistungsort,leistungsland,kaeufer_ref,vertrag_nr,syntax}'
  );
  customer := books.beleg_kunde(a_set_kunde_rechnung.client_id);
  select k.* into before
  from app.kunde_rechnung k
  where k.client_id = a_set_kunde_rechnung.client_id;
  if found then
    perform checks.check_version(a_set_kunde_rechnung.version, before.version);
  else
    insert into app.kunde_rechnung (client_id)
    values (a_set_kunde_rechnung.client_id)
    returning * into before;
  end if;
  if given ? 'leitweg_id' then
    given := given
      || jsonb_build_object('leitweg_id', checks.norm_leitweg(coalesce(given ->> 'leitweg_id', '')));
  end if;
  if given ? 'ust_id' then
    given := given || jsonb_build_object('ust_id', checks.norm_ust_id(coalesce(given ->> 'ust_id', '')));
  end if;
  if given ->> 'leitweg_id' <> '' and checks.leitweg_fault(given ->> 'leitweg_id') is not null then
    perform checks.refuse_field('leitweg_id', 'leitweg_id');
  end if;
  if given ->> 'ust_id' <> '' and checks.ust_id_fault(given ->> 'ust_id') is not null then
    perform checks.refuse_field('ust_id', 'ust_id');
  end if;
  after := jsonb_populate_record(before, given);
  if after.ist_privat and not before.ist_privat then
    perform checks.check_value(
      not exists (
        select from app.sepa_mandat m
        where m.client_id = before.client_id and m.art = 'b2b' and m.widerrufen_am is null
      ),
      'ist_privat', 'privat_mandat'
    );
  end if;
  if given -> 'skonto' = 'null' then after.skonto := null; end if;
  update app.kunde_rechnung k set (
    rechnungsformat, leitweg_id, rechnung_mail, ust_id, ist_privat, zahlungsziel, skonto, bestellnummer,
    debitor, leistungsort, leistungsland, kaeufer_ref, vertrag_nr, syntax
  ) = (
    select after.rechnungsformat, after.leitweg_id, after.rechnung_mail, after.ust_id, after.ist_privat,
      after.zahlungsziel, after.skonto, after.bestellnummer, after.debitor, after.leistungsort,
      case when after.leistungsort = 'grundstueck_ausland' then after.leistungsland end,
      btrim(after.kaeufer_ref), btrim(after.vertrag_nr), after.syntax
  )
  where k.client_id = a_set_kunde_rechnung.client_id
  returning * into after;
  perform books.record(
    'kunde_rechnung', after.client_id, after.client_id, 'geaendert',
    history.difference(to_jsonb(before), to_jsonb(after))
  );
  return after.version;
end $$;
select rights.define('app.a_set_kunde_rechnung(bigint, jsonb, integer)');
grant execute on function app.a_set_kunde_rechnung(bigint, jsonb, integer) to nutzer;

-- Number ranges ---------------------------------------------------------------------------------------------

create or replace function books.number_text(muster text, year integer, number bigint)
  returns text language sql immutable strict set search_path = pg_catalog as $$
  select replace(
    replace(
      regexp_replace(muster, '\{N+\}', lpad(
        number::text, greatest(char_length(number::text), char_length((regexp_match(muster, '\{(N+)\}'))[1])),
        '0'
      )),
      '{JJJJ}', year::text
    ),
    '{JJ}', lpad((year % 100)::text, 2, '0')
  )
$$;
grant execute on function books.number_text(text, integer, bigint) to nutzer, forst_definer, forst_betrieb;

-- Locks the row of a range; creates it with defaults if it is missing.
create or replace function books.number_range(wanted text)
  returns app.nummernkreis language plpgsql set search_path = pg_catalog as $$
declare found_row app.nummernkreis;
begin
  insert into app.nummernkreis (art, muster)
  values (wanted, case wanted when 'rechnung' then 'RE-{JJJJ}-{NNNN}' else 'AN-{JJJJ}-{NNNN}' end)
  on conflict do nothing;
  select n.* into strict found_row from app.nummernkreis n where n.art = wanted for update;
  return found_row;
end $$;
grant execute on function books.number_range(text) to forst_definer;

-- The next number of a range. Taken in the transaction that issues, so that a failure returns it and leaves
-- no gap.
create or replace function books.next_number(art text, datum date)
  returns text language plpgsql set search_path = pg_catalog as $$
declare
  series app.nummernkreis := books.number_range(next_number.art);
  in_year integer := extract(year from next_number.datum);
  number bigint;
begin
  number := case
    when series.jaehrlich and series.jahr is not null and in_year <> series.jahr then 1
    else series.naechste
  end;
  update app.nummernkreis n set jahr = in_year, naechste = number + 1
  where n.art = series.art;
  return books.number_text(series.muster, in_year, number);
end $$;
grant execute on function books.next_number(text, date) to forst_definer;

-- Definer: see above. The next number can be set until something is issued in the range; later that would
-- leave a gap or repeat a number. The pattern can change at any time.
create or replace function app.a_set_nummernkreis(
  art text, muster text, jaehrlich boolean, naechste bigint default null, version integer default null
) returns integer language plpgsql set search_path = pg_catalog as $$
declare
  before app.nummernkreis;
  after app.nummernkreis;
  is_started boolean;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  if a_set_nummernkreis.art is null or a_set_nummernkreis.art not in ('rechnung', 'angebot') then
    perform checks.refuse_field('art', 'felder', 'unknown range');
  end if;
  before := books.number_range(a_set_nummernkreis.art);
  perform checks.check_version(a_set_nummernkreis.version, before.version);
  is_started := case a_set_nummernkreis.art
    when 'rechnung' then exists (select from app.rechnung r where r.nummer is not null)
    else exists (select from app.angebot a where a.nummer is not null)
  end;
  if a_set_nummernkreis.naechste is not null
    and a_set_nummernkreis.naechste <> before.naechste
    and is_started
  then
    perform checks.refuse_field('naechste', 'nummernkreis_begonnen', 'numbers have been given');
  end if;
  if a_set_nummernkreis.muster !~ '^[^{}]*(\{(JJJJ|JJ)\}[^{}]*)?\{N{1,9}\}[^{}]*$'
    or (a_set_nummernkreis.jaehrlich and a_set_nummernkreis.muster !~ '\{JJ')
  then
    perform checks.refuse_field(
      'muster', 'nummernkreis_muster', 'no place for the number, or none for the year'
    );
  end if;
  update app.nummernkreis n set
    muster = a_set_nummernkreis.muster, jaehrlich = a_set_nummernkreis.jaehrlich,
    naechste = coalesce(a_set_nummernkreis.naechste, n.naechste)
  where n.art = before.art
  returning * into after;
  -- Refuses a pattern that would repeat a number.
  if exists (
    select from (
      select r.nummer
      from app.rechnung r
      where after.art = 'rechnung'
      union all
      select a.nummer
      from app.angebot a
      where after.art = 'angebot'
    ) given
    where given.nummer = books.number_text(
      after.muster, coalesce(after.jahr, extract(year from checks.today())::integer), after.naechste
    )
  ) then
    perform checks.refuse_field('muster', 'nummernkreis_doppelt', 'the number exists');
  end if;
  perform books.record(
    'nummernkreis', null, null, 'geaendert',
    jsonb_build_object('art', after.art) || history.difference(to_jsonb(before), to_jsonb(after))
  );
  return after.version;
end $$;
select rights.define('app.a_set_nummernkreis(text, text, boolean, bigint, integer)');
grant execute on function app.a_set_nummernkreis(text, text, boolean, bigint, integer) to nutzer;

-- As the caller. The ranges, with defaults where nothing is set, and the number that would be next today.
create or replace function app.a_get_nummernkreise()
  returns table (
    art text, muster text, jaehrlich boolean, naechste bigint, naechste_nummer text, begonnen boolean,
    version integer
  ) language plpgsql stable set search_path = pg_catalog as $$
declare year integer := extract(year from checks.today());
begin
  perform rights.refuse_unless(rights.reads_books());
  return query
    select d.art, coalesce(n.muster, d.muster), coalesce(n.jaehrlich, true), coalesce(n.naechste, 1),
      books.number_text(
        coalesce(n.muster, d.muster), year,
        case
          when n.jaehrlich and n.jahr is not null and n.jahr <> year then 1
          else coalesce(n.naechste, 1)
        end
      ),
      case d.art
        when 'rechnung' then exists (select from app.rechnung r where r.nummer is not null)
        else exists (select from app.angebot a where a.nummer is not null)
      end,
      coalesce(n.version, 0)
    from (values ('rechnung', 'RE-{JJJJ}-{NNNN}'), ('angebot', 'AN-{JJJJ}-{NNNN}')) as d(art, muster)
      left join app.nummernkreis n on n.art = d.art;
end $$;
grant execute on function app.a_get_nummernkreise() to nutzer;

-- The customer of a document, who must exist and not be blocked.
create or replace function books.beleg_kunde(client_id bigint)
  returns app.kunde language plpgsql stable set search_path = pg_catalog as $$
declare customer app.kunde;
begin
  select k.* into customer from app.kunde k where k.client_id = beleg_kunde.client_id;
  perform rights.check_found(found);
  if customer.gesperrt_bis is not null then
    raise sqlstate 'PT409' using message = 'the customer is blocked', hint = 'kunde_gesperrt';
  end if;
  return customer;
end $$;
grant execute on function books.beleg_kunde(bigint) to forst_definer;

-- Definer: forst_idp has no rights on the books. The letterhead, for the foot of mails; null until it has
-- been entered. Nothing in it is secret: it is printed on every document.
create or replace function books.letterhead()
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select jsonb_build_object(
    'name', l.name, 'name_zusatz', l.name_zusatz, 'strasse', l.strasse, 'plz', l.plz, 'ort', l.ort,
    'telefon', l.telefon, 'mail', l.mail, 'webseite', l.webseite, 'ust_id', l.ust_id, 'fusszeile', l.fusszeile
  )
  from app.lieferant l
$$;
select rights.define('books.letterhead()');
grant execute on function books.letterhead() to forst_betrieb, forst_idp;
