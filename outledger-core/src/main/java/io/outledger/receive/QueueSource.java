// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.parking.Load;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * A queue's open consumer as a receiver's source. What is given back waits here, in its order and
 * before whatever else its stream delivers, and the broker is not told: giving it back to the
 * broker would put it behind its followers. For one thread.
 */
final class QueueSource<P> implements Source<P> {

  private static final Duration PATIENCE = Duration.ofMillis(100);
  private static final Duration NO_PATIENCE = Duration.ofMillis(1);

  /**
   * How many streams continue before the broker is asked again. Where handling is slow and fails,
   * as long as their back-off, there is always one that is due.
   */
  private static final int DUE_MAX = 10;

  private static final long KEEP_NANOS = Duration.ofSeconds(1).toNanos();

  /** Of streams that are not paused: what they would deliver next has no room. */
  private static final Load GROWING_MAX = new Load(1_000, 16L * 1024 * 1024);

  /** Of all streams: a paused one holds what it delivered before, and there may be many. */
  private static final Load HELD_MAX = new Load(10_000, 64L * 1024 * 1024);

  private final Deliveries<P> deliveries;
  private final TimeSource time;
  private final Pause pause;
  private final BooleanSupplier stopping;
  private final Map<Object, Held<P>> held = new LinkedHashMap<>();
  private final Set<Object> paused = new HashSet<>();
  private final List<P> done = new ArrayList<>();
  private long keptAt;
  private boolean hasContinued;
  private boolean isIdle;
  private int acknowledged;

  /** Waits, for no longer than given. */
  interface Pause {
    void pause(Duration longest);
  }

  /**
   * What a stream that waits has delivered, when it continues, and whether it is to deliver more.
   */
  private record Held<P>(List<Arrival<P>> arrivals, long untilNanos, boolean wantsMore) {

    Held<P> with(List<Arrival<P>> more) {
      arrivals.addAll(more);
      return new Held<>(arrivals, untilNanos, false);
    }

    boolean isDue(long now) {
      return now - untilNanos >= 0;
    }

    Load load() {
      return new Load(arrivals.size(), arrivals.stream().mapToLong(Arrival::bytes).sum());
    }
  }

  QueueSource(Deliveries<P> deliveries, TimeSource time, Pause pause, BooleanSupplier stopping) {
    this.deliveries = deliveries;
    this.time = time;
    this.pause = pause;
    this.stopping = stopping;
    this.keptAt = time.nanoTime();
  }

  @Override
  public List<Batch<P>> receive() {
    try {
      keepHeld();
      List<Batch<P>> fresh = hasContinued ? deliver() : List.of();
      hasContinued = false;
      return fresh.isEmpty() ? continueOrDeliver() : fresh;
    } catch (Exception e) {
      throw new BrokerFailure(e);
    }
  }

  /** What the broker's client threw. */
  static final class BrokerFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BrokerFailure(Exception cause) {
      super(cause);
    }
  }

  private List<Batch<P>> continueOrDeliver() throws Exception {
    List<Batch<P>> due = takeDue();
    hasContinued = !due.isEmpty();
    return due.isEmpty() ? deliver() : due;
  }

  private List<Batch<P>> deliver() throws Exception {
    isIdle = false;
    pauseHeld();
    if (isFull()) {
      pause.pause(patience());
      return List.of();
    }
    // One batch for each stream, since a failure in one of two would let the other overtake it.
    Map<Object, List<Arrival<P>>> ready = new LinkedHashMap<>();
    for (Batch<P> batch : deliveries.receive(patience())) {
      Object stream = batch.stream();
      if (held.computeIfPresent(stream, (same, waits) -> waits.with(batch.arrivals())) == null) {
        ready.computeIfAbsent(stream, fresh -> new ArrayList<>()).addAll(batch.arrivals());
      }
    }
    isIdle = ready.isEmpty() && held.isEmpty();
    return ready.entrySet().stream()
        .map(each -> new Batch<>(each.getKey(), each.getValue()))
        .toList();
  }

  /** Pauses the streams that wait, and lets those go on that have been handled or want more. */
  private void pauseHeld() throws Exception {
    Set<Object> growing = growing();
    for (Object stream : held.keySet()) {
      boolean isToPause = !growing.contains(stream) && !paused.contains(stream);
      if (isToPause && deliveries.pause(stream)) {
        paused.add(stream);
      }
    }
    for (Object stream : List.copyOf(paused)) {
      if (!held.containsKey(stream) || growing.contains(stream)) {
        paused.remove(stream);
        deliveries.resume(stream);
      }
    }
  }

  /**
   * Returns the streams that may deliver more behind what waits of them: of those that want it, the
   * first ones that there is room for together, so that they keep no other stream waiting.
   */
  private Set<Object> growing() {
    Set<Object> growing = new HashSet<>();
    Load taken = Load.NONE;
    for (Map.Entry<Object, Held<P>> stream : held.entrySet()) {
      Load with = taken.plus(stream.getValue().load());
      if (stream.getValue().wantsMore() && !with.reaches(GROWING_MAX)) {
        growing.add(stream.getKey());
        taken = with;
      }
    }
    return growing;
  }

  /** Returns how long it may wait: not at all, as it were, while a stream is due to continue. */
  private Duration patience() {
    long now = time.nanoTime();
    boolean isAnyDue = held.values().stream().anyMatch(each -> each.isDue(now));
    return isAnyDue ? NO_PATIENCE : PATIENCE;
  }

  /** Takes streams that are due, those that were given back first before others. */
  private List<Batch<P>> takeDue() {
    List<Batch<P>> due = new ArrayList<>();
    long now = time.nanoTime();
    Iterator<Map.Entry<Object, Held<P>>> streams = held.entrySet().iterator();
    while (streams.hasNext() && due.size() < DUE_MAX) {
      Map.Entry<Object, Held<P>> stream = streams.next();
      if (stream.getValue().isDue(now)) {
        due.add(new Batch<>(stream.getKey(), stream.getValue().arrivals()));
        streams.remove();
      }
    }
    return due;
  }

  private void keepHeld() throws Exception {
    long now = time.nanoTime();
    if (now - keptAt >= KEEP_NANOS) {
      keptAt = now;
      List<P> places = new ArrayList<>();
      held.values().forEach(each -> each.arrivals().forEach(one -> places.add(one.place())));
      if (!places.isEmpty()) {
        deliveries.keep(places);
      }
    }
  }

  private boolean isFull() {
    Load growing = Load.NONE;
    Load all = Load.NONE;
    for (Map.Entry<Object, Held<P>> stream : held.entrySet()) {
      Load taken = stream.getValue().load();
      all = all.plus(taken);
      if (!paused.contains(stream.getKey())) {
        growing = growing.plus(taken);
      }
    }
    return growing.reaches(GROWING_MAX) || all.reaches(HELD_MAX);
  }

  @Override
  public void acknowledge(List<Arrival<P>> arrivals) {
    arrivals.forEach(arrival -> done.add(arrival.place()));
  }

  @Override
  public void giveBack(Batch<P> rest, Duration delay, boolean wantsMore) {
    long until = time.nanoTime() + delay.toNanos();
    held.put(rest.stream(), new Held<>(new ArrayList<>(rest.arrivals()), until, wantsMore));
  }

  @Override
  public void setAside(Arrival<P> unreadable) throws Exception {
    deliveries.setAside(unreadable);
  }

  @Override
  public void commit() {
    if (done.isEmpty()) {
      return;
    }
    List<P> told = List.copyOf(done);
    done.clear();
    try {
      deliveries.acknowledge(told);
      acknowledged += told.size();
    } catch (Exception e) {
      throw new BrokerFailure(e);
    }
  }

  /** Returns whether the broker had nothing when it was asked last, and nothing waits here. */
  boolean isIdle() {
    return isIdle;
  }

  /** Returns whether a stream waits for more, behind what it has delivered, and none has come. */
  boolean waitsForOthers() {
    return !growing().isEmpty();
  }

  /** Returns how many deliveries were acknowledged since this was asked before. */
  int takeAcknowledged() {
    int taken = acknowledged;
    acknowledged = 0;
    return taken;
  }

  @Override
  public boolean isStopping() {
    return stopping.getAsBoolean();
  }
}
