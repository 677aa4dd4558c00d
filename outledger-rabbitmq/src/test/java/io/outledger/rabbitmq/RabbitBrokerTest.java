// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Address;
import java.io.IOException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** Why nobody can connect to RabbitMQ. */
class RabbitBrokerTest {

  private static final Address NODE = new Address("rabbit-1", 5671);

  private static IOException handshake(Exception cause) {
    IOException failure = new SSLHandshakeException("PKIX path building failed");
    failure.initCause(cause);
    return failure;
  }

  @Test
  void whoIsNotTrustedIsNamedWithTheRemedy() {
    IOException failure =
        handshake(new CertificateException(new CertPathBuilderException("no valid path")));
    assertThat(RabbitBroker.told(NODE, failure))
        .hasMessageStartingWith("the certificate of RabbitMQ at rabbit-1:5671 is not trusted: ")
        .hasMessageContaining("spring.rabbitmq.ssl.bundle")
        .hasMessageEndingWith("; PKIX path building failed")
        .hasCause(failure);
  }

  @Test
  void everyOtherFailureIsLeftAsItIs() {
    IOException wrongHost = handshake(new CertificateException("No name matching rabbit-1 found"));
    assertThat(RabbitBroker.told(NODE, wrongHost)).isSameAs(wrongHost);
  }
}
