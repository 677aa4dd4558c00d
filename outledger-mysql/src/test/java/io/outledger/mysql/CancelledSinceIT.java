// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Delivery;
import io.outledger.Message;
import io.outledger.StoreException;
import io.outledger.jdbc.Outledger;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who cancels in a snapshot cancels what waits now, and not what waited when it was taken. */
final class CancelledSinceIT {

  private static final Delivery LATER = Delivery.after(Duration.ofHours(1));

  private final TestDatabase database = TestDatabase.onMariaDb().withTables();
  private final Outledger outledger =
      Outledger.builder(database.dataSource()).withoutRetention().build();
  private Connection snapshot;

  @BeforeEach
  void connect() throws SQLException {
    schedule(LATER.named("replaced"));
    snapshot = database.dataSource().getConnection();
    snapshot.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    snapshot.setAutoCommit(false);
    takeSnapshot("OFF"); // ON is the default from 11.6.2 on
  }

  private void takeSnapshot(String isolation) throws SQLException {
    snapshot.rollback();
    try (Statement statement = snapshot.createStatement()) {
      statement.execute("SET SESSION innodb_snapshot_isolation = " + isolation);
      statement
          .executeQuery(
              "SELECT COUNT(*) FROM " + database.tables().in("{schema}.outledger_scheduled"))
          .close();
    }
  }

  @AfterEach
  void close() throws SQLException {
    snapshot.close();
    outledger.close();
    database.close();
  }

  @Test
  void whatWasScheduledAnewUnderTheNameIsCancelled() throws SQLException {
    schedule(LATER.replacing("replaced"));
    assertThat(outledger.outbox().cancel(snapshot, "replaced")).isTrue();
    assertThat(waiting()).isZero();
  }

  @Test
  void whatTheSnapshotDoesNotShowIsCancelledByItsName() throws SQLException {
    schedule(LATER.named("new"));
    assertThat(outledger.outbox().cancel(snapshot, "new")).isTrue();
    assertThat(outledger.outbox().cancel(snapshot, "never")).isFalse();
    assertThat(outledger.outbox().cancel(snapshot, "replaced")).isTrue();
    assertThat(waiting()).isZero();
  }

  @Test
  void whatTheSnapshotDoesNotShowIsCancelledAtTheNextAttemptWhereTheServerRefusesIt()
      throws SQLException {
    takeSnapshot("ON");
    schedule(LATER.replacing("replaced"));
    assertThatThrownBy(() -> outledger.outbox().cancel(snapshot, "replaced"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("retry the whole transaction");
    snapshot.rollback();
    assertThat(outledger.outbox().cancel(snapshot, "replaced")).isTrue();
    assertThat(waiting()).isZero();
  }

  /** To look for an id in another way would lock the place where it is not. */
  @Test
  void whatTheSnapshotDoesNotShowIsNotCancelledByItsIdAndIsDelivered() throws SQLException {
    UUID id = schedule(LATER);
    assertThat(outledger.outbox().cancel(snapshot, id)).isFalse();
    assertThat(waiting()).isEqualTo(2);
    assertThat(outledger.outbox().cancel(snapshot, id)).isTrue();
  }

  /** A name that another transaction takes just now is waited for, and then cancelled. */
  @Test
  void nameThatIsNotFoundCanBeScheduledAtOnceByAnother() throws SQLException {
    assertThat(outledger.outbox().cancel(snapshot, "free")).isFalse();
    schedule(LATER.named("free"));
    schedule(LATER);
    assertThat(outledger.outbox().cancel(snapshot, "free")).isTrue();
    assertThat(waiting()).isEqualTo(2);
  }

  private UUID schedule(Delivery when) {
    Message message = Message.to("orders", "order.placed").key("k").build();
    return outledger.outbox().inNewTransaction(message, when);
  }

  private long waiting() throws SQLException {
    snapshot.commit();
    return database.number("SELECT COUNT(*) FROM {schema}.outledger_scheduled");
  }
}
