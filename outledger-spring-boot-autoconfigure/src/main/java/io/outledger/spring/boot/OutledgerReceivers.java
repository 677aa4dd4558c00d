// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.receive.RunningReceiver;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Runs the receivers of this process: those of methods with {@link InboxListener}, and the
 * application's own {@link RunningReceiver} beans, which its context would else neither pause nor
 * stop in order.
 *
 * <p>They start last, as the listeners of brokers do, and stop first: what they append is still
 * published. A context that is paused, such as one of a test that is kept for later, receives
 * nothing meanwhile.
 */
final class OutledgerReceivers implements SmartLifecycle {

  /** As that of Spring's own containers of listeners. */
  static final int PHASE = DEFAULT_PHASE - 100;

  private final ReceiverDefinitions definitions;
  private final ListableBeanFactory beans;
  private final ReceiverProgress progress;
  private final Map<String, RunningReceiver> started = new TreeMap<>();
  private final Set<RunningReceiver> paused = new LinkedHashSet<>();
  private boolean isRunning;

  OutledgerReceivers(
      ReceiverDefinitions definitions, ListableBeanFactory beans, ReceiverProgress progress) {
    this.definitions = definitions;
    this.beans = beans;
    this.progress = progress;
  }

  @Override
  public void start() {
    try {
      begin();
    } catch (RuntimeException | Error e) {
      // Whoever tries again must find nothing of it running, and whoever gives up, too.
      allAtOnce(ends());
      throw e;
    }
  }

  private synchronized void begin() {
    if (isRunning) {
      return;
    }
    paused.forEach(RunningReceiver::resume);
    definitions.all().forEach((consumer, start) -> started.put(consumer, start.get()));
    paused.clear();
    isRunning = true;
  }

  @Override
  public void stop() {
    allAtOnce(ends());
  }

  /** What ends a receiver for now, or for good. */
  private record End(RunningReceiver receiver, Consumer<RunningReceiver> way) {

    void run() {
      way.accept(receiver);
    }
  }

  /** Returns what is to be ended. A receiver that the application has paused stays its matter. */
  private synchronized List<End> ends() {
    isRunning = false;
    List<End> ends = new ArrayList<>();
    started.values().forEach(receiver -> ends.add(new End(receiver, RunningReceiver::close)));
    started.clear();
    beans.getBeansOfType(RunningReceiver.class, false, false).values().stream()
        .filter(RunningReceiver::isRunning)
        .forEach(paused::add);
    paused.forEach(receiver -> ends.add(new End(receiver, RunningReceiver::pause)));
    return ends;
  }

  /**
   * Ends all at the same time, as each waits for its handler. This thread, which may be one of
   * theirs and then must not wait for itself, ends each once more: it waits where it may. A thread
   * whose receiver has ended has nothing left to wait for, and must not pause a later start of it.
   */
  private static void allAtOnce(List<End> ends) {
    List<Thread> threads = new ArrayList<>();
    for (End end : ends) {
      Thread thread = new Thread(end::run, "outledger-receivers-stop");
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
    ends.forEach(End::run);
    for (int i = 0; i < ends.size(); i++) {
      if (!ends.get(i).receiver().isRunning()) {
        join(threads.get(i));
      }
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Describes each receiver of a listener in a few words, by consumer. */
  synchronized Map<String, String> states() {
    Map<String, String> states = new TreeMap<>();
    started.forEach(
        (consumer, receiver) ->
            states.put(
                consumer,
                receiver.isRunning() || progress.hasEnded(consumer)
                    ? progress.words(consumer)
                    : "ended; the log has the reason"));
    return states;
  }

  @Override
  public synchronized boolean isRunning() {
    return isRunning;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }
}
