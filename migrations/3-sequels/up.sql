-- What happened to a listing last, for the searches that did not see it happen themselves: it became
-- cheaper, or came back. `was` is JSON (money); `told_at` is empty until a message tells of it.
CREATE TABLE sequels (
    listing INTEGER NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('price_drop', 'relisted')),
    at INTEGER NOT NULL,
    was TEXT,
    was_at INTEGER NOT NULL,
    told_at INTEGER,
    PRIMARY KEY (listing, kind)
) STRICT, WITHOUT ROWID;
