// SPDX-License-Identifier: Apache-2.0
package io.outledger.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.outledger.Given;
import io.outledger.receive.ReceiverEvent;
import io.outledger.receive.ReceiverListener;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;

/**
 * Counts what relays and receivers do, from zero at the start of the process. What waits is not
 * counted here: ask the database, which knows it of all instances. Thread-safe.
 */
public final class OutledgerMeters {

  private static final String RELAY = "outledger.relay.";
  private static final String RECEIVER = "outledger.receiver.";

  private final MeterRegistry registry;

  /**
   * Creates it.
   *
   * @param registry gets the counters, each when the listener that needs it is made
   */
  public OutledgerMeters(MeterRegistry registry) {
    this.registry = Given.check("registry", registry);
  }

  /**
   * Returns the listener of a relay. It counts {@code outledger.relay.published}, {@code .parked},
   * {@code .recovered}, {@code .dead.letters} and {@code .outages}, with the tag {@code
   * subscription}.
   */
  public RelayListener ofRelay(String subscription) {
    Given.check("subscription", subscription);
    Named named = new Named(RELAY, "subscription", subscription);
    Counter published = named.counter("published", "Messages that were published");
    Counter parked = named.counter("parked", "Attempts that failed; their messages are parked");
    Counter recovered = named.counter("recovered", "Parked messages that were published at last");
    Counter dead = named.counter("dead.letters", "Messages given up");
    Counter outages = named.counter("outages", "Failed attempts to connect to a destination");
    return event -> {
      if (event instanceof RelayEvent.Saved saved) {
        published.increment(saved.published());
      } else if (event instanceof RelayEvent.Parked) {
        parked.increment();
      } else if (event instanceof RelayEvent.Recovered) {
        recovered.increment();
      } else if (event instanceof RelayEvent.Died) {
        dead.increment();
      } else if (event instanceof RelayEvent.OutageMet) {
        outages.increment();
      }
    };
  }

  /**
   * Returns the listener of a receiver. It counts {@code outledger.receiver.acknowledged}, {@code
   * .parked}, {@code .recovered}, {@code .dead.letters}, {@code .unreadable} and {@code .outages},
   * with the tag {@code receiver}.
   *
   * @param receiver the tag's value, usually the consumer of its inbox
   */
  public ReceiverListener ofReceiver(String receiver) {
    Given.check("receiver", receiver);
    Named named = new Named(RECEIVER, "receiver", receiver);
    Counter acknowledged = named.counter("acknowledged", "Deliveries that were acknowledged");
    Counter parked = named.counter("parked", "Attempts that failed; their messages are parked");
    Counter recovered = named.counter("recovered", "Parked messages that took effect at last");
    Counter dead = named.counter("dead.letters", "Messages given up");
    Counter unreadable = named.counter("unreadable", "Unreadable deliveries that were passed over");
    Counter outages = named.counter("outages", "Pauses because something needed was unavailable");
    return event -> {
      if (event instanceof ReceiverEvent.Acknowledged some) {
        acknowledged.increment(some.deliveries());
      } else if (event instanceof ReceiverEvent.Parked) {
        parked.increment();
      } else if (event instanceof ReceiverEvent.Recovered) {
        recovered.increment();
      } else if (event instanceof ReceiverEvent.Died) {
        dead.increment();
      } else if (event instanceof ReceiverEvent.SetAside) {
        unreadable.increment();
      } else if (event instanceof ReceiverEvent.Unavailable) {
        outages.increment();
      }
    };
  }

  /** The counters of one relay or receiver. */
  private final class Named {

    private final String prefix;
    private final String tag;
    private final String value;

    Named(String prefix, String tag, String value) {
      this.prefix = prefix;
      this.tag = tag;
      this.value = value;
    }

    Counter counter(String name, String description) {
      return Counter.builder(prefix + name)
          .description(description)
          .tag(tag, value)
          .register(registry);
    }
  }
}
