"""The page that says how time is counted, in both languages, with this site's numbers."""

import pytest
from django.urls import reverse

pytestmark = pytest.mark.django_db


def words(client, language):
    answer = client.get(reverse("time_help"), headers={"accept-language": language})
    assert answer.status_code == 200
    return answer.content.decode().replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            [
                "at most twice its time",
                "“Why then?”",
                "“clock”",
                "at least 12 hours, not counting your night",
                "at least 1 day, with 12 hours outside of your night",
                "less than 7 days apart",
                "for 60 days in all",
                "After 14 days the opponents",
                "lasts from 22:00 to 08:00",
                "New accounts begin with this",
                "closed or down for more than 90 seconds, nor while its pages",
                "Nobody loses on time then, nor in the first 5 minutes after it was down.",
                "of which you would be reminded within 6 hours",
                "no other for 1 hour, unless less than 15 minutes would be left",
                "No reminder comes at night",
            ],
        ),
        (
            "fr",
            [
                "au plus deux fois son temps",
                "« Pourquoi à ce moment ? »",
                "« pendule »",
                "au moins 12 heures, sans compter votre nuit",
                "moins de 7 jours",
                "60 jours en tout",
                "Au bout de 14 jours",
                "de 22:00 à 08:00",
                "en panne plus de 90 secondes, ni quand ses pages",
                "ni dans les 5 minutes qui suivent une panne",
                "dans les 6 heures",
                "pendant 1 heure, sauf s’il devait vous rester moins de 15 minutes",
                "Aucun rappel ne part la nuit",
            ],
        ),
    ],
)
def test_the_rules_of_time_are_said_in_short_sentences(client, language, said):
    page = words(client, language)
    for sentence in said:
        assert sentence in page


def test_without_vacations_nothing_is_said_of_them(client, settings):
    settings.VACATION_DAYS_A_YEAR = 0
    page = words(client, "en")
    assert "Vacations are not available here." in page
    assert "one absence" not in page


def test_every_page_and_table_leads_there(client):
    assert reverse("time_help") in client.get(reverse("rules_index")).content.decode()
