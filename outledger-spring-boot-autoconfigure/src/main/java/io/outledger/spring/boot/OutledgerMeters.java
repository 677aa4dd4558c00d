// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;

/** Counts what relays do, by subscription. */
final class OutledgerMeters implements RelayListenerSource {

  private final MeterRegistry registry;

  OutledgerMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public RelayListener listener(String subscription) {
    Counter published =
        counter("outledger.relay.published", "Messages that were published", subscription);
    Counter parked =
        counter("outledger.relay.parked", "Messages that were rejected and parked", subscription);
    Counter recovered =
        counter("outledger.relay.recovered", "Parked messages published at last", subscription);
    Counter dead = counter("outledger.relay.dead.letters", "Messages given up", subscription);
    Counter outages =
        counter(
            "outledger.relay.outages", "Failed attempts to connect to a destination", subscription);
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

  private Counter counter(String name, String description, String subscription) {
    return Counter.builder(name)
        .description(description)
        .tag("subscription", subscription)
        .register(registry);
  }
}
