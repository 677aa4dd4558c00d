// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.inbox.Received;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A broker in memory. It delivers so many messages of each stream ahead, nothing of one that is
 * paused, and again to the next consumer what was not acknowledged.
 */
final class MemoryStreams {

  private final Map<String, List<Received>> streams = new LinkedHashMap<>();
  private final Set<String> acknowledged = new LinkedHashSet<>();
  private final List<String> untold = new ArrayList<>();
  private final int pageMax;

  /**
   * Makes it, empty.
   *
   * @param pageMax how many messages of a stream come at a time
   */
  MemoryStreams(int pageMax) {
    this.pageMax = pageMax;
  }

  void add(String stream, Received message) {
    streams.computeIfAbsent(stream, name -> new ArrayList<>()).add(message);
  }

  /** Returns the ids of the messages that were acknowledged since this was asked before. */
  List<String> takeAcknowledged() {
    List<String> taken = List.copyOf(untold);
    untold.clear();
    return taken;
  }

  Deliveries<String> open() {
    return new Consumer();
  }

  private final class Consumer implements Deliveries<String> {

    private final Set<String> delivered = new LinkedHashSet<>();
    private final Set<Object> paused = new LinkedHashSet<>();

    @Override
    public List<Batch<String>> receive(Duration patience) {
      List<Batch<String>> batches = new ArrayList<>();
      streams.forEach(
          (name, messages) -> {
            List<Arrival<String>> page = paused.contains(name) ? List.of() : page(messages);
            if (!page.isEmpty()) {
              batches.add(new Batch<>(name, page));
            }
          });
      return batches;
    }

    private List<Arrival<String>> page(List<Received> messages) {
      List<Arrival<String>> page = new ArrayList<>();
      for (Received message : messages) {
        String id = message.id();
        if (page.size() < pageMax && !acknowledged.contains(id) && delivered.add(id)) {
          page.add(new Arrival<>(id, 1, message, null));
        }
      }
      return page;
    }

    @Override
    public boolean pause(Object stream) {
      return paused.add(stream);
    }

    @Override
    public void resume(Object stream) {
      paused.remove(stream);
    }

    @Override
    public Optional<Redelivery> redelivery() {
      return Optional.empty();
    }

    @Override
    public Optional<DeliveryLimit> deliveryLimit() {
      return Optional.empty();
    }

    @Override
    public void acknowledge(List<String> done) {
      acknowledged.addAll(done);
      untold.addAll(done);
    }

    @Override
    public void keep(List<String> held) {}

    @Override
    public void close() {}
  }
}
