-- The columns of spring-modulith-events-jdbc 2.1.1 on PostgreSQL.
CREATE TABLE event_publication (
  id                     uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  listener_id            text NOT NULL,
  event_type             text NOT NULL,
  serialized_event       text NOT NULL,
  publication_date       timestamptz NOT NULL,
  completion_date        timestamptz,
  status                 text,
  completion_attempts    int,
  last_resubmission_date timestamptz
);
INSERT INTO event_publication (listener_id, event_type, serialized_event, publication_date, completion_date)
VALUES ('Mails.on', 'OrderPlaced', '{}', now(), NULL), ('Mails.on', 'OrderPlaced', '{}', now(), now());
