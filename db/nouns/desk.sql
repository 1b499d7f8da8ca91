-- The start page: what waits for the caller, figures with their growth, and a row of months. Runs with the
-- caller's rights, so everybody counts what they may read.

-- Counts stop here; the page shows more as "over 10,000", because counting on would take longer than reading.
create or replace function app.__o_get_desk()
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare
  today date := checks.today();
  most constant integer := 10001;
  staff boolean := rights.has_any('ogf_admin', 'ogf_team');
  admin boolean := rights.has_role('ogf_admin');
  keeps_books boolean := rights.has_role('apus_admin');
  drainage boolean := rights.has_any('apus_admin', 'apus_team');
  forest boolean := staff
    or rights.has_any('kundenadmin', 'ogf_standard', 'ogf_fb_admin', 'multiple_fb', 'inactive_fb');
begin
  perform rights.refuse_unless(cardinality(rights.roles()) > 0);
  return (
    with paper as (
      select d.entscheidbar, d.art, d.stand, d.offen::numeric as offen
      from app.__o_get_dokumente() d
      where rights.has_any('kundenadmin', 'appuser_admin')
    ),
    waiting(nr, art, anzahl, betrag) as (
      select 1, 'angebote', count(*), null::numeric
      from paper p
      where p.entscheidbar
      union all
      select 2, 'rechnungen', count(*), sum(p.offen)
      from paper p
      where p.art not in ('storno', 'korrektur', 'angebot')
        and p.stand in ('offen', 'teilbezahlt', 'ueberfaellig')
      union all
      select 3, 'karten_antwort',
        (
          select count(*)
          from (
            select from app.kartenblatt k
            where rights.has_role('appuser_admin')
              and k.client_id = any (rights.kunden_as('appuser_admin'))
              and k.show_client
              and k.client_status in ('offen', 'in_pruefung') limit most
          ) x
        ),
        null
      union all
      select 4, 'nutzer_neu',
        (
          select count(*)
          from (
            select from app.benutzer b
            where admin
              and b.system_status = 'ogf_init'
              and b.enabled
              and not rights.is_auditor(b.pruefer_bis)
              and not exists (select from app.benutzer_kunde bk where bk.user_id = b.user_id)
              and not exists (select from app.benutzer_hq bh where bh.user_id = b.user_id) limit most
          ) x
        ),
        null
      union all
      select 5, 'fb_gesperrt',
        (select count(*) from (select from app.hq h where admin and not h.fb_enabled limit most) x), null
      union all
      select 6, 'fb_ohne_flaeche',
        (
          select count(*)
          from (
            select from app.hq h
            where admin and not exists (select from app.hq_flaeche f where f.hqid = h."idHQ") limit most
          ) x
        ),
        null
      union all
      select 7, 'abo_endet',
        (
          select count(*)
          from (
            select from app.abo a
            where forest and a.zustand = 'gekuendigt' and a.ende between today and today + 60 limit most
          ) x
        ),
        null
      union all
      select 8, 'serien',
        (select count(*) from (select from books.serie_due(today) where keeps_books limit most) x), null
      union all
      select 9, 'eingang',
        (
          select count(*)
          from (select from app.eingang e where keeps_books and e.zustand = 'neu' limit most) x
        ),
        null
      union all
      select 10, 'mahnungen',
        (select count(*) from (select from books.mahn_due() where keeps_books limit most) x), null
      union all
      select 11, 'bank',
        (
          select count(*)
          from (select from app.kontoumsatz u where keeps_books and not u.erledigt limit most) x
        ),
        null
    ),
    figure(nr, art, wert, neu, zuvor) as (
      select 1, 'kunden', (select count(*) from (select from app.kunde limit most) x), null::bigint,
        null::bigint
      where staff or drainage
      union all
      select 2, 'forstbetriebe', (select count(*) from (select from app.hq limit most) x), null, null
      where staff
      union all
      select 3, 'nutzer', (select count(*) from (select from app.benutzer limit most) x),
        (
          select count(*)
          from (select from app.benutzer b where b.reg_date > now() - interval '30 days' limit most) x
        ),
        (
          select count(*)
          from (
            select from app.benutzer b
            where b.reg_date between now() - interval '60 days' and now() - interval '30 days' limit most
          ) x
        )
      where admin
      union all
      select 4, 'baeume', (select count(*) from (select from app.habitatbaeume limit most) x),
        (
          select count(*)
          from (select from app.habitatbaeume b where b.erfasst_am between today - 29 and today limit most) x
        ),
        (
          select count(*)
          from (
            select from app.habitatbaeume b
            where b.erfasst_am between today - 59 and today - 30 limit most
          ) x
        )
      where forest
      union all
      select 5, 'karten', (select count(*) from (select from app.kartenblatt limit most) x), null, null
      where drainage
    ),
    month(beginn) as (
      select (date_trunc('month', today::timestamp) - make_interval(months => back))::date
      from generate_series(0, 11) back
      where forest
    )
    select jsonb_build_object(
      'heute', today,
      'wartet', (
        select coalesce(
          jsonb_agg(
            jsonb_build_object('art', w.art, 'anzahl', w.anzahl, 'betrag', w.betrag::text) order by w.nr
          ),
          '[]'
        )
        from waiting w
        where w.anzahl > 0
      ),
      'zahlen', (
        select coalesce(
          jsonb_agg(
            jsonb_build_object('art', f.art, 'wert', f.wert, 'neu', f.neu, 'zuvor', f.zuvor) order by f.nr
          ),
          '[]'
        )
        from figure f
      ),
      'baeume', (
        select coalesce(jsonb_agg(
          jsonb_build_object(
            'monat', to_char(m.beginn, 'YYYY-MM'),
            'anzahl', (
              select count(*)
              from (
                select from app.habitatbaeume b
                where b.erfasst_am >= m.beginn and b.erfasst_am < (m.beginn + interval '1 month')::date
                limit most
              ) x
            )
          ) order by m.beginn
        ), '[]')
        from month m
      )
    )
  );
end $$;
grant execute on function app.__o_get_desk() to nutzer;

-- Definer: what others changed is read as the caller, but how much there is of it, nobody may read. The first
-- entry of the history after a moment, among the last few thousand: an import writes as many in one go, and
-- the start page does not wait for all of them. Null if there is none.
create or replace function history.recent_from(since timestamptz)
  returns bigint language sql stable set search_path = pg_catalog as $$
  select min(r.id)
  from (select v.id, v.zeit from app.verlauf v order by v.id desc limit 5000) r
  where r.zeit > recent_from.since
$$;
select rights.define('history.recent_from(timestamptz)');
grant execute on function history.recent_from(timestamptz) to nutzer;

-- What others changed since a moment, each record once, the latest first: from the history, the audit chain
-- for those who keep the books, and the events for customers. As the caller. `was`: what happened last;
-- `anzahl`: of how many trees or objects of a survey. Records that are gone are left out.
create or replace function app.__o_get_news(seit timestamptz)
  returns table (
    art text, id bigint, titel text, client_id bigint, was text, anzahl bigint, wer text, zeit timestamptz
  ) language plpgsql stable set search_path = pg_catalog as $$
declare
  me constant bigint := rights.user_id();
  since constant timestamptz := greatest(__o_get_news.seit, now() - interval '60 days');
  start constant bigint := history.recent_from(since);
  books constant boolean := rights.has_role('apus_admin');
begin
  perform rights.refuse_unless(cardinality(rights.roles()) > 0);
  return query
    with entry(art, id, was, zeit, wer, einzeln) as materialized (
      select
        case
          when v.tabelle in (
            'kunde', 'benutzer_kunde', 'draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf'
          ) then 'kunde'
          when v.tabelle = 'benutzer' then 'benutzer'
          when v.tabelle = 'kartenblatt' then 'karte'
          when v.tabelle = 'serie' then 'serie'
          else 'hq'
        end,
        case
          when v.tabelle in (
            'kunde', 'benutzer_kunde', 'draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf'
          ) then v.client_id
          when v.tabelle = 'benutzer' then v.person_id
          when v.tabelle in ('kartenblatt', 'serie') then v.schluessel::bigint
          else v.hqid
        end,
        case
          when v.tabelle in ('benutzer_kunde', 'benutzer_hq') then 'personen'
          when v.tabelle = 'habitatbaeume' then 'baeume'
          when v.tabelle in ('draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf') then 'kataster'
          when v.aktion = 'neu' and v.tabelle in ('kunde', 'benutzer', 'kartenblatt', 'serie', 'hq') then
            'neu'
          else 'geaendert'
        end,
        v.zeit, v.wer, v.tabelle || v.schluessel
      from app.verlauf v
      where v.id >= start
        and v.zeit > since
        and v.user_id is distinct from me
        and v.tabelle in (
          'kunde', 'benutzer_kunde', 'draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf', 'benutzer',
          'kartenblatt', 'serie', 'hq', 'hq_flaeche', 'kunde_hq', 'benutzer_hq', 'habitatbaeume'
        )
      union all
      select p.gegenstand, p.gegenstand_id,
        case
          when p.ereignis in ('angelegt', 'kopiert', 'eingegangen') then 'neu'
          when p.ereignis in (
            'ausgestellt', 'angenommen', 'abgelehnt', 'freigegeben', 'zahlung', 'gemahnt', 'storniert'
          ) then p.ereignis
          else 'geaendert'
        end,
        p.zeit, p.wer, ''
      from (
        select p.gegenstand, p.gegenstand_id, p.ereignis, p.zeit, p.wer, p.user_id
        from app.protokoll p
        where books
        order by p.nr desc limit 2000
      ) p
      where p.zeit > since
        and p.user_id is distinct from me
        and p.gegenstand in ('rechnung', 'angebot', 'eingang')
      union all
      select e.tabelle, e.datensatz,
        case e.art
          when 'document.issued' then 'ausgestellt'
          when 'plan.published' then 'freigegeben'
          else e.inhalt ->> 'status'
        end,
        e.am, null, ''
      from (
        select e.art, e.tabelle, e.datensatz, e.inhalt, e.am
        from app.ereignis e
        where not books and e.am > since
        order by e.id desc limit 500
      ) e
      where e.art = 'plan.published' or e.tabelle in ('rechnung', 'angebot')
    ),
    latest as (
      select e.art, e.id, max(e.zeit) as zeit, count(distinct e.einzeln) as anzahl,
        -- A record that is new was often changed as well.
        case
          when bool_or(e.was = 'neu') then 'neu'
          else (array_agg(e.was order by e.zeit desc))[1]
        end as was,
        (array_agg(e.wer order by e.zeit desc))[1] as wer
      from entry e
      where e.id is not null
      group by e.art, e.id, e.was in ('baeume', 'kataster')
    ),
    -- Read once, not for each of them.
    paper as materialized (
      select d.id, d.nummer, d.client_id, d.art = 'angebot' as is_offer
      from app.__o_get_dokumente() d
      where not books and exists (select from latest l where l.art in ('rechnung', 'angebot'))
    ),
    named as (
      select l.*, n.titel, n.client_id
      from latest l
        cross join lateral (
          select k.name as titel, k.client_id
          from app.kunde k
          where l.art = 'kunde' and k.client_id = l.id
          union all
          select h."sHQ", h.client_id
          from app.hq h
          where l.art = 'hq' and h."idHQ" = l.id
          union all
          select coalesce(nullif(concat_ws(' ', b.first_name, b.last_name), ''), b.username), null
          from app.benutzer b
          where l.art = 'benutzer' and b.user_id = l.id
          union all
          select m.map_name, m.client_id
          from app.kartenblatt m
          where l.art = 'karte' and m.id = l.id
          union all
          select s.titel, s.client_id
          from app.serie s
          where l.art = 'serie' and s.id = l.id
          union all
          select coalesce(nullif(i.nummer, ''), i.dateiname), null
          from app.eingang i
          where l.art = 'eingang' and i.id = l.id
          union all
          select coalesce(r.nummer, 'Rechnungsentwurf'), r.client_id
          from app.rechnung r
          where books and l.art = 'rechnung' and r.id = l.id
          union all
          select coalesce(a.nummer, 'Angebotsentwurf'), a.client_id
          from app.angebot a
          where books and l.art = 'angebot' and a.id = l.id
          union all
          select d.nummer, d.client_id
          from paper d
          where l.art in ('rechnung', 'angebot') and d.id = l.id and d.is_offer = (l.art = 'angebot')
        ) n
    )
    select n.art, n.id, n.titel, n.client_id, n.was, n.anzahl, n.wer, n.zeit
    from named n
    order by n.zeit desc, n.art, n.id limit 20;
end $$;
grant execute on function app.__o_get_news(timestamptz) to nutzer;
