// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.Delivery;
import io.outledger.Message;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.HeaderText;
import io.outledger.jdbc.spi.ScheduledTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The messages that wait for their time, with the texts of one database. Thread-safe. */
public class ScheduledBySql implements ScheduledTable {

  /** Two that replace the same name at once meet this often at most. */
  private static final int RACES_MAX = 20;

  private static final String ADD =
      """
      INSERT INTO {schema}.outledger_scheduled
             (id, name, version, topic, message_key, type, payload, headers, due_at, scheduled_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, %s, %s)\
      """;

  // outledger_scheduled_id and outledger_scheduled_name. It locks nothing: who locked their entries
  // first and the row behind them, in the other order than a mover, would meet that in a deadlock.
  private static final String FIND = "SELECT s.number FROM {schema}.outledger_scheduled s WHERE s.";
  private static final String BY_ID = FIND + "id = ?";
  private static final String BY_NAME = FIND + "name = ?";

  // Both: the primary key. What is due already keeps its place.
  private static final String CANCEL = "DELETE FROM {schema}.outledger_scheduled WHERE number = ?";
  private static final String MAKE_DUE =
      """
      UPDATE {schema}.outledger_scheduled
         SET due_at = CASE WHEN due_at > %1$s THEN %1$s ELSE due_at END
       WHERE number = ?\
      """;

  // outledger_scheduled_name. It sees what was committed since the transaction's snapshot, on
  // databases whose snapshots are not those of writes.
  private static final String CLEAR = "DELETE FROM {schema}.outledger_scheduled WHERE name = ?";

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
  public final boolean add(Connection transaction, Message message, Delivery when)
      throws SQLException {
    Optional<String> name = when.name();
    if (name.isEmpty() || !when.isReplacing()) {
      return insert(transaction, message, when);
    }
    cancel(transaction, BY_NAME, name.get());
    for (int race = 0; race < RACES_MAX; race++) {
      if (insert(transaction, message, when)) {
        return true;
      }
      // Another one has come between the two statements.
      clear(transaction, name.get());
    }
    throw new SQLException(
        "others replace the scheduled message of the same name all the time", "40001");
  }

  /**
   * For the database's own. Inserts a message, unless one waits under its name.
   *
   * @return whether it was inserted
   */
  protected final boolean insert(Connection transaction, Message message, Delivery when)
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

  /** Whoever knows an id has seen its message committed, or has scheduled it. */
  @Override
  public final int cancel(Connection transaction, UUID id) throws SQLException {
    return cancel(transaction, BY_ID, id);
  }

  /** What the snapshot does not show may wait all the same: it was scheduled since. */
  @Override
  public final int cancel(Connection transaction, String name) throws SQLException {
    int cancelled = cancel(transaction, BY_NAME, name);
    return cancelled > 0 ? cancelled : cancelUnseen(transaction, name);
  }

  /**
   * For the database's own. Removes what waits under a name, and is not in the transaction's
   * snapshot. It must lock nothing where nothing waits: others would wait, or meet it in a
   * deadlock, who schedule something else.
   *
   * @return how many were removed
   */
  protected int cancelUnseen(Connection transaction, String name) throws SQLException {
    return clear(transaction, name);
  }

  /**
   * For the database's own. Removes what waits under a name now.
   *
   * @return how many were removed
   */
  protected final int clear(Connection transaction, String name) throws SQLException {
    return Sql.in(tables, transaction, CLEAR, name).update();
  }

  @Override
  public final int makeDue(Connection transaction, UUID id) throws SQLException {
    return change(transaction, makeDue, BY_ID, id);
  }

  @Override
  public final int makeDue(Connection transaction, String name) throws SQLException {
    return change(transaction, makeDue, BY_NAME, name);
  }

  private int change(Connection transaction, String change, String find, Object which)
      throws SQLException {
    int changed = 0;
    for (Long number : numbers(transaction, find, which)) {
      changed += Sql.in(tables, transaction, change, number).update();
    }
    return changed;
  }

  private int cancel(Connection transaction, String find, Object which) throws SQLException {
    int cancelled = 0;
    for (Long number : numbers(transaction, find, which)) {
      cancelled += cancelSeen(transaction, number);
    }
    return cancelled;
  }

  private List<Long> numbers(Connection transaction, String find, Object which)
      throws SQLException {
    return Sql.in(tables, transaction, find, which).rows(row -> row.getLong(1));
  }

  /**
   * For the database's own. Removes a message that the transaction's snapshot shows, after whoever
   * is at it. It may have been moved since: nothing must be locked then, as in {@link
   * #cancelUnseen}.
   *
   * @return how many were removed
   */
  protected int cancelSeen(Connection transaction, long number) throws SQLException {
    return remove(transaction, number);
  }

  /**
   * For the database's own. Removes a row.
   *
   * @return how many were removed
   */
  protected final int remove(Connection transaction, long number) throws SQLException {
    return Sql.in(tables, transaction, CANCEL, number).update();
  }
}
