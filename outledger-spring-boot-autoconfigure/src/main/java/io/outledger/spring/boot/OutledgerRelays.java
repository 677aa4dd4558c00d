// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.relay.RunningRelay;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.env.Environment;

/**
 * Runs the relays of this process: a subscription for each publisher, named after its bean, and one
 * or several for handlers.
 *
 * <p>They start before the web server and the listeners of brokers, and stop after them, so what
 * the last requests have committed is still published. A stop settles what is in flight and gives
 * the leases back.
 */
final class OutledgerRelays implements SmartLifecycle {

  /** Below the web server's phases, which stop first, and above the data source, a mere bean. */
  static final int PHASE = DEFAULT_PHASE - 8192;

  private static final Logger LOG = LoggerFactory.getLogger(OutledgerRelays.class);

  private final RelayDefinitions definitions;
  private final Environment environment;
  private final List<RunningRelay> running = new ArrayList<>();

  OutledgerRelays(RelayDefinitions definitions, Environment environment) {
    this.definitions = definitions;
    this.environment = environment;
  }

  @Override
  public synchronized void start() {
    if (!running.isEmpty()) {
      return;
    }
    List<RelayBuilder> relays = definitions.all();
    if (relays.isEmpty() && definitions.isReceivingAlone()) {
      LOG.info(
          "receives, and publishes nothing: this process has neither a publisher nor a method with"
              + " @OutboxHandler. What it appends waits for a process that has one.");
      return;
    }
    if (relays.isEmpty()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, Destinations.missing(environment));
    }
    try {
      relays.forEach(relay -> running.add(relay.start()));
    } catch (RuntimeException | Error e) {
      stop(); // or one that is tried again would take those that run for all of them
      throw e;
    }
  }

  @Override
  public synchronized void stop() {
    RunningRelay.closeAll(running);
    running.clear();
  }

  @Override
  public synchronized boolean isRunning() {
    return !running.isEmpty();
  }

  @Override
  public int getPhase() {
    return PHASE;
  }
}
