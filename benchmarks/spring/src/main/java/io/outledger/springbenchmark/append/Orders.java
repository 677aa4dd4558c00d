// SPDX-License-Identifier: Apache-2.0
package io.outledger.springbenchmark.append;

import io.outledger.Outbox;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Places orders, in two ways. */
@Service
public class Orders {

  private static final String NOTE = "n".repeat(145);

  // As many bytes as the event's JSON has.
  private static final byte[] PAYLOAD =
      "{\"id\":\"%s\",\"note\":\"%s\"}"
          .formatted(new UUID(0, 0), NOTE)
          .getBytes(StandardCharsets.UTF_8);

  private final JdbcTemplate jdbc;
  private final Outbox outbox;

  Orders(JdbcTemplate jdbc, Outbox outbox) {
    this.jdbc = jdbc;
    this.outbox = outbox;
  }

  /** Stores an order and appends a message. */
  @Transactional
  public void append() {
    String id = insert();
    outbox.append(new OrderPlaced(id, NOTE));
  }

  /** Stores an order and one more row, as large as the message. */
  @Transactional
  public void update() {
    String id = insert();
    jdbc.update(
        "INSERT INTO news (time, id, version, topic, key, type, payload)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?)",
        OffsetDateTime.now(ZoneOffset.UTC),
        UUID.randomUUID(),
        1,
        "orders",
        id,
        "order.placed",
        PAYLOAD);
  }

  private String insert() {
    String id = UUID.randomUUID().toString();
    jdbc.update("INSERT INTO orders (id, cents) VALUES (?, ?)", id, 1990);
    return id;
  }
}
