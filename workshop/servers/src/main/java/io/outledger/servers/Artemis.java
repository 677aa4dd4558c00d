// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Apache Artemis in a process of its own, which can be killed. Whoever uses it has the broker and
 * its protocols on the class path. Queues and topics named {@code test.…} are made when they are
 * first used; others do not exist, except for those named here.
 */
public final class Artemis implements KillableServer {

  /** Who may log in. */
  public static final String USER = "ada";

  /** The user's password. */
  public static final String PASSWORD = "s3cret";

  /** A queue that holds up senders when it has a few messages of 50,000 bytes. */
  public static final String SMALL = "small";

  /** A queue that refuses more when it has a few messages of 50,000 bytes. */
  public static final String FULL = "full";

  /** A queue that nobody may use. */
  public static final String DENIED = "denied";

  /** Where messages go that were rejected, or failed too often. */
  public static final String DEAD = "dead";

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Path folder = Scratch.folder("artemis");
  private final int port = Ports.free();
  private final String protocols;
  private final boolean isOpen;
  private final @Nullable TlsCertificate certificate;
  private ChildJvm child;

  private Artemis(String protocols, boolean isOpen, @Nullable TlsCertificate certificate) {
    this.protocols = protocols;
    this.isOpen = isOpen;
    this.certificate = certificate;
    this.child = launch();
  }

  /**
   * Starts a broker.
   *
   * @param protocols what it speaks, such as {@code CORE} or {@code AMQP}
   */
  public static Artemis start(String protocols) {
    return new Artemis(protocols, false, null);
  }

  /**
   * Starts a broker that makes any queue and topic when it is first used.
   *
   * @param protocols what it speaks
   */
  public static Artemis startOpen(String protocols) {
    return new Artemis(protocols, true, null);
  }

  /** Starts a broker that speaks through TLS alone. */
  public static Artemis start(String protocols, TlsCertificate certificate) {
    return new Artemis(protocols, false, certificate);
  }

  /** Returns its port at 127.0.0.1, the same after a crash. */
  public int port() {
    return port;
  }

  /** Returns its process id. */
  @Override
  public long pid() {
    return child.pid();
  }

  /** Kills the broker. */
  @Override
  public void kill() {
    child.kill();
    child.close();
  }

  /** Starts a killed broker again on its data. It takes messages some time after. */
  @Override
  public void restart() {
    child = launch();
  }

  /**
   * Kills the broker and starts it again on its data.
   *
   * @param takesMessages says whether it does; it does some time after it has said that it is up
   */
  public void crash(Await.Condition takesMessages) {
    kill();
    restart();
    Await.until("Artemis takes messages again", PATIENCE, takesMessages);
  }

  /** Lets it stop dead, with its connections open. */
  public void suspend() {
    child.suspend();
  }

  /** Lets it go on. */
  public void resume() {
    child.resume();
  }

  private ChildJvm launch() {
    List<String> args =
        new ArrayList<>(List.of(folder.toString(), protocols, "" + port, isOpen ? "#" : "test.#"));
    if (certificate != null) {
      args.add(certificate.file().toString());
    }
    ChildJvm started =
        ChildJvm.of(ArtemisMain.class)
            .args(args.toArray(String[]::new))
            .property("org.slf4j.simpleLogger.defaultLogLevel", "warn")
            .heapMib(256)
            .option("-XX:+UseSerialGC")
            .option("-XX:TieredStopAtLevel=1")
            .start();
    started.waitFor(ArtemisMain.READY::equals, PATIENCE);
    return started;
  }

  /** Kills it. */
  @Override
  public void close() {
    child.close();
  }
}
