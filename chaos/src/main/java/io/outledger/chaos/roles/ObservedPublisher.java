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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A publisher that takes down, when a client is closed, how many messages it had been handed whose
 * fate is unknown: these may be published again.
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
    Set<Long> unknown = ConcurrentHashMap.newKeySet();
    PublisherClient client =
        publisher.open(
            deliveryTimeMax,
            (position, outcome) -> {
              if (!(outcome instanceof Outcome.Unavailable)) {
                unknown.remove(position);
              }
              outcomes.report(position, outcome);
            });
    return new ObservedClient(client, unknown);
  }

  private final class ObservedClient implements PublisherClient {

    private final PublisherClient client;
    private final Set<Long> unknown;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    private ObservedClient(PublisherClient client, Set<Long> unknown) {
      this.client = client;
      this.unknown = unknown;
    }

    @Override
    public void publish(long position, Message message) {
      unknown.add(position);
      client.publish(position, message);
    }

    @Override
    public void flush() {
      client.flush();
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
