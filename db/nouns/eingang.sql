-- Received invoices and who sends them (kreditor). Read by those who read the books; what arrived is added by
-- the server, which has read the file, and decided by the procedures below. docs/decisions/eingang.md

select rights.protect('app.kreditor');
grant select, insert, update on app.kreditor to forst_definer;
grant select on app.kreditor to nutzer;
create policy buchhaltung on app.kreditor for select to nutzer using ((select rights.has_role('apus_admin')));

-- nutzer sees everything but the bytes: the server hands those out after it has asked for the row as the
-- caller.
select rights.protect('app.eingang');
grant select, insert, update, delete on app.eingang to forst_definer;
grant select (
  id, dateiname, sha256, groesse, format, profil, geprueft, gelesen, befunde, kreditor_id, name, ust_id, iban,
  nummer, datum, faellig, netto, steuer, brutto, zahlbetrag, aus_datei, konto, zustand, eingegangen_am,
  entschieden_am, bemerkung, bezahlt_am, bezahlt, suchtext, version, geaendert_am, vorsteuer,
  vorsteuer_betrag, vorsteuer_satz, leistung, erhalten
) on app.eingang to nutzer;
create policy buchhaltung on app.eingang for select to nutzer using ((select rights.has_role('apus_admin')));
grant select (id, inhalt) on app.eingang to forst_dokument;
create policy dokument on app.eingang for select to forst_dokument using (true);

-- What arrived stays as it arrived, for every role, and is kept as long as an invoice of our own (§ 14b (1)
-- UStG: eight years from the end of the year).
create or replace function books.check_eingang_frozen()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if tg_op = 'DELETE'
    and books.kept_until(
      'eingang',
      greatest((old.eingegangen_am at time zone 'Europe/Berlin')::date, (
        select max(z.datum) from app.eingang_zahlung z where z.eingang_id = old.id
      ))
    ) < checks.today()
  then
    return old;
  end if;
  perform books.refuse_issued('eingang ' || old.id);
  return null;
end $$;
grant execute on function books.check_eingang_frozen() to forst_definer, forst_betrieb;
create or replace trigger a_fest
  before delete or update of dateiname, inhalt, format, profil, geprueft, gelesen, befunde, name, ust_id,
    iban, aus_datei, eingegangen_am on app.eingang
  for each row execute function books.check_eingang_frozen();

-- Whether the bank has carried a line out: a payment refers to it. Money that came back is a payment of its
-- own below zero, the line stays done and its invoice can be paid again. A payment that was taken back was
-- assigned by mistake: the bank still holds the line.
create or replace function books.is_posten_done(posten_id bigint)
  returns boolean language sql stable set search_path = pg_catalog
  return exists (
    select from app.eingang_zahlung p
    where p.posten_id = is_posten_done.posten_id
      and not exists (select from app.eingang_zahlung g where g.gegen_id = p.id)
  );
grant execute on function books.is_posten_done(bigint) to nutzer, forst_definer;

-- Invoices with their state on this day. `fehler`: how many faults the check found; `doppelt`: another one of
-- the same sender has this number; `angewiesen`: day on which a file for the bank pays it. `offen`: still to
-- be paid; null while nobody has approved it. As the caller.
create or replace view app.eingang_liste with (security_invoker = true) as
  select e.id, e.kreditor_id, coalesce(k.name, e.name) as kreditor, e.nummer, e.datum, e.faellig, e.netto,
    e.steuer, e.brutto, e.zahlbetrag, e.zustand,
    case
      when e.zustand = 'freigegeben' and books.eingang_due(e.faellig, e.datum) < checks.today() then
        'ueberfaellig'
      else e.zustand
    end as stand,
    e.format, e.dateiname, e.konto, e.bezahlt_am, e.eingegangen_am,
    (
      select count(*) from jsonb_array_elements(e.befunde) b where b ->> 'weight' = 'fault'
    )::integer as fehler,
    e.nummer <> ''
      and exists (
        select from app.eingang o
        where o.id <> e.id
          and o.nummer = e.nummer
          and (o.kreditor_id = e.kreditor_id or (o.ust_id <> '' and o.ust_id = e.ust_id) or o.name = e.name)
      ) as doppelt,
    lower(coalesce(k.name, '')) || ' ' || e.suchtext as suchtext,
    case when e.zustand in ('freigegeben', 'bezahlt') then e.zahlbetrag - e.bezahlt end as offen,
    (
      select min(coalesce(o.tag, l.tag))
      from app.zahlposten o join app.zahllauf l on l.id = o.lauf_id
      where o.eingang_id = e.id and l.zurueckgezogen_am is null and not books.is_posten_done(o.id)
    ) as angewiesen
  from app.eingang e left join app.kreditor k on k.id = e.kreditor_id;
revoke all on app.eingang_liste from public, nutzer;
grant select on app.eingang_liste to nutzer;

-- Definer: the helpers below are closed. Before a file is taken in: whether the caller may, and who we are,
-- so that an invoice to somebody else is noticed.
drop function if exists books.eingang_recipient();
create or replace function books.eingang_recipient()
  returns table (name text, name_zusatz text, ust_id text, steuernummer text)
  language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  return query select l.name, l.name_zusatz, l.ust_id, l.steuernummer from app.lieferant l;
end $$;
select rights.define('books.eingang_recipient()');
grant execute on function books.eingang_recipient() to nutzer;

-- Who sent an invoice: by the VAT id; without one on either side by the account, or by the name.
create or replace function books.kreditor_of(ust_id text, iban text, name text)
  returns bigint language sql stable set search_path = pg_catalog as $$
  select k.id
  from app.kreditor k
  where (kreditor_of.ust_id <> '' and k.ust_id = kreditor_of.ust_id)
    or (
      '' in (kreditor_of.ust_id, k.ust_id)
      and (
        (kreditor_of.iban <> '' and k.iban = kreditor_of.iban)
        or (kreditor_of.name <> '' and lower(k.name) = lower(kreditor_of.name))
      )
    )
  order by (kreditor_of.ust_id <> '' and k.ust_id = kreditor_of.ust_id) desc,
    (kreditor_of.iban <> '' and k.iban = kreditor_of.iban) desc, k.id limit 1
$$;
grant execute on function books.kreditor_of(text, text, text) to forst_definer;

-- Stores a file that the server has read: `werte` are the values of domain/eingang/head.ts, `herkunft` is
-- noted in the log. The same file comes in once. Only for the two functions that call it.
create or replace function books.insert_eingang(
  dateiname text, inhalt bytea, format text, profil text, geprueft text, gelesen jsonb, befunde jsonb,
  werte jsonb, herkunft jsonb default '{}'
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  entry app.eingang;
  twin bigint;
begin
  perform books.lock();
  select e.id into twin
  from app.eingang e
  where e.sha256 = encode(sha256(insert_eingang.inhalt), 'hex');
  if found then
    raise sqlstate 'PT409'
      using message = 'this file is there already', hint = 'eingang_doppelt', detail = twin::text;
  end if;
  entry := jsonb_populate_record(null::app.eingang, coalesce(insert_eingang.werte, '{}'));
  insert into app.eingang as e (
    dateiname, inhalt, format, profil, geprueft, gelesen, befunde, kreditor_id, name, ust_id, iban, nummer,
    datum, faellig, netto, steuer, brutto, zahlbetrag, aus_datei, konto, vorsteuer, leistung, erhalten
  )
  select insert_eingang.dateiname, insert_eingang.inhalt, insert_eingang.format,
    coalesce(insert_eingang.profil, ''), insert_eingang.geprueft, insert_eingang.gelesen,
    coalesce(insert_eingang.befunde, '[]'), k.id, coalesce(entry.name, ''), coalesce(entry.ust_id, ''),
    coalesce(entry.iban, ''), coalesce(entry.nummer, ''), entry.datum, entry.faellig, entry.netto,
    entry.steuer, entry.brutto, entry.zahlbetrag,
    array(
      select v.key
      from jsonb_each_text(coalesce(insert_eingang.werte, '{}')) v
      where v.value is not null and v.key in ('nummer', 'datum', 'netto', 'steuer', 'brutto', 'zahlbetrag')
      order by v.key
    ),
    coalesce(k.aufwandskonto, ''), coalesce(entry.vorsteuer, 'inland'), entry.leistung, checks.today()
  from (
    values (books.kreditor_of(coalesce(entry.ust_id, ''), coalesce(entry.iban, ''), coalesce(entry.name, '')))
  ) as sender(id)
    left join app.kreditor k on k.id = sender.id
  returning * into entry;
  perform books.record(
    'eingang', entry.id, null, 'eingegangen',
    jsonb_build_object(
      'datei', entry.dateiname, 'sha256', entry.sha256, 'nummer', entry.nummer, 'brutto', entry.brutto::text
    ) || insert_eingang.herkunft
  );
  return entry.id;
end $$;
grant execute on function books.insert_eingang(text, bytea, text, text, text, jsonb, jsonb, jsonb, jsonb)
  to forst_definer;

-- Definer: only procedures write the books. Takes in a file for somebody.
create or replace function books.add_eingang(
  dateiname text, inhalt bytea, format text, profil text, geprueft text, gelesen jsonb, befunde jsonb,
  werte jsonb
) returns bigint language plpgsql set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  return books.insert_eingang(dateiname, inhalt, format, profil, geprueft, gelesen, befunde, werte);
end $$;
select rights.define('books.add_eingang(text, bytea, text, text, text, jsonb, jsonb, jsonb)');
grant execute on function books.add_eingang(text, bytea, text, text, text, jsonb, jsonb, jsonb)
  to forst_dokument;

-- One invoice as the page shows it. As the caller.
create or replace function app.a_get_eingang(eingang_id bigint)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
declare answer jsonb;
begin
  perform rights.refuse_unless(rights.reads_books());
  select to_jsonb(e)
      - '{suchtext,netto,steuer,brutto,zahlbetrag,bezahlt,vorsteuer_betrag,vorsteuer_satz}'::text[]
    || jsonb_build_object(
      'netto', e.netto::text, 'steuer', e.steuer::text, 'brutto', e.brutto::text,
      'zahlbetrag', e.zahlbetrag::text, 'bezahlt', e.bezahlt::text,
      'vorsteuer_betrag', e.vorsteuer_betrag::text, 'vorsteuer_satz', e.vorsteuer_satz::text,
      'offen', case when e.zustand in ('freigegeben', 'bezahlt') then (e.zahlbetrag - e.bezahlt)::text end,
      'zahllauf', (
        select jsonb_build_object('id', l.id, 'tag', coalesce(o.tag, l.tag), 'betrag', o.betrag::text)
        from app.zahlposten o join app.zahllauf l on l.id = o.lauf_id
        where o.eingang_id = e.id and l.zurueckgezogen_am is null and not books.is_posten_done(o.id)
        order by o.id limit 1
      ),
      'herkunft', (
        select jsonb_build_object(
          'von', p.inhalt -> 'von', 'betreff', p.inhalt -> 'betreff', 'am', p.inhalt -> 'am'
        )
        from app.protokoll p
        where p.gegenstand = 'eingang'
          and p.gegenstand_id = e.id
          and p.ereignis = 'eingegangen'
          and p.inhalt ? 'von'
        order by p.nr limit 1
      ),
      'kreditor', (select to_jsonb(k) from app.kreditor k where k.id = e.kreditor_id),
      'gleiche', (
        select coalesce(
          jsonb_agg(jsonb_build_object('id', o.id, 'datum', o.datum, 'zustand', o.zustand) order by o.id),
          '[]'
        )
        from app.eingang o
        where o.id <> e.id
          and e.nummer <> ''
          and o.nummer = e.nummer
          and (o.kreditor_id = e.kreditor_id or (o.ust_id <> '' and o.ust_id = e.ust_id) or o.name = e.name)
      )
    ) into answer
  from (
    select i.id, i.dateiname, i.sha256, i.groesse, i.format, i.profil, i.geprueft, i.gelesen, i.befunde,
      i.kreditor_id, i.name, i.ust_id, i.iban, i.nummer, i.datum, i.faellig, i.netto, i.steuer, i.brutto,
      i.zahlbetrag, i.aus_datei, i.konto, i.zustand, i.eingegangen_am, i.entschieden_am, i.bemerkung,
      i.bezahlt_am, i.bezahlt, i.version, i.vorsteuer, i.vorsteuer_betrag, i.vorsteuer_satz, i.leistung,
      i.erhalten
    from app.eingang i
    where i.id = a_get_eingang.eingang_id
  ) e;
  perform rights.check_found(answer is not null);
  return answer;
end $$;
grant execute on function app.a_get_eingang(bigint) to nutzer;

-- As the caller, by name.
create or replace function app.a_get_kreditoren()
  returns table (
    id bigint, name text, ust_id text, iban text, konto text, aufwandskonto text, version integer
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_unless(rights.reads_books());
  return query
    select k.id, k.name, k.ust_id, k.iban, k.konto, k.aufwandskonto, k.version
    from app.kreditor k
    order by lower(k.name), k.id;
end $$;
grant execute on function app.a_get_kreditoren() to nutzer;

-- Definer: only procedures write the books. A new supplier without `id`. Returns the id.
create or replace function app.a_save_kreditor(
  werte jsonb, id bigint default null, version integer default null
) returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  before app.kreditor;
  after app.kreditor;
  given jsonb := coalesce(a_save_kreditor.werte, '{}');
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  perform checks.check_fields(given, '{name,ust_id,iban,konto,aufwandskonto}');
  if a_save_kreditor.id is not null then
    select k.* into before from app.kreditor k where k.id = a_save_kreditor.id for update;
    perform rights.check_found(found);
    perform checks.check_version(a_save_kreditor.version, before.version);
  end if;
  after := jsonb_populate_record(before, given);
  after.name := btrim(coalesce(after.name, ''));
  after.ust_id := checks.norm_ust_id(coalesce(after.ust_id, ''));
  after.iban := checks.norm_iban(coalesce(after.iban, ''));
  after.konto := btrim(coalesce(after.konto, ''));
  after.aufwandskonto := btrim(coalesce(after.aufwandskonto, ''));
  perform checks.check_value(checks.is_line(after.name, 200), 'name', 'fehlt');
  perform checks.check_value(
    after.ust_id = '' or checks.ust_id_fault(after.ust_id) is null, 'ust_id', 'ust_id'
  );
  perform checks.check_value(after.iban = '' or checks.iban_fault(after.iban) is null, 'iban', 'iban');
  perform checks.check_value(after.konto ~ '^[0-9]{0,9}$', 'konto', 'konto_ziffern');
  perform checks.check_value(after.aufwandskonto ~ '^[0-9]{0,8}$', 'aufwandskonto', 'konto_ziffern');
  perform checks.check_value(
    after.ust_id = ''
      or not exists (
        select from app.kreditor k
        where k.ust_id = after.ust_id and k.id is distinct from before.id
      ),
    'ust_id', 'kreditor_doppelt'
  );
  if before.id is null then
    insert into app.kreditor as k (name, ust_id, iban, konto, aufwandskonto)
    values (after.name, after.ust_id, after.iban, after.konto, after.aufwandskonto)
    returning k.* into after;
  else
    update app.kreditor k set
      name = after.name, ust_id = after.ust_id, iban = after.iban, konto = after.konto,
      aufwandskonto = after.aufwandskonto, version = before.version + 1, geaendert_am = now()
    where k.id = before.id
    returning k.* into after;
  end if;
  perform books.record(
    'kreditor', after.id, null, case when before.id is null then 'angelegt' else 'geaendert' end,
    history.difference(coalesce(to_jsonb(before), '{}'), to_jsonb(after))
  );
  return after.id;
end $$;
select rights.define('app.a_save_kreditor(jsonb, bigint, integer)');
grant execute on function app.a_save_kreditor(jsonb, bigint, integer) to nutzer;

-- The row of an invoice that is being changed; the caller holds the lock.
create or replace function books.eingang_row(eingang_id bigint, version integer)
  returns app.eingang language plpgsql set search_path = pg_catalog as $$
declare entry app.eingang;
begin
  select e.* into entry from app.eingang e where e.id = eingang_row.eingang_id for update;
  perform rights.check_found(found);
  perform checks.check_version(eingang_row.version, entry.version);
  entry.inhalt := null;
  return entry;
end $$;
grant execute on function books.eingang_row(bigint, integer) to forst_definer;

create or replace function books.refuse_eingang_state(holds boolean)
  returns void language plpgsql immutable set search_path = pg_catalog as $$
begin
  if holds is not true then
    raise sqlstate 'PT409' using message = 'not in this state', hint = 'eingang_zustand';
  end if;
end $$;
grant execute on function books.refuse_eingang_state(boolean) to forst_definer;

-- Definer: see above. Before the decision: sender, account, and what the file itself does not say. Returns
-- the new version.
create or replace function app.a_save_eingang(eingang_id bigint, version integer, werte jsonb)
  returns integer language plpgsql set search_path = pg_catalog as $$
declare
  before app.eingang;
  after app.eingang;
  given jsonb := coalesce(a_save_eingang.werte, '{}');
  field text;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  before := books.eingang_row(a_save_eingang.eingang_id, a_save_eingang.version);
  perform books.refuse_eingang_state(before.zustand = 'neu');
  perform checks.check_fields(
    given,
    '{kreditor_id,nummer,datum,faellig,netto,steuer,brutto,zahlbetrag,konto,vorsteuer,vorsteuer_betrag,
      vorsteuer_satz,leistung,erhalten}'
  );
  after := jsonb_populate_record(before, given);
  after.erhalten := coalesce(after.erhalten, (before.eingegangen_am at time zone 'Europe/Berlin')::date);
  after.nummer := btrim(coalesce(after.nummer, ''));
  after.konto := btrim(coalesce(after.konto, ''));
  foreach field in array before.aus_datei loop
    perform checks.check_value(
      to_jsonb(after) -> field is not distinct from to_jsonb(before) -> field, field, 'eingang_gelesen'
    );
  end loop;
  perform checks.check_value(
    after.kreditor_id is null or exists (select from app.kreditor k where k.id = after.kreditor_id),
    'kreditor_id', 'eingang_kreditor'
  );
  perform checks.check_value(checks.is_line_or_empty(after.nummer, 100), 'nummer', 'zeile_100');
  perform checks.check_value(after.konto ~ '^[0-9]{0,8}$', 'konto', 'konto_ziffern');
  perform checks.check_value(
    coalesce(after.datum between '2000-01-01' and '2100-12-31', true), 'datum', 'datum_bereich'
  );
  perform checks.check_value(
    coalesce(after.faellig between '2000-01-01' and '2100-12-31', true), 'faellig', 'datum_bereich'
  );
  foreach field in array '{netto,steuer,brutto,zahlbetrag,vorsteuer_betrag}'::text[] loop
    perform checks.check_value(
      coalesce((given ->> field) ~ '^-?[0-9]{1,12}(\.[0-9]{1,2})?$', true), field, 'betrag'
    );
  end loop;
  perform checks.check_value(
    coalesce(
      after.vorsteuer in ('inland', 'anzahlung', 'eu_leistung', 'andere_leistung', 'erwerb', 'keine'), false
    ),
    'vorsteuer', 'vorsteuer_art'
  );
  perform checks.check_value(
    coalesce(after.vorsteuer_satz in (19, 7), false), 'vorsteuer_satz', 'vorsteuer_satz'
  );
  -- No more than the invoice shows, and with its sign.
  perform checks.check_value(
    after.vorsteuer_betrag is null
      or abs(after.vorsteuer_betrag) <= abs(after.steuer)
        and sign(after.vorsteuer_betrag) in (0, sign(after.steuer)),
    'vorsteuer_betrag', 'vorsteuer_betrag'
  );
  perform checks.check_value(
    coalesce(after.leistung between '2000-01-01' and '2100-12-31', true), 'leistung', 'datum_bereich'
  );
  perform checks.check_value(
    coalesce(after.erhalten between '2000-01-01' and checks.today(), false), 'erhalten', 'erhalten'
  );
  update app.eingang e set
    vorsteuer = after.vorsteuer, vorsteuer_betrag = after.vorsteuer_betrag,
    vorsteuer_satz = after.vorsteuer_satz, leistung = after.leistung, erhalten = after.erhalten,
    kreditor_id = after.kreditor_id, nummer = after.nummer, datum = after.datum, faellig = after.faellig,
    netto = after.netto, steuer = after.steuer, brutto = after.brutto, zahlbetrag = after.zahlbetrag,
    konto = after.konto, version = before.version + 1, geaendert_am = now()
  where e.id = before.id;
  perform books.record('eingang', before.id, null, 'geaendert', history.difference(
    to_jsonb(before) - '{gelesen,befunde}'::text[], to_jsonb(after) - '{gelesen,befunde}'::text[]
  ));
  return before.version + 1;
end $$;
select rights.define('app.a_save_eingang(bigint, integer, jsonb)');
grant execute on function app.a_save_eingang(bigint, integer, jsonb) to nutzer;

-- Whether an invoice with tax demands less than it bills: a final invoice takes advances off, whose tax was
-- deducted when they were paid. Some cents are rounding (BT-114).
create or replace function books.is_partly_paid(brutto numeric, zahlbetrag numeric, steuer numeric)
  returns boolean language sql immutable set search_path = pg_catalog
  return is_partly_paid.steuer <> 0 and abs(is_partly_paid.brutto) - abs(is_partly_paid.zahlbetrag) > 0.05;
grant execute on function books.is_partly_paid(numeric, numeric, numeric) to nutzer, forst_definer;

-- Definer: see above. Approves or refuses; null takes the decision back while nothing is paid and no file for
-- the bank pays it. A refusal says why, and so does the approval of an invoice with faults. A sender that is
-- not known yet is added by what the file says. Nothing to pay is paid. Returns the new version.
create or replace function app.a_decide_eingang(
  eingang_id bigint, version integer, freigegeben boolean, bemerkung text default ''
) returns integer language plpgsql set search_path = pg_catalog as $$
declare
  entry app.eingang;
  remark text := btrim(coalesce(a_decide_eingang.bemerkung, ''), E' \t\r\n');
  accepted boolean := a_decide_eingang.freigegeben;
  field text;
begin
  perform rights.refuse_unless(rights.has_role('apus_admin'));
  perform books.lock();
  entry := books.eingang_row(a_decide_eingang.eingang_id, a_decide_eingang.version);
  perform books.refuse_eingang_state(case
    when accepted is null then
      entry.zustand = 'abgelehnt'
        or (entry.zustand = 'freigegeben' or (entry.zustand = 'bezahlt' and entry.zahlbetrag = 0))
          and entry.bezahlt = 0
    else entry.zustand = 'neu'
  end);
  if accepted is null
    and exists (
      select from app.zahlposten o join app.zahllauf l on l.id = o.lauf_id
      where o.eingang_id = entry.id and l.zurueckgezogen_am is null and not books.is_posten_done(o.id)
    )
  then
    raise sqlstate 'PT409' using message = 'a file for the bank pays it', hint = 'eingang_zahllauf';
  end if;
  perform checks.check_value(checks.is_text(remark, 2000), 'bemerkung', 'text_2000');
  perform checks.check_value(accepted is distinct from false or remark <> '', 'bemerkung', 'eingang_grund');
  if accepted then
    -- Our own supply, billed by ourselves or for us: no debt and no input tax.
    if exists (select from jsonb_array_elements(entry.befunde) b where b ->> 'rule' = 'eigene_leistung') then
      raise sqlstate 'PT409' using message = 'our own supply', hint = 'eingang_eigene';
    end if;
    perform checks.check_value(
      remark <> ''
        or not exists (select from jsonb_array_elements(entry.befunde) b where b ->> 'weight' = 'fault'),
      'bemerkung', 'eingang_trotzdem'
    );
    perform checks.check_value(entry.nummer <> '', 'nummer', 'fehlt');
    foreach field in array '{datum,netto,steuer,brutto,zahlbetrag}'::text[] loop
      perform checks.check_value(to_jsonb(entry) ->> field is not null, field, 'fehlt');
    end loop;
    perform checks.check_value(entry.netto + entry.steuer = entry.brutto, 'brutto', 'eingang_summe');
    perform checks.check_value(
      entry.vorsteuer <> 'inland'
        or entry.vorsteuer_betrag is not null
        or not books.is_partly_paid(entry.brutto, entry.zahlbetrag, entry.steuer)
        or books.is_small_business(coalesce(entry.leistung, entry.datum)),
      'vorsteuer_betrag', 'eingang_abschlaege'
    );
    -- Meanwhile another invoice of the same sender may have added it.
    entry.kreditor_id := coalesce(entry.kreditor_id, books.kreditor_of(entry.ust_id, entry.iban, entry.name));
    if entry.kreditor_id is null then
      perform checks.check_value(entry.name <> '', 'kreditor_id', 'eingang_kreditor');
      entry.kreditor_id := app.a_save_kreditor(jsonb_build_object(
        'name', entry.name,
        'ust_id', case when checks.ust_id_fault(entry.ust_id) is null then entry.ust_id else '' end,
        'iban', entry.iban
      ));
    end if;
  end if;
  update app.eingang e set
    zustand = case
      when accepted and entry.zahlbetrag = 0 then 'bezahlt'
      when accepted then 'freigegeben'
      when not accepted then 'abgelehnt'
      else 'neu'
    end,
    bezahlt_am = case when accepted and entry.zahlbetrag = 0 then entry.datum end,
    entschieden_am = case when accepted is not null then now() end, bemerkung = remark,
    kreditor_id = entry.kreditor_id, version = entry.version + 1, geaendert_am = now()
  where e.id = entry.id;
  perform books.record(
    'eingang', entry.id, null,
    case accepted when true then 'freigegeben' when false then 'abgelehnt' else 'wieder_offen' end,
    jsonb_build_object('nummer', entry.nummer, 'zahlbetrag', entry.zahlbetrag::text, 'bemerkung', remark)
  );
  return entry.version + 1;
end $$;
select rights.define('app.a_decide_eingang(bigint, integer, boolean, text)');
grant execute on function app.a_decide_eingang(bigint, integer, boolean, text) to nutzer;

-- Before there were payments (eingang-zahlung.sql).
drop function if exists app.a_set_eingang_bezahlt(bigint, integer, date);
