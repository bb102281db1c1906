#!/bin/bash
# graphene 3.4.3 and strawberry-graphql 0.327.7: the cursors of their connections are positions, so
# who pages by them gets items twice, or not at all, when the list changes meanwhile.
#
# A cursor is what an API offers instead of an offset, so that a list may grow or shrink between two
# pages: Relay's specification has the page begin after the item that the cursor is of.
# ConnectionField and ListConnection put the number of the item into it, in base64. One new item at
# the top, the usual order of a feed, brings the last item of each page again as the first of the
# next; one that is deleted makes the next page begin one too late, and a client that adds up, or
# copies what it has not yet got, is wrong without a sign: each page is full, each cursor is good.
# With lists that do not change all is well. CursorPagination of Django REST framework 3.18.3 has
# the value in its cursor.
#
# Expected below, of ten items in pages of two, newest first, and one new item, or one deletion of
# the newest, after each of the first three pages: graphene and strawberry give 13 and 7 items, of
# them 3 twice and 3 of the ten missing; the framework 10 of 10 in both cases. Exits with 1 if that
# changes. No request leaves the process. Needs python3 and PyPI; everything stays in a temporary
# folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile graphene==3.4.3 strawberry-graphql==0.327.7 \
    Django==5.2.19 djangorestframework==3.18.3
cat >"$folder/try.py" <<'PYTHON'
from importlib.metadata import version
from typing import Iterable

import django, graphene, graphene.relay, strawberry, strawberry.relay
from django.conf import settings

settings.configure(
    SECRET_KEY="k", ALLOWED_HOSTS=["*"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}})
django.setup()
from django.db import connection, models
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory


class Row(models.Model):
    class Meta: app_label = "rows"


with connection.schema_editor() as editor:
    editor.create_model(Row)
QUERY = "query($after: String) { items(first: 2, after: $after) { edges { node { number } } " \
        "pageInfo { hasNextPage endCursor } } }"


def numbers(): return list(Row.objects.order_by("-id").values_list("id", flat=True))


class Item(graphene.ObjectType):
    class Meta: interfaces = (graphene.relay.Node,)
    number = graphene.Int()


class Items(graphene.relay.Connection):
    class Meta: node = Item


class Query(graphene.ObjectType):
    items = graphene.relay.ConnectionField(Items)
    def resolve_items(self, info, **_): return [Item(id=n, number=n) for n in numbers()]


@strawberry.type
class Entry(strawberry.relay.Node):
    number: strawberry.relay.NodeID[int]
    @strawberry.field(name="number")
    def shown(self) -> int: return self.number


@strawberry.type
class Root:
    @strawberry.relay.connection(strawberry.relay.ListConnection[Entry])
    def items(self) -> Iterable[Entry]: return [Entry(number=n) for n in numbers()]


with_graphene, with_strawberry = graphene.Schema(query=Query), strawberry.Schema(query=Root)


def by_relay(execute):
    def page(after):
        result = execute(after)
        assert not result.errors, result.errors
        items, info = result.data["items"]["edges"], result.data["items"]["pageInfo"]
        return [edge["node"]["number"] for edge in items], (
            info["endCursor"] if info["hasNextPage"] else None)
    return page


class Pagination(CursorPagination): page_size, ordering = 2, "-id"


def by_framework(link):
    pages = Pagination()
    request = Request(APIRequestFactory().get(link or "/"))
    return [row.id for row in pages.paginate_queryset(Row.objects.all(), request)], (
        pages.get_next_link())


def play(page, change):
    Row.objects.all().delete()
    Row.objects.bulk_create([Row(id=number) for number in range(1, 11)])
    got, cursor, count = [], None, 0
    while not count or cursor:
        items, cursor = page(cursor)
        got, count = got + items, count + 1
        if count <= 3 and change == "new":
            Row.objects.create(id=10 + count)
        elif count <= 3:
            Row.objects.order_by("-id").first().delete()
    return len(got), len(got) - len(set(got)), len(set(range(1, 11)) - set(got))


changed = False
for package, page, expected in (
    ("graphene", by_relay(lambda after: with_graphene.execute(
        QUERY, variables={"after": after})), [(13, 3, 0), (7, 0, 3)]),
    ("strawberry-graphql", by_relay(lambda after: with_strawberry.execute_sync(
        QUERY, variable_values={"after": after})), [(13, 3, 0), (7, 0, 3)]),
    ("djangorestframework", by_framework, [(10, 0, 0)] * 2),
):
    seen = [play(page, change) for change in ("new", "deleted")]
    changed |= seen != expected
    for change, (items, twice, missing) in zip(("a new item", "a deletion"), seen):
        print(f"{package} {version(package)}, {change} after a page: {items} items, {twice} of",
              f"them twice, {missing} missing")
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
