// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.roles;

import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.chaos.database.ShopSql;
import io.outledger.chaos.database.ShopState;
import io.outledger.chaos.history.CommitOutcome;
import io.outledger.chaos.history.Entry;
import io.outledger.chaos.history.History;
import io.outledger.jdbc.JdbcOutbox;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Writes one transaction a run: locks a few accounts, appends messages of each, and commits or
 * rolls back. Takes down each message before the commit is asked for, and what came of it.
 */
final class Writer implements Runnable {

  private static final double ROLLED_BACK = 0.1;

  /**
   * More wait for no relay: on a machine on which writers are faster than relays, no fault would
   * show what becomes of what was written just before it, and the end of a run would be hours away.
   */
  private static final long BACKLOG_MAX = 20_000;

  private static final int RUNS_A_LOOK = 20;

  private final DataSource dataSource;
  private final ShopSql sql;
  private final JdbcOutbox outbox;
  private final History history;
  private final RandomGenerator random;
  private final boolean isOperated;
  private final int version;
  private @Nullable Connection connection;
  private long committed;
  private long runs;
  private boolean isFarAhead;

  Writer(RoleSettings settings, JdbcOutbox outbox, History history, RandomGenerator random) {
    this.dataSource = settings.dataSource();
    this.sql = settings.sql();
    this.isOperated = settings.isOperated();
    this.version = settings.version();
    this.outbox = outbox;
    this.history = history;
    this.random = random;
  }

  long committed() {
    return committed;
  }

  /** Fails softly: a server that is down is what these writers are for. */
  @Override
  public void run() {
    try {
      Connection open = open();
      if (runs++ % RUNS_A_LOOK == 0) {
        look(open);
      }
      if (!isFarAhead) {
        transact(open);
      }
    } catch (SQLException | OutledgerException e) {
      RoleSettings.say("transaction failed: " + e.getMessage());
      close();
    }
  }

  private void look(Connection open) throws SQLException {
    ShopState state = sql.state(open);
    open.rollback();
    isFarAhead = state.unsettled() + state.waiting() > BACKLOG_MAX;
  }

  private Connection open() throws SQLException {
    Connection open = connection;
    if (open == null) {
      open = dataSource.getConnection();
      connection = open;
      open.setAutoCommit(false);
    }
    return open;
  }

  private void transact(Connection open) throws SQLException {
    List<Message> messages = new ArrayList<>();
    List<Entry.Wrote> written = new ArrayList<>();
    TreeSet<String> keys = new TreeSet<>(); // locked in this order, so that none waits in a circle
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      keys.add(key());
    }
    for (String key : keys) {
      int count = random.nextInt(1, 5);
      long counter = sql.count(open, key, count) - count;
      for (int i = 1; i <= count; i++) {
        Message message = message(key, counter + i);
        messages.add(message);
        written.add(new Entry.Wrote(key, counter + i, message.id(), CommitOutcome.UNKNOWN));
      }
    }
    outbox.append(open, messages);
    end(open, written);
  }

  private String key() {
    return isOperated && random.nextInt(30) == 0
        ? "r" + random.nextInt(1, ShopSql.REFUSED + 1)
        : "a" + random.nextInt(1, ShopSql.ACCOUNTS + 1);
  }

  private void end(Connection open, List<Entry.Wrote> written) throws SQLException {
    history.writeAll(written);
    if (random.nextDouble() < ROLLED_BACK) {
      open.rollback();
      history.writeAll(with(CommitOutcome.ROLLED_BACK, written));
    } else {
      open.commit();
      history.writeAll(with(CommitOutcome.COMMITTED, written));
      committed += written.size();
    }
  }

  private static List<Entry.Wrote> with(CommitOutcome outcome, List<Entry.Wrote> written) {
    return written.stream()
        .map(one -> new Entry.Wrote(one.key(), one.counter(), one.id(), outcome))
        .toList();
  }

  private Message message(String key, long counter) {
    return Message.to(RoleSettings.TOPIC, RoleSettings.TYPE)
        .version(random.nextInt(Math.max(1, version - 1), version + 1)) // the newest two
        .key(key)
        .payload((key + " " + counter).getBytes(StandardCharsets.UTF_8))
        .build();
  }

  private void close() {
    Connection broken = connection;
    connection = null;
    if (broken != null) {
      try {
        broken.close();
      } catch (SQLException e) {
        RoleSettings.say("connection not closed: " + e.getMessage());
      }
    }
  }
}
