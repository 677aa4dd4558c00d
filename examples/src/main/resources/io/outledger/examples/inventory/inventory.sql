-- The inventory service's own tables, in SQL that every database understands; Outledger's lie beside them.
CREATE TABLE IF NOT EXISTS stock (
  product      VARCHAR(100) PRIMARY KEY,
  reserved     BIGINT DEFAULT 0 NOT NULL,
  reservations BIGINT DEFAULT 0 NOT NULL
);

INSERT INTO stock (product)
SELECT p.id FROM (
  SELECT 'product-1' AS id UNION ALL SELECT 'product-2' UNION ALL SELECT 'product-3' UNION ALL
  SELECT 'product-4' UNION ALL SELECT 'product-5' UNION ALL SELECT 'product-6' UNION ALL
  SELECT 'product-7' UNION ALL SELECT 'product-8' UNION ALL SELECT 'product-9' UNION ALL
  SELECT 'product-10' UNION ALL SELECT 'product-11' UNION ALL SELECT 'product-12' UNION ALL
  SELECT 'product-13' UNION ALL SELECT 'product-14' UNION ALL SELECT 'product-15' UNION ALL
  SELECT 'product-16' UNION ALL SELECT 'product-17' UNION ALL SELECT 'product-18' UNION ALL
  SELECT 'product-19' UNION ALL SELECT 'product-20'
) p WHERE NOT EXISTS (SELECT 1 FROM stock);

-- One row for each effect. Nothing here forbids a second one for an order: that is the inbox's work.
CREATE TABLE IF NOT EXISTS reservation (
  order_id    VARCHAR(36) NOT NULL,
  product     VARCHAR(100) NOT NULL REFERENCES stock (product),
  number      BIGINT NOT NULL,
  quantity    INTEGER NOT NULL,
  reserved_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);
