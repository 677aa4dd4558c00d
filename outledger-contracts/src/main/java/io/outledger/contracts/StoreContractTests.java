// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.Message;
import io.outledger.frontier.Positions;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A fixture for each test of a store, and the sentences in which the tests are told. */
abstract class StoreContractTests {

  static final String SUBSCRIPTION = "contract";
  static final Duration LONG = Duration.ofMinutes(10);
  static final Duration SHORT = Duration.ofMillis(200);
  static final Duration LONGER_THAN_SHORT = Duration.ofMillis(400);
  static final long BYTES = 1_000_000;

  /** Those that the tests park messages in, but for one that the relay does not have. */
  static final Set<String> ROUTES = Set.of("", "mail", "stock");

  private StoreFixture fixture;

  abstract StoreFixture openFixture();

  @BeforeEach
  final void open() {
    fixture = openFixture();
  }

  @AfterEach
  final void close() throws Exception {
    fixture.close();
  }

  final StoreFixture fixture() {
    return fixture;
  }

  /** Returns whether others wait for the end of whoever has written: no commit is late there. */
  final boolean isForOneWriter() {
    return fixture.writers() == DatabaseFixture.Writers.ONE;
  }

  final RelayStore store() {
    return fixture.open(SUBSCRIPTION, Start.EARLIEST);
  }

  final Owner owner() {
    return Owner.of(store(), LONG);
  }

  /** Appends and commits messages of the given keys, one transaction each. */
  final List<Long> committed(String... keys) {
    List<Long> positions = new ArrayList<>();
    for (String key : keys) {
      positions.add(committed(message(key)));
    }
    return positions;
  }

  final long committed(Message message) {
    LedgerWriter writer = fixture.begin();
    long position = writer.append(message);
    writer.commit();
    return position;
  }

  final long rolledBack() {
    LedgerWriter writer = fixture.begin();
    long position = writer.append(message("rolled back"));
    writer.rollback();
    return position;
  }

  static Message message(String key) {
    return Message.to("orders", "order.placed")
        .key(key)
        .payload(key.getBytes(StandardCharsets.UTF_8))
        .build();
  }

  /** Returns a message with the id of what the tests park at a position. */
  static Message message(long position, String key) {
    return message(key).copy().id(idAt(position)).build();
  }

  /** Returns the id of what the tests park at a position. */
  static UUID idAt(long position) {
    return new UUID(0x7000, Long.MIN_VALUE | position);
  }

  static Message messageOfBytes(int payloadBytes) {
    return Message.to("orders", "order.placed").payload(new byte[payloadBytes]).build();
  }

  static PollRequest above(long position) {
    return new PollRequest(position, 1_000, BYTES, Positions.NONE);
  }

  static PollRequest above(long position, Positions open) {
    return new PollRequest(position, 1_000, BYTES, open);
  }

  static List<Long> positions(Page page) {
    return page.messages().stream().map(LedgerMessage::position).toList();
  }
}
