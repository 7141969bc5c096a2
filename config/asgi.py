"""The ASGI application. Refuses to load while production is not safe."""

import os

from django.core.asgi import get_asgi_application

from config.startup import load
from config.timeouts import ProcessRole, set_process_role

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.prod")
application = load(get_asgi_application)

set_process_role(ProcessRole.WEB)
