"""What compose.yaml and the Dockerfile promise of every container."""

import os
import re
import shutil
import subprocess
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
import yaml
from django.conf import settings
from redis import Redis
from redis.exceptions import AuthenticationError, RedisError

from tests.house.waiting import wait_until
from tests.servers import free_port

COMPOSE = yaml.safe_load((settings.BASE_DIR / "compose.yaml").read_text(encoding="utf-8"))
SERVICES = COMPOSE["services"]
OURS = [name for name, service in SERVICES.items() if "build" in service]
DOCKERFILE = (settings.BASE_DIR / "Dockerfile").read_text(encoding="utf-8")
BY_DIGEST = re.compile(r"[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}")


def test_there_are_the_services_that_the_documentation_names():
    ours = {"web", "listen", "clocks", "worker", "mail", "push", "programs", "beat"}
    assert set(OURS) == ours
    assert set(SERVICES) == {"postgres", "redis"} | ours


@pytest.mark.parametrize("name", SERVICES)
def test_every_container_has_nothing_that_it_does_not_need(name):
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "cap_add" not in service
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert not service.get("privileged")
    assert "/tmp" in service["tmpfs"]  # noqa: S108  (each container's own)


@pytest.mark.parametrize("name", SERVICES)
def test_no_container_runs_as_root(name):
    users = re.findall(r"^USER (.+)$", DOCKERFILE, re.MULTILINE)
    user = SERVICES[name].get("user", users[-1] if name in OURS else "root")
    assert user.split(":")[0] not in {"root", "0", ""}


@pytest.mark.parametrize("name", SERVICES)
def test_every_image_is_named_by_its_digest(name):
    if name in OURS:
        assert "@" not in SERVICES[name]["image"]  # built here
    else:
        assert BY_DIGEST.fullmatch(SERVICES[name]["image"])


def test_our_image_is_built_on_one_that_is_named_by_its_digest():
    sources = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    assert sources
    assert all(BY_DIGEST.fullmatch(source) for source in sources)


@pytest.mark.parametrize("name", SERVICES)
def test_ports_are_open_for_this_machine_alone(name):
    for port in SERVICES[name].get("ports", []):
        assert port.startswith("127.0.0.1:")


CHECKS = {
    "listen": "listen",
    "clocks": "clocks",
    "worker": "chores",
    "mail": "mail",
    "push": "push",
    "programs": "programs",
    "beat": "beat",
}
"""What `manage.py health` is asked in each container that makes no pages."""


def test_every_container_tells_whether_it_works():
    assert {name for name in SERVICES if "healthcheck" in SERVICES[name]} == set(SERVICES)
    for name, what in CHECKS.items():
        assert SERVICES[name]["healthcheck"]["test"] == [
            "CMD",
            "python",
            "manage.py",
            "health",
            what,
        ]


@pytest.mark.parametrize("name", OURS)
def test_pli_writes_to_its_volume_alone(name):
    assert SERVICES[name]["volumes"] == ["pli:/var/lib/pli"]
    assert "pli" in COMPOSE["volumes"]
    assert "PLI_VAR=/var/lib/pli" in DOCKERFILE


@pytest.mark.parametrize("name", OURS)
def test_redis_is_asked_with_a_password(name):
    # urlsplit would take the braces for a part of the host.
    url = SERVICES[name]["environment"]["CELERY_BROKER_URL"].replace("${REDIS_PASSWORD:?}", "word")
    assert urlsplit(url).password == "word"


def test_a_host_is_told_of_every_variable_that_compose_asks_for():
    text = (settings.BASE_DIR / "compose.yaml").read_text(encoding="utf-8")
    asked = set(re.findall(r"\$\{(\w+)", text))
    assert asked == {"POSTGRES_PASSWORD", "REDIS_PASSWORD"}
    for document in (text.split("services:")[0], docs("hosting.md")):
        assert all(name in document for name in asked)


def docs(name):
    return (settings.BASE_DIR / "docs" / name).read_text(encoding="utf-8")


@contextmanager
def started(service, port, env):
    """Run a service's command on this machine, at another port."""
    program, *arguments = [part.replace("$$", "$") for part in service["command"]]
    arguments[-1] = re.sub(r"redis-server -(?=\s)", f"redis-server - --port {port}", arguments[-1])
    assert str(port) in arguments[-1]
    process = subprocess.Popen([program, *arguments], env=env, stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def test_redis_wants_the_password_and_does_not_show_it():
    port, password = free_port(), "pa-ss_word-0123456789"
    env = {"PATH": os.environ["PATH"], "REDIS_PASSWORD": password}
    with started(SERVICES["redis"], port, env) as process:
        client = Redis(port=port, password=password)
        wait_until(lambda: pings(client), "Redis answers")
        assert client.config_get("save")["save"] == ""
        assert client.config_get("appendonly")["appendonly"] == "no"
        with pytest.raises(AuthenticationError):
            Redis(port=port).ping()
        with open(f"/proc/{process.pid}/cmdline", encoding="utf-8") as command:
            assert password not in command.read()
        for word, code in ((password, 0), ("wrong", 1)):
            assert health_of_redis(port, word) == code


def pings(client):
    try:
        return client.ping()
    except RedisError:
        return False


def health_of_redis(port, password):
    kind, check = SERVICES["redis"]["healthcheck"]["test"]
    assert kind == "CMD-SHELL"
    env = {"PATH": os.environ["PATH"], "REDISCLI_AUTH": password}
    check = check.replace("redis-cli", f"redis-cli -p {port}")
    result = subprocess.run(["sh", "-c", check], env=env, capture_output=True, check=False)
    return result.returncode


def test_make_images_moves_every_image_to_the_newest_of_its_tag(tmp_path):
    """With a Docker that knows one digest for each name."""
    for name in ("compose.yaml", "Dockerfile", "Makefile"):
        shutil.copy(settings.BASE_DIR / name, tmp_path)
    (tmp_path / "bin").mkdir()
    docker = tmp_path / "bin" / "docker"
    docker.write_text(
        '#!/bin/sh\n[ "$1 $2 $3" = "buildx imagetools inspect" ] || exit 1\n'
        'printf "sha256:%s" "$(printf %s "$4" | sha256sum | cut -d" " -f1)"\n'
    )
    docker.chmod(0o755)
    env = {"PATH": f"{docker.parent}:{os.environ['PATH']}"}
    subprocess.run(["make", "images"], cwd=tmp_path, env=env, check=True, capture_output=True)
    for name, found in (("compose.yaml", 2), ("Dockerfile", 1)):
        images = BY_DIGEST.findall((tmp_path / name).read_text())
        assert len(images) == found
        for image in images:
            tag, digest = image.split("@sha256:")
            known = subprocess.run(
                [docker, "buildx", "imagetools", "inspect", tag],
                capture_output=True,
                check=True,
                text=True,
            )
            assert known.stdout == f"sha256:{digest}"
