"""Reckons a year of bookkeeping from plain facts: what happened, as an outside observer wrote it down.

Reads facts.json (and, if given, the auditor's archive), writes figures as JSON to standard output. Nothing of
the product is used: no code, no answer, no stored figure. Paragraphs of the law stand beside what follows from
them; where the law leaves a choice (who gets the odd cent), the choice is named as a convention.

    python3 test/year/reckoning.py facts.json [archive.zip]
"""

import calendar
import csv
import hashlib
import io
import json
import sys
import zipfile
from collections import defaultdict
from datetime import date, timedelta
from decimal import ROUND_DOWN, ROUND_FLOOR, ROUND_HALF_UP, Decimal, getcontext

getcontext().prec = 50
CENT = Decimal("0.01")
ZERO = Decimal("0.00")
EU = set("AT BE BG CY CZ DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split())
NEVER = date(9999, 12, 31)


def cents(value):
    """Commercial rounding: half away from zero."""
    return value.quantize(CENT, ROUND_HALF_UP)


def day_of(text):
    return date.fromisoformat(text)


def month_of(day):
    return f"{day.year}-{day.month:02}"


def last_of_month(text):
    year, month = map(int, text.split("-"))
    return date(year, month, calendar.monthrange(year, month)[1])


# --- Documents -------------------------------------------------------------------------------------------------


def tax_of(customer, line):
    """Category and rate of a line. Here: 'S' taxed, 'E' exempt; elsewhere: 'AE' the recipient owes the tax,
    'O' outside the scope."""
    land = customer["land"]
    abroad = customer["country"] != "DE"
    business = not customer["private"]
    if abroad and land is None and business:
        # § 3a (2) UStG: taxed where the business is; its VAT id shows that it is one (UStAE 3a.2 (9)).
        if customer["vat_id"][:2] in EU:
            return "AE", 0
        if customer["country"] not in EU:
            return "O", 0
    if land not in (None, "DE"):
        # § 3a (3) Nr. 1 UStG: where the land is; Art. 196/194 MwStSystRL shifts the tax to a business there.
        return ("AE", 0) if business and customer["vat_id"][:2] == land else ("O", 0)
    # § 3a (1) and (3) Nr. 1 UStG: taxed here.
    rate = int(line["rate"])
    return ("S", rate) if rate else ("E", 0)


GROUP_ORDER = ["S", "E", "AE", "O"]


def group_key(key):
    return GROUP_ORDER.index(key[0]), -key[1]


class Group:
    """One rate of a document: § 14 (4) Nr. 7 and 8 UStG want net and tax by rate, not by line."""

    def __init__(self, key, base, tax, months):
        self.key, self.base, self.tax, self.months = key, base, tax, months

    @property
    def gross(self):
        return self.base + self.tax


def groups_of(lines, customer, usual_day, discount=Decimal(0)):
    """Lines are rounded before they are added: the printed lines must add up. A discount on the document lessens
    each rate by its share (§ 10 (1) UStG); odd cents go to the largest remainder (convention)."""
    sums, by_month = defaultdict(lambda: ZERO), defaultdict(lambda: defaultdict(lambda: ZERO))
    last = {}
    for line in lines:
        amount = cents(Decimal(line["quantity"]) * Decimal(line["price"]))
        key = tax_of(customer, line)
        supplied = day_of(line["supplied"]) if line["supplied"] else usual_day
        sums[key] += amount
        by_month[key][month_of(supplied)] += amount
        last[key, month_of(supplied)] = max(supplied, last.get((key, month_of(supplied)), supplied))
    keys = sorted(sums, key=group_key)
    off = shares_by_remainder(
        cents(sum(sums.values()) * discount / 100), [sums[key] * discount / 100 for key in keys]
    )
    groups = []
    for key, less in zip(keys, off):
        base = sums[key] - less
        tax = cents(base * key[1] / 100)
        groups.append(Group(key, base, tax, months_of(key, base, tax, by_month[key], last)))
    return groups


def months_of(key, base, tax, by_month, last):
    """§ 13 (1) Nr. 1a sentences 2 and 3 UStG: parts of a supply arise with their own months. Split by the lines,
    in running totals (convention), so that the months add up to the rate."""
    total, until, months = sum(by_month.values()), ZERO, []
    base_before = tax_before = ZERO
    for month in sorted(by_month):
        until += by_month[month]
        base_until = cents(base * until / total) if total else base
        tax_until = cents(tax * until / total) if total else tax
        months.append([last[key, month], base_until - base_before, tax_until - tax_before])
        base_before, tax_before = base_until, tax_until
    return months


def shares_by_remainder(total, exact):
    down = [share.quantize(CENT, ROUND_FLOOR) for share in exact]
    left = int((total - sum(down, ZERO)) / CENT)
    for index in sorted(range(len(exact)), key=lambda at: (-(exact[at] - down[at]), at))[:left]:
        down[index] += CENT
    return down


def share_out(amount, groups):
    """A payment pays every rate alike: by gross amounts, in running totals (convention), so that what is paid in
    full yields the document's own net and tax. Returns net and tax of each."""
    total, until, before, found = sum((g.gross for g in groups), ZERO), ZERO, ZERO, []
    for group in groups:
        until += group.gross
        now = cents(amount * until / total) if total else ZERO
        share, before = now - before, now
        tax = cents(share * group.tax / group.gross) if group.gross else ZERO
        found.append((share - tax, tax))
    return found


def is_bank_day(day):
    """TARGET is closed on Saturdays, Sundays and six holidays."""
    a, b, c = day.year % 19, day.year // 100, day.year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    i = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    month, rest = divmod(h + i - 7 * ((a + 11 * h + 22 * i) // 451) + 114, 31)
    easter = date(day.year, month, rest + 1)
    closed = {easter - timedelta(days=2), easter + timedelta(days=1)}
    fixed = {(1, 1), (5, 1), (12, 25), (12, 26)}
    return day.weekday() < 5 and day not in closed and (day.month, day.day) not in fixed


class Document:
    def __init__(self, year, fact, number):
        self.fact, self.ref, self.number = fact, fact["ref"], number
        self.kind, self.day = fact["kind"], day_of(fact["day"])
        self.customer = year.customers[fact["customer"]]
        self.cancelled = self.cancel_number = None
        self.replaced_on = None
        self.replaces, self.replaced_by = None, []
        self.taken_off_by = None
        self.advances = []
        self.payments = []
        self.reminders = []
        supplied = fact["supplied"]
        self.supplied = day_of(supplied[1]) if supplied else None
        if self.kind == "advance":
            # A share of the order by rate; it bills no quantity.
            share = Decimal(fact["percent"])
            self.groups = [
                Group(g.key, net := cents(g.base * share / 100), cents(net * g.key[1] / 100), [])
                for g in year.offers[fact["offer"]].groups
            ]
        else:
            discount = Decimal(fact["discount"])
            self.groups = groups_of(fact["lines"], self.customer, self.supplied, discount)
        self.net = sum((g.base for g in self.groups), ZERO)
        self.tax = sum((g.tax for g in self.groups), ZERO)
        self.gross = self.net + self.tax

    def take_off(self, advances):
        """§ 14 (5) sentence 2 UStG: what was received for advances, and its tax, by rate."""
        for advance in advances:
            received = advance.received(self.day)
            by_rate = list(zip((g.key for g in advance.groups), share_out(received, advance.groups)))
            self.advances.append((advance, received, by_rate))
            advance.taken_off_by = self

    @property
    def due(self):
        """What is collected is due on the first bank day that is neither before the term nor inside of the fourteen
        days of the pre-notification: nobody is in default while the creditor has to act (§ 286 (4) BGB)."""
        term = self.day + timedelta(days=self.fact["days_to_pay"])
        if not self.customer["collected"] or self.gross - self.received_before <= 0:
            return term
        day = max(term, self.day + timedelta(days=14))
        while not is_bank_day(day):
            day += timedelta(days=1)
        return day

    @property
    def received_before(self):
        return sum((received for _, received, _ in self.advances), ZERO)

    @property
    def demanded(self):
        return self.gross - self.received_before

    def received(self, until, kinds=("money",)):
        return sum(
            (p.amount for p in self.payments if p.day <= until and p.kind in kinds and not p.reversed), ZERO
        )

    def is_cancelled(self, until):
        return self.cancelled is not None and self.cancelled <= until

    def claim(self, until):
        """What the document demands on a day."""
        if self.day > until or self.is_cancelled(until):
            return ZERO
        final = self.taken_off_by
        if final is not None and final.day <= until and not final.is_cancelled(until):
            # What an advance still demanded is a part of the final invoice.
            return next(received for one, received, _ in final.advances if one is self)
        return self.demanded

    def settled(self, until):
        return self.received(until, ("money", "cash_discount", "loss"))

    def open(self, until):
        return self.claim(until) - self.settled(until)


class Payment:
    def __init__(self, fact, document):
        self.ref, self.day, self.kind = fact["ref"], day_of(fact["day"]), fact["kind"]
        self.amount, self.document, self.reversed = Decimal(fact["amount"]), document, False


class Offer:
    def __init__(self, year, fact, number):
        self.fact, self.ref, self.number, self.day = fact, fact["ref"], number, day_of(fact["day"])
        self.customer = year.customers[fact["customer"]]
        self.groups = groups_of(fact["lines"], self.customer, day_of(fact["supplied"]))
        self.net = sum((g.base for g in self.groups), ZERO)
        self.gross = sum((g.gross for g in self.groups), ZERO)
        self.valid_until, self.supplied = day_of(fact["valid_until"]), day_of(fact["supplied"])
        self.decided = self.accepted = None

    def state(self, until, billed):
        if self.accepted:
            return "abgerechnet" if billed else "angenommen"
        if self.accepted is False:
            return "abgelehnt"
        return "abgelaufen" if self.valid_until < until else "versendet"


# --- The year ----------------------------------------------------------------------------------------------------


class Year:
    """The facts until a day, in their order."""

    def __init__(self, facts, count=None):
        self.facts = facts
        self.customers = {one["id"]: one for one in facts["customers"]}
        self.documents, self.cancels, self.offers, self.payments = {}, [], {}, {}
        self.ledger, self.received, self.planned, self.debits = [], {}, [], []
        self.issued = []
        numbers = defaultdict(int)
        for fact in facts["events"][:count]:
            day = day_of(fact["day"])
            kind = fact["type"]
            if kind == "invoice":
                self.invoice(fact, self.next_number(numbers, "RE", day))
            elif kind == "cancel":
                source = self.documents[fact["of"]]
                source.cancelled, source.cancel_ref = day, fact["ref"]
                source.cancel_number = self.next_number(numbers, "RE", day)
                self.cancels.append(source)
                self.issued.append((source.cancel_number, -source.net, -source.tax, -source.gross))
                self.end_reductions(source, day)
            elif kind == "payment":
                document = self.documents[fact["invoice"]]
                payment = Payment(fact, document)
                document.payments.append(payment)
                self.payments[fact["ref"]] = payment
                self.ledger.append((day, payment, payment.amount))
            elif kind == "payment_reversed":
                payment = self.payments[fact["payment"]]
                payment.reversed = True
                self.ledger.append((day, payment, -payment.amount))
            elif kind == "reminder":
                self.documents[fact["invoice"]].reminders.append(self.reminder(fact))
            elif kind == "offer":
                self.offers[fact["ref"]] = Offer(self, fact, self.next_number(numbers, "AN", day))
            elif kind == "decision":
                offer = self.offers[fact["offer"]]
                offer.decided, offer.accepted = day, fact["accepted"]
            elif kind == "received":
                self.received[fact["ref"]] = dict(fact, state="neu", open=Decimal(fact["gross"]), payments=[])
            elif kind == "received_decided":
                self.received[fact["ref"]]["state"] = "freigegeben" if fact["approved"] else "abgelehnt"
            elif kind == "received_paid":
                bill = self.received[fact["ref"]]
                amount, discount = Decimal(fact["amount"]), Decimal(fact["discount"])
                bill["open"] -= amount + discount
                bill["payments"].append((day, amount, discount))
                if bill["open"] == 0:
                    bill["state"] = "bezahlt"
            elif kind == "planned":
                self.planned.append(fact)
            elif kind == "debit_file":
                self.debits.append(self.debit(fact))
            elif kind != "asked":
                # Another kind of event has its branch here; none is passed over in silence.
                raise ValueError(f"unknown event {kind}")

    @staticmethod
    def next_number(numbers, kind, day):
        """Consecutive and unique (§ 14 (4) Nr. 4 UStG); one range for invoices, advances, final invoices and
        Stornos, in the order of issue."""
        numbers[kind, day.year] += 1
        return f"{kind}-{day.year}-{numbers[kind, day.year]:04}"

    def invoice(self, fact, number):
        document = Document(self, fact, number)
        if fact["replaces"]:
            source = self.documents[fact["replaces"]]
            document.replaced_on = source.cancelled
            if source.cancelled:
                document.replaces = source
                source.replaced_by.append(document)
        if document.kind == "final":
            document.take_off([
                one for one in self.documents.values()
                if one.kind == "advance" and one.fact["offer"] == fact["offer"] and one.cancelled is None
            ])
        self.documents[fact["ref"]] = document
        self.issued.append((number, document.net, document.tax, document.gross))

    def final_of(self, offer):
        return next((d for d in self.documents.values()
                     if d.kind != "advance" and d.fact["offer"] == offer.ref and d.cancelled is None), None)

    # --- Default ---------------------------------------------------------------------------------------------

    def reminder(self, fact):
        document = self.documents[fact["invoice"]]
        day = day_of(fact["day"])
        found = {"day": day, "level": fact["level"], "until": day_of(fact["pay_until"]),
                 "fee": Decimal(fact["fee"]), "interest": ZERO, "from": None,
                 # § 288 (5) BGB: once for each claim, never from consumers.
                 "lump_sum": Decimal(40) if fact["lump_sum"] and not document.customer["private"] else ZERO}
        if fact["interest"]:
            found["from"] = self.default_day(document)
            found["interest"] = self.interest(document, found["from"], day)
        return found

    @staticmethod
    def default_day(document):
        """A business is in default after the day of the calendar on which it had to pay (§ 286 (2) Nr. 1 BGB), a
        consumer after the deadline of the first reminder (§ 286 (1)). A day on a weekend ends on Monday (§ 193);
        the day itself does not count (§ 187 (1))."""
        end = document.due
        if document.customer["private"]:
            end = max(end, document.reminders[0]["until"])
        while end.weekday() > 4:
            end += timedelta(days=1)
        return end + timedelta(days=1)

    def interest(self, document, start, end):
        """§ 288 (1) and (2) BGB: five points above the base rate for consumers, nine for everybody else; the rate
        of the half-year (§ 247 (1)). Each day bears the rate of its half-year on what was open when it began;
        a payment lessens what is open from the next day on. Days of equal terms are one period, rounded to cents
        (convention: the printed lines must add up). No interest on interest (§ 289)."""
        points = 5 if document.customer["private"] else 9
        periods = []
        day = start
        while day <= end:
            half = date(day.year, 1 if day.month < 7 else 7, 1)
            base = next(Decimal(r["rate"]) for r in self.facts["base_rates"] if day_of(r["from"]) == half)
            paid = sum((p.amount for p in document.payments if p.day < day and not p.reversed), ZERO)
            moved = any(p.day == day - timedelta(days=1) and not p.reversed for p in document.payments)
            terms = (half, base + points, document.demanded - paid, 366 if calendar.isleap(day.year) else 365)
            if periods and periods[-1][0] == terms and not moved:
                periods[-1][1] += 1
            else:
                periods.append([terms, 1])
            day += timedelta(days=1)
        return sum(
            (cents(owed * rate * days / (100 * length)) for (_, rate, owed, length), days in periods if owed > 0),
            ZERO,
        )

    def end_reductions(self, document, day):
        """A loss and a cash discount lowered a claim; with its Storno they end, for they are no money that could go
        back (§ 17 (1) sentence 8, (2) Nr. 1 sentence 2 UStG): on that day, or on their own if that is later."""
        for kind in ("loss", "cash_discount"):
            booked = [p for p in document.payments if p.kind == kind and not p.reversed]
            amount = sum((p.amount for p in booked), ZERO)
            if amount:
                when = max(day, *(p.day for p in booked))
                fact = {"ref": "-0", "day": str(when), "kind": kind, "amount": str(-amount)}
                payment = Payment(fact, document)
                document.payments.append(payment)
                self.ledger.append((when, payment, payment.amount))

    def debit(self, fact):
        day = day_of(fact["day"])
        amounts = [self.documents[ref].open(day) for ref in fact["of"]]
        return {"day": fact["day"], "collect": fact["collect"], "count": len(amounts), "sum": sum(amounts, ZERO),
                "numbers": sorted(self.documents[ref].number for ref in fact["of"])}

    # --- Turnover tax --------------------------------------------------------------------------------------------

    def declared(self, document, setting):
        """(month, number of the document, figure) -> base and tax that the month declares.

        By agreed consideration tax arises with the month of the supply (§ 13 (1) Nr. 1a sentence 1 UStG), with
        the money if that comes before (sentence 4); discounts and losses lessen it when they happen (§ 17 (1)
        sentence 8, (2) Nr. 1); what is paid too much is consideration until it goes back (§ 10 (1) sentence 2).
        By received consideration it arises with the money alone (§ 13 (1) Nr. 1b, § 20). A Storno changes what
        was agreed on its own day (§ 17 (1) sentence 8), but what was paid not before it is paid back (UStAE 17.1
        (2))."""
        found = defaultdict(lambda: [ZERO, ZERO])
        parts = self.parts_of(document)
        gross = [base + tax for _, _, base, tax in parts]
        total = sum(gross, ZERO)
        days = {document.day, *(p.day for p in document.payments), *(p[1] for p in parts if p[1] != NEVER)}
        for one in [*self.replaced(document), document, *self.replacing(document)]:
            days |= {one.day, *(p.day for p in one.payments), *(p[1] for p in self.parts_of(one) if p[1] != NEVER)}
            if one.cancelled:
                days.add(one.cancelled)
        if document.taken_off_by is not None:
            days.add(self.supply_end(document.taken_off_by))
        state = [(ZERO, ZERO)] * len(parts)
        for day in sorted(days):
            money = self.moved(document, day, ("money",))
            less = self.moved(document, day, ("cash_discount", "loss"))
            until = ZERO
            for at, (key, taxed_on, base, tax) in enumerate(parts):
                before, until = until, until + gross[at]
                by_money = document.kind == "advance" or (setting == "ist" and not self.is_eu_service(document, key))
                if document.kind == "advance" and setting == "soll":
                    money = self.advance_money(document, day)
                over = max(money + less - total, ZERO) if total > 0 or document.kind == "final" else ZERO
                arisen = not by_money and day >= taxed_on
                early = money
                if not by_money and document.replaces:
                    # Money that another invoice had due already is none in advance.
                    early = min(money, self.free_money(document, self.replaced(document), day, setting))
                entries = [(document.number, total - less + over if arisen else early, arisen)]
                if not by_money and document.is_cancelled(day):
                    free = self.free_money(document, self.replacing(document), day, setting)
                    left = (document.number, min(max(money, ZERO), free), False)
                    entries = [*entries, (document.cancel_number, *left[1:])] if document.cancelled == day else [left]
                for number, due, is_counted in entries:
                    if total:
                        share = cents(due * until / total) - cents(due * before / total)
                    else:
                        share = gross[at] if is_counted else ZERO
                    part_tax = cents(share * tax / gross[at]) if gross[at] else ZERO
                    now = (share - part_tax, part_tax)
                    self.add(found, day, number, document, key, now[0] - state[at][0], now[1] - state[at][1])
                    state[at] = now
        return found

    def replacing(self, document):
        """What was issued instead of it, one after the other if several were cancelled."""
        return [one for later in document.replaced_by for one in [later, *self.replacing(later)]]

    def replaced(self, document):
        """What it was issued instead of, likewise."""
        return [document.replaces, *self.replaced(document.replaces)] if document.replaces else []

    def arisen_of(self, document, day, setting):
        """What a document has due by agreed consideration, without its money; nothing after its Storno."""
        if document.is_cancelled(day):
            return ZERO
        due = sum((base + tax for key, taxed_on, base, tax in self.parts_of(document)
                   if taxed_on <= day and (setting == "soll" or self.is_eu_service(document, key))), ZERO)
        return max(due - self.moved(document, day, ("cash_discount", "loss")), ZERO)

    def free_money(self, document, others, day, setting):
        """Money for an invoice that is not the price of the others, which it replaces or which replace it: what was
        not paid back for a cancelled one (BFH V R 34/06), or what came before there was a supply."""
        price = sum((self.arisen_of(one, day, setting) for one in others), ZERO)
        money = sum((self.moved(one, day, ("money",)) for one in [document, *others]), ZERO)
        return max(money - price, ZERO)

    def advance_money(self, advance, day):
        """Money for an advance counts when it comes. What came after the supply is no advance: it counts with the
        supply, which the final invoice names (§ 13 (1) Nr. 1a sentence 1 UStG)."""
        final = advance.taken_off_by
        return sum((
            p.amount for p in advance.payments
            if p.kind == "money" and not p.reversed
            and (p.day <= day or (final is not None and p.day <= final.day and self.supply_end(final) <= day))
        ), ZERO)

    @staticmethod
    def supply_end(document):
        return max(last for g in document.groups for last, _, _ in g.months)

    @staticmethod
    def moved(document, day, kinds):
        """What was taken back was booked by mistake: it was never paid."""
        return document.received(day, kinds)

    def parts_of(self, document):
        """Rate, day that decides the month, base and tax. A final invoice declares what its advances have left
        (§ 14 (5) sentence 2 UStG), taken off the last month. An invoice that replaces a cancelled one brings back
        on the day of the Storno what that took away: the month of the supply has declared it already."""
        parts = []
        if document.kind == "advance":
            return [(g.key, NEVER, g.base, g.tax) for g in document.groups]
        off = defaultdict(lambda: [ZERO, ZERO])
        for _, _, by_rate in document.advances:
            for key, (base, tax) in by_rate:
                off[key][0] += base
                off[key][1] += tax
        for group in document.groups:
            for at, (last, base, tax) in enumerate(group.months):
                taxed_on = max(last, document.replaced_on or last)
                if at == len(group.months) - 1:
                    less = off.pop(group.key, [ZERO, ZERO])
                    base, tax = base - less[0], tax - less[1]
                parts.append((group.key, taxed_on, base, tax))
        for key, (base, tax) in off.items():
            parts.append((key, self.supply_end(document), -base, -tax))
        return parts

    @staticmethod
    def is_eu_service(document, key):
        """§ 18b sentence 3 UStG: declared with the supply, however the rest is taxed; § 3a (2) services only."""
        customer = document.customer
        return key[0] == "AE" and customer["land"] is None and customer["vat_id"][:2] in EU

    def figure(self, document, key):
        """Numbers of the form USt 1 A of 2026."""
        category, rate = key
        if category == "S":
            return {19: "81", 7: "86"}[rate]
        if category == "E":
            # The year exempts by § 4 Nr. 21 UStG alone, without deduction of input tax.
            return "48"
        # § 18b sentence 1 Nr. 2 UStG, or not taxable here.
        return "21" if self.is_eu_service(document, key) else "45"

    def add(self, found, day, number, document, key, base, tax):
        entry = found[month_of(day), number, self.figure(document, key)]
        entry[0] += base
        entry[1] += tax

    def turnover_tax(self, setting):
        by_figure = defaultdict(lambda: [ZERO, ZERO])
        documents = {}
        for document in self.documents.values():
            for (month, number, figure), (base, tax) in self.declared(document, setting).items():
                if not base and not tax:
                    continue
                documents.setdefault(f"{month} {figure}", {})[number] = [str(base), str(tax)]
                quarter = f"{month[:4]}-q{(int(month[5:]) + 2) // 3}"
                for period in (month, quarter):
                    by_figure[period, figure][0] += base
                    by_figure[period, figure][1] += tax
        answer = {}
        for (period, figure), (base, tax) in by_figure.items():
            # The form takes bases in whole euros and computes the tax of 81 and 86 from them.
            whole = base.quantize(Decimal(1), ROUND_DOWN) + 0
            rate = {"81": 19, "86": 7}.get(figure)
            form_tax = cents(whole * rate / 100) if rate else tax
            answer[f"{period} {figure}"] = [str(base), str(tax), str(whole), str(form_tax)]
        return answer, documents

    def input_tax(self):
        """§ 15 (1) Nr. 1 UStG: with the supply and the invoice, or what is paid before the supply once the invoice
        is there; § 17 (1) sentences 2 and 8: a cash discount lowers it on its own day. By period."""
        answer = defaultdict(lambda: ZERO)
        for bill in self.received.values():
            if bill["state"] not in ("freigegeben", "bezahlt"):
                continue
            gross, tax = Decimal(bill["gross"]), Decimal(bill["tax"])
            arrived = day_of(bill["day"])
            complete = max(arrived, day_of(bill["supplied"]))

            def counted(until):
                paid = sum((p[1] for p in bill["payments"] if p[0] <= until), ZERO)
                off = sum((p[2] for p in bill["payments"] if p[0] <= until), ZERO)
                part = gross - off if until >= complete else min(paid, gross) if until >= arrived else ZERO
                return cents(tax * part / gross)

            days = sorted({arrived, complete} | {p[0] for p in bill["payments"]})
            for month in sorted({month_of(day) for day in days}):
                change = counted(last_of_month(month)) - counted(day_of(f"{month}-01") - timedelta(days=1))
                for period in (month, f"{month[:4]}-q{(int(month[5:]) + 2) // 3}"):
                    answer[f"{period} 66"] += change
        return {key: str(value) for key, value in answer.items()}

    # --- DATEV -----------------------------------------------------------------------------------------------------

    def postings(self):
        """(day, debit account, credit account, amount). Every line has two sides, so debit is credit."""
        accounts = self.facts["accounts"]
        found = []

        def book(day, debit, credit, amount):
            if amount < 0:
                debit, credit, amount = credit, debit, -amount
            if amount:
                found.append((day, debit, credit, amount))

        def name(key):
            return f"{key[0]} {key[1]}"

        for document in self.documents.values():
            debtor = document.customer["debtor"]
            days = [(document.day, 1)] + ([(document.cancelled, -1)] if document.cancelled else [])
            if document.kind == "advance":
                continue
            for day, sign in days:
                for group in document.groups:
                    for _, base, tax in group.months:
                        book(day, debtor, accounts["revenue"][name(group.key)], sign * (base + tax))
                off = defaultdict(lambda: ZERO)
                for _, _, by_rate in document.advances:
                    for key, (base, tax) in by_rate:
                        off[key] += base + tax
                for key, amount in off.items():
                    book(day, accounts["advances"][name(key)], debtor, sign * amount)
        paid = defaultdict(lambda: ZERO)
        for day, payment, amount in sorted(self.ledger, key=lambda one: one[0]):
            document, debtor = payment.document, payment.document.customer["debtor"]
            if payment.kind == "money":
                book(day, accounts["bank"], debtor, amount)
                if document.kind == "advance":
                    # A liability until the work is done, by rate in running totals.
                    before = share_out(paid[document.ref], document.groups)
                    paid[document.ref] += amount
                    after = share_out(paid[document.ref], document.groups)
                    for group, old, new in zip(document.groups, before, after):
                        book(day, debtor, accounts["advances"][name(group.key)], sum(new) - sum(old))
            elif payment.kind == "cash_discount":
                # What is withdrawn goes back as it was split.
                sign = 1 if amount > 0 else -1
                exact = [abs(amount) * g.gross / document.gross for g in document.groups]
                for group, share in zip(document.groups, shares_by_remainder(abs(amount), exact)):
                    book(day, accounts["cash_discount"][name(group.key)], debtor, sign * share)
            # Losses are not handed over: whether tax is corrected is decided elsewhere.
        return found

    def datev(self):
        months = defaultdict(lambda: defaultdict(lambda: [ZERO, ZERO]))
        for day, debit, credit, amount in self.postings():
            months[month_of(day)][debit][0] += amount
            months[month_of(day)][credit][1] += amount
        return {f"{month} {account}": [str(debit), str(credit)]
                for month, accounts in months.items() for account, (debit, credit) in accounts.items()}

    def check_debtors(self, until):
        """What DATEV says that a debtor owes is what is open, but for losses (not handed over) and for advances
        that nobody has paid (no claim for a supply yet)."""
        balances = defaultdict(lambda: ZERO)
        for day, debit, credit, amount in self.postings():
            if day <= until:
                balances[debit] += amount
                balances[credit] -= amount
        assert sum(balances.values()) == 0
        for customer in self.customers.values():
            own = [d for d in self.documents.values() if d.customer is customer]
            losses = sum((d.received(until, ("loss",)) for d in own), ZERO)
            unpaid = sum((d.open(until) for d in own if d.kind == "advance"), ZERO)
            owed = sum((d.open(until) for d in own), ZERO)
            assert balances[customer["debtor"]] == owed + losses - unpaid, (customer, balances, owed, losses, unpaid)

    # --- Open items --------------------------------------------------------------------------------------------

    def open_items(self, until):
        items = {}
        for document in self.documents.values():
            open_amount = document.open(until)
            if not open_amount:
                continue
            begun, cancelled = document.day <= until, document.is_cancelled(until)
            claims = begun and not cancelled
            late = (until - document.due).days
            items[document.number] = {
                "brutto": str(document.gross if claims else ZERO),
                "bezahlt": str(document.settled(until) + (document.received_before if claims else ZERO)),
                "offen": str(open_amount),
                "tage": max(late, 0) if open_amount > 0 else 0,
                "klasse": "guthaben" if open_amount < 0 else age_of(late),
                "stufe": max((r["level"] for r in document.reminders if r["day"] <= until), default=0),
                "faellig": str(document.due),
                "client_id": document.customer["id"],
            }
        return items

    def statement(self, customer, start, end):
        """What moved a customer's account, with the balance after each movement. Fees, interest and lump sums are
        damages (UStAE 1.3 (6)), no claim from an invoice: they stand outside."""
        rows = []
        for order, document in enumerate(self.documents.values()):
            if document.customer is not customer:
                continue
            rows.append((document.day, 1, order, document.fact["kind"], document.number, document.demanded))
            for advance, received, _ in document.advances:
                if received != advance.gross:
                    rows.append((document.day, 1, order, "carried", advance.number, received - advance.gross))
            if document.cancelled:
                rows.append((document.cancelled, 2, order, "cancel", document.cancel_number, -document.demanded))
            for payment in document.payments:
                if not payment.reversed:
                    is_back = payment.kind == "money" and payment.amount < 0
                    kind = "repaid" if is_back else payment.kind
                    rows.append((payment.day, 3, int(payment.ref[1:]), kind, document.number, -payment.amount))
            for reminder in document.reminders:
                rows.append((reminder["day"], 4, reminder["level"], "reminder", document.number, ZERO))
        names = {"plain": "rechnung", "advance": "abschlag", "final": "schluss", "cancel": "storno",
                 "money": "zahlung", "repaid": "rueckzahlung", "cash_discount": "skonto", "loss": "ausfall",
                 "reminder": "mahnung", "carried": "verrechnung"}
        opening = sum((row[5] for row in rows if row[0] < start), ZERO)
        own = [row for row in rows if start <= row[0] <= end]
        reminders = [r for d in self.documents.values() if d.customer is customer
                     for r in d.reminders if start <= r["day"] <= end]
        return {
            "anfang": str(opening),
            "ende": str(opening + sum((row[5] for row in own), ZERO)),
            "gebuehren": str(sum((r["fee"] for r in reminders), ZERO)),
            "pauschalen": str(cents(sum((r["lump_sum"] for r in reminders), ZERO))),
            "zeilen": sorted([str(row[0]), names[row[3]], row[4], str(row[5])] for row in own),
        }

    # --- What is expected ------------------------------------------------------------------------------------------

    def rest(self, offer):
        """Ordered and not billed, less what advances demand already."""
        if not offer.accepted or self.final_of(offer) is not None:
            return ZERO
        asked = sum((d.gross for d in self.documents.values()
                     if d.kind == "advance" and d.fact["offer"] == offer.ref and d.cancelled is None), ZERO)
        return offer.gross - asked

    def expected(self, today):
        months = {}
        for ahead in range(6):
            month = (today.month - 1 + ahead) % 12 + 1
            year = today.year + (today.month - 1 + ahead) // 12
            months[f"{year}-{month:02}"] = defaultdict(lambda: ZERO)

        def expect(day, what, amount):
            if month_of(day) in months:
                months[month_of(day)][what] += amount

        for plan in self.planned:
            if day_of(plan["on"]) >= today:
                expect(day_of(plan["on"]), "einnahmen" if plan["direction"] == "in" else "ausgaben",
                       Decimal(plan["amount"]))
        for document in self.documents.values():
            owed = document.open(today)
            if owed > 0:
                # What is late is expected today.
                expect(max(document.due, today), "offen", owed)
                if document.due < today:
                    expect(today, "ueberfaellig", owed)
            elif owed < 0:
                expect(today, "zurueck", -owed)
        for bill in self.received.values():
            if bill["state"] == "freigegeben":
                expect(max(day_of(bill["due"]), today), "ausgaben", bill["open"])
        for offer in self.offers.values():
            state = offer.state(today, self.final_of(offer) is not None)
            on = max(offer.supplied + timedelta(days=14), today)
            if state == "angenommen":
                expect(on, "angenommen", self.rest(offer))
            elif state == "versendet":
                expect(on, "erwartet", cents(offer.gross * offer.fact["chance"] / 100))
        keys = ["einnahmen", "ausgaben", "offen", "ueberfaellig", "zurueck", "angenommen", "erwartet"]
        return {month: {key: str(cents(sums[key])) for key in keys} for month, sums in months.items()}

    def overview(self, today):
        """Revenue by the day of the document; a Storno on its own day; an advance is a liability, no revenue."""
        months = defaultdict(lambda: [ZERO, ZERO])
        by_customer = defaultdict(lambda: [ZERO, ZERO])
        for document in self.documents.values():
            if document.kind == "advance":
                continue
            for day, sign in [(document.day, 1)] + ([(document.cancelled, -1)] if document.cancelled else []):
                for sums in (months[month_of(day)], by_customer[document.customer["id"]]):
                    sums[0] += sign * document.net
                    sums[1] += sign * document.gross
        owed = [(d, d.open(today)) for d in self.documents.values()]
        positive = [(d, o) for d, o in owed if o > 0]
        late = [(d, o) for d, o in positive if d.due < today]
        offers = defaultdict(lambda: [0, ZERO, ZERO, ZERO])
        for offer in self.offers.values():
            sums = offers[offer.state(today, self.final_of(offer) is not None)]
            sums[0] += 1
            sums[1] += offer.net
            sums[2] += offer.gross
            sums[3] += self.rest(offer)
        return {
            "monate": {month: [str(net), str(gross)] for month, (net, gross) in months.items()},
            "kunden": {str(one): [str(net), str(gross)] for one, (net, gross) in by_customer.items()},
            "offen": [len(positive), str(sum((o for _, o in positive), ZERO))],
            "ueberfaellig": [len(late), str(sum((o for _, o in late), ZERO))],
            "zurueck": [sum(o < 0 for _, o in owed), str(sum((-o for _, o in owed if o < 0), ZERO))],
            "angebote": {state: [count, str(net), str(gross), str(rest)]
                         for state, (count, net, gross, rest) in offers.items()},
        }


def age_of(late):
    for most, name in ((0, "nicht_faellig"), (30, "bis_30"), (60, "bis_60"), (90, "bis_90")):
        if late <= most:
            return name
    return "ueber_90"


# --- The archive -------------------------------------------------------------------------------------------------


def check_archive(year, path):
    """Reads the auditor's archive (§ 147 (6) AO) by itself and names what is not as the facts say."""
    wrong = []
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())

        def table(name):
            text = archive.read(f"{name}.csv").decode("utf-8-sig")
            return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=";"))

        def amount(text):
            return Decimal(text.replace(".", "").replace(",", "."))

        def compare(what, mine, theirs):
            if mine != theirs:
                wrong.append(f"{what}: reckoned {mine}, archive {theirs}")

        invoices = table("rechnungen")
        compare("numbers in the order of issue", [n for n, *_ in year.issued], [r["Nummer"] for r in invoices])
        for (number, net, tax, gross), row in zip(year.issued, invoices):
            compare(number, [net, tax, gross], [amount(row[c]) for c in ("Netto", "Umsatzsteuer", "Brutto")])
        kinds = {"money": "zahlung", "cash_discount": "skonto", "loss": "ausfall"}
        compare(
            "payments",
            sorted((str(day), p.document.number, kinds[p.kind], a) for day, p, a in year.ledger),
            sorted((iso(r["Datum"]), r["Rechnung"], r["Art"], amount(r["Betrag"])) for r in table("zahlungen")),
        )
        compare(
            "offers", [o.number for o in year.offers.values()], [r["Nummer"] for r in table("angebote")],
        )
        number_of = {r["Rechnungs-ID"]: r["Nummer"] for r in invoices}
        compare(
            "reminders",
            sorted((str(r["day"]), d.number, r["level"], r["fee"], r["interest"], r["lump_sum"])
                   for d in year.documents.values() for r in d.reminders),
            sorted((iso(r["Datum"]), number_of[r["Rechnungs-ID"]], int(r["Stufe"]), amount(r["Gebühr"]),
                    amount(r["Verzugszinsen"]), amount(r["Verzugspauschale"])) for r in table("mahnungen")),
        )
        received = {r["Nummer"]: r for r in table("eingang")}
        compare("received invoices", sorted(b["number"] for b in year.received.values()), sorted(received))
        hashes = {hashlib.sha256(archive.read(name)).hexdigest() for name in names if name.startswith("eingang/")}
        for bill in year.received.values():
            row = received.get(bill["number"], {})
            compare(bill["number"], [bill["sha256"], bill["state"], Decimal(bill["gross"]), bill["open"]],
                    [row.get("SHA-256"), row.get("Zustand"), amount(row.get("Brutto", "0")),
                     amount(row.get("Brutto", "0")) - amount(row.get("Bezahlt", "0"))])
            # § 14b UStG, GoBD margin 131: the bytes as they arrived.
            if bill["sha256"] not in hashes:
                wrong.append(f"{bill['number']}: the original is not in the archive")
        files = table("dateien")
        for row in files:
            if hashlib.sha256(archive.read(row["Datei"])).hexdigest() != row["SHA-256"]:
                wrong.append(f"{row['Datei']}: other bytes than its hash")
        with_files = {number_of.get(row["Rechnungs-ID"]) for row in files if row["Format"] == "pdf"}
        for number, *_ in year.issued:
            if number not in with_files:
                wrong.append(f"{number}: no PDF in the archive")
    return wrong


def iso(text):
    if text[2:3] == ".":
        return f"{text[6:]}-{text[3:5]}-{text[:2]}"
    return text


def main(facts_path, archive_path=None):
    with open(facts_path, encoding="utf-8") as file:
        facts = json.load(file)
    year = Year(facts)
    start, end = day_of(facts["from"]), day_of(facts["to"])
    months = sorted({month_of(start + timedelta(days=at)) for at in range((end - start).days + 1)})
    days = [last_of_month(month) for month in months] + [end]
    year.check_debtors(end)
    asked = {}
    for count, fact in enumerate(facts["events"]):
        if fact["type"] == "asked":
            then = Year(facts, count)
            today = day_of(fact["day"])
            asked[fact["day"]] = {"cashflow": then.expected(today), "overview": then.overview(today)}
    taxes = {setting: year.turnover_tax(setting) for setting in ("soll", "ist")}
    json.dump({
        "ust": {setting: figures for setting, (figures, _) in taxes.items()},
        "ust_documents": {setting: documents for setting, (_, documents) in taxes.items()},
        "input_tax": year.input_tax(),
        "datev": year.datev(),
        "open_items": {str(day): year.open_items(day) for day in days},
        "statements": {str(one["id"]): year.statement(one, start, end) for one in year.customers.values()},
        "documents": {d.ref: [d.number, str(d.net), str(d.tax), str(d.gross), str(d.demanded)]
                      for d in year.documents.values()},
        "cancels": {d.cancel_ref: d.cancel_number for d in year.cancels},
        "reminders": {d.ref: [[r["level"], str(r["fee"]), str(r["interest"]), str(cents(r["lump_sum"])),
                               r["from"] and str(r["from"])] for r in d.reminders]
                      for d in year.documents.values() if d.reminders},
        "debits": [dict(one, sum=str(one["sum"])) for one in year.debits],
        "asked": asked,
        "archive": check_archive(year, archive_path) if archive_path else [],
    }, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
