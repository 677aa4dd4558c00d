// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import io.outledger.MessageIds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.PulsarClient;

/**
 * The consumers of partitions that are being subscribed to. They come beside each other and beside
 * those that are there, so that none waits for a partition that cannot be reached. For one thread.
 */
final class PulsarSubscribing {

  private final PulsarClient pulsar;
  private final PulsarSubscription subscription;
  private final Duration longest;

  /** By which Pulsar shares partitions out, so it is the same for all of them. */
  private final String instance = MessageIds.system().next().toString();

  private final Map<String, CompletableFuture<Consumer<byte[]>>> coming = new LinkedHashMap<>();

  /**
   * Creates it.
   *
   * @param longest after which a partition that says nothing is given up, until it is begun again
   */
  PulsarSubscribing(PulsarClient pulsar, PulsarSubscription subscription, Duration longest) {
    this.pulsar = pulsar;
    this.subscription = subscription;
    this.longest = longest;
  }

  /**
   * Begins to subscribe to partitions, unless it has.
   *
   * @param count how many partitions there are, also others
   */
  void begin(List<String> names, int count) {
    for (String name : names) {
      coming.computeIfAbsent(name, partition -> consumer(partition, count));
    }
  }

  /** A broker that takes connections and says nothing is more than the client's own limit sees. */
  private CompletableFuture<Consumer<byte[]>> consumer(String partition, int count) {
    CompletableFuture<Consumer<byte[]>> made =
        subscription.consumer(pulsar, partition, instance, count);
    CompletableFuture<Consumer<byte[]>> inTime =
        made.copy().orTimeout(longest.toMillis(), TimeUnit.MILLISECONDS);
    return inTime.whenComplete(
        (consumer, failure) -> {
          if (failure != null) {
            var unused = made.thenCompose(Consumer::closeAsync); // where it still comes
          }
        });
  }

  /** Returns what is complete once a partition is subscribed to, or none can be. */
  CompletableFuture<Void> first() {
    CompletableFuture<Void> first = new CompletableFuture<>();
    for (CompletableFuture<Consumer<byte[]>> each : coming.values()) {
      var unused = each.thenRun(() -> first.complete(null));
    }
    var unused =
        CompletableFuture.allOf(coming.values().toArray(CompletableFuture<?>[]::new))
            .whenComplete((all, failure) -> first.complete(null));
    return first;
  }

  /**
   * Takes the consumers that have come.
   *
   * @param taking is given each of them
   * @return why the others that ended have not
   */
  Map<String, Throwable> take(java.util.function.Consumer<Consumer<byte[]>> taking) {
    Map<String, Throwable> failed = new LinkedHashMap<>();
    for (String name : new ArrayList<>(coming.keySet())) {
      CompletableFuture<Consumer<byte[]>> ended = coming.get(name);
      if (ended != null && ended.isDone()) {
        coming.remove(name);
        try {
          taking.accept(ended.join());
        } catch (CompletionException e) {
          Throwable cause = e.getCause();
          failed.put(name, cause == null ? e : cause);
        }
      }
    }
    return failed;
  }
}
