-- Which rows a read can be narrowed to before it is carried out, so that its cost follows the answer and not
-- the table. Policies decide alone what is visible; these are conditions that hold anyway. Two kinds of reads
-- need them: a policy for staff or for one's own rows is `constant or client_id = any (…)`, which no index
-- answers, and pattern operators are not leakproof, so under row security they use no index either.
-- A further relation needs one branch in each of the three functions.

create or replace function search.narrowed()
  returns text[] language sql immutable set search_path = pg_catalog
  return '{kunde,kunde_mitglieder,hq,hq_liste,benutzer,nutzer_liste,mitglied,kartenblatt,karte_liste,
    habitatbaeume,habitatbaeume_liste,habitatbaeume_karte,rechnung_liste,angebot_liste,abo_liste,
    eingang_liste,kontoumsatz_liste}'::text[];
grant execute on function search.narrowed() to nutzer;

-- Whether the policies let the caller read every row of the relation.
create or replace function search.reads_all(relation text)
  returns boolean language sql stable set search_path = pg_catalog
  return case
    when relation in ('kunde', 'kunde_mitglieder', 'benutzer', 'nutzer_liste', 'mitglied') then
      rights.has_any('ogf_admin', 'ogf_team', 'apus_admin', 'apus_team')
    when relation in ('kartenblatt', 'karte_liste') then rights.has_any('apus_admin', 'apus_team')
    when relation in ('rechnung_liste', 'angebot_liste', 'eingang_liste', 'kontoumsatz_liste') then
      rights.has_any('apus_admin', 'pruefer')
    when relation = 'abo_liste' then rights.has_role('ogf_admin')
    else rights.has_any('ogf_admin', 'ogf_team')
  end;
grant execute on function search.reads_all(text) to nutzer, forst_definer;

-- Definer: a key narrowed to groups may not read headquarters, but what belongs to them. Headquarters of the
-- caller: linked, or of a customer whose kundenadmin the caller is.
create or replace function search.own_hqs()
  returns bigint[] language plpgsql stable set search_path = pg_catalog as $$
declare own bigint[] := rights.kunden_as('kundenadmin');
begin
  return rights.hqs_as() || array(select h."idHQ" from app.hq h where h.client_id = any (own));
end $$;
select rights.define('search.own_hqs()');
grant execute on function search.own_hqs() to nutzer;

-- Rows of which the policies leave some to callers who do not read all.
create or replace function search.own_rows(relation text)
  returns table (spalte text, ids bigint[]) language plpgsql stable set search_path = pg_catalog as $$
begin
  case
    when relation in ('kunde', 'kunde_mitglieder') then
      return query select 'client_id', rights.kunden_as('kundenadmin', 'appuser', 'appuser_admin');
    when relation in ('benutzer', 'nutzer_liste', 'mitglied') then
      return query select 'user_id', rights.people();
    when relation in ('kartenblatt', 'karte_liste') then
      return query select 'client_id', rights.kunden_as('appuser', 'appuser_admin');
    when relation in ('rechnung_liste', 'angebot_liste', 'eingang_liste', 'kontoumsatz_liste') then
      return query select 'id', '{}'::bigint[];
    when relation = 'abo_liste' then return query select 'hqid', search.own_hqs();
    else return query select 'idHQ', search.own_hqs();
  end case;
end $$;
grant execute on function search.own_rows(text) to nutzer;

-- Definer: the numbers of documents are part of what entries of the bank are searched by. Entries that are
-- assigned to a document whose number is like the pattern.
create or replace function search.entries_of(pattern text, most integer)
  returns bigint[] language sql stable set search_path = pg_catalog as $$
  select array(
    select z.umsatz_id
    from app.rechnung r join app.zahlung z on z.rechnung_id = r.id
    where r.suchtext like entries_of.pattern
      and lower(r.nummer) like entries_of.pattern
      and z.umsatz_id is not null
    union
    select z.umsatz_id
    from app.eingang e join app.eingang_zahlung z on z.eingang_id = e.id
    where e.suchtext like entries_of.pattern
      and lower(e.nummer) like entries_of.pattern
      and z.umsatz_id is not null limit most
  )
$$;
grant execute on function search.entries_of(text, integer) to forst_definer;

-- Definer: uses an index, which a caller under policies cannot; only for callers who read all. Numbers of the
-- rows whose search text contains every pattern that an index can answer (three letters or digits in a row,
-- no blank), or more than those; null if there is no such pattern, or if so many rows match that reading in
-- the list's order finds a page sooner (a fifth of the newest).
create or replace function search.matching(relation text, patterns text[])
  returns bigint[] language plpgsql stable set search_path = pg_catalog as $$
declare
  source text;
  key_column text;
  -- Its search text also has that of its customer.
  with_kunde boolean := false;
  pattern text;
  -- Rows that match by what belongs to them: customers, senders, entries.
  others bigint[];
  condition text := 'true';
  common bigint;
  found bigint[];
  most constant integer := 10000;
begin
  if not search.reads_all(relation) or not rights.key_reads(null, null) then return null; end if;
  case
    when relation in ('kunde', 'kunde_mitglieder') then
      source := 'app.kunde';
      key_column := 'client_id';
    when relation in ('benutzer', 'nutzer_liste', 'mitglied') then
      source := 'app.benutzer';
      key_column := 'user_id';
    when relation in ('hq', 'hq_liste') then
      source := 'app.hq';
      key_column := 'idHQ';
      with_kunde := relation = 'hq_liste';
    when relation in ('kartenblatt', 'karte_liste') then
      source := 'app.kartenblatt';
      key_column := 'id';
      with_kunde := relation = 'karte_liste';
    when relation in ('rechnung_liste', 'angebot_liste') and rights.has_role('apus_admin') then
      source := case relation when 'rechnung_liste' then 'app.rechnung' else 'app.angebot' end;
      key_column := 'id';
      with_kunde := true;
    when relation = 'eingang_liste' then
      source := 'app.eingang';
      key_column := 'id';
    when relation = 'kontoumsatz_liste' then
      source := 'app.kontoumsatz';
      key_column := 'id';
    else return null;
  end case;
  foreach pattern in array patterns loop
    continue when pattern !~ '[[:alnum:]]{3}' or pattern ~ '\s' or char_length(pattern) > 100;
    if with_kunde then
      others := search.matching('kunde', array[pattern]);
      continue when others is null;
      condition := condition
        || format(' and (t.suchtext like %L or t.client_id = any (%L))', pattern, others);
    elsif relation = 'eingang_liste' then
      others := array(select k.id from app.kreditor k where lower(k.name) like pattern limit most);
      condition := condition
        || format(' and (t.suchtext like %L or t.kreditor_id = any (%L))', pattern, others);
    elsif relation = 'kontoumsatz_liste' then
      -- A comma may stand between two numbers.
      continue when strpos(pattern, ',') > 0;
      others := search.entries_of(pattern, most + 1);
      continue when cardinality(others) > most;
      condition := condition || format(
        $q$ and (lower(t.name || ' ' || t.zweck || ' ' || t.iban) like %L or t.id = any (%L))$q$, pattern,
        others
      );
    else
      condition := condition || format(' and t.suchtext like %L', pattern);
    end if;
  end loop;
  if condition = 'true' then return null; end if;
  execute format(
    'select count(*) filter (where %s) from (select t.* from %s t order by t.%I desc limit 500) t', condition,
    source, key_column
  ) into common;
  if common > 100 then return null; end if;
  found := search.by_index(format(
    'select array(select t.%I from %s t where %s limit %s)', key_column, source, condition, most + 1
  ));
  return case when cardinality(found) <= most then found end;
end $$;
select rights.define('search.matching(text, text[])');
grant execute on function search.matching(text, text[]) to nutzer, forst_definer;

-- Documents and entries in these states, where they are few; null if the states are not, or if there are more
-- than a list counts. As the caller, who keeps or examines the books.
create or replace function search.in_state(relation text, feld text, stand text[])
  returns bigint[] language plpgsql stable set search_path = pg_catalog as $$
declare
  found bigint[];
  most constant integer := 10000;
begin
  case
    when relation = 'rechnung_liste'
      and feld = 'stand'
      and stand
        <@ '{entwurf,offen,teilbezahlt,ueberfaellig,storno,korrektur,storniert,verrechnet,korrigiert}'
    then
      found := array(
        select x.id
        from (
          select o.rechnung_id as id
          from app.rechnung_offen o
          where stand && '{offen,teilbezahlt,ueberfaellig}'
          union
          select r.id
          from app.rechnung r
          where r.zustand = 'entwurf' and 'entwurf' = any (stand)
          union
          -- What a Storno, a correction or a final invoice makes of others, and they themselves.
          select unnest(array[r.id, r.storno_von, r.korrektur_von])
          from app.rechnung r
          where r.art <> 'rechnung' and stand && '{storno,korrektur,storniert,verrechnet,korrigiert}'
        ) x
        where x.id is not null limit most + 1
      );
    when relation = 'rechnung_liste' and feld = 'versand' and stand <@ '{wartet,fehlgeschlagen}' then
      found := array(
        select distinct v.rechnung_id
        from app.versand v
        where v.zustand <> 'gesendet' and v.rechnung_id is not null limit most + 1
      );
    when relation = 'eingang_liste'
      and feld = 'stand'
      and stand <@ '{neu,freigegeben,ueberfaellig,abgelehnt}'
    then
      found := array(
        select e.id
        from app.eingang e
        where e.zustand = any (array_replace(stand, 'ueberfaellig', 'freigegeben')) limit most + 1
      );
    when relation = 'kontoumsatz_liste' and feld = 'stand' and stand <@ '{offen,teilweise}' then
      found := array(select u.id from app.kontoumsatz u where not u.erledigt limit most + 1);
    else return null;
  end case;
  return case when cardinality(found) <= most then found end;
end $$;
drop function if exists search.in_state(text[]);
grant execute on function search.in_state(text, text, text[]) to nutzer;

-- Definer: as above. Rows within the given limits of a number, as far as it has an index; null if it has
-- none, or if there are more than a list counts.
create or replace function search.within(relation text, given jsonb)
  returns bigint[] language plpgsql stable set search_path = pg_catalog as $$
declare
  source text;
  condition text;
  found bigint[];
  most constant integer := 10000;
begin
  if not search.reads_all(relation) or not rights.key_reads(null, null) then return null; end if;
  if relation = 'kunde_mitglieder' then
    -- Customers with somebody of the team; few are.
    if given @> '[{"column": "team", "operator": "gt", "values": ["0"]}]' then
      found := array(
        select distinct bk.client_id
        from app.benutzer b join app.benutzer_kunde bk on bk.user_id = b.user_id
        where b.apus_team or b.apus_admin limit most + 1
      );
    end if;
    return case when cardinality(found) <= most then found end;
  end if;
  -- Auditors do not read drafts.
  if relation in ('rechnung_liste', 'angebot_liste') and not rights.has_role('apus_admin') then
    return null;
  end if;
  select g.source, string_agg(format('t.%I %s %L::numeric', g.feld, g.vergleich, g.wert), ' and ')
  into source, condition
  from (
    select x.value ->> 'column' as feld, x.value -> 'values' ->> 0 as wert,
      case x.value ->> 'operator'
        when 'gt' then '>'
        when 'gte' then '>='
        when 'lt' then '<'
        when 'lte' then '<='
      end as vergleich,
      case
        when relation = 'rechnung_liste' and x.value ->> 'column' in ('brutto', 'netto') then
          'select t.id from app.rechnung t'
        when relation = 'rechnung_liste' and x.value ->> 'column' = 'offen' then
          'select t.rechnung_id from app.rechnung_offen t'
        when relation = 'angebot_liste' and x.value ->> 'column' = 'brutto' then
          'select t.id from app.angebot t'
        when relation = 'eingang_liste' and x.value ->> 'column' = 'brutto' then
          'select t.id from app.eingang t'
        when relation = 'kontoumsatz_liste' and x.value ->> 'column' = 'betrag' then
          'select t.id from app.kontoumsatz t'
      end as source
    from jsonb_array_elements(given) x
  ) g
  where g.source is not null and g.vergleich is not null
  group by g.source
  order by g.source limit 1;
  if condition is null then return null; end if;
  -- What is settled is not among the open ones.
  if source like '%rechnung_offen%' and condition !~ '^t\.offen >' then return null; end if;
  if source like '%rechnung_offen%'
    and exists (
      select from jsonb_array_elements(given) x
      where x.value ->> 'column' = 'offen'
        and x.value ->> 'operator' in ('gt', 'gte')
        and case x.value ->> 'operator'
          when 'gt' then (x.value -> 'values' ->> 0)::numeric < 0
          else (x.value -> 'values' ->> 0)::numeric <= 0
        end
    )
  then
    return null;
  end if;
  found := search.by_index(format('select array(%s where %s limit %s)', source, condition, most + 1));
  return case when cardinality(found) <= most then found end;
end $$;
select rights.define('search.within(text, jsonb)');
grant execute on function search.within(text, jsonb) to nutzer, forst_definer;

-- Conditions `spalte = any (ids)` that hold for every row of the relation that the caller may see, whose
-- search text is like each pattern and whose columns are as `given`: [{column, operator, values}].
-- Without `spalte`: there are so many that the list's order finds a page sooner than all of them are found;
-- the planner expects fewer.
create or replace function search.narrow(relation text, patterns text[], given jsonb)
  returns table (spalte text, ids bigint[]) language plpgsql stable set search_path = pg_catalog as $$
begin
  if not search.reads_all(relation) then
    return query select o.spalte, o.ids from search.own_rows(relation) o;
    return;
  end if;
  -- Numbers are not compared leakproof: under row security no index of theirs is used either.
  for ids in
    select search.in_state(relation, g ->> 'column', array(select jsonb_array_elements_text(g -> 'values')))
    from jsonb_array_elements(given) g
    where g ->> 'operator' = 'in'
    union all
    select search.within(relation, given)
  loop
    continue when ids is null;
    spalte := case relation when 'kunde_mitglieder' then 'client_id' else 'id' end;
    return next;
  end loop;
  spalte := null;
  if cardinality(patterns) > 0 then
    ids := search.matching(relation, patterns);
    if ids is null then
      ids := '{}';
      return next;
      return;
    end if;
    spalte := case
      when relation in ('kunde', 'kunde_mitglieder') then 'client_id'
      when relation in ('benutzer', 'nutzer_liste', 'mitglied') then 'user_id'
      when relation in ('hq', 'hq_liste') then 'idHQ'
      else 'id'
    end;
    return next;
  end if;
end $$;
grant execute on function search.narrow(text, text[], jsonb) to nutzer;
