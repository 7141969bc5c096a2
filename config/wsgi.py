"""The WSGI application. Refuses to load while production is not safe."""

import os

from django.core.wsgi import get_wsgi_application

from config.startup import load
from config.timeouts import ProcessRole, set_process_role

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.prod")
application = load(get_wsgi_application)

set_process_role(ProcessRole.WEB)
