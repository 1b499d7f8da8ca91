-- Place of supply: which tax a document may have (§ 3a UStG), by the same rules as domain/place-of-supply.ts
-- and domain/beleg-place-check.ts; both sides are tested with place-of-supply.cases.json and
-- beleg-check.cases.json.

-- A VAT id of another state of the EU. Northern Ireland (XI) belongs to it for goods only.
create or replace function books.is_foreign_eu(ust_id text)
  returns boolean language sql immutable set search_path = pg_catalog
  return left(upper(coalesce(ust_id, '')), 2) = any (
    '{AT,BE,BG,CY,CZ,DK,EE,EL,ES,FI,FR,HR,HU,IE,IT,LT,LU,LV,MT,NL,PL,PT,RO,SE,SI,SK}'::text[]
  );
grant execute on function books.is_foreign_eu(text) to nutzer, forst_definer, forst_betrieb;

-- Where an address is for VAT: Germany, another state of the EU, or neither. Parts of states of the EU are
-- outside of its VAT (Article 6 of Directive 2006/112/EC; § 1 (2) UStG); domain/tax-area.ts names them.
create or replace function books.tax_area(land text, plz text)
  returns text language sql immutable set search_path = pg_catalog as $$
  select case
    when x.land = 'DE' then case when x.code in ('78266', '27498') then 'drittland' else 'inland' end
    when case x.land
      when 'DK' then x.code ~ '^39'
      when 'ES' then x.code ~ '^(3[58]|5[12])'
      when 'FI' then x.code ~ '^22'
      when 'FR' then x.code ~ '^9(7|8[4-8])'
      when 'GR' then x.code ~ '^6308[67]$'
      when 'IT' then x.code in ('22061', '23041')
      else not checks.is_eu_country(x.land)
    end
    then 'drittland'
    else 'eu'
  end
  from (
    select coalesce(nullif(tax_area.land, ''), 'DE') as land,
      regexp_replace(coalesce(tax_area.plz, ''), '[[:space:]\u00a0]', '', 'g') as code
  ) x
$$;
grant execute on function books.tax_area(text, text) to nutzer, forst_definer, forst_betrieb;

-- The categories that a document may have, the usual one first. `land` and `plz`: of the recipient;
-- `leistungsland`: of the land that the supply is about, if that is abroad.
drop function if exists books.place_categories(text, text, text, boolean, text);
create or replace function books.place_categories(
  leistungsort text, leistungsland text, land text, plz text, privat boolean, ust_id text
) returns text[] language sql immutable set search_path = pg_catalog as $$
  select case place_categories.leistungsort
    -- § 3a (3) Nr. 1: German tax, also for an owner abroad. A German's land may be on Helgoland.
    when 'grundstueck_inland' then case when land = 'DE' then '{S,E,AE,O}' else '{S,E}' end
    -- Art. 194 of Directive 2006/112/EC: the states may let a business owe the tax.
    when 'grundstueck_ausland' then case
      when not privat
        and checks.is_eu_country(coalesce(leistungsland, ''))
        and (books.is_foreign_eu(id) or (id ~ '^DE' and checks.ust_id_fault(id) is null))
      then '{AE,O}'
      else '{O}'
    end
    when 'kein_grundstueck' then case
      when area = 'inland' then '{S,E,AE,O}'
      -- § 3a (1): private persons are taxed here; outside the EU not for advice and the like (§ 3a (4)).
      when privat then case when area = 'eu' then '{S,E}' else '{S,E,O}' end
      -- § 3a (2): where the business is.
      when books.is_foreign_eu(id) then case when area = 'eu' then '{AE}' else '{O,AE}' end
      else case when area = 'eu' then '{S,E}' else '{O}' end
    end
  end::text[]
  from (
    select checks.norm_ust_id(coalesce(place_categories.ust_id, '')) as id,
      books.tax_area(place_categories.land, place_categories.plz) as area
  ) x
$$;
grant execute on function books.place_categories(text, text, text, text, boolean, text) to forst_definer;

-- The place of supply as a document has it: its own, else the customer's; nothing while nobody has decided.
create or replace function books.beleg_place(leistungsort text, leistungsland text, client_id bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select coalesce(
    case
      when beleg_place.leistungsort is not null then jsonb_build_object(
        'leistungsort', beleg_place.leistungsort, 'leistungsland', beleg_place.leistungsland
      )
    end,
    (
      select jsonb_build_object('leistungsort', b.leistungsort, 'leistungsland', b.leistungsland)
      from app.kunde_rechnung b
      where b.client_id = beleg_place.client_id and b.leistungsort is not null
    ),
    '{}'
  )
$$;
grant execute on function books.beleg_place(text, text, bigint) to forst_definer;

-- What contradicts the place of supply, as domain/beleg-place-check.ts finds it.
create or replace function books.place_faults(beleg jsonb)
  returns table (feld text, code text) language plpgsql stable set search_path = pg_catalog as $$
declare
  buyer jsonb := beleg -> 'empfaenger';
  place text := beleg ->> 'leistungsort';
  land text := coalesce(beleg ->> 'leistungsland', '');
  allowed text[];
begin
  if beleg ->> 'art' in ('storno', 'korrektur', 'mahnung')
    or beleg #>> '{lieferant,land}' <> 'DE'
    or (beleg #>> '{lieferant,kleinunternehmer}')::boolean
  then
    return;
  end if;
  if place is null then
    return query
      select 'leistungsort', 'leistungsort_fehlt'
      where beleg ->> 'art' <> 'angebot'
        and books.tax_area(buyer ->> 'land', buyer ->> 'plz') <> 'inland'
        and checks.is_country(buyer ->> 'land');
    return;
  end if;
  if place = 'grundstueck_ausland' and (land = 'DE' or not checks.is_country(land)) then
    return query
      select 'leistungsland',
        'leistungsland_' || case land when '' then 'fehlt' when 'DE' then 'inland' else 'unbekannt' end;
    return;
  end if;
  allowed := books.place_categories(
    place, land, buyer ->> 'land', buyer ->> 'plz', (buyer ->> 'ist_privat')::boolean, buyer ->> 'ust_id'
  );
  return query
    select 'positionen.' || nr - 1 || '.kategorie',
      case
        when 'S' = any (allowed) then 'ort_inland'
        when p ->> 'kategorie' = 'AE' then 'ort_nicht_steuerbar'
        else 'ort_ausland'
      end
    from jsonb_array_elements(beleg -> 'positionen') with ordinality as t(p, nr)
    where (
        p ->> 'art' = 'position'
        or (p ->> 'art' <> 'ueberschrift' and coalesce((p ->> 'gewaehlt')::boolean, false))
      )
      and p ->> 'kategorie' <> all (allowed)
    order by nr;
end $$;
grant execute on function books.place_faults(jsonb) to forst_definer;

-- The buyer's references as a document has them; only those that there are. His own (BT-10) and the number
-- of the contract are the customer's unless the document has others.
create or replace function books.beleg_references(draft jsonb)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select case when named = '{}' then '{}'::jsonb else jsonb_build_object('verweise', named) end
  from (
    select coalesce(jsonb_object_agg(e.key, e.value), '{}') as named
    from (values (1)) as one(row)
      left join app.kunde_rechnung b on b.client_id = (draft ->> 'client_id')::bigint
      cross join lateral (
        values ('kaeufer_ref', coalesce(draft ->> 'kaeufer_ref', b.kaeufer_ref)),
          ('vertrag_nr', coalesce(draft ->> 'vertrag_nr', b.vertrag_nr)),
          ('projekt_nr', draft ->> 'projekt_nr'), ('vergabe_nr', draft ->> 'vergabe_nr'),
          ('objekt_nr', draft ->> 'objekt_nr')
      ) as e(key, value)
    where e.value <> ''
  ) x
$$;
grant execute on function books.beleg_references(jsonb) to forst_definer;
