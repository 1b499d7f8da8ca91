// What an auditor reads in the archive: how to prove it, with our program or with one of their own. The same in
// English: docs/verify-archive.md.

const TEXT = `Wie sich dieses Archiv prüfen lässt

Jeder Stand jedes Datensatzes der Bücher bekommt in dem Augenblick, in dem er geschrieben wird, ein Siegel. Jedes
Siegel enthält die Prüfsumme des Siegels davor. Wer ein Siegel ändert oder weglässt, müsste alle späteren neu
rechnen. Das letzte Siegel wird außerhalb der Datenbank festgehalten: signiert in einer Datei, im Namen jeder
Sicherung, und wo es eingerichtet ist in einer täglichen E-Mail und als Zeitstempel eines Dritten.

Mit dem Programm: node verify-archive.mjs ARCHIV.zip (nur Node.js ab Version 20, keine Datenbank, kein Netz)
  --kopf NUMMER:PRÜFSUMME   vergleicht mit einem Siegel, das anderswo notiert ist, etwa in der täglichen E-Mail
  --schluessel ABDRUCK      vergleicht den Schlüssel mit seinem Abdruck auf der Seite Buchhaltung, Prüfung

Von Hand oder mit einem eigenen Programm (SHA-256, alle Prüfsummen in Hexadezimalziffern, Texte in UTF-8):

1. kette/anker.json: signature ist die Ed25519-Signatur (base64url) mit dem Schlüssel schluessel (base64url) über
     forstkontor-archiv|von|bis|zeit|ab|vorher|nr|kopf|pruefsumme
   mit den Werten aus derselben Datei. pruefsumme ist die Prüfsumme der Datei kette/pruefsummen.txt.
2. kette/pruefsummen.txt nennt jede andere Datei des Archivs mit ihrer Prüfsumme (sha256sum -c liest sie), und
   keine fehlt.
3. kette/siegel-*.jsonl: je Zeile ein Siegel, die Nummern lückenlos von ab bis nr. hash ist die Prüfsumme von
     nr|zeit|tabelle|schluessel|art|user_id|durch|form|felder|pruefsumme|hash des Siegels davor
   Beim ersten Siegel ist der Hash davor vorher aus kette/anker.json; user_id ist leer, wenn niemand angemeldet
   war. Der hash des letzten Siegels ist kopf aus kette/anker.json.
4. kette/saetze-*.jsonl: je Zeile ein Datensatz des Zeitraums. werte ist der Datensatz als Text; seine
   Prüfsumme ist pruefsumme des Siegels nr. Ist nr kleiner als ab, ist der Datensatz älter als die Siegel in
   diesem Archiv: Ein Archiv für einen früheren Zeitraum enthält sie.
5. Datensätze der Tabelle dokument: sha256 ist die Prüfsumme der Datei dokumente/ID_…; der Tabelle eingang:
   die der Datei eingang/ID_…; der Tabelle anlage: die der Datei anlagen/ID_….
6. Die Tabellen sagen dasselbe wie die Datensätze: rechnungen.csv wie rechnung, angebote.csv wie angebot,
   zahlungen.csv wie zahlung, kontoumsaetze.csv wie kontoumsatz, mahnungen.csv wie mahnung, versand.csv wie
   versand, eingang.csv wie eingang, kreditoren.csv wie kreditor, anlagen.csv wie anlage,
   lastschriftmandate.csv wie sepa_mandat, lastschriftdateien.csv wie sepa_lauf, lastschriften.csv wie
   sepa_posten, ueberweisungsdateien.csv wie zahllauf, ueberweisungen.csv wie zahlposten,
   eingangszahlungen.csv wie eingang_zahlung, protokoll.csv wie protokoll, positionen.csv und
   angebotspositionen.csv wie position. Jeder Datensatz hat genau eine Zeile, und in rechnungen.csv fehlt im
   Zeitraum keine Nummer der Spalte Folge.
7. kette/uebrige-*.jsonl: je Zeile ein Datensatz, der in der Kette ein Siegel hat, nicht gelöscht wurde und nicht in
   kette/saetze-*.jsonl steht, mit den Spalten, die sagen, warum. Die ersten acht Ziffern der Prüfsumme jedes Werts
   (als JSON) stehen in felder des Siegels nr, in der Reihenfolge der Spalten seiner Form (kette/formen-*.jsonl). Kein
   Tag davon liegt im Zeitraum, und wozu der Datensatz gehört, steht nicht im Archiv (position, anlage, sepa_posten,
   zahlposten) oder ist nicht aus dem Zeitraum (dokument). Fehlt eine solche Zeile, wurde etwas weggelassen.

Was das beweist: Nichts aus dem Zeitraum wurde nach dem Siegel geändert oder weggelassen, wenn kopf (oder ein
früheres Siegel) mit dem übereinstimmt, was außerhalb des Unternehmens notiert ist.
`

export const howToVerify = (): NonSharedBuffer => Buffer.from(TEXT.replaceAll('\n', '\r\n'), 'utf8')
