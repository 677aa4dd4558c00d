CREATE TABLE audit (message uuid NOT NULL, type text NOT NULL);
CREATE TABLE reservation (order_id text PRIMARY KEY);
