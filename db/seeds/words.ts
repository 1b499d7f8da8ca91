// Words for people, forests and streets of the sample. Invented combinations of ordinary German names.

const words = (text: string): string[] => text.trim().split(/\s+/)

export const WOMEN = words(
  `Anke Annette Astrid Barbara Beate Birgit Carla Christa Claudia Dagmar Doris Edith Elke Erika Eva
   Franziska Gabriele Gerda Greta Hanna Heike Helga Ilse Ines Ingrid Jana Johanna Julia Karin Katharina
   Kerstin Klara Lena Lotte Luise Manuela Margarete Maria Marlene Martina Mechthild Monika Nadine Petra
   Renate Rosa Sabine Silke Sonja Susanne Tanja Thea Ulrike Ursula Vera Wiebke`,
)
export const MEN = words(
  `Achim Albrecht Alois Andreas Armin Arno August Axel Benedikt Bernd Burkhard Christian Clemens Detlef
   Dieter Dirk Eberhard Eckhard Egon Emil Erich Ernst Ferdinand Florian Franz Friedrich Georg Gerhard
   Gottfried Günther Gustav Hannes Hartmut Heinrich Helmut Henning Hubert Ingo Jakob Jan Joachim Jörg
   Josef Jürgen Kai Karsten Konrad Kurt Leonhard Lothar Ludwig Lutz Manfred Markus Matthias Moritz Norbert
   Otto Paul Peter Rainer Reinhold Rolf Rüdiger Sebastian Sönke Stefan Theodor Torsten Ulrich Veit Volker
   Walter Werner Wilhelm Wolfgang Xaver`,
)
export const SURNAMES = words(
  `Ackermann Albrecht Arnold Bachmann Bauer Becker Beier Berger Bergmann Böhm Brandt Braun Breitner
   Brinkmann Büchner Busch Dietrich Döring Ebert Eckert Eichhorn Engel Ernst Falk Fiedler Fischer Förster
   Frank Franke Friedrich Fuchs Gärtner Geiger Gerlach Graf Groß Günther Haas Hahn Hansen Hartmann
   Heinrich Heller Hennig Herrmann Heß Hoffmann Holzer Horn Huber Jäger Jahn Jansen Jung Kaiser Kaufmann
   Keller Kern Kirchner Klein Köhler König Köster Krämer Krause Krüger Kuhn Lange Lehmann Lindner Lorenz
   Ludwig Maier Marx Maurer Mayer Meißner Menzel Metzger Möller Moser Müller Nagel Neumann Nowak Otto
   Paulsen Peters Pfeiffer Pohl Reuter Richter Riedel Ritter Roth Rühl Sauer Schäfer Schenk Schilling
   Schmidt Schneider Scholz Schreiber Schröder Schubert Schulte Schuster Schwarz Seidel Simon Sommer Stein
   Steinbach Stöhr Straub Thiel Uhlig Ullrich Vogel Voigt Wagner Walther Weber Weidner Weiß Wenzel Werner
   Wiesner Winkler Wirth Wolff Ziegler Zimmermann`,
)
export const HOUSES = words(
  'Arnsfeld Birkenau Drachenfels Eichberg Falkenhorst Greifenau Hohenlinden Königswart Löwenthal ' +
    'Reiherbach Rothenfels Steinhöfel Waldenburg Wolfsbrunn',
)
export const SAINTS = words(
  'Anna Barbara Georg Hubertus Johannes Josef Laurentius Martin Michael Nikolaus Peter Stephan Ursula Vitus',
)
export const STREETS = words(
  `Hauptstraße Dorfstraße Bahnhofstraße Schulstraße Kirchstraße Kirchplatz Marktplatz Rathausplatz
   Lindenallee Forsthausweg Waldstraße Jägersteig Mühlenweg Bergstraße Gartenstraße Ringstraße
   Schlossallee Feldweg Försterweg Sägewerkstraße Amtsgasse Birkenweg Eichenweg Buchenhain Tannenweg
   Angerweg Brunnenstraße Klosterhof Gutshof Talstraße`,
)
export const LONG_STREETS = [
  'Am Forsthaus',
  'Am Rathaus',
  'Zum Stadtwald',
  'An der Mühle',
  'Im Grund',
  'Unter den Linden',
  'Alte Poststraße',
  'Am Sägewerk',
  'Auf der Heide',
  'Zur Oberförsterei',
]
const FOREST_FIRST_WORDS = words('Alter Hoher Kleiner Großer Langer Nasser Oberer Unterer Vorderer Hinterer')
const FOREST_SECOND_WORDS = words('Forst Grund Berg Hain Schlag Busch Kamp Rücken Hang Anger')
export const FORESTS: readonly string[] = [
  ...FOREST_FIRST_WORDS.flatMap((first) => FOREST_SECOND_WORDS.map((second) => `${first} ${second}`)),
  ...words(
    `Eichholz Buchenwald Tannenberg Birkenbruch Erlengrund Kiefernheide Hirschkopf Rehwinkel Dachsbau
   Fuchsberg Wolfsschlucht Schwarzwäldchen Teufelsgraben Mönchholz Pfaffenwald Herrenholz Bürgerwald
   Hospitalwald Schulzenholz Königsforst Bannwald Sauerbruch Moorwald Steinrücken Sandheide Klosterforst
   Jungholz Lohwald Hagen Hasenheide`,
  ),
]
