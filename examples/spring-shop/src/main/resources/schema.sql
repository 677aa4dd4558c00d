CREATE TABLE IF NOT EXISTS shop_mail (order_id text NOT NULL, about text NOT NULL);
CREATE TABLE IF NOT EXISTS shop_count (type text PRIMARY KEY, total int NOT NULL);
