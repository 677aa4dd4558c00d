// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import io.outledger.relay.context.Wakeup;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;
import org.apache.kafka.connect.source.TransactionContext;
import org.jspecify.annotations.Nullable;

/**
 * Reads some of a subscription's slots. Kafka Connect makes it, and calls it. A database that is
 * down or an owner that must be waited for fails nothing: {@link #poll()} returns no record and
 * tries again. What an operator has to decide or repair fails the task, with the reason in its
 * status.
 */
public final class OutledgerSourceTask extends SourceTask {

  /** The numbers of the task's slots; the connector sets it. */
  static final String SLOTS = "task.slots";

  private static final Duration ACKNOWLEDGEMENT = Duration.ofMillis(100);

  private final Wakeup wakeup = new Wakeup();
  private final Outstanding outstanding = new Outstanding();
  private final Object lock = new Object();
  private volatile @Nullable Thread polling;
  private volatile boolean stopping;
  private volatile @Nullable SlotReader reader;

  /** Called by Kafka Connect. */
  public OutledgerSourceTask() {}

  @Override
  public String version() {
    return new OutledgerSourceConnector().version();
  }

  @Override
  public void start(Map<String, String> given) {
    SettingsCheck.require(given);
    ConnectorOptions options = ConnectorOptions.of(given);
    if (options.isExactlyOnce()) {
      requireTransactions();
    }
    Set<Integer> slots =
        Arrays.stream(given.getOrDefault(SLOTS, "0").split(",", -1))
            .map(Integer::valueOf)
            .collect(Collectors.toCollection(TreeSet::new));
    synchronized (lock) {
      reader =
          new SlotReader(options, slots, () -> context.offsetStorageReader(), outstanding, wakeup);
    }
  }

  /** A worker's own setting decides how its tasks commit, whatever was validated elsewhere. */
  private void requireTransactions() {
    if (context.transactionContext() == null) {
      throw new ConnectException(
          "delivery is exactly-once, but this worker does not commit in transactions: set"
              + " exactly.once.source.support=enabled at every worker of the cluster, which must"
              + " not be a stand-alone one, and restart the task; or ask for"
              + " delivery=at-least-once. Nothing was read");
    }
  }

  /**
   * Returns the next messages, the last of each slot with its frontier after all of them; null
   * where there is none within half a second.
   */
  @Override
  public @Nullable List<SourceRecord> poll() throws InterruptedException {
    synchronized (lock) {
      SlotReader current = reader;
      if (current == null || stopping) {
        return null;
      }
      polling = Thread.currentThread();
      TransactionContext transactions = context.transactionContext();
      if (!outstanding.isNone()) {
        requireNoTransactions(transactions);
        wakeup.await(ACKNOWLEDGEMENT);
        return null;
      }
      List<SourceRecord> records = current.next();
      if (records.isEmpty()) {
        return null;
      }
      if (transactions != null) {
        transactions.commitTransaction(records.get(records.size() - 1));
      }
      return records;
    }
  }

  private static void requireNoTransactions(@Nullable TransactionContext transactions) {
    if (transactions != null) {
      throw new ConnectException(
          "Kafka Connect asks for more before it has committed the last batch; restart the task,"
              + " which sends again what was not committed");
    }
  }

  /**
   * Called after a transaction, which is all that was handed out, if the task has said where it
   * ends. Otherwise it says nothing of a single record.
   */
  @Override
  public void commit() {
    if (context.transactionContext() != null) {
      outstanding.settle();
    }
  }

  @Override
  public void commitRecord(SourceRecord record, @Nullable RecordMetadata metadata) {
    SlotReader current = reader;
    if (current != null) {
      current.committed(record, metadata != null);
    }
    if (outstanding.arrived() && Thread.currentThread() != polling) {
      wakeup.signal();
    }
  }

  /** Gives the slots' leases back, so that another task need not wait for their end. */
  @Override
  public void stop() {
    stopping = true;
    wakeup.signal();
    synchronized (lock) {
      SlotReader current = reader;
      reader = null;
      if (current != null) {
        current.close();
      }
    }
  }
}
