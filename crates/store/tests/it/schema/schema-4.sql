CREATE TABLE channels (
    channel      TEXT PRIMARY KEY,                   -- 'mail', 'desktop', 'ntfy', 'mail-2' …
    kind         TEXT    NOT NULL,
    enabled      INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
    config       TEXT    NOT NULL DEFAULT '{}',      -- JSON
    held_reason  TEXT,                               -- the account waits for the user or for time
    held_until   INTEGER,
    held_reply   TEXT,
    last_sent_at INTEGER,
    updated_at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE checks (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    search          INTEGER REFERENCES searches (id) ON DELETE CASCADE, -- NULL: a preview
    revision        INTEGER,
    host            TEXT    NOT NULL,
    why             TEXT    NOT NULL,                -- due, probe, manual, after_hand …
    started_at      INTEGER NOT NULL,
    finished_at     INTEGER,                         -- NULL while it runs
    mark            TEXT CHECK (mark IN ('news', 'answered', 'empty', 'refused', 'failed', 'not_asked', 'cut_off')),
    verdict         TEXT,
    reason          TEXT,
    finding         TEXT,
    status          INTEGER,
    listings        INTEGER,
    new_listings    INTEGER,
    bytes           INTEGER,
    took_ms         INTEGER,
    retry_after_ms  INTEGER,
    evidence        TEXT                             -- JSON
) STRICT;

CREATE TABLE clients (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    name         TEXT    NOT NULL,
    token_hash   BLOB    NOT NULL UNIQUE,
    can_write    INTEGER NOT NULL DEFAULT 0 CHECK (can_write IN (0, 1)),
    per_minute   INTEGER NOT NULL,
    per_day      INTEGER NOT NULL,
    budget       TEXT,                               -- JSON: what is spent
    lockout      TEXT,                               -- JSON: offences
    created_at   INTEGER NOT NULL,
    used_at      INTEGER,
    revoked_at   INTEGER
, let_in_at INTEGER) STRICT;

CREATE TABLE domains (
    domain      TEXT PRIMARY KEY,
    record      TEXT    NOT NULL,                    -- JSON of the schedule
    updated_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    at      INTEGER NOT NULL,
    code    TEXT    NOT NULL,
    search  INTEGER,
    host    TEXT,
    args    TEXT    NOT NULL DEFAULT '{}',           -- JSON
    seen    INTEGER NOT NULL DEFAULT 0 CHECK (seen IN (0, 1))
) STRICT;

CREATE TABLE hosts (
    host         TEXT PRIMARY KEY,
    record       TEXT,                               -- JSON: the schedule's record; NULL: welcome
    reader       TEXT CHECK (reader IN ('plain', 'browser')), -- what worked here
    cookies      TEXT,                               -- JSON: the session that answers gave us
    cookies_at   INTEGER,
    solved_at    INTEGER,                            -- a person last passed a check here
    updated_at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency (
    client       INTEGER NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
    key          TEXT    NOT NULL,
    fingerprint  BLOB    NOT NULL,
    status       INTEGER,                            -- NULL while in flight
    answer       BLOB,
    created_at   INTEGER NOT NULL, location TEXT,
    PRIMARY KEY (client, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE listing_evidence (
    listing   INTEGER PRIMARY KEY REFERENCES listings (id) ON DELETE CASCADE,
    evidence  TEXT NOT NULL                          -- JSON
) STRICT;

CREATE TABLE listing_keys (
    host     TEXT    NOT NULL,
    key      TEXT    NOT NULL,
    listing  INTEGER NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
    PRIMARY KEY (host, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE listing_text (
    listing  INTEGER PRIMARY KEY REFERENCES listings (id) ON DELETE CASCADE,
    folded   TEXT NOT NULL
) STRICT;

CREATE VIRTUAL TABLE listing_words USING fts5 (
    folded,
    content = 'listing_text', content_rowid = 'listing',
    tokenize = 'trigram', columnsize = 0
);

CREATE TABLE listings (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    host             TEXT    NOT NULL,
    url              TEXT    NOT NULL,
    title            TEXT,
    address          TEXT,
    street           TEXT,
    postcode         TEXT,
    city             TEXT,
    price_cents      INTEGER,
    price_upper      INTEGER,
    currency         TEXT,
    period           TEXT CHECK (period IN ('day', 'week', 'month', 'year')),
    rent_kind        TEXT CHECK (rent_kind IN ('cold', 'warm')),
    price_from       INTEGER NOT NULL DEFAULT 0 CHECK (price_from IN (0, 1)),
    price_on_request INTEGER NOT NULL DEFAULT 0 CHECK (price_on_request IN (0, 1)),
    monthly_cents    INTEGER,                        -- derived, for filters and order
    size             INTEGER,
    rooms            INTEGER,
    bedrooms         INTEGER,
    image            TEXT,
    available_from   TEXT,
    promoted         INTEGER NOT NULL DEFAULT 0 CHECK (promoted IN (0, 1)),
    wanted           INTEGER NOT NULL DEFAULT 0 CHECK (wanted IN (0, 1)),
    exchange         INTEGER NOT NULL DEFAULT 0 CHECK (exchange IN (0, 1)),
    let_already      INTEGER NOT NULL DEFAULT 0 CHECK (let_already IN (0, 1)),
    first_seen       INTEGER NOT NULL,
    last_seen        INTEGER NOT NULL,
    gone_at          INTEGER,                        -- left every page that showed it
    told_at          INTEGER,                        -- known to the user: a baseline, or an alert
    news             TEXT CHECK (news IN ('new', 'price_drop', 'price_rise', 'relisted')),
    news_at          INTEGER,
    unread           INTEGER NOT NULL DEFAULT 0 CHECK (unread IN (0, 1)),
    starred          INTEGER NOT NULL DEFAULT 0 CHECK (starred IN (0, 1)),
    hidden           INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1)),
    note             TEXT,
    fingerprint      TEXT                            -- weak: address, size and rooms; NULL if unsure
) STRICT;

CREATE TABLE outbox (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    channel        TEXT    NOT NULL,
    kind           TEXT    NOT NULL,                 -- alert, digest, blind, recovered, test …
    state          TEXT    NOT NULL DEFAULT 'pending' CHECK (state IN
                       ('pending', 'sending', 'sent', 'retry_at', 'held', 'maybe_delivered', 'given_up')),
    search         INTEGER REFERENCES searches (id) ON DELETE SET NULL,
    payload        TEXT,                             -- JSON: what the listings do not say
    message_id     TEXT UNIQUE,
    message        BLOB,                             -- rendered once
    subject        TEXT,
    attempts       INTEGER NOT NULL DEFAULT 0,
    unknown_tries  INTEGER NOT NULL DEFAULT 0,       -- attempts whose fate is unknown
    last_wait_ms   INTEGER,                          -- the next one is drawn from it
    network_first  INTEGER NOT NULL DEFAULT 0 CHECK (network_first IN (0, 1)), -- the network's return brings it forward
    next_at        INTEGER,                          -- not before; NULL: now, or not by itself
    joins          INTEGER NOT NULL DEFAULT 0 CHECK (joins IN (0, 1)), -- later finds may be added until it is rendered
    reason         TEXT,
    reply          TEXT,                             -- the server's own words
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL,
    first_try_at   INTEGER,
    done_at        INTEGER                           -- sent, maybe delivered or given up
) STRICT;

CREATE TABLE outbox_finds (
    outbox     INTEGER NOT NULL REFERENCES outbox (id) ON DELETE CASCADE,
    listing    INTEGER NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
    search     INTEGER NOT NULL,                     -- no reference: the name survives in the mail
    change     TEXT    NOT NULL CHECK (change IN ('new', 'price_drop', 'price_rise', 'relisted', 'there_now')),
    was        TEXT,                                 -- JSON: the price before
    was_at     INTEGER,
    unseen_at  INTEGER,                              -- the last answer that did not have it yet
    PRIMARY KEY (outbox, listing, search)
) STRICT, WITHOUT ROWID;

CREATE TABLE outbox_history (
    id      INTEGER PRIMARY KEY,
    outbox  INTEGER NOT NULL REFERENCES outbox (id) ON DELETE CASCADE,
    at      INTEGER NOT NULL,
    state   TEXT    NOT NULL,
    reason  TEXT,
    reply   TEXT
) STRICT;

CREATE TABLE prices (
    listing      INTEGER NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
    at           INTEGER NOT NULL,
    price_cents  INTEGER NOT NULL,
    price_upper  INTEGER,
    currency     TEXT,
    period       TEXT,
    rent_kind    TEXT,
    price_from   INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (listing, at)
) STRICT, WITHOUT ROWID;

CREATE TABLE search_state (
    search          INTEGER PRIMARY KEY REFERENCES searches (id) ON DELETE CASCADE,
    schedule        TEXT,                            -- JSON: when it is due, and what for
    baseline_at     INTEGER,                         -- NULL until the first successful check
    last_check_at   INTEGER,
    last_answer_at  INTEGER,
    last_listings   INTEGER,                         -- recognised at the last answer
    last_verdict    TEXT,
    last_reason     TEXT,
    etag            TEXT,
    last_modified   TEXT,
    body_hash       TEXT,
    blind_since     INTEGER,                         -- nothing seen since; NULL while it sees
    blind_told_at   INTEGER                          -- the one alert about it was written
) STRICT;

CREATE TABLE searches (
    id            INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again: mails name it
    name          TEXT    NOT NULL,
    url           TEXT    NOT NULL,                  -- byte for byte as given
    host          TEXT    NOT NULL,
    position      INTEGER NOT NULL,                  -- the user's order; the first on a host probes
    interval_ms   INTEGER NOT NULL CHECK (interval_ms BETWEEN 30000 AND 86400000),
    enabled       INTEGER NOT NULL CHECK (enabled IN (0, 1)),
    muted         INTEGER NOT NULL DEFAULT 0 CHECK (muted IN (0, 1)),
    revision      INTEGER NOT NULL DEFAULT 0,        -- counts edits; a report of an older one is stale
    reader        TEXT    NOT NULL DEFAULT 'auto' CHECK (reader IN ('auto', 'plain', 'browser')),
    criteria      TEXT    NOT NULL DEFAULT '{}',     -- JSON
    tell_new      INTEGER NOT NULL DEFAULT 1 CHECK (tell_new IN (0, 1)),
    tell_drops    INTEGER NOT NULL DEFAULT 1 CHECK (tell_drops IN (0, 1)),
    tell_relisted INTEGER NOT NULL DEFAULT 1 CHECK (tell_relisted IN (0, 1)),
    quiet         TEXT,                              -- JSON: from, to, zone; NULL is none
    rhythm        TEXT    NOT NULL DEFAULT 'instant' CHECK (rhythm IN ('instant', 'digest')),
    created_at    INTEGER NOT NULL,
    edited_at     INTEGER NOT NULL,
    deleted_at    INTEGER                            -- can be undone until the purge
) STRICT;

CREATE TABLE sequels (
    listing INTEGER NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('price_drop', 'relisted')),
    at INTEGER NOT NULL,
    was TEXT,
    was_at INTEGER NOT NULL,
    told_at INTEGER,
    PRIMARY KEY (listing, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE settings (
    key         TEXT PRIMARY KEY,
    value       TEXT    NOT NULL,                    -- JSON
    updated_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sightings (
    search      INTEGER NOT NULL REFERENCES searches (id) ON DELETE CASCADE,
    listing     INTEGER NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
    first_seen  INTEGER NOT NULL,
    last_seen   INTEGER NOT NULL,
    place       INTEGER NOT NULL,                    -- on the page, from 0, when last seen
    baseline    INTEGER NOT NULL DEFAULT 0 CHECK (baseline IN (0, 1)),
    ended_at    INTEGER,                             -- NULL while it is on the page
    PRIMARY KEY (search, listing)
) STRICT, WITHOUT ROWID;

CREATE TABLE source_memory (
    search      INTEGER PRIMARY KEY REFERENCES searches (id) ON DELETE CASCADE,
    memory      TEXT,                                -- JSON of the extractor
    choice      TEXT,                                -- JSON: "these 24, not these 6"
    updated_at  INTEGER NOT NULL
) STRICT;

CREATE INDEX checks_by_search ON checks (search, id);

CREATE INDEX checks_by_start ON checks (started_at);

CREATE INDEX checks_running ON checks (id) WHERE finished_at IS NULL;

CREATE INDEX events_by_age ON events (at);

CREATE INDEX idempotency_by_age ON idempotency (created_at);

CREATE INDEX listing_keys_by_listing ON listing_keys (listing);

CREATE INDEX listings_by_fingerprint ON listings (fingerprint, first_seen) WHERE fingerprint IS NOT NULL;

CREATE INDEX listings_by_first_seen ON listings (first_seen);

CREATE INDEX listings_by_news ON listings (news_at, id);

CREATE INDEX listings_by_price ON listings (monthly_cents, id);

CREATE INDEX listings_by_size ON listings (size, id);

CREATE INDEX listings_gone ON listings (id) WHERE gone_at IS NOT NULL AND hidden = 0;

CREATE INDEX listings_gone_when ON listings (gone_at) WHERE gone_at IS NOT NULL;

CREATE INDEX listings_hidden ON listings (id) WHERE hidden = 1;

CREATE INDEX listings_starred ON listings (id) WHERE starred = 1 AND hidden = 0;

CREATE INDEX listings_unread ON listings (id) WHERE unread = 1 AND hidden = 0;

CREATE INDEX outbox_by_done ON outbox (done_at) WHERE done_at IS NOT NULL;

CREATE INDEX outbox_finds_by_listing ON outbox_finds (listing, outbox);

CREATE INDEX outbox_history_by_outbox ON outbox_history (outbox, id);

CREATE INDEX outbox_open ON outbox (channel, next_at, id) WHERE state IN ('pending', 'retry_at', 'held', 'sending');

CREATE INDEX searches_by_position ON searches (position, id) WHERE deleted_at IS NULL;

CREATE INDEX sightings_by_first_seen ON sightings (search, first_seen);

CREATE INDEX sightings_by_listing ON sightings (listing);

CREATE INDEX sightings_here ON sightings (search, listing) WHERE ended_at IS NULL;

CREATE TRIGGER listing_words_changed AFTER UPDATE ON listing_text BEGIN
    INSERT INTO listing_words (listing_words, rowid, folded) VALUES ('delete', old.listing, old.folded);
    INSERT INTO listing_words (rowid, folded) VALUES (new.listing, new.folded);
END;

CREATE TRIGGER listing_words_gone AFTER DELETE ON listing_text BEGIN
    INSERT INTO listing_words (listing_words, rowid, folded) VALUES ('delete', old.listing, old.folded);
END;

CREATE TRIGGER listing_words_new AFTER INSERT ON listing_text BEGIN
    INSERT INTO listing_words (rowid, folded) VALUES (new.listing, new.folded);
END;

