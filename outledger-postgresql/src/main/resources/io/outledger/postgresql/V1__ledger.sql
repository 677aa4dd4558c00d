-- The ledger: appended to, read, purged by range; never updated, but for an erasure. Only its primary key is
-- indexed.
CREATE SEQUENCE {schema}.outledger_message_position AS bigint START 1 INCREMENT 1 CACHE 1 NO CYCLE;

-- What no relay can carry is refused here, whoever inserts it. Bytes, because counting characters costs
-- more; domains, because PostgreSQL prepares a table's checks for each statement that inserts.
CREATE DOMAIN {schema}.outledger_message_time AS timestamptz
  CONSTRAINT outledger_message_time CHECK (
    VALUE >= '0001-01-01 00:00:00+00' AND VALUE < '10000-01-01 00:00:00+00');
CREATE DOMAIN {schema}.outledger_message_version AS int
  CONSTRAINT outledger_message_version CHECK (VALUE >= 1);
CREATE DOMAIN {schema}.outledger_message_topic AS text
  CONSTRAINT outledger_message_topic CHECK (octet_length(VALUE) BETWEEN 1 AND 600);
CREATE DOMAIN {schema}.outledger_message_key AS text
  CONSTRAINT outledger_message_key CHECK (octet_length(VALUE) <= 1500);
CREATE DOMAIN {schema}.outledger_message_type AS text
  CONSTRAINT outledger_message_type CHECK (octet_length(VALUE) BETWEEN 1 AND 600);
CREATE DOMAIN {schema}.outledger_message_payload AS bytea
  CONSTRAINT outledger_message_payload CHECK (octet_length(VALUE) <= 67108864);
CREATE DOMAIN {schema}.outledger_message_headers AS text
  CONSTRAINT outledger_message_headers CHECK (octet_length(VALUE) <= 180224);

CREATE TABLE {schema}.outledger_message (
  -- A writer owns its transaction id before it draws its number: the proofs of dead holes rest on it.
  position    bigint PRIMARY KEY DEFAULT (
    CASE WHEN pg_current_xact_id() IS NOT NULL
         THEN nextval('{schema}.outledger_message_position') END),
  time        {schema}.outledger_message_time NOT NULL,
  -- By the database's clock: retention goes by it, whatever the clock of who appends says.
  appended_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  id          uuid NOT NULL,
  version     {schema}.outledger_message_version NOT NULL,
  erased      boolean NOT NULL DEFAULT false,
  topic       {schema}.outledger_message_topic NOT NULL,
  message_key {schema}.outledger_message_key,
  type        {schema}.outledger_message_type NOT NULL,
  payload     {schema}.outledger_message_payload NOT NULL,
  headers     {schema}.outledger_message_headers
) WITH (autovacuum_vacuum_scale_factor = 0.05);

ALTER SEQUENCE {schema}.outledger_message_position OWNED BY {schema}.outledger_message.position;

-- What each subscription has settled. A save inserts the next row; the newest row is the truth. One
-- that is deleted leaves a row that says it is gone, so that its numbers are never used again.
CREATE TABLE {schema}.outledger_cursor (
  subscription text COLLATE "C" NOT NULL,
  partition_no int NOT NULL DEFAULT 0,
  n            bigint NOT NULL,
  incarnation  uuid NOT NULL,
  taken        boolean NOT NULL DEFAULT false,
  gone         boolean NOT NULL DEFAULT false,
  lease_millis bigint NOT NULL,
  lease_until  timestamptz,
  saved_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  high         bigint NOT NULL,
  known_position bigint,
  known_id     uuid,
  open_first   bigint[] NOT NULL DEFAULT '{}',
  open_last    bigint[] NOT NULL DEFAULT '{}',
  lacking      text,
  PRIMARY KEY (subscription, partition_no, n)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
        autovacuum_vacuum_cost_delay = 0);

-- Thousands of open positions change with every save, and to compress them takes longer than all else of it.
ALTER TABLE {schema}.outledger_cursor
  ALTER open_first SET STORAGE EXTERNAL, ALTER open_last SET STORAGE EXTERNAL;

-- Holes that wait for an open transaction, beside the cursor row where they are many, so that it stays
-- small: in one row all open ranges that begin in the same 8,192 positions.
CREATE TABLE {schema}.outledger_hole_block (
  subscription text COLLATE "C" NOT NULL,
  partition_no int NOT NULL DEFAULT 0,
  block        bigint NOT NULL,
  firsts       bigint[] NOT NULL,
  lasts        bigint[] NOT NULL,
  PRIMARY KEY (subscription, partition_no, block)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

ALTER TABLE {schema}.outledger_hole_block
  ALTER firsts SET STORAGE EXTERNAL, ALTER lasts SET STORAGE EXTERNAL;

-- The same, a range a row.
CREATE VIEW {schema}.outledger_hole AS
SELECT b.subscription, b.partition_no, range.first_position, range.last_position
  FROM {schema}.outledger_hole_block b
 CROSS JOIN LATERAL unnest(b.firsts, b.lasts) AS range (first_position, last_position);

-- Messages that were settled later than the cursor rows tell: out of the overflow, or parked before.
CREATE TABLE {schema}.outledger_late (
  subscription text COLLATE "C" NOT NULL,
  partition_no int NOT NULL DEFAULT 0,
  position     bigint NOT NULL,
  route        text COLLATE "C" NOT NULL DEFAULT '',
  settled_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  discarded    boolean NOT NULL DEFAULT false,
  PRIMARY KEY (subscription, partition_no, position, route)
);

-- Messages set aside from the main flow, each with all that is needed to publish it. A ledger that was
-- emptied gives positions out again, so an id is part of what a row is of; "emptied" counts how often it was
-- since the row was parked, for the order of a key.
CREATE TABLE {schema}.outledger_parked (
  subscription    text COLLATE "C" NOT NULL,
  partition_no    int NOT NULL DEFAULT 0,
  position        bigint NOT NULL,
  route           text COLLATE "C" NOT NULL,
  emptied         int NOT NULL DEFAULT 0,
  state           text COLLATE "C" NOT NULL CHECK (state IN ('retrying', 'held', 'dead')),
  blocks          boolean NOT NULL,
  requested       text COLLATE "C" CHECK (requested IN ('retry', 'discard')),
  request_id      uuid,
  request_attempts int,
  replayed        boolean NOT NULL DEFAULT false,
  attempts        int NOT NULL,
  next_attempt_at timestamptz,
  parked_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  time            timestamptz NOT NULL,
  id              uuid NOT NULL,
  version         int NOT NULL,
  topic           text NOT NULL,
  message_key     text COLLATE "C",
  type            text NOT NULL,
  payload         bytea NOT NULL,
  headers         text,
  withdrawn       boolean NOT NULL DEFAULT false,
  error           text,
  PRIMARY KEY (subscription, partition_no, position, route, id),
  CONSTRAINT outledger_parked_withdrawn CHECK (NOT withdrawn OR coalesce(requested, '') = 'discard')
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);

CREATE INDEX outledger_parked_due ON {schema}.outledger_parked
  (subscription, partition_no, route, next_attempt_at, position, id) WHERE state = 'retrying';

-- For counting: one entry for many rows. A planner that believes in few rows would take one of all states
-- for the place of a row, or for what is due, and read all that the subscription has parked.
CREATE INDEX outledger_parked_state ON {schema}.outledger_parked
  (subscription, partition_no, state) WHERE state <> 'retrying';

CREATE INDEX outledger_parked_requested ON {schema}.outledger_parked
  (subscription, partition_no, requested, route, position, id) WHERE requested IS NOT NULL;

CREATE INDEX outledger_parked_request ON {schema}.outledger_parked (request_id, state, requested)
  WHERE request_id IS NOT NULL;

-- The first that is no copy of a replay, however many of those there are.
CREATE INDEX outledger_parked_oldest ON {schema}.outledger_parked
  (subscription, partition_no, position, route, id) WHERE NOT replayed;

-- By the key's hash: a key of any length fits into it.
CREATE INDEX outledger_parked_blocking ON {schema}.outledger_parked
  (subscription, partition_no, route, hashtextextended(message_key, 0), emptied DESC, position)
  WHERE blocks OR state = 'held';

-- The failed attempts at what is parked: of each message the first five and the last five. They go with
-- its row.
CREATE TABLE {schema}.outledger_attempt (
  subscription text COLLATE "C" NOT NULL,
  partition_no int NOT NULL DEFAULT 0,
  position     bigint NOT NULL,
  route        text COLLATE "C" NOT NULL,
  id           uuid NOT NULL,
  attempt_no   int NOT NULL,
  failed_at    timestamptz NOT NULL,
  took_millis  bigint,
  error        text,
  PRIMARY KEY (subscription, partition_no, position, route, id, attempt_no),
  FOREIGN KEY (subscription, partition_no, position, route, id)
    REFERENCES {schema}.outledger_parked (subscription, partition_no, position, route, id)
    ON UPDATE CASCADE ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);

-- What each consumer has processed: 24 bytes a message. The time is in minutes since 1970; the hash is of
-- consumer, source and message id.
CREATE TABLE {schema}.outledger_inbox (
  processed_minute int NOT NULL DEFAULT floor(date_part('epoch', now()) / 60)::int,
  consumer_no  int NOT NULL,
  message_hash uuid NOT NULL,
  PRIMARY KEY (consumer_no, message_hash)
) WITH (autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX outledger_inbox_processed ON {schema}.outledger_inbox
  USING brin (processed_minute) WITH (pages_per_range = 32);

-- The names behind the numbers: consumers, and with a subscription those that handle messages of this
-- ledger. Never deleted. Two that tell a name at once write a row each. Of one that was renamed the hashes
-- contain the name and source that it had first.
CREATE TABLE {schema}.outledger_inbox_consumer (
  consumer     text COLLATE "C" NOT NULL,
  subscription text COLLATE "C" NOT NULL,
  told_in      text COLLATE "C" NOT NULL,
  consumer_no  int NOT NULL,
  hashed_consumer text COLLATE "C",
  hashed_source text COLLATE "C",
  PRIMARY KEY (consumer, subscription, told_in)
);

-- Messages that consumers have received and set aside, each with all that is needed to process it. Their
-- numbers are the order of a key, which is one of its key space: a topic, queue or stream.
CREATE TABLE {schema}.outledger_inbox_parked (
  consumer        text COLLATE "C" NOT NULL,
  number          bigint GENERATED ALWAYS AS IDENTITY (CACHE 1),
  source          text COLLATE "C" NOT NULL,
  message_id      text COLLATE "C" NOT NULL,
  state           text COLLATE "C" NOT NULL CHECK (state IN ('retrying', 'held', 'dead')),
  blocks          boolean NOT NULL,
  requested       text COLLATE "C" CHECK (requested IN ('retry', 'discard')),
  request_id      uuid,
  request_attempts int,
  attempts        int NOT NULL,
  next_attempt_at timestamptz NOT NULL,
  parked_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  origin          text COLLATE "C" NOT NULL,
  topic           text NOT NULL,
  key_space       text COLLATE "C" NOT NULL,
  message_key     text COLLATE "C",
  type            text NOT NULL,
  version         int NOT NULL,
  payload         bytea NOT NULL,
  headers         text,
  time            timestamptz,
  error           text,
  PRIMARY KEY (consumer, number),
  UNIQUE (consumer, source, message_id)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);

CREATE INDEX outledger_inbox_parked_due ON {schema}.outledger_inbox_parked
  (consumer, next_attempt_at) WHERE state <> 'dead';

CREATE INDEX outledger_inbox_parked_requested ON {schema}.outledger_inbox_parked
  (consumer, number) WHERE requested IS NOT NULL;

CREATE INDEX outledger_inbox_parked_request ON {schema}.outledger_inbox_parked
  (request_id, state, requested)
  WHERE request_id IS NOT NULL;

-- By the key's hash: a key of any length fits into it.
CREATE INDEX outledger_inbox_parked_key ON {schema}.outledger_inbox_parked
  (consumer, hashtextextended(message_key, 0), number) WHERE message_key IS NOT NULL;

-- The failed attempts at what consumers have parked, likewise.
CREATE TABLE {schema}.outledger_inbox_attempt (
  consumer    text COLLATE "C" NOT NULL,
  number      bigint NOT NULL,
  attempt_no  int NOT NULL,
  failed_at   timestamptz NOT NULL,
  took_millis bigint,
  error       text,
  PRIMARY KEY (consumer, number, attempt_no),
  FOREIGN KEY (consumer, number)
    REFERENCES {schema}.outledger_inbox_parked (consumer, number)
    ON UPDATE CASCADE ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);

-- How far retention has gone. Whoever places or removes a cursor locks this one row.
CREATE TABLE {schema}.outledger_retention (
  one       boolean PRIMARY KEY DEFAULT true CHECK (one),
  purged_to bigint NOT NULL DEFAULT 0
);

INSERT INTO {schema}.outledger_retention DEFAULT VALUES;

-- What the relays of each subscription are doing, each written by itself when it has changed. Nothing
-- rests on it. "causes" has a line for all that keeps messages back: form-encoded, "ms_before" since.
CREATE TABLE {schema}.outledger_status (
  subscription text COLLATE "C" NOT NULL,
  partition_no int NOT NULL DEFAULT 0,
  instance     text COLLATE "C" NOT NULL,
  incarnation  uuid,
  state        text COLLATE "C" NOT NULL CHECK (
    state IN ('standby', 'running', 'waiting', 'paused', 'recovering', 'refused', 'stopped')),
  since        timestamptz NOT NULL,
  reason       text,
  causes       text,
  PRIMARY KEY (subscription, partition_no, instance)
);

-- Who handles what: the routes of each subscription, the types of each consumer, as the instances that
-- have them say before they read. One that is changed or said again gets the reader's next revision.
-- A row with "renamed_to" declares nothing: it says that the reader, or its route, has another name now.
CREATE TABLE {schema}.outledger_declaration (
  reader_kind text COLLATE "C" NOT NULL CHECK (reader_kind IN ('subscription', 'consumer')),
  reader      text COLLATE "C" NOT NULL,
  route       text COLLATE "C" NOT NULL,
  takes       text COLLATE "C" NOT NULL,
  what        text COLLATE "C" NOT NULL,
  revision    bigint NOT NULL,
  ended       boolean NOT NULL DEFAULT false,
  declared_by text NOT NULL,
  declared_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  renamed_to  text COLLATE "C",
  PRIMARY KEY (reader_kind, reader, route, takes, what),
  UNIQUE (reader_kind, reader, revision)
);

-- What operators have asked for, and what came of it: committed before anything is done for it, and
-- kept as the audit. A step locks the row, and writes what it came to in the transaction that acts.
CREATE TABLE {schema}.outledger_request (
  id          uuid PRIMARY KEY,
  verb        text COLLATE "C" NOT NULL,
  reader_kind text COLLATE "C" NOT NULL CHECK (
    reader_kind IN ('subscription', 'consumer', 'ledger')),
  reader      text COLLATE "C" NOT NULL,
  selection   text NOT NULL,
  asked_by    text NOT NULL,
  reason      text NOT NULL,
  asked_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  state       text COLLATE "C" NOT NULL CHECK (
    state IN ('waiting', 'running', 'done', 'refused', 'stopped')),
  done_count  bigint NOT NULL DEFAULT 0,
  total_count bigint,
  error_code  text,
  result_text text NOT NULL DEFAULT '',
  work_place  text,
  content     bytea,
  next_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX outledger_request_open ON {schema}.outledger_request (next_at)
  WHERE state IN ('waiting', 'running');

CREATE INDEX outledger_request_asked ON {schema}.outledger_request (asked_at, id);

-- The sagas that have not ended. A step writes its row in the transaction that remembers its message, and
-- only over the version that it has read. Names and versions of states, and no name of a class.
CREATE TABLE {schema}.outledger_saga (
  saga          text COLLATE "C" NOT NULL,
  saga_key      text COLLATE "C" NOT NULL,
  version       bigint NOT NULL,
  phase         text COLLATE "C" NOT NULL CHECK (phase IN ('running', 'compensating')),
  waits_for     text,
  timeouts      text,
  done_steps    text,
  state_type    text COLLATE "C" NOT NULL,
  state_version int NOT NULL,
  payload       bytea NOT NULL,
  started_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (saga, saga_key)
);

-- What of each subscription is paused. A change gets the subscription's next revision; the row of the
-- last one stays, also where that ended a pause.
-- "partitions" is no pause: the name says into how many partitions a subscription is being divided, and
-- up to which position the old ones are read.
CREATE TABLE {schema}.outledger_pause (
  subscription text COLLATE "C" NOT NULL,
  scope_kind   text COLLATE "C" NOT NULL CHECK (
    scope_kind IN ('subscription', 'route', 'topic', 'key', 'partitions')),
  scope_name   text COLLATE "C" NOT NULL,
  revision     bigint NOT NULL,
  ended        boolean NOT NULL DEFAULT false,
  paused_by    text NOT NULL,
  reason       text NOT NULL,
  paused_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (subscription, scope_kind, scope_name),
  UNIQUE (subscription, revision)
);

-- Messages that wait for their time, in the order in which they were scheduled. A row goes in the
-- transaction that cancels it, or that inserts its message into the ledger.
CREATE TABLE {schema}.outledger_scheduled (
  number       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  due_at       timestamptz NOT NULL,
  scheduled_at timestamptz NOT NULL,
  id           uuid NOT NULL,
  name         text COLLATE "C" CHECK (octet_length(name) <= 400),
  version      {schema}.outledger_message_version NOT NULL,
  topic        {schema}.outledger_message_topic NOT NULL,
  message_key  {schema}.outledger_message_key,
  type         {schema}.outledger_message_type NOT NULL,
  payload      {schema}.outledger_message_payload NOT NULL,
  headers      {schema}.outledger_message_headers
) WITH (autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX outledger_scheduled_due ON {schema}.outledger_scheduled (due_at, number);

CREATE INDEX outledger_scheduled_id ON {schema}.outledger_scheduled (id);

CREATE UNIQUE INDEX outledger_scheduled_name ON {schema}.outledger_scheduled (name)
  WHERE name IS NOT NULL;

-- Who moves them: one at a time, as long as there is something to move. The first mover makes the row.
CREATE TABLE {schema}.outledger_mover (
  one         boolean PRIMARY KEY CHECK (one),
  holder      uuid NOT NULL,
  lease_until timestamptz NOT NULL
);

-- Views for people.

-- The newest cursor row of each subscription: one backward index step for each.
CREATE VIEW {schema}.outledger_subscription AS
WITH RECURSIVE newest AS (
  (SELECT c AS cursor FROM {schema}.outledger_cursor c
    ORDER BY c.subscription DESC, c.partition_no DESC, c.n DESC LIMIT 1)
  UNION ALL
  SELECT (SELECT c FROM {schema}.outledger_cursor c
           WHERE (c.subscription, c.partition_no)
               < ((newest.cursor).subscription, (newest.cursor).partition_no)
           ORDER BY c.subscription DESC, c.partition_no DESC, c.n DESC LIMIT 1)
    FROM newest WHERE (newest.cursor).n IS NOT NULL
)
SELECT (cursor).subscription, (cursor).partition_no, (cursor).n, (cursor).incarnation,
       (cursor).lease_millis, (cursor).lease_until, (cursor).saved_at, (cursor).high,
       (cursor).known_position, (cursor).known_id, (cursor).open_first, (cursor).open_last,
       (cursor).lacking
  FROM newest WHERE (cursor).n IS NOT NULL AND NOT (cursor).gone;

-- What is pending: not published yet, and why. What an operator has paused says so,
-- except for a pause of one of several routes: the view does not know which messages go there.
CREATE VIEW {schema}.outledger_pending AS
SELECT w.subscription, w.partition_no, w.position,
       CASE WHEN EXISTS (SELECT FROM {schema}.outledger_pause p
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
    SELECT s.subscription, s.partition_no, m.position, 'in flight', '', m.id, m.topic, m.message_key, m.type,
           m.version, m.time
      FROM {schema}.outledger_subscription s
     CROSS JOIN LATERAL unnest(s.open_first, s.open_last) AS open (first, last)
      JOIN {schema}.outledger_message m ON m.position BETWEEN open.first AND open.last
    UNION ALL
    SELECT h.subscription, h.partition_no, m.position, 'in flight', '', m.id, m.topic, m.message_key, m.type,
           m.version, m.time
      FROM {schema}.outledger_hole h
      JOIN {schema}.outledger_message m ON m.position BETWEEN h.first_position AND h.last_position
    UNION ALL
    SELECT p.subscription, p.partition_no, p.position, p.state, p.route, p.id, p.topic, p.message_key, p.type,
           p.version, p.time
      FROM {schema}.outledger_parked p
     WHERE p.state <> 'dead') w;

-- What failed and why: what is tried again, and the dead letters.
CREATE VIEW {schema}.outledger_failed AS
SELECT p.subscription, p.partition_no, p.position, p.route, p.state, p.attempts, p.error,
       p.next_attempt_at, p.blocks, p.requested, p.id, p.topic, p.message_key, p.type, p.version, p.time,
       p.parked_at, p.changed_at
  FROM {schema}.outledger_parked p
 WHERE p.state <> 'held';

-- The same of what consumers have received.
CREATE VIEW {schema}.outledger_inbox_failed AS
SELECT p.consumer, p.number, p.state, p.attempts, p.error, p.next_attempt_at, p.blocks, p.requested,
       p.source, p.message_id, p.topic, p.message_key, p.key_space, p.type, p.version, p.time, p.parked_at,
       p.changed_at
  FROM {schema}.outledger_inbox_parked p
 WHERE p.state <> 'held';

-- What each consumer has processed, to the minute. Its position is known of what is of this ledger.
CREATE VIEW {schema}.outledger_processed AS
SELECT c.consumer, c.subscription,
       CASE WHEN c.subscription <> ''
            THEN ('x' || left(replace(i.message_hash::text, '-', ''), 16))::bit(64)::bigint
       END AS position,
       to_timestamp(i.processed_minute * 60.0) AS processed_at, i.message_hash
  FROM {schema}.outledger_inbox i
  LEFT JOIN (SELECT n.consumer_no, min(n.consumer) AS consumer, min(n.subscription) AS subscription
               FROM {schema}.outledger_inbox_consumer n GROUP BY n.consumer_no) c
    ON c.consumer_no = i.consumer_no;

-- By when was it published: to the second, as far back as cursor rows are kept; null where it was
-- not. Ask for one position, or for a few. Once a cursor row has settled a position all later ones
-- have, so the first that has is found by bisecting their numbers.
CREATE VIEW {schema}.outledger_published AS
SELECT s.subscription, s.partition_no, m.position, m.id, m.topic, m.message_key, m.type, m.version, m.time,
       CASE
         WHEN m.position > s.high
           OR EXISTS (SELECT FROM unnest(s.open_first, s.open_last) AS open (first, last)
                       WHERE m.position BETWEEN open.first AND open.last)
           OR EXISTS (SELECT FROM {schema}.outledger_hole h
                       WHERE h.subscription = s.subscription AND h.partition_no = s.partition_no
                         AND m.position BETWEEN h.first_position AND h.last_position)
           OR EXISTS (SELECT FROM {schema}.outledger_parked p
                       WHERE p.subscription = s.subscription AND p.partition_no = s.partition_no
                         AND p.position = m.position AND p.id = m.id)
           OR late.discarded
         THEN NULL
         ELSE coalesce(late.settled_at, (
           WITH RECURSIVE step AS (
             SELECT (SELECT min(c.n) FROM {schema}.outledger_cursor c
                      WHERE c.subscription = s.subscription AND c.partition_no = s.partition_no)
                    AS low, s.n AS high
             UNION ALL
             SELECT CASE WHEN probe.settled THEN step.low ELSE (step.low + step.high) / 2 + 1 END,
                    CASE WHEN probe.settled THEN probe.n ELSE step.high END
               FROM step
               LEFT JOIN LATERAL (
                 SELECT c.n, c.high >= m.position AND NOT EXISTS (
                          SELECT FROM unnest(c.open_first, c.open_last) AS open (first, last)
                           WHERE m.position BETWEEN open.first AND open.last) AS settled
                   FROM {schema}.outledger_cursor c
                  WHERE c.subscription = s.subscription AND c.partition_no = s.partition_no
                    AND c.n BETWEEN step.low AND (step.low + step.high) / 2
                  ORDER BY c.n DESC LIMIT 1) probe ON true
              WHERE step.low < step.high)
           SELECT c.saved_at FROM {schema}.outledger_cursor c
            WHERE c.subscription = s.subscription AND c.partition_no = s.partition_no
              AND c.n = (SELECT min(step.high) FROM step)))
       END AS published_by, coalesce(late.discarded, false) AS discarded
  FROM {schema}.outledger_subscription s
 CROSS JOIN {schema}.outledger_message m
  LEFT JOIN LATERAL (
    SELECT max(l.settled_at) AS settled_at, bool_or(l.discarded) AS discarded
      FROM {schema}.outledger_late l
     WHERE l.subscription = s.subscription AND l.partition_no = s.partition_no
       AND l.position = m.position) late ON true;

-- A payload as people read it: as text where it is UTF-8, as JSON is; else \x and hexadecimal digits.
CREATE FUNCTION {schema}.outledger_text(payload bytea) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  RETURN pg_catalog.convert_from(payload, 'UTF8');
EXCEPTION WHEN character_not_in_repertoire OR untranslatable_character THEN
  RETURN '\x' || pg_catalog.encode(payload, 'hex');
END
$$;

-- The ledger with payloads that people can read. They are data of the business: grant it to few.
CREATE VIEW {schema}.outledger_readable AS
SELECT m.position, m.time, m.id, m.version, m.topic, m.message_key, m.type, m.headers,
       {schema}.outledger_text(m.payload) AS payload
  FROM {schema}.outledger_message m;

-- How late are we, and why. "oldest" is the first message that is neither published nor discarded,
-- copies of a replay apart, "waiting" the first that the relay has still to try; both are by
-- position, of those that are parked and of each open range. Positions that were drawn and rolled
-- back count in "behind" until they are read. What is parked is counted up to 10,001. A row without
-- a subscription says that nobody reads the ledger, or that a row which the schema inserts was
-- removed. "lacking" is what is declared and the owner does not have: its messages are parked.
-- Retention keeps all from "lowest". Each LIMIT is also for the planner: joins without one let it
-- expect millions of rows, and compile for them. OFFSET 0 has it look once.
-- Where nobody runs a subscription, "state" says what its last owner was doing: "was running",
-- unless a relay was refused after that: then it says so.
CREATE VIEW {schema}.outledger_lag AS
SELECT s.subscription, s.partition_no, owner.running, relay.instance,
       CASE WHEN owner.running OR relay.state NOT IN ('running', 'waiting', 'paused') THEN relay.state
            ELSE 'was ' || relay.state END AS state,
       relay.since,
       relay.reason, s.saved_at, s.high,
       greatest(newest.position - s.high, 0) AS behind,
       greatest(clock_timestamp() - least(waiting.appended_at, parked.appended_at), interval '0')
         AS oldest_age,
       CASE WHEN waiting.appended_at <= coalesce(parked.appended_at, waiting.appended_at)
            THEN 'waiting'
            ELSE parked.state END AS oldest_state,
       greatest(clock_timestamp() - waiting.appended_at, interval '0') AS waiting_age,
       cardinality(s.open_first) + (
         SELECT count(*) FROM {schema}.outledger_hole h
          WHERE h.subscription = s.subscription AND h.partition_no = s.partition_no) AS open_ranges,
       (SELECT count(*) FROM (
          SELECT FROM {schema}.outledger_parked p
           WHERE p.subscription = s.subscription AND p.partition_no = s.partition_no
             AND p.state = 'retrying' LIMIT 10001) counted) AS retrying,
       (SELECT count(*) FROM (
          SELECT FROM {schema}.outledger_parked p
           WHERE p.subscription = s.subscription AND p.partition_no = s.partition_no
             AND p.state = 'held' LIMIT 10001) counted) AS held,
       (SELECT count(*) FROM (
          SELECT FROM {schema}.outledger_parked p
           WHERE p.subscription = s.subscription AND p.partition_no = s.partition_no
             AND p.state = 'dead' LIMIT 10001) counted) AS dead,
       s.lacking,
       least(coalesce(s.open_first[1], s.high + 1), (
         SELECT min(h.first_position) FROM {schema}.outledger_hole h
          WHERE h.subscription = s.subscription AND h.partition_no = s.partition_no)) AS lowest,
       s.lease_until
  FROM {schema}.outledger_subscription s
 CROSS JOIN (SELECT coalesce(max(position), 0) AS position FROM {schema}.outledger_message) newest
 CROSS JOIN LATERAL (
    SELECT coalesce(s.lease_until > clock_timestamp(), false) AS running) owner
  LEFT JOIN LATERAL (
    SELECT t.instance, t.state, t.since, t.reason FROM {schema}.outledger_status t
     WHERE t.subscription = s.subscription AND t.partition_no = s.partition_no
       AND (t.incarnation = s.incarnation OR NOT owner.running)
     ORDER BY t.incarnation = s.incarnation OR t.state IN ('refused', 'stopped') DESC NULLS LAST,
              CASE WHEN t.incarnation = s.incarnation THEN greatest(t.since, s.saved_at)
                   ELSE t.since END DESC LIMIT 1) relay ON true
 CROSS JOIN LATERAL (
    SELECT least(
      (SELECT m.appended_at FROM {schema}.outledger_message m
        WHERE m.position > s.high ORDER BY m.position LIMIT 1),
      (SELECT min(first.appended_at)
         FROM unnest(s.open_first, s.open_last) AS open (first, last)
        CROSS JOIN LATERAL (
              SELECT m.appended_at FROM {schema}.outledger_message m
               WHERE m.position BETWEEN open.first AND open.last
               ORDER BY m.position LIMIT 1) first),
      (SELECT min(first.appended_at)
         FROM {schema}.outledger_hole h
        CROSS JOIN LATERAL (
              SELECT m.appended_at FROM {schema}.outledger_message m
               WHERE m.position BETWEEN h.first_position AND h.last_position
               ORDER BY m.position LIMIT 1) first
        WHERE h.subscription = s.subscription AND h.partition_no = s.partition_no)) AS appended_at
     OFFSET 0) waiting
  LEFT JOIN LATERAL (
    SELECT coalesce((SELECT m.appended_at FROM {schema}.outledger_message m
                      WHERE m.position = p.position AND m.id = p.id), p.parked_at) AS appended_at,
           p.state FROM {schema}.outledger_parked p
     WHERE p.subscription = s.subscription AND p.partition_no = s.partition_no AND NOT p.replayed
     ORDER BY p.position, p.route, p.id LIMIT 1) parked ON true
UNION ALL
SELECT NULL, NULL, false, NULL, CASE WHEN r.one THEN 'unread' ELSE 'refused' END, NULL,
       CASE WHEN r.one
            THEN 'no subscription reads the ledger: start a relay, or nothing is published'
            ELSE 'the row of outledger_retention is missing: put it back with Schema.apply' END, NULL,
       coalesce(r.purged_to, 0), greatest(newest.position - coalesce(r.purged_to, 0), 0),
       greatest(clock_timestamp() - first.appended_at, interval '0'),
       CASE WHEN first.appended_at IS NOT NULL THEN 'waiting' END,
       greatest(clock_timestamp() - first.appended_at, interval '0'), 0, 0, 0, 0, NULL, NULL, NULL
  FROM (SELECT coalesce(max(position), 0) AS position FROM {schema}.outledger_message) newest
  LEFT JOIN (SELECT m.appended_at
               FROM {schema}.outledger_message m ORDER BY m.position LIMIT 1) first
    ON true
  LEFT JOIN {schema}.outledger_retention r ON true
 WHERE r.one IS NULL OR NOT EXISTS (SELECT FROM {schema}.outledger_subscription)
UNION ALL
SELECT NULL, NULL, false, NULL, 'overdue', min(s.due_at),
       'scheduled messages are overdue: start a relay; where one runs, its log says why they stay',
       NULL, 0, count(*),
       greatest(clock_timestamp() - min(s.due_at), interval '0'), 'scheduled',
       greatest(clock_timestamp() - min(s.due_at), interval '0'), 0, 0, 0, 0, NULL, NULL, NULL
  FROM (SELECT due.due_at FROM {schema}.outledger_scheduled due
         WHERE due.due_at < (SELECT clock_timestamp()) - interval '15 seconds'
         ORDER BY due.due_at LIMIT 10001) s
HAVING count(*) > 0;
