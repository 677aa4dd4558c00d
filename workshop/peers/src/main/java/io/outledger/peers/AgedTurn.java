// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import io.outledger.benchmarks.SaveTime;
import io.outledger.benchmarks.Sql;
import io.outledger.servers.Await;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** One application catches up, gets a burden, drains what waits then, and saves. */
final class AgedTurn {

  private static final long CATCH_UP_SECONDS = 300;
  // Beyond those that wait for a drain: Debezium publishes the last ones of the previous run again.
  private static final NumberedMessage SAVED = new NumberedMessage(99_999_998);
  private static final NumberedMessage LAST = new NumberedMessage(99_999_999);

  private final Entrant entrant;
  private final EntrantBurden burden;
  private final String jdbcUrl;
  private final DataSource dataSource;

  AgedTurn(Entrant entrant, EntrantBurden burden, String jdbcUrl) {
    this.entrant = entrant;
    this.burden = burden;
    this.jdbcUrl = jdbcUrl;
    this.dataSource = Site.forWriting(jdbcUrl).dataSource();
  }

  /**
   * How long it takes.
   *
   * @param messages how many wait
   * @param drainMillisMax when draining is over, whatever still waits
   * @param saveMillis how long it saves
   */
  record Length(int messages, long drainMillisMax, long saveMillis) {

    static Length of(String messages, String drainMillisMax, String saveMillis) {
      return new Length(
          Integer.parseInt(messages), Long.parseLong(drainMillisMax), Long.parseLong(saveMillis));
    }
  }

  Aged run(Length length, long serverPid) throws Exception {
    Transactions.Losses losses = burden.losses(DoomedOrder.in(dataSource));
    catchUp();
    try (HeldTransaction held = new HeldTransaction(jdbcUrl)) {
      burden.hold(held, entrant.product());
      Backlog.writeSingly(entrant.factory(), jdbcUrl, length.messages(), losses);
      tidyUp(dataSource);
      Drained drained =
          new DrainTurn(entrant, serverPid)
              .run(
                  receiver -> Site.forPublishingOn(jdbcUrl, receiver),
                  length.messages(),
                  length.drainMillisMax());
      return new Aged(drained, save(length.saveMillis(), losses));
    }
  }

  /** Publishes all that there is, with a message after it that tells when it is done. */
  private void catchUp() throws Exception {
    CountDownLatch last = new CountDownLatch(1);
    Receiver receiver =
        number -> {
          if (number == LAST.number()) {
            last.countDown();
          }
        };
    try (Application application =
        entrant.factory().open(Site.forPublishingOn(jdbcUrl, receiver))) {
      application.commit(Business.NONE, List.of(LAST));
      application.start();
      if (!last.await(CATCH_UP_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException(entrant.id() + " does not catch up");
      }
      Await.until("it is settled", Duration.ofSeconds(60), application::isSettled);
    }
  }

  /** As it would be done by itself after a while, so that nobody pays for who wrote before him. */
  static void tidyUp(DataSource dataSource) throws SQLException {
    Sql.run(dataSource, "VACUUM (ANALYZE)");
    Sql.run(dataSource, "CHECKPOINT");
  }

  private SaveTime save(long millis, Transactions.Losses losses) throws Exception {
    try (Application application = entrant.factory().open(Site.forWriting(jdbcUrl))) {
      Transactions transactions = new Transactions(application, PlacedOrder.in(dataSource), losses);
      return SaveTime.measure(millis, transactions::loseSome, () -> transactions.commit(SAVED));
    }
  }
}
