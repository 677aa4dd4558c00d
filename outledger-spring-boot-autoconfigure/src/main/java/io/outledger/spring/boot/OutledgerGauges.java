// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.outledger.jdbc.Outledger;
import io.outledger.micrometer.LedgerGauges;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

/** The gauges of the ledger, from the start of the application until it stops. */
final class OutledgerGauges implements SmartLifecycle {

  private final ObjectProvider<Outledger> outledger;
  private final ObjectProvider<MeterRegistry> registry;
  private final Duration interval;
  private @Nullable LedgerGauges running;

  OutledgerGauges(
      ObjectProvider<Outledger> outledger,
      ObjectProvider<MeterRegistry> registry,
      Duration interval) {
    this.outledger = outledger;
    this.registry = registry;
    this.interval = interval;
  }

  @Override
  public synchronized void start() {
    Outledger one = outledger.getIfUnique();
    MeterRegistry meters = registry.getIfUnique();
    if (running == null && one != null && meters != null && !interval.isZero()) {
      running = LedgerGauges.start(one.admin(), meters, interval);
    }
  }

  @Override
  public synchronized void stop() {
    if (running != null) {
      running.close();
      running = null;
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return running != null;
  }
}
