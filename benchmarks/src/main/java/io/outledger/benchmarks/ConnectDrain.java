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
  private static final long QUIET_NANOS = Duration.ofSeconds(1).toNanos();
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
   * @param perSecond messages a second; says nothing where all came in one transaction
   * @param isRate whether they came in more than one
   * @param records how many records a consumer at read_committed found in the end
   * @param cpu microseconds of processor time a message
   */
  record Drained(double perSecond, boolean isRate, long records, ConnectServers.Cpu cpu) {}

  /** What a look saw: how many records, and when. */
  private record Look(long records, long nanos, ConnectServers.Cpu cpu) {}

  Drained run(String turn) throws SQLException, InterruptedException {
    try (TopicOfRecords topic = TopicOfRecords.create(servers.broker(), turn);
        Admin admin = Admin.create(topic.settings(Map.of()))) {
      List<TopicPartition> partitions = topic.partitions();
      Look first = look(admin, partitions);
      side.begin(turn, topic.name(), true);
      Look before = first;
      Look last = first;
      int looks = 0;
      // Marks of transactions count, too: only where nothing more comes, everything has come.
      for (Look now = first; !isOver(last, now); now = look(admin, partitions)) {
        patience(first, looks++);
        if (now.records() > last.records()) {
          // Where the first transaction has everything, the time until it ended is all there is.
          first = first.records() > 0 ? first : now.records() < messages ? now : before;
          last = now;
        }
        before = now;
        new Wakeup().await(LOOK);
      }
      long records = new CommittedRecords(topic).count(messages);
      side.end();
      return drained(first, last, records);
    }
  }

  private boolean isOver(Look last, Look now) {
    return last.records() >= messages
        && now.records() == last.records()
        && now.nanos() - last.nanos() > QUIET_NANOS;
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
    double sent = (double) messages * (last.records() - first.records()) / last.records();
    double seconds = (last.nanos() - first.nanos()) / 1e9;
    return new Drained(
        sent / seconds,
        first.records() > 0,
        records,
        last.cpu().since(first.cpu(), MICROS / Math.max(1, sent)));
  }

  /** A transaction's mark counts like a record: one for each partition that it has written. */
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
