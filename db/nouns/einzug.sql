-- How an invoice says that it will be collected. What becomes of it is in sepa.sql; this file is applied
-- before rechnung.sql, which uses it.

-- Adds to an invoice with something to pay how it will be collected, if its customer has an active mandate
-- and we may collect: by the newest mandate that is valid on that day (one for one use only if no other
-- invoice announces it), on the first bank day that is neither before the due date nor inside the
-- pre-notification. That day becomes the due date: nobody is in default while we have to collect (§ 286 (4)
-- BGB).
create or replace function books.with_einzug(beleg jsonb, client_id bigint)
  returns jsonb language plpgsql stable set search_path = pg_catalog as $$
begin
  return coalesce((
    select with_einzug.beleg || jsonb_build_object(
      'faellig', d.tag,
      'einzug', jsonb_build_object(
        'tag', d.tag, 'mandat', m.referenz, 'iban', m.iban, 'glaeubiger_id', l.glaeubiger_id
      )
    )
    from app.lieferant l
      cross join lateral (
        select books.target_day_from(greatest(
          (with_einzug.beleg ->> 'faellig')::date, checks.today() + l.einzug_tage
        )) as tag
      ) d
      cross join lateral (
        select b.referenz, b.iban
        from books.mandate b
        where b.client_id = with_einzug.client_id
          and b.stand = 'aktiv'
          and b.gueltig_bis >= d.tag
          and not (
            b.einmalig
            and exists (
              select from app.rechnung r
              where r.client_id = with_einzug.client_id
                and r.zustand = 'ausgestellt'
                and r.id::text <> with_einzug.beleg ->> 'id'
                and r.beleg #>> '{einzug,mandat}' = b.referenz
                and not exists (select from app.rechnung s where s.storno_von = r.id)
            )
          )
        order by b.id desc limit 1
      ) m
    where l.glaeubiger_id <> ''
      and l.iban <> ''
      and with_einzug.beleg ->> 'art' in ('rechnung', 'abschlag', 'schluss')
      and (with_einzug.beleg #>> '{summen,zahlbetrag}')::numeric > 0
  ), with_einzug.beleg);
end $$;
grant execute on function books.with_einzug(jsonb, bigint) to forst_definer;
