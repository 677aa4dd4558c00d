// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import static org.assertj.core.api.Assertions.assertThat;

import io.nats.client.Options;
import io.outledger.inbox.BatchHandler;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import org.junit.jupiter.api.Test;

/** The programs of docs/nats.md. */
final class NatsGuideTest {

  private static Options options() {
    Options nats =
        Options.builder()
            .servers(new String[] {"tls://nats-1:4222", "tls://nats-2:4222"})
            .credentialPath("/etc/shop/nats.creds")
            .build();

    Publisher publisher =
        NatsPublisher.with(nats).source("/shop/orders").subjects(topic -> "shop." + topic);
    assertThat(publisher).hasToString("NatsPublisher[nats-1:4222,nats-2:4222]");
    return nats;
  }

  private static void receive(Options nats, BatchHandler handler) {
    RunningReceiver receiver =
        NatsReceiver.of(nats, "SHOP", "inventory").subjects("shop.orders").start(handler);
    assertThat(receiver.isRunning()).isTrue();
    receiver.close();
  }

  @Test
  void programsOfThePageRunWithoutAServer() {
    receive(options(), batch -> {});
  }
}
