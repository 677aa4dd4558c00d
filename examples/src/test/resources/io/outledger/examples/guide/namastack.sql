-- The columns of namastack-outbox-jdbc 1.6.0 on PostgreSQL.
CREATE TABLE outbox_record (
  id             varchar(255) PRIMARY KEY,
  status         varchar(20) NOT NULL,
  record_key     varchar(255) NOT NULL,
  record_type    varchar(255) NOT NULL,
  payload        text NOT NULL,
  context        text,
  created_at     timestamptz NOT NULL,
  completed_at   timestamptz,
  failure_count  int NOT NULL,
  failure_reason varchar(1000),
  next_retry_at  timestamptz NOT NULL,
  partition_no   int NOT NULL,
  handler_id     varchar(1000) NOT NULL
);
INSERT INTO outbox_record
SELECT n::text, status, 'k', 't', '{}', NULL, now(), NULL, 0, NULL, now(), 0, 'h'
  FROM unnest(ARRAY['NEW', 'NEW', 'FAILED', 'COMPLETED']) WITH ORDINALITY AS s (status, n);
