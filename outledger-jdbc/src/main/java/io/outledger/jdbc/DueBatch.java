// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Message;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.DueMessages;
import io.outledger.jdbc.spi.DueMessages.Due;
import io.outledger.jdbc.spi.DueMessages.Row;
import io.outledger.jdbc.spi.OperatorTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A transaction that moves the next of the messages that are due: it appends them, as an outbox
 * does, and removes their rows. Where it fails, {@link #tried} tells what it was about. For one
 * thread.
 */
final class DueBatch implements OperatorTransactions.Work<DueBatch.Outcome> {

  private final Database database;
  private final DueMessages due;
  private final MoverLease lease;
  private final DuePage page;
  private DueChoice choice = DueChoice.NOTHING;

  DueBatch(Database database, MoverLease lease, DuePage page) {
    this.database = database;
    this.due = database.dueMessages();
    this.lease = lease;
    this.page = page;
  }

  /**
   * What it has come to.
   *
   * @param moved how many messages are in the ledger now
   * @param unreadable rows that are no messages, and why
   * @param next where the next batch looks
   * @param isMore whether there may be more that is due
   */
  record Outcome(int moved, Map<Row, String> unreadable, DuePage next, boolean isMore) {}

  /**
   * Moves the next ones. The page is read from its beginning in one statement: a message is in it
   * that was committed before another one of its key was scheduled which is.
   */
  @Override
  public Outcome on(Connection transaction) throws SQLException {
    choice = DueChoice.NOTHING;
    if (!lease.isHeld(transaction)) {
      return new Outcome(0, Map.of(), page, false);
    }
    List<Due> rows = due.due(transaction, page.rows(), page.held());
    choice = DueChoice.of(rows, page.passed(), page.most());
    DueMessages.Locked locked = lock(transaction);
    Set<String> held = new HashSet<>();
    Set<Row> passed = new HashSet<>(page.passed());
    List<Long> numbers = new ArrayList<>();
    List<Message> messages = new ArrayList<>();
    for (Due each : choice.wanted()) {
      Message message = locked.messages().get(each.number());
      if (message == null || DueChoice.isHeld(held, each)) {
        passed.add(each.row());
        DueChoice.hold(held, each);
      } else {
        numbers.add(each.number());
        messages.add(message);
      }
    }
    if (!messages.isEmpty()) {
      database.appender().append(transaction, messages);
      requireAll(due.remove(transaction, numbers), numbers);
    }
    held.addAll(choice.held());
    DuePage next = page.after(passed, DueChoice.leftOut(page.held(), held));
    boolean isAllPassed = messages.isEmpty() && !choice.isCut();
    return new Outcome(
        messages.size(),
        unreadable(locked),
        isAllPassed ? next.wider() : next,
        choice.isCut() || rows.size() == page.rows());
  }

  private DueMessages.Locked lock(Connection transaction) throws SQLException {
    return choice.wanted().isEmpty()
        ? new DueMessages.Locked(Map.of(), Map.of())
        : due.lock(transaction, choice.wanted());
  }

  private Map<Row, String> unreadable(DueMessages.Locked locked) {
    Map<Row, String> unreadable = new HashMap<>();
    for (Due each : choice.wanted()) {
      String why = locked.unreadable().get(each.number());
      if (why != null) {
        unreadable.put(each.row(), why);
      }
    }
    return unreadable;
  }

  /** What is in the ledger and waits still would be delivered twice. */
  private static void requireAll(int removed, List<Long> numbers) throws SQLException {
    if (removed != numbers.size()) {
      throw new SQLException(
          "removed "
              + removed
              + " of "
              + numbers.size()
              + " rows of outledger_scheduled: something beside Outledger keeps them, such as a"
              + " trigger or row-level security; remove it",
          "0A000");
    }
  }

  /** Returns what it has tried to move, in order; empty where it has not come so far. */
  List<Row> tried() {
    return choice.wanted().stream().map(Due::row).toList();
  }

  /** Returns what it would have looked at behind that. */
  List<Row> behind() {
    return choice.behind().stream().map(Due::row).toList();
  }
}
