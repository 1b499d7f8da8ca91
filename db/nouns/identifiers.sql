-- Numbers with check digits, by the same rules as domain/{countries,iban,leitweg,tax-number,ust-id}.ts. Each
-- check returns null if the number is valid, otherwise what is wrong. Both sides are tested with the same
-- tables of cases.

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

-- ISO 3166-1 alpha-2.
create or replace function checks.is_country(value text)
  returns boolean language sql immutable parallel safe set search_path = pg_catalog
  return value = any (
    '{AD,AE,AF,AG,AI,AL,AM,AO,AQ,AR,AS,AT,AU,AW,AX,AZ,BA,BB,BD,BE,BF,BG,BH,BI,BJ,BL,BM,BN,BO,BQ,BR,BS,BT,BV,
      BW,BY,BZ,CA,CC,CD,CF,CG,CH,CI,CK,CL,CM,CN,CO,CR,CU,CV,CW,CX,CY,CZ,DE,DJ,DK,DM,DO,DZ,EC,EE,EG,EH,ER,ES,
      ET,FI,FJ,FK,FM,FO,FR,GA,GB,GD,GE,GF,GG,GH,GI,GL,GM,GN,GP,GQ,GR,GS,GT,GU,GW,GY,HK,HM,HN,HR,HT,HU,ID,IE,
      IL,IM,IN,IO,IQ,IR,IS,IT,JE,JM,JO,JP,KE,KG,KH,KI,KM,KN,KP,KR,KW,KY,KZ,LA,LB,LC,LI,LK,LR,LS,LT,LU,LV,LY,
      MA,MC,MD,ME,MF,MG,MH,MK,ML,MM,MN,MO,MP,MQ,MR,MS,MT,MU,MV,MW,MX,MY,MZ,NA,NC,NE,NF,NG,NI,NL,NO,NP,NR,NU,
      NZ,OM,PA,PE,PF,PG,PH,PK,PL,PM,PN,PR,PS,PT,PW,PY,QA,RE,RO,RS,RU,RW,SA,SB,SC,SD,SE,SG,SH,SI,SJ,SK,SL,SM,
      SN,SO,SR,SS,ST,SV,SX,SY,SZ,TC,TD,TF,TG,TH,TJ,TK,TL,TM,TN,TO,TR,TT,TV,TW,TZ,UA,UG,UM,US,UY,UZ,VA,VC,VE,
      VG,VI,VN,VU,WF,WS,YE,YT,ZA,ZM,ZW}'::text[]
  );
grant execute on function checks.is_country(text) to nutzer, forst_definer, forst_betrieb;

-- States of the EU; Monaco belongs to France (§ 1 (2a) sentence 2 UStG).
create or replace function checks.is_eu_country(value text)
  returns boolean language sql immutable parallel safe set search_path = pg_catalog
  return value = any (
    '{AT,BE,BG,CY,CZ,DE,DK,EE,ES,FI,FR,GR,HR,HU,IE,IT,LT,LU,LV,MC,MT,NL,PL,PT,RO,SE,SI,SK}'::text[]
  );
grant execute on function checks.is_eu_country(text) to nutzer, forst_definer, forst_betrieb;

-- Whether a postcode has the form of its country; where none is known, any line. Nothing is one where the
-- country has none (domain/countries.ts).
create or replace function checks.is_postcode(land text, plz text)
  returns boolean language sql immutable parallel safe set search_path = pg_catalog
  return case
    when plz = '' then land in (
      'AE', 'AG', 'AO', 'AW', 'BF', 'BI', 'BJ', 'BO', 'BQ', 'BS', 'BW', 'BZ', 'CD', 'CF', 'CG', 'CI', 'CK',
      'CM', 'CW', 'DJ', 'DM', 'ER', 'FJ', 'GD', 'GH', 'GM', 'GQ', 'GY', 'HK', 'JM', 'KI', 'KM', 'KN', 'KP',
      'ML', 'MO', 'MR', 'NR', 'PA', 'QA', 'RW', 'SB', 'SC', 'SL', 'SR', 'ST', 'SX', 'SY', 'TG', 'TO', 'TV',
      'UG', 'VU', 'YE', 'ZW'
    )
    when land in ('AT', 'BE', 'BG', 'CH', 'HU', 'SI') then plz ~ '^[1-9][0-9]{3}$'
    when land = 'CA' then plz ~ '^[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]$'
    when land in ('CZ', 'GR', 'SE', 'SK') then plz ~ '^[0-9]{3} ?[0-9]{2}$'
    when land in ('DE', 'EE', 'ES', 'FI', 'FR', 'HR', 'IT') then plz ~ '^[0-9]{5}$'
    when land in ('DK', 'LU', 'NO') then plz ~ '^[0-9]{4}$'
    when land = 'GB' then plz ~ '^[A-Z]{1,2}[0-9][A-Z0-9]? ?[0-9][A-Z]{2}$'
    when land = 'LI' then plz ~ '^9[0-9]{3}$'
    when land = 'LT' then plz ~ '^(LT-)?[0-9]{5}$'
    when land = 'LV' then plz ~ '^(LV-)?[0-9]{4}$'
    when land = 'MC' then plz ~ '^980[0-9]{2}$'
    when land = 'NL' then plz ~ '^[1-9][0-9]{3} ?[A-Z]{2}$'
    when land = 'PL' then plz ~ '^[0-9]{2}-[0-9]{3}$'
    when land = 'PT' then plz ~ '^[0-9]{4}-[0-9]{3}$'
    when land = 'RO' then plz ~ '^[0-9]{6}$'
    when land = 'US' then plz ~ '^[0-9]{5}(-[0-9]{4})?$'
    else char_length(plz) <= 12
  end;
grant execute on function checks.is_postcode(text, text) to nutzer, forst_definer, forst_betrieb;

-- Sum of the digits of a number, each times its weight.
create or replace function checks.weighed(number text, weights integer[])
  returns integer language sql immutable strict parallel safe set search_path = pg_catalog as $$
  select sum(substr(number, nr::integer, 1)::integer * weight)::integer
  from unnest(weights) with ordinality as t(weight, nr)
$$;
grant execute on function checks.weighed(text, integer[]) to forst_definer;
-- Every second digit doubled, its digits added up.
create or replace function checks.doubled_sum(number text)
  returns integer language sql immutable strict parallel safe set search_path = pg_catalog as $$
  select sum(case when v > 9 then v - 9 else v end)::integer
  from (
    select d::integer * case when nr % 2 = 0 then 2 else 1 end as v
    from regexp_split_to_table(number, '') with ordinality as t(d, nr)
  ) x
$$;
grant execute on function checks.doubled_sum(text) to forst_definer;
-- ISO 7064 MOD 11,10: the last digit.
create or replace function checks.is_pure11(number text)
  returns boolean language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
declare
  product integer := 10;
  at integer;
begin
  for at in 1..char_length(number) - 1 loop
    product := (2 * coalesce(nullif((substr(number, at, 1)::integer + product) % 10, 0), 10)) % 11;
  end loop;
  return (11 - product) % 10 = right(number, 1)::integer;
end $$;
grant execute on function checks.is_pure11(text) to forst_definer;

-- Whether the check digits of a VAT id fit; its number without the country, in the right form.
create or replace function checks.is_ust_id_sum(land text, number text)
  returns boolean language sql immutable strict parallel safe set search_path = pg_catalog
  return case land
    when 'AT' then (10 - (checks.doubled_sum(substr(number, 2, 7)) + 4) % 10) % 10 = right(number, 1)::integer
    when 'BE' then 97 - left(number, 8)::integer % 97 = right(number, 2)::integer
    when 'CH' then
      (11 - checks.weighed(substr(number, 2), '{5,4,3,2,7,6,5,4}') % 11) % 11 = substr(number, 10, 1)::integer
    -- Numbers of companies; those of people have nine or ten digits.
    when 'CZ' then
      char_length(number) > 8
        or (11 - checks.weighed(number, '{8,7,6,5,4,3,2}') % 11) % 10 = right(number, 1)::integer
    when 'DE' then checks.is_pure11(number)
    when 'DK' then checks.weighed(number, '{2,7,6,5,4,3,2,1}') % 11 = 0
    -- With a letter in its key: not checked.
    when 'FR' then case
      when number !~ '^[0-9]+$' then true
      else (12 + 3 * (substr(number, 3)::integer % 97)) % 97 = left(number, 2)::integer
    end
    when 'IT' then checks.doubled_sum(number) % 10 = 0
    when 'LU' then left(number, 6)::integer % 89 = right(number, 2)::integer
    -- Of companies by the old rule, of people since 2020 by the new one.
    when 'NL' then case
      when number ~ '[+*]' then true
      when number ~ '^[0-9]{9}'
        and checks.weighed(number, '{9,8,7,6,5,4,3,2}') % 11 = substr(number, 9, 1)::integer
      then true
      else checks.mod97('NL' || number) = 1
    end
    when 'PL' then checks.weighed(number, '{6,5,7,2,3,4,5,6,7}') % 11 = right(number, 1)::integer
    else true
  end;
grant execute on function checks.is_ust_id_sum(text, text) to forst_definer;

create or replace function checks.ust_id_fault(value text)
  returns text language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
declare
  id text := checks.norm_ust_id(value);
  form text;
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
    when 'CH' then 'E\d{9}(MWST|TVA|IVA)?'
    when 'GB' then '(\d{9}|\d{12}|(GD|HA)\d{3})'
    when 'NO' then '\d{9}(MVA)?'
    -- Of other countries outside the EU.
    else case
      when checks.is_country(left(id, 2)) and not checks.is_eu_country(left(id, 2)) then '[A-Z0-9]{2,13}'
    end
  end;
  if form is null then return 'land'; end if;
  if substr(id, 3) !~ ('^' || replace(form, '\d', '[0-9]') || '$') then return 'form'; end if;
  if not checks.is_ust_id_sum(left(id, 2), substr(id, 3)) then return 'pruefziffer'; end if;
  return null;
end $$;
grant execute on function checks.ust_id_fault(text) to forst_definer;
