// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.Message;
import io.outledger.MessageIds;
import io.outledger.jdbc.Admin;
import io.outledger.jdbc.Outledger;
import io.outledger.store.LedgerMessage;
import io.outledger.time.TimeSource;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** An operator's door to a database, and the sentences in which its tests are told. */
abstract class AdminContractTests extends DatabaseContractTests {

  static final Instant NOON = Instant.parse("2026-01-02T12:00:00Z");

  private final SplittableRandom random = new SplittableRandom(29);
  private Outledger outledger;

  @BeforeEach
  final void openDoor() {
    outledger = Outledger.builder(dataSource()).withoutRetention().build();
  }

  @AfterEach
  final void closeDoor() {
    outledger.close();
  }

  final Outledger outledger() {
    return outledger;
  }

  final Admin admin() {
    return outledger.admin();
  }

  /** Returns an id that tells a time. */
  final UUID idOf(Instant time) {
    return new MessageIds(new Stopped(time), random).next();
  }

  /** Returns a message of a time, by its id and by what it says. */
  final Message message(Instant time, String key) {
    return StoreContractTests.message(key).copy().id(idOf(time)).time(time).build();
  }

  /** Returns what has to be there. */
  static <T> T there(@Nullable T value) {
    return Objects.requireNonNull(value);
  }

  /** Returns the position of the newest message. */
  final long newest() {
    return there(admin().overview().ledger().newest()).position();
  }

  /** Appends messages and returns how the ledger has them. */
  final List<LedgerMessage> appended(Message... messages) {
    append(List.of(messages));
    return messagesOf(owner("reader of the tests"));
  }

  private record Stopped(Instant now) implements TimeSource {

    @Override
    public long nanoTime() {
      return 0;
    }
  }
}
