-- The order service's own tables, in SQL that every database understands; Outledger's lie beside them.
CREATE TABLE IF NOT EXISTS product (
  id    VARCHAR(100) PRIMARY KEY,
  price DECIMAL(12, 2) NOT NULL
);

INSERT INTO product (id, price)
SELECT p.id, p.price FROM (
  SELECT 'product-1' AS id, 10.00 AS price UNION ALL SELECT 'product-2', 20.00 UNION ALL
  SELECT 'product-3', 30.00 UNION ALL SELECT 'product-4', 40.00 UNION ALL
  SELECT 'product-5', 50.00 UNION ALL SELECT 'product-6', 60.00 UNION ALL
  SELECT 'product-7', 70.00 UNION ALL SELECT 'product-8', 80.00 UNION ALL
  SELECT 'product-9', 90.00 UNION ALL SELECT 'product-10', 100.00 UNION ALL
  SELECT 'product-11', 110.00 UNION ALL SELECT 'product-12', 120.00 UNION ALL
  SELECT 'product-13', 130.00 UNION ALL SELECT 'product-14', 140.00 UNION ALL
  SELECT 'product-15', 150.00 UNION ALL SELECT 'product-16', 160.00 UNION ALL
  SELECT 'product-17', 170.00 UNION ALL SELECT 'product-18', 180.00 UNION ALL
  SELECT 'product-19', 190.00 UNION ALL SELECT 'product-20', 200.00
) p WHERE NOT EXISTS (SELECT 1 FROM product);

CREATE TABLE IF NOT EXISTS orders (
  id              VARCHAR(36) PRIMARY KEY,
  idempotency_key VARCHAR(500) NOT NULL,
  customer        VARCHAR(100) NOT NULL,
  number          BIGINT NOT NULL,
  product         VARCHAR(100) NOT NULL REFERENCES product (id),
  quantity        INTEGER NOT NULL,
  total           DECIMAL(12, 2) NOT NULL,
  placed_at       TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL,
  UNIQUE (customer, number),
  -- To find the order of a key. On purpose it allows a second one: that a key makes one order is the
  -- inbox's work, and the demo counts it.
  UNIQUE (idempotency_key, id)
);
