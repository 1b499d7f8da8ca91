-- Jump-to search across several tables. The policies of the tables alone decide what a caller may see:
-- search.candidates only returns numbers of possible matches, and app.a_suche reads their rows as the caller.
-- The two steps are for speed: pattern operators are not leakproof, so under row security they use no index,
-- and reading 100,000 rows takes longer than people wait while typing.
-- A new kind of record needs one branch in each of the two functions and an index on its suchtext; documents
-- and trees have their own functions.

-- Lower case, with umlauts as two letters.
create or replace function search.spelled_out(value text)
  returns text language sql immutable strict parallel safe set search_path = pg_catalog
  return replace(
    replace(replace(replace(lower(translate(value, 'ÄÖÜ', 'äöü')), 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'ß',
    'ss'
  );
grant execute on function search.spelled_out(text) to nutzer, forst_definer;

-- A word as a pattern on `suchtext`, which contains umlauts as two letters. a and ae match each other,
-- as do o and u; all other characters are literal.
create or replace function search.pattern_of(word text)
  returns text language sql immutable strict parallel safe set search_path = pg_catalog
  return regexp_replace(
    regexp_replace(search.spelled_out(word), '([^[:alnum:]])', '\\\1', 'g'), '([aou])e?', '\1e?', 'g'
  );
grant execute on function search.pattern_of(text) to nutzer, forst_definer;

-- Condition on a text for one word: at the beginning of a word (level 1) or anywhere (level 2). `source` is
-- an expression of ours, never what was typed. A trigram index needs three letters in a row; shorter words
-- are only searched at the beginning of words, with like, for which the trigrams include word boundaries.
create or replace function search.condition_on(source text, word text, level integer)
  returns text language sql immutable strict parallel safe set search_path = pg_catalog as $$
  select case
    when stamm ~ '[[:alnum:]]{3}' then format(
      '%s ~ %L', source,
      case when level = 1 and stamm ~ '^[[:alnum:]]' then '\m' else '' end || search.pattern_of(word)
    )
    else format('(%s like %L or %s like %L)', source, woertlich || '%', source, '% ' || woertlich || '%')
  end
  from (
    select stamm, regexp_replace(stamm, '([%_\\])', '\\\1', 'g') as woertlich
    from (select regexp_replace(search.spelled_out(word), '([aou])e', '\1', 'g') as stamm) s
  ) w
$$;
grant execute on function search.condition_on(text, text, integer) to forst_definer;
create or replace function search.condition_of(word text, level integer)
  returns text language sql immutable strict parallel safe set search_path = pg_catalog
  return search.condition_on('t.suchtext', word, level);
grant execute on function search.condition_of(text, integer) to forst_definer;

-- Words of the input, at most six. A # before a number is dropped, and so are words without any letter or
-- digit.
create or replace function search.words_of(input text)
  returns text[] language sql immutable strict parallel safe set search_path = pg_catalog as $$
  select coalesce(array_agg(wort order by nr), '{}')
  from (
    select wort, nr
    from regexp_split_to_table(
      regexp_replace(left(btrim(input), 100), '^#(?=\d+$)', ''), '\s+'
    ) with ordinality as w(wort, nr)
    where wort ~ '[[:alnum:]äöüÄÖÜß]'
    order by nr limit 6
  ) w
$$;
grant execute on function search.words_of(text) to nutzer;

-- The planner overestimates how many records contain a word, and would scan the table without finding enough
-- before its end. Only two letters match so many records that scanning is faster.
create or replace function search.by_index(query text)
  returns bigint[] language plpgsql stable set search_path = pg_catalog set enable_seqscan = off as $$
declare found bigint[];
begin
  execute query into found;
  return found;
end $$;
grant execute on function search.by_index(text) to forst_definer;

-- Definer: uses an index, which a caller under policies cannot. Numbers of the records of one kind that
-- contain every word, best first: titles that begin with the input, beginnings of words, anything. Once there
-- are `enough`, worse matches are not searched; `most` limits each step. Searches all records for callers who
-- may read all, otherwise those they are linked to. app.a_suche applies the policies to each result.
create or replace function search.candidates(art text, words text[], enough integer, most integer)
  returns bigint[] language plpgsql stable set search_path = pg_catalog as $$
declare
  relation text;
  key_column text;
  bound text;
  -- The input as the beginning of a title, in all spellings of its umlauts.
  title text;
  query text;
  found bigint[] := '{}';
  further bigint[];
begin
  if not rights.key_reads(null, null) then return found; end if;
  case art
    when 'kunde' then
      relation := 'app.kunde';
      key_column := 'client_id';
      bound := case
        when not rights.has_any('ogf_admin', 'ogf_team', 'apus_admin', 'apus_team') then
          format('t.client_id = any (%L)', rights.kunden_as('kundenadmin', 'appuser', 'appuser_admin'))
      end;
    when 'hq' then
      relation := 'app.hq';
      key_column := 'idHQ';
      bound := case
        when not rights.has_any('ogf_admin', 'ogf_team') then format(
          '(t.client_id = any (%L) or t."idHQ" = any (%L))', rights.kunden_as('kundenadmin'), rights.hqs_as()
        )
      end;
    when 'benutzer' then
      relation := 'app.benutzer';
      key_column := 'user_id';
      bound := case
        when not rights.has_any('ogf_admin', 'apus_admin', 'ogf_team', 'apus_team') then
          format('t.user_id = any (%L)', rights.people())
      end;
    when 'karte' then
      relation := 'app.kartenblatt';
      key_column := 'id';
      bound := case
        when not rights.has_any('apus_admin', 'apus_team') then
          format('(t.show_client and t.client_id = any (%L))', rights.kunden_as('appuser', 'appuser_admin'))
      end;
  end case;
  if cardinality(words) = 0 then return found; end if;
  if cardinality(words) = 1 and words[1] ~ '^\d{1,18}$' then found := array[words[1]::bigint]; end if;
  if char_length(array_to_string(words, '')) < 2 then return found; end if;
  -- Sort keys contain only letters and digits: with other characters the input would match more than was
  -- typed.
  if array_to_string(words, '') ~ '^[[:alnum:]äöüÄÖÜß.-]{2,}$' then
    for title in
      select distinct search.sort_key(schreibweise)
      from (values (array_to_string(words, ' '))) as e(eingabe),
        unnest(array[
          eingabe, search.spelled_out(eingabe),
          regexp_replace(search.spelled_out(eingabe), '([aou])e', '\1', 'g')
        ]) as schreibweise
    loop
      execute format(
        'select array(select t.%I from %s t where %s and t.sortname >= %L and t.sortname < %L
          order by t.sortname limit %s)',
        key_column, relation, coalesce(bound, 'true'), title, title || '~', most / 4
      ) into further;
      found := found || further;
    end loop;
  end if;
  for stufe in 1..2 loop
    exit when (select count(distinct g) from unnest(found) as g) >= enough;
    query := format(
      'select array(select t.%I from %s t where %s and %s limit %s)', key_column, relation,
      coalesce(bound, 'true'),
      (select string_agg(search.condition_of(w, stufe), ' and ') from unnest(words) as w), most * stufe
    );
    if char_length(array_to_string(words, '')) > 2 then
      further := search.by_index(query);
    else
      execute query into further;
    end if;
    found := found || further;
  end loop;
  return found;
end $$;
select rights.define('search.candidates(text, text[], integer, integer)');
grant execute on function search.candidates(text, text[], integer, integer) to nutzer;

-- The amount in euros that was typed ("1.234,50", "1234,5 €", "1234.50"); null if it is none.
create or replace function search.amount_of(input text)
  returns numeric language sql immutable strict parallel safe set search_path = pg_catalog as $$
  select case
    when typed ~ '^\d{1,9}([.,]\d{1,2})?$' then replace(typed, ',', '.')::numeric
    when typed ~ '^\d{1,3}(\.\d{3}){1,3}(,\d{1,2})?$' then replace(replace(typed, '.', ''), ',', '.')::numeric
  end
  from (select regexp_replace(input, '\s*(€|eur|euro)?\s*$|^\s+', '', 'gi') as typed) e
$$;
grant execute on function search.amount_of(text) to nutzer;

-- 1234.5 as people write it: 1.234,50 €.
create or replace function search.euros(amount numeric)
  returns text language sql immutable strict parallel safe set search_path = pg_catalog
  return translate(to_char(amount, 'FM999,999,999,990.00'), ',.', '.,') || ' €';
grant execute on function search.euros(numeric) to nutzer, forst_definer;

-- Customers whose name contains every word. Auditors learn the names in the books and nothing else of
-- customers, so no other text finds one for them.
create or replace function search.kunden_named(words text[], most integer)
  returns bigint[] language plpgsql stable set search_path = pg_catalog as $$
begin
  return array(
    select k.client_id
    from unnest(search.by_index(format(
      'select array(select t.client_id from app.kunde t where %s limit 200)',
      (select string_agg(search.condition_of(w, 2), ' and ') from unnest(words) as w)
    ))) as f(client_id)
      join app.kunde k on k.client_id = f.client_id
    where search.spelled_out(k.name) ~ all (array(select search.pattern_of(w) from unnest(words) as w))
    order by k.client_id limit most
  );
end $$;
grant execute on function search.kunden_named(text[], integer) to forst_definer;

-- Definer: the books are closed to customers, and pattern operators use no index under policies. Invoices
-- ('rechnung') or offers ('angebot') whose number, order number or writer contains every word, that have this
-- amount, or that belong to a customer with these words, newest first. Everything for those who keep the
-- books; for auditors what is issued; for a customer's admins what was issued to their own customer.
create or replace function search.papers(art text, words text[], amount numeric, most integer)
  returns table (id bigint, titel text, zusatz text, client_id bigint, sortname text, suchtext text)
  language plpgsql stable set search_path = pg_catalog as $$
declare
  books constant boolean := rights.has_role('apus_admin');
  auditor constant boolean := rights.has_role('pruefer');
  own constant bigint[] := rights.kunden_as('kundenadmin', 'appuser_admin');
  relation constant text := case art when 'rechnung' then 'app.rechnung' else 'app.angebot' end;
  bound constant text := case
    when books then 'true'
    when auditor then 't.beleg is not null'
    else format('t.client_id = any (%L) and t.beleg is not null', own)
  end;
  kunden bigint[];
  further bigint[];
  found_ids bigint[] := '{}';
begin
  if cardinality(words) = 0
    or not (books or auditor or cardinality(own) > 0)
    or not rights.key_reads(null, null)
  then
    return;
  end if;
  if amount is not null then
    execute format(
      'select array(select t.id from %s t where %s and t.brutto = $1 order by t.id desc limit %s)', relation,
      bound, most
    ) into found_ids using amount;
  end if;
  if char_length(array_to_string(words, '')) > 2 then
    found_ids := found_ids || search.by_index(format(
      'select array(select t.id from %s t where %s and %s limit %s)', relation, bound,
      (select string_agg(search.condition_of(w, 2), ' and ') from unnest(words) as w), most
    ));
    kunden := case
      when books or not auditor then search.candidates('kunde', words, 8, 20)
      else search.kunden_named(words, 20)
    end;
    execute format(
      'select array(
        select d.id
        from unnest($1) as k
          cross join lateral (
            select t.id from %s t where t.client_id = k and %s order by t.id desc limit 8
          ) d
        limit %s
      )',
      relation, bound, most
    ) into further using kunden;
    found_ids := found_ids || further;
  end if;
  return query execute format(
    $q$select t.id, %s, concat_ws(' · ', k.name, search.euros(t.brutto), to_char(%s, 'DD.MM.YYYY'), %s),
        t.client_id, '~' || lpad((9999999999 - t.id)::text, 10, '0'), t.suchtext || ' ' || k.suchtext
      from %s t join app.kunde k on k.client_id = t.client_id
      where t.id = any ($1) and %s$q$,
    case art
      when 'rechnung' then
        $t$coalesce(
          case t.art
            when 'storno' then 'Storno '
            when 'korrektur' then 'Korrektur '
            when 'abschlag' then 'Abschlag '
            when 'schluss' then 'Schlussrechnung '
            else ''
          end || t.nummer,
          'Rechnungsentwurf'
        )$t$
      else $t$coalesce(books.angebot_number(t.nummer, t.fassung), 'Angebotsentwurf')$t$
    end,
    case art when 'rechnung' then 't.rn_datum' else 't.an_datum' end,
    case art when 'rechnung' then $t$nullif(t.bestellnummer, '')$t$ else 'null' end, relation, bound
  ) using found_ids;
end $$;
select rights.define('search.papers(text, text[], numeric, integer)');
grant execute on function search.papers(text, text[], numeric, integer) to nutzer;

-- Trees whose number is the first word; further words name the holding. Equality uses the index under
-- policies as well.
create or replace function search.trees(words text[], most integer)
  returns table (id bigint, titel text, zusatz text, client_id bigint, sortname text, suchtext text)
  language sql stable set search_path = pg_catalog as $$
  select t.id, t.nummer, concat_ws(' · ', h."sHQ", t.art_text), t.client_id, h.sortname,
    t.suchtext || ' ' || h.suchtext
  from app.habitatbaeume t join app.hq h on h."idHQ" = t."idHQ"
  where t.sortname = search.natural_key(words[1])
    and h.suchtext ~ all (array(select search.pattern_of(w) from unnest(words[2:]) as w))
  order by t.id desc limit most
$$;
grant execute on function search.trees(text[], integer) to nutzer;

-- Definer: pattern operators use no index under policies. Received invoices with every word in sender, number
-- or file name, or with this amount, newest first; for those who keep or examine the books.
create or replace function search.received(words text[], amount numeric, most integer)
  returns table (id bigint, titel text, zusatz text, client_id bigint, sortname text, suchtext text)
  language plpgsql stable set search_path = pg_catalog as $$
declare
  found_ids bigint[] := '{}';
  condition text;
begin
  if cardinality(words) = 0
    or not rights.has_any('apus_admin', 'pruefer')
    or not rights.key_reads(null, null)
  then
    return;
  end if;
  if amount is not null then
    found_ids := array(
      select e.id
      from app.eingang e
      where e.brutto = amount
      union all
      select e.id
      from app.eingang e
      where e.zahlbetrag = amount
      order by id desc limit most
    );
  end if;
  if char_length(array_to_string(words, '')) > 2 then
    -- Each word in the invoice's own text, or in the name of who sent it.
    select string_agg(format(
      '(%s or t.kreditor_id = any (%L))',
      search.condition_on($t$search.search_text(t.name || ' ' || t.nummer || ' ' || t.dateiname)$t$, w, 2),
      array(
        select k.id
        from app.kreditor k
        where search.spelled_out(k.name) ~ search.pattern_of(w) limit 200
      )
    ), ' and ') into condition
    from unnest(words) as w;
    found_ids := found_ids || search.by_index(format(
      'select array(select t.id from app.eingang t where %s order by t.id desc limit %s)', condition, most
    ));
  end if;
  return query
    select e.id, coalesce(nullif(e.nummer, ''), e.dateiname),
      concat_ws(
        ' · ', coalesce(k.name, nullif(e.name, '')), search.euros(e.brutto), to_char(e.datum, 'DD.MM.YYYY')
      ),
      null::bigint, '~' || lpad((9999999999 - e.id)::text, 10, '0'),
      search.spelled_out(concat_ws(' ', k.name, e.name, e.nummer, e.dateiname))
    from app.eingang e left join app.kreditor k on k.id = e.kreditor_id
    where e.id = any (found_ids)
    order by e.id desc limit most;
end $$;
select rights.define('search.received(text[], numeric, integer)');
grant execute on function search.received(text[], numeric, integer) to nutzer;

-- Definer: as above. Recurring invoices with every word in their title, or that belong to a customer with
-- these words, newest first; for those who keep the books.
create or replace function search.recurring(words text[], most integer)
  returns table (id bigint, titel text, zusatz text, client_id bigint, sortname text, suchtext text)
  language plpgsql stable set search_path = pg_catalog as $$
declare
  condition text;
  found_ids bigint[];
begin
  if char_length(array_to_string(words, '')) <= 2
    or not rights.has_role('apus_admin')
    or not rights.key_reads(null, null)
  then
    return;
  end if;
  select string_agg(format(
    '(%s or t.client_id = any (%L))', search.condition_on('search.search_text(t.titel)', w, 2),
    search.candidates('kunde', array[w], 200, 200)
  ), ' and ') into condition
  from unnest(words) as w;
  found_ids := search.by_index(format(
    'select array(select t.id from app.serie t where %s order by t.id desc limit %s)', condition, most
  ));
  return query
    select s.id, s.titel, concat_ws(' · ', k.name, search.euros(s.brutto)), s.client_id,
      '~' || lpad((9999999999 - s.id)::text, 10, '0'), search.spelled_out(s.titel) || ' ' || k.suchtext
    from app.serie s join app.kunde k on k.client_id = s.client_id
    where s.id = any (found_ids)
    order by s.id desc;
end $$;
select rights.define('search.recurring(text[], integer)');
grant execute on function search.recurring(text[], integer) to nutzer;

-- The best `grenze` records of each kind among those the caller may read. `arten` limits the kinds to those
-- the caller has a screen for. `rang` says how well a record matches: 0 its number or whole title, 1 its
-- title or last name begins with the input, 2 words of the title begin with it, 3 words of its other text do,
-- 4 anywhere else.
create or replace function app.a_suche(text text, arten text[] default null, grenze integer default 8)
  returns table (art text, id bigint, titel text, zusatz text, client_id bigint, rang smallint)
  language plpgsql stable set search_path = pg_catalog as $$
declare
  asked constant text[] := coalesce(
    a_suche.arten, '{kunde,hq,benutzer,karte,rechnung,angebot,eingang,serie,habitatbaum}'
  );
  words constant text[] := search.words_of(a_suche.text);
  -- Computed once, not for each row.
  muster constant text[] := array(select search.pattern_of(w) from unnest(words) as w);
  starts constant text[] := array(select '\m' || m from unnest(muster) as m);
  beginning constant text := '^' || array_to_string(muster, ' +');
  amount constant numeric := search.amount_of(left(a_suche.text, 100));
  number constant bigint := case
    when cardinality(words) = 1 and words[1] ~ '^\d{1,18}$' then words[1]::bigint
  end;
  je_art constant integer := least(greatest(coalesce(a_suche.grenze, 8), 1), 50);
  -- More than are shown, because the best are chosen below.
  peek constant integer := 200;
  -- Called before the query, which would call them once for planning and again for execution.
  kunden constant bigint[] := case
    when 'kunde' = any (asked) then search.candidates('kunde', words, je_art, peek)
  end;
  hqs constant bigint[] := case when 'hq' = any (asked) then search.candidates('hq', words, je_art, peek) end;
  people constant bigint[] := case
    when 'benutzer' = any (asked) then search.candidates('benutzer', words, je_art, peek)
  end;
  karten constant bigint[] := case
    when 'karte' = any (asked) then search.candidates('karte', words, je_art, peek)
  end;
begin
  if coalesce(cardinality(words), 0) = 0 then return; end if;
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
            -- The number of a document or tree is its title.
            when (k.id = number and k.art not in ('rechnung', 'angebot', 'eingang', 'serie', 'habitatbaum'))
              or form ~ (beginning || '$')
              or k.sortname ~ (beginning || '$')
            then 0
            when form ~ beginning or k.sortname ~ beginning then 1
            when form ~ all (starts) then 2
            when k.suchtext ~ all (starts) then 3
            else 4
          end::smallint as rang
        from (
          select 'kunde', k.client_id, k.name, concat_ws(' ', nullif(k.plz, ''), k.ort), k.client_id,
            k.sortname, k.suchtext
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
          where b.user_id = any (people)
          union all
          select 'karte', p.id, p.map_name, concat_ws(' · ', p.gemarkung, p.kreis, k.name), p.client_id,
            p.sortname, p.suchtext
          from app.kartenblatt p left join app.kunde k on k.client_id = p.client_id
          where p.id = any (karten)
          union all
          select 'rechnung', p.*
          from search.papers('rechnung', words, amount, peek) p
          where 'rechnung' = any (asked)
          union all
          select 'angebot', p.*
          from search.papers('angebot', words, amount, peek) p
          where 'angebot' = any (asked)
          union all
          select 'eingang', e.*
          from search.received(words, amount, peek) e
          where 'eingang' = any (asked)
          union all
          select 'serie', r.*
          from search.recurring(words, peek) r
          where 'serie' = any (asked)
          union all
          select 'habitatbaum', t.*
          from search.trees(words, peek) t
          where 'habitatbaum' = any (asked)
        ) as k(art, id, titel, zusatz, client_id, sortname, suchtext)
          -- search.spelled_out written out: a call per row would take longer than everything else.
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
    order by array_position(asked, s.art), s.platz;
end $$;
grant execute on function app.a_suche(text, text[], integer) to nutzer;
