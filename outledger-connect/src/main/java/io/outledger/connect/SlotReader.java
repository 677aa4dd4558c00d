// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import com.zaxxer.hikari.HikariDataSource;
import io.outledger.ConfigurationException;
import io.outledger.StoreException;
import io.outledger.jdbc.Outledger;
import io.outledger.log.QuietLog;
import io.outledger.relay.Pull;
import io.outledger.relay.PullJournal;
import io.outledger.relay.Pulled;
import io.outledger.relay.context.Wakeup;
import io.outledger.store.LedgerMessage;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * A task's work: opens the database when it can be reached, reads its slots, and makes batches of
 * what it has read. Used by one thread.
 */
final class SlotReader implements AutoCloseable {

  private static final int OPEN_RANGES_MAX = 200;
  // The part of the lease that a lookup may take: a page and its own renewal need the rest.
  private static final int LOOKUPS = 3;
  private static final Duration LOOKUP_MAX = Duration.ofSeconds(10);
  private static final Duration RETRY = Duration.ofMillis(500);
  private static final Duration WAIT_MAX = Duration.ofMillis(500);
  // A message after a silence waits a tenth of it, at most this: no writer wakes a task. A look
  // takes half a millisecond of processor time, and more where others have used the caches.
  private static final Duration IDLE = Duration.ofMillis(500);

  private final ConnectorOptions options;
  private final Set<Integer> slots;
  private final OffsetJournal journal;
  private final Outstanding outstanding;
  private final Wakeup wakeup;
  private final TimeSource time = TimeSource.system();
  private final MessageRecord mapping;
  private final Heartbeats heartbeats;
  private final QuietLog log;
  private @Nullable HikariDataSource database;
  private @Nullable Outledger outledger;
  private @Nullable Pull pull;
  private @Nullable KnownTopics topics;

  /** Topics that Kafka has not told of: until it has, nothing is read, and no slot is owned. */
  private Set<String> heldBack = Set.of();

  private boolean isSent;

  SlotReader(
      ConnectorOptions options,
      Set<Integer> slots,
      Supplier<OffsetStorageReader> offsets,
      Outstanding outstanding,
      Wakeup wakeup) {
    this.options = options;
    this.slots = slots;
    this.outstanding = outstanding;
    this.wakeup = wakeup;
    this.mapping = new MessageRecord(options.topic(), options.source(), options.recordBytesMax());
    this.heartbeats = new Heartbeats(options.offsets(), options.heartbeatTopic());
    this.journal =
        new OffsetJournal(
            options.offsets(), offsets, options.isExactlyOnce() ? heartbeats::arrived : null);
    this.log = new QuietLog(SlotReader.class, "connector of " + options.subscription(), time);
  }

  /**
   * Returns the next records; none where there is none after a short wait.
   *
   * @throws ConnectException if an operator has to decide or repair something
   * @throws InterruptedException if the thread was interrupted while it waited
   */
  List<SourceRecord> next() throws InterruptedException {
    try {
      Pull current = opened();
      log.over("database");
      arrived(current);
      heldBack = look(heldBack, false).untold();
      if (!heldBack.isEmpty()) {
        await(RETRY);
        return List.of();
      }
      Pulled pulled = current.next();
      List<SourceRecord> records = records(current, pulled);
      if (records.isEmpty()) {
        await(pulled.pause());
      }
      return records;
    } catch (StoreException e) {
      if (pull == null && DriverDataSource.isLoginRefused(e)) {
        throw new ConnectException(
            "the database refuses database.user or database.password: " + e.getMessage(), e);
      }
      log.fails(Level.WARN, "database", () -> "the database cannot be read; trying again", e);
    } catch (ConfigurationException e) {
      if (!e.code().isOutage()) {
        throw new ConnectException(String.valueOf(e.getMessage()), e);
      }
      log.fails(Level.WARN, "database", () -> "the database is not ready; trying again", e);
    }
    await(RETRY);
    return List.of();
  }

  /**
   * Notes what Connect tells of a record. One without metadata was dropped by a transformation; but
   * an engine that is embedded knows none. Thread-safe.
   */
  void committed(SourceRecord record, boolean hasMetadata) {
    if (hasMetadata || options.isEmbedded()) {
      heartbeats.arrived(record);
    }
  }

  private void await(Duration pause) throws InterruptedException {
    wakeup.await(pause.compareTo(WAIT_MAX) < 0 ? pause : WAIT_MAX);
  }

  private void arrived(Pull current) {
    if (isSent) {
      isSent = false;
      current.committed();
    }
  }

  private List<SourceRecord> records(Pull current, Pulled pulled) throws InterruptedException {
    if (pulled.after().isEmpty()) {
      return List.of();
    }
    List<MessageRecord.Form> forms = new ArrayList<>();
    for (LedgerMessage message : pulled.messages()) {
      forms.add(mapping.of(message));
    }
    long now = time.nanoTime();
    KnownTopics.Answer known = look(wanted(forms), heartbeats.isDue(pulled.after(), now));
    heldBack = known.untold();
    if (!heldBack.isEmpty()) {
      current.release(); // to one that reaches Kafka, or to ourselves later
      return List.of();
    }
    Batch batch = Batch.of(forms, options.slots(), known.refused(), log);
    Map<Integer, PullJournal.Entry> after = current.park(batch.parked()).orElse(null);
    if (after == null) {
      return List.of(); // the slots were lost, and with them what was read
    }
    List<SourceRecord> records =
        new ArrayList<>(batch.records(options.offsets(), after, options.isExactlyOnce()));
    for (int slot : batch.carriers()) {
      heartbeats.carried(slot, Objects.requireNonNull(after.get(slot)), now);
    }
    records.addAll(due(after, now, known));
    isSent = true; // last: what fails before has sent nothing
    outstanding.handedOut(records.size());
    return records;
  }

  private static Set<String> wanted(List<MessageRecord.Form> forms) {
    Set<String> wanted = new HashSet<>();
    for (MessageRecord.Form form : forms) {
      if (form.refused() == null && !form.of().erased()) {
        wanted.add(form.topic());
      }
    }
    return wanted;
  }

  private KnownTopics.Answer look(Set<String> wanted, boolean withHeartbeats)
      throws InterruptedException {
    if (!options.looksTopicsUp() || (wanted.isEmpty() && !withHeartbeats)) {
      return KnownTopics.Answer.NOTHING;
    }
    KnownTopics known = topics;
    if (known == null) {
      TopicLookup lookup = TopicLookup.by(Admin.create(options.kafka()));
      Duration part = options.lease().dividedBy(LOOKUPS);
      Duration patience = part.compareTo(LOOKUP_MAX) < 0 ? part : LOOKUP_MAX;
      known = new KnownTopics(lookup, heartbeats.topic(), patience, time, log);
      topics = known;
    }
    return known.look(wanted, withHeartbeats);
  }

  private List<SourceRecord> due(
      Map<Integer, PullJournal.Entry> after, long now, KnownTopics.Answer known) {
    String reason = known.refused().get(heartbeats.topic());
    if (reason == null && !known.withholdsHeartbeats()) {
      return heartbeats.due(after, now);
    }
    heartbeats.withheld(now);
    if (reason != null) {
      log.fails(
          Level.WARN,
          "heartbeats",
          "missing",
          () -> reason + ": source offsets stay behind while there is no message");
    }
    return List.of();
  }

  private Pull opened() {
    Pull open = pull;
    if (open != null) {
      return open;
    }
    Pull made =
        ledger()
            .pull(options.subscription())
            .slots(options.slots(), slots)
            .from(options.start())
            .options(
                o ->
                    o.lease(options.lease())
                        .polling(
                            p -> p.withIdle(IDLE).withPageMessagesMax(options.batchMessagesMax()))
                        // one batch is on its way, and one is read ahead
                        .window(w -> w.withMessages(2 * options.batchMessagesMax()))
                        .holes(h -> h.withOpenRangesMax(OPEN_RANGES_MAX)))
            .build(journal);
    pull = made;
    return made;
  }

  private Outledger ledger() {
    if (database == null) {
      database = TaskPool.of(options.dataSource());
    }
    Outledger built = outledger;
    if (built == null) {
      built = options.ledger(database, "connect, slot " + Collections.min(slots)).build();
      outledger = built;
    }
    return built;
  }

  /** Gives the leases back, where everything that was sent has arrived. */
  @Override
  public void close() {
    KnownTopics lookups = topics;
    HikariDataSource pool = database;
    Outledger ledger = outledger;
    Pull open = pull;
    try (lookups;
        pool;
        ledger;
        open) {
      if (open != null) {
        if (outstanding.isNone()) {
          arrived(open);
        }
        open.release();
      }
    }
  }
}
