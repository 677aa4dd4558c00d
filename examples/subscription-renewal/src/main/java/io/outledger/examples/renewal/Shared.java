// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.flow.FlowMessage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A message that several subscribers have. The last one settles it: it is acknowledged if all have
 * processed it, else it is tried again, by all of them. Thread-safe.
 */
final class Shared {

  private final FlowMessage message;
  private final AtomicInteger open;
  private final Runnable settled;
  private final AtomicReference<@Nullable String> failure = new AtomicReference<>();

  Shared(FlowMessage message, int subscribers, Runnable settled) {
    this.message = message;
    this.open = new AtomicInteger(subscribers);
    this.settled = settled;
  }

  FlowMessage message() {
    return message;
  }

  void processed() {
    if (open.decrementAndGet() > 0) {
      return;
    }
    String reason = failure.get();
    if (reason == null) {
      message.acknowledge();
    } else {
      message.reject(reason);
    }
    settled.run();
  }

  void failed(String reason) {
    failure.set(reason);
    processed();
  }
}
