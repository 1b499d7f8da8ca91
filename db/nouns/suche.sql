-- Jump-to search over the records of several tables. What a caller may see is said by the policies of the
-- tables alone: rechte.such_kandidaten only names numbers that are worth a look, app.a_suche reads the rows
-- behind them as the caller. The detour is for speed: under row security a pattern is never looked up in an
-- index, because it is not leakproof, and reading 100,000 rows takes longer than somebody who types waits.
-- A further kind of record is one `when` in each of the two functions and an index of its suchtext.

-- Lower case, umlauts written out.
create or replace function rechte.such_form(value text)
  returns text language sql immutable strict parallel safe set search_path = pg_catalog
  return replace(
    replace(replace(replace(lower(translate(value, 'ÄÖÜ', 'äöü')), 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'ß',
    'ss'
  );

-- A word as a pattern for written-out umlauts, which suchtext holds: ae and a are one letter, likewise o and
-- u, and nothing else in it is a sign of a pattern.
create or replace function rechte.such_muster(wort text)
  returns text language sql immutable strict parallel safe set search_path = pg_catalog
  return regexp_replace(
    regexp_replace(rechte.such_form(wort), '([^[:alnum:]])', '\\\1', 'g'), '([aou])e?', '\1e?', 'g'
  );

-- What has to hold of a record for a word: at the beginning of one of its words (1) or anywhere (2). Trigrams
-- of a pattern need three letters in a row; what is shorter is only looked for at the beginning, with an
-- operator that knows where words begin.
create or replace function rechte.such_bedingung(wort text, stufe integer)
  returns text language sql immutable strict parallel safe set search_path = pg_catalog as $$
  select case
    when stamm ~ '[[:alnum:]]{3}' then format(
      't.suchtext ~ %L',
      case when stufe = 1 and stamm ~ '^[[:alnum:]]' then '\m' else '' end || rechte.such_muster(wort)
    )
    else format('(t.suchtext like %L or t.suchtext like %L)', woertlich || '%', '% ' || woertlich || '%')
  end
  from (
    select stamm, regexp_replace(stamm, '([%_\\])', '\\\1', 'g') as woertlich
    from (select regexp_replace(rechte.such_form(wort), '([aou])e', '\1', 'g') as stamm) s
  ) w
$$;

-- Words of what was typed, at most six; a # before a number is part of no name, and a dash or & is no word.
create or replace function rechte.such_worte(eingabe text)
  returns text[] language sql immutable strict parallel safe set search_path = pg_catalog as $$
  select coalesce(array_agg(wort order by nr), '{}')
  from (
    select wort, nr
    from regexp_split_to_table(
      regexp_replace(left(btrim(eingabe), 100), '^#(?=\d+$)', ''), '\s+'
    ) with ordinality as w(wort, nr)
    where wort ~ '[[:alnum:]äöüÄÖÜß]'
    order by nr limit 6
  ) w
$$;

-- How many records hold a word is guessed too high: the planner would read the table from its beginning and
-- not find enough before its end. Only the beginning of one word, two letters, stands in so many records that
-- this is faster.
create or replace function rechte.such_im_index(abfrage text)
  returns bigint[] language plpgsql stable set search_path = pg_catalog set enable_seqscan = off as $$
declare gefunden bigint[];
begin
  execute abfrage into gefunden;
  return gefunden;
end $$;

-- Definer: looks through an index, which the policies' caller cannot. Numbers of the records of one kind that
-- hold every word, best first: titles that begin so, beginnings of words, anything; whenever there are
-- `genug` of them, worse ones are not looked for, and of a sort there are `hoechstens`. Of all records for
-- those who may read all, else only of those the caller is linked to. app.a_suche asks the policies about
-- each of them once more.
drop function if exists rechte.such_kandidaten(text, text[], integer);
create or replace function rechte.such_kandidaten(art text, worte text[], genug integer, hoechstens integer)
  returns bigint[] language plpgsql stable set search_path = pg_catalog as $$
declare
  relation text;
  schluessel text;
  grenze text;
  -- A whole title and its beginning, in the spellings of umlauts that it can have.
  titel text;
  abfrage text;
  gefunden bigint[] := '{}';
  weitere bigint[];
begin
  case art
    when 'kunde' then
      relation := 'app.kunde';
      schluessel := 'client_id';
      grenze := case
        when not rechte.has_any('ogf_admin', 'ogf_team', 'apus_admin', 'apus_team') then
          format('t.client_id = any (%L)', rechte.kunden_als('kundenadmin', 'appuser', 'appuser_admin'))
      end;
    when 'hq' then
      relation := 'app.hq';
      schluessel := 'idHQ';
      grenze := case
        when not rechte.has_any('ogf_admin', 'ogf_team') then format(
          '(t.client_id = any (%L) or t."idHQ" = any (%L))', rechte.kunden_als('kundenadmin'),
          rechte.hqs_als()
        )
      end;
    when 'benutzer' then
      relation := 'app.benutzer';
      schluessel := 'user_id';
      grenze := case
        when not rechte.has_any('ogf_admin', 'apus_admin', 'ogf_team', 'apus_team') then
          format('t.user_id = any (%L)', rechte.people())
      end;
    when 'karte' then
      relation := 'app.kartenblatt';
      schluessel := 'id';
      grenze := case
        when not rechte.has_any('apus_admin', 'apus_team') then
          format('(t.show_client and t.client_id = any (%L))', rechte.kunden_als('appuser', 'appuser_admin'))
      end;
  end case;
  if cardinality(worte) = 0 then return gefunden; end if;
  if cardinality(worte) = 1 and worte[1] ~ '^\d{1,18}$' then gefunden := array[worte[1]::bigint]; end if;
  if char_length(array_to_string(worte, '')) < 2 then return gefunden; end if;
  -- Its keys know letters and digits alone: with other signs they would say more than was typed.
  if array_to_string(worte, '') ~ '^[[:alnum:]äöüÄÖÜß.-]{2,}$' then
    for titel in
      select distinct rechte.sort_key(schreibweise)
      from (values (array_to_string(worte, ' '))) as e(eingabe),
        unnest(array[
          eingabe, rechte.such_form(eingabe), regexp_replace(rechte.such_form(eingabe), '([aou])e', '\1', 'g')
        ]) as schreibweise
    loop
      execute format(
        'select array(select t.%I from %s t where %s and t.sortname >= %L and t.sortname < %L order by t.sortname limit %s)',
        schluessel, relation, coalesce(grenze, 'true'), titel, titel || '~', hoechstens / 4
      ) into weitere;
      gefunden := gefunden || weitere;
    end loop;
  end if;
  for stufe in 1..2 loop
    exit when (select count(distinct g) from unnest(gefunden) as g) >= genug;
    abfrage := format(
      'select array(select t.%I from %s t where %s and %s limit %s)', schluessel, relation,
      coalesce(grenze, 'true'),
      (select string_agg(rechte.such_bedingung(w, stufe), ' and ') from unnest(worte) as w),
      hoechstens * stufe
    );
    if char_length(array_to_string(worte, '')) > 2 then
      weitere := rechte.such_im_index(abfrage);
    else
      execute abfrage into weitere;
    end if;
    gefunden := gefunden || weitere;
  end loop;
  return gefunden;
end $$;
select rechte.define('rechte.such_kandidaten(text, text[], integer, integer)');
grant execute on function rechte.such_kandidaten(text, text[], integer, integer) to nutzer;

grant execute on function rechte.such_form(text), rechte.such_muster(text), rechte.such_worte(text) to nutzer;
grant execute on function rechte.such_form(text), rechte.such_muster(text),
  rechte.such_bedingung(text, integer), rechte.such_im_index(text) to forst_definer;

-- The best `grenze` records of each kind, of those that the caller may read. `arten` leaves kinds out that
-- the caller has no screen for. rang says how well a record fits: 0 its number or its whole title, 1 its
-- title or the last name begins so, 2 words of the title begin so, 3 words of its other text do, 4 somewhere
-- inside.
create or replace function app.a_suche(text text, arten text[] default null, grenze integer default 8)
  returns table (art text, id bigint, titel text, zusatz text, client_id bigint, rang smallint)
  language plpgsql stable set search_path = pg_catalog as $$
declare
  gefragt constant text[] := coalesce(a_suche.arten, '{kunde,hq,benutzer,karte}');
  worte constant text[] := rechte.such_worte(a_suche.text);
  -- Made once: there is a row for each of them.
  muster constant text[] := array(select rechte.such_muster(w) from unnest(worte) as w);
  anfaenge constant text[] := array(select '\m' || m from unnest(muster) as m);
  beginn constant text := '^' || array_to_string(muster, ' +');
  nummer constant bigint := case
    when cardinality(worte) = 1 and worte[1] ~ '^\d{1,18}$' then worte[1]::bigint
  end;
  je_art constant integer := least(greatest(coalesce(a_suche.grenze, 8), 1), 50);
  -- More than are shown: the best of them are chosen here.
  blick constant integer := 200;
  -- Beforehand: within the query they would be asked for the plan and once more for the rows.
  kunden constant bigint[] := case
    when 'kunde' = any (gefragt) then rechte.such_kandidaten('kunde', worte, je_art, blick)
  end;
  hqs constant bigint[] := case
    when 'hq' = any (gefragt) then rechte.such_kandidaten('hq', worte, je_art, blick)
  end;
  personen constant bigint[] := case
    when 'benutzer' = any (gefragt) then rechte.such_kandidaten('benutzer', worte, je_art, blick)
  end;
  karten constant bigint[] := case
    when 'karte' = any (gefragt) then rechte.such_kandidaten('karte', worte, je_art, blick)
  end;
begin
  if coalesce(cardinality(worte), 0) = 0 then return; end if;
  return query
    select s.art, s.id, s.titel, s.zusatz,
      case
        when s.art = 'benutzer' then
          (select min(bk.client_id) from app.benutzer_kunde bk where bk.user_id = s.id)
        else s.client_id
      end,
      s.rang
    from (
      select f.*,
        row_number() over (partition by f.art order by f.rang, f.sortname collate "C", f.id) as platz
      from (
        select k.art, k.id, k.titel, k.zusatz, k.client_id, k.sortname,
          case
            when k.id = nummer or form ~ (beginn || '$') or k.sortname ~ (beginn || '$') then 0
            when form ~ beginn or k.sortname ~ beginn then 1
            when form ~ all (anfaenge) then 2
            when k.suchtext ~ all (anfaenge) then 3
            else 4
          end::smallint as rang
        from (
          select 'kunde', k.client_id, k.name, concat_ws(' ', k.plz, k.ort), k.client_id, k.sortname,
            k.suchtext
          from app.kunde k
          where k.client_id = any (kunden)
          union all
          select 'hq', h."idHQ", h."sHQ", k.name, h.client_id, h.sortname, h.suchtext
          from app.hq h left join app.kunde k on k.client_id = h.client_id
          where h."idHQ" = any (hqs)
          union all
          select 'benutzer', b.user_id,
            coalesce(nullif(concat_ws(' ', b.first_name, b.last_name), ''), b.username), b.email, null,
            b.sortname, b.suchtext
          from app.benutzer b
          where b.user_id = any (personen)
          union all
          select 'karte', p.id, p.map_name, concat_ws(' · ', p.gemarkung, p.kreis, k.name), p.client_id,
            p.sortname, p.suchtext
          from app.kartenblatt p left join app.kunde k on k.client_id = p.client_id
          where p.id = any (karten)
        ) as k(art, id, titel, zusatz, client_id, sortname, suchtext)
          -- rechte.such_form, written out: a call for each row would take longer than all the rest.
          cross join lateral (
            select replace(
              replace(
                replace(replace(lower(translate(k.titel, 'ÄÖÜ', 'äöü')), 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'
              ),
              'ß', 'ss'
            ) as form
          ) as n
      ) f
    ) s
    where s.platz <= je_art
    order by array_position(gefragt, s.art), s.platz;
end $$;
revoke execute on function app.a_suche(text, text[], integer) from public;
grant execute on function app.a_suche(text, text[], integer) to nutzer;
