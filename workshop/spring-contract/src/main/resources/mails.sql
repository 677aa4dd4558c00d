CREATE TABLE orders (id varchar(100) PRIMARY KEY, cents int NOT NULL);
CREATE TABLE mail (order_id varchar(100) PRIMARY KEY);
