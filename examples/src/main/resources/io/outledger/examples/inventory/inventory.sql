-- The inventory service's own tables; Outledger's lie beside them.
CREATE TABLE IF NOT EXISTS stock (
  product      text PRIMARY KEY,
  reserved     bigint NOT NULL DEFAULT 0,
  reservations bigint NOT NULL DEFAULT 0
);

INSERT INTO stock (product)
SELECT 'product-' || n FROM generate_series(1, 20) n
ON CONFLICT DO NOTHING;

-- One row for each effect. Nothing here forbids a second one for an order: that is the inbox's work.
CREATE TABLE IF NOT EXISTS reservation (
  order_id    uuid NOT NULL,
  product     text NOT NULL REFERENCES stock,
  number      bigint NOT NULL,
  quantity    int NOT NULL,
  reserved_at timestamptz NOT NULL DEFAULT now()
);
