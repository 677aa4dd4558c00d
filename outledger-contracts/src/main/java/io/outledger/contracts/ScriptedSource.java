// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.inbox.Received;
import io.outledger.receive.Arrival;
import io.outledger.receive.Batch;
import io.outledger.receive.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One stream in memory: what was given back is delivered again, without waiting. */
final class ScriptedSource implements Source<Integer> {

  final List<Duration> pauses = new ArrayList<>();
  private final List<Received> messages = new ArrayList<>();
  private int next;
  private int acknowledged;
  private int committed;

  void add(Received... more) {
    messages.addAll(List.of(more));
  }

  /** Returns how many messages from the start the broker will not deliver again. */
  int committed() {
    return committed;
  }

  /** Delivers again what was not committed, as to another member. */
  void rewind(int to) {
    next = to;
    acknowledged = to;
    committed = to;
  }

  @Override
  public List<Batch<Integer>> receive() {
    List<Arrival<Integer>> arrivals = new ArrayList<>();
    for (; next < messages.size(); next++) {
      arrivals.add(new Arrival<>(next, 1, messages.get(next), null));
    }
    return arrivals.isEmpty() ? List.of() : List.of(new Batch<>("stream", arrivals));
  }

  @Override
  public void acknowledge(List<Arrival<Integer>> done) {
    acknowledged = done.get(done.size() - 1).place() + 1;
  }

  @Override
  public void giveBack(Batch<Integer> rest, Duration delay, boolean wantsMore) {
    next = rest.arrivals().get(0).place();
    pauses.add(delay);
  }

  @Override
  public void setAside(Arrival<Integer> unreadable) {
    throw new IllegalStateException("all are messages");
  }

  @Override
  public void commit() {
    committed = acknowledged;
  }

  @Override
  public boolean isStopping() {
    return false;
  }
}
