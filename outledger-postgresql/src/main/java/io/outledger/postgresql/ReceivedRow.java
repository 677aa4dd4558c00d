// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.jdbc.spi.HeaderText;
import io.outledger.receive.ParkedReceived;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;

/** Reads rows of what consumers have parked. */
final class ReceivedRow {

  /** SQL for a row without its payload. */
  static final String LIGHT =
      "p.number, p.source, p.message_id, p.key, p.key_space, p.topic, p.type, p.attempts";

  /** SQL for a row's message. */
  static final String MESSAGE =
      "p.source, p.message_id, p.origin, p.topic, p.key, p.type, p.version, p.payload, p.headers,"
          + " p.time, p.key_space";

  private ReceivedRow() {}

  static ParkedReceived light(ResultSet row) throws SQLException {
    return new ParkedReceived(
        row.getLong(1),
        new InboxId(row.getString(2), row.getString(3)),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        row.getInt(8));
  }

  static Received message(ResultSet row) throws SQLException {
    String source = row.getString(1);
    String origin = row.getString(3);
    OffsetDateTime time = row.getObject(10, OffsetDateTime.class);
    Instant at = time == null ? null : time.toInstant();
    return new Received(
        origin.isEmpty() ? source : source.substring(origin.length() + 1),
        row.getString(2),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        row.getInt(7),
        row.getBytes(8),
        HeaderText.decode(row.getString(9)),
        at,
        origin,
        row.getString(11));
  }
}
