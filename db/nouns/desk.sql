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
        (
          select count(*)
          from (select from books.serie_due(today) where rights.has_role('apus_admin') limit most) x
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
