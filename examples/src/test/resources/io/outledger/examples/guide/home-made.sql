CREATE TABLE outbox (
  seq        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id         uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  topic      text NOT NULL DEFAULT 'orders',
  key        text,
  type       text NOT NULL DEFAULT 'order.placed',
  payload    text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at    timestamptz
);
