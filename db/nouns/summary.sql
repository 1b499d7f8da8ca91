-- One customer or one holding at a glance: figures, the newest rows of each kind with their true number. Runs
-- with the caller's rights. A part that is not the caller's business is null, so that the page leaves it out;
-- row security decides what the others show.

-- The name that a person is shown by.
create or replace function accounts.shown_name(first_name text, last_name text, username text)
  returns text language sql immutable parallel safe set search_path = pg_catalog
  return coalesce(nullif(btrim(coalesce(first_name, '') || ' ' || coalesce(last_name, '')), ''), username);
grant execute on function accounts.shown_name(text, text, text) to nutzer;

-- What was issued to the caller's own customer; null for everybody else.
create or replace function books.own_summary(client_id bigint)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare most constant integer := 5;
begin
  if not own_summary.client_id = any (rights.kunden_as('kundenadmin', 'appuser_admin')) then
    return null;
  end if;
  return (
    with paper as materialized (
      select d.art, d.id, d.nummer, d.stand, d.datum, d.faellig, d.betrag, d.offen::numeric as offen,
        d.art = 'angebot' as is_offer
      from app.__o_get_dokumente() d
      where d.client_id = own_summary.client_id
    ),
    invoice as (select p.* from paper p where not p.is_offer),
    offer as (select p.* from paper p where p.is_offer and p.stand = 'versendet')
    select jsonb_build_object(
      'sicht', 'kunde',
      'offen', jsonb_build_object(
        'anzahl', count(*) filter (where i.stand in ('offen', 'teilbezahlt', 'ueberfaellig')),
        'betrag', coalesce(
          sum(i.offen) filter (where i.stand in ('offen', 'teilbezahlt', 'ueberfaellig')), 0.00
        )::text
      ),
      'ueberfaellig', jsonb_build_object(
        'anzahl', count(*) filter (where i.stand = 'ueberfaellig'),
        'betrag', coalesce(sum(i.offen) filter (where i.stand = 'ueberfaellig'), 0.00)::text,
        'seit', min(i.faellig) filter (where i.stand = 'ueberfaellig')
      ),
      'zurueck', coalesce(-sum(i.offen) filter (where i.offen < 0), 0.00)::text, 'mahnstufe', null,
      'umsatz', null, 'mahnungen', null,
      'rechnungen', jsonb_build_object(
        'anzahl', count(*),
        'zeilen', (
          select coalesce(jsonb_agg(
            jsonb_build_object(
              'id', z.id, 'nummer', z.nummer, 'art', z.art, 'stand', z.stand, 'datum', z.datum,
              'faellig', z.faellig, 'betrag', z.betrag, 'offen', z.offen::text
            ) order by z.datum desc, z.id desc
          ), '[]')
          from (select n.* from invoice n order by n.datum desc, n.id desc limit most) z
        )
      ),
      'angebote', jsonb_build_object(
        'anzahl', (select count(*) from offer), 'versendet', (select count(*) from offer),
        'betrag', (select coalesce(sum(o.betrag::numeric), 0.00)::text from offer o),
        'zeilen', (
          select coalesce(jsonb_agg(
            jsonb_build_object(
              'id', z.id, 'nummer', z.nummer, 'stand', z.stand, 'datum', z.datum, 'gueltig_bis', z.faellig,
              'betrag', z.betrag
            ) order by z.datum desc, z.id desc
          ), '[]')
          from (select o.* from offer o order by o.datum desc, o.id desc limit most) z
        )
      )
    )
    from invoice i
  );
end $$;
grant execute on function books.own_summary(bigint) to nutzer;

-- Invoices, offers and reminders for those who keep the books; otherwise as above. The numbers are those of
-- the lists that the page links to: archived documents are left out of the lists, but not of the open
-- amounts.
create or replace function books.kunde_summary(client_id bigint)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare
  today date := checks.today();
  year date := date_trunc('year', checks.today()::timestamp)::date;
  most constant integer := 5;
begin
  if not rights.has_role('apus_admin') then return books.own_summary(kunde_summary.client_id); end if;
  return (
    with invoice as materialized (
      select l.id, l.nummer, l.art, l.stand, l.rn_datum as datum, l.faellig, l.brutto, l.zahlbetrag, l.offen,
        l.archiviert
      from app.rechnung_liste l
      where l.client_id = kunde_summary.client_id
    ),
    offer as materialized (
      select l.id, l.nummer, l.stand, l.an_datum as datum, l.gueltig_bis, l.gilt_brutto as brutto
      from app.angebot_liste l
      where l.client_id = kunde_summary.client_id and not l.archiviert and l.stand in ('entwurf', 'versendet')
    ),
    reminder as materialized (
      select m.id, m.rechnung_id, i.nummer, m.stufe, m.datum, m.faellig, m.gebuehr, i.stand
      from app.mahnung m join invoice i on i.id = m.rechnung_id
      where m.client_id = kunde_summary.client_id
    )
    select jsonb_build_object(
      'sicht', 'buchhaltung',
      'offen', jsonb_build_object(
        'anzahl', count(*) filter (where i.stand in ('offen', 'teilbezahlt', 'ueberfaellig')),
        'betrag', coalesce(
          sum(i.offen) filter (where i.stand in ('offen', 'teilbezahlt', 'ueberfaellig')), 0.00
        )::text
      ),
      'ueberfaellig', jsonb_build_object(
        'anzahl', count(*) filter (where i.stand = 'ueberfaellig'),
        'betrag', coalesce(sum(i.offen) filter (where i.stand = 'ueberfaellig'), 0.00)::text,
        'seit', min(i.faellig) filter (where i.stand = 'ueberfaellig')
      ),
      'zurueck', coalesce(-sum(i.offen) filter (where i.offen < 0), 0.00)::text,
      'mahnstufe', (select max(m.stufe) from reminder m where m.stand = 'ueberfaellig'),
      'umsatz', (
        select jsonb_build_object(
          'jahr', extract(year from year)::integer,
          'netto', coalesce(sum(r.netto) filter (where r.rn_datum >= year), 0.00)::text,
          'vorjahr', coalesce(sum(r.netto) filter (where r.rn_datum < year), 0.00)::text,
          'vorjahr_bis_heute', coalesce(
            sum(r.netto) filter (where r.rn_datum < year and r.rn_datum <= (today - interval '1 year')::date),
            0.00
          )::text
        )
        from app.rechnung r left join app.rechnung o on o.id = r.storno_von
        where r.client_id = kunde_summary.client_id
          and r.zustand = 'ausgestellt'
          and coalesce(o.art, r.art) <> 'abschlag'
          and r.rn_datum >= (year - interval '1 year')::date
          and r.rn_datum < (year + interval '1 year')::date
      ),
      'rechnungen', jsonb_build_object(
        'anzahl', count(*) filter (where not i.archiviert),
        'zeilen', (
          select coalesce(jsonb_agg(
            jsonb_build_object(
              'id', z.id, 'nummer', z.nummer, 'art', z.art, 'stand', z.stand, 'datum', z.datum,
              'faellig', z.faellig,
              'betrag', case
                when z.stand in ('entwurf', 'storno', 'korrektur') then z.brutto
                else z.zahlbetrag
              end::text,
              'offen', z.offen::text
            ) order by z.datum desc, z.id desc
          ), '[]')
          from (
            select n.*
            from invoice n
            where not n.archiviert
            order by n.datum desc, n.id desc limit most
          ) z
        )
      ),
      'angebote', jsonb_build_object(
        'anzahl', (select count(*) from offer),
        'versendet', (select count(*) from offer o where o.stand = 'versendet'),
        'betrag', (select coalesce(sum(o.brutto), 0.00)::text from offer o where o.stand = 'versendet'),
        'zeilen', (
          select coalesce(jsonb_agg(
            jsonb_build_object(
              'id', z.id, 'nummer', z.nummer, 'stand', z.stand, 'datum', z.datum,
              'gueltig_bis', z.gueltig_bis, 'betrag', z.brutto::text
            ) order by z.datum desc, z.id desc
          ), '[]')
          from (select o.* from offer o order by o.datum desc, o.id desc limit most) z
        )
      ),
      'mahnungen', jsonb_build_object(
        'anzahl', (select count(*) from reminder),
        'zeilen', (
          select coalesce(jsonb_agg(
            jsonb_build_object(
              'id', z.id, 'rechnung_id', z.rechnung_id, 'nummer', z.nummer, 'stufe', z.stufe,
              'datum', z.datum, 'faellig', z.faellig, 'gebuehr', z.gebuehr::text
            ) order by z.datum desc, z.id desc
          ), '[]')
          from (select m.* from reminder m order by m.datum desc, m.id desc limit most) z
        )
      )
    )
    from invoice i
  );
end $$;
grant execute on function books.kunde_summary(bigint) to nutzer;

-- Plans, those changed last first.
create or replace function maps.plans_summary(client_id bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select case
    when rights.has_any('apus_admin', 'apus_team')
      or plans_summary.client_id = any (rights.kunden_as('appuser', 'appuser_admin'))
    then jsonb_build_object(
      'anzahl', (select count(*) from app.kartenblatt k where k.client_id = plans_summary.client_id),
      'rueckfragen', (
        select count(*)
        from app.kartenblatt k
        where k.client_id = plans_summary.client_id and k.client_status = 'rueckfrage'
      ),
      'zeilen', (
        select coalesce(jsonb_agg(
          jsonb_build_object(
            'id', z.id, 'name', z.map_name, 'status', z.status, 'client_status', z.client_status,
            'show_client', z.show_client, 'geaendert_am', z.geaendert_am
          ) order by z.geaendert_am desc, z.id desc
        ), '[]')
        from (
          select k.*
          from app.kartenblatt k
          where k.client_id = plans_summary.client_id
          order by k.geaendert_am desc, k.id desc limit 5
        ) z
      )
    )
  end
$$;
grant execute on function maps.plans_summary(bigint) to nutzer;

-- Objects of the survey, table by table from the index on the customer, and when they were last imported.
create or replace function maps.survey_summary(client_id bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select case
    when rights.has_any('apus_admin', 'apus_team')
      or survey_summary.client_id = any (maps.kataster_kunden())
    then jsonb_build_object(
      'draenage', (select count(*) from app.draenage t where t.client_id = survey_summary.client_id),
      'ausmuendung', (select count(*) from app.ausmuendung t where t.client_id = survey_summary.client_id),
      'schacht', (select count(*) from app.schacht t where t.client_id = survey_summary.client_id),
      'schlucker', (select count(*) from app.schlucker t where t.client_id = survey_summary.client_id),
      'einlauf', (select count(*) from app.einlauf t where t.client_id = survey_summary.client_id),
      'importiert_am', (
        select max(v.beendet_am)
        from app.vermessung_import v
        where v.client_id = survey_summary.client_id and v.stand = 'fertig'
      )
    )
  end
$$;
grant execute on function maps.survey_summary(bigint) to nutzer;

-- Holdings in the order of their list, with their modules and standing trees.
create or replace function forest.hqs_summary(client_id bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select case
    when rights.has_any('ogf_admin', 'ogf_team')
      or hqs_summary.client_id = any (rights.kunden_as('kundenadmin'))
    then jsonb_build_object(
      'anzahl', (select count(*) from app.hq h where h.client_id = hqs_summary.client_id),
      'hektar', (select sum(h."dcFLAEHB") from app.hq h where h.client_id = hqs_summary.client_id),
      'zeilen', (
        select coalesce(jsonb_agg(
          jsonb_build_object(
            'id', z."idHQ", 'name', z."sHQ", 'hektar', z."dcFLAEHB", 'fb_enabled', z.fb_enabled,
            'fe_enabled', coalesce(s.fe_enabled, false),
            'basis_fe_enabled', coalesce(s.basis_fe_enabled, false),
            'kawm_enabled', coalesce(s.kawm_enabled, false),
            'baeume', (
              select count(*)
              from app.habitatbaeume b
              where b."idHQ" = z."idHQ" and b.verlust_datum is null
            )
          ) order by z.sortname, z."idHQ"
        ), '[]')
        from (
          select h.*
          from app.hq h
          where h.client_id = hqs_summary.client_id
          order by h.sortname, h."idHQ" limit 5
        ) z
          left join app.kunde_hq s on s.hqid = z."idHQ"
      )
    )
  end
$$;
grant execute on function forest.hqs_summary(bigint) to nutzer;

-- The customer's people by name, with the holdings that they are linked to; `team` is the number of our own.
create or replace function accounts.kunde_people_summary(client_id bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  with person as materialized (
    select b.user_id, accounts.shown_name(b.first_name, b.last_name, b.username) as name,
      coalesce(b.mail, b.email) as mail, bk.rolle, b.enabled, b.apus_team or b.apus_admin as team, b.sortname
    from app.benutzer_kunde bk join app.benutzer b on b.user_id = bk.user_id
    where bk.client_id = kunde_people_summary.client_id
  )
  select case
    when rights.has_any('ogf_admin', 'apus_admin', 'ogf_team', 'apus_team')
      or kunde_people_summary.client_id = any (rights.kunden_as('kundenadmin', 'appuser_admin'))
    then jsonb_build_object(
      'anzahl', (select count(*) from person p where not p.team),
      'team', (select count(*) from person p where p.team),
      'zeilen', (
        select coalesce(jsonb_agg(
          jsonb_build_object(
            'user_id', z.user_id, 'name', z.name, 'mail', z.mail, 'rolle', z.rolle, 'enabled', z.enabled,
            'betriebe', array(
              select h."sHQ"
              from app.benutzer_hq bh join app.hq h on h."idHQ" = bh.hqid
              where bh.user_id = z.user_id and bh.client_id = kunde_people_summary.client_id
              order by h.sortname, h."idHQ" limit 3
            )
          ) order by z.sortname, z.user_id
        ), '[]')
        from (select p.* from person p where not p.team order by p.sortname, p.user_id limit 5) z
      )
    )
  end
$$;
grant execute on function accounts.kunde_people_summary(bigint) to nutzer;

-- People of a holding, those who administer it first.
create or replace function accounts.hq_people_summary(hqid bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  with person as materialized (
    select b.user_id, accounts.shown_name(b.first_name, b.last_name, b.username) as name,
      coalesce(b.mail, b.email) as mail, bh.hq_status, b.enabled,
      not 'hq_admin' = any (bh.hq_status) as lesser, b.sortname
    from app.benutzer_hq bh join app.benutzer b on b.user_id = bh.user_id
    where bh.hqid = hq_people_summary.hqid
  )
  select jsonb_build_object(
    'anzahl', (select count(*) from person),
    'zeilen', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'user_id', z.user_id, 'name', z.name, 'mail', z.mail, 'hq_status', z.hq_status, 'enabled', z.enabled
        ) order by z.lesser, z.sortname, z.user_id
      ), '[]')
      from (select p.* from person p order by p.lesser, p.sortname, p.user_id limit 5) z
    )
  )
$$;
grant execute on function accounts.hq_people_summary(bigint) to nutzer;

-- The newest notes at the customer and at everything of the customer's; with `hqid` those at that holding.
-- `anzahl` is the number at the record itself, as on its own page.
create or replace function notes.summary(client_id bigint, hqid bigint)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare
  place constant text := case when summary.hqid is null then 'kunde' else 'hq' end;
  at constant bigint := coalesce(summary.hqid, summary.client_id);
  newest bigint[];
begin
  -- Two statements: one for both cases would read all notes.
  if summary.hqid is null then
    newest := array(
      select n.id
      from app.notiz n
      where n.client_id = summary.client_id
      order by n.id desc limit 5
    );
  else
    newest := array(
      select n.id
      from app.notiz n
      where n.client_id = summary.client_id and n.hqid = summary.hqid
      order by n.id desc limit 5
    );
  end if;
  return jsonb_build_object(
    'anzahl', (select count(*) from app.notiz n where n.art = place and n.datensatz = at),
    'schreibt', place = any (notes.kinds()),
    'zeilen', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'id', z.id, 'art', z.art, 'datensatz', z.datensatz,
          'name', case when z.art <> 'kunde' then notes.name_of(z.art, z.datensatz) end,
          'text', left(z.text, 240), 'wer', z.wer, 'angelegt_am', z.angelegt_am,
          'dateien', (select count(*) from app.notiz_datei d where d.notiz_id = z.id)
        ) order by z.id desc
      ), '[]')
      from app.notiz z
      where z.id = any (newest)
    )
  );
end $$;
grant execute on function notes.summary(bigint, bigint) to nutzer;

create or replace function history.summary_tables()
  returns text[] language sql immutable parallel safe set search_path = pg_catalog
  return '{kunde,hq,hq_flaeche,kunde_hq,benutzer_kunde,benutzer_hq,kartenblatt}'::text[];
grant execute on function history.summary_tables() to nutzer;

-- The newest changes of the master data, the links and the plans of a customer, or of one holding. Trees and
-- stands have their own histories. `felder`: the columns that changed; `name`: of the holding, person or
-- plan, as far as the caller may read it.
create or replace function history.summary(client_id bigint, hqid bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'id', z.id, 'zeit', z.zeit, 'wer', z.wer, 'tabelle', z.tabelle, 'aktion', z.aktion,
      'schluessel', z.schluessel, 'hqid', z.hqid,
      'felder', case
        when z.aktion = 'geaendert' then array(select jsonb_object_keys(z.neu))
        else '{}'::text[]
      end,
      'name', case
        when z.tabelle in ('benutzer_kunde', 'benutzer_hq') then (
          select accounts.shown_name(b.first_name, b.last_name, b.username)
          from app.benutzer b
          where b.user_id = z.person_id
        )
        when z.tabelle in ('hq', 'hq_flaeche', 'kunde_hq') then
          (select h."sHQ" from app.hq h where h."idHQ" = z.hqid)
        when z.tabelle = 'kartenblatt' then coalesce(
          (select k.map_name from app.kartenblatt k where k.id::text = z.schluessel), z.alt ->> 'map_name'
        )
      end
    ) order by z.id desc
  ), '[]')
  from (
    (
      select v.*
      from app.verlauf v
      where summary.hqid is null
        and v.client_id = summary.client_id
        and v.tabelle = any (history.summary_tables())
      order by v.id desc limit 5
    )
    union all (
      select v.*
      from app.verlauf v
      where v.hqid = summary.hqid and v.tabelle = any (history.summary_tables())
      order by v.id desc limit 5
    )
  ) z
$$;
grant execute on function history.summary(bigint, bigint) to nutzer;

-- A customer.
create or replace function app.__o_get_kunde_summary(client_id bigint)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare id constant bigint := __o_get_kunde_summary.client_id;
begin
  perform rights.check_found(exists (select from app.kunde k where k.client_id = id));
  return jsonb_build_object(
    'heute', checks.today(), 'buch', books.kunde_summary(id), 'forstbetriebe', forest.hqs_summary(id),
    'karten', maps.plans_summary(id), 'vermessung', maps.survey_summary(id),
    'personen', accounts.kunde_people_summary(id), 'notizen', notes.summary(id, null),
    'verlauf', history.summary(id, null)
  );
end $$;
grant execute on function app.__o_get_kunde_summary(bigint) to nutzer;

-- A holding. `baeume` and `bestand` count what the caller may read: nothing where the holding is not enabled
-- or its module is off. `abos`: running ones, null for those who have nothing to do with them. What is owed,
-- plans and survey are the customer's.
create or replace function app.__o_get_hq_summary(hq_id bigint)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare
  today constant date := checks.today();
  betrieb record;
  trees record;
begin
  select h."idHQ", h.client_id, h."dcFLAEHB" into betrieb
  from app.hq h
  where h."idHQ" = hq_id;
  perform rights.check_found(betrieb."idHQ" is not null);
  select count(*) filter (where b.verlust_datum is null) as anzahl,
    count(*) filter (where b.verlust_datum is null and b.markierung_art is not null) as markiert,
    count(*) filter (where b.verlust_datum is not null) as verloren,
    count(*) filter (where b.verlust_datum is null and b.kawm) as kawm,
    count(*) filter (
      where b.verlust_datum is null and b.kawm and b.markierung_art is not null
    ) as kawm_markiert into trees
  from app.habitatbaeume b
  where b."idHQ" = hq_id;
  return jsonb_build_object(
    'heute', today,
    'baeume', jsonb_build_object(
      'anzahl', trees.anzahl, 'markiert', trees.markiert, 'verloren', trees.verloren,
      'zeilen', (
        select coalesce(jsonb_agg(
          jsonb_build_object(
            'id', z.id, 'nummer', z.nummer, 'art', z.art, 'art_text', z.art_text, 'bhd_cm', z.bhd_cm,
            'erfasst_am', z.erfasst_am, 'markiert', z.markierung_art is not null
          ) order by z.erfasst_am desc, z.id desc
        ), '[]')
        from (
          select t.*
          from app.habitatbaeume t
          where t."idHQ" = hq_id and t.verlust_datum is null
          order by t.erfasst_am desc, t.id desc limit 5
        ) z
      )
    ),
    'kawm', (
      select forest.kawm(
        s.kawm_enabled, s.kawm_custom_area_enabled, s.kawm_area, betrieb."dcFLAEHB", s.kawm_approval_date,
        today, trees.kawm::integer, trees.kawm_markiert::integer, 0
      ) || jsonb_build_object('erfasst', trees.kawm, 'markiert', trees.kawm_markiert)
      from app.kunde_hq s
      where s.hqid = hq_id and s.kawm_enabled
    ),
    'bestand', (
      select jsonb_build_object(
        'anzahl', count(*), 'hektar', sum(b.flaeche_ha), 'uebernommen_am', max(b.angelegt_am)
      )
      from app.bestand b
      where b."idHQ" = hq_id
    ),
    'flaeche', (
      select jsonb_build_object('hektar', forest.hectares(f.geom), 'geaendert_am', f.geaendert_am)
      from app.hq_flaeche f
      where f.hqid = hq_id
    ),
    'abos', case
      when rights.has_role('ogf_admin')
        or betrieb.client_id = any (rights.kunden_as('kundenadmin'))
        or (rights.has_any('ogf_standard', 'ogf_fb_admin') and hq_id = any (rights.hqs_as()))
      then (
        select jsonb_build_object(
          'anzahl', count(*),
          'zeilen', coalesce(jsonb_agg(
            jsonb_build_object(
              'id', a.id, 'modul', a.modul, 'zustand', a.zustand, 'beginn', a.beginn, 'ende', a.ende
            ) order by a.ende, a.id
          ), '[]')
        )
        from app.abo a
        where a.client_id = betrieb.client_id
          and a.hqid = hq_id
          and a.zustand in ('aktiv', 'gekuendigt')
          and a.ende >= today
      )
    end,
    'buch', (
      select jsonb_build_object(
        'sicht', b -> 'sicht', 'offen', b -> 'offen', 'ueberfaellig', b -> 'ueberfaellig'
      )
      from books.kunde_summary(betrieb.client_id) b
      where b is not null
    ),
    'karten', maps.plans_summary(betrieb.client_id) - 'zeilen',
    'vermessung', maps.survey_summary(betrieb.client_id), 'personen', accounts.hq_people_summary(hq_id),
    'notizen', notes.summary(betrieb.client_id, hq_id), 'verlauf', history.summary(betrieb.client_id, hq_id)
  );
end $$;
grant execute on function app.__o_get_hq_summary(bigint) to nutzer;
