// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.Delivery;
import io.outledger.Message;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.HeaderText;
import io.outledger.jdbc.spi.ScheduledTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/** The messages that wait for their time, with the texts of one database. Thread-safe. */
public final class ScheduledBySql implements ScheduledTable {

  /** Two that replace the same name at once meet this often at most. */
  private static final int RACES_MAX = 20;

  private static final String ADD =
      """
      INSERT INTO {schema}.outledger_scheduled
             (id, name, version, topic, message_key, type, payload, headers, due_at, scheduled_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, %s, %s)\
      """;

  // outledger_scheduled_id and outledger_scheduled_name.
  private static final String CANCEL = "DELETE FROM {schema}.outledger_scheduled WHERE";

  // As that. What is due already keeps its place.
  private static final String MAKE_DUE =
      """
      UPDATE {schema}.outledger_scheduled
         SET due_at = CASE WHEN due_at > %1$s THEN %1$s ELSE due_at END WHERE\
      """;

  private static final String BY_ID = " id = ?";
  private static final String BY_NAME = " name = ?";

  private final LedgerTables tables;
  private final String addAt;
  private final String addLater;
  private final String makeDue;

  /**
   * Creates it, without I/O.
   *
   * @param ifNew what follows an insertion that is to do nothing where the name is taken, so that
   *     the transaction can go on; empty where a refused statement does not end it
   */
  public ScheduledBySql(LedgerTables tables, String ifNew) {
    this.tables = tables;
    LedgerSql sql = tables.sql();
    this.addAt = ADD.formatted("?", sql.now()) + ifNew;
    this.addLater = ADD.formatted(sql.later(), sql.now()) + ifNew;
    this.makeDue = MAKE_DUE.formatted(sql.now());
  }

  @Override
  public boolean add(Connection transaction, Message message, Delivery when) throws SQLException {
    Optional<String> name = when.name();
    if (name.isEmpty() || !when.isReplacing()) {
      return insert(transaction, message, when);
    }
    // Another one may come between the two statements, and is replaced then.
    for (int race = 0; race < RACES_MAX; race++) {
      cancel(transaction, name.get());
      if (insert(transaction, message, when)) {
        return true;
      }
    }
    throw new SQLException(
        "others replace the scheduled message of the same name all the time", "40001");
  }

  private boolean insert(Connection transaction, Message message, Delivery when)
      throws SQLException {
    try {
      return Sql.in(
                  tables,
                  transaction,
                  when.time().isPresent() ? addAt : addLater,
                  message.id(),
                  when.name().orElse(null),
                  message.version(),
                  message.topic(),
                  message.key(),
                  message.type(),
                  message.payload(),
                  HeaderText.encode(message.headers()),
                  when.time().isPresent() ? when.time().get() : when.delay().toMillis())
              .update()
          == 1;
    } catch (SQLException e) {
      if (tables.errors().classOf(e) == ErrorClass.DUPLICATE_KEY && when.name().isPresent()) {
        return false;
      }
      throw e;
    }
  }

  @Override
  public int cancel(Connection transaction, UUID id) throws SQLException {
    return Sql.in(tables, transaction, CANCEL + BY_ID, id).update();
  }

  @Override
  public int cancel(Connection transaction, String name) throws SQLException {
    return Sql.in(tables, transaction, CANCEL + BY_NAME, name).update();
  }

  @Override
  public int makeDue(Connection transaction, UUID id) throws SQLException {
    return Sql.in(tables, transaction, makeDue + BY_ID, id).update();
  }

  @Override
  public int makeDue(Connection transaction, String name) throws SQLException {
    return Sql.in(tables, transaction, makeDue + BY_NAME, name).update();
  }
}
