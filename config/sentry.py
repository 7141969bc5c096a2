"""Reports errors to a Sentry server, without addresses and tokens."""

from typing import Any

from config.logs import redact


def start_reporting(dsn: str) -> None:
    """Report uncaught errors and logged ones of this process from now on; "" reports nothing."""
    if dsn:
        import sentry_sdk  # only here: it takes a twentieth of a process's start

        sentry_sdk.init(
            dsn,
            before_send=redact_report,
            before_breadcrumb=lambda crumb, hint: None,
            # Nothing that a request carried and no variable of our own code: "off" collects none.
            data_collection={
                "user_info": False,
                "cookies": {"mode": "off"},
                "http_headers": {"request": {"mode": "off"}},
                "http_bodies": [],
                "url_query_params": {"mode": "off"},
                "database_query_data": False,
                "queues": False,
                "stack_frame_variables": False,
            },
        )


def redact_report(report: Any, hint: object = None) -> Any:
    """Return a report with every text in it redacted, and without what a request carried."""
    if isinstance(report, dict):
        return {
            key: redact_report(value)
            for key, value in report.items()
            if key not in ("cookies", "headers", "query_string", "user")
        }
    if isinstance(report, list):
        return [redact_report(value) for value in report]
    return redact(report) if isinstance(report, str) else report
