// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.roles;

import io.outledger.chaos.history.History;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.kafka.KafkaPublisher;
import io.outledger.publish.Publisher;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A process with a relay to Kafka. It says when it takes the lease, and by which incarnation. */
public final class RelayMain {

  /** How the line begins that says that the lease was taken; the incarnation follows. */
  public static final String OWNS = "owns as ";

  /** The route of most accounts. */
  static final String ACCOUNTS = "accounts";

  /** The route of accounts whose messages are refused now and then. */
  static final String REFUSED = "refused";

  /** How many messages a relay has in flight at most. */
  public static final int WINDOW = 2_000;

  /** A message that is refused twice is a dead letter within a second or two. */
  private static final RetryPolicy RETRY =
      RetryPolicy.DEFAULT
          .withAttemptsMax(2)
          .withBackoff(new Backoff(Duration.ofMillis(200), Duration.ofSeconds(1)));

  private RelayMain() {}

  /** Runs until it is stopped, when it hands over, or killed. */
  public static void main(String... args) {
    RoleSettings settings = RoleSettings.of(args);
    History history = History.open(settings.history());
    KafkaPublisher kafka =
        KafkaPublisher.with(Map.of("bootstrap.servers", settings.bootstrapServers()));
    Outledger outledger = Outledger.builder(settings.dataSource()).build();
    Publisher observed = new ObservedPublisher(kafka, settings.name(), history);
    RelayBuilder relay =
        outledger
            .relay(RoleSettings.SUBSCRIPTION)
            .options(
                options ->
                    options
                        .lease(settings.lease())
                        .window(w -> w.withMessages(WINDOW))
                        .retry(RETRY))
            .listener(RelayMain::tell);
    if (settings.isOperated()) {
      Publisher refusing = new RefusingPublisher(observed, new SplittableRandom(settings.seed()));
      relay
          .to(ACCOUNTS, known(settings, key -> !isRefused(key)), observed)
          .to(REFUSED, known(settings, RelayMain::isRefused), refusing);
    } else {
      relay.to(ACCOUNTS, known(settings, key -> true), observed);
    }
    relay.start();
    RoleSettings.onStop(outledger::close);
    RoleSettings.say(RoleSettings.READY);
  }

  /** Takes what this version of the service knows, of some accounts. */
  private static Accepts known(RoleSettings settings, Predicate<@Nullable String> keys) {
    Accepts known = Accepts.types(settings.types());
    return known.testedBy(message -> known.test(message) && keys.test(message.key()));
  }

  /** Says whether messages of an account are refused now and then, where there is an operator. */
  static boolean isRefused(@Nullable String key) {
    return key != null && key.startsWith("r");
  }

  private static void tell(RelayEvent event) {
    if (event instanceof RelayEvent.LeaseTaken taken) {
      RoleSettings.say(OWNS + taken.incarnation());
    } else if (!(event instanceof RelayEvent.Saved)) {
      RoleSettings.say(event.toString());
    }
  }
}
