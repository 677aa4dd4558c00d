// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.roles;

import io.outledger.chaos.history.History;
import io.outledger.jdbc.Outledger;
import io.outledger.kafka.KafkaPublisher;
import io.outledger.relay.RelayEvent;
import java.util.Map;

/** A process with a relay to Kafka. It says when it takes the lease, and by which incarnation. */
public final class RelayMain {

  /** How the line begins that says that the lease was taken; the incarnation follows. */
  public static final String OWNS = "owns as ";

  /** How many messages a relay has in flight at most. */
  public static final int WINDOW = 2_000;

  private RelayMain() {}

  /** Runs until it is stopped, when it hands over, or killed. */
  public static void main(String... args) {
    RoleSettings settings = RoleSettings.of(args);
    History history = History.open(settings.history());
    KafkaPublisher kafka =
        KafkaPublisher.with(Map.of("bootstrap.servers", settings.bootstrapServers()));
    Outledger outledger = Outledger.builder(settings.dataSource()).build();
    outledger
        .relay(RoleSettings.SUBSCRIPTION)
        .to(new ObservedPublisher(kafka, settings.name(), history))
        .options(options -> options.lease(settings.lease()).windowMessages(WINDOW))
        .listener(RelayMain::tell)
        .start();
    RoleSettings.onStop(outledger::close);
    RoleSettings.say(RoleSettings.READY);
  }

  private static void tell(RelayEvent event) {
    if (event instanceof RelayEvent.LeaseTaken taken) {
      RoleSettings.say(OWNS + taken.incarnation());
    } else if (!(event instanceof RelayEvent.Saved)) {
      RoleSettings.say(event.toString());
    }
  }
}
