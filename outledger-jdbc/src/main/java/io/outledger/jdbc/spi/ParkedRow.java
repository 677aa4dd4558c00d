// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.receive.ParkedReceived;
import io.outledger.store.ParkedState;
import java.io.IOException;
import java.io.InputStream;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Locale;

/** Reads rows of what consumers have parked, in the columns that {@link ReceivedSql} names. */
final class ParkedRow {

  private ParkedRow() {}

  static String state(ParkedState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

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

  static Received message(SqlValues values, ResultSet row) throws SQLException {
    String source = row.getString(1);
    String origin = row.getString(3);
    Instant at = values.readTime(row, 10);
    boolean isPlain = origin.isEmpty() && !source.startsWith(" "); // as Received.inboxId writes it
    return new Received(
        isPlain ? source : source.substring(origin.length() + 1),
        row.getString(2),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        row.getInt(7),
        payload(row),
        HeaderText.decode(row.getString(9)),
        at,
        origin,
        row.getString(11));
  }

  private static byte[] payload(ResultSet row) throws SQLException {
    try (InputStream in = row.getBinaryStream(8)) {
      return in == null ? new byte[0] : in.readAllBytes();
    } catch (IOException e) {
      throw new SQLException("a payload could not be read", "58030", e);
    }
  }
}
