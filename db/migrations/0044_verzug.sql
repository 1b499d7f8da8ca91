-- Default interest and the lump sum of § 288 BGB. The base rate (§ 247 BGB) changes on 1 January and 1 July; the
-- Deutsche Bundesbank publishes it in the Bundesanzeiger. What is not known here is entered by people.
alter table app.lieferant
  add column basiszins jsonb not null default '[
    {"ab": "2023-01-01", "satz": "1.62", "quelle": "Deutsche Bundesbank"},
    {"ab": "2023-07-01", "satz": "3.12", "quelle": "Deutsche Bundesbank"},
    {"ab": "2024-01-01", "satz": "3.62", "quelle": "Deutsche Bundesbank"},
    {"ab": "2024-07-01", "satz": "3.37", "quelle": "Deutsche Bundesbank"},
    {"ab": "2025-01-01", "satz": "2.27", "quelle": "Deutsche Bundesbank"},
    {"ab": "2025-07-01", "satz": "1.27", "quelle": "Deutsche Bundesbank"},
    {"ab": "2026-01-01", "satz": "1.27", "quelle": "Deutsche Bundesbank"}
  ]' check (jsonb_typeof(basiszins) = 'array' and jsonb_array_length(basiszins) <= 200);

-- `zinsen`: all interest from `zinsen_ab` to the day of the letter, so that the newest reminder replaces those
-- before. `pauschale`: in the one reminder that demands it first.
alter table app.mahnung
  add column zinsen numeric(14, 2) not null default 0 check (zinsen between 0 and 999999999999.99),
  add column zinsen_ab date,
  add column pauschale numeric(14, 2) not null default 0 check (pauschale in (0, 40)),
  add check (zinsen = 0 or zinsen_ab is not null);
