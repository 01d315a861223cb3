-- Title and address by every three letters in a row, so that a word is found at once, also within
-- another. Its text is listing_text's, and three triggers keep the two alike.
CREATE VIRTUAL TABLE listing_words USING fts5 (
    folded,
    content = 'listing_text', content_rowid = 'listing',
    tokenize = 'trigram', columnsize = 0
);
CREATE TRIGGER listing_words_new AFTER INSERT ON listing_text BEGIN
    INSERT INTO listing_words (rowid, folded) VALUES (new.listing, new.folded);
END;
CREATE TRIGGER listing_words_changed AFTER UPDATE ON listing_text BEGIN
    INSERT INTO listing_words (listing_words, rowid, folded) VALUES ('delete', old.listing, old.folded);
    INSERT INTO listing_words (rowid, folded) VALUES (new.listing, new.folded);
END;
CREATE TRIGGER listing_words_gone AFTER DELETE ON listing_text BEGIN
    INSERT INTO listing_words (listing_words, rowid, folded) VALUES ('delete', old.listing, old.folded);
END;
INSERT INTO listing_words (listing_words) VALUES ('rebuild');

-- Where what a write made is found: a repeated one answers with it, too.
ALTER TABLE idempotency ADD COLUMN location TEXT;
