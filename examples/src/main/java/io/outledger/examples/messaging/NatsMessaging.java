// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.messaging;

import io.nats.client.Options;
import io.outledger.examples.Settings;
import io.outledger.inbox.BatchHandler;
import io.outledger.nats.NatsPublisher;
import io.outledger.nats.NatsReceiver;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import java.time.Duration;

/** NATS: a message's topic is a subject, and a stream of the same name keeps what comes there. */
record NatsMessaging(Settings settings) implements Messaging {

  private static final Duration ACK_WAIT = Duration.ofSeconds(5);

  @Override
  public Publisher publisher(String source) {
    return NatsPublisher.with(options()).source(source);
  }

  /** What a service had when it was killed comes again after that time. */
  @Override
  public RunningReceiver receive(String topic, String consumer, BatchHandler handler) {
    return NatsReceiver.of(options(), topic, consumer).ackWait(ACK_WAIT).start(handler);
  }

  private Options options() {
    return Options.builder().server(settings.text("nats.url")).build();
  }
}
