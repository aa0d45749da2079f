"""Define the tables of the replica's own file."""

from __future__ import annotations

# Moments are ISO 8601 text in UTC with milliseconds, so that text order is time order. Amounts are integer paise.
# A challan has two JSON texts, its record at the source (`source`) and in a cached search (`shown`), because
# `bypassCache` makes the difference between them. JSON, because levers may set any text, lone surrogates too.
SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS organization (
  id TEXT PRIMARY KEY, handle TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
  may_use_api INTEGER NOT NULL DEFAULT 1, search_enabled INTEGER NOT NULL DEFAULT 1,
  links_enabled INTEGER NOT NULL DEFAULT 1, link_allowance INTEGER, search_allowance INTEGER
);

CREATE TABLE IF NOT EXISTS secret (
  id INTEGER PRIMARY KEY, organization TEXT NOT NULL REFERENCES organization (id),
  digest TEXT NOT NULL UNIQUE, active INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX IF NOT EXISTS one_active_secret ON secret (organization) WHERE active = 1;

CREATE TABLE IF NOT EXISTS bad_token (digest TEXT NOT NULL, address TEXT NOT NULL, at TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS bad_token_at ON bad_token (at);

CREATE TABLE IF NOT EXISTS city (
  id TEXT PRIMARY KEY, organization TEXT NOT NULL REFERENCES organization (id), position INTEGER NOT NULL,
  record TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS rc_type (value TEXT PRIMARY KEY, label TEXT NOT NULL, position INTEGER NOT NULL);

CREATE TABLE IF NOT EXISTS vehicle (
  id TEXT PRIMARY KEY, rc TEXT NOT NULL UNIQUE, organization TEXT REFERENCES organization (id),
  rc_type TEXT, city TEXT, deleted INTEGER NOT NULL DEFAULT 0, searched_at TEXT, note TEXT
);

CREATE TABLE IF NOT EXISTS challan (
  position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, vehicle TEXT NOT NULL REFERENCES vehicle (id),
  source TEXT NOT NULL, shown TEXT, gone INTEGER NOT NULL DEFAULT 0,
  due_at TEXT, due_patch TEXT, raw TEXT
);
CREATE INDEX IF NOT EXISTS challan_vehicle ON challan (vehicle);

CREATE TABLE IF NOT EXISTS link (
  id TEXT PRIMARY KEY, number INTEGER NOT NULL UNIQUE, organization TEXT NOT NULL REFERENCES organization (id),
  vehicle TEXT NOT NULL REFERENCES vehicle (id), token TEXT NOT NULL UNIQUE, status TEXT NOT NULL,
  created_at TEXT NOT NULL, expires_at TEXT NOT NULL, paid_at TEXT, paid_mode TEXT, hidden_until TEXT, raw TEXT
);
CREATE INDEX IF NOT EXISTS link_expiry ON link (expires_at) WHERE status = 'ACTIVE';

CREATE TABLE IF NOT EXISTS attachment (
  id INTEGER PRIMARY KEY, link TEXT NOT NULL REFERENCES link (id), challan TEXT NOT NULL REFERENCES challan (id),
  amount INTEGER NOT NULL, legal_fee INTEGER NOT NULL, gst INTEGER NOT NULL,
  released_at TEXT, exclusive INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX IF NOT EXISTS attachment_link ON attachment (link);
CREATE INDEX IF NOT EXISTS attachment_challan ON attachment (challan);
-- The last word on "no second active link": only a lever that breaks the rule on purpose writes exclusive = 0.
CREATE UNIQUE INDEX IF NOT EXISTS one_live_link ON attachment (challan) WHERE released_at IS NULL AND exclusive = 1;

CREATE TABLE IF NOT EXISTS usage (
  organization TEXT NOT NULL, day TEXT NOT NULL, kind TEXT NOT NULL, used INTEGER NOT NULL,
  PRIMARY KEY (organization, day, kind)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS call (
  id INTEGER PRIMARY KEY, at TEXT NOT NULL, real_at TEXT NOT NULL, operation TEXT NOT NULL, method TEXT NOT NULL,
  path TEXT NOT NULL, body TEXT, status INTEGER, organization TEXT, reason TEXT, fault TEXT
);
CREATE TABLE IF NOT EXISTS fault (
  id INTEGER PRIMARY KEY, operation TEXT NOT NULL, remaining INTEGER NOT NULL, spec TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS late_request (
  id INTEGER PRIMARY KEY, organization TEXT NOT NULL, call TEXT NOT NULL, due_real_at TEXT
);
"""
