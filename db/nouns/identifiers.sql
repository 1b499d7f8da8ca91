-- Numbers with check digits, by the same rules as domain/{iban,leitweg,tax-number,ust-id}.ts. Each check
-- returns null if the number is valid, otherwise what is wrong. Both sides are tested with the same tables of
-- cases.

-- Remainder modulo 97; letters count as A = 10 … Z = 35.
create or replace function checks.mod97(value text)
  returns integer language sql immutable strict parallel safe set search_path = pg_catalog as $$
  select (
    string_agg(case when c ~ '[A-Z]' then (ascii(c) - 55)::text else c end, '' order by nr)::numeric % 97
  )::integer
  from regexp_split_to_table(value, '') with ordinality as t(c, nr)
$$;
grant execute on function checks.mod97(text) to forst_definer;

create or replace function checks.norm_iban(value text)
  returns text language sql immutable strict parallel safe set search_path = pg_catalog
  return upper(regexp_replace(value, '[\s\u00A0-]', '', 'g'));
grant execute on function checks.norm_iban(text) to forst_definer;
create or replace function checks.norm_leitweg(value text)
  returns text language sql immutable strict parallel safe set search_path = pg_catalog
  return upper(regexp_replace(value, '[\s\u00A0]', '', 'g'));
grant execute on function checks.norm_leitweg(text) to forst_definer;
create or replace function checks.norm_ust_id(value text)
  returns text language sql immutable strict parallel safe set search_path = pg_catalog
  return upper(regexp_replace(value, '[\s\u00A0./-]', '', 'g'));
grant execute on function checks.norm_ust_id(text) to forst_definer;

create or replace function checks.iban_fault(value text)
  returns text language sql immutable strict parallel safe set search_path = pg_catalog as $$
  select case
    when iban !~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]+$' or (iban ~ '^DE' and iban !~ '^DE[0-9]+$') then 'zeichen'
    when lang is null then 'land'
    when char_length(iban) <> lang then 'laenge'
    when substr(iban, 3, 2)::integer between 2 and 98
      and checks.mod97(substr(iban, 5) || left(iban, 4)) = 1
    then null
    else 'pruefziffer'
  end
  from (
    select iban,
      substr(
        (regexp_match(
          'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 '
            || 'CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 '
            || 'GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 '
            || 'KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 '
            || 'MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 '
            || 'RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 '
            || 'UA29 VA22 VG24 XK20 YE30',
          case when iban ~ '^[A-Z]{2}' then left(iban, 2) || '[0-9]{2}' else '^$' end
        ))[1],
        3
      )::integer as lang
    from (select checks.norm_iban(value) as iban) n
  ) x
$$;
grant execute on function checks.iban_fault(text) to forst_definer;

create or replace function checks.leitweg_fault(value text)
  returns text language sql immutable strict parallel safe set search_path = pg_catalog as $$
  select case
    when id = '' then 'leer'
    when id !~ '^[A-Z0-9-]+$' then 'zeichen'
    when cardinality(parts) not between 2 and 3
      or '' = any (parts)
      or parts[cardinality(parts)] !~ '^[0-9]{2}$'
    then 'aufbau'
    when parts[1] !~ '^([0-9]{2}|[0-9]{3}|[0-9]{5}|[0-9]{8}|[0-9]{9}|[0-9]{12})$' then 'grob'
    when parts[1] !~ '^(0[1-9]|1[0-6]|99)' then 'land'
    when cardinality(parts) = 3 and char_length(parts[2]) > 30 then 'fein'
    when parts[cardinality(parts)]::integer between 2 and 98
      and checks.mod97(array_to_string(parts, '')) = 1
    then null
    else 'pruefziffer'
  end
  from (select id, string_to_array(id, '-') as parts from (select checks.norm_leitweg(value) as id) n) x
$$;
grant execute on function checks.leitweg_fault(text) to forst_definer;

create or replace function checks.tax_number_fault(value text)
  returns text language sql immutable strict parallel safe set search_path = pg_catalog as $$
  select case
    when typed = '' then 'leer'
    when typed !~ '^[0-9 /\u00A0-]+$' then 'zeichen'
    when char_length(digits) not in (10, 11, 13) then 'laenge'
    when char_length(digits) = 13
      and (digits !~ '^(5|9|10|11|2[1-478]|26|3[0-2]|4[01])' or substr(digits, 5, 1) <> '0')
    then 'bund'
    when digits = repeat(left(digits, 1), char_length(digits)) then 'form'
  end
  from (
    select typed, regexp_replace(typed, '[^0-9]', '', 'g') as digits
    from (select regexp_replace(value, '^[\s\u00A0]+|[\s\u00A0]+$', '', 'g') as typed) n
  ) x
$$;
grant execute on function checks.tax_number_fault(text) to forst_definer;

create or replace function checks.ust_id_fault(value text)
  returns text language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
declare
  id text := checks.norm_ust_id(value);
  form text;
  product integer := 10;
  at integer;
begin
  if id = '' then return 'leer'; end if;
  form := case left(id, 2)
    when 'AT' then 'U\d{8}'
    when 'BE' then '[01]\d{9}'
    when 'BG' then '\d{9,10}'
    when 'CY' then '\d{8}[A-Z]'
    when 'CZ' then '\d{8,10}'
    when 'DE' then '[1-9]\d{8}'
    when 'DK' then '\d{8}'
    when 'EE' then '\d{9}'
    when 'EL' then '\d{9}'
    when 'ES' then '[A-Z0-9]\d{7}[A-Z0-9]'
    when 'FI' then '\d{8}'
    when 'FR' then '[A-HJ-NP-Z0-9]{2}\d{9}'
    when 'HR' then '\d{11}'
    when 'HU' then '\d{8}'
    when 'IE' then '(\d[A-Z0-9+*]\d{5}[A-Z]|\d{7}[A-W][A-I])'
    when 'IT' then '\d{11}'
    when 'LT' then '(\d{9}|\d{12})'
    when 'LU' then '\d{8}'
    when 'LV' then '\d{11}'
    when 'MT' then '\d{8}'
    when 'NL' then '[A-Z0-9+*]{9}B\d{2}'
    when 'PL' then '\d{10}'
    when 'PT' then '\d{9}'
    when 'RO' then '[1-9]\d{1,9}'
    when 'SE' then '\d{10}01'
    when 'SI' then '[1-9]\d{7}'
    when 'SK' then '[1-9]\d{9}'
    when 'XI' then '(\d{9}|\d{12}|(GD|HA)\d{3})'
  end;
  if form is null then return 'land'; end if;
  if substr(id, 3) !~ ('^' || replace(form, '\d', '[0-9]') || '$') then return 'form'; end if;
  if id ~ '^DE' then
    for at in 3..10 loop
      product := (2 * coalesce(nullif((substr(id, at, 1)::integer + product) % 10, 0), 10)) % 11;
    end loop;
    if (11 - product) % 10 <> right(id, 1)::integer then return 'pruefziffer'; end if;
  end if;
  return null;
end $$;
grant execute on function checks.ust_id_fault(text) to forst_definer;
