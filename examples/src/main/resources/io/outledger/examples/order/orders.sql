-- The order service's own tables; Outledger's lie beside them.
CREATE TABLE IF NOT EXISTS customer (
  id     text PRIMARY KEY,
  orders bigint NOT NULL
);

CREATE TABLE IF NOT EXISTS product (
  id    text PRIMARY KEY,
  price numeric(12, 2) NOT NULL
);

INSERT INTO product (id, price)
SELECT 'product-' || n, n * 10 FROM generate_series(1, 20) n
ON CONFLICT DO NOTHING;

CREATE TABLE IF NOT EXISTS orders (
  id              uuid PRIMARY KEY,
  idempotency_key text NOT NULL,
  customer        text NOT NULL REFERENCES customer,
  number          bigint NOT NULL,
  product         text NOT NULL REFERENCES product,
  quantity        int NOT NULL,
  total           numeric(12, 2) NOT NULL,
  placed_at       timestamptz NOT NULL DEFAULT now()
);

-- Not unique, on purpose: that a key makes one order is the inbox's work, and the demo counts it.
CREATE INDEX IF NOT EXISTS orders_idempotency_key ON orders (idempotency_key);
