"""How log lines look: text for people, or JSON (one object a line) for programs.

No line shows a reply token, a link that signs somebody in, or an e-mail address.
"""

import logging
import re
from collections.abc import Mapping, MutableMapping
from http import HTTPStatus
from typing import Any

from notifications.tokens import redact_tokens

FIELDS = (
    *("request_id", "method", "view", "status", "milliseconds", "user"),
    *("chore", "done", "seconds", "result"),
    *("notice", "mail", "kind", "outcome", "game"),
)
"""What our own lines have besides their message (`extra=`). Extras of libraries are left out."""

_ADDRESS = re.compile(r"[^\s<>\"'(),:;@]+@[^\s<>\"'(),:;@]+")


def redact(text: str) -> str:
    """Return the text without tokens and without e-mail addresses."""
    return _ADDRESS.sub("…@…", redact_tokens(text))


def redact_event(logger: object, method: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """Redact every value of a line that is text (a structlog processor)."""
    for key, value in event.items():
        if isinstance(value, str):
            event[key] = redact(value)
    return event


def logging_settings(kind: str, level: str) -> dict[str, Any]:
    """Return Django's LOGGING for lines of a kind ("text" or "json")."""
    formatter: dict[str, Any] = {
        "()": "notifications.tokens.LineFormatter",
        "format": "%(asctime)s %(levelname)s %(name)s %(message)s",
    }
    if kind == "json":
        import structlog  # only here: it takes a twentieth of a process's start

        formatter = {
            "()": structlog.stdlib.ProcessorFormatter,
            "foreign_pre_chain": [
                structlog.contextvars.merge_contextvars,
                structlog.stdlib.add_log_level,
                structlog.stdlib.add_logger_name,
                structlog.stdlib.ExtraAdder(allow=FIELDS),
                structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
            ],
            "processors": [
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                redact_event,
                structlog.processors.EventRenamer("message"),
                structlog.processors.JSONRenderer(ensure_ascii=False, default=str),
            ],
        }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": formatter},
        "filters": {"no_traceback_of_bad_requests": {"()": "config.logs.NoTracebackOfBadRequests"}},
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": "lines",
                "filters": ["no_traceback_of_bad_requests"],
            }
        },
        "root": {"handlers": ["console"], "level": level},
        # At INFO the mail listener would write down every command, reply addresses included.
        "loggers": {"mail.log": {"level": "WARNING"}, "mail.debug": {"level": "WARNING"}},
    }


class NoTracebackOfBadRequests(logging.Filter):
    """Takes the traceback from what Django logs of answers 4xx.

    A visitor causes them at will: a line each is enough, hundreds would fill the disk.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True: the record is written in any case."""
        status = getattr(record, "status_code", None)
        if status is not None and status < HTTPStatus.INTERNAL_SERVER_ERROR:
            record.exc_info = record.exc_text = None
        return True
