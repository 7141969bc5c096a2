"""How French readers see dates here: day first, 24 hours, as on a postmark."""

DATE_FORMAT = "j F Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "l j F Y, H:i"
SHORT_DATE_FORMAT = "j N Y"
SHORT_DATETIME_FORMAT = "j N, H:i"
