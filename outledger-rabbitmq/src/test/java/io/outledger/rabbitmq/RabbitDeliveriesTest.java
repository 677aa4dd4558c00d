// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Why RabbitMQ lets nobody consume. */
class RabbitDeliveriesTest {

  private static IOException closed(int code, String text) {
    AMQP.Channel.Close close =
        new AMQP.Channel.Close.Builder()
            .replyCode(code)
            .replyText(text)
            .classId(60)
            .methodId(20)
            .build();
    return new IOException(new ShutdownSignalException(false, false, close, null));
  }

  @Test
  void aQueueThatIsMissingIsToldInPlainWords() {
    IOException missing = closed(404, "NOT_FOUND - no queue 'orders' in vhost '/'");
    assertThat(RabbitDeliveries.refused(missing))
        .hasMessage("queue 'orders' does not exist in vhost '/': declare it")
        .hasCause(missing);
  }

  @Test
  void everyOtherReasonIsLeftAsItIs() {
    for (IOException other :
        new IOException[] {
          closed(404, "NOT_FOUND - no exchange 'orders' in vhost '/'"),
          closed(403, "ACCESS_REFUSED - access to queue 'orders' in vhost '/' refused"),
          new IOException("Connection reset"),
        }) {
      assertThat(RabbitDeliveries.refused(other)).isSameAs(other);
    }
  }
}
