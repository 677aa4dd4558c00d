-- All times are UTC, whatever the time zone of a session is.
-- The gate: whoever appends holds a shared lock on a row of it from before a number is drawn until the transaction ends.
-- Its 16 rows are never changed: the proof of dead holes rests on them.
CREATE TABLE IF NOT EXISTS {schema}.outledger_gate (
  slot INTEGER NOT NULL PRIMARY KEY
) {table};

INSERT IGNORE INTO {schema}.outledger_gate (slot) VALUES
  (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13), (14), (15);

-- The ledger: appended to, read, purged by range; never updated, but for an erasure. The gate of a statement's first row is
--   (SELECT slot FROM outledger_gate WHERE slot = (UNIX_TIMESTAMP() MOD 16) LOCK IN SHARE MODE)
-- and 0 in the others: without that lock, messages are lost.
CREATE TABLE IF NOT EXISTS {schema}.outledger_message (
  position    BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  gate        INTEGER NOT NULL,
  time        DATETIME(6) NOT NULL,
  id          BINARY(16) NOT NULL,
  version     INTEGER NOT NULL,
  topic       VARCHAR(200) NOT NULL,
  message_key VARCHAR(500),
  type        VARCHAR(200) NOT NULL,
  payload     LONGBLOB NOT NULL,
  headers     MEDIUMTEXT,
  erased      BOOLEAN NOT NULL DEFAULT FALSE,
  -- By the server's clock: retention goes by it, whatever the clock of who appends says. Shown in the session's
  -- time zone: MySQL before 8.0.13 has a default for no other type.
  appended_at TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  -- What no relay can carry is refused here, whoever inserts it. MySQL checks it from 8.0.16 on.
  CONSTRAINT outledger_message_gate CHECK (gate BETWEEN 0 AND 15),
  CONSTRAINT outledger_message_time CHECK (COALESCE(FROM_DAYS(TO_DAYS(time)) = DATE(time), FALSE) = TRUE),
  CONSTRAINT outledger_message_version CHECK (version >= 1),
  CONSTRAINT outledger_message_topic CHECK (OCTET_LENGTH(topic) BETWEEN 1 AND 600),
  CONSTRAINT outledger_message_key CHECK (OCTET_LENGTH(message_key) <= 1500),
  CONSTRAINT outledger_message_type CHECK (OCTET_LENGTH(type) BETWEEN 1 AND 600),
  CONSTRAINT outledger_message_payload CHECK (OCTET_LENGTH(payload) <= 67108864),
  CONSTRAINT outledger_message_headers CHECK (OCTET_LENGTH(headers) <= 180224)
) {table};

-- Always empty: while it refers to the ledger, nobody can TRUNCATE that, which would give positions out again.
CREATE TABLE IF NOT EXISTS {schema}.outledger_guard (
  position BIGINT NOT NULL PRIMARY KEY,
  CONSTRAINT outledger_guard_position FOREIGN KEY (position) REFERENCES {schema}.outledger_message (position)
) {table};

-- What each subscription has settled. A save inserts the next row; the newest row is the truth. One
-- that is deleted leaves a row that says it is gone, so that its numbers are never used again.
CREATE TABLE IF NOT EXISTS {schema}.outledger_cursor (
  subscription VARCHAR(100) NOT NULL,
  partition_no INTEGER NOT NULL DEFAULT 0,
  n            BIGINT NOT NULL,
  incarnation  BINARY(16) NOT NULL,
  taken        BOOLEAN NOT NULL DEFAULT FALSE,
  gone         BOOLEAN NOT NULL DEFAULT FALSE,
  lease_millis BIGINT NOT NULL,
  lease_until  DATETIME(6),
  saved_at     DATETIME(6) NOT NULL,
  high         BIGINT NOT NULL,
  known_position BIGINT,
  known_id     BINARY(16),
  open_ranges  MEDIUMTEXT NOT NULL,
  lacking      MEDIUMTEXT,
  PRIMARY KEY (subscription, partition_no, n)
) {table};

-- Holes that wait for an open transaction, beside the cursor row where they are many: a range a row.
CREATE TABLE IF NOT EXISTS {schema}.outledger_hole (
  subscription   VARCHAR(100) NOT NULL,
  partition_no   INTEGER NOT NULL DEFAULT 0,
  first_position BIGINT NOT NULL,
  last_position  BIGINT NOT NULL,
  PRIMARY KEY (subscription, partition_no, first_position)
) {table};

-- Messages set aside from the main flow, each with all that is needed to publish it. A ledger that was
-- emptied gives positions out again, so an id is part of what a row is of; "emptied" counts how often it was
-- since the row was parked, for the order of a key.
CREATE TABLE IF NOT EXISTS {schema}.outledger_parked (
  subscription    VARCHAR(100) NOT NULL,
  partition_no    INTEGER NOT NULL DEFAULT 0,
  position        BIGINT NOT NULL,
  route           VARCHAR(100) NOT NULL,
  emptied         INTEGER NOT NULL DEFAULT 0,
  state           VARCHAR(20) NOT NULL CHECK (state IN ('retrying', 'held', 'dead')),
  blocks          BOOLEAN NOT NULL,
  requested       VARCHAR(20) CHECK (requested IN ('retry', 'discard')),
  request_id      BINARY(16),
  request_attempts INTEGER,
  replayed        BOOLEAN NOT NULL DEFAULT FALSE,
  attempts        INTEGER NOT NULL,
  next_attempt_at DATETIME(6),
  parked_at       DATETIME(6) NOT NULL,
  changed_at      DATETIME(6) NOT NULL,
  time            DATETIME(6) NOT NULL,
  id              BINARY(16) NOT NULL,
  version         INTEGER NOT NULL,
  topic           VARCHAR(200) NOT NULL,
  message_key     VARCHAR(500),
  type            VARCHAR(200) NOT NULL,
  payload         LONGBLOB NOT NULL,
  headers         MEDIUMTEXT,
  withdrawn       BOOLEAN NOT NULL DEFAULT FALSE,
  error           MEDIUMTEXT,
  row_no          BIGINT NOT NULL AUTO_INCREMENT,
  discarded       BOOLEAN AS (withdrawn OR requested = 'discard') STORED,
  PRIMARY KEY (subscription, partition_no, position, route, id),
  UNIQUE KEY outledger_parked_row (row_no),
  KEY outledger_parked_due (subscription, partition_no, route, next_attempt_at),
  KEY outledger_parked_requested (subscription, partition_no, discarded, route, position, id),
  KEY outledger_parked_key (subscription, partition_no, route, message_key(191), position),
  KEY outledger_parked_request (request_id, state, requested)
) {table};

-- The failed attempts at what is parked: of each message the first five and the last five. They go with
-- its row.
CREATE TABLE IF NOT EXISTS {schema}.outledger_attempt (
  subscription VARCHAR(100) NOT NULL,
  partition_no INTEGER NOT NULL DEFAULT 0,
  position     BIGINT NOT NULL,
  route        VARCHAR(100) NOT NULL,
  id           BINARY(16) NOT NULL,
  attempt_no   INTEGER NOT NULL,
  failed_at    DATETIME(6) NOT NULL,
  took_millis  BIGINT,
  error        MEDIUMTEXT,
  PRIMARY KEY (subscription, partition_no, position, route, id, attempt_no),
  CONSTRAINT outledger_attempt_parked FOREIGN KEY (subscription, partition_no, position, route, id)
    REFERENCES {schema}.outledger_parked (subscription, partition_no, position, route, id)
    ON UPDATE CASCADE ON DELETE CASCADE
) {table};

-- What each consumer has processed. The time is in minutes since 1970; the hash is of consumer, source and
-- message id. The proof tells which transaction has inserted a row.
CREATE TABLE IF NOT EXISTS {schema}.outledger_inbox (
  processed_minute INTEGER NOT NULL,
  consumer_no  INTEGER NOT NULL,
  message_hash BINARY(16) NOT NULL,
  proof        BINARY(16) NOT NULL,
  PRIMARY KEY (consumer_no, message_hash),
  KEY outledger_inbox_processed (processed_minute)
) {table};

-- The names behind the numbers: consumers, and with a subscription those that handle messages of this
-- ledger. Never deleted. Two that tell a name at once write a row each. Of one that was renamed the hashes
-- contain the name and source that it had first.
CREATE TABLE IF NOT EXISTS {schema}.outledger_inbox_consumer (
  consumer     VARCHAR(250) NOT NULL,
  subscription VARCHAR(100) NOT NULL,
  told_in      VARCHAR(100) NOT NULL,
  consumer_no  INTEGER NOT NULL,
  hashed_consumer VARCHAR(300),
  hashed_source VARCHAR(500),
  PRIMARY KEY (consumer, subscription, told_in)
) {table};

-- Messages that consumers have received and set aside, each with all that is needed to process it. Their
-- numbers are the order of a key. The hash is of source and message id, which are too long for a key.
CREATE TABLE IF NOT EXISTS {schema}.outledger_inbox_parked (
  consumer        VARCHAR(250) NOT NULL,
  number          BIGINT NOT NULL AUTO_INCREMENT,
  source          VARCHAR(500) NOT NULL,
  message_id      VARCHAR(500) NOT NULL,
  message_hash    BINARY(32) NOT NULL,
  proof           BINARY(16),
  state           VARCHAR(20) NOT NULL CHECK (state IN ('retrying', 'held', 'dead')),
  blocks          BOOLEAN NOT NULL,
  requested       VARCHAR(20) CHECK (requested IN ('retry', 'discard')),
  request_id      BINARY(16),
  request_attempts INTEGER,
  attempts        INTEGER NOT NULL,
  next_attempt_at DATETIME(6) NOT NULL,
  parked_at       DATETIME(6) NOT NULL,
  changed_at      DATETIME(6) NOT NULL,
  origin          VARCHAR(300) NOT NULL,
  topic           VARCHAR(500) NOT NULL,
  key_space       TEXT NOT NULL,
  message_key     VARCHAR(500),
  type            VARCHAR(500) NOT NULL,
  version         INTEGER NOT NULL,
  payload         LONGBLOB NOT NULL,
  headers         MEDIUMTEXT,
  time            DATETIME(6),
  error           MEDIUMTEXT,
  PRIMARY KEY (consumer, number),
  UNIQUE KEY outledger_inbox_parked_number (number),
  UNIQUE KEY outledger_inbox_parked_message (consumer, message_hash),
  KEY outledger_inbox_parked_id (consumer, message_id(100)),
  KEY outledger_inbox_parked_due (consumer, next_attempt_at),
  KEY outledger_inbox_parked_requested (consumer, requested, number),
  KEY outledger_inbox_parked_key (consumer, message_key(191), number),
  KEY outledger_inbox_parked_request (request_id, state, requested)
) {table};

-- The failed attempts at what consumers have parked, likewise.
CREATE TABLE IF NOT EXISTS {schema}.outledger_inbox_attempt (
  consumer    VARCHAR(250) NOT NULL,
  number      BIGINT NOT NULL,
  attempt_no  INTEGER NOT NULL,
  failed_at   DATETIME(6) NOT NULL,
  took_millis BIGINT,
  error       MEDIUMTEXT,
  PRIMARY KEY (consumer, number, attempt_no),
  CONSTRAINT outledger_inbox_attempt_parked FOREIGN KEY (consumer, number)
    REFERENCES {schema}.outledger_inbox_parked (consumer, number)
    ON UPDATE CASCADE ON DELETE CASCADE
) {table};

-- How far retention has gone. Whoever places or removes a cursor locks this one row.
CREATE TABLE IF NOT EXISTS {schema}.outledger_retention (
  one       BOOLEAN NOT NULL DEFAULT TRUE PRIMARY KEY CHECK (one = TRUE),
  purged_to BIGINT NOT NULL DEFAULT 0
) {table};

INSERT IGNORE INTO {schema}.outledger_retention (one, purged_to) VALUES (TRUE, 0);

-- What transactions lock that have to wait for one another by key; never written.
CREATE TABLE IF NOT EXISTS {schema}.outledger_key_lock (
  slot INTEGER NOT NULL PRIMARY KEY
) {table};

INSERT IGNORE INTO {schema}.outledger_key_lock (slot)
SELECT g.slot * 4 + r.n FROM {schema}.outledger_gate g
  JOIN (SELECT 0 AS n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3) r ON TRUE;

-- What the relays of each subscription are doing, each written by itself when it has changed. Nothing
-- rests on it. "causes" has a line for all that keeps messages back: form-encoded, "ms_before" since.
CREATE TABLE IF NOT EXISTS {schema}.outledger_status (
  subscription VARCHAR(100) NOT NULL,
  partition_no INTEGER NOT NULL DEFAULT 0,
  instance     VARCHAR(200) NOT NULL,
  incarnation  BINARY(16),
  state        VARCHAR(20) NOT NULL CHECK (
    state IN ('standby', 'running', 'waiting', 'paused', 'recovering', 'refused', 'stopped')),
  since        DATETIME(6) NOT NULL,
  reason       MEDIUMTEXT,
  causes       MEDIUMTEXT,
  PRIMARY KEY (subscription, partition_no, instance)
) {table};

-- Who handles what: the routes of each subscription, the types of each consumer, as the instances that
-- have them say before they read. One that is changed or said again gets the reader's next revision.
-- A row with "renamed_to" declares nothing: it says that the reader, or its route, has another name now.
CREATE TABLE IF NOT EXISTS {schema}.outledger_declaration (
  reader_kind VARCHAR(20) NOT NULL CHECK (reader_kind IN ('subscription', 'consumer')),
  reader      VARCHAR(250) NOT NULL,
  route       VARCHAR(100) NOT NULL,
  takes       VARCHAR(20) NOT NULL,
  what        VARCHAR(300) NOT NULL,
  revision    BIGINT NOT NULL,
  ended       BOOLEAN NOT NULL DEFAULT FALSE,
  declared_by VARCHAR(250) NOT NULL,
  declared_at DATETIME(6) NOT NULL,
  renamed_to  VARCHAR(250),
  PRIMARY KEY (reader_kind, reader, route, takes, what),
  UNIQUE KEY outledger_declaration_revision (reader_kind, reader, revision)
) {table};

-- What operators have asked for, and what came of it: committed before anything is done for it, and
-- kept as the audit. A step locks the row, and writes what it came to in the transaction that acts.
CREATE TABLE IF NOT EXISTS {schema}.outledger_request (
  id          BINARY(16) NOT NULL PRIMARY KEY,
  verb        VARCHAR(50) NOT NULL,
  reader_kind VARCHAR(20) NOT NULL CHECK (reader_kind IN ('subscription', 'consumer', 'ledger')),
  reader      VARCHAR(250) NOT NULL,
  selection   MEDIUMTEXT NOT NULL,
  asked_by    TEXT NOT NULL,
  reason      TEXT NOT NULL,
  asked_at    DATETIME(6) NOT NULL,
  state       VARCHAR(20) NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'refused', 'stopped')),
  done_count  BIGINT NOT NULL DEFAULT 0,
  total_count BIGINT,
  error_code  VARCHAR(50),
  result_text MEDIUMTEXT NOT NULL,
  work_place  MEDIUMTEXT,
  content     LONGBLOB,
  next_at     DATETIME(6) NOT NULL,
  changed_at  DATETIME(6) NOT NULL,
  KEY outledger_request_open (state, next_at),
  KEY outledger_request_asked (asked_at, id)
) {table};

-- The sagas that have not ended. A step writes its row in the transaction that remembers its message, and
-- only over the version that it has read. Names and versions of states, and no name of a class.
CREATE TABLE IF NOT EXISTS {schema}.outledger_saga (
  saga          VARCHAR(100) NOT NULL,
  saga_key      VARCHAR(500) NOT NULL,
  version       BIGINT NOT NULL,
  phase         VARCHAR(20) NOT NULL CHECK (phase IN ('running', 'compensating')),
  waits_for     TEXT,
  timeouts      MEDIUMTEXT,
  done_steps    MEDIUMTEXT,
  state_type    VARCHAR(200) NOT NULL,
  state_version INTEGER NOT NULL,
  payload       LONGBLOB NOT NULL,
  started_at    DATETIME(6) NOT NULL,
  changed_at    DATETIME(6) NOT NULL,
  PRIMARY KEY (saga, saga_key)
) {table};

-- What of each subscription is paused. A change gets the subscription's next revision; the row of the
-- last one stays, also where that ended a pause.
-- "partitions" is no pause: the name says into how many partitions a subscription is being divided, and
-- up to which position the old ones are read.
CREATE TABLE IF NOT EXISTS {schema}.outledger_pause (
  subscription VARCHAR(100) NOT NULL,
  scope_kind   VARCHAR(20) NOT NULL CHECK (
    scope_kind IN ('subscription', 'route', 'topic', 'key', 'partitions')),
  scope_name   VARCHAR(500) NOT NULL,
  revision     BIGINT NOT NULL,
  ended        BOOLEAN NOT NULL DEFAULT FALSE,
  paused_by    TEXT NOT NULL,
  reason       TEXT NOT NULL,
  paused_at    DATETIME(6) NOT NULL,
  PRIMARY KEY (subscription, scope_kind, scope_name),
  UNIQUE KEY outledger_pause_revision (subscription, revision)
) {table};

-- Messages that wait for their time, in the order in which they were scheduled. A row goes in the
-- transaction that cancels it, or that inserts its message into the ledger.
CREATE TABLE IF NOT EXISTS {schema}.outledger_scheduled (
  number       BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  due_at       DATETIME(6) NOT NULL,
  scheduled_at DATETIME(6) NOT NULL,
  id           BINARY(16) NOT NULL,
  name         VARCHAR(100),
  version      INTEGER NOT NULL,
  topic        VARCHAR(200) NOT NULL,
  message_key  VARCHAR(500),
  type         VARCHAR(200) NOT NULL,
  payload      LONGBLOB NOT NULL,
  headers      MEDIUMTEXT,
  KEY outledger_scheduled_due (due_at, number),
  KEY outledger_scheduled_id (id),
  UNIQUE KEY outledger_scheduled_name (name)
) {table};

-- Who moves them: one at a time, as long as there is something to move. The first mover makes the row.
CREATE TABLE IF NOT EXISTS {schema}.outledger_mover (
  one         BOOLEAN NOT NULL PRIMARY KEY,
  holder      BINARY(16) NOT NULL,
  lease_until DATETIME(6) NOT NULL
) {table};

-- Views for people.

-- The newest cursor row of each subscription.
CREATE OR REPLACE VIEW {schema}.outledger_subscription AS
SELECT c.* FROM {schema}.outledger_cursor c
 WHERE NOT c.gone
   AND c.n = (SELECT MAX(newest.n) FROM {schema}.outledger_cursor newest
               WHERE newest.subscription = c.subscription AND newest.partition_no = c.partition_no);

-- What is pending: not published yet, and why. What an operator has paused says so,
-- except for a pause of one of several routes: the view does not know which messages go there.
-- MySQL 8.0.12 takes no column of a view for a JSON_TABLE.
CREATE OR REPLACE VIEW {schema}.outledger_pending AS
SELECT w.subscription, w.partition_no, w.position,
       CASE WHEN EXISTS (SELECT 1 FROM {schema}.outledger_pause p
                          WHERE p.subscription = w.subscription AND NOT p.ended
                            AND (p.scope_kind = 'subscription'
                              OR p.scope_kind = 'route' AND p.scope_name = w.route
                              OR p.scope_kind = 'topic' AND p.scope_name = w.topic
                              OR p.scope_kind = 'key' AND p.scope_name = w.message_key))
            THEN 'paused' ELSE w.state END AS state, w.id, w.topic, w.message_key, w.type, w.version, w.time
  FROM (
    SELECT s.subscription, s.partition_no, m.position, 'waiting' AS state, '' AS route, m.id, m.topic, m.message_key, m.type,
           m.version, m.time
      FROM {schema}.outledger_subscription s
      JOIN {schema}.outledger_message m ON m.position > s.high
    UNION ALL
    SELECT s.subscription, s.partition_no, m.position, 'in flight' AS state, '' AS route, m.id, m.topic, m.message_key, m.type,
           m.version, m.time
      FROM {schema}.outledger_cursor s
      JOIN JSON_TABLE(s.open_ranges, '$[*]' COLUMNS (f BIGINT PATH '$[0]', l BIGINT PATH '$[1]')) r
      JOIN {schema}.outledger_message m ON m.position BETWEEN r.f AND r.l
     WHERE NOT s.gone
       AND s.n = (SELECT MAX(newest.n) FROM {schema}.outledger_cursor newest
                   WHERE newest.subscription = s.subscription AND newest.partition_no = s.partition_no)
    UNION ALL
    SELECT h.subscription, h.partition_no, m.position, 'in flight' AS state, '' AS route, m.id, m.topic, m.message_key, m.type,
           m.version, m.time
      FROM {schema}.outledger_hole h
      JOIN {schema}.outledger_message m ON m.position BETWEEN h.first_position AND h.last_position
    UNION ALL
    SELECT p.subscription, p.partition_no, p.position, p.state, p.route, p.id, p.topic, p.message_key, p.type,
           p.version, p.time
      FROM {schema}.outledger_parked p
     WHERE p.state <> 'dead') w;

-- What failed and why: what is tried again, and the dead letters.
CREATE OR REPLACE VIEW {schema}.outledger_failed AS
SELECT p.subscription, p.partition_no, p.position, p.route, p.state, p.attempts, p.error,
       p.next_attempt_at, p.blocks, p.requested, p.id, p.topic, p.message_key, p.type, p.version, p.time,
       p.parked_at, p.changed_at
  FROM {schema}.outledger_parked p
 WHERE p.state <> 'held';

-- The same of what consumers have received.
CREATE OR REPLACE VIEW {schema}.outledger_inbox_failed AS
SELECT p.consumer, p.number, p.state, p.attempts, p.error, p.next_attempt_at, p.blocks, p.requested,
       p.source, p.message_id, p.topic, p.message_key, p.key_space, p.type, p.version, p.time, p.parked_at,
       p.changed_at
  FROM {schema}.outledger_inbox_parked p
 WHERE p.state <> 'held';

-- What each consumer has processed, to the minute. Its position is known of what is of this ledger.
CREATE OR REPLACE VIEW {schema}.outledger_processed AS
SELECT c.consumer, c.subscription,
       CASE WHEN c.subscription <> ''
            THEN CAST(CONV(HEX(SUBSTRING(i.message_hash, 1, 8)), 16, 10) AS SIGNED)
       END AS position,
       TIMESTAMPADD(MINUTE, i.processed_minute, TIMESTAMP '1970-01-01 00:00:00') AS processed_at,
       i.message_hash
  FROM {schema}.outledger_inbox i
  LEFT JOIN (SELECT n.consumer_no, MIN(n.consumer) AS consumer, MIN(n.subscription) AS subscription
               FROM {schema}.outledger_inbox_consumer n GROUP BY n.consumer_no) c
    ON c.consumer_no = i.consumer_no;

-- The ledger with ids and payloads that people can read: payloads as text where they are UTF-8, as JSON is;
-- else \x and hexadecimal digits. They are data of the business: grant it to few.
CREATE OR REPLACE VIEW {schema}.outledger_readable AS
SELECT m.position, m.time, INSERT(INSERT(INSERT(INSERT(LOWER(HEX(m.id)), 21, 0, '-'), 17, 0, '-'), 13, 0, '-'),
       9, 0, '-') AS id, m.version, m.topic, m.message_key, m.type, m.headers,
       CASE WHEN CAST(CONVERT(CONVERT(CONVERT(m.payload USING utf8mb4) USING utf16) USING utf8mb4) AS BINARY)
              = m.payload
             AND LOCATE(CHAR(0), m.payload) = 0
            THEN CONVERT(m.payload USING utf8mb4)
            ELSE CONCAT(CHAR(92 USING utf8mb4), 'x', LOWER(HEX(m.payload))) END AS payload
  FROM {schema}.outledger_message m;

-- How late are we, and why; ages are in seconds. "oldest" is the oldest message that is neither published
-- nor discarded, copies of a replay apart, "waiting" the oldest that the relay has still to try. Positions that
-- were drawn and rolled back count in "behind" until they are read. A row without a subscription
-- says that nobody reads the ledger, or that a row which the schema inserts was removed. "lacking"
-- is what is declared and the owner does not have: its messages are parked. Retention keeps all
-- from "lowest".
-- Where nobody runs a subscription, "state" says what its last owner was doing: "was running",
-- unless a relay was refused after that: then it says so.
-- Ages count from appended_at, in seconds since 1970: so no session's time zone matters.
CREATE OR REPLACE VIEW {schema}.outledger_lag AS
SELECT l.subscription, l.partition_no, l.running, t.instance,
       CASE WHEN l.running OR t.state NOT IN ('running', 'waiting', 'paused') THEN t.state
            ELSE CONCAT('was ', t.state) END AS state,
       t.since, t.reason, l.saved_at,
       l.high, GREATEST(l.newest - l.high, 0) AS behind,
       CASE WHEN LEAST(l.waiting, l.parked) < l.never
            THEN GREATEST(l.now - LEAST(l.waiting, l.parked), 0)
            ELSE 0 END AS oldest_age,
       CASE WHEN LEAST(l.waiting, l.parked) = l.never THEN NULL
            WHEN l.waiting <= l.parked THEN 'waiting'
            ELSE l.parked_state END AS oldest_state,
       CASE WHEN l.waiting < l.never
            THEN GREATEST(l.now - l.waiting, 0)
            ELSE 0 END AS waiting_age,
       l.open_ranges, l.retrying, l.held, l.dead, l.lacking,
       LEAST(l.first_open, l.first_hole) AS lowest, l.lease_until
  FROM (
    SELECT i.subscription, i.partition_no, i.running, i.saved_at, i.high, i.newest, i.never, i.now,
           i.open_ranges, i.retrying, i.held, i.dead, i.lacking, i.owner, i.parked_state,
           LEAST(i.above, i.in_flight, i.in_hole) AS waiting, i.parked, i.first_open, i.first_hole,
           i.lease_until
      FROM (
        SELECT s.subscription, s.partition_no, s.saved_at, s.high, s.lacking, s.lease_until,
               COALESCE(CAST(JSON_EXTRACT(s.open_ranges, '$[0][0]') AS SIGNED), s.high + 1) AS first_open,
               COALESCE((SELECT MIN(h.first_position) FROM {schema}.outledger_hole h
                          WHERE h.subscription = s.subscription AND h.partition_no = s.partition_no),
                        s.high + 1) AS first_hole,
               253402300800 AS never,
               TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) / 1000000 AS now,
               COALESCE(s.lease_until > UTC_TIMESTAMP(6), FALSE) AS running,
               (SELECT COALESCE(MAX(m.position), 0) FROM {schema}.outledger_message m) AS newest,
               COALESCE((SELECT UNIX_TIMESTAMP(m.appended_at) FROM {schema}.outledger_message m
                          WHERE m.position > s.high ORDER BY m.position LIMIT 1),
                        253402300800) AS above,
               COALESCE((SELECT MIN(UNIX_TIMESTAMP(m.appended_at)) FROM {schema}.outledger_message m
                           JOIN JSON_TABLE(s.open_ranges, '$[*]'
                                  COLUMNS (f BIGINT PATH '$[0]', l BIGINT PATH '$[1]')) r
                             ON m.position BETWEEN r.f AND r.l),
                        253402300800) AS in_flight,
               COALESCE((SELECT MIN(UNIX_TIMESTAMP(m.appended_at)) FROM {schema}.outledger_hole h
                           JOIN {schema}.outledger_message m
                             ON m.position BETWEEN h.first_position AND h.last_position
                          WHERE h.subscription = s.subscription AND h.partition_no = s.partition_no),
                        253402300800) AS in_hole,
               COALESCE((SELECT COALESCE((SELECT UNIX_TIMESTAMP(m.appended_at)
                                     FROM {schema}.outledger_message m
                                    WHERE m.position = p.position AND m.id = p.id),
                                  TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', p.parked_at) / 1000000)
                           FROM {schema}.outledger_parked p
                          WHERE p.subscription = s.subscription AND p.partition_no = s.partition_no
                            AND NOT p.replayed
                          ORDER BY p.position, p.route, p.id LIMIT 1),
                        253402300800) AS parked,
               (SELECT p.state FROM {schema}.outledger_parked p
                 WHERE p.subscription = s.subscription AND p.partition_no = s.partition_no
                   AND NOT p.replayed
                 ORDER BY p.position, p.route, p.id LIMIT 1) AS parked_state,
               JSON_LENGTH(s.open_ranges) + (
                 SELECT COUNT(*) FROM {schema}.outledger_hole h
                  WHERE h.subscription = s.subscription AND h.partition_no = s.partition_no)
                 AS open_ranges,
               (SELECT COUNT(*) FROM {schema}.outledger_parked p
                 WHERE p.subscription = s.subscription AND p.partition_no = s.partition_no
                   AND p.state = 'retrying') AS retrying,
               (SELECT COUNT(*) FROM {schema}.outledger_parked p
                 WHERE p.subscription = s.subscription AND p.partition_no = s.partition_no
                   AND p.state = 'held') AS held,
               (SELECT COUNT(*) FROM {schema}.outledger_parked p
                 WHERE p.subscription = s.subscription AND p.partition_no = s.partition_no
                   AND p.state = 'dead') AS dead,
               (SELECT t.instance FROM {schema}.outledger_status t
                 WHERE t.subscription = s.subscription AND t.partition_no = s.partition_no
                   AND (t.incarnation = s.incarnation
                        OR NOT COALESCE(s.lease_until > UTC_TIMESTAMP(6), FALSE))
                 ORDER BY CASE WHEN t.incarnation = s.incarnation OR t.state IN ('refused', 'stopped')
                               THEN 0 ELSE 1 END,
                          CASE WHEN t.incarnation = s.incarnation AND s.saved_at > t.since
                               THEN s.saved_at ELSE t.since END DESC
                 LIMIT 1) AS owner
          FROM {schema}.outledger_cursor s
         WHERE NOT s.gone
           AND s.n = (SELECT MAX(newest.n) FROM {schema}.outledger_cursor newest
                       WHERE newest.subscription = s.subscription AND newest.partition_no = s.partition_no)) i) l
  LEFT JOIN {schema}.outledger_status t
    ON t.subscription = l.subscription AND t.partition_no = l.partition_no AND t.instance = l.owner
UNION ALL
SELECT NULL, NULL, FALSE, NULL, CASE WHEN r.one THEN 'unread' ELSE 'refused' END, NULL,
       CASE WHEN r.one
            THEN 'no subscription reads the ledger: start a relay, or nothing is published'
            ELSE 'the row of outledger_retention is missing: put it back with Schema.apply' END, NULL,
       COALESCE(r.purged_to, 0), GREATEST(m.position - COALESCE(r.purged_to, 0), 0),
       CASE WHEN first.appended_at IS NULL THEN 0
            ELSE GREATEST(TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) / 1000000
                         - UNIX_TIMESTAMP(first.appended_at), 0) END,
       CASE WHEN first.appended_at IS NOT NULL THEN 'waiting' END,
       CASE WHEN first.appended_at IS NULL THEN 0
            ELSE GREATEST(TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) / 1000000
                         - UNIX_TIMESTAMP(first.appended_at), 0) END,
       0, 0, 0, 0, NULL, NULL, NULL
  FROM (SELECT COALESCE(MAX(position), 0) AS position, MIN(position) AS lowest
          FROM {schema}.outledger_message) m
  LEFT JOIN {schema}.outledger_message first ON first.position = m.lowest
  LEFT JOIN {schema}.outledger_retention r ON TRUE
 WHERE r.one IS NULL OR NOT EXISTS (SELECT 1 FROM {schema}.outledger_subscription)
UNION ALL
SELECT NULL, NULL, FALSE, NULL, 'overdue', o.since,
       'scheduled messages are overdue: start a relay; where one runs, its log says why they stay',
       NULL, 0, o.messages,
       TIMESTAMPDIFF(MICROSECOND, o.since, UTC_TIMESTAMP(6)) / 1000000, 'scheduled',
       TIMESTAMPDIFF(MICROSECOND, o.since, UTC_TIMESTAMP(6)) / 1000000,
       0, 0, 0, 0, NULL, NULL, NULL
  FROM (SELECT COUNT(*) AS messages, MIN(s.due_at) AS since
          FROM (SELECT due.due_at FROM {schema}.outledger_scheduled due
                 WHERE due.due_at < TIMESTAMPADD(SECOND, -15, UTC_TIMESTAMP(6))
                 ORDER BY due.due_at LIMIT 10001) s) o
 WHERE o.messages > 0;
