-- Advance invoices of an order and the final invoice that takes them off (§ 14 (5) UStG). Both are rows of
-- app.rechnung (rechnung.sql), made from an accepted offer. For apus_admin. Which advances a final invoice
-- takes off follows from the order: all that are issued and not cancelled. The amounts are the same rules as
-- domain/abschlag.ts and its oracle; both are tested with domain/abschlag.cases.json.

-- Net and tax of a payment by rate: shared by the gross amounts in running totals, so that an advance that is
-- paid in full yields its own net and tax to the cent.
create or replace function books.received_by_rate(steuern jsonb, paid numeric)
  returns jsonb language sql immutable set search_path = pg_catalog as $$
  with grp as (
    select nr, s ->> 'kategorie' as kategorie, s ->> 'satz' as satz, (s ->> 'steuer')::numeric as steuer,
      (s ->> 'basis')::numeric + (s ->> 'steuer')::numeric as gross
    from jsonb_array_elements(received_by_rate.steuern) with ordinality as t(s, nr)
  ),
  running as (
    select g.*, sum(g.gross) over () as total, sum(g.gross) over (order by g.nr) as until from grp g
  ),
  shared as (
    select r.*,
      case
        when r.total = 0 then 0
        else round(paid * r.until / r.total, 2) - round(paid * (r.until - r.gross) / r.total, 2)
      end as share
    from running r
  ),
  taxed as (
    select s.*, case when s.gross = 0 then 0 else round(s.share * s.steuer / s.gross, 2) end as tax
    from shared s
  )
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'kategorie', t.kategorie, 'satz', t.satz, 'basis', (t.share - t.tax)::numeric(14, 2)::text,
      'steuer', t.tax::numeric(14, 2)::text
    ) order by t.nr
  ), '[]')
  from taxed t
$$;
grant execute on function books.received_by_rate(jsonb, numeric) to nutzer, forst_definer, forst_betrieb;

-- Amounts of tax groups with the opposite sign.
create or replace function books.negated_amounts(steuern jsonb, keys text[])
  returns jsonb language sql immutable set search_path = pg_catalog as $$
  select coalesce(
    jsonb_agg(
      s || (select jsonb_object_agg(key, (-(s ->> key)::numeric)::text) from unnest(keys) key) order by nr
    ),
    '[]'
  )
  from jsonb_array_elements(steuern) with ordinality as t(s, nr)
$$;
grant execute on function books.negated_amounts(jsonb, text[]) to forst_definer;

-- What is left of a final invoice by rate: the whole supply less what was received in advance. Below zero
-- where an advance was taxed at another rate (§ 27 (1) sentence 3 UStG).
create or replace function books.rest_by_rate(beleg jsonb)
  returns table (kategorie text, satz text, basis numeric, steuer numeric)
  language sql immutable set search_path = pg_catalog as $$
  with amount as (
    select 1 as factor, s
    from jsonb_array_elements(beleg #> '{summen,steuern}') s
    union all
    select -1, s
    from jsonb_array_elements(coalesce(beleg -> 'abschlaege', '[]')) a, jsonb_array_elements(a -> 'steuern') s
  )
  select s ->> 'kategorie', s ->> 'satz', sum(factor * (s ->> 'basis')::numeric),
    sum(factor * (s ->> 'steuer')::numeric)
  from amount
  group by 1, 2
  order by array_position('{S,E,AE,O}'::text[], s ->> 'kategorie'), (s ->> 'satz')::numeric desc
$$;
grant execute on function books.rest_by_rate(jsonb) to nutzer, forst_definer, forst_betrieb;

-- The final invoice of an order that is in force.
create or replace function books.final_invoice(angebot_id bigint)
  returns table (id bigint, nummer text) language sql stable set search_path = pg_catalog as $$
  select f.id, f.nummer
  from app.rechnung f
  where f.angebot_id = final_invoice.angebot_id
    and f.art = 'schluss'
    and f.zustand = 'ausgestellt'
    and not exists (select from app.rechnung s where s.storno_von = f.id)
$$;
grant execute on function books.final_invoice(bigint) to nutzer, forst_definer, forst_betrieb;

-- The advances of an order as a final invoice names them: issued and not cancelled, each with what was
-- received for it. A payment that was taken back was never received.
create or replace function books.abschlaege(angebot_id bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  with advance as (
    select r.*
    from app.rechnung r
    where r.angebot_id = abschlaege.angebot_id
      and r.art = 'abschlag'
      and r.zustand = 'ausgestellt'
      and not exists (select from app.rechnung s where s.storno_von = r.id)
  ),
  paid as (
    select z.rechnung_id, coalesce(g.datum, z.datum) as datum, sum(z.betrag) as betrag
    from app.zahlung z left join app.zahlung g on g.id = z.gegen_id
    where z.rechnung_id in (select a.id from advance a) and z.art = 'zahlung'
    group by 1, 2
    having sum(z.betrag) <> 0
  ),
  received as (
    select a.id, coalesce(sum(p.betrag), 0)::numeric(14, 2) as betrag,
      coalesce(
        jsonb_agg(
          jsonb_build_object('datum', p.datum, 'betrag', p.betrag::numeric(14, 2)::text) order by p.datum
        ) filter (where p.datum is not null),
        '[]'
      ) as zahlungen
    from advance a left join paid p on p.rechnung_id = a.id
    group by a.id
  )
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'id', a.id::text, 'nummer', a.nummer, 'datum', a.rn_datum, 'brutto', a.brutto::text,
      'gezahlt', r.betrag::text, 'netto', t.netto::text, 'steuer', t.steuer::text, 'zahlungen', r.zahlungen,
      'steuern', s.steuern
    ) order by a.folge
  ), '[]')
  from advance a
    join received r on r.id = a.id
    cross join lateral (select books.received_by_rate(a.beleg #> '{summen,steuern}', r.betrag) as steuern) s
    cross join lateral (
      select coalesce(sum((x ->> 'basis')::numeric), 0)::numeric(14, 2) as netto,
        coalesce(sum((x ->> 'steuer')::numeric), 0)::numeric(14, 2) as steuer
      from jsonb_array_elements(s.steuern) x
    ) t
$$;
grant execute on function books.abschlaege(bigint) to nutzer, forst_definer;

-- What a final invoice in force on a day has taken off of an advance.
create or replace function books.taken_off(rechnung_id bigint, angebot_id bigint, until date)
  returns table (gezahlt numeric) language sql stable set search_path = pg_catalog as $$
  select (a ->> 'gezahlt')::numeric
  from app.rechnung f
    cross join lateral jsonb_array_elements(f.beleg -> 'abschlaege') a
  where f.angebot_id = taken_off.angebot_id
    and f.art = 'schluss'
    and f.zustand = 'ausgestellt'
    and f.rn_datum <= taken_off.until
    and a ->> 'id' = taken_off.rechnung_id::text
    and not exists (select from app.rechnung s where s.storno_von = f.id and s.rn_datum <= taken_off.until)
$$;
grant execute on function books.taken_off(bigint, bigint, date) to nutzer, forst_definer;

-- What was received for these advances.
create or replace function books.received(abschlaege jsonb)
  returns numeric language sql immutable set search_path = pg_catalog as $$
  select coalesce(sum((a ->> 'gezahlt')::numeric), 0)::numeric(14, 2) from jsonb_array_elements(abschlaege) a
$$;
grant execute on function books.received(jsonb) to nutzer, forst_definer, forst_betrieb;

-- The draft of a final invoice follows what is received. Within the lock of the books.
create or replace function books.refresh_schluss(angebot_id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
declare draft app.rechnung;
begin
  for draft in
    select r.*
    from app.rechnung r
    where r.angebot_id = refresh_schluss.angebot_id and r.art = 'schluss' and r.zustand = 'entwurf'
  loop
    if draft.anzahlung <> books.received(books.abschlaege(draft.angebot_id)) then
      perform books.compute_rechnung(draft.id);
    end if;
  end loop;
end $$;
grant execute on function books.refresh_schluss(bigint) to forst_definer;

create or replace function books.refuse_advance(rule text, nummer text default null)
  returns void language plpgsql immutable set search_path = pg_catalog as $$
begin
  raise sqlstate 'PT409'
    using message = 'advances and the final invoice of an order', hint = rule,
      detail = jsonb_build_object('nummer', coalesce(refuse_advance.nummer, ''))::text;
end $$;
grant execute on function books.refuse_advance(text, text) to forst_definer;

-- An advance is no longer changed by payments once a final invoice has taken it off.
create or replace function books.check_not_taken_off(invoice app.rechnung, rule text)
  returns void language plpgsql stable set search_path = pg_catalog as $$
declare final record;
begin
  if invoice.art <> 'abschlag' then return; end if;
  if exists (select from app.rechnung s where s.storno_von = invoice.id) then return; end if;
  select f.nummer into final from books.final_invoice(invoice.angebot_id) f;
  if found then perform books.refuse_advance(rule, final.nummer); end if;
end $$;
grant execute on function books.check_not_taken_off(app.rechnung, text) to forst_definer;

-- Advances and invoices of an order do not exceed it, unless that is intended. Drafts count; the final
-- invoice bills the whole and is left out with its Storno.
create or replace function books.check_advance_limit(angebot_id bigint, more boolean)
  returns void language plpgsql stable set search_path = pg_catalog as $$
declare
  ordered numeric;
  demanded numeric;
begin
  if more then return; end if;
  select a.auftrag_brutto into ordered
  from app.angebot a
  where a.id = check_advance_limit.angebot_id;
  select coalesce(sum(r.brutto), 0) into demanded
  from app.rechnung r left join app.rechnung o on o.id = r.storno_von
  where r.angebot_id = check_advance_limit.angebot_id and coalesce(o.art, r.art) <> 'schluss';
  if demanded > ordered then
    perform checks.refuse_field('betrag', 'abschlag_zu_hoch', format('%s of %s ordered', demanded, ordered));
  end if;
end $$;
grant execute on function books.check_advance_limit(bigint, boolean) to forst_definer;

-- Refuses to issue what the advances of its order do not allow. The caller holds the lock.
create or replace function books.check_advances(draft app.rechnung, more boolean)
  returns void language plpgsql stable set search_path = pg_catalog as $$
declare
  final record;
  advances jsonb;
  other record;
begin
  if draft.angebot_id is null or draft.art = 'storno' then return; end if;
  select f.* into final from books.final_invoice(draft.angebot_id) f;
  advances := books.abschlaege(draft.angebot_id);
  if draft.art = 'abschlag' then
    if final.id is not null then perform books.refuse_advance('schluss_ausgestellt', final.nummer); end if;
    perform books.check_advance_limit(draft.angebot_id, more);
  elsif draft.art = 'schluss' then
    if final.id is not null then perform books.refuse_advance('schluss_ausgestellt', final.nummer); end if;
    if exists (
      select from app.rechnung r
      where r.angebot_id = draft.angebot_id and r.art = 'abschlag' and r.zustand = 'entwurf'
    ) then
      perform books.refuse_advance('abschlag_entwurf');
    end if;
    -- § 14 (5) sentence 2 UStG: only what was received is taken off. What nobody has paid is no advance.
    select a ->> 'nummer' as nummer into other
    from jsonb_array_elements(advances) a
    where (a ->> 'gezahlt')::numeric = 0 limit 1;
    if found then perform books.refuse_advance('abschlag_offen', other.nummer); end if;
    select a ->> 'nummer' as nummer into other
    from jsonb_array_elements(advances) a, jsonb_array_elements(a -> 'zahlungen') z
    where (z ->> 'datum')::date > draft.rn_datum limit 1;
    if found then perform books.refuse_advance('schluss_vor_zahlung', other.nummer); end if;
  elsif final.id is null and jsonb_array_length(advances) > 0 then
    -- § 14c (1) UStG: the last invoice of an order with advances takes them off, or their tax is owed twice.
    if not exists (
      select from books.angebot_progress(draft.angebot_id) s
      where books.rest(s.anzahl, s.abgerechnet + s.in_entwuerfen) <> 0
    ) then
      perform books.refuse_advance('schluss_noetig', advances #>> '{0,nummer}');
    end if;
  end if;
end $$;
grant execute on function books.check_advances(app.rechnung, boolean) to forst_definer;

-- The accepted offer that an advance or a final invoice belongs to, locked.
create or replace function books.order_of(offer_id bigint)
  returns app.angebot language plpgsql set search_path = pg_catalog as $$
declare
  source app.angebot;
  final record;
begin
  select a.* into source from app.angebot a where a.id = order_of.offer_id for update;
  perform rights.check_found(found);
  if source.status <> 'angenommen' then
    raise sqlstate 'PT409' using message = 'not accepted', hint = 'angebot_nicht_angenommen';
  end if;
  perform books.beleg_kunde(source.client_id);
  select f.* into final from books.final_invoice(source.id) f;
  if found then perform books.refuse_advance('schluss_ausgestellt', final.nummer); end if;
  return source;
end $$;
grant execute on function books.order_of(bigint) to forst_definer;

-- Net amounts of an advance by rate: so many per cent of the order, or the amounts given.
create or replace function books.advance_lines(source app.angebot, prozent numeric, betraege jsonb)
  returns table (nr bigint, kategorie text, satz numeric, grund text, netto numeric)
  language plpgsql stable set search_path = pg_catalog as $$
declare ordered jsonb := books.order_sums(source) -> 'steuern';
begin
  perform checks.check_value((prozent is null) <> (betraege is null), 'prozent', 'abschlag_betrag');
  if prozent is not null then
    perform checks.check_value(
      prozent > 0 and prozent <= 100 and prozent = round(prozent, 2), 'prozent', 'abschlag_prozent'
    );
  else
    perform checks.check_value(
      jsonb_typeof(betraege) = 'array'
        and jsonb_array_length(betraege) between 1 and 20
        and not exists (
          select from jsonb_array_elements(betraege) b
          where coalesce(b ->> 'netto', '') !~ '^[0-9]{1,10}(\.[0-9]{1,2})?$'
            or (b ->> 'netto')::numeric = 0
            or not exists (
              select from jsonb_array_elements(ordered) s
              where s ->> 'kategorie' = b ->> 'kategorie' and s ->> 'satz' = b ->> 'satz'
            )
        )
        and (
          select count(distinct (b ->> 'kategorie', b ->> 'satz')) = count(*)
          from jsonb_array_elements(betraege) b
        ),
      'betraege', 'abschlag_betrag'
    );
  end if;
  return query
    select o.nr, o.s ->> 'kategorie', (o.s ->> 'satz')::numeric, o.s ->> 'grund', x.netto
    from jsonb_array_elements(ordered) with ordinality as o(s, nr)
      cross join lateral (
        select coalesce(
          round((o.s ->> 'basis')::numeric * prozent * 0.01, 2),
          (
            select (b ->> 'netto')::numeric
            from jsonb_array_elements(coalesce(betraege, '[]')) b
            where b ->> 'kategorie' = o.s ->> 'kategorie' and b ->> 'satz' = o.s ->> 'satz'
          )
        ) as netto
      ) x
    where x.netto <> 0
    order by o.nr;
end $$;
grant execute on function books.advance_lines(app.angebot, numeric, jsonb) to forst_definer;

-- A draft advance for an accepted offer: one line for each rate, no quantity of the offer. `prozent` of what
-- was ordered, or `betraege` [{kategorie, satz, netto}]; `text` is its letter. The day of the supply is the
-- one that is expected, and need not be known (§ 14 (5) sentence 1 with (4) Nr. 6 UStG).
create or replace function app.a_add_abschlag(
  offer_id bigint, prozent numeric default null, betraege jsonb default null, text text default '',
  rn_datum date default null, mehr boolean default false
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  source app.angebot;
  line record;
  made bigint;
  several boolean;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  source := books.order_of(a_add_abschlag.offer_id);
  -- Each of them is read with every final invoice.
  if (select count(*) from app.rechnung r where r.angebot_id = source.id and r.art = 'abschlag') >= 200 then
    perform books.refuse_advance('abschlag_anzahl');
  end if;
  insert into app.rechnung (
    client_id, bearbeiter, rn_datum, le_date, anrede, anschreiben, ust_satz, art, angebot_id, leistungsort,
    leistungsland, kaeufer_ref, projekt_nr, vertrag_nr, vergabe_nr, objekt_nr
  )
  values (
    source.client_id, books.clerk(), coalesce(a_add_abschlag.rn_datum, checks.today()),
    (
      select min(p.le_date)
      from app.position p
      where p.angebot_id = source.id and p.le_date >= coalesce(a_add_abschlag.rn_datum, checks.today())
    ),
    source.anrede, books.multiline(a_add_abschlag.text), source.ust_satz, 'abschlag', source.id,
    source.leistungsort, source.leistungsland, source.kaeufer_ref, source.projekt_nr, source.vertrag_nr,
    source.vergabe_nr, source.objekt_nr
  )
  returning rechnung.id into made;
  several := (
    select count(*) > 1
    from books.advance_lines(source, a_add_abschlag.prozent, case
      when jsonb_typeof(a_add_abschlag.betraege) = 'null' then null
      else a_add_abschlag.betraege
    end)
  );
  for line in
    select l.*
    from books.advance_lines(source, a_add_abschlag.prozent, case
      when jsonb_typeof(a_add_abschlag.betraege) = 'null' then null
      else a_add_abschlag.betraege
    end) l
  loop
    insert into app.position (
      client_id, rechnung_id, lfd_nr, einheit, bez, ep, ust_satz, kategorie, steuergrund
    )
    values (
      source.client_id, made, line.nr, 'psch',
      concat(
        'Abschlag',
        case
          when a_add_abschlag.prozent is not null then
            ' von ' || replace(trim_scale(a_add_abschlag.prozent)::text, '.', ',') || U&'\00A0%'
        end,
        ' auf den Auftrag zum Angebot ', books.angebot_number(source.nummer, source.fassung), ' vom ',
        to_char(source.an_datum, 'DD.MM.YYYY'),
        case
          when several and line.kategorie = 'S' then
            ', Anteil zu ' || replace(trim_scale(line.satz)::text, '.', ',') || U&'\00A0% USt'
          when several then ', Anteil ohne USt'
        end
      ),
      line.netto, case line.kategorie when 'S' then line.satz else 0 end, line.kategorie,
      left(line.grund, 200)
    );
  end loop;
  perform checks.check_value(
    exists (select from app.position p where p.rechnung_id = made), 'prozent', 'abschlag_betrag'
  );
  perform books.compute_rechnung(made);
  perform books.check_advance_limit(source.id, a_add_abschlag.mehr);
  perform books.record('rechnung', made, source.client_id, 'angelegt', jsonb_build_object(
    'art', 'abschlag', 'angebot_id', source.id, 'mehr', coalesce(a_add_abschlag.mehr, false)
  ));
  return made;
end $$;
select rights.define('app.a_add_abschlag(bigint, numeric, jsonb, text, date, boolean)');
grant execute on function app.a_add_abschlag(bigint, numeric, jsonb, text, date, boolean) to nutzer;

-- A draft final invoice, with lines as in a_convert_offer. One at a time. After a cancelled one it replaces
-- that, so that its tax counts with the Storno (books.taxed_on).
create or replace function app.a_add_schluss(
  offer_id bigint, positionen jsonb default null, rn_datum date default null, le_date date default null,
  mehr boolean default false
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare source app.angebot;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  source := books.order_of(a_add_schluss.offer_id);
  perform books.check_no_schluss_draft(source.id);
  return books.convert_angebot(
    source, 'schluss', a_add_schluss.positionen, a_add_schluss.rn_datum, a_add_schluss.le_date,
    a_add_schluss.mehr
  );
end $$;
select rights.define('app.a_add_schluss(bigint, jsonb, date, date, boolean)');
grant execute on function app.a_add_schluss(bigint, jsonb, date, date, boolean) to nutzer;

create or replace function books.check_no_schluss_draft(angebot_id bigint)
  returns void language plpgsql stable set search_path = pg_catalog as $$
begin
  if exists (
    select from app.rechnung r
    where r.angebot_id = check_no_schluss_draft.angebot_id and r.art = 'schluss' and r.zustand = 'entwurf'
  ) then
    perform books.refuse_advance('schluss_entwurf');
  end if;
end $$;
grant execute on function books.check_no_schluss_draft(bigint) to forst_definer;
