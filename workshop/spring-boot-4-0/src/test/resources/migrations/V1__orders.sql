CREATE TABLE orders (id text PRIMARY KEY, cents int NOT NULL);
