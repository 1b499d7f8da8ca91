-- Checks of values, and how they are refused.

-- The office's date, whatever the server's time zone.
create or replace function checks.today() returns date language sql stable set search_path = pg_catalog
  return (now() at time zone 'Europe/Berlin')::date;
grant execute on function checks.today() to nutzer, forst_definer, forst_betrieb;

-- Checks of nearly every text column. They have no search_path setting, so that PostgreSQL inlines them: a
-- call costs more than the check, and an import of 100,000 objects makes a million. Their bodies were parsed
-- when they were created and do not depend on the search path.
create or replace function checks.is_line(value text, longest integer)
  returns boolean language sql immutable parallel safe
  return value is null
    or (char_length(value) between 1 and longest and value !~ '[\x01-\x1f\x7f]' and btrim(value) = value);
grant execute on function checks.is_line(text, integer)
  to nutzer, forst_definer, forst_betrieb, forst_dokument;
create or replace function checks.is_text(value text, longest integer)
  returns boolean language sql immutable parallel safe
  return value is null or (char_length(value) <= longest and value !~ '[\x01-\x08\x0b-\x1f\x7f]');
grant execute on function checks.is_text(text, integer) to nutzer, forst_definer, forst_betrieb;
grant execute on function search.sort_key(text), search.natural_key(text), search.search_text(text),
  checks.is_email(text), checks.is_line_or_empty(text, integer) to nutzer, forst_definer, forst_betrieb;
grant execute on function checks.is_skonto(jsonb), checks.is_unit_price(numeric)
  to forst_definer, forst_betrieb;

-- Refuses a value of a field. The hint is the rule's stable name, for which the client has a sentence. Null
-- counts as a failed check. The message names the field as well, because the data API's error has no place
-- for the column; the client reads it from there as from PostgreSQL's own messages.
create or replace function checks.check_value(holds boolean, field text, rule text)
  returns void language plpgsql immutable set search_path = pg_catalog as $$
begin
  if holds is not true then
    raise check_violation using message = format('column "%s": %s', field, rule), column = field, hint = rule;
  end if;
end $$;
grant execute on function checks.check_value(boolean, text, text) to nutzer, forst_definer, forst_betrieb;

-- Refuses a field without a condition.
create or replace function checks.refuse_field(field text, rule text, said text default 'not allowed')
  returns void language plpgsql immutable set search_path = pg_catalog as $$
begin
  raise check_violation using message = format('column "%s": %s', field, said), column = field, hint = rule;
end $$;
grant execute on function checks.refuse_field(text, text, text) to forst_definer;

-- Otherwise keys that are no columns would be lost silently.
create or replace function checks.check_fields(entries jsonb, allowed text[])
  returns void language plpgsql immutable set search_path = pg_catalog as $$
declare field text;
begin
  if jsonb_typeof(entries) is distinct from 'object' then
    perform checks.refuse_field('werte', 'felder', 'an object is expected');
  end if;
  select key into field
  from jsonb_object_keys(entries) key
  where key <> all (allowed)
  order by 1 limit 1;
  if found then perform checks.refuse_field(field, 'felder', 'unknown field'); end if;
end $$;
grant execute on function checks.check_fields(jsonb, text[]) to forst_definer;

-- Refuses a change based on an older version. `expected` null: the caller names no version, and the last
-- write wins. `present` null: the caller sees no such row.
create or replace function checks.check_version(expected integer, present integer)
  returns void language plpgsql immutable set search_path = pg_catalog as $$
begin
  if expected is not null and expected is distinct from present then
    raise sqlstate 'PT409' using message = 'changed meanwhile', hint = 'changed_meanwhile';
  end if;
end $$;
grant execute on function checks.check_version(integer, integer) to nutzer, forst_definer;

-- The answer to a capture of a device that was refused. `noun`: how its rules begin; `taken`: the rule where
-- a number or key is another's. The others are what `get stacked diagnostics` says.
create or replace function checks.refused_capture(
  capture jsonb, noun text, taken text, rule text, field text, state text, said text
) returns jsonb language sql immutable set search_path = pg_catalog
  return jsonb_build_object(
    'kennung', case jsonb_typeof(capture) when 'object' then capture ->> 'kennung' end,
    'ergebnis', case rule when noun || '_geloescht' then 'geloescht' else 'abgelehnt' end,
    'regel', coalesce(
      nullif(rule, ''),
      case
        when state in ('PT403', 'PT404', '42501') then noun || '_nicht_erlaubt'
        when state = '23505' then taken
        else noun || '_wert'
      end
    ),
    'feld', coalesce(nullif(field, ''), substring(said from 'column "([^"]+)"'))
  );
grant execute on function checks.refused_capture(jsonb, text, text, text, text, text, text) to nutzer;
