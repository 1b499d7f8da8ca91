# A client of OData v4 from PyPI (python-odata), with a key as the password of Basic: reads the metadata, makes its
# classes from them and asks twenty questions; what each finds is compared with the rows of the data API.
# Usage: odata-doors.py ADDRESS KEY
import json
import sys

import requests
from odata import ODataService
from odata.exceptions import ODataError
from requests.auth import HTTPBasicAuth

address, key = sys.argv[1:3]
session = requests.Session()
session.trust_env = False
session.auth = HTTPBasicAuth('python', key)
service = ODataService(f'{address}/odata/', session=session, reflect_entities=True, quiet_progress=True)
Kunde = service.entities['kunde']
Rechnung = service.entities['rechnung']
Schacht = service.entities['schacht']


def rows(table):
    answer = session.get(f'{address}/rest/{table}')
    answer.raise_for_status()
    return answer.json()


kunden, rechnungen, schaechte = rows('kunde'), rows('rechnung_liste'), rows('schacht?limit=10000')
name = sorted(k['name'] for k in kunden)[len(kunden) // 2]
ort = kunden[0]['ort']
brutto = sorted(r['brutto'] for r in rechnungen)[len(rechnungen) // 2]

# The question, the table, its key, and which of its rows are the answer.
QUESTIONS = [
    ('name eq', Kunde, kunden, Kunde.name == name, lambda k: k['name'] == name),
    ('name ne', Kunde, kunden, Kunde.name != name, lambda k: k['name'] != name),
    ('name startswith', Kunde, kunden, Kunde.name.startswith(name[:4]), lambda k: k['name'].startswith(name[:4])),
    ('name endswith', Kunde, kunden, Kunde.name.endswith(name[-3:]), lambda k: k['name'].endswith(name[-3:])),
    ('name contains', Kunde, kunden, Kunde.name.contains(name[2:5]), lambda k: name[2:5] in k['name']),
    ('name lacks', Kunde, kunden, Kunde.name.lacks('a'), lambda k: 'a' not in k['name']),
    ('zusatz null', Kunde, kunden, Kunde.name_zusatz == None, lambda k: k['name_zusatz'] is None),  # noqa: E711
    ('zusatz not null', Kunde, kunden, Kunde.name_zusatz != None, lambda k: k['name_zusatz'] is not None),  # noqa: E711
    ('flag', Kunde, kunden, Kunde.kataster_status == True, lambda k: k['kataster_status']),  # noqa: E712
    ('id gt', Kunde, kunden, Kunde.client_id > kunden[1]['client_id'],
     lambda k: k['client_id'] > kunden[1]['client_id']),
    ('ort', Kunde, kunden, Kunde.ort == ort, lambda k: k['ort'] == ort),
    ('or', Kunde, kunden, (Kunde.ort == ort) | (Kunde.name == name), lambda k: k['ort'] == ort or k['name'] == name),
    ('and', Kunde, kunden, (Kunde.ort == ort) & (Kunde.client_id > 0), lambda k: k['ort'] == ort),
    ('brutto ge', Rechnung, rechnungen, Rechnung.brutto >= brutto, lambda r: r['brutto'] >= brutto),
    ('brutto lt', Rechnung, rechnungen, Rechnung.brutto < brutto, lambda r: r['brutto'] < brutto),
    ('no number', Rechnung, rechnungen, Rechnung.nummer == None, lambda r: r['nummer'] is None),  # noqa: E711
    ('umlaut', Kunde, kunden, Kunde.name.contains('ü'), lambda k: 'ü' in k['name']),
    ('all', Schacht, schaechte, None, lambda s: True),
    ('text of all', Schacht, schaechte, Schacht.material != 'Beton', lambda s: s['material'] != 'Beton'),
    ('deep', Schacht, schaechte, Schacht.tiefe > 1.5, lambda s: s['tiefe'] is not None and s['tiefe'] > 1.5),
]


def key_of(entity):
    return 'client_id' if entity is Kunde else 'id'


asked = []
for title, entity, everything, condition, answers in QUESTIONS:
    identity = key_of(entity)
    query = service.query(entity).select(getattr(entity, identity))
    if condition is not None:
        query = query.filter(condition)
    found = [row[identity] for row in query]
    wanted = sorted(row[identity] for row in everything if answers(row))
    asked.append({'question': title, 'found': len(found), 'right': sorted(found) == wanted})

whole = service.query(Kunde).order_by(Kunde.name.desc()).limit(2).offset(1).all()
first = service.query(Rechnung).order_by(Rechnung.id.asc()).first()
try:
    service.query(Kunde).filter("name eq 5").all()
    refusal = None
except ODataError as error:
    refusal = str(error)
print(json.dumps({
    'sets': sorted(service.entities),
    'asked': asked,
    'page': [kunde.name for kunde in whole],
    'amount': type(first.brutto).__name__,
    'refusal': refusal,
}))
