// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.Message;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
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
    Message message = StoreContractTests.message(key);
    int attempts = state == ParkedState.HELD ? 0 : 1;
    String error = state == ParkedState.HELD ? null : "the broker said no";
    return new ParkedChange.Park(
        new ParkedMessage(position, route, message, state, attempts, true, null), error, retryIn);
  }

  static ParkedChange.Fail fail(long position, int attempts, @Nullable Duration retryIn) {
    ParkedState state = retryIn == null ? ParkedState.DEAD : ParkedState.RETRYING;
    return new ParkedChange.Fail(
        position, "", state, retryIn != null, attempts, "the broker said no again", retryIn);
  }

  static List<Long> positionsOf(List<ParkedMessage> rows) {
    return rows.stream().map(ParkedMessage::position).toList();
  }
}
