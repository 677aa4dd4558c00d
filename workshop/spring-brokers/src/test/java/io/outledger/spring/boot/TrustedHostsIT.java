// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.Await;
import io.outledger.servers.ServerCertificate;
import io.outledger.spring.contract.RunningShop;
import io.outledger.spring.contract.shop.OrderService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.ssl.SslBundles;

/** Each broker's client checks that a trusted certificate is for the host that it connects to. */
class TrustedHostsIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String PUBLISHERS = "outledger.publishers.";
  private static final String BUNDLE = "spring.ssl.bundle.pem.";

  /** What NATS says before TLS begins. */
  private static final String INFO =
      "INFO {\"server_id\":\"x\",\"version\":\"2.10.0\",\"headers\":true,\"max_payload\":1048576,"
          + "\"tls_required\":true}\r\n";

  /** A server that does nothing but TLS: it tells whether a client has trusted it. */
  private static final class Listener implements AutoCloseable {

    private final String broker;
    private final ServerSocket socket;

    Listener(String broker) throws IOException {
      this.broker = broker;
      this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    int port() {
      return socket.getLocalPort();
    }

    void start(SSLContext tls, Map<String, Boolean> trusted) {
      Thread thread = new Thread(() -> accept(tls, trusted), "tls " + broker);
      thread.setDaemon(true);
      thread.start();
    }

    private void accept(SSLContext tls, Map<String, Boolean> trusted) {
      while (!socket.isClosed()) {
        try (Socket client = socket.accept()) {
          judge(tls, client).ifPresent(judged -> trusted.putIfAbsent(broker, judged));
        } catch (IOException e) {
          return; // closed
        }
      }
    }

    /** Empty where the client has not looked: it may have given up waiting before. */
    private Optional<Boolean> judge(SSLContext tls, Socket client) {
      try {
        if (broker.equals("nats")) {
          client.getOutputStream().write(INFO.getBytes(US_ASCII));
        }
        try (SSLSocket secured =
            (SSLSocket) tls.getSocketFactory().createSocket(client, null, true)) {
          secured.setUseClientMode(false);
          secured.startHandshake();
          return Optional.of(true);
        }
      } catch (IOException e) {
        return String.valueOf(e.getMessage()).contains("alert")
            ? Optional.of(false)
            : Optional.empty();
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  /** The certificate is for the name alone. */
  @ParameterizedTest
  @CsvSource({"localhost, true", "127.0.0.1, false"})
  void aCertificateIsTrustedForItsHost(String host, boolean isTrusted) throws IOException {
    Map<String, Listener> listeners = new LinkedHashMap<>();
    for (String broker : List.of("amqp", "kafka", "mail", "mqtt", "nats", "rabbitmq", "redis")) {
      listeners.put(broker, new Listener(broker));
    }
    Map<String, Boolean> trusted = new ConcurrentHashMap<>();
    try (ServerCertificate certificate = ServerCertificate.ofLocalhost();
        RunningShop shop =
            RunningShop.start(
                List.of(), properties(certificate, host, listeners).toArray(String[]::new))) {
      SSLContext tls = shop.bean(SslBundles.class).getBundle("server").createSslContext();
      listeners.values().forEach(each -> each.start(tls, trusted));
      shop.bean(OrderService.class).place("o-1", 1990);
      Await.until("each has connected", SOON, () -> trusted.size() == listeners.size());
      Map<String, Boolean> expected = new TreeMap<>();
      listeners.keySet().forEach(broker -> expected.put(broker, isTrusted));
      assertThat(trusted).containsExactlyInAnyOrderEntriesOf(expected);
    } finally {
      for (Listener each : listeners.values()) {
        each.close();
      }
    }
  }

  private static List<String> properties(
      ServerCertificate certificate, String host, Map<String, Listener> listeners) {
    Map<String, String> at = new TreeMap<>();
    listeners.forEach((broker, each) -> at.put(broker, host + ":" + each.port()));
    List<String> all =
        new ArrayList<>(
            List.of(
                "outledger.schema-initialization=always",
                "spring.datasource.hikari.maximum-pool-size=30",
                BUNDLE + "client.truststore.certificate=file:" + certificate.certificate(),
                BUNDLE + "server.keystore.certificate=file:" + certificate.certificate(),
                BUNDLE + "server.keystore.private-key=file:" + certificate.key(),
                "spring.kafka.bootstrap-servers=" + at.get("kafka"),
                "spring.rabbitmq.addresses=" + at.get("rabbitmq"),
                "spring.data.redis.url=rediss://" + at.get("redis"),
                "spring.mail.host=" + host,
                "spring.mail.port=" + Objects.requireNonNull(listeners.get("mail")).port(),
                "spring.mail.ssl.bundle=client",
                PUBLISHERS + "mail.mail.from=shop@example.org",
                PUBLISHERS + "mail.mail.to=team@example.org",
                PUBLISHERS + "amqp.amqp.url=amqps://" + at.get("amqp"),
                PUBLISHERS + "nats.nats.url=tls://" + at.get("nats"),
                PUBLISHERS + "mqtt.mqtt.url=mqtts://" + at.get("mqtt"),
                PUBLISHERS + "mqtt.mqtt.client-id=shop"));
    for (String broker : List.of("amqp", "kafka", "mqtt", "nats", "rabbitmq", "redis")) {
      all.add(PUBLISHERS + broker + "." + broker + ".ssl-bundle=client");
    }
    return all;
  }
}
