# Pli in a container: pages and everything that must happen later, on SQLite under /var/lib/pli,
# unless DATABASE_URL and CELERY_BROKER_URL say otherwise (compose.yaml).
# Python 3.11.16. `make images` moves it to the newest.
FROM python:3.11-slim@sha256:9c900dea9e8fb7e16277c179b555cc72d29a352dbc33cff48ad5a0412fd5bfc7

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    DJANGO_SETTINGS_MODULE=config.settings.prod PLI_VAR=/var/lib/pli

RUN useradd --system --home-dir /srv/pli pli && install -d -m 700 -o pli -g pli /var/lib/pli
WORKDIR /srv/pli

COPY requirements/base.txt requirements/base.txt
RUN pip install --no-cache-dir --require-hashes -r requirements/base.txt

COPY . .
# What the prod settings ask for plays no part in compiling; what counts comes when it starts.
RUN python manage.py messages compile --settings config.settings.dev

USER pli
VOLUME /var/lib/pli
EXPOSE 8000
# Migrates and collects the static files into the volume, then starts.
CMD ["python", "manage.py", "serve", "--host", "0.0.0.0", "--workers", "2"]
