// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.SchedulableInstance;
import com.github.kagkarlsson.scheduler.task.TaskDescriptor;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import io.outledger.benchmarks.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

/** db-scheduler: a message is a one-time task, which a thread picks, carries out and deletes. */
final class DbSchedulerTasks implements Application {

  private static final TaskDescriptor<String> PUBLISH = TaskDescriptor.of("publish", String.class);

  // The table that it asks its users to make, with the indexes that it recommends.
  private static final String TABLE =
      """
      CREATE TABLE IF NOT EXISTS scheduled_tasks (
        task_name text NOT NULL, task_instance text NOT NULL, task_data bytea,
        execution_time timestamptz NOT NULL, picked boolean NOT NULL, picked_by text,
        last_success timestamptz, last_failure timestamptz, consecutive_failures int,
        last_heartbeat timestamptz, version bigint NOT NULL, priority smallint,
        PRIMARY KEY (task_name, task_instance));
      CREATE INDEX IF NOT EXISTS execution_time_idx ON scheduled_tasks (execution_time);
      CREATE INDEX IF NOT EXISTS last_heartbeat_idx ON scheduled_tasks (last_heartbeat);
      CREATE INDEX IF NOT EXISTS priority_execution_time_idx
        ON scheduled_tasks (priority DESC, execution_time ASC)\
      """;

  private final HikariDataSource pool;
  private final TransactionTemplate transactions;
  private final SchedulerClient client;
  private final Scheduler scheduler;
  private final Settings settings;

  /**
   * How it is set up.
   *
   * @param threads that carry tasks out
   * @param locksAndFetches whether it polls in the way that is told to be faster
   * @param pollingInterval between looks
   */
  record Settings(int threads, boolean locksAndFetches, Duration pollingInterval)
      implements ApplicationFactory {

    static final Settings DEFAULT = new Settings(10, false, Duration.ofSeconds(10));

    /**
     * As the fastest of its own benchmark, with a thread's worth less, for two processors; polls
     * close together, for what another process writes.
     */
    static final Settings BEST = new Settings(32, true, Duration.ofMillis(50));

    @Override
    public Application open(Site site) throws SQLException {
      Sql.run(site.dataSource(), TABLE);
      return new DbSchedulerTasks(site, this);
    }
  }

  private DbSchedulerTasks(Site site, Settings settings) {
    this.settings = settings;
    this.pool = site.pool(Math.max(Site.CONNECTIONS_DEFAULT, settings.threads() + 4));
    this.transactions = new TransactionTemplate(new DataSourceTransactionManager(pool));
    OneTimeTask<String> task =
        Tasks.oneTime(PUBLISH)
            .execute(
                (instance, context) ->
                    site.receiver().receive(NumberedMessage.numberOf(instance.getData())));
    this.client =
        SchedulerClient.Builder.create(new TransactionAwareDataSourceProxy(pool), task).build();
    SchedulerBuilder builder =
        Scheduler.create(pool, task)
            .threads(settings.threads())
            .pollingInterval(settings.pollingInterval())
            .shutdownMaxWait(Duration.ofSeconds(10));
    if (settings.locksAndFetches()) {
      builder.pollUsingLockAndFetch(4.0, 20.0);
    }
    this.scheduler = builder.build();
  }

  @Override
  public void commit(Business business, List<NumberedMessage> messages) {
    transactions.executeWithoutResult(
        status -> {
          try {
            business.run(DataSourceUtils.getConnection(pool));
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
          schedule(messages);
        });
    if (settings.locksAndFetches() && scheduler.getSchedulerState().isStarted()) {
      scheduler.triggerCheckForDueExecutions();
    }
  }

  private void schedule(List<NumberedMessage> messages) {
    Instant now = Instant.now();
    List<SchedulableInstance<?>> tasks = new ArrayList<>();
    for (NumberedMessage message : messages) {
      tasks.add(
          PUBLISH.instance(UUID.randomUUID().toString()).data(message.payload()).scheduledTo(now));
    }
    client.scheduleBatch(tasks);
  }

  @Override
  public void start() {
    scheduler.start();
  }

  @Override
  public boolean isSettled() throws SQLException {
    return Sql.isEmpty(pool, "SELECT 1 FROM scheduled_tasks");
  }

  @Override
  public void close() {
    scheduler.stop();
    pool.close();
  }
}
