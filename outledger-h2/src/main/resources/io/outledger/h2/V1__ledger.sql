-- The ledger: appended to, read, purged by range; never updated, but for an erasure. Append to it by
-- INSERT … SELECT and never by INSERT … VALUES, which draws the number before the table's lock: the proof of dead holes rests on the lock.
-- VARCHAR_CASESENSITIVE is VARCHAR, and stays that in a database that ignores case.
CREATE SEQUENCE IF NOT EXISTS {schema}.outledger_message_position AS BIGINT START WITH 1 INCREMENT BY 1 NO CYCLE;

CREATE TABLE IF NOT EXISTS {schema}.outledger_message (
  position    BIGINT DEFAULT NEXT VALUE FOR {schema}.outledger_message_position PRIMARY KEY,
  time        TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  -- By the database's clock: retention goes by it, whatever the clock of who appends says.
  appended_at TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP(6) NOT NULL,
  id          UUID NOT NULL,
  version     INTEGER NOT NULL,
  topic       VARCHAR_CASESENSITIVE NOT NULL,
  message_key VARCHAR_CASESENSITIVE,
  type        VARCHAR_CASESENSITIVE NOT NULL,
  payload     BINARY LARGE OBJECT NOT NULL,
  headers     VARCHAR_CASESENSITIVE,
  erased      BOOLEAN DEFAULT FALSE NOT NULL,
  -- What no relay can carry is refused here, whoever inserts it.
  CONSTRAINT outledger_message_time CHECK (
    time >= TIMESTAMP WITH TIME ZONE '0001-01-01 00:00:00+00'
    AND time < TIMESTAMP WITH TIME ZONE '10000-01-01 00:00:00+00'),
  CONSTRAINT outledger_message_version CHECK (version >= 1),
  CONSTRAINT outledger_message_topic CHECK (OCTET_LENGTH(topic) BETWEEN 1 AND 600),
  CONSTRAINT outledger_message_key CHECK (OCTET_LENGTH(message_key) <= 1500),
  CONSTRAINT outledger_message_type CHECK (OCTET_LENGTH(type) BETWEEN 1 AND 600),
  CONSTRAINT outledger_message_payload CHECK (OCTET_LENGTH(payload) <= 67108864),
  CONSTRAINT outledger_message_headers CHECK (OCTET_LENGTH(headers) <= 180224)
);

-- Its one row is lost whenever the database closes, and made again by the first relay after that.
CREATE MEMORY TABLE IF NOT EXISTS {schema}.outledger_server (
  one     BOOLEAN PRIMARY KEY,
  started UUID NOT NULL
) NOT PERSISTENT;

-- What each subscription has settled. A save inserts the next row; the newest row is the truth. One
-- that is deleted leaves a row that says it is gone, so that its numbers are never used again.
CREATE TABLE IF NOT EXISTS {schema}.outledger_cursor (
  subscription VARCHAR_CASESENSITIVE NOT NULL,
  partition_no INTEGER DEFAULT 0 NOT NULL,
  n            BIGINT NOT NULL,
  incarnation  UUID NOT NULL,
  taken        BOOLEAN DEFAULT FALSE NOT NULL,
  gone         BOOLEAN DEFAULT FALSE NOT NULL,
  lease_millis BIGINT NOT NULL,
  lease_until  TIMESTAMP WITH TIME ZONE,
  saved_at     TIMESTAMP WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL,
  high         BIGINT NOT NULL,
  known_position BIGINT,
  known_id     UUID,
  open_first   BIGINT ARRAY NOT NULL,
  open_last    BIGINT ARRAY NOT NULL,
  lacking      VARCHAR_CASESENSITIVE,
  PRIMARY KEY (subscription, partition_no, n)
);

-- Holes that wait for an open transaction, beside the cursor row where they are many: a range a row.
CREATE TABLE IF NOT EXISTS {schema}.outledger_hole (
  subscription   VARCHAR_CASESENSITIVE NOT NULL,
  partition_no   INTEGER DEFAULT 0 NOT NULL,
  first_position BIGINT NOT NULL,
  last_position  BIGINT NOT NULL,
  PRIMARY KEY (subscription, partition_no, first_position)
);

-- Messages set aside from the main flow, each with all that is needed to publish it. A ledger that was
-- emptied gives positions out again, so an id is part of what a row is of; "emptied" counts how often it was
-- since the row was parked, for the order of a key. No check uses IN, or OR
-- between comparisons: H2 2.4 evaluates those in the session that created the table, and fails once that is closed.
CREATE TABLE IF NOT EXISTS {schema}.outledger_parked (
  subscription    VARCHAR_CASESENSITIVE NOT NULL,
  partition_no    INTEGER DEFAULT 0 NOT NULL,
  position        BIGINT NOT NULL,
  route           VARCHAR_CASESENSITIVE NOT NULL,
  emptied         INTEGER DEFAULT 0 NOT NULL,
  state           VARCHAR_CASESENSITIVE NOT NULL CHECK (ARRAY_CONTAINS(ARRAY['retrying', 'held', 'dead'], state)),
  blocks          BOOLEAN NOT NULL,
  requested       VARCHAR_CASESENSITIVE CHECK (requested IS NULL OR ARRAY_CONTAINS(ARRAY['retry', 'discard'], requested)),
  request_id      UUID,
  request_attempts INTEGER,
  replayed        BOOLEAN DEFAULT FALSE NOT NULL,
  attempts        INTEGER NOT NULL,
  next_attempt_at TIMESTAMP WITH TIME ZONE,
  parked_at       TIMESTAMP WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL,
  changed_at      TIMESTAMP WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL,
  time            TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  id              UUID NOT NULL,
  version         INTEGER NOT NULL,
  topic           VARCHAR_CASESENSITIVE NOT NULL,
  message_key     VARCHAR_CASESENSITIVE,
  type            VARCHAR_CASESENSITIVE NOT NULL,
  payload         BINARY LARGE OBJECT NOT NULL,
  headers         VARCHAR_CASESENSITIVE,
  withdrawn       BOOLEAN DEFAULT FALSE NOT NULL,
  error           VARCHAR_CASESENSITIVE,
  PRIMARY KEY (subscription, partition_no, position, route, id),
  CONSTRAINT outledger_parked_withdrawn
    CHECK (CASE WHEN withdrawn THEN COALESCE(requested, '') ELSE 'discard' END = 'discard')
);

CREATE INDEX IF NOT EXISTS {schema}.outledger_parked_due ON {schema}.outledger_parked
  (subscription, partition_no, route, next_attempt_at);

CREATE INDEX IF NOT EXISTS {schema}.outledger_parked_requested ON {schema}.outledger_parked
  (subscription, partition_no, requested, route, position, id);

CREATE INDEX IF NOT EXISTS {schema}.outledger_parked_key ON {schema}.outledger_parked
  (subscription, partition_no, route, message_key, emptied DESC, position);

CREATE INDEX IF NOT EXISTS {schema}.outledger_parked_request ON {schema}.outledger_parked
  (request_id, state, requested);

-- The failed attempts at what is parked: of each message the first five and the last five. They go with
-- its row.
CREATE TABLE IF NOT EXISTS {schema}.outledger_attempt (
  subscription VARCHAR_CASESENSITIVE NOT NULL,
  partition_no INTEGER DEFAULT 0 NOT NULL,
  position     BIGINT NOT NULL,
  route        VARCHAR_CASESENSITIVE NOT NULL,
  id           UUID NOT NULL,
  attempt_no   INTEGER NOT NULL,
  failed_at    TIMESTAMP WITH TIME ZONE NOT NULL,
  took_millis  BIGINT,
  error        VARCHAR_CASESENSITIVE,
  PRIMARY KEY (subscription, partition_no, position, route, id, attempt_no),
  FOREIGN KEY (subscription, partition_no, position, route, id)
    REFERENCES {schema}.outledger_parked (subscription, partition_no, position, route, id)
    ON UPDATE CASCADE ON DELETE CASCADE
);

-- What each consumer has processed. The time is in minutes since 1970; the hash is of consumer, source and
-- message id. The proof tells which transaction has inserted a row.
CREATE TABLE IF NOT EXISTS {schema}.outledger_inbox (
  processed_minute INTEGER DEFAULT CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) / 60) AS INTEGER) NOT NULL,
  consumer_no  INTEGER NOT NULL,
  message_hash UUID NOT NULL,
  proof        UUID NOT NULL,
  PRIMARY KEY (consumer_no, message_hash)
);

CREATE INDEX IF NOT EXISTS {schema}.outledger_inbox_processed ON {schema}.outledger_inbox (processed_minute);

-- The names behind the numbers: consumers, and with a subscription those that handle messages of this
-- ledger. Never deleted. Two that tell a name at once write a row each. Of one that was renamed the hashes
-- contain the name and source that it had first.
CREATE TABLE IF NOT EXISTS {schema}.outledger_inbox_consumer (
  consumer     VARCHAR_CASESENSITIVE NOT NULL,
  subscription VARCHAR_CASESENSITIVE NOT NULL,
  told_in      VARCHAR_CASESENSITIVE NOT NULL,
  consumer_no  INTEGER NOT NULL,
  hashed_consumer VARCHAR_CASESENSITIVE,
  hashed_source VARCHAR_CASESENSITIVE,
  PRIMARY KEY (consumer, subscription, told_in)
);

-- Messages that consumers have received and set aside, each with all that is needed to process it. Their
-- numbers are the order of a key.
CREATE TABLE IF NOT EXISTS {schema}.outledger_inbox_parked (
  consumer        VARCHAR_CASESENSITIVE NOT NULL,
  number          BIGINT GENERATED ALWAYS AS IDENTITY,
  source          VARCHAR_CASESENSITIVE NOT NULL,
  message_id      VARCHAR_CASESENSITIVE NOT NULL,
  state           VARCHAR_CASESENSITIVE NOT NULL CHECK (ARRAY_CONTAINS(ARRAY['retrying', 'held', 'dead'], state)),
  blocks          BOOLEAN NOT NULL,
  requested       VARCHAR_CASESENSITIVE CHECK (requested IS NULL OR ARRAY_CONTAINS(ARRAY['retry', 'discard'], requested)),
  request_id      UUID,
  request_attempts INTEGER,
  attempts        INTEGER NOT NULL,
  next_attempt_at TIMESTAMP WITH TIME ZONE NOT NULL,
  parked_at       TIMESTAMP WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL,
  changed_at      TIMESTAMP WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL,
  origin          VARCHAR_CASESENSITIVE NOT NULL,
  topic           VARCHAR_CASESENSITIVE NOT NULL,
  key_space       VARCHAR_CASESENSITIVE NOT NULL,
  message_key     VARCHAR_CASESENSITIVE,
  type            VARCHAR_CASESENSITIVE NOT NULL,
  version         INTEGER NOT NULL,
  payload         BINARY LARGE OBJECT NOT NULL,
  headers         VARCHAR_CASESENSITIVE,
  time            TIMESTAMP(6) WITH TIME ZONE,
  error           VARCHAR_CASESENSITIVE,
  PRIMARY KEY (consumer, number),
  UNIQUE (consumer, source, message_id)
);

CREATE INDEX IF NOT EXISTS {schema}.outledger_inbox_parked_due ON {schema}.outledger_inbox_parked
  (consumer, next_attempt_at);

CREATE INDEX IF NOT EXISTS {schema}.outledger_inbox_parked_requested ON {schema}.outledger_inbox_parked
  (consumer, requested, number);

CREATE INDEX IF NOT EXISTS {schema}.outledger_inbox_parked_key ON {schema}.outledger_inbox_parked
  (consumer, message_key, number);

CREATE INDEX IF NOT EXISTS {schema}.outledger_inbox_parked_request ON {schema}.outledger_inbox_parked
  (request_id, state, requested);

-- The failed attempts at what consumers have parked, likewise.
CREATE TABLE IF NOT EXISTS {schema}.outledger_inbox_attempt (
  consumer    VARCHAR_CASESENSITIVE NOT NULL,
  number      BIGINT NOT NULL,
  attempt_no  INTEGER NOT NULL,
  failed_at   TIMESTAMP WITH TIME ZONE NOT NULL,
  took_millis BIGINT,
  error       VARCHAR_CASESENSITIVE,
  PRIMARY KEY (consumer, number, attempt_no),
  FOREIGN KEY (consumer, number)
    REFERENCES {schema}.outledger_inbox_parked (consumer, number)
    ON UPDATE CASCADE ON DELETE CASCADE
);

-- How far retention has gone. Whoever places or removes a cursor locks this one row.
CREATE TABLE IF NOT EXISTS {schema}.outledger_retention (
  one       BOOLEAN DEFAULT TRUE PRIMARY KEY CHECK (one),
  purged_to BIGINT DEFAULT 0 NOT NULL
);

INSERT INTO {schema}.outledger_retention (one, purged_to)
SELECT TRUE, 0 WHERE NOT EXISTS (SELECT 1 FROM {schema}.outledger_retention);

-- What transactions lock that have to wait for one another by key; never written.
CREATE TABLE IF NOT EXISTS {schema}.outledger_key_lock (
  slot INTEGER PRIMARY KEY
);

INSERT INTO {schema}.outledger_key_lock (slot)
SELECT "X" FROM SYSTEM_RANGE(0, 63) WHERE NOT EXISTS (SELECT 1 FROM {schema}.outledger_key_lock);

-- What the relays of each subscription are doing, each written by itself when it has changed. Nothing
-- rests on it. "causes" has a line for all that keeps messages back: form-encoded, "ms_before" since.
CREATE TABLE IF NOT EXISTS {schema}.outledger_status (
  subscription VARCHAR_CASESENSITIVE NOT NULL,
  partition_no INTEGER DEFAULT 0 NOT NULL,
  instance     VARCHAR_CASESENSITIVE NOT NULL,
  incarnation  UUID,
  state        VARCHAR_CASESENSITIVE NOT NULL CHECK (
    ARRAY_CONTAINS(ARRAY['standby', 'running', 'waiting', 'paused', 'recovering', 'refused', 'stopped'], state)),
  since        TIMESTAMP WITH TIME ZONE NOT NULL,
  reason       VARCHAR_CASESENSITIVE,
  causes       VARCHAR_CASESENSITIVE,
  PRIMARY KEY (subscription, partition_no, instance)
);

-- Who handles what: the routes of each subscription, the types of each consumer, as the instances that
-- have them say before they read. One that is changed or said again gets the reader's next revision.
-- A row with "renamed_to" declares nothing: it says that the reader, or its route, has another name now.
CREATE TABLE IF NOT EXISTS {schema}.outledger_declaration (
  reader_kind VARCHAR_CASESENSITIVE NOT NULL CHECK (ARRAY_CONTAINS(ARRAY['subscription', 'consumer'], reader_kind)),
  reader      VARCHAR_CASESENSITIVE NOT NULL,
  route       VARCHAR_CASESENSITIVE NOT NULL,
  takes       VARCHAR_CASESENSITIVE NOT NULL,
  what        VARCHAR_CASESENSITIVE NOT NULL,
  revision    BIGINT NOT NULL,
  ended       BOOLEAN DEFAULT FALSE NOT NULL,
  declared_by VARCHAR_CASESENSITIVE NOT NULL,
  declared_at TIMESTAMP WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL,
  renamed_to  VARCHAR_CASESENSITIVE,
  PRIMARY KEY (reader_kind, reader, route, takes, what),
  UNIQUE (reader_kind, reader, revision)
);

-- What operators have asked for, and what came of it: committed before anything is done for it, and
-- kept as the audit. A step locks the row, and writes what it came to in the transaction that acts.
CREATE TABLE IF NOT EXISTS {schema}.outledger_request (
  id          UUID PRIMARY KEY,
  verb        VARCHAR_CASESENSITIVE NOT NULL,
  reader_kind VARCHAR_CASESENSITIVE NOT NULL CHECK (
    ARRAY_CONTAINS(ARRAY['subscription', 'consumer', 'ledger'], reader_kind)),
  reader      VARCHAR_CASESENSITIVE NOT NULL,
  selection   VARCHAR_CASESENSITIVE NOT NULL,
  asked_by    VARCHAR_CASESENSITIVE NOT NULL,
  reason      VARCHAR_CASESENSITIVE NOT NULL,
  asked_at    TIMESTAMP WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL,
  state       VARCHAR_CASESENSITIVE NOT NULL CHECK (
    ARRAY_CONTAINS(ARRAY['waiting', 'running', 'done', 'refused', 'stopped'], state)),
  done_count  BIGINT DEFAULT 0 NOT NULL,
  total_count BIGINT,
  error_code  VARCHAR_CASESENSITIVE,
  result_text VARCHAR_CASESENSITIVE DEFAULT '' NOT NULL,
  work_place  VARCHAR_CASESENSITIVE,
  content     BINARY LARGE OBJECT,
  next_at     TIMESTAMP WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL,
  changed_at  TIMESTAMP WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE INDEX IF NOT EXISTS {schema}.outledger_request_open ON {schema}.outledger_request (state, next_at);

CREATE INDEX IF NOT EXISTS {schema}.outledger_request_asked ON {schema}.outledger_request (asked_at, id);

-- The sagas that have not ended. A step writes its row in the transaction that remembers its message, and
-- only over the version that it has read. Names and versions of states, and no name of a class.
CREATE TABLE IF NOT EXISTS {schema}.outledger_saga (
  saga          VARCHAR_CASESENSITIVE NOT NULL,
  saga_key      VARCHAR_CASESENSITIVE NOT NULL,
  version       BIGINT NOT NULL,
  phase         VARCHAR_CASESENSITIVE NOT NULL CHECK (ARRAY_CONTAINS(ARRAY['running', 'compensating'], phase)),
  waits_for     VARCHAR_CASESENSITIVE,
  timeouts      VARCHAR_CASESENSITIVE,
  done_steps    VARCHAR_CASESENSITIVE,
  state_type    VARCHAR_CASESENSITIVE NOT NULL,
  state_version INTEGER NOT NULL,
  payload       BINARY LARGE OBJECT NOT NULL,
  started_at    TIMESTAMP WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL,
  changed_at    TIMESTAMP WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL,
  PRIMARY KEY (saga, saga_key)
);

-- What of each subscription is paused. A change gets the subscription's next revision; the row of the
-- last one stays, also where that ended a pause.
-- "partitions" is no pause: the name says into how many partitions a subscription is being divided, and
-- up to which position the old ones are read.
CREATE TABLE IF NOT EXISTS {schema}.outledger_pause (
  subscription VARCHAR_CASESENSITIVE NOT NULL,
  scope_kind   VARCHAR_CASESENSITIVE NOT NULL CHECK (
    ARRAY_CONTAINS(ARRAY['subscription', 'route', 'topic', 'key', 'partitions'], scope_kind)),
  scope_name   VARCHAR_CASESENSITIVE NOT NULL,
  revision     BIGINT NOT NULL,
  ended        BOOLEAN DEFAULT FALSE NOT NULL,
  paused_by    VARCHAR_CASESENSITIVE NOT NULL,
  reason       VARCHAR_CASESENSITIVE NOT NULL,
  paused_at    TIMESTAMP WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL,
  PRIMARY KEY (subscription, scope_kind, scope_name),
  UNIQUE (subscription, revision)
);

-- Messages that wait for their time, in the order in which they were scheduled. A row goes in the
-- transaction that cancels it, or that inserts its message into the ledger.
CREATE TABLE IF NOT EXISTS {schema}.outledger_scheduled (
  number       BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  due_at       TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  scheduled_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  id           UUID NOT NULL,
  name         VARCHAR_CASESENSITIVE,
  version      INTEGER NOT NULL,
  topic        VARCHAR_CASESENSITIVE NOT NULL,
  message_key  VARCHAR_CASESENSITIVE,
  type         VARCHAR_CASESENSITIVE NOT NULL,
  payload      BINARY LARGE OBJECT NOT NULL,
  headers      VARCHAR_CASESENSITIVE
);

CREATE INDEX IF NOT EXISTS {schema}.outledger_scheduled_due ON {schema}.outledger_scheduled (due_at, number);

CREATE INDEX IF NOT EXISTS {schema}.outledger_scheduled_id ON {schema}.outledger_scheduled (id);

CREATE UNIQUE INDEX IF NOT EXISTS {schema}.outledger_scheduled_name ON {schema}.outledger_scheduled (name);

-- Who moves them: one at a time, as long as there is something to move. The first mover makes the row.
CREATE TABLE IF NOT EXISTS {schema}.outledger_mover (
  one         BOOLEAN PRIMARY KEY,
  holder      UUID NOT NULL,
  lease_until TIMESTAMP(6) WITH TIME ZONE NOT NULL
);

-- Views for people.

-- The newest cursor row of each subscription.
CREATE VIEW IF NOT EXISTS {schema}.outledger_subscription AS
SELECT c.* FROM {schema}.outledger_cursor c
 WHERE NOT c.gone
   AND c.n = (SELECT MAX(newest.n) FROM {schema}.outledger_cursor newest
               WHERE newest.subscription = c.subscription AND newest.partition_no = c.partition_no);

-- What is pending: not published yet, and why. What an operator has paused says so,
-- except for a pause of one of several routes: the view does not know which messages go there.
-- The outer joins have H2 begin with the subscriptions.
CREATE VIEW IF NOT EXISTS {schema}.outledger_pending AS
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
      LEFT JOIN {schema}.outledger_message m ON m.position > s.high
     WHERE m.position IS NOT NULL
    UNION ALL
    SELECT s.subscription, s.partition_no, m.position, 'in flight', '', m.id, m.topic, m.message_key, m.type,
           m.version, m.time
      FROM {schema}.outledger_subscription s
      LEFT JOIN SYSTEM_RANGE(1, 1000000) r ON r."X" <= CARDINALITY(s.open_first)
      LEFT JOIN {schema}.outledger_message m
        ON m.position BETWEEN s.open_first[r."X"] AND s.open_last[r."X"]
     WHERE m.position IS NOT NULL
    UNION ALL
    SELECT h.subscription, h.partition_no, m.position, 'in flight', '', m.id, m.topic, m.message_key, m.type,
           m.version, m.time
      FROM {schema}.outledger_hole h
      LEFT JOIN {schema}.outledger_message m
        ON m.position BETWEEN h.first_position AND h.last_position
     WHERE m.position IS NOT NULL
    UNION ALL
    SELECT p.subscription, p.partition_no, p.position, p.state, p.route, p.id, p.topic, p.message_key, p.type,
           p.version, p.time
      FROM {schema}.outledger_parked p
     WHERE p.state <> 'dead') w;

-- What failed and why: what is tried again, and the dead letters.
CREATE VIEW IF NOT EXISTS {schema}.outledger_failed AS
SELECT p.subscription, p.partition_no, p.position, p.route, p.state, p.attempts, p.error,
       p.next_attempt_at, p.blocks, p.requested, p.id, p.topic, p.message_key, p.type, p.version, p.time,
       p.parked_at, p.changed_at
  FROM {schema}.outledger_parked p
 WHERE p.state <> 'held';

-- The same of what consumers have received.
CREATE VIEW IF NOT EXISTS {schema}.outledger_inbox_failed AS
SELECT p.consumer, p.number, p.state, p.attempts, p.error, p.next_attempt_at, p.blocks, p.requested,
       p.source, p.message_id, p.topic, p.message_key, p.key_space, p.type, p.version, p.time, p.parked_at,
       p.changed_at
  FROM {schema}.outledger_inbox_parked p
 WHERE p.state <> 'held';

-- What each consumer has processed, to the minute. Its position is known of what is of this ledger.
CREATE VIEW IF NOT EXISTS {schema}.outledger_processed AS
SELECT c.consumer, c.subscription,
       CASE WHEN c.subscription <> ''
            THEN CAST(SUBSTRING(CAST(i.message_hash AS VARBINARY) FROM 1 FOR 8) AS BIGINT)
       END AS position,
       DATEADD(MINUTE, i.processed_minute, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00') AS processed_at,
       i.message_hash
  FROM {schema}.outledger_inbox i
  LEFT JOIN (SELECT n.consumer_no, MIN(n.consumer) AS consumer, MIN(n.subscription) AS subscription
               FROM {schema}.outledger_inbox_consumer n GROUP BY n.consumer_no) c
    ON c.consumer_no = i.consumer_no;

-- The ledger with payloads that people can read: as text where they are UTF-8, as JSON is; else \x and
-- hexadecimal digits. They are data of the business: grant it to few.
CREATE VIEW IF NOT EXISTS {schema}.outledger_readable AS
SELECT m.position, m.time, m.id, m.version, m.topic, m.message_key, m.type, m.headers,
       CASE WHEN STRINGTOUTF8(UTF8TOSTRING(m.payload)) = m.payload
             AND POSITION(CHAR(0), UTF8TOSTRING(m.payload)) = 0
            THEN UTF8TOSTRING(m.payload)
            ELSE '\x' || LOWER(RAWTOHEX(m.payload)) END AS payload
  FROM {schema}.outledger_message m;

-- How late are we, and why. "oldest" is the oldest message that is neither published nor discarded,
-- copies of a replay apart, "waiting" the oldest that the relay has still to try. Positions that
-- were drawn and rolled back count in "behind" until they are read. A row without a subscription
-- says that nobody reads the ledger, or that a row which the schema inserts was removed. "lacking"
-- is what is declared and the owner does not have: its messages are parked. Retention keeps all
-- from "lowest".
-- Where nobody runs a subscription, "state" says what its last owner was doing: "was running",
-- unless a relay was refused after that: then it says so.
CREATE VIEW IF NOT EXISTS {schema}.outledger_lag AS
SELECT l.subscription, l.partition_no, l.running, t.instance,
       CASE WHEN l.running OR t.state NOT IN ('running', 'waiting', 'paused') THEN t.state
            ELSE 'was ' || t.state END AS state,
       t.since, t.reason, l.saved_at,
       l.high, GREATEST(l.newest - l.high, 0) AS behind,
       CASE WHEN LEAST(l.waiting, l.parked) < l.never
            THEN GREATEST(CURRENT_TIMESTAMP - LEAST(l.waiting, l.parked), INTERVAL '0' SECOND)
            ELSE INTERVAL '0' SECOND END AS oldest_age,
       CASE WHEN LEAST(l.waiting, l.parked) = l.never THEN NULL
            WHEN l.waiting <= l.parked THEN 'waiting'
            ELSE l.parked_state END AS oldest_state,
       CASE WHEN l.waiting < l.never
            THEN GREATEST(CURRENT_TIMESTAMP - l.waiting, INTERVAL '0' SECOND)
            ELSE INTERVAL '0' SECOND END AS waiting_age,
       l.open_ranges, l.retrying, l.held, l.dead, l.lacking,
       LEAST(l.first_open, l.first_hole) AS lowest, l.lease_until
  FROM (
    SELECT i.subscription, i.partition_no, i.running, i.saved_at, i.high, i.newest, i.never,
           i.open_ranges, i.retrying, i.held, i.dead, i.lacking, i.owner, i.parked_state,
           LEAST(i.above, i.in_flight, i.in_hole) AS waiting, i.parked, i.first_open, i.first_hole,
           i.lease_until
      FROM (
        SELECT s.subscription, s.partition_no, s.saved_at, s.high, s.lacking, s.lease_until,
               COALESCE(CASE WHEN CARDINALITY(s.open_first) > 0 THEN s.open_first[1] END,
                        s.high + 1) AS first_open,
               COALESCE((SELECT MIN(h.first_position) FROM {schema}.outledger_hole h
                          WHERE h.subscription = s.subscription AND h.partition_no = s.partition_no),
                        s.high + 1) AS first_hole,
               TIMESTAMP WITH TIME ZONE '10000-01-01 00:00:00+00' AS never,
               COALESCE(s.lease_until > CURRENT_TIMESTAMP, FALSE) AS running,
               (SELECT COALESCE(MAX(m.position), 0) FROM {schema}.outledger_message m) AS newest,
               COALESCE((SELECT m.appended_at FROM {schema}.outledger_message m
                          WHERE m.position > s.high ORDER BY m.position FETCH FIRST ROW ONLY),
                        TIMESTAMP WITH TIME ZONE '10000-01-01 00:00:00+00') AS above,
               COALESCE((SELECT MIN(m.appended_at) FROM SYSTEM_RANGE(1, 1000000) r
                           JOIN {schema}.outledger_message m
                             ON m.position BETWEEN s.open_first[r."X"] AND s.open_last[r."X"]
                          WHERE r."X" <= CARDINALITY(s.open_first)),
                        TIMESTAMP WITH TIME ZONE '10000-01-01 00:00:00+00') AS in_flight,
               COALESCE((SELECT MIN(m.appended_at) FROM {schema}.outledger_hole h
                           JOIN {schema}.outledger_message m
                             ON m.position BETWEEN h.first_position AND h.last_position
                          WHERE h.subscription = s.subscription AND h.partition_no = s.partition_no),
                        TIMESTAMP WITH TIME ZONE '10000-01-01 00:00:00+00') AS in_hole,
               COALESCE((SELECT COALESCE((SELECT m.appended_at
                                     FROM {schema}.outledger_message m
                                    WHERE m.position = p.position AND m.id = p.id), p.parked_at)
                           FROM {schema}.outledger_parked p
                          WHERE p.subscription = s.subscription AND p.partition_no = s.partition_no
                            AND NOT p.replayed
                          ORDER BY p.position, p.route, p.id FETCH FIRST ROW ONLY),
                        TIMESTAMP WITH TIME ZONE '10000-01-01 00:00:00+00') AS parked,
               (SELECT p.state FROM {schema}.outledger_parked p
                 WHERE p.subscription = s.subscription AND p.partition_no = s.partition_no
                   AND NOT p.replayed
                 ORDER BY p.position, p.route, p.id FETCH FIRST ROW ONLY) AS parked_state,
               CARDINALITY(s.open_first) + (
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
                        OR NOT COALESCE(s.lease_until > CURRENT_TIMESTAMP, FALSE))
                 ORDER BY CASE WHEN t.incarnation = s.incarnation OR t.state IN ('refused', 'stopped')
                               THEN 0 ELSE 1 END,
                          CASE WHEN t.incarnation = s.incarnation AND s.saved_at > t.since
                               THEN s.saved_at ELSE t.since END DESC
                 FETCH FIRST ROW ONLY) AS owner
          FROM {schema}.outledger_subscription s) i) l
  LEFT JOIN {schema}.outledger_status t
    ON t.subscription = l.subscription AND t.partition_no = l.partition_no AND t.instance = l.owner
UNION ALL
SELECT NULL, NULL, FALSE, NULL, CASE WHEN r.one THEN 'unread' ELSE 'refused' END, NULL,
       CASE WHEN r.one
            THEN 'no subscription reads the ledger: start a relay, or nothing is published'
            ELSE 'the row of outledger_retention is missing: put it back with Schema.apply' END, NULL,
       COALESCE(r.purged_to, 0), GREATEST(m.position - COALESCE(r.purged_to, 0), 0),
       CASE WHEN first.appended_at IS NULL THEN INTERVAL '0' SECOND
            ELSE GREATEST(CURRENT_TIMESTAMP - first.appended_at, INTERVAL '0' SECOND) END,
       CASE WHEN first.appended_at IS NOT NULL THEN 'waiting' END,
       CASE WHEN first.appended_at IS NULL THEN INTERVAL '0' SECOND
            ELSE GREATEST(CURRENT_TIMESTAMP - first.appended_at, INTERVAL '0' SECOND) END, 0, 0, 0, 0, NULL, NULL, NULL
  FROM (SELECT COALESCE(MAX(position), 0) AS position, MIN(position) AS lowest
          FROM {schema}.outledger_message) m
  LEFT JOIN {schema}.outledger_message first ON first.position = m.lowest
  LEFT JOIN {schema}.outledger_retention r ON TRUE
 WHERE r.one IS NULL OR NOT EXISTS (SELECT 1 FROM {schema}.outledger_subscription)
UNION ALL
SELECT NULL, NULL, FALSE, NULL, 'overdue', MIN(s.due_at),
       'scheduled messages are overdue: start a relay; where one runs, its log says why they stay',
       NULL, 0, COUNT(*),
       CURRENT_TIMESTAMP - MIN(s.due_at), 'scheduled', CURRENT_TIMESTAMP - MIN(s.due_at),
       0, 0, 0, 0, NULL, NULL, NULL
  FROM (SELECT due.due_at FROM {schema}.outledger_scheduled due
         WHERE due.due_at < DATEADD(SECOND, -15, CURRENT_TIMESTAMP)
         ORDER BY due.due_at FETCH FIRST 10001 ROWS ONLY) s
HAVING COUNT(*) > 0;
