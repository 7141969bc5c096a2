"""Vacations as people write them."""

from datetime import date

import pytest

from notifications.mail_parser import NotUnderstood, VacationCommand, parse_command

TODAY = date(2026, 11, 24)


def dates(text, today=TODAY):
    command, message = parse_command([text])
    assert isinstance(command, VacationCommand)
    assert message == ""
    return command.dates(today)


@pytest.mark.parametrize(
    "text",
    [
        "vacation 20 Dec to 3 Jan",
        "Vacation from 20 December to 3 January.",
        "vacation 20th of December until 3rd of January",
        "vacation Dec 20 - Jan 3",
        "vacation December 20th to January 3rd, 2027",
        "holidays 20.12.-3.1.",
        "holiday 20.12.2026 - 3.1.2027",
        "vacation 20/12 to 3/1",
        "vacation 20/12/26 to 03/01/27",
        "vacation 12/20 to 3 Jan",
        "vacation 2026-12-20 to 2027-01-03",
        "vacances du 20 décembre au 3 janvier",
        "Vacances du 20 déc. au 3 janv.",
        "vacances 20/12 au 3/1",
        "congés du 20 décembre 2026 au 3 janvier 2027",
        "vacances du 20.12 au 3.1",
        "vacances entre le 20 décembre et le 3 janvier",
    ],
)
def test_a_span_is_read(text):
    assert dates(text) == (date(2026, 12, 20), date(2027, 1, 3))


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("vacation 20-27 December", date(2026, 12, 20), date(2026, 12, 27)),
        ("vacances du 20 au 27 décembre", date(2026, 12, 20), date(2026, 12, 27)),
        ("vacances du 1er au 7 mars", date(2027, 3, 1), date(2027, 3, 7)),
        ("vacation until 3 Jan", TODAY, date(2027, 1, 3)),
        ("vacances jusqu'au 3 décembre", TODAY, date(2026, 12, 3)),
        ("vacation 20 Nov to 30 Nov", date(2026, 11, 20), date(2026, 11, 30)),
        ("vacation 1 Oct to 8 Oct", date(2027, 10, 1), date(2027, 10, 8)),
        ("vacation 20 Dec to 3 Jan 2028", date(2027, 12, 20), date(2028, 1, 3)),
        ("vacation 20 Dec 2027 to 3 Jan", date(2027, 12, 20), date(2028, 1, 3)),
        ("vacation 3/4 to 5/4", date(2027, 4, 3), date(2027, 4, 5)),
    ],
)
def test_a_year_that_is_not_written_is_the_next_that_fits(text, first, last):
    assert dates(text) == (first, last)


@pytest.mark.parametrize(
    "text",
    [
        "vacation 20 Dec",
        "vacation 30 Feb to 3 March",
        "vacation 13/13 to 14/14",
        "vacation 20 Foo to 3 Bar",
        "vacation 3 Jan 2027 to 20 Dec 2026",
        "vacation was great",
        "vacances en Italie du sud",
    ],
)
def test_what_names_no_span_is_not_understood(text):
    assert parse_command([text])[0] == NotUnderstood(text, "vacation")


def test_a_day_that_this_year_does_not_have_is_an_error():
    command, _ = parse_command(["vacation 29 Feb to 3 March"])
    with pytest.raises(ValueError, match="day"):
        command.dates(TODAY)
