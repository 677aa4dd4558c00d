// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.roles;

import io.outledger.Message;
import io.outledger.chaos.history.Entry;
import io.outledger.chaos.history.History;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A publisher that takes down what was acknowledged, before the relay hears of it; and when a
 * client is closed, how many messages it had been handed whose fate is unknown: these may be
 * published again.
 */
final class ObservedPublisher implements Publisher {

  private final Publisher publisher;
  private final String role;
  private final History history;

  ObservedPublisher(Publisher publisher, String role, History history) {
    this.publisher = publisher;
    this.role = role;
    this.history = history;
  }

  @Override
  public KeyOrder keyOrder() {
    return publisher.keyOrder();
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    Map<Long, UUID> unknown = new ConcurrentHashMap<>();
    PublisherClient client =
        publisher.open(
            deliveryTimeMax,
            (position, outcome) -> {
              if (!(outcome instanceof Outcome.Unavailable)) {
                settled(unknown.remove(position), outcome);
              }
              outcomes.report(position, outcome);
            });
    return new ObservedClient(client, unknown);
  }

  private void settled(@Nullable UUID id, Outcome outcome) {
    if (id != null && outcome instanceof Outcome.Published) {
      history.write(new Entry.Acknowledged(id));
    }
  }

  private final class ObservedClient implements PublisherClient {

    private final PublisherClient client;
    private final Map<Long, UUID> unknown;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    private ObservedClient(PublisherClient client, Map<Long, UUID> unknown) {
      this.client = client;
      this.unknown = unknown;
    }

    @Override
    public void publish(long position, int attempt, Message message) {
      unknown.put(position, message.id());
      client.publish(position, attempt, message);
    }

    @Override
    public void flush() {
      client.flush();
    }

    @Override
    public Set<Long> recall() {
      Set<Long> back = client.recall();
      unknown.keySet().removeAll(back);
      return back;
    }

    @Override
    public void close() {
      client.close();
      if (isClosed.compareAndSet(false, true) && !unknown.isEmpty()) {
        history.write(new Entry.Crashed(role + " closed its client", unknown.size()));
      }
    }
  }
}
