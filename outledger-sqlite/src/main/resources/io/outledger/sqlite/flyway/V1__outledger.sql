-- For Flyway: the tables of Outledger. Give it a history table of its own.
CREATE TABLE IF NOT EXISTS main.outledger_schema (
  version    INTEGER PRIMARY KEY,
  applied_at INTEGER DEFAULT (CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000) NOT NULL
);

-- The ledger: appended to, read, purged by range; never updated, but for an erasure. One transaction writes
-- at a time, and AUTOINCREMENT gives no number again that was visible: the proof of dead holes rests on both.
-- Times are microseconds since 1970, UUIDs their 16 bytes.
CREATE TABLE IF NOT EXISTS main.outledger_message (
  position    INTEGER PRIMARY KEY AUTOINCREMENT,
  time        INTEGER NOT NULL,
  -- By the machine's clock: retention goes by it, whatever the clock of who appends says.
  appended_at INTEGER DEFAULT (CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000) NOT NULL,
  id          BLOB NOT NULL,
  version     INTEGER NOT NULL,
  topic       TEXT NOT NULL,
  message_key TEXT,
  type        TEXT NOT NULL,
  payload     BLOB NOT NULL,
  headers     TEXT,
  erased      BOOLEAN DEFAULT FALSE NOT NULL,
  -- What no relay can carry is refused here, whoever inserts it.
  CONSTRAINT outledger_message_time CHECK (
    typeof(time) = 'integer' AND time >= -62135596800000000 AND time < 253402300800000000),
  CONSTRAINT outledger_message_id CHECK (typeof(id) = 'blob' AND LENGTH(id) = 16),
  CONSTRAINT outledger_message_version CHECK (typeof(version) = 'integer' AND version BETWEEN 1 AND 2147483647),
  CONSTRAINT outledger_message_topic CHECK (typeof(topic) = 'text' AND LENGTH(CAST(topic AS BLOB)) BETWEEN 1 AND 600),
  CONSTRAINT outledger_message_key CHECK (typeof(message_key) <> 'blob' AND LENGTH(CAST(message_key AS BLOB)) <= 1500),
  CONSTRAINT outledger_message_type CHECK (typeof(type) = 'text' AND LENGTH(CAST(type AS BLOB)) BETWEEN 1 AND 600),
  CONSTRAINT outledger_message_payload CHECK (typeof(payload) = 'blob' AND LENGTH(payload) <= 67108864),
  CONSTRAINT outledger_message_headers CHECK (typeof(headers) <> 'blob' AND LENGTH(CAST(headers AS BLOB)) <= 180224)
);

-- What the ledger is known again by: a file that was restored has the row of the file that was copied.
CREATE TABLE IF NOT EXISTS main.outledger_server (
  one       BOOLEAN PRIMARY KEY CHECK (one),
  ledger_id BLOB NOT NULL
);

INSERT INTO main.outledger_server (one, ledger_id) VALUES (TRUE, randomblob(16)) ON CONFLICT DO NOTHING;

-- What each subscription has settled. A save inserts the next row; the newest row is the truth. One
-- that is deleted leaves a row that says it is gone, so that its numbers are never used again.
CREATE TABLE IF NOT EXISTS main.outledger_cursor (
  subscription TEXT NOT NULL,
  partition_no INTEGER DEFAULT 0 NOT NULL,
  n            INTEGER NOT NULL,
  incarnation  BLOB NOT NULL,
  taken        BOOLEAN DEFAULT FALSE NOT NULL,
  gone         BOOLEAN DEFAULT FALSE NOT NULL,
  lease_millis INTEGER NOT NULL,
  lease_until  INTEGER,
  saved_at     INTEGER DEFAULT (CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000) NOT NULL,
  high         INTEGER NOT NULL,
  known_position INTEGER,
  known_id     BLOB,
  open_ranges  TEXT NOT NULL,
  lacking      TEXT,
  PRIMARY KEY (subscription, partition_no, n)
);

-- Holes that wait for an open transaction, beside the cursor row where they are many: a range a row.
CREATE TABLE IF NOT EXISTS main.outledger_hole (
  subscription   TEXT NOT NULL,
  partition_no   INTEGER DEFAULT 0 NOT NULL,
  first_position INTEGER NOT NULL,
  last_position  INTEGER NOT NULL,
  PRIMARY KEY (subscription, partition_no, first_position)
);

-- Messages set aside from the main flow, each with all that is needed to publish it. A ledger that was
-- emptied gives positions out again, so an id is part of what a row is of; "emptied" counts how often it was
-- since the row was parked, for the order of a key.
CREATE TABLE IF NOT EXISTS main.outledger_parked (
  subscription    TEXT NOT NULL,
  partition_no    INTEGER DEFAULT 0 NOT NULL,
  position        INTEGER NOT NULL,
  route           TEXT NOT NULL,
  emptied         INTEGER DEFAULT 0 NOT NULL,
  state           TEXT NOT NULL CHECK (state IN ('retrying', 'held', 'dead')),
  blocks          BOOLEAN NOT NULL,
  requested       TEXT CHECK (requested IS NULL OR requested IN ('retry', 'discard')),
  request_id      BLOB,
  request_attempts INTEGER,
  replayed        BOOLEAN DEFAULT FALSE NOT NULL,
  attempts        INTEGER NOT NULL,
  next_attempt_at INTEGER,
  parked_at       INTEGER DEFAULT (CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000) NOT NULL,
  changed_at      INTEGER DEFAULT (CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000) NOT NULL,
  time            INTEGER NOT NULL,
  id              BLOB NOT NULL,
  version         INTEGER NOT NULL,
  topic           TEXT NOT NULL,
  message_key     TEXT,
  type            TEXT NOT NULL,
  payload         BLOB NOT NULL,
  headers         TEXT,
  withdrawn       BOOLEAN DEFAULT FALSE NOT NULL,
  error           TEXT,
  PRIMARY KEY (subscription, partition_no, position, route, id),
  CONSTRAINT outledger_parked_withdrawn
    CHECK (CASE WHEN withdrawn THEN COALESCE(requested, '') ELSE 'discard' END = 'discard')
);

CREATE INDEX IF NOT EXISTS main.outledger_parked_due ON outledger_parked
  (subscription, partition_no, route, next_attempt_at);

CREATE INDEX IF NOT EXISTS main.outledger_parked_requested ON outledger_parked
  (subscription, partition_no, requested, route, position, id);

CREATE INDEX IF NOT EXISTS main.outledger_parked_key ON outledger_parked
  (subscription, partition_no, route, message_key, emptied DESC, position);

CREATE INDEX IF NOT EXISTS main.outledger_parked_request ON outledger_parked
  (request_id, state, requested);

-- The failed attempts at what is parked: of each message the first five and the last five. They go with
-- its row.
CREATE TABLE IF NOT EXISTS main.outledger_attempt (
  subscription TEXT NOT NULL,
  partition_no INTEGER DEFAULT 0 NOT NULL,
  position     INTEGER NOT NULL,
  route        TEXT NOT NULL,
  id           BLOB NOT NULL,
  attempt_no   INTEGER NOT NULL,
  failed_at    INTEGER NOT NULL,
  took_millis  INTEGER,
  error        TEXT,
  PRIMARY KEY (subscription, partition_no, position, route, id, attempt_no)
) WITHOUT ROWID;

-- Foreign keys hold on those connections alone that switch them on, triggers on all.
CREATE TRIGGER IF NOT EXISTS main.outledger_parked_gone AFTER DELETE ON outledger_parked
BEGIN
  DELETE FROM outledger_attempt
   WHERE subscription = OLD.subscription AND partition_no = OLD.partition_no AND position = OLD.position
     AND route = OLD.route AND id = OLD.id;
END;

CREATE TRIGGER IF NOT EXISTS main.outledger_parked_renamed
  AFTER UPDATE OF subscription, partition_no, position, route, id ON outledger_parked
BEGIN
  UPDATE outledger_attempt
     SET subscription = NEW.subscription, partition_no = NEW.partition_no, position = NEW.position,
         route = NEW.route, id = NEW.id
   WHERE subscription = OLD.subscription AND partition_no = OLD.partition_no AND position = OLD.position
     AND route = OLD.route AND id = OLD.id;
END;

-- What each consumer has processed. The time is in minutes since 1970; the hash is of consumer, source and
-- message id. The proof tells which transaction has inserted a row.
CREATE TABLE IF NOT EXISTS main.outledger_inbox (
  processed_minute INTEGER DEFAULT ((CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000) / 60000000) NOT NULL,
  consumer_no  INTEGER NOT NULL,
  message_hash BLOB NOT NULL,
  proof        BLOB NOT NULL,
  PRIMARY KEY (consumer_no, message_hash)
) WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS main.outledger_inbox_processed ON outledger_inbox (processed_minute);

-- The names behind the numbers: consumers, and with a subscription those that handle messages of this
-- ledger. Never deleted. Two that tell a name at once write a row each. Of one that was renamed the hashes
-- contain the name and source that it had first.
CREATE TABLE IF NOT EXISTS main.outledger_inbox_consumer (
  consumer     TEXT NOT NULL,
  subscription TEXT NOT NULL,
  told_in      TEXT NOT NULL,
  consumer_no  INTEGER NOT NULL,
  hashed_consumer TEXT,
  hashed_source TEXT,
  PRIMARY KEY (consumer, subscription, told_in)
);

-- Messages that consumers have received and set aside, each with all that is needed to process it. Their
-- numbers are the order of a key.
CREATE TABLE IF NOT EXISTS main.outledger_inbox_parked (
  number          INTEGER PRIMARY KEY AUTOINCREMENT,
  consumer        TEXT NOT NULL,
  source          TEXT NOT NULL,
  message_id      TEXT NOT NULL,
  state           TEXT NOT NULL CHECK (state IN ('retrying', 'held', 'dead')),
  blocks          BOOLEAN NOT NULL,
  requested       TEXT CHECK (requested IS NULL OR requested IN ('retry', 'discard')),
  request_id      BLOB,
  request_attempts INTEGER,
  attempts        INTEGER NOT NULL,
  next_attempt_at INTEGER NOT NULL,
  parked_at       INTEGER DEFAULT (CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000) NOT NULL,
  changed_at      INTEGER DEFAULT (CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000) NOT NULL,
  origin          TEXT NOT NULL,
  topic           TEXT NOT NULL,
  key_space       TEXT NOT NULL,
  message_key     TEXT,
  type            TEXT NOT NULL,
  version         INTEGER NOT NULL,
  payload         BLOB NOT NULL,
  headers         TEXT,
  time            INTEGER,
  error           TEXT,
  UNIQUE (consumer, source, message_id)
);

CREATE INDEX IF NOT EXISTS main.outledger_inbox_parked_number ON outledger_inbox_parked (consumer, number);

CREATE INDEX IF NOT EXISTS main.outledger_inbox_parked_due ON outledger_inbox_parked
  (consumer, next_attempt_at);

CREATE INDEX IF NOT EXISTS main.outledger_inbox_parked_requested ON outledger_inbox_parked
  (consumer, requested, number);

CREATE INDEX IF NOT EXISTS main.outledger_inbox_parked_key ON outledger_inbox_parked
  (consumer, message_key, number);

CREATE INDEX IF NOT EXISTS main.outledger_inbox_parked_request ON outledger_inbox_parked
  (request_id, state, requested);

-- The failed attempts at what consumers have parked, likewise.
CREATE TABLE IF NOT EXISTS main.outledger_inbox_attempt (
  consumer    TEXT NOT NULL,
  number      INTEGER NOT NULL,
  attempt_no  INTEGER NOT NULL,
  failed_at   INTEGER NOT NULL,
  took_millis INTEGER,
  error       TEXT,
  PRIMARY KEY (consumer, number, attempt_no)
) WITHOUT ROWID;

CREATE TRIGGER IF NOT EXISTS main.outledger_inbox_parked_gone AFTER DELETE ON outledger_inbox_parked
BEGIN
  DELETE FROM outledger_inbox_attempt WHERE consumer = OLD.consumer AND number = OLD.number;
END;

CREATE TRIGGER IF NOT EXISTS main.outledger_inbox_parked_renamed
  AFTER UPDATE OF consumer, number ON outledger_inbox_parked
BEGIN
  UPDATE outledger_inbox_attempt SET consumer = NEW.consumer, number = NEW.number
   WHERE consumer = OLD.consumer AND number = OLD.number;
END;

-- How far retention has gone. Whoever places or removes a cursor locks this one row.
CREATE TABLE IF NOT EXISTS main.outledger_retention (
  one       BOOLEAN DEFAULT TRUE PRIMARY KEY CHECK (one),
  purged_to INTEGER DEFAULT 0 NOT NULL
);

INSERT INTO main.outledger_retention (one, purged_to) VALUES (TRUE, 0) ON CONFLICT DO NOTHING;

-- What the relays of each subscription are doing, each written by itself when it has changed. Nothing
-- rests on it. "causes" has a line for all that keeps messages back: form-encoded, "ms_before" since.
CREATE TABLE IF NOT EXISTS main.outledger_status (
  subscription TEXT NOT NULL,
  partition_no INTEGER DEFAULT 0 NOT NULL,
  instance     TEXT NOT NULL,
  incarnation  BLOB,
  state        TEXT NOT NULL CHECK (
    state IN ('standby', 'running', 'waiting', 'paused', 'recovering', 'refused', 'stopped')),
  since        INTEGER NOT NULL,
  reason       TEXT,
  causes       TEXT,
  PRIMARY KEY (subscription, partition_no, instance)
);

-- Who handles what: the routes of each subscription, the types of each consumer, as the instances that
-- have them say before they read. One that is changed or said again gets the reader's next revision.
-- A row with "renamed_to" declares nothing: it says that the reader, or its route, has another name now.
CREATE TABLE IF NOT EXISTS main.outledger_declaration (
  reader_kind TEXT NOT NULL CHECK (reader_kind IN ('subscription', 'consumer')),
  reader      TEXT NOT NULL,
  route       TEXT NOT NULL,
  takes       TEXT NOT NULL,
  what        TEXT NOT NULL,
  revision    INTEGER NOT NULL,
  ended       BOOLEAN DEFAULT FALSE NOT NULL,
  declared_by TEXT NOT NULL,
  declared_at INTEGER DEFAULT (CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000) NOT NULL,
  renamed_to  TEXT,
  PRIMARY KEY (reader_kind, reader, route, takes, what),
  UNIQUE (reader_kind, reader, revision)
);

-- What operators have asked for, and what came of it: committed before anything is done for it, and
-- kept as the audit. A step locks the row, and writes what it came to in the transaction that acts.
CREATE TABLE IF NOT EXISTS main.outledger_request (
  id          BLOB NOT NULL PRIMARY KEY,
  verb        TEXT NOT NULL,
  reader_kind TEXT NOT NULL CHECK (
    reader_kind IN ('subscription', 'consumer', 'ledger')),
  reader      TEXT NOT NULL,
  selection   TEXT NOT NULL,
  asked_by    TEXT NOT NULL,
  reason      TEXT NOT NULL,
  asked_at    INTEGER DEFAULT (CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000) NOT NULL,
  state       TEXT NOT NULL CHECK (
    state IN ('waiting', 'running', 'done', 'refused', 'stopped')),
  done_count  INTEGER DEFAULT 0 NOT NULL,
  total_count INTEGER,
  error_code  TEXT,
  result_text TEXT DEFAULT '' NOT NULL,
  work_place  TEXT,
  content     BLOB,
  next_at     INTEGER DEFAULT (CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000) NOT NULL,
  changed_at  INTEGER DEFAULT (CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000) NOT NULL
);

CREATE INDEX IF NOT EXISTS main.outledger_request_open ON outledger_request (state, next_at);

CREATE INDEX IF NOT EXISTS main.outledger_request_asked ON outledger_request (asked_at, id);

-- The sagas that have not ended. A step writes its row in the transaction that remembers its message, and
-- only over the version that it has read. Names and versions of states, and no name of a class.
CREATE TABLE IF NOT EXISTS main.outledger_saga (
  saga          TEXT NOT NULL,
  saga_key      TEXT NOT NULL,
  version       INTEGER NOT NULL,
  phase         TEXT NOT NULL CHECK (phase IN ('running', 'compensating')),
  waits_for     TEXT,
  timeouts      TEXT,
  done_steps    TEXT,
  state_type    TEXT NOT NULL,
  state_version INTEGER NOT NULL,
  payload       BLOB NOT NULL,
  started_at    INTEGER DEFAULT (CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000) NOT NULL,
  changed_at    INTEGER DEFAULT (CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000) NOT NULL,
  PRIMARY KEY (saga, saga_key)
);

-- What of each subscription is paused. A change gets the subscription's next revision; the row of the
-- last one stays, also where that ended a pause.
-- "partitions" is no pause: the name says into how many partitions a subscription is being divided, and
-- up to which position the old ones are read.
CREATE TABLE IF NOT EXISTS main.outledger_pause (
  subscription TEXT NOT NULL,
  scope_kind   TEXT NOT NULL CHECK (
    scope_kind IN ('subscription', 'route', 'topic', 'key', 'partitions')),
  scope_name   TEXT NOT NULL,
  revision     INTEGER NOT NULL,
  ended        BOOLEAN DEFAULT FALSE NOT NULL,
  paused_by    TEXT NOT NULL,
  reason       TEXT NOT NULL,
  paused_at    INTEGER DEFAULT (CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000) NOT NULL,
  PRIMARY KEY (subscription, scope_kind, scope_name),
  UNIQUE (subscription, revision)
);

-- Messages that wait for their time, in the order in which they were scheduled. A row goes in the
-- transaction that cancels it, or that inserts its message into the ledger.
CREATE TABLE IF NOT EXISTS main.outledger_scheduled (
  number       INTEGER PRIMARY KEY,
  due_at       INTEGER NOT NULL,
  scheduled_at INTEGER NOT NULL,
  id           BLOB NOT NULL,
  name         TEXT,
  version      INTEGER NOT NULL,
  topic        TEXT NOT NULL,
  message_key  TEXT,
  type         TEXT NOT NULL,
  payload      BLOB NOT NULL,
  headers      TEXT
);

CREATE INDEX IF NOT EXISTS main.outledger_scheduled_due ON outledger_scheduled (due_at, number);

CREATE INDEX IF NOT EXISTS main.outledger_scheduled_id ON outledger_scheduled (id);

CREATE UNIQUE INDEX IF NOT EXISTS main.outledger_scheduled_name ON outledger_scheduled (name)
  WHERE name IS NOT NULL;

-- Who moves them: one at a time, as long as there is something to move. The first mover makes the row.
CREATE TABLE IF NOT EXISTS main.outledger_mover (
  one         BOOLEAN PRIMARY KEY CHECK (one),
  holder      BLOB NOT NULL,
  lease_until INTEGER NOT NULL
);

-- Views for people. Ages are in seconds.
-- The newest cursor row of each subscription.
CREATE VIEW IF NOT EXISTS main.outledger_subscription AS
SELECT c.* FROM main.outledger_cursor c
 WHERE NOT c.gone
   AND c.n = (SELECT MAX(newest.n) FROM main.outledger_cursor newest
               WHERE newest.subscription = c.subscription AND newest.partition_no = c.partition_no);

-- What is pending: not published yet, and why. What an operator has paused says so,
-- except for a pause of one of several routes: the view does not know which messages go there.
-- CROSS JOIN has SQLite begin with the subscriptions.
CREATE VIEW IF NOT EXISTS main.outledger_pending AS
SELECT w.subscription, w.partition_no, w.position,
       CASE WHEN EXISTS (SELECT 1 FROM main.outledger_pause p
                          WHERE p.subscription = w.subscription AND NOT p.ended
                            AND (p.scope_kind = 'subscription'
                              OR p.scope_kind = 'route' AND p.scope_name = w.route
                              OR p.scope_kind = 'topic' AND p.scope_name = w.topic
                              OR p.scope_kind = 'key' AND p.scope_name = w.message_key))
            THEN 'paused' ELSE w.state END AS state, w.id, w.topic, w.message_key, w.type, w.version, w.time
  FROM (
    SELECT s.subscription, s.partition_no, m.position, 'waiting' AS state, '' AS route, m.id, m.topic, m.message_key, m.type,
           m.version, m.time
      FROM main.outledger_subscription s
     CROSS JOIN main.outledger_message m ON m.position > s.high
    UNION ALL
    SELECT s.subscription, s.partition_no, m.position, 'in flight', '', m.id, m.topic, m.message_key, m.type,
           m.version, m.time
      FROM main.outledger_subscription s
     CROSS JOIN json_each(s.open_ranges) r
     CROSS JOIN main.outledger_message m
        ON m.position BETWEEN json_extract(r.value, '$[0]') AND json_extract(r.value, '$[1]')
    UNION ALL
    SELECT h.subscription, h.partition_no, m.position, 'in flight', '', m.id, m.topic, m.message_key, m.type,
           m.version, m.time
      FROM main.outledger_hole h
     CROSS JOIN main.outledger_message m ON m.position BETWEEN h.first_position AND h.last_position
    UNION ALL
    SELECT p.subscription, p.partition_no, p.position, p.state, p.route, p.id, p.topic, p.message_key, p.type,
           p.version, p.time
      FROM main.outledger_parked p
     WHERE p.state <> 'dead') w;

-- What failed and why: what is tried again, and the dead letters.
CREATE VIEW IF NOT EXISTS main.outledger_failed AS
SELECT p.subscription, p.partition_no, p.position, p.route, p.state, p.attempts, p.error,
       p.next_attempt_at, p.blocks, p.requested, p.id, p.topic, p.message_key, p.type, p.version, p.time,
       p.parked_at, p.changed_at
  FROM main.outledger_parked p
 WHERE p.state <> 'held';

-- The same of what consumers have received.
CREATE VIEW IF NOT EXISTS main.outledger_inbox_failed AS
SELECT p.consumer, p.number, p.state, p.attempts, p.error, p.next_attempt_at, p.blocks, p.requested,
       p.source, p.message_id, p.topic, p.message_key, p.key_space, p.type, p.version, p.time, p.parked_at,
       p.changed_at
  FROM main.outledger_inbox_parked p
 WHERE p.state <> 'held';

-- What each consumer has processed, to the minute. Its position is known of what is of this ledger: the
-- first eight bytes of the hash.
CREATE VIEW IF NOT EXISTS main.outledger_processed AS
SELECT c.consumer, c.subscription,
       CASE WHEN c.subscription <> ''
            THEN (SELECT SUM((instr('0123456789ABCDEF', substr(hex(i.message_hash), d.value, 1)) - 1)
                             << (4 * (16 - d.value)))
                    FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]') d)
       END AS position,
       i.processed_minute * 60000000 AS processed_at, i.message_hash
  FROM main.outledger_inbox i
  LEFT JOIN (SELECT n.consumer_no, MIN(n.consumer) AS consumer, MIN(n.subscription) AS subscription
               FROM main.outledger_inbox_consumer n GROUP BY n.consumer_no) c
    ON c.consumer_no = i.consumer_no;

-- The ledger as people can read it: payloads as text where SQLite can read them as UTF-8, as JSON is; else \x
-- and hexadecimal digits. They are data of the business: give the file to few.
CREATE VIEW IF NOT EXISTS main.outledger_readable AS
SELECT m.position, strftime('%Y-%m-%d %H:%M:%S',
                            (m.time - (m.time % 1000000 + 1000000) % 1000000) / 1000000, 'unixepoch')
                   || printf('.%06d', (m.time % 1000000 + 1000000) % 1000000) AS time,
       lower(substr(hex(m.id), 1, 8) || '-' || substr(hex(m.id), 9, 4) || '-' || substr(hex(m.id), 13, 4)
             || '-' || substr(hex(m.id), 17, 4) || '-' || substr(hex(m.id), 21)) AS id,
       m.version, m.topic, m.message_key, m.type, m.headers,
       CASE WHEN instr(m.payload, x'00') = 0
             AND CAST(m.payload AS TEXT) NOT GLOB '*[' || char(128) || '-' || char(159) || char(65533) || ']*'
            THEN CAST(m.payload AS TEXT)
            ELSE '\x' || lower(hex(m.payload)) END AS payload
  FROM main.outledger_message m;

-- How late are we, and why. "oldest" is the oldest message that is neither published nor discarded,
-- copies of a replay apart, "waiting" the oldest that the relay has still to try. Positions that
-- were drawn and rolled back count in "behind" until they are read. A row without a subscription
-- says that nobody reads the ledger, or that a row which the schema inserts was removed. "lacking"
-- is what is declared and the owner does not have: its messages are parked. Retention keeps all
-- from "lowest".
-- Where nobody runs a subscription, "state" says what its last owner was doing: "was running",
-- unless a relay was refused after that: then it says so.
CREATE VIEW IF NOT EXISTS main.outledger_lag AS
SELECT l.subscription, l.partition_no, l.running, t.instance,
       CASE WHEN l.running OR t.state NOT IN ('running', 'waiting', 'paused') THEN t.state
            ELSE 'was ' || t.state END AS state,
       t.since, t.reason, l.saved_at,
       l.high, MAX(l.newest - l.high, 0) AS behind,
       CASE WHEN MIN(l.waiting, l.parked) < l.never
            THEN MAX((CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000) - MIN(l.waiting, l.parked), 0) / 1000000.0
            ELSE 0.0 END AS oldest_age,
       CASE WHEN MIN(l.waiting, l.parked) = l.never THEN NULL
            WHEN l.waiting <= l.parked THEN 'waiting'
            ELSE l.parked_state END AS oldest_state,
       CASE WHEN l.waiting < l.never
            THEN MAX((CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000) - l.waiting, 0) / 1000000.0
            ELSE 0.0 END AS waiting_age,
       l.open_ranges, l.retrying, l.held, l.dead, l.lacking,
       MIN(l.first_open, l.first_hole) AS lowest, l.lease_until
  FROM (
    SELECT i.subscription, i.partition_no, i.running, i.saved_at, i.high, i.newest, i.never,
           i.open_ranges, i.retrying, i.held, i.dead, i.lacking, i.owner, i.parked_state,
           MIN(i.above, i.in_flight, i.in_hole) AS waiting, i.parked, i.first_open, i.first_hole,
           i.lease_until
      FROM (
        SELECT s.subscription, s.partition_no, s.saved_at, s.high, s.lacking, s.lease_until,
               COALESCE(json_extract(s.open_ranges, '$[0][0]'), s.high + 1) AS first_open,
               COALESCE((SELECT MIN(h.first_position) FROM main.outledger_hole h
                          WHERE h.subscription = s.subscription AND h.partition_no = s.partition_no),
                        s.high + 1) AS first_hole,
               253402300800000000 AS never,
               COALESCE(s.lease_until > (CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000), FALSE) AS running,
               (SELECT COALESCE(MAX(m.position), 0) FROM main.outledger_message m) AS newest,
               COALESCE((SELECT m.appended_at FROM main.outledger_message m
                          WHERE m.position > s.high ORDER BY m.position LIMIT 1),
                        253402300800000000) AS above,
               COALESCE((SELECT MIN(m.appended_at) FROM json_each(s.open_ranges) r
                          CROSS JOIN main.outledger_message m
                             ON m.position BETWEEN json_extract(r.value, '$[0]')
                                AND json_extract(r.value, '$[1]')),
                        253402300800000000) AS in_flight,
               COALESCE((SELECT MIN(m.appended_at) FROM main.outledger_hole h
                          CROSS JOIN main.outledger_message m
                             ON m.position BETWEEN h.first_position AND h.last_position
                          WHERE h.subscription = s.subscription AND h.partition_no = s.partition_no),
                        253402300800000000) AS in_hole,
               COALESCE((SELECT COALESCE((SELECT m.appended_at
                                     FROM main.outledger_message m
                                    WHERE m.position = p.position AND m.id = p.id), p.parked_at)
                           FROM main.outledger_parked p
                          WHERE p.subscription = s.subscription AND p.partition_no = s.partition_no
                            AND NOT p.replayed
                          ORDER BY p.position, p.route, p.id LIMIT 1),
                        253402300800000000) AS parked,
               (SELECT p.state FROM main.outledger_parked p
                 WHERE p.subscription = s.subscription AND p.partition_no = s.partition_no
                   AND NOT p.replayed
                 ORDER BY p.position, p.route, p.id LIMIT 1) AS parked_state,
               json_array_length(s.open_ranges) + (
                 SELECT COUNT(*) FROM main.outledger_hole h
                  WHERE h.subscription = s.subscription AND h.partition_no = s.partition_no)
                 AS open_ranges,
               (SELECT COUNT(*) FROM main.outledger_parked p
                 WHERE p.subscription = s.subscription AND p.partition_no = s.partition_no
                   AND p.state = 'retrying') AS retrying,
               (SELECT COUNT(*) FROM main.outledger_parked p
                 WHERE p.subscription = s.subscription AND p.partition_no = s.partition_no
                   AND p.state = 'held') AS held,
               (SELECT COUNT(*) FROM main.outledger_parked p
                 WHERE p.subscription = s.subscription AND p.partition_no = s.partition_no
                   AND p.state = 'dead') AS dead,
               (SELECT t.instance FROM main.outledger_status t
                 WHERE t.subscription = s.subscription AND t.partition_no = s.partition_no
                   AND (t.incarnation = s.incarnation
                        OR NOT COALESCE(s.lease_until > (CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000), FALSE))
                 ORDER BY CASE WHEN t.incarnation = s.incarnation OR t.state IN ('refused', 'stopped')
                               THEN 0 ELSE 1 END,
                          CASE WHEN t.incarnation = s.incarnation AND s.saved_at > t.since
                               THEN s.saved_at ELSE t.since END DESC
                 LIMIT 1) AS owner
          FROM main.outledger_subscription s) i) l
  LEFT JOIN main.outledger_status t
    ON t.subscription = l.subscription AND t.partition_no = l.partition_no AND t.instance = l.owner
UNION ALL
SELECT NULL, NULL, FALSE, NULL, CASE WHEN r.one THEN 'unread' ELSE 'refused' END, NULL,
       CASE WHEN r.one
            THEN 'no subscription reads the ledger: start a relay, or nothing is published'
            ELSE 'the row of outledger_retention is missing: put it back with Schema.apply' END, NULL,
       COALESCE(r.purged_to, 0), MAX(m.position - COALESCE(r.purged_to, 0), 0),
       CASE WHEN first.appended_at IS NULL THEN 0.0
            ELSE MAX((CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000) - first.appended_at, 0) / 1000000.0 END,
       CASE WHEN first.appended_at IS NOT NULL THEN 'waiting' END,
       CASE WHEN first.appended_at IS NULL THEN 0.0
            ELSE MAX((CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000) - first.appended_at, 0) / 1000000.0 END, 0, 0, 0, 0, NULL, NULL, NULL
  FROM (SELECT COALESCE(MAX(position), 0) AS position, MIN(position) AS lowest
          FROM main.outledger_message) m
  LEFT JOIN main.outledger_message first ON first.position = m.lowest
  LEFT JOIN main.outledger_retention r ON TRUE
 WHERE r.one IS NULL OR NOT EXISTS (SELECT 1 FROM main.outledger_subscription)
UNION ALL
SELECT NULL, NULL, FALSE, NULL, 'overdue', o.since,
       'scheduled messages are overdue: start a relay; where one runs, its log says why they stay',
       NULL, 0, o.messages, ((CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000) - o.since) / 1000000.0, 'scheduled', ((CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000) - o.since) / 1000000.0,
       0, 0, 0, 0, NULL, NULL, NULL
  FROM (SELECT COUNT(*) AS messages, MIN(s.due_at) AS since
          FROM (SELECT due.due_at FROM main.outledger_scheduled due
                 WHERE due.due_at < (CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000) - 15000000
                 ORDER BY due.due_at LIMIT 10001) s) o
 WHERE o.messages > 0;

INSERT INTO main.outledger_schema (version) VALUES (1) ON CONFLICT DO NOTHING;
