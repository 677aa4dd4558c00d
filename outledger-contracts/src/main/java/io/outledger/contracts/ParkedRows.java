// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parked messages as the tests make and compare them. */
final class ParkedRows {

  private ParkedRows() {}

  static ParkedChange.Park park(
      long position, String key, ParkedState state, @Nullable Duration retryIn) {
    return park(position, "", key, state, retryIn);
  }

  /** Parks a message of a key that it blocks. */
  static ParkedChange.Park park(
      long position, String route, String key, ParkedState state, @Nullable Duration retryIn) {
    LedgerMessage message = new LedgerMessage(position, StoreContractTests.message(position, key));
    return park(message, route, state, retryIn);
  }

  /** Parks a message as the ledger has it; its key is blocked by it. */
  static ParkedChange.Park park(
      LedgerMessage origin, String route, ParkedState state, @Nullable Duration retryIn) {
    int attempts = state == ParkedState.HELD ? 0 : 1;
    String error = state == ParkedState.HELD ? null : "the broker said no";
    return new ParkedChange.Park(
        new ParkedMessage(
            origin.position(),
            route,
            origin.message(),
            state,
            attempts,
            true,
            null,
            false,
            0,
            null),
        error,
        retryIn);
  }

  static ParkedChange.Fail fail(long position, int attempts, @Nullable Duration retryIn) {
    ParkedState state = retryIn == null ? ParkedState.DEAD : ParkedState.RETRYING;
    return new ParkedChange.Fail(
        position,
        "",
        StoreContractTests.idAt(position),
        state,
        retryIn != null,
        attempts,
        "the broker said no again",
        retryIn,
        null);
  }

  /** Makes a dead letter of a row that was tried. */
  static ParkedChange failed(ParkedMessage row) {
    return new ParkedChange.Fail(
        row.position(),
        row.route(),
        row.message().id(),
        ParkedState.DEAD,
        false,
        1,
        "no",
        null,
        null);
  }

  static ParkedChange.Remove remove(long position, String route) {
    return new ParkedChange.Remove(position, route, StoreContractTests.idAt(position));
  }

  /** Returns the place of what the tests park at a position. */
  static ParkedPlace place(String route, long position) {
    return new ParkedPlace(route, position, StoreContractTests.idAt(position));
  }

  static List<Long> positionsOf(List<ParkedMessage> rows) {
    return rows.stream().map(ParkedMessage::position).toList();
  }
}
