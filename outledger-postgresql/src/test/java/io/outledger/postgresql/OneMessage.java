// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.inbox.Received;
import io.outledger.receive.Arrival;
import io.outledger.receive.Batch;
import io.outledger.receive.Source;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** One stream with one message, which is delivered until it is acknowledged. */
final class OneMessage implements Source<Integer> {

  private final String key;
  private boolean isDone;

  OneMessage(String key) {
    this.key = key;
  }

  @Override
  public List<Batch<Integer>> receive() {
    Received message =
        new Received("shop", "1", "orders", key, "t", 1, new byte[0], Map.of(), null, "place", "");
    return isDone
        ? List.of()
        : List.of(new Batch<>("stream", List.of(new Arrival<>(0, 1, message, null))));
  }

  @Override
  public void acknowledge(List<Arrival<Integer>> done) {
    isDone = true;
  }

  @Override
  public void giveBack(Batch<Integer> rest, Duration delay, boolean wantsMore) {}

  @Override
  public void setAside(Arrival<Integer> unreadable) {
    throw new IllegalStateException("it is a message");
  }

  @Override
  public void commit() {}

  @Override
  public boolean isStopping() {
    return false;
  }
}
