-- The columns of transactionoutbox-core 4.2.268 on PostgreSQL.
CREATE TABLE txno_outbox (
  id              varchar(36) PRIMARY KEY,
  invocation      text,
  nextattempttime timestamp(6),
  attempts        int,
  blocked         boolean,
  version         int,
  uniquerequestid varchar(250) UNIQUE,
  processed       boolean,
  lastattempttime timestamp(6)
);
INSERT INTO txno_outbox (id, blocked, processed)
VALUES ('1', false, false), ('2', false, false), ('3', true, false), ('4', false, true);
