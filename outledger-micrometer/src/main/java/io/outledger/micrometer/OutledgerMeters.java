// SPDX-License-Identifier: Apache-2.0
package io.outledger.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.outledger.AppendListener;
import io.outledger.Require;
import io.outledger.receive.ReceiverEvent;
import io.outledger.receive.ReceiverListener;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts and times what relays and receivers of this process do, from zero at its start. What waits
 * is not counted here: ask the database, which knows it of all instances. Tags are names of
 * subscriptions, routes and receivers alone, so there are as many meters as those. Thread-safe.
 */
public final class OutledgerMeters {

  private static final String RELAY = "outledger.relay.";
  private static final String RECEIVER = "outledger.receiver.";

  private final MeterRegistry registry;
  private final Map<String, AtomicInteger> away = new ConcurrentHashMap<>();
  private final Map<String, Set<List<String>>> breakers = new ConcurrentHashMap<>();

  /**
   * Creates it.
   *
   * @param registry gets the counters, each when the listener that needs it is made
   */
  public OutledgerMeters(MeterRegistry registry) {
    this.registry = Require.nonNull("registry", registry);
  }

  /**
   * Returns the listener of an outbox, for the builder of an {@code Outledger}. It counts {@code
   * outledger.appended}, the messages, and times {@code outledger.append}, the statements.
   */
  public AppendListener ofAppends() {
    Counter appended =
        Counter.builder("outledger.appended")
            .description("Messages that were appended, rolled back or not")
            .register(registry);
    Timer append =
        Timer.builder("outledger.append")
            .description("Statements that appended messages")
            .register(registry);
    return (messages, took) -> {
      appended.increment(messages);
      append.record(took);
    };
  }

  /**
   * Returns the listener of a relay. It counts {@code outledger.relay.published}, {@code .parked},
   * {@code .recovered}, {@code .dead.letters} and {@code .outages}, and times {@code .poll}, {@code
   * .save}, {@code .publish}, {@code .latency} and {@code .handler}, all with the tag {@code
   * subscription}; the last three with the tag {@code route} as well, which is {@code default} for
   * a relay without routes. Only routes to handlers have the last one. {@code .latency} begins by
   * the clock of the process that made the message, and ends by the relay's.
   */
  public RelayListener ofRelay(String subscription) {
    Require.nonNull("subscription", subscription);
    Named named = new Named(RELAY, "subscription", subscription);
    Counter published = named.counter("published", "Messages that were published");
    Counter parked = named.counter("parked", "Attempts that failed; their messages are parked");
    Counter recovered = named.counter("recovered", "Parked messages that were published at last");
    Counter dead = named.counter("dead.letters", "Messages given up");
    Counter outages = named.counter("outages", "Failed attempts to connect to a destination");
    Timer poll = named.timer("poll", "Reads of the ledger");
    Timer save = named.timer("save", "Writes of the cursor and of parked messages");
    Map<String, Route> routes = new ConcurrentHashMap<>();
    Map<String, Timer> handlers = new ConcurrentHashMap<>();
    return event -> {
      if (event instanceof RelayEvent.Delivered delivered) {
        routes.computeIfAbsent(delivered.route(), route -> new Route(named, route)).on(delivered);
      } else if (event instanceof RelayEvent.Handled handled) {
        handlers
            .computeIfAbsent(handled.route(), route -> handler(named, route))
            .record(handled.took());
      } else if (event instanceof RelayEvent.Polled polled) {
        poll.record(polled.took());
      } else if (event instanceof RelayEvent.Wrote wrote) {
        save.record(wrote.took());
      } else if (event instanceof RelayEvent.Saved saved) {
        published.increment(saved.published());
      } else if (event instanceof RelayEvent.Parked) {
        parked.increment();
      } else if (event instanceof RelayEvent.Recovered) {
        recovered.increment();
      } else if (event instanceof RelayEvent.Died) {
        dead.increment();
      } else if (event instanceof RelayEvent.OutageBegan) {
        outages.increment();
      }
    };
  }

  /**
   * Returns the listener of a receiver. It counts {@code outledger.receiver.acknowledged}, {@code
   * .parked}, {@code .recovered}, {@code .dead.letters}, {@code .unreadable} and {@code .outages},
   * and times {@code .effect}, with the tag {@code receiver}. The gauge {@code .away} is 1 while it
   * cannot receive all that it should, since its broker is away, a topic is missing or may not be
   * read, or it has ended; and 0 otherwise, also once it is closed. The gauge {@code .breakers} is
   * for how many topics and types it is paused, because their handler fails.
   *
   * @param receiver the tag's value, usually the consumer of its inbox
   */
  public ReceiverListener ofReceiver(String receiver) {
    Require.nonNull("receiver", receiver);
    Named named = new Named(RECEIVER, "receiver", receiver);
    Counter acknowledged = named.counter("acknowledged", "Deliveries that were acknowledged");
    Counter parked = named.counter("parked", "Attempts that failed; their messages are parked");
    Counter recovered = named.counter("recovered", "Parked messages that took effect at last");
    Counter dead = named.counter("dead.letters", "Messages given up");
    Counter unreadable = named.counter("unreadable", "Unreadable deliveries that were passed over");
    Counter outages = named.counter("outages", "Pauses because something needed was unavailable");
    Timer effect = named.timer("effect", "From the receipt of messages to the end of their work");
    AtomicInteger isAway = away.computeIfAbsent(receiver, each -> new AtomicInteger());
    Gauge.builder(RECEIVER + "away", isAway, AtomicInteger::get)
        .description("1 while it cannot receive all that it should")
        .tag("receiver", receiver)
        .register(registry);
    Set<List<String>> open =
        breakers.computeIfAbsent(receiver, each -> ConcurrentHashMap.newKeySet());
    Gauge.builder(RECEIVER + "breakers", open, Set::size)
        .description("Topics and types that are paused, because their handler fails")
        .tag("receiver", receiver)
        .register(registry);
    return event -> {
      if (event instanceof ReceiverEvent.Acknowledged some) {
        acknowledged.increment(some.deliveries());
        effect.record(some.took());
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
      } else if (event instanceof ReceiverEvent.CannotReceive
          || event instanceof ReceiverEvent.Ended) {
        isAway.set(1);
      } else if (event instanceof ReceiverEvent.BreakerOpened opened) {
        open.add(List.of(opened.topic(), opened.type()));
      } else if (event instanceof ReceiverEvent.BreakerClosed closed) {
        open.remove(List.of(closed.topic(), closed.type()));
      } else if (event instanceof ReceiverEvent.BreakerForgotten forgotten) {
        open.remove(List.of(forgotten.topic(), forgotten.type()));
      } else if (event instanceof ReceiverEvent.ReceivesAgain
          || event instanceof ReceiverEvent.StandsBy
          || event instanceof ReceiverEvent.Closed) {
        isAway.set(0);
        if (event instanceof ReceiverEvent.Closed) {
          open.clear();
        }
      }
    };
  }

  private static Timer handler(Named relay, String route) {
    return relay.timer("handler", "A handler's work on a message, failed or not", tag(route));
  }

  private static Tag tag(String route) {
    return Tag.of("route", route.isEmpty() ? "default" : route);
  }

  /** The timers of one route. */
  private static final class Route {

    private final Timer publish;
    private final Timer latency;

    Route(Named relay, String name) {
      Tag tag = tag(name);
      publish = relay.timer("publish", "From the hand-over of a message to its outcome", tag);
      latency = relay.timer("latency", "From a message's own time to its publication", tag);
    }

    void on(RelayEvent.Delivered delivered) {
      publish.record(delivered.took());
      latency.record(delivered.age());
    }
  }

  /** The meters of one relay or receiver. */
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

    Timer timer(String name, String description, Tag... more) {
      return Timer.builder(prefix + name)
          .description(description)
          .tag(tag, value)
          .tags(List.of(more))
          .register(registry);
    }
  }
}
