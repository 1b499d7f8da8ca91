// The abbreviations that the company's screens and documents start with; from then on apus_admin maintains
// them.

export interface StandardAbkuerzung {
  readonly abk: string
  readonly bedeutung: string
  readonly gruppe: string
}

const GROUPS: Readonly<Record<string, readonly (readonly [abk: string, bedeutung: string])[]>> = {
  Wald: [
    ['Abt.', 'Abteilung: größte feste Einheit der Waldeinteilung unter dem Revier'],
    ['Bfl.', 'Bestandesfläche'],
    ['BHD', 'Brusthöhendurchmesser: Durchmesser eines Stammes in 1,3 m Höhe über dem Boden'],
    ['BA', 'Baumart'],
    ['BG', 'Bestockungsgrad: Verhältnis des wirklichen Vorrats zu dem der Ertragstafel'],
    ['Bst.', 'Bestand: Waldteil, der sich nach Baumart, Alter und Aufbau von seiner Umgebung unterscheidet'],
    ['Bu', 'Buche (Rotbuche)'],
    ['Dgl', 'Douglasie'],
    ['Ei', 'Eiche'],
    ['Efm', 'Erntefestmeter: Kubikmeter Holz ohne Rinde nach Abzug der Ernteverluste'],
    ['Fi', 'Fichte'],
    ['FE', 'Forsteinrichtung: Aufnahme des Waldzustands und Planung der nächsten zehn Jahre'],
    ['fm', 'Festmeter: ein Kubikmeter feste Holzmasse'],
    ['Hb', 'Habitatbaum: Baum, der als Lebensraum dauerhaft erhalten bleibt'],
    ['hJ', 'Hiebsatz je Jahr: planmäßige jährliche Nutzung'],
    ['Ki', 'Kiefer'],
    ['Lä', 'Lärche'],
    ['LRT', 'Lebensraumtyp nach Anhang I der FFH-Richtlinie'],
    ['NHB', 'Nichtholzbodenfläche: Wege, Lagerplätze und andere Waldflächen ohne Bestockung'],
    ['rm', 'Raummeter: ein Kubikmeter geschichtetes Holz mit Zwischenräumen'],
    ['srm', 'Schüttraummeter: ein Kubikmeter geschüttetes Holz, etwa Hackschnitzel'],
    ['Ta', 'Tanne (Weißtanne)'],
    ['UAbt.', 'Unterabteilung'],
    ['Vfm', 'Vorratsfestmeter: Kubikmeter Derbholz mit Rinde am stehenden Baum'],
  ],
  'Forstbetrieb und Recht': [
    ['BWaldG', 'Bundeswaldgesetz'],
    ['FB', 'Forstbetrieb (auch Fachbereich)'],
    ['FBG', 'Forstbetriebsgemeinschaft: Zusammenschluss von Waldbesitzern'],
    ['FFH', 'Fauna-Flora-Habitat-Richtlinie der Europäischen Union'],
    ['FSC', 'Forest Stewardship Council: Siegel für Waldbewirtschaftung'],
    ['LWaldG', 'Landeswaldgesetz'],
    ['NSG', 'Naturschutzgebiet'],
    ['PEFC', 'Programme for the Endorsement of Forest Certification: Siegel für Waldbewirtschaftung'],
    ['SPA', 'Special Protection Area: europäisches Vogelschutzgebiet'],
  ],
  Förderung: [
    ['ANK', 'Aktionsprogramm Natürlicher Klimaschutz des Bundes'],
    ['FNR', 'Fachagentur Nachwachsende Rohstoffe e. V.'],
    ['GAK', 'Gemeinschaftsaufgabe „Verbesserung der Agrarstruktur und des Küstenschutzes“'],
    ['KAWM', 'Klimaangepasstes Waldmanagement: Förderung des Bundes für zusätzliche Leistungen im Wald'],
  ],
  'Vermessung und Karten': [
    ['ALKIS', 'Amtliches Liegenschaftskatasterinformationssystem'],
    ['AP', 'Aufnahmepunkt'],
    ['ATKIS', 'Amtliches Topographisch-Kartographisches Informationssystem'],
    ['DGM', 'Digitales Geländemodell: Höhen des Bodens ohne Bewuchs und Gebäude'],
    ['DHHN', 'Deutsches Haupthöhennetz'],
    ['DOM', 'Digitales Oberflächenmodell: Höhen mit Bewuchs und Gebäuden'],
    ['DOP', 'Digitales Orthophoto: entzerrtes, maßstäbliches Luftbild'],
    ['EPSG', 'Nummer eines Koordinatensystems im Verzeichnis der European Petroleum Survey Group'],
    ['ETRS89', 'Europäisches Terrestrisches Referenzsystem 1989'],
    ['GCP', 'Ground Control Point: Passpunkt zwischen Scan und Karte'],
    ['GIS', 'Geographisches Informationssystem'],
    ['GK', 'Gauß-Krüger: früheres amtliches Koordinatensystem'],
    ['GNSS', 'Globales Navigationssatellitensystem (GPS, Galileo, GLONASS, BeiDou)'],
    ['NHN', 'Normalhöhennull: Bezugsfläche der Höhen in Deutschland'],
    ['RMS', 'Root Mean Square: mittlerer Restfehler der Passpunkte'],
    ['RTK', 'Real Time Kinematic: satellitengestützte Messung auf wenige Zentimeter'],
    ['SAPOS', 'Satellitenpositionierungsdienst der deutschen Landesvermessung'],
    ['TK', 'Topographische Karte'],
    ['UTM', 'Universale Transversale Mercatorprojektion: heutiges amtliches Koordinatensystem'],
    ['WMS', 'Web Map Service: Karten als Bilder aus dem Netz'],
  ],
  Dränage: [
    ['Ausm.', 'Ausmündung: Auslauf einer Dränleitung in einen Graben oder Vorfluter'],
    ['DN', 'Diamètre nominal: Nennweite eines Rohres in Millimetern'],
    ['Drän.', 'Dränage: unterirdische Entwässerung landwirtschaftlicher Flächen'],
    ['Einl.', 'Einlauf: Stelle, an der Oberflächenwasser in die Leitung fließt'],
    ['erfq', 'Erfassungsquelle: woher die Lage einer Leitung bekannt ist'],
    ['GOK', 'Geländeoberkante'],
    ['qdt', 'Qualität der Daten: wie genau die Lage einer Leitung ist'],
    ['S', 'Sammler: Leitung, die das Wasser mehrerer Sauger aufnimmt'],
    ['Sg', 'Sauger: Dränleitung, die das Wasser aus dem Boden aufnimmt'],
    ['Scha.', 'Schacht: Bauwerk zum Prüfen und Reinigen von Leitungen'],
    ['Schl.', 'Schlucker: Schacht, der Oberflächenwasser aufnimmt'],
    ['SOK', 'Sohloberkante: Höhe der Rohrsohle innen'],
    ['WBV', 'Wasser- und Bodenverband'],
  ],
  Einheiten: [
    ['a', 'Ar: 100 m²'],
    ['ha', 'Hektar: 10.000 m²'],
    ['lfm', 'laufender Meter'],
    ['m ü. NHN', 'Meter über Normalhöhennull'],
    ['Stk.', 'Stück'],
  ],
  Büro: [
    ['AP', 'Ansprechpartner'],
    ['LV', 'Leistungsverzeichnis'],
    ['EP', 'Einzelpreis (netto)'],
    ['GP', 'Gesamtpreis (netto)'],
    ['Pos.', 'Position einer Rechnung oder eines Angebots'],
    ['RN', 'Rechnung'],
    ['USt.', 'Umsatzsteuer'],
    ['USt-IdNr.', 'Umsatzsteuer-Identifikationsnummer'],
  ],
}

export const STANDARD_ABKUERZUNGEN: readonly StandardAbkuerzung[] = Object.entries(GROUPS).flatMap(
  ([group, entries]) =>
    entries.map(([short, meaning]) => ({ abk: short, bedeutung: meaning, gruppe: group })),
)
