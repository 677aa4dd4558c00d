// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.jdbc.spi.CursorKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** What becomes of parked messages when their subscription is moved, in the same transaction. */
final class ParkedReplay {

  private static final String THOSE =
      """
       FROM {schema}.outledger_parked p
       WHERE p.subscription = ? AND p.partition = ?\
      """;
  private static final String IS_THERE =
      """
       EXISTS (SELECT 1 FROM {schema}.outledger_message m
                WHERE m.position = p.position AND m.id = p.id)\
      """;

  private static final String SUPERSEDE = "DELETE" + THOSE + " AND p.position > ? AND" + IS_THERE;

  private static final String LOWEST = "SELECT MIN(p.position)" + THOSE;
  private static final String OF_EARLIER_LEDGERS =
      "SELECT DISTINCT p.position, p.id"
          + THOSE
          + " AND p.position > 0 AND NOT"
          + IS_THERE
          + """
             AND (? OR EXISTS (SELECT 1 FROM {schema}.outledger_message m
                                WHERE m.position = p.position))
           ORDER BY 1 DESC\
          """;
  private static final String SET_APART =
      """
      UPDATE {schema}.outledger_parked SET position = ?
       WHERE subscription = ? AND partition = ? AND position = ? AND id = ?\
      """;

  private final Tables tables;
  private final CursorKey key;

  /** A message that is parked, maybe in several routes. */
  private record Message(long position, UUID id) {}

  ParkedReplay(Tables tables, CursorKey key) {
    this.tables = tables;
    this.key = key;
  }

  /**
   * Takes away what is parked of messages that are read again. A row stays if its message is
   * purged, or if the ledger has another one at its position.
   */
  void supersede(Connection connection, long high) throws SQLException {
    Sql.of(connection, tables.in(SUPERSEDE), key.subscription(), key.partition(), high).update();
  }

  /**
   * Gives what is parked of earlier ledgers negative positions, in its order: it stays apart from
   * whatever this ledger has, or will have, at its old ones.
   *
   * @param isAnother whether all that this ledger does not have is of an earlier one
   */
  void setApart(Connection connection, boolean isAnother) throws SQLException {
    long next = Math.min(0, number(connection, LOWEST));
    List<Message> earlier =
        Sql.of(
                connection,
                tables.in(OF_EARLIER_LEDGERS),
                key.subscription(),
                key.partition(),
                isAnother)
            .rows(row -> new Message(row.getLong(1), row.getObject(2, UUID.class)));
    long last = 0;
    for (Message message : earlier) {
      next = message.position() == last ? next : next - 1;
      last = message.position();
      setApart(connection, message, next);
    }
  }

  private void setApart(Connection connection, Message message, long position) throws SQLException {
    Sql.of(
            connection,
            tables.in(SET_APART),
            position,
            key.subscription(),
            key.partition(),
            message.position(),
            message.id())
        .update();
  }

  private long number(Connection connection, String sql) throws SQLException {
    return Sql.of(connection, tables.in(sql), key.subscription(), key.partition()).number();
  }
}
