// SPDX-License-Identifier: Apache-2.0
package io.outledger.jms;

import io.outledger.servers.Await;
import io.outledger.servers.ChildJvm;
import io.outledger.servers.Ports;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** The broker that the tests of this JVM share, in a process that can be killed. */
final class Artemis {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Artemis SHARED = new Artemis();
  private static final AtomicInteger NAMES = new AtomicInteger();

  private final Path folder;
  private final int port = Ports.free();
  private ChildJvm child;

  private Artemis() {
    try {
      folder = Files.createTempDirectory("outledger-artemis-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    child = launch();
  }

  static Artemis shared() {
    return SHARED;
  }

  /** Returns the name of a queue or topic that nobody has used. */
  static String newName() {
    return "test.n" + NAMES.incrementAndGet();
  }

  int port() {
    return port;
  }

  JmsBroker broker() {
    return broker(port);
  }

  static JmsBroker broker(int port) {
    return JmsBroker.of("Artemis", factory(port)).login(ArtemisMain.USER, ArtemisMain.PASSWORD);
  }

  static ActiveMQConnectionFactory factory(int port) {
    return new ActiveMQConnectionFactory(
        "tcp://127.0.0.1:" + port + "?reconnectAttempts=0&callTimeout=20000");
  }

  /** Kills the broker and starts it again on its data. */
  void crash() {
    child.kill();
    child.close();
    child = launch();
    Await.until("Artemis takes messages again", PATIENCE, this::takesMessages);
  }

  /** It answers some time after it has said that it is ready. */
  private boolean takesMessages() {
    String address = "tcp://127.0.0.1:" + port + "?reconnectAttempts=0&callTimeout=2000";
    try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(address);
        Connection connection = factory.createConnection(ArtemisMain.USER, ArtemisMain.PASSWORD);
        Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
      session.createProducer(session.createQueue("test.probe")).send(session.createMessage());
      session.commit();
      return true;
    } catch (JMSException e) {
      return false;
    }
  }

  private ChildJvm launch() {
    ChildJvm started =
        ChildJvm.of(ArtemisMain.class)
            .args(folder.toString(), String.valueOf(port))
            .property("org.slf4j.simpleLogger.defaultLogLevel", "warn")
            .heapMib(256)
            .option("-XX:+UseSerialGC")
            .option("-XX:TieredStopAtLevel=1")
            .start();
    started.waitFor(ArtemisMain.READY::equals, PATIENCE);
    return started;
  }
}
