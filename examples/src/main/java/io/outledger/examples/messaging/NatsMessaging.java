// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.messaging;

import io.nats.client.Options;
import io.outledger.examples.Settings;
import io.outledger.inbox.BatchHandler;
import io.outledger.nats.NatsPublisher;
import io.outledger.nats.NatsReceiver;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;

/** NATS: a message's topic is a subject, and a stream of the same name keeps what comes there. */
record NatsMessaging(Settings settings) implements Messaging {

  @Override
  public Publisher publisher(String source) {
    return NatsPublisher.with(options()).source(source);
  }

  @Override
  public RunningReceiver receive(String topic, String consumer, BatchHandler handler) {
    return NatsReceiver.of(options(), topic, consumer).start(handler);
  }

  private Options options() {
    return Options.builder().server(settings.text("nats.url")).build();
  }
}
