#!/bin/sh
# openapi-python-client 0.29.1: the module of a call whose body is required and has two media types
# (what drf-spectacular 0.30 writes of every create and update: JSON, form and multipart) names Unset
# and does not import it, so importing the module fails with NameError. With an optional body, or
# with one media type, it can be imported.
#
# Expected below: with one media type, and with an optional body, "imported"; with a required body
# of two "name 'Unset' is not defined". Exits with 1 if that changes. No request is sent; needs
# python3 and PyPI; everything stays in a temporary folder.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install "openapi-python-client==0.29.1"
cat > "$folder/api.json" <<'JSON'
{"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {
  "/single": {"patch": {"operationId": "single", "tags": ["x"],
    "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/P"}}}},
    "responses": {"204": {"description": "done"}}}},
  "/optional": {"patch": {"operationId": "optional", "tags": ["x"],
    "requestBody": {"content": {
      "application/json": {"schema": {"$ref": "#/components/schemas/P"}},
      "multipart/form-data": {"schema": {"$ref": "#/components/schemas/P"}}}},
    "responses": {"204": {"description": "done"}}}},
  "/required": {"patch": {"operationId": "needed", "tags": ["x"],
    "requestBody": {"required": true, "content": {
      "application/json": {"schema": {"$ref": "#/components/schemas/P"}},
      "multipart/form-data": {"schema": {"$ref": "#/components/schemas/P"}}}},
    "responses": {"204": {"description": "done"}}}}},
 "components": {"schemas": {"P": {"type": "object", "properties": {"a": {"type": "string"}}}}}}
JSON
cd "$folder"
PATH="$folder/venv/bin:$PATH" openapi-python-client generate --path api.json \
    --output-path client --meta none > log 2>&1 || { cat log; exit 1; }
cat > ask.py <<'PYTHON'
import importlib
from importlib.metadata import version


def outcome(name):
    try:
        importlib.import_module("client.api.x." + name)
        return "imported"
    except NameError as error:
        return str(error)


print("openapi-python-client", version("openapi-python-client"))
seen = {name: outcome(name) for name in ("single", "needed", "optional")}
print(seen)
assert seen == {
    "single": "imported", "optional": "imported", "needed": "name 'Unset' is not defined",
}, "it changed"
PYTHON
"$folder/venv/bin/python" ask.py
