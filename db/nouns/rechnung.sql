-- Invoices: drafts without a number; issue, which gives number, sums and the frozen document in one
-- transaction and for good; Storno; archive. apus_admin alone.
-- Every procedure that writes takes the lock of the books first (buch.sql), is a definer because nobody holds
-- a grant to write, and adds to the audit chain.

-- The rows that a document is made of -----------------------------------------------------------------------

-- A revision is told apart by its number.
create or replace function rechte.angebot_nummer(nummer text, fassung integer)
  returns text language sql immutable parallel safe set search_path = pg_catalog
  return nummer || case when fassung > 1 then '/' || fassung else '' end;
grant execute on function rechte.angebot_nummer(text, integer) to nutzer;

-- Lines in order, as the sums and the document read them.
create or replace function rechte.beleg_zeilen(rechnung_id bigint, angebot_id bigint)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'id', p.id::text, 'lfd_nr', p.lfd_nr, 'art', p.art, 'bez', p.bez, 'erl_titel', p.erl_titel,
      'erl', p.erl, 'erl_on', p.erl_on, 'anzahl', rechte.dezimal_text(p.anzahl), 'einheit', p.einheit,
      'ep', rechte.dezimal_text(p.ep, 2), 'rabatt_prozent', p.rabatt_prozent::text,
      'ust_satz', p.ust_satz::text, 'kategorie', p.kategorie, 'steuergrund', p.steuergrund,
      'le_date', p.le_date, 'le_date_bis', p.le_date_bis, 'gewaehlt', p.gewaehlt
    ) order by p.lfd_nr, p.id
  ), '[]')
  from app.position p
  where p.rechnung_id = beleg_zeilen.rechnung_id or p.angebot_id = beleg_zeilen.angebot_id
$$;

create or replace function rechte.beleg_lieferant()
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select jsonb_build_object(
    'name', coalesce(l.name, ''), 'name_zusatz', coalesce(l.name_zusatz, ''),
    'strasse', coalesce(l.strasse, ''), 'plz', coalesce(l.plz, ''), 'ort', coalesce(l.ort, ''),
    'land', coalesce(l.land, 'DE'), 'steuernummer', coalesce(l.steuernummer, ''),
    'ust_id', coalesce(l.ust_id, ''), 'ansprechpartner', coalesce(l.ansprechpartner, ''),
    'telefon', coalesce(l.telefon, ''), 'mail', coalesce(l.mail, ''), 'webseite', coalesce(l.webseite, ''),
    'bank', coalesce(l.bank, ''), 'kontoinhaber', coalesce(nullif(l.kontoinhaber, ''), l.name, ''),
    'iban', coalesce(l.iban, ''), 'bic', coalesce(l.bic, ''), 'fusszeile', coalesce(l.fusszeile, ''),
    'kleinunternehmer', coalesce(l.kleinunternehmer, false)
  )
  from (values (1)) as one(row) left join app.lieferant l on true
$$;

create or replace function rechte.beleg_empfaenger(client_id bigint, bestellnummer text)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  select jsonb_build_object(
    'client_id', k.client_id::text, 'name', k.name, 'name_zusatz', coalesce(k.name_zusatz, ''),
    'strasse', k.strasse, 'plz', k.plz, 'ort', k.ort, 'land', coalesce(b.land, 'DE'),
    'ust_id', coalesce(b.ust_id, ''), 'leitweg_id', coalesce(b.leitweg_id, ''),
    'bestellnummer', coalesce(beleg_empfaenger.bestellnummer, b.bestellnummer, ''),
    'mail', coalesce(b.rechnung_mail, ''), 'ist_privat', coalesce(b.ist_privat, false)
  )
  from app.kunde k left join app.kunde_rechnung b on b.client_id = k.client_id
  where k.client_id = beleg_empfaenger.client_id
$$;

-- Sums and lines put into a document: each line with its number, amount, rate and category as reckoned.
create or replace function rechte.beleg_gerechnet(beleg jsonb, anzahlung numeric)
  returns jsonb language plpgsql immutable set search_path = pg_catalog as $$
declare
  klein boolean := (beleg #>> '{lieferant,kleinunternehmer}')::boolean;
  sums jsonb := rechte.beleg_summen(
    jsonb_build_object(
      'rabatt_prozent', beleg ->> 'rabatt_prozent', 'ust_satz', beleg ->> 'ust_satz', 'anzahlung', anzahlung,
      'kleinunternehmer', klein
    ),
    beleg -> 'positionen'
  );
  zeilen jsonb;
begin
  select coalesce(jsonb_agg(
    p || (sums -> 'zeilen' -> (nr - 1)::integer) || jsonb_build_object(
      'kategorie', kategorie, 'ust_satz', case kategorie when 'S' then round(satz, 2) else 0.00 end::text,
      'steuergrund', case
        when klein then 'Steuerbefreiung für Kleinunternehmer (§ 19 UStG)'
        when kategorie = 'S' then ''
        when kategorie = 'AE' and btrim(p ->> 'steuergrund') = '' then
          'Steuerschuldnerschaft des Leistungsempfängers'
        else p ->> 'steuergrund'
      end
    ) order by nr
  ), '[]') into zeilen
  from (
    select p, nr, satz,
      case
        when klein then 'E'
        else coalesce(p ->> 'kategorie', case when satz = 0 then 'E' else 'S' end)
      end as kategorie
    from (
      select p, nr, coalesce((p ->> 'ust_satz')::numeric, (beleg ->> 'ust_satz')::numeric) as satz
      from jsonb_array_elements(beleg -> 'positionen') with ordinality as t(p, nr)
    ) x
  ) y;
  return beleg || jsonb_build_object('positionen', zeilen, 'summen', sums -> 'summen');
end $$;

create or replace function rechte.skonto_sortiert(skonto jsonb)
  returns jsonb language sql immutable set search_path = pg_catalog as $$
  select coalesce(jsonb_agg(
    jsonb_build_object('tage', (t ->> 'tage')::integer, 'prozent', round((t ->> 'prozent')::numeric, 2)::text)
    order by (t ->> 'tage')::integer
  ), '[]')
  from jsonb_array_elements(skonto) t
$$;

-- The document as it would be issued now. Of an issued one its frozen text stands in the row and is never
-- made again.
create or replace function rechte.rechnung_beleg(r app.rechnung)
  returns jsonb language sql stable set search_path = pg_catalog as $$
  -- § 14 (4) Nr. 9 UStG: as the settings say it now; whoever is no private person need not be told.
  select rechte.beleg_gerechnet(
    jsonb_build_object(
      'fassung', 1, 'art', r.art, 'id', r.id::text, 'nummer', coalesce(r.nummer, ''),
      'entwurf', r.zustand = 'entwurf', 'format', coalesce(r.format, b.rechnungsformat, 'zugferd'),
      'datum', r.rn_datum, 'le_date', r.le_date, 'le_date_bis', r.le_date_bis,
      'faellig', r.rn_datum + coalesce(r.zahlungsziel, b.zahlungsziel, l.zahlungsziel, 14),
      'gueltig_bis', null, 'bearbeiter', r.bearbeiter, 'anrede', r.anrede, 'anschreiben', r.anschreiben,
      'zuerl', r.zuerl, 'ust_satz', r.ust_satz::text, 'rabatt_prozent', r.rabatt_prozent::text,
      'rabatt_grund', r.rabatt_grund,
      'skonto', rechte.skonto_sortiert(coalesce(r.skonto, b.skonto, l.skonto, '[]')),
      'lieferant', rechte.beleg_lieferant(),
      'empfaenger', rechte.beleg_empfaenger(r.client_id, r.bestellnummer),
      'positionen', rechte.beleg_zeilen(r.id, null),
      'bezug', (
        select jsonb_build_object(
          'art', 'angebot', 'nummer', rechte.angebot_nummer(a.nummer, a.fassung), 'datum', a.an_datum
        )
        from app.angebot a
        where a.id = r.angebot_id
      )
    ) || case
      when b.ist_privat and r.art = 'rechnung' then
        jsonb_build_object('aufbewahrung', coalesce(l.aufbewahrung_text, ''))
      else '{}'
    end,
    r.anzahlung
  )
  from (values (1)) as one(row)
    left join app.kunde_rechnung b on b.client_id = r.client_id
    left join app.lieferant l on true
$$;

-- A draft, locked. What is not there or is issued is refused, and so is a save that is based on an older
-- version.
create or replace function rechte.rechnung_entwurf(id bigint, version integer default null)
  returns app.rechnung language plpgsql set search_path = pg_catalog as $$
declare draft app.rechnung;
begin
  select r.* into draft from app.rechnung r where r.id = rechnung_entwurf.id for update;
  if not found then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  if draft.zustand <> 'entwurf' then perform rechte.refuse_ausgestellt('rechnung ' || draft.id); end if;
  perform rechte.check_version(rechnung_entwurf.version, draft.version);
  return draft;
end $$;

-- Sums of a draft brought up to date; every change of a draft ends here. Answers the new version.
create or replace function rechte.rechnung_rechnen(id bigint)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  draft app.rechnung;
  sums jsonb;
  version integer;
begin
  select r.* into strict draft from app.rechnung r where r.id = rechnung_rechnen.id;
  sums := rechte.rechnung_beleg(draft) -> 'summen';
  update app.rechnung r set
    netto = (sums ->> 'netto')::numeric, steuer = (sums ->> 'steuer')::numeric,
    brutto = (sums ->> 'brutto')::numeric, zahlbetrag = (sums ->> 'zahlbetrag')::numeric
  where r.id = rechnung_rechnen.id
  returning r.version into version;
  return version;
end $$;

-- Dates -----------------------------------------------------------------------------------------------------

-- No invoice is dated before the last one that was issued: numbers and days run in the same order.
create or replace function rechte.letztes_rn_datum()
  returns date language sql stable set search_path = pg_catalog
  return (
    select r.rn_datum
    from app.rechnung r
    where r.folge is not null
    order by r.folge desc limit 1
  );

create or replace function app.a_get_min_rn_datum_for_new_invoice()
  returns date language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  return (
    select r.rn_datum
    from app.rechnung r
    where r.folge is not null
    order by r.folge desc limit 1
  );
end $$;

-- For an invoice that carries this date now. Before the last issued date only issued ones can lie, and those
-- keep their day.
create or replace function app.a_get_minmax_rn_datum(rn_datum date)
  returns table (min date, max date) language plpgsql stable set search_path = pg_catalog as $$
declare last date := app.a_get_min_rn_datum_for_new_invoice();
begin
  if a_get_minmax_rn_datum.rn_datum < last
    and exists (
      select from app.rechnung r
      where r.folge is not null and r.rn_datum = a_get_minmax_rn_datum.rn_datum
    )
  then
    return query select a_get_minmax_rn_datum.rn_datum, a_get_minmax_rn_datum.rn_datum;
  else
    return query select last, rechte.heute();
  end if;
end $$;

-- Reads -----------------------------------------------------------------------------------------------------

-- What stands in lists: the invoice with its customer and where it stands. As the caller.
create or replace view app.rechnung_liste with (security_invoker = true) as
  select r.id, r.client_id, k.name as kunde, k.sortname,
    r.suchtext || ' ' || coalesce(k.suchtext, '') as suchtext, r.nummer, r.folge, r.art, r.zustand,
    r.rn_datum, r.le_date, r.le_date_bis, r.faellig, r.bearbeiter, r.ust_satz, r.netto, r.steuer, r.brutto,
    r.anzahlung, r.zahlbetrag, coalesce(z.bezahlt, 0)::numeric(14, 2) as bezahlt,
    (case
      when r.zustand = 'entwurf' or r.art = 'storno' or s.id is not null then 0
      else r.zahlbetrag - coalesce(z.bezahlt, 0)
    end)::numeric(14, 2) as offen,
    case
      when r.zustand = 'entwurf' then 'entwurf'
      when r.art = 'storno' then 'storno'
      when s.id is not null then 'storniert'
      when r.zahlbetrag - coalesce(z.bezahlt, 0) <= 0 then 'bezahlt'
      when r.faellig < rechte.heute() then 'ueberfaellig'
      when coalesce(z.bezahlt, 0) > 0 then 'teilbezahlt'
      else 'offen'
    end as stand,
    r.archiviert, r.storno_von, s.id as storno_id, s.nummer as storno_nummer, r.kopie_von, r.angebot_id,
    r.format, r.bestellnummer, r.ausgestellt_am, r.ausgestellt_von, r.version, r.geaendert_am,
    r.geaendert_von,
    case
      when r.zustand = 'ausgestellt' then (
        select case
          when bool_or(v.zustand = 'gesendet') then 'gesendet'
          when bool_or(v.zustand = 'wartet') then 'wartet'
          when count(*) > 0 then 'fehlgeschlagen'
          else 'nicht'
        end
        from app.versand v
        where v.rechnung_id = r.id
      )
    end as versand
  from app.rechnung r
    left join app.kunde k on k.client_id = r.client_id
    left join app.rechnung s on s.storno_von = r.id
    left join lateral (
      select sum(p.betrag) as bezahlt from app.zahlung p where p.rechnung_id = r.id
    ) z on true;
revoke all on app.rechnung_liste from public, nutzer;
grant select on app.rechnung_liste to nutzer, forst_definer;

-- Rows of all invoices, the newest first; amounts as text. Like the reads below as the caller: who may not
-- see the books gets nothing.
create or replace function app.a_get_invoices()
  returns table (
    id bigint, client_id bigint, kunde text, nummer text, art text, stand text, rn_datum date, le_date date,
    faellig date, bearbeiter text, ust_satz text, netto text, steuer text, brutto text, zahlbetrag text,
    bezahlt text, offen text, archiviert boolean, storno_von bigint, storno_id bigint, angebot_id bigint,
    version integer
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select l.id, l.client_id, l.kunde, l.nummer, l.art, l.stand, l.rn_datum, l.le_date, l.faellig,
      l.bearbeiter, l.ust_satz::text, l.netto::text, l.steuer::text, l.brutto::text, l.zahlbetrag::text,
      l.bezahlt::text, l.offen::text, l.archiviert, l.storno_von, l.storno_id, l.angebot_id, l.version
    from app.rechnung_liste l
    order by l.folge desc nulls first, l.id desc;
end $$;

create or replace function app.a_get_invoice_details(invoice_id bigint)
  returns table (
    id bigint, client_id bigint, kunde text, bearbeiter text, le_date date, le_date_bis date, rn_datum date,
    anrede text, anschreiben text, zuerl text, ust_satz text, art text, zustand text, stand text, nummer text,
    faellig date, zahlungsziel integer, skonto jsonb, rabatt_prozent text, rabatt_grund text, anzahlung text,
    bestellnummer text, format text, archiviert boolean, netto text, steuer text, brutto text,
    zahlbetrag text, bezahlt text, offen text, storno_von bigint, storno_id bigint, storno_grund text,
    kopie_von bigint, angebot_id bigint, ausgestellt_am timestamptz, ausgestellt_von text, version integer,
    geaendert_am timestamptz, geaendert_von text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select r.id, r.client_id, l.kunde, r.bearbeiter, r.le_date, r.le_date_bis, r.rn_datum, r.anrede,
      r.anschreiben, r.zuerl, r.ust_satz::text, r.art, r.zustand, l.stand, r.nummer, r.faellig,
      r.zahlungsziel, r.skonto, r.rabatt_prozent::text, r.rabatt_grund, r.anzahlung::text, r.bestellnummer,
      r.format, r.archiviert, r.netto::text, r.steuer::text, r.brutto::text, r.zahlbetrag::text,
      l.bezahlt::text, l.offen::text, r.storno_von, l.storno_id, r.storno_grund, r.kopie_von, r.angebot_id,
      r.ausgestellt_am, r.ausgestellt_von, r.version, r.geaendert_am, r.geaendert_von
    from app.rechnung r join app.rechnung_liste l on l.id = r.id
    where r.id = a_get_invoice_details.invoice_id;
end $$;

-- The document: of a draft as it would be issued now, of an issued one the frozen text. Definer: reads the
-- supplier and the customer's billing.
create or replace function app.a_get_beleg(art text, id bigint)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare
  invoice app.rechnung;
  offer app.angebot;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  if a_get_beleg.art in ('rechnung', 'storno') then
    select r.* into invoice from app.rechnung r where r.id = a_get_beleg.id;
    if found then return coalesce(invoice.beleg, rechte.rechnung_beleg(invoice)); end if;
  elsif a_get_beleg.art = 'angebot' then
    select a.* into offer from app.angebot a where a.id = a_get_beleg.id;
    if found then return coalesce(offer.beleg, rechte.angebot_beleg(offer)); end if;
  end if;
  raise sqlstate 'PT404' using message = 'not found or not allowed';
end $$;

-- Drafts ----------------------------------------------------------------------------------------------------

create or replace function app.a_add_invoice(
  client_id bigint, rn_datum date, le_date date default null, ust_satz numeric default null
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  customer app.kunde;
  made bigint;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  customer := rechte.beleg_kunde(a_add_invoice.client_id);
  insert into app.rechnung (client_id, rn_datum, le_date, ust_satz, bearbeiter)
  values (
    customer.client_id, coalesce(a_add_invoice.rn_datum, rechte.heute()), a_add_invoice.le_date,
    coalesce(a_add_invoice.ust_satz, (select l.ust_satz from app.lieferant l), 19),
    left(coalesce(rechte.wer(), ''), 100)
  )
  returning rechnung.id into made;
  perform rechte.protokolliere('rechnung', made, customer.client_id, 'angelegt');
  return made;
end $$;

-- Columns of a draft as they shall be; those that `werte` does not name stay as they are. Null leaves date
-- and rate, makes texts empty, and of the terms it takes the customer's or the supplier's. A new first day of
-- supply may take the last one away. Answers the new version.
create or replace function rechte.rechnung_setzen(before app.rechnung, werte jsonb)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  neu app.rechnung := jsonb_populate_record(before, werte);
  after app.rechnung;
  now_version integer;
begin
  if neu.le_date is null or neu.le_date_bis < neu.le_date then
    if neu.le_date_bis is not null and werte ? 'le_date_bis' then
      perform rechte.refuse_feld('le_date_bis', 'beleg_zeitraum');
    end if;
    neu.le_date_bis := null;
  end if;
  update app.rechnung r set
    bearbeiter = coalesce(btrim(neu.bearbeiter), ''), rn_datum = coalesce(neu.rn_datum, before.rn_datum),
    le_date = neu.le_date, le_date_bis = neu.le_date_bis, anrede = rechte.mehrzeilig(neu.anrede),
    anschreiben = rechte.mehrzeilig(neu.anschreiben), zuerl = rechte.mehrzeilig(neu.zuerl),
    ust_satz = coalesce(neu.ust_satz, before.ust_satz), zahlungsziel = neu.zahlungsziel,
    skonto = case when jsonb_typeof(neu.skonto) = 'null' then null else neu.skonto end,
    rabatt_prozent = coalesce(neu.rabatt_prozent, 0), rabatt_grund = coalesce(btrim(neu.rabatt_grund), ''),
    anzahlung = coalesce(neu.anzahlung, 0), zahlbetrag = r.brutto - coalesce(neu.anzahlung, 0),
    bestellnummer = btrim(neu.bestellnummer), format = neu.format
  where r.id = before.id;
  now_version := rechte.rechnung_rechnen(before.id);
  select r.* into after from app.rechnung r where r.id = before.id;
  perform rechte.protokolliere(
    'rechnung', before.id, before.client_id, 'geaendert',
    rechte.unterschied(to_jsonb(before), to_jsonb(after))
  );
  return now_version;
end $$;

create or replace function app.a_update_invoice_details(
  bearbeiter text, le_date date, rn_datum date, invoice_id bigint, anrede text, anschreiben text, zuerl text,
  ust_satz numeric, version integer default null
) returns integer language plpgsql set search_path = pg_catalog as $$
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  return rechte.rechnung_setzen(
    rechte.rechnung_entwurf(a_update_invoice_details.invoice_id, a_update_invoice_details.version),
    jsonb_build_object(
      'bearbeiter', bearbeiter, 'le_date', le_date, 'rn_datum', rn_datum, 'anrede', anrede,
      'anschreiben', anschreiben, 'zuerl', zuerl, 'ust_satz', ust_satz
    )
  );
end $$;

-- Terms of a draft.
create or replace function app.a_set_invoice_terms(
  invoice_id bigint, version integer default null, le_date_bis date default null,
  zahlungsziel integer default null, skonto jsonb default null, rabatt_prozent numeric default 0,
  rabatt_grund text default '', anzahlung numeric default 0, bestellnummer text default null,
  format text default null
) returns integer language plpgsql set search_path = pg_catalog as $$
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  return rechte.rechnung_setzen(
    rechte.rechnung_entwurf(a_set_invoice_terms.invoice_id, a_set_invoice_terms.version),
    jsonb_build_object(
      'le_date_bis', le_date_bis, 'zahlungsziel', zahlungsziel, 'skonto', skonto,
      'rabatt_prozent', rabatt_prozent, 'rabatt_grund', rabatt_grund, 'anzahlung', anzahlung,
      'bestellnummer', bestellnummer, 'format', format
    )
  );
end $$;

-- What bills an offer stays with the offer's customer.
create or replace function app.a_set_client_for_invoice(client_id bigint, rechnung_id bigint)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  draft app.rechnung;
  customer app.kunde;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  draft := rechte.rechnung_entwurf(a_set_client_for_invoice.rechnung_id);
  customer := rechte.beleg_kunde(a_set_client_for_invoice.client_id);
  if draft.angebot_id is not null and draft.client_id <> customer.client_id then
    raise sqlstate 'PT409' using message = 'bills an offer of another customer', hint = 'angebot_kunde';
  end if;
  -- The positions follow by their reference.
  update app.rechnung r set client_id = customer.client_id where r.id = draft.id;
  perform rechte.protokolliere(
    'rechnung', draft.id, customer.client_id, 'geaendert',
    jsonb_build_object('client_id', jsonb_build_array(draft.client_id, customer.client_id))
  );
  return rechte.rechnung_rechnen(draft.id);
end $$;

create or replace function app.a_delete_invoice(invoice_id bigint, version integer default null)
  returns void language plpgsql set search_path = pg_catalog as $$
declare draft app.rechnung;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  draft := rechte.rechnung_entwurf(a_delete_invoice.invoice_id, a_delete_invoice.version);
  delete from app.rechnung r where r.id = draft.id;
  perform rechte.protokolliere(
    'rechnung', draft.id, draft.client_id, 'geloescht',
    jsonb_build_object('netto', draft.netto::text, 'brutto', draft.brutto::text)
  );
end $$;

-- A draft like this one. Which lines of an offer it bills is only taken along where the original bills them
-- no more: they would be billed twice.
create or replace function app.a_copy_invoice(invoice_id bigint)
  returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  source app.rechnung;
  made bigint;
  bills boolean;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  select r.* into source from app.rechnung r where r.id = a_copy_invoice.invoice_id;
  if not found then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  if source.art = 'storno' then
    raise sqlstate 'PT409' using message = 'a storno is not copied', hint = 'storno_kopie';
  end if;
  perform rechte.beleg_kunde(source.client_id);
  bills := exists (select from app.rechnung s where s.storno_von = source.id);
  insert into app.rechnung (
    client_id, bearbeiter, le_date, le_date_bis, rn_datum, anrede, anschreiben, zuerl, ust_satz, kopie_von,
    angebot_id, zahlungsziel, skonto, rabatt_prozent, rabatt_grund, anzahlung, zahlbetrag, bestellnummer,
    format
  )
  values (
    source.client_id, source.bearbeiter, source.le_date, source.le_date_bis, rechte.heute(), source.anrede,
    source.anschreiben, source.zuerl, source.ust_satz, source.id, case when bills then source.angebot_id end,
    source.zahlungsziel, source.skonto, source.rabatt_prozent, source.rabatt_grund, source.anzahlung,
    -source.anzahlung, source.bestellnummer, source.format
  )
  returning rechnung.id into made;
  insert into app.position (
    client_id, rechnung_id, lfd_nr, art, anzahl, einheit, bez, ep, rabatt_prozent, ust_satz, kategorie,
    steuergrund, erl, erl_on, erl_titel, le_date, le_date_bis, angebot_position_id
  )
  select p.client_id, made, p.lfd_nr, p.art, p.anzahl, p.einheit, p.bez, p.ep, p.rabatt_prozent, p.ust_satz,
    p.kategorie, p.steuergrund, p.erl, p.erl_on, p.erl_titel, p.le_date, p.le_date_bis,
    case when bills then p.angebot_position_id end
  from app.position p
  where p.rechnung_id = source.id;
  perform rechte.rechnung_rechnen(made);
  perform rechte.protokolliere(
    'rechnung', made, source.client_id, 'angelegt', jsonb_build_object('kopie_von', source.id)
  );
  return made;
end $$;

-- Issue -----------------------------------------------------------------------------------------------------

-- What the law asks of a document that leaves the house (§ 14 (4) UStG), and what an office or bank would
-- refuse. The first fault is raised at its field; the browser shows all of them before
-- (domain/beleg-check.ts).
create or replace function rechte.check_beleg(beleg jsonb)
  returns void language plpgsql stable set search_path = pg_catalog as $$
declare
  supplier jsonb := beleg -> 'lieferant';
  buyer jsonb := beleg -> 'empfaenger';
  entry jsonb;
  counted integer := 0;
  offer boolean := beleg ->> 'art' = 'angebot';
  kategorien text[];
begin
  if '' = any (array[
    supplier ->> 'name', supplier ->> 'strasse', supplier ->> 'plz', supplier ->> 'ort'
  ]) then
    perform rechte.refuse_feld('lieferant', 'beleg_lieferant', 'the supplier has no address');
  end if;
  if '' = any (array[buyer ->> 'name', buyer ->> 'strasse', buyer ->> 'plz', buyer ->> 'ort']) then
    perform rechte.refuse_feld('client_id', 'beleg_empfaenger', 'the customer has no address');
  end if;
  for entry in select p from jsonb_array_elements(beleg -> 'positionen') p loop
    if btrim(entry ->> 'bez', E' \n\t') = '' then
      perform rechte.refuse_feld(
        'bez', 'beleg_bezeichnung', 'position ' || (entry ->> 'nr') || ' says nothing'
      );
    end if;
    continue when entry ->> 'art' = 'ueberschrift';
    if (entry ->> 'ep')::numeric < 0 then
      perform rechte.refuse_feld(
        'ep', 'beleg_preis', 'position ' || (entry ->> 'nr') || ' has a price below nothing'
      );
    end if;
    if not offer and entry ->> 'art' <> 'position' then
      perform rechte.refuse_feld('art', 'beleg_optional', 'position ' || (entry ->> 'nr') || ' is optional');
    end if;
    counted := counted + case when entry ->> 'art' = 'position' then 1 else 0 end;
    if entry ->> 'kategorie' in ('E', 'O') and btrim(entry ->> 'steuergrund') = '' then
      perform rechte.refuse_feld(
        'steuergrund', 'beleg_steuergrund',
        'position ' || (entry ->> 'nr') || ' bears no tax and says no reason'
      );
    end if;
    if not offer and beleg ->> 'le_date' is null and entry ->> 'le_date' is null then
      perform rechte.refuse_feld('le_date', 'beleg_leistungsdatum', 'no day of supply');
    end if;
  end loop;
  if counted = 0 then perform rechte.refuse_feld('positionen', 'beleg_positionen', 'nothing to bill'); end if;
  if (beleg #>> '{summen,brutto}')::numeric < 0 then
    perform rechte.refuse_feld('positionen', 'beleg_negativ', 'below nothing');
  end if;
  if (beleg ->> 'rabatt_prozent')::numeric > 0 and btrim(beleg ->> 'rabatt_grund') = '' then
    perform rechte.refuse_feld('rabatt_grund', 'beleg_rabatt_grund', 'a discount needs its reason');
  end if;
  if offer then return; end if;
  if (beleg #>> '{summen,zahlbetrag}')::numeric < 0 then
    perform rechte.refuse_feld('anzahlung', 'beleg_anzahlung', 'more was paid than is billed');
  end if;
  if coalesce(rechte.steuernummer_fault(supplier ->> 'steuernummer'), '') <> ''
    and coalesce(rechte.ust_id_fault(supplier ->> 'ust_id'), '') <> ''
  then
    perform rechte.refuse_feld('steuernummer', 'beleg_steuernummer', 'no tax number');
  end if;
  if supplier ->> 'iban' <> '' and rechte.iban_fault(supplier ->> 'iban') is not null then
    perform rechte.refuse_feld('iban', 'iban', 'the account number is mistyped');
  end if;
  select array_agg(distinct s ->> 'kategorie') into kategorien
  from jsonb_array_elements(beleg #> '{summen,steuern}') s;
  if 'O' = any (kategorien) and cardinality(kategorien) > 1 then
    perform rechte.refuse_feld('kategorie', 'beleg_kategorie', 'O stands alone');
  end if;
  if 'AE' = any (kategorien)
    and (
      coalesce(rechte.ust_id_fault(buyer ->> 'ust_id'), '') <> ''
      or coalesce(rechte.ust_id_fault(supplier ->> 'ust_id'), '') <> ''
    )
  then
    perform rechte.refuse_feld('ust_id', 'beleg_reverse_charge', 'reverse charge needs both VAT ids');
  end if;
  if beleg ->> 'format' = 'xrechnung' then
    if rechte.leitweg_fault(buyer ->> 'leitweg_id') is not null then
      perform rechte.refuse_feld('leitweg_id', 'beleg_leitweg', 'no Leitweg-ID, or mistyped');
    end if;
    if '' = any (array[supplier ->> 'ansprechpartner', supplier ->> 'telefon', supplier ->> 'mail']) then
      perform rechte.refuse_feld('lieferant', 'beleg_kontakt', 'contact of the supplier');
    end if;
    if buyer ->> 'mail' = '' then
      perform rechte.refuse_feld('rechnung_mail', 'beleg_mail', 'address of the customer');
    end if;
    if supplier ->> 'iban' = '' then perform rechte.refuse_feld('iban', 'beleg_iban', 'the account'); end if;
  end if;
end $$;

create or replace function rechte.check_rn_datum(datum date)
  returns void language plpgsql stable set search_path = pg_catalog as $$
begin
  if datum < rechte.letztes_rn_datum() then
    perform rechte.refuse_feld('rn_datum', 'datum_vor_letzter', 'before the last issued invoice');
  end if;
  if datum > rechte.heute() then
    perform rechte.refuse_feld('rn_datum', 'datum_zukunft', 'in the future');
  end if;
end $$;

-- Definer. `mehr`: the caller knows that more is billed than the offer says. Lock, window of dates, what the
-- law asks, number, frozen document, audit chain: together or not at all. The row is fixed from here on, for
-- everybody.
create or replace function app.a_issue_invoice(
  invoice_id bigint, version integer default null, mehr boolean default false
) returns table (nummer text, rn_datum date) language plpgsql set search_path = pg_catalog as $$
declare
  draft app.rechnung;
  frozen jsonb;
  given text;
  sums jsonb;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  draft := rechte.rechnung_entwurf(a_issue_invoice.invoice_id, a_issue_invoice.version);
  perform rechte.beleg_kunde(draft.client_id);
  perform rechte.check_rn_datum(draft.rn_datum);
  perform rechte.check_abrechnung(draft.id, a_issue_invoice.mehr);
  frozen := rechte.rechnung_beleg(draft);
  perform rechte.check_beleg(frozen);
  given := rechte.naechste_nummer('rechnung', draft.rn_datum);
  frozen := frozen || jsonb_build_object('nummer', given, 'entwurf', false);
  sums := frozen -> 'summen';
  update app.rechnung r set
    zustand = 'ausgestellt', nummer = given,
    folge = (select coalesce(max(x.folge), 0) + 1 from app.rechnung x), ausgestellt_am = now(),
    ausgestellt_von = coalesce(rechte.wer(), 'System'), faellig = (frozen ->> 'faellig')::date,
    beleg = frozen, netto = (sums ->> 'netto')::numeric, steuer = (sums ->> 'steuer')::numeric,
    brutto = (sums ->> 'brutto')::numeric, zahlbetrag = (sums ->> 'zahlbetrag')::numeric
  where r.id = draft.id;
  perform rechte.protokolliere('rechnung', draft.id, draft.client_id, 'ausgestellt', jsonb_build_object(
    'nummer', given, 'datum', draft.rn_datum, 'brutto', sums ->> 'brutto',
    'sha256', rechte.beleg_sha256(frozen)
  ));
  return query select given, draft.rn_datum;
end $$;

create or replace function rechte.beleg_sha256(beleg jsonb)
  returns text language sql immutable set search_path = pg_catalog
  return encode(sha256(convert_to(beleg::text, 'UTF8')), 'hex');

-- The exact negation of a document: its stored amounts, never reckoned.
create or replace function rechte.beleg_negiert(beleg jsonb)
  returns jsonb language sql immutable set search_path = pg_catalog as $$
  select beleg || jsonb_build_object(
    'positionen', (
      select coalesce(jsonb_agg(
        p || jsonb_build_object('betrag', (-(p ->> 'betrag')::numeric)::text) || case
          when p ->> 'art' = 'ueberschrift' then '{}'::jsonb
          else jsonb_build_object('anzahl', (-(p ->> 'anzahl')::numeric)::text)
        end order by nr
      ), '[]')
      from jsonb_array_elements(beleg -> 'positionen') with ordinality as t(p, nr)
    ),
    'summen', (
      select jsonb_object_agg(key, to_jsonb((-(value #>> '{}')::numeric)::text))
      from jsonb_each(beleg -> 'summen')
      where key <> 'steuern'
    ) || jsonb_build_object(
      'steuern', (
        select coalesce(jsonb_agg(
          s || (
            select jsonb_object_agg(key, (-(s ->> key)::numeric)::text)
            from unnest('{positionen,rabatt,basis,steuer}'::text[]) key
          ) order by nr
        ), '[]')
        from jsonb_array_elements(beleg #> '{summen,steuern}') with ordinality as t(s, nr)
      )
    )
  )
$$;

-- A Storno names itself within its document, so its number is drawn before the row.
do $$
begin
  execute format('grant usage on sequence %s to forst_definer', pg_get_serial_sequence('app.rechnung', 'id'));
end $$;

-- Definer. A Storno takes an issued invoice back, once: a document of its own with the next number of the
-- same range. The original stays as it is and counts as storniert.
create or replace function app.a_cancel_invoice(
  invoice_id bigint, rn_datum date default null, grund text default ''
) returns table (id bigint, nummer text) language plpgsql set search_path = pg_catalog as $$
declare
  source app.rechnung;
  frozen jsonb;
  given text;
  made bigint;
  day date := coalesce(a_cancel_invoice.rn_datum, rechte.heute());
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  select r.* into source
  from app.rechnung r
  where r.id = a_cancel_invoice.invoice_id for update;
  if not found then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  if source.zustand <> 'ausgestellt' then
    raise sqlstate 'PT409' using message = 'a draft is deleted', hint = 'storno_entwurf';
  end if;
  if source.art = 'storno' then
    raise sqlstate 'PT409' using message = 'a storno is not taken back', hint = 'storno_von_storno';
  end if;
  if exists (select from app.rechnung s where s.storno_von = source.id) then
    raise sqlstate 'PT409' using message = 'cancelled already', hint = 'storniert';
  end if;
  perform rechte.check_rn_datum(day);
  given := rechte.naechste_nummer('rechnung', day);
  made := nextval(pg_get_serial_sequence('app.rechnung', 'id'));
  frozen := rechte.beleg_negiert(source.beleg) || jsonb_build_object(
    'art', 'storno', 'id', made::text, 'nummer', given, 'datum', day, 'faellig', null, 'skonto', '[]'::jsonb,
    'anschreiben', rechte.mehrzeilig(a_cancel_invoice.grund), 'zuerl', '',
    'bezug', jsonb_build_object('art', source.art, 'nummer', source.nummer, 'datum', source.rn_datum)
  );
  insert into app.rechnung (
    id, client_id, bearbeiter, le_date, le_date_bis, rn_datum, anrede, anschreiben, ust_satz, art, zustand,
    nummer, folge, ausgestellt_am, ausgestellt_von, storno_von, storno_grund, angebot_id, faellig,
    zahlungsziel, skonto, rabatt_prozent, rabatt_grund, anzahlung, bestellnummer, format, netto, steuer,
    brutto, zahlbetrag, beleg
  )
  values (
    made, source.client_id, source.bearbeiter, source.le_date, source.le_date_bis, day, source.anrede,
    rechte.mehrzeilig(a_cancel_invoice.grund), source.ust_satz, 'storno', 'ausgestellt', given,
    (select max(x.folge) + 1 from app.rechnung x), now(), coalesce(rechte.wer(), 'System'), source.id,
    left(rechte.mehrzeilig(a_cancel_invoice.grund), 1000), source.angebot_id, day, 0, '[]',
    source.rabatt_prozent, source.rabatt_grund, -source.anzahlung, source.bestellnummer, source.format,
    -source.netto, -source.steuer, -source.brutto, -source.zahlbetrag, frozen
  );
  insert into app.position (
    client_id, rechnung_id, lfd_nr, art, anzahl, einheit, bez, ep, rabatt_prozent, ust_satz, kategorie,
    steuergrund, erl, erl_on, erl_titel, le_date, le_date_bis, angebot_position_id
  )
  select p.client_id, made, p.lfd_nr, p.art, -p.anzahl, p.einheit, p.bez, p.ep, p.rabatt_prozent, p.ust_satz,
    p.kategorie, p.steuergrund, p.erl, p.erl_on, p.erl_titel, p.le_date, p.le_date_bis, p.angebot_position_id
  from app.position p
  where p.rechnung_id = source.id;
  perform rechte.protokolliere('rechnung', made, source.client_id, 'ausgestellt', jsonb_build_object(
    'nummer', given, 'datum', day, 'brutto', (-source.brutto)::text, 'sha256', rechte.beleg_sha256(frozen),
    'storno_von', source.id
  ));
  -- What is to be billed again does not stay in the archive.
  update app.angebot a set archiviert = false
  where a.id = source.angebot_id and a.archiviert;
  if found then
    perform rechte.protokolliere('angebot', source.angebot_id, source.client_id, 'aus_archiv');
  end if;
  perform rechte.protokolliere('rechnung', source.id, source.client_id, 'storniert', jsonb_build_object(
    'nummer', source.nummer, 'storno', given, 'grund', left(coalesce(a_cancel_invoice.grund, ''), 1000)
  ));
  return query select made, given;
end $$;

-- Definer. Hides an invoice from the list and shows it again; null turns it round. Nothing else changes. What
-- is still to be paid is not put away.
create or replace function app.a_set_archive_for_rn(invoice_id bigint, archiviert boolean default null)
  returns boolean language plpgsql set search_path = pg_catalog as $$
declare
  invoice record;
  wanted boolean;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  perform rechte.buch_sperre();
  select l.id, l.client_id, l.stand, l.archiviert into invoice
  from app.rechnung_liste l
  where l.id = a_set_archive_for_rn.invoice_id;
  if not found then raise sqlstate 'PT404' using message = 'not found or not allowed'; end if;
  wanted := coalesce(a_set_archive_for_rn.archiviert, not invoice.archiviert);
  if wanted and invoice.stand not in ('bezahlt', 'storniert', 'storno') then
    raise sqlstate 'PT409' using message = 'neither paid nor cancelled', hint = 'archiv_offen';
  end if;
  if wanted is distinct from invoice.archiviert then
    update app.rechnung r set archiviert = wanted where r.id = invoice.id;
    perform rechte.protokolliere('rechnung', invoice.id, invoice.client_id, case
      when wanted then 'archiviert'
      else 'aus_archiv'
    end);
  end if;
  return wanted;
end $$;

-- Audit -----------------------------------------------------------------------------------------------------

-- Text of several lines as it is stored: no carriage returns, nothing instead of null.
create or replace function rechte.mehrzeilig(value text)
  returns text language sql immutable parallel safe set search_path = pg_catalog
  return replace(replace(coalesce(value, ''), E'\r\n', E'\n'), E'\r', E'\n');

create or replace function app.a_get_protokoll(art text default null, id bigint default null)
  returns table (
    nr bigint, zeit timestamptz, wer text, user_id bigint, gegenstand text, gegenstand_id bigint,
    client_id bigint, ereignis text, inhalt jsonb, hash text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  return query
    select p.nr, p.zeit, p.wer, p.user_id, p.gegenstand, p.gegenstand_id, p.client_id, p.ereignis, p.inhalt,
      p.hash
    from app.protokoll p
    where (a_get_protokoll.art is null or p.gegenstand = a_get_protokoll.art)
      and (a_get_protokoll.id is null or p.gegenstand_id = a_get_protokoll.id)
    order by p.nr desc limit 10000;
end $$;

-- Definer: calls what hashes. Every link of the chain, and every issued document against what the chain says
-- of it. `nr` is the first faulty row, `was` what is wrong: luecke (a number is missing), kette (does not
-- follow the one before), inhalt (changed), beleg (a frozen document was changed), ohne_eintrag (issued and
-- never written down), fehlt (written down and gone).
create or replace function app.a_check_protokoll()
  returns table (
    ok boolean, zeilen bigint, belege bigint, nr bigint, was text, gegenstand text, gegenstand_id bigint,
    kopf text
  ) language plpgsql stable set search_path = pg_catalog set statement_timeout = '60s' as $$
declare
  found_fault record;
  total bigint;
  documents bigint;
  head text;
begin
  perform rechte.refuse_unless(rechte.has_role('apus_admin'));
  select count(*) into total from app.protokoll;
  select p.hash into head from app.protokoll p order by p.nr desc limit 1;
  select count(*) into documents
  from (
    select from app.rechnung r
    where r.beleg is not null
    union all
    select from app.angebot a
    where a.beleg is not null
  ) d;
  select x.nr, x.was, x.gegenstand, x.gegenstand_id into found_fault
  from (
    select c.nr,
      case
        when c.nr <> c.platz then 'luecke'
        when c.vorher <> c.davor then 'kette'
        when c.hash <> c.soll then 'inhalt'
      end as was,
      c.gegenstand, c.gegenstand_id
    from (
      select p.nr, p.vorher, p.hash, p.gegenstand, p.gegenstand_id,
        row_number() over (order by p.nr) as platz,
        lag(p.hash, 1, repeat('0', 64)) over (order by p.nr) as davor, rechte.protokoll_hash(p) as soll
      from app.protokoll p
    ) c
  ) x
  where x.was is not null
  order by x.nr limit 1;
  if not found then
    select e.nr,
      case when d.id is null then 'fehlt' when e.nr is null then 'ohne_eintrag' else 'beleg' end as was,
      coalesce(d.gegenstand, e.gegenstand) as gegenstand, coalesce(d.id, e.gegenstand_id) as gegenstand_id
    into found_fault
    from (
      select 'rechnung' as gegenstand, r.id, rechte.beleg_sha256(r.beleg) as sha256,
        r.netto = (r.beleg #>> '{summen,netto}')::numeric
          and r.steuer = (r.beleg #>> '{summen,steuer}')::numeric
          and r.zahlbetrag = (r.beleg #>> '{summen,zahlbetrag}')::numeric
          and r.nummer = r.beleg ->> 'nummer'
          and r.rn_datum = (r.beleg ->> 'datum')::date
          and r.client_id::text = r.beleg #>> '{empfaenger,client_id}' as stimmt
      from app.rechnung r
      where r.beleg is not null
      union all
      select 'angebot', a.id, rechte.beleg_sha256(a.beleg),
        a.netto = (a.beleg #>> '{summen,netto}')::numeric
          and a.steuer = (a.beleg #>> '{summen,steuer}')::numeric
          and a.an_datum = (a.beleg ->> 'datum')::date
      from app.angebot a
      where a.beleg is not null
    ) d
      full join (
        select p.nr, p.gegenstand, p.gegenstand_id, p.inhalt ->> 'sha256' as sha256
        from app.protokoll p
        where p.ereignis = 'ausgestellt'
          and not exists (
            select from app.protokoll g
            where g.gegenstand = p.gegenstand
              and g.gegenstand_id = p.gegenstand_id
              and g.ereignis = 'aufbewahrung_abgelaufen'
          )
      ) e on e.gegenstand = d.gegenstand and e.gegenstand_id = d.id
    where d.id is null or e.nr is null or d.sha256 <> e.sha256 or not coalesce(d.stimmt, false)
    order by e.nr nulls last limit 1;
  end if;
  return query
    select found_fault.was is null, total, documents, found_fault.nr, found_fault.was, found_fault.gegenstand,
      found_fault.gegenstand_id, head;
end $$;

do $$
declare entry regprocedure;
begin
  foreach entry in array array[
    'rechte.beleg_zeilen(bigint, bigint)', 'rechte.beleg_lieferant()',
    'rechte.beleg_empfaenger(bigint, text)', 'rechte.beleg_gerechnet(jsonb, numeric)',
    'rechte.skonto_sortiert(jsonb)', 'rechte.rechnung_beleg(app.rechnung)',
    'rechte.angebot_nummer(text, integer)', 'rechte.rechnung_entwurf(bigint, integer)',
    'rechte.rechnung_rechnen(bigint)', 'rechte.rechnung_setzen(app.rechnung, jsonb)',
    'rechte.letztes_rn_datum()', 'rechte.check_beleg(jsonb)', 'rechte.check_rn_datum(date)',
    'rechte.beleg_sha256(jsonb)', 'rechte.beleg_negiert(jsonb)', 'rechte.mehrzeilig(text)'
  ]::regprocedure[] loop
    execute format('revoke execute on function %s from public', entry);
    execute format('grant execute on function %s to forst_definer', entry);
  end loop;
  foreach entry in array array[
    'app.a_get_beleg(text, bigint)', 'app.a_add_invoice(bigint, date, date, numeric)',
    'app.a_update_invoice_details(text, date, date, bigint, text, text, text, numeric, integer)',
    'app.a_set_invoice_terms(bigint, integer, date, integer, jsonb, numeric, text, numeric, text, text)',
    'app.a_set_client_for_invoice(bigint, bigint)', 'app.a_delete_invoice(bigint, integer)',
    'app.a_copy_invoice(bigint)', 'app.a_issue_invoice(bigint, integer, boolean)',
    'app.a_cancel_invoice(bigint, date, text)', 'app.a_set_archive_for_rn(bigint, boolean)',
    'app.a_check_protokoll()'
  ]::regprocedure[] loop
    perform rechte.define(entry);
    execute format('grant execute on function %s to nutzer', entry);
  end loop;
end $$;
grant execute on function app.a_get_min_rn_datum_for_new_invoice(), app.a_get_minmax_rn_datum(date),
  app.a_get_invoices(), app.a_get_invoice_details(bigint), app.a_get_protokoll(text, bigint) to nutzer;
