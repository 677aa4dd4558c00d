// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPInputStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Pulsar, broker and bookie in one process of its own, which can be killed. Clients reach it
 * through a line that can be faulty, if they ask for the listener {@link #LISTENER}, or directly.
 * Each shows a token; {@link #ADMIN} may do everything, other roles what is granted to them.
 * Thread-safe, one verb at a time.
 *
 * <p>Whoever uses it names the archive of the distribution in the system property {@code
 * outledger.pulsar.archive}, and its version in {@code outledger.pulsar.version}.
 */
public final class PulsarServer implements KillableServer {

  /** The name of the listener behind the faulty line. */
  public static final String LISTENER = "line";

  /** The role that may do everything. */
  public static final String ADMIN = "admin";

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String LOGGING =
      "rootLogger=WARN,out\nappender.out.type=Console\nappender.out.name=out\n";
  private static final String MAIN = "org.apache.pulsar.PulsarStandaloneStarter";
  private static final byte[] TOKEN_KEY = "a key that only the tests' servers know".getBytes(UTF_8);
  private static final String DRIVERS = "org.apache.pulsar.metadata.bookkeeper.PulsarMetadata";
  private static final int UNSAFE_ASKED_FROM = 23; // the JDK that asks before it is used
  private static final List<String> OPENED =
      List.of(
          "java.base/java.io",
          "java.base/java.nio",
          "java.base/java.util.zip",
          "java.base/jdk.internal.misc",
          "java.base/jdk.internal.platform",
          "java.management/sun.management",
          "jdk.management/com.sun.management.internal");

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path folder = Scratch.folder("pulsar");
  private final Path home;
  private final int port = Ports.free();
  private final int tlsPort = Ports.free();
  private final int webPort = Ports.free();
  private final int bookiePort = Ports.free();
  private final TcpProxy line = TcpProxy.before(port);
  private final ServerCertificate certificate = ServerCertificate.ofLocalhost();
  private ChildJvm child;

  private PulsarServer(Path home) {
    this.home = home;
    write("standalone.conf", configuration());
    write("log4j2.properties", LOGGING);
    this.child = launch();
    Shutdown.closeLater(this);
  }

  /**
   * Starts a server, in about fifteen seconds.
   *
   * @return the running server, to be closed by the caller
   */
  public static PulsarServer start() {
    String version = property("outledger.pulsar.version");
    Path archive = Path.of(property("outledger.pulsar.archive"));
    Path unpacked =
        UnpackedArchive.folder(
            "pulsar-" + version,
            () -> new GZIPInputStream(new BufferedInputStream(Files.newInputStream(archive))));
    VerifyNotes.started("pulsar", version);
    return new PulsarServer(unpacked.resolve("apache-pulsar-" + version));
  }

  private static String property(String name) {
    String value = System.getProperty(name);
    if (value == null) {
      throw new IllegalStateException("the system property " + name + " is missing");
    }
    return value;
  }

  /** Returns the service URL without TLS, of the direct way. */
  public String url() {
    return "pulsar://127.0.0.1:" + port;
  }

  /** Returns the service URL behind the faulty line. */
  public String lineUrl() {
    return "pulsar://127.0.0.1:" + line.port();
  }

  /** Returns the service URL with TLS, by the name of its host, of the direct way. */
  public String tlsUrl() {
    return "pulsar+ssl://localhost:" + tlsPort;
  }

  /** Returns the port of 127.0.0.1 for TLS. */
  public int tlsPort() {
    return tlsPort;
  }

  /** Returns the faulty line. */
  public TcpProxy line() {
    return line;
  }

  /** Returns the certificate of its port for TLS: that of the name {@code localhost}. */
  public ServerCertificate certificate() {
    return certificate;
  }

  /** Returns a token that says who somebody is. */
  public static String token(String role) {
    return token(role, TOKEN_KEY);
  }

  /** Returns a token that somebody else has signed. */
  public static String forgedToken(String role) {
    return token(role, "another key, which no server knows of".getBytes(UTF_8));
  }

  private static String token(String role, byte[] key) {
    Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
    String signed =
        base64.encodeToString("{\"alg\":\"HS256\"}".getBytes(UTF_8))
            + "."
            + base64.encodeToString(("{\"sub\":\"" + role + "\"}").getBytes(UTF_8));
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return signed + "." + base64.encodeToString(mac.doFinal(signed.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Has an administrator do something.
   *
   * @param method of HTTP
   * @param path behind {@code /admin/v2/}
   * @param json what is sent; may be empty
   * @return what the server answered
   * @throws IllegalStateException if it refuses
   */
  public String admin(String method, String path, String json) {
    HttpResponse<String> response = ask(method, "/admin/v2/" + path, json);
    if (response.statusCode() / 100 != 2) {
      throw new IllegalStateException(
          method + " " + path + ": " + response.statusCode() + " " + response.body());
    }
    return response.body();
  }

  private HttpResponse<String> ask(String method, String path, String json) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + webPort + path))
            .header("Authorization", "Bearer " + token(ADMIN))
            .header("Content-Type", "application/json")
            .timeout(PATIENCE)
            .method(method, HttpRequest.BodyPublishers.ofString(json))
            .build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public synchronized long pid() {
    return child.pid();
  }

  /** Kills it by SIGKILL. */
  @Override
  public synchronized void kill() {
    child.kill();
  }

  /** Starts it again on its data, and returns when it can be published to. */
  @Override
  public synchronized void restart() {
    child.close();
    child = launch();
  }

  /** Freezes it (SIGSTOP): connections stay open and nothing is answered. */
  public synchronized void suspend() {
    child.suspend();
  }

  /** Lets it go on (SIGCONT). */
  public synchronized void resume() {
    child.resume();
  }

  /** Kills it and deletes its data. */
  @Override
  public synchronized void close() {
    Shutdown.forget(this);
    line.close();
    child.close();
    certificate.close();
    Scratch.delete(folder);
  }

  private ChildJvm launch() {
    ChildJvmBuilder choices =
        ChildJvm.of(MAIN, home.resolve("lib") + "/*")
            .heapMib(512)
            .option("-XX:MaxDirectMemorySize=256m")
            .option("-XX:+UseSerialGC")
            .option("-XX:TieredStopAtLevel=1")
            .option("--enable-native-access=ALL-UNNAMED")
            .property("java.net.preferIPv4Stack", "true")
            .property("io.netty.tryReflectionSetAccessible", "true")
            .property("bookkeeper.metadata.bookie.drivers", DRIVERS + "BookieDriver")
            .property("bookkeeper.metadata.client.drivers", DRIVERS + "ClientDriver")
            .property("log4j2.configurationFile", folder.resolve("log4j2.properties").toString())
            .outputFile(folder.resolve("output"))
            .args("-c", folder.resolve("standalone.conf").toString())
            .args("-nss", "-nfw", "--bookkeeper-port", "" + bookiePort)
            .args("--metadata-dir", folder.resolve("metadata").toString())
            .args("--bookkeeper-dir", folder.resolve("bookkeeper").toString());
    OPENED.forEach(each -> choices.option("--add-opens=" + each + "=ALL-UNNAMED"));
    if (Runtime.version().feature() >= UNSAFE_ASKED_FROM) {
      choices.option("--sun-misc-unsafe-memory-access=allow");
    }
    ChildJvm started = choices.start();
    Await.until(
        () -> "Pulsar takes messages; its output:\n" + started.outputTail(),
        PATIENCE,
        () -> isReady(started));
    return started;
  }

  private boolean isReady(ChildJvm started) {
    if (!started.isAlive()) {
      throw new AssertionError("Pulsar did not start:\n" + started.outputTail());
    }
    try {
      return ask("GET", "/lookup/v2/topic/persistent/public/default/ready", "").statusCode() == 200;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  private String configuration() {
    String base64 = Base64.getEncoder().encodeToString(TOKEN_KEY);
    return read(home.resolve("conf").resolve("standalone.conf"))
        + """

        bindAddress=127.0.0.1
        advertisedAddress=127.0.0.1
        brokerServicePort=%d
        brokerServicePortTls=%d
        webServicePort=%d
        internalListenerName=direct
        advertisedListeners=%s
        tlsCertificateFilePath=%s
        tlsKeyFilePath=%s
        listeningInterface=%s
        journalSyncData=true
        managedLedgerDefaultMarkDeleteRateLimit=1.0
        defaultNumberOfNamespaceBundles=1
        brokerDeleteInactiveTopicsEnabled=false
        numIOThreads=2
        numOrderedExecutorThreads=2
        numCacheExecutorThreadPoolSize=2
        topicOrderedExecutorThreadNum=2
        authenticationEnabled=true
        authenticationProviders=org.apache.pulsar.broker.authentication.AuthenticationProviderToken
        tokenSecretKey=data:;base64,%s
        authorizationEnabled=true
        superUserRoles=%s
        brokerClientAuthenticationPlugin=org.apache.pulsar.client.impl.auth.AuthenticationToken
        brokerClientAuthenticationParameters=token:%s
        """
            .formatted(
                port,
                tlsPort,
                webPort,
                listeners(),
                certificate.certificate(),
                certificate.key(),
                loopback(),
                base64,
                ADMIN,
                token(ADMIN));
  }

  /** Where clients are sent: the line for those who ask for it, and else directly. */
  private String listeners() {
    return String.join(",", "direct:" + url(), "direct:" + tlsUrl(), LISTENER + ":" + lineUrl());
  }

  /** The name by which bookies are told where to listen. */
  private static String loopback() {
    try {
      return NetworkInterface.getByInetAddress(Ports.loopback()).getName();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(String name, String text) {
    try {
      Path file = folder.resolve(name);
      SecretFile.create(file); // the key of tokens is in one
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
