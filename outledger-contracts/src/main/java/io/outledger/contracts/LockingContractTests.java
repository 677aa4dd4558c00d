// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.admin.Which;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedState;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.stream.LongStream;

/** What is done while another transaction has rows locked. */
abstract class LockingContractTests extends DatabaseContractTests {

  static final String WHO = "anna";

  static final String WHY = "the vendor is back";

  static Request retryOfDead() {
    Which dead = new Which.Selected(ParkedSelection.of(ParkedState.DEAD));
    return new Verb.Retry(Reader.subscription(SUBSCRIPTION), dead, Pace.UNLIMITED).by(WHO, WHY);
  }

  static void parkDead(Owner owner, int count) {
    owner.save(
        LongStream.rangeClosed(1, count)
            .mapToObj(position -> ParkedRows.park(position, "k" + position, ParkedState.DEAD, null))
            .toArray(ParkedChange[]::new));
  }

  final Outledger slow(Duration look) {
    return Outledger.builder(dataSource()).withoutRetention().time(CountedTime.of(look)).build();
  }

  final RequestStatus statusOf(Request request) {
    return process().requests().get(request.id()).orElseThrow();
  }

  /** Where one transaction writes at a time, nobody locks a row. */
  final int lockedRows() {
    return fixture().writers() == DatabaseFixture.Writers.ONE ? 0 : 1;
  }

  /** Does something while another transaction has a parked row locked. */
  final void whileLocked(long position, Runnable work) throws SQLException {
    if (lockedRows() == 0) {
      work.run();
      return;
    }
    try (Connection other = locking(position)) {
      work.run();
      other.rollback();
    }
  }

  final Connection locking(long position) throws SQLException {
    return locking("outledger_parked WHERE position = " + position);
  }

  final Connection locking(String rows) throws SQLException {
    Connection other = dataSource().getConnection();
    other.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED); // locks no other row
    other.setAutoCommit(false);
    execute(other, "SELECT * FROM " + rows + " FOR UPDATE");
    return other;
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
