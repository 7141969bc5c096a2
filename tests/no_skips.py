"""With CI=true every test counts: one that did not run is one that failed."""

import os

import pytest


def _is_ci():
    return os.environ.get("CI", "").lower() in ("1", "true", "yes")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    return _fail_if_skipped((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    return _fail_if_skipped((yield))


def _fail_if_skipped(report):
    if _is_ci() and (report.skipped or hasattr(report, "wasxfail")):
        reason = getattr(report, "wasxfail", "") or report.longrepr or "xfail"
        report.outcome = "failed"
        report.longrepr = f"With CI=true nothing may be skipped or expected to fail: {reason}"
        if hasattr(report, "wasxfail"):
            del report.wasxfail
    return report
