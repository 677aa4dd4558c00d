// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.relay.context.Wakeup;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/**
 * One side sends everything that waits, and is timed from the first message that a consumer at
 * read_committed may see to the last: its start is not counted.
 */
final class ConnectDrain {

  private static final Duration LOOK = Duration.ofMillis(10);
  private static final long PATIENCE_NANOS = Duration.ofMinutes(5).toNanos();
  private static final int LOOKS_A_CHECK = 100;
  private static final double MICROS = 1e6;

  private final ConnectServers servers;
  private final ConnectSide side;
  private final int messages;

  ConnectDrain(ConnectServers servers, ConnectSide side, int messages) {
    this.servers = servers;
    this.side = side;
    this.messages = messages;
  }

  /**
   * What came of it.
   *
   * @param perSecond messages a second
   * @param records how many records a consumer at read_committed found in the end
   * @param cpu microseconds of processor time a message
   */
  record Drained(double perSecond, long records, ConnectServers.Cpu cpu) {}

  /** What a look saw: how many records, and when. */
  private record Look(long records, long nanos, ConnectServers.Cpu cpu) {}

  Drained run(String turn) throws SQLException, InterruptedException {
    try (TopicOfRecords topic = TopicOfRecords.create(servers.broker(), turn);
        Admin admin = Admin.create(topic.settings(Map.of()))) {
      List<TopicPartition> partitions = topic.partitions();
      Look first = look(admin, partitions);
      side.begin(turn, topic.name(), true);
      Look before = first;
      Look now = first;
      int looks = 0;
      while (now.records() < messages) {
        patience(first, looks++);
        new Wakeup().await(LOOK);
        before = now;
        now = look(admin, partitions);
        // Where the first transaction has everything, the time until it ended is all there is.
        if (first.records() == 0 && now.records() > 0) {
          first = now.records() < messages ? now : before;
        }
      }
      long records = new CommittedRecords(topic).count(messages);
      side.end();
      return drained(first, now, records);
    }
  }

  private void patience(Look first, int looks) {
    if (looks % LOOKS_A_CHECK == 0) {
      side.check();
    }
    if (System.nanoTime() - first.nanos() > PATIENCE_NANOS) {
      throw new IllegalStateException(side.text() + " does not come to the end of the ledger");
    }
  }

  private Drained drained(Look first, Look last, long records) {
    long sent = messages - first.records();
    double seconds = (last.nanos() - first.nanos()) / 1e9;
    return new Drained(
        sent / seconds, records, last.cpu().since(first.cpu(), MICROS / Math.max(1, sent)));
  }

  /** Marks of transactions count like records: one for each partition and transaction. */
  private Look look(Admin admin, List<TopicPartition> partitions) throws InterruptedException {
    Map<TopicPartition, OffsetSpec> ends =
        partitions.stream().collect(Collectors.toMap(all -> all, all -> OffsetSpec.latest()));
    ListOffsetsOptions committed = new ListOffsetsOptions(IsolationLevel.READ_COMMITTED);
    try {
      long records =
          admin.listOffsets(ends, committed).all().get().values().stream()
              .mapToLong(end -> end.offset() - 1)
              .sum();
      return new Look(records, System.nanoTime(), servers.cpu(side.pid()));
    } catch (ExecutionException e) {
      throw new IllegalStateException("the records cannot be counted", e);
    }
  }
}
