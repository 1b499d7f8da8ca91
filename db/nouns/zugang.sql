-- Keys for programs: what a key may do, who makes, sees and ends one. Row security sees the person; a key is
-- a further limit. A request with a key runs as the role programm, a member of nutzer, for which every table
-- has a restrictive policy more (zugang-policies.sql). See docs/decisions/keys.md.

select rights.protect('accounts.zugang');
grant select, insert, update, delete on accounts.zugang to forst_definer;

-- What each half's roles are. An auditor belongs to neither half; the drainage half's admins manage them.
create or replace function rights.half_roles(half text)
  returns text[] language sql immutable parallel safe set search_path = pg_catalog
  return case half
    when 'forst' then '{ogf_standard,ogf_fb_admin,multiple_fb,inactive_fb,kundenadmin,ogf_team,ogf_admin}'
    when 'draenage' then '{appuser,appuser_admin,apus_team,apus_admin,pruefer}'
    else '{}'
  end::text[];
grant execute on function rights.half_roles(text) to nutzer, forst_definer;

-- The groups of tables that a key can be narrowed to. domain/zugang.ts has the same names; a test compares
-- them. A relation without a group is read only by keys that are not narrowed to groups.
create or replace function rights.key_groups()
  returns text[] language sql immutable parallel safe set search_path = pg_catalog
  return '{kunden,betriebe,personen,karten,vermessung,bestaende,habitat,belege,notizen}'::text[];
grant execute on function rights.key_groups() to nutzer, forst_definer;
create or replace function rights.group_of(relation text)
  returns text language sql immutable parallel safe set search_path = pg_catalog
  return case
    when relation in ('kunde', 'kunde_mitglieder') then 'kunden'
    when relation in (
      'hq', 'hq_flaeche', 'kunde_hq', 'hq_liste', 'abo', 'abo_liste', 'abo_preis', 'gutschein'
    ) then 'betriebe'
    when relation in ('benutzer', 'benutzer_kunde', 'benutzer_hq', 'nutzer_liste', 'mitglied') then 'personen'
    when relation in (
      'karte', 'karte_liste', 'kartenblatt', 'karte_datei', 'karte_stand', 'karte_intern', 'karte_auftrag',
      'mappoint'
    ) then 'karten'
    when relation in (
      'draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf', 'vermessung_import', 'vermessungsbilder',
      'ausm_einmessung_uebersicht', 'drae_einmessung_uebersicht', 'scha_einmessung_uebersicht',
      'schl_einmessung_uebersicht', 'drae_laenge_nach_erfq', 'drae_laenge_qdt_nach_aop'
    ) then 'vermessung'
    when relation in ('bestand', 'baumarten', 'bestand_import', 'grenzvorschlag') then 'bestaende'
    when relation in (
      'habitatbaeume', 'habitatbaeume_liste', 'habitatbaeume_karte', 'habitatkontrollen', 'habitatbilder'
    ) then 'habitat'
    when relation in (
      'rechnung', 'rechnung_liste', 'rechnung_offen', 'angebot', 'angebot_liste', 'angebot_offen', 'position',
      'anlage', 'serie', 'serie_lauf', 'dokument', 'dokument_auftrag', 'zahlung', 'mahnung', 'versand',
      'kunde_rechnung', 'kontoumsatz', 'kontoumsatz_liste', 'sepa_lauf', 'sepa_mandat', 'sepa_posten',
      'eingang', 'eingang_liste', 'eingang_zahlung', 'kreditor', 'zahllauf', 'zahlposten', 'prognose',
      'lieferant', 'nummernkreis', 'protokoll', 'positionsvorlage', 'freitext', 'annahme_link', 'buchpruefung'
    ) then 'belege'
    when relation in ('notiz', 'notiz_datei', 'notiz_erwaehnt') then 'notizen'
  end;
grant execute on function rights.group_of(text) to nutzer, forst_definer;
-- The half whose matter a group is; null: of both.
create or replace function rights.half_of(key_group text)
  returns text language sql immutable parallel safe set search_path = pg_catalog
  return case
    when key_group in ('betriebe', 'bestaende', 'habitat') then 'forst'
    when key_group in ('karten', 'vermessung') then 'draenage'
  end;
grant execute on function rights.half_of(text) to nutzer, forst_definer;

-- Events are of several groups: what each kind belongs to (ereignis.sql).
create or replace function rights.group_of_event(kind text)
  returns text language sql immutable parallel safe set search_path = pg_catalog
  return case kind
    when 'document.issued' then 'belege'
    when 'offer.decided' then 'belege'
    when 'plan.published' then 'karten'
    when 'tree.lost' then 'habitat'
  end;
grant execute on function rights.group_of_event(text) to nutzer, forst_definer;

-- Definer: the table is closed. The key of this transaction, read from its row every time, so that it ends at
-- once; null without one, and for one that has ended or belongs to somebody else.
create or replace function rights.key()
  returns accounts.zugang language plpgsql stable set search_path = pg_catalog as $$
declare
  claims jsonb := rights.claims();
  found accounts.zugang;
begin
  if claims is null or not claims ? 'key' then return null; end if;
  select z.* into found
  from accounts.zugang z join accounts.identitaet i on i.user_id = z.user_id
  where z.id = (claims ->> 'key')::bigint
    and i.iss = claims ->> 'iss'
    and i.sub = claims ->> 'sub'
    and z.beendet_am is null
    and z.bis >= checks.today();
  -- A token of OAuth may have asked for less than the key has; it never gets more, whatever it says.
  if claims ? 'scope' then
    found.nur_lesen := found.nur_lesen or not coalesce((claims #>> '{scope,schreiben}')::boolean, false);
    if jsonb_typeof(claims #> '{scope,gruppen}') = 'array' then
      found.gruppen := array(
        select key_group
        from unnest(coalesce(found.gruppen, rights.key_groups())) as g(key_group)
        where claims #> '{scope,gruppen}' ? key_group
      );
    end if;
  end if;
  return found;
end $$;
select rights.define('rights.key()');
grant execute on function rights.key() to nutzer, forst_definer, forst_betrieb;

-- Of these roles those that the key of this transaction leaves.
create or replace function rights.narrowed(held text[])
  returns text[] language plpgsql stable set search_path = pg_catalog as $$
declare used accounts.zugang := rights.key();
begin
  return array(
    select role
    from unnest(held) with ordinality as r(role, nr)
    where role = any (used.rollen) and (used.haelfte is null or role = any (rights.half_roles(used.haelfte)))
    order by nr
  );
end $$;
grant execute on function rights.narrowed(text[]) to forst_definer;

-- For the policies of the role programm.
create or replace function rights.key_opens(key_group text)
  returns boolean language plpgsql stable set search_path = pg_catalog as $$
declare used accounts.zugang := rights.key();
begin
  return used.id is not null
    and (used.gruppen is null or coalesce(key_opens.key_group = any (used.gruppen), false))
    and coalesce(used.haelfte = rights.half_of(key_opens.key_group), true);
end $$;
grant execute on function rights.key_opens(text) to nutzer, forst_definer;
create or replace function rights.key_writes()
  returns boolean language plpgsql stable set search_path = pg_catalog as $$
declare used accounts.zugang := rights.key();
begin
  return coalesce(not used.nur_lesen, false);
end $$;
grant execute on function rights.key_writes() to nutzer;
-- Of these groups those that the key opens, for the policy of events.
create or replace function rights.opened_groups()
  returns text[] language plpgsql stable set search_path = pg_catalog as $$
begin
  return array(select g.name from unnest(rights.key_groups()) g(name) where rights.key_opens(g.name));
end $$;
grant execute on function rights.opened_groups() to nutzer;
-- The only customer that the key is for; and whether it is for all.
create or replace function rights.key_kunde() returns bigint language sql stable set search_path = pg_catalog
  return (rights.key()).client_id;
grant execute on function rights.key_kunde() to nutzer, forst_definer;
create or replace function rights.key_every_kunde()
  returns boolean language plpgsql stable set search_path = pg_catalog as $$
declare used accounts.zugang := rights.key();
begin
  return used.id is not null and used.client_id is null;
end $$;
grant execute on function rights.key_every_kunde() to nutzer, forst_definer;
-- For definers, which read past the policies: whether the key of this transaction, if there is one, lets its
-- holder read this group of this customer. Without a group or a customer: whether it is not narrowed by them.
create or replace function rights.key_reads(key_group text, client_id bigint)
  returns boolean language plpgsql stable set search_path = pg_catalog as $$
begin
  return not coalesce(rights.claims() ? 'key', false)
    or (
      rights.key_opens(key_reads.key_group)
      and coalesce(rights.key_every_kunde() or rights.key_kunde() = key_reads.client_id, false)
    );
end $$;
grant execute on function rights.key_reads(text, bigint) to nutzer, forst_definer;

-- Refuses with a name of the limit as the hint; `detail` is the sentence in German.
create or replace function rights.refuse_key(limit_name text, said text, said_german text)
  returns void language plpgsql immutable set search_path = pg_catalog as $$
begin
  raise sqlstate 'PT403' using message = said, detail = said_german, hint = limit_name;
end $$;
grant execute on function rights.refuse_key(text, text, text) to nutzer, forst_definer;

-- For procedures that tell a person about themselves or about others beyond what a key can be narrowed to.
create or replace function rights.refuse_keys()
  returns void language plpgsql stable set search_path = pg_catalog as $$
begin
  if rights.claims() ? 'key' then
    perform rights.refuse_key(
      'key_person_only', 'Not with a key', 'Das geht nur, wenn Sie selbst angemeldet sind.'
    );
  end if;
end $$;
grant execute on function rights.refuse_keys() to forst_definer;

-- Called by rights.check_request for requests with a key. `path` is what the server says that it answers: a
-- relation, or rpc/name. A key that is narrowed to groups or to a customer calls no procedure, because many
-- of them read with more rights than the caller's policies; what the server does not name is refused too.
create or replace function rights.check_key(path text)
  returns void language plpgsql set search_path = pg_catalog as $$
declare
  used accounts.zugang := rights.key();
  target text := split_part(ltrim(coalesce(path, ''), '/'), '/', 1);
  target_group text;
begin
  if current_setting('role') <> 'programm' then
    perform rights.refuse_key(
      'key_not_here', 'Keys for programs do not work here', 'Schlüssel für Programme gelten hier nicht.'
    );
  end if;
  if used.id is null then
    raise sqlstate 'PT401'
      using message = 'This key has ended', detail = 'Dieser Schlüssel ist widerrufen oder abgelaufen.',
        hint = 'key_ended';
  end if;
  if rights.roles() = '{}' then
    raise sqlstate 'PT401'
      using message = 'The person no longer has the rights that this key was made with',
        detail = 'Die Person hat die Rechte nicht mehr, mit denen dieser Schlüssel angelegt wurde.',
        hint = 'key_void';
  end if;
  -- It cannot be set back in this transaction.
  if used.nur_lesen then set local transaction_read_only = on; end if;
  target_group := rights.group_of(target);
  if used.gruppen is not null or used.client_id is not null then
    if target in ('', 'rpc') then
      perform rights.refuse_key(
        'key_calls', 'This key reads tables of its groups and calls nothing',
        'Dieser Schlüssel gilt nur für Bereiche oder einen Kunden und darf keine Prozeduren (rpc) aufrufen.'
      );
    end if;
    -- Of events the policy leaves those of the key's groups.
    if used.gruppen is not null
      and not coalesce(target_group = any (used.gruppen), false)
      and not (target = 'ereignis' and used.gruppen && '{belege,karten,habitat}')
    then
      perform rights.refuse_key(
        'key_group', format('This key opens only: %s', array_to_string(used.gruppen, ', ')),
        format('Dieser Schlüssel öffnet nur diese Bereiche: %s.', array_to_string(used.gruppen, ', '))
      );
    end if;
  end if;
  if rights.half_of(target_group) <> used.haelfte then
    perform rights.refuse_key(
      'key_half', format('This key is for one half only: %s', used.haelfte),
      case used.haelfte
        when 'forst' then 'Dieser Schlüssel gilt nur für die Sparte Forst.'
        else 'Dieser Schlüssel gilt nur für die Sparte Entwässerung.'
      end
    );
  end if;
end $$;
grant execute on function rights.check_key(text) to nutzer, forst_definer;

-- Neither people nor their links are changed with a key, however the caller gets there: a program cannot
-- widen anybody's rights, nor lock or create anyone.
create or replace function rights.check_no_key()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if rights.claims() ? 'key' then
    perform rights.refuse_key(
      'key_person_only', 'People and their rights are not changed with a key',
      'Personen und ihre Rechte ändert nur, wer selbst angemeldet ist.'
    );
  end if;
  return coalesce(new, old);
end $$;
grant execute on function rights.check_no_key() to nutzer, forst_definer;

-- Definer: the table is closed. For the server, which holds a key and asks whose it is. Somebody who can ask
-- this has the key already.
create or replace function accounts.open_key(digest text)
  returns table (
    id bigint, iss text, sub text, email text, person text, name text, nur_lesen boolean, bis date,
    zustand text
  ) language sql stable set search_path = pg_catalog as $$
  select z.id, i.iss, i.sub, b.email,
    coalesce(nullif(concat_ws(' ', b.first_name, b.last_name), ''), b.username), z.name, z.nur_lesen, z.bis,
    case
      when z.beendet_am is not null then 'beendet'
      when z.bis < checks.today() then 'abgelaufen'
      when not b.enabled then 'gesperrt'
      else 'aktiv'
    end
  from accounts.zugang z
    join app.benutzer b on b.user_id = z.user_id
    cross join lateral (
      select i.iss, i.sub
      from accounts.identitaet i
      where i.user_id = z.user_id and i.iss <> 'geloescht'
      order by i.iss, i.sub limit 1
    ) i
  where z.digest = decode(open_key.digest, 'hex')
$$;
select rights.define('accounts.open_key(text)');
grant execute on function accounts.open_key(text) to nutzer, forst_definer;

-- Definer: as above. For the token endpoint of the embedded provider: a key of the installation is a client,
-- whose secret is the key.
create or replace function accounts.open_client(number bigint)
  returns table (
    id bigint, iss text, sub text, email text, name text, nur_lesen boolean, gruppen text, digest text,
    zustand text
  ) language sql stable set search_path = pg_catalog as $$
  select z.id, k.iss, k.sub, k.email, z.name, z.nur_lesen, array_to_string(z.gruppen, ' '),
    encode(z.digest, 'hex'), k.zustand
  from accounts.zugang z
    cross join lateral accounts.open_key(encode(z.digest, 'hex')) k
  where z.id = open_client.number and z.art = 'haus' and z.client is null
$$;
select rights.define('accounts.open_client(bigint)');
grant execute on function accounts.open_client(bigint) to forst_idp;

-- Definer: as above. For tokens of a client of the outside provider. A client that acts for itself has the
-- key of the installation that it is bound to; one that a person signed in with has that person's own, so
-- that a token never opens what somebody else owns.
create or replace function accounts.open_bound_client(client text, iss text, sub text, alone boolean)
  returns table (id bigint, iss text, sub text, email text, name text, nur_lesen boolean, zustand text)
  language sql stable set search_path = pg_catalog as $$
  select z.id, k.iss, k.sub, k.email, z.name, z.nur_lesen, k.zustand
  from accounts.zugang z
    cross join lateral accounts.open_key(encode(z.digest, 'hex')) k
  where z.client = open_bound_client.client
    and z.beendet_am is null
    and case
      when open_bound_client.alone then z.art = 'haus'
      else exists (
        select from accounts.identitaet i
        where i.user_id = z.user_id and i.iss = open_bound_client.iss and i.sub = open_bound_client.sub
      )
    end
  order by z.art = 'haus', z.id limit 1
$$;
select rights.define('accounts.open_bound_client(text, text, text, boolean)');
grant execute on function accounts.open_bound_client(text, text, text, boolean) to forst_idp;

-- Definer: as above. A program that a person connected gets its key: only now there is a secret that fits.
create or replace function accounts.hand_over_key(id bigint, digest text, zeichen text)
  returns table (scope text, seconds integer) language sql set search_path = pg_catalog as $$
  update accounts.zugang z set digest = decode(hand_over_key.digest, 'hex'), zeichen = hand_over_key.zeichen
  where z.id = hand_over_key.id
    and z.art = 'person'
    and z.zuletzt_am is null
    and z.erstellt_am > now() - interval '30 minutes'
    and z.beendet_am is null
    and z.bis >= checks.today()
  returning
    concat_ws(' ', 'lesen', case when not z.nur_lesen then 'schreiben' end, array_to_string(z.gruppen, ' ')),
    extract(epoch from (z.bis + 1)::timestamp at time zone 'Europe/Berlin' - now())::integer
$$;
select rights.define('accounts.hand_over_key(bigint, text, text)');
grant execute on function accounts.hand_over_key(bigint, text, text) to forst_idp;
-- Definer: as above. Two have shown the code that this key was handed out for, so one of them has stolen it.
create or replace function accounts.end_handed_key(id bigint)
  returns void language sql set search_path = pg_catalog as $$
  update accounts.zugang z set beendet_am = now(), beendet_grund = 'beendet'
  where z.id = end_handed_key.id and z.beendet_am is null
$$;
select rights.define('accounts.end_handed_key(bigint)');
grant execute on function accounts.end_handed_key(bigint) to forst_idp;

-- Definer: as above. Called at most once an hour for a key by each server.
create or replace function accounts.note_key_use(id bigint)
  returns void language sql set search_path = pg_catalog as $$
  update accounts.zugang z set zuletzt_am = date_trunc('hour', now())
  where z.id = note_key_use.id and coalesce(z.zuletzt_am, '-infinity') < date_trunc('hour', now())
$$;
select rights.define('accounts.note_key_use(bigint)');
grant execute on function accounts.note_key_use(bigint) to nutzer;

-- Definer: as above. At the first contact of a token: what an outside provider says of the person now also
-- limits their keys.
create or replace function accounts.follow_token_groups()
  returns void language plpgsql set search_path = pg_catalog as $$
declare me bigint := rights.user_id();
begin
  if me is null or rights.claims() ? 'key' then return; end if;
  update accounts.zugang z set token_gruppen = now_said.groups
  from (select array(select jsonb_array_elements_text(rights.claims() -> 'groups')) as groups) now_said
  where z.user_id = me and z.beendet_am is null and z.token_gruppen <> now_said.groups;
end $$;
select rights.define('accounts.follow_token_groups()');
grant execute on function accounts.follow_token_groups() to nutzer;

-- Definer: as above. Ends all keys of a person.
create or replace function accounts.end_keys_of(person bigint, reason text, who text)
  returns void language sql set search_path = pg_catalog as $$
  update accounts.zugang z set
    beendet_am = now(), beendet_von = end_keys_of.who, beendet_grund = end_keys_of.reason
  where z.user_id = end_keys_of.person and z.beendet_am is null
$$;
select rights.define('accounts.end_keys_of(bigint, text, text)');
grant execute on function accounts.end_keys_of(bigint, text, text) to forst_definer;

-- Definer: as above. By sign-in address, for those who end somebody's sessions and want the keys ended too.
create or replace function accounts.end_keys(email text, who text)
  returns void language sql set search_path = pg_catalog as $$
  select accounts.end_keys_of(b.user_id, 'sitzungen', end_keys.who)
  from app.benutzer b
  where accounts.fold_address(b.email) = accounts.fold_address(end_keys.email)
$$;
select rights.define('accounts.end_keys(text, text)');
grant execute on function accounts.end_keys(text, text) to forst_idp;

-- Whether a key is a matter of this half: narrowed to it, or made with its roles.
create or replace function accounts.is_key_of(half text, narrowed_to text, roles text[])
  returns boolean language sql immutable parallel safe set search_path = pg_catalog
  return coalesce(narrowed_to = half, roles && rights.half_roles(half));
grant execute on function accounts.is_key_of(text, text, text[]) to forst_definer;
-- Whether the caller administers the keys of that half.
create or replace function accounts.administers_key(narrowed_to text, roles text[])
  returns boolean language sql stable set search_path = pg_catalog
  return (rights.has_role('ogf_admin') and accounts.is_key_of('forst', narrowed_to, roles))
    or (rights.has_role('apus_admin') and accounts.is_key_of('draenage', narrowed_to, roles));
grant execute on function accounts.administers_key(text, text[]) to forst_definer;

-- Definer: as above. Not published: the server calls it once it has asked for the password and the second
-- factor. `wunsch`: art, name, haelfte, gruppen, nur_lesen, client_id, bis. At most 50 that work.
create or replace function accounts.store_key(wunsch jsonb, digest text, zeichen text)
  returns bigint language plpgsql set search_path = pg_catalog as $$
declare
  me bigint := rights.user_id();
  roles text[] := rights.roles();
  half text := wunsch ->> 'haelfte';
  groups text[] := case
    when jsonb_typeof(wunsch -> 'gruppen') = 'array' then
      array(select jsonb_array_elements_text(wunsch -> 'gruppen'))
  end;
  title text := btrim(wunsch ->> 'name');
  made bigint;
begin
  if rights.claims() ? 'key' then
    perform rights.refuse_key(
      'key_person_only', 'A key makes no keys', 'Mit einem Schlüssel lassen sich keine Schlüssel anlegen.'
    );
  end if;
  perform rights.refuse_unless(me is not null and not roles <@ '{ogf_init}');
  perform checks.check_value(
    coalesce(
      jsonb_typeof(wunsch -> 'name') = 'string'
        and checks.is_line(title, 60)
        and char_length(title) > 0
        -- Nothing invisible, and nothing that reads as another author: the history says "… durch …".
        and title !~ '[\u0080-\u00a0\u00ad\u061c\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]'
        and title !~* '(^| )durch( |$)',
      false
    ),
    'name', 'zugang_name'
  );
  perform checks.check_fields(wunsch, '{art,name,haelfte,gruppen,nur_lesen,client_id,bis,client}');
  perform checks.check_value(coalesce(wunsch ->> 'art' in ('person', 'haus'), false), 'art', 'zugang_art');
  perform checks.check_value(
    case half
      when 'forst' then roles && rights.half_roles('forst')
      when 'draenage' then roles && rights.half_roles('draenage')
      else half is null and wunsch ->> 'art' = 'person'
    end,
    'haelfte', 'zugang_haelfte'
  );
  -- Of the installation: only by that half's admins.
  if wunsch ->> 'art' = 'haus' then
    perform rights.refuse_unless(rights.has_role(case half
      when 'forst' then 'ogf_admin'
      else 'apus_admin'
    end));
  end if;
  perform checks.check_value(
    coalesce(jsonb_typeof(wunsch -> 'gruppen'), 'null') = 'null'
      or (
        groups <@ rights.key_groups()
        -- At least one that the half leaves: a key of forests for plans would open nothing.
        and exists (select from unnest(groups) as g(name) where coalesce(rights.half_of(g.name) = half, true))
      ),
    'gruppen', 'zugang_gruppen'
  );
  perform checks.check_value(
    coalesce((wunsch ->> 'bis')::date between checks.today() and checks.today() + 366, false), 'bis',
    'zugang_bis'
  );
  perform checks.check_value(
    wunsch ->> 'client' is null
      or (
        coalesce(
          jsonb_typeof(wunsch -> 'client') = 'string' and wunsch ->> 'client' ~ '^[!-~]{1,200}$', false
        )
        and not exists (
          select from accounts.zugang z
          where z.client = wunsch ->> 'client'
            and z.beendet_am is null
            and z.art = wunsch ->> 'art'
            and (z.art = 'haus' or z.user_id = me)
        )
      ),
    'client', 'zugang_client'
  );
  delete from accounts.zugang z
  where z.user_id = me and coalesce(z.beendet_am, z.bis::timestamptz) < now() - interval '1 year';
  perform 1 from app.benutzer b where b.user_id = me for update;
  if (
    select count(*) >= 50
    from accounts.zugang z
    where z.user_id = me and z.beendet_am is null and z.bis >= checks.today()
  ) then
    raise sqlstate 'PT409' using message = 'too many keys', hint = 'zugang_anzahl';
  end if;
  -- The history names a key by its name.
  perform checks.check_value(
    not exists (
      select from accounts.zugang z
      where z.user_id = me and z.beendet_am is null and lower(z.name) = lower(title)
    ),
    'name', 'zugang_vergeben'
  );
  insert into accounts.zugang (
    user_id, art, name, digest, zeichen, haelfte, gruppen, nur_lesen, client_id, rollen, token_gruppen, bis,
    client
  )
  values (
    me, wunsch ->> 'art', title, decode(store_key.digest, 'hex'), store_key.zeichen, half, groups,
    coalesce((wunsch ->> 'nur_lesen')::boolean, true), (wunsch ->> 'client_id')::bigint, roles,
    array(select jsonb_array_elements_text(coalesce(rights.claims() -> 'groups', '[]'))),
    (wunsch ->> 'bis')::date, wunsch ->> 'client'
  )
  returning id into made;
  perform notices.notify(
    'zugang_neu', array[me], 'zugang/' || made, jsonb_build_object('name', title, 'bis', wunsch ->> 'bis'),
    '/profile/index'
  );
  return made;
end $$;
select rights.define('accounts.store_key(jsonb, text, text)');
grant execute on function accounts.store_key(jsonb, text, text) to nutzer;
-- As the caller: a customer whom the caller does not see cannot be named.
create or replace function accounts.add_key(wunsch jsonb, digest text, zeichen text)
  returns bigint language plpgsql set search_path = pg_catalog as $$
begin
  perform checks.check_value(
    wunsch ->> 'client_id' is null
      or exists (select from app.kunde k where k.client_id = (wunsch ->> 'client_id')::bigint),
    'client_id', 'zugang_kunde'
  );
  return accounts.store_key(wunsch, digest, zeichen);
end $$;
grant execute on function accounts.add_key(jsonb, text, text) to nutzer;

-- Definer: as above. The caller's own keys; with `alle` those that the caller administers. Keys that have
-- ended stay in the list for a year.
drop function if exists app.a_get_zugaenge(boolean);
create or replace function app.a_get_zugaenge(alle boolean default false)
  returns table (
    id bigint, art text, name text, zeichen text, haelfte text, gruppen text[], nur_lesen boolean,
    client_id bigint, kunde text, bis date, erstellt_am timestamptz, zuletzt_am timestamptz, zustand text,
    beendet_am timestamptz, beendet_von text, user_id bigint, inhaber text, client text
  ) language plpgsql stable set search_path = pg_catalog as $$
begin
  perform rights.refuse_keys();
  return query
    select z.id, z.art, z.name, z.zeichen, z.haelfte, z.gruppen, z.nur_lesen, z.client_id, k.name, z.bis,
      z.erstellt_am, z.zuletzt_am,
      case
        when z.beendet_am is not null then 'beendet'
        when z.bis < checks.today() then 'abgelaufen'
        else 'aktiv'
      end,
      z.beendet_am, z.beendet_von, z.user_id,
      coalesce(nullif(concat_ws(' ', b.first_name, b.last_name), ''), b.username), z.client
    from accounts.zugang z
      join app.benutzer b on b.user_id = z.user_id
      left join app.kunde k on k.client_id = z.client_id
    where case
      when a_get_zugaenge.alle then accounts.administers_key(z.haelfte, z.rollen)
      else z.user_id = rights.user_id()
    end
    order by z.beendet_am is not null, z.bis < checks.today(), z.bis, z.id;
end $$;
select rights.define('app.a_get_zugaenge(boolean)');
grant execute on function app.a_get_zugaenge(boolean) to nutzer;

-- Definer: as above. Ends one's own key, or one that the caller administers.
create or replace function app.a_end_zugang(id bigint)
  returns void language plpgsql set search_path = pg_catalog as $$
declare entry accounts.zugang;
begin
  if rights.claims() ? 'key' then
    perform rights.refuse_key(
      'key_person_only', 'A key revokes no keys',
      'Mit einem Schlüssel lassen sich keine Schlüssel widerrufen.'
    );
  end if;
  select z.* into entry from accounts.zugang z where z.id = a_end_zugang.id for update;
  perform rights.refuse_unless(
    entry.user_id = rights.user_id() or accounts.administers_key(entry.haelfte, entry.rollen)
  );
  update accounts.zugang z set
    beendet_am = now(), beendet_von = rights.caller_name(),
    beendet_grund = case when z.user_id = rights.user_id() then 'beendet' else 'verwaltung' end
  where z.id = entry.id and z.beendet_am is null;
end $$;
select rights.define('app.a_end_zugang(bigint)');
grant execute on function app.a_end_zugang(bigint) to nutzer;

-- Definer: as above. The server's daily work as forst_betrieb: tells owners two weeks before a key ends.
create or replace function notices.notify_ending_keys(today date)
  returns integer language plpgsql set search_path = pg_catalog as $$
begin
  return (
    select coalesce(sum(notices.notify(
      'zugang_endet', array[z.user_id], 'zugang/' || z.id || '/' || z.bis,
      jsonb_build_object('name', z.name, 'bis', z.bis), '/profile/index'
    )), 0)
    from accounts.zugang z
    where z.beendet_am is null and z.bis between notify_ending_keys.today and notify_ending_keys.today + 14
  );
end $$;
select rights.define('notices.notify_ending_keys(date)');
grant execute on function notices.notify_ending_keys(date) to forst_betrieb;
