-- The last day (Europe/Berlin) on which a person reads the books as an auditor; null for everybody else.
alter table app.benutzer add column pruefer_bis date;
