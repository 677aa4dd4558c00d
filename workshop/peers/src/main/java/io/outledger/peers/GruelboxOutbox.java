// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import com.zaxxer.hikari.HikariDataSource;
import io.outledger.benchmarks.Sql;
import io.outledger.servers.Await;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * gruelbox transaction-outbox: a scheduled call is a row, which a thread locks, carries out and
 * deletes in a transaction of its own.
 */
final class GruelboxOutbox implements Application {

  /** What is only written is due so soon after: it is refused where it is due already. */
  private static final Duration DUE_AFTER = Duration.ofSeconds(1);

  private final HikariDataSource pool;
  private final TransactionManager transactions;
  private final TransactionOutbox outbox;
  private final Settings settings;
  private final Background background = new Background("flush");
  private final ThreadPoolExecutor workers;

  /** What is scheduled; its one method is carried out later. */
  interface Orders {
    void publish(String key, String payload);
  }

  /**
   * How it is set up.
   *
   * @param threads how many publish, each with its connection
   * @param whenFull what becomes of what the queue has no place for
   * @param pause after nothing was left to flush
   */
  record Settings(int threads, RejectedExecutionHandler whenFull, Duration pause)
      implements ApplicationFactory {

    /** As it comes, and as its documentation looks for more: once a minute. */
    static final Settings DEFAULT =
        new Settings(1, new ThreadPoolExecutor.AbortPolicy(), Duration.ofMinutes(1));

    /**
     * Many threads, so that their commits share the waits for the disk; who finds the queue full
     * works too, so that nothing is left for minutes; looks close together.
     */
    static final Settings BEST =
        new Settings(32, new ThreadPoolExecutor.CallerRunsPolicy(), Duration.ofMillis(50));

    @Override
    public Application open(Site site) {
      return new GruelboxOutbox(site, this);
    }
  }

  private GruelboxOutbox(Site site, Settings settings) {
    this.settings = settings;
    this.pool = site.pool(Math.max(Site.CONNECTIONS_DEFAULT, settings.threads() + 4));
    this.transactions = TransactionManager.fromDataSource(pool);
    this.workers = workers(settings);
    Orders orders = (key, payload) -> site.receiver().receive(NumberedMessage.numberOf(payload));
    TransactionOutbox.TransactionOutboxBuilder builder =
        TransactionOutbox.builder()
            .transactionManager(transactions)
            .persistor(Persistor.forDialect(Dialect.POSTGRESQL_9))
            .instantiator(Instantiator.using(type -> orders));
    if (!site.isPublishing()) {
      // What is scheduled is left for flush().
      builder.submitter((entry, now) -> {}).attemptFrequency(DUE_AFTER);
    } else {
      builder.submitter(Submitter.withExecutor(workers));
    }
    this.outbox = builder.build();
  }

  /** The same as the library's own, but for their number: that has one thread everywhere. */
  private static ThreadPoolExecutor workers(Settings settings) {
    return new ThreadPoolExecutor(
        settings.threads(),
        settings.threads(),
        0,
        TimeUnit.MILLISECONDS,
        new ArrayBlockingQueue<>(16_384),
        settings.whenFull());
  }

  @Override
  public void commit(Business business, List<NumberedMessage> messages) throws Exception {
    transactions.inTransactionThrows(
        transaction -> {
          business.run(transaction.connection());
          Orders orders = outbox.schedule(Orders.class);
          for (NumberedMessage message : messages) {
            orders.publish(message.key(), message.payload());
          }
        });
  }

  @Override
  public void start() {
    background.repeat(this::flushAll, settings.pause());
  }

  private void flushAll() {
    while (!background.isClosed() && outbox.flush()) {
      // More may be due.
    }
  }

  @Override
  public boolean isSettled() throws SQLException {
    return Sql.isEmpty(pool, "SELECT 1 FROM txno_outbox");
  }

  @Override
  public void close() {
    long closed = System.nanoTime();
    Await.until(
        "what was written is due",
        Duration.ofSeconds(5),
        () -> System.nanoTime() - closed > DUE_AFTER.toNanos());
    background.close();
    workers.getQueue().clear();
    Background.close(workers);
    pool.close();
  }
}
