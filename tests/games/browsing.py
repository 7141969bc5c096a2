"""Pages asked for, forms sent by hand, and what the answers say."""

from django.urls import reverse


def post(client, name, *args, **data):
    return client.post(reverse(name, args=args), data)


def assert_refused(response, status, said):
    assert response.status_code == status
    assert said in response.content.decode()


def html_of(client, path, status=200):
    response = client.get(path)
    assert response.status_code == status
    return response.content.decode()
