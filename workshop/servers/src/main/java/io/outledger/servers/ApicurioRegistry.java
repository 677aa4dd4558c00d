// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * A schema registry, Apicurio's, in a process of its own, which keeps everything in memory.
 * Thread-safe, one verb at a time.
 *
 * <p>It needs a JDK 25: in the folder that the environment variable {@code JAVA_25_HOME} names, or
 * where Linux keeps JDKs. Whoever uses it names the archive of the application in the system
 * property {@code outledger.apicurio.archive}, and its version in {@code
 * outledger.apicurio.version}.
 */
public final class ApicurioRegistry implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Path JDKS = Path.of("/usr/lib/jvm");
  private static final String MAIN = "io.quarkus.bootstrap.runner.QuarkusEntryPoint";

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path folder = Scratch.folder("apicurio");
  private final int port = Ports.free();
  private final ChildJvm child;

  private ApicurioRegistry(Path program) {
    child =
        ChildJvm.of(MAIN, program.toString())
            .jdk(jdk())
            .heapMib(512)
            .option("-XX:TieredStopAtLevel=1")
            .option("-XX:+UseSerialGC")
            .property("quarkus.http.host", "127.0.0.1")
            .property("quarkus.http.port", "" + port)
            .property("quarkus.management.host", "127.0.0.1")
            .property("quarkus.management.port", "" + Ports.free())
            .outputFile(folder.resolve("output"))
            .start();
    Shutdown.closeLater(this);
    Await.until(
        () -> "Apicurio answers; its output:\n" + child.outputTail(), PATIENCE, this::isReady);
  }

  /**
   * Starts a registry, in ten seconds to a minute.
   *
   * @return the running registry, to be closed by the caller
   */
  public static ApicurioRegistry start() {
    String version = property("outledger.apicurio.version");
    Path archive = Path.of(property("outledger.apicurio.archive"));
    Path unpacked =
        UnpackedArchive.folder(
            "apicurio-" + version,
            () -> new GZIPInputStream(new BufferedInputStream(Files.newInputStream(archive))));
    VerifyNotes.started("apicurio", version);
    return new ApicurioRegistry(program(unpacked));
  }

  private static String property(String name) {
    String value = System.getProperty(name);
    if (value == null) {
      throw new IllegalStateException("the system property " + name + " is missing");
    }
    return value;
  }

  private static Path program(Path unpacked) {
    try (Stream<Path> files =
        Files.find(unpacked, 3, (path, as) -> path.endsWith("quarkus-run.jar"))) {
      return files.findFirst().orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path jdk() {
    String named = System.getenv("JAVA_25_HOME");
    if (named != null) {
      return Path.of(named);
    }
    if (Runtime.version().feature() >= 25) {
      return Path.of(System.getProperty("java.home"));
    }
    try (Stream<Path> jdks = Files.list(JDKS)) {
      return jdks.filter(jdk -> jdk.getFileName().toString().matches(".*\\b25\\b.*"))
          .findFirst()
          .orElseThrow(
              () -> new IllegalStateException("Apicurio needs a JDK 25: set JAVA_25_HOME"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns where its API is that is compatible with Confluent's. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + port + "/apis/ccompat/v7");
  }

  /**
   * Sets which changes of a subject's schema it accepts.
   *
   * @param subject that has a schema
   * @param level such as {@code BACKWARD}
   */
  public void compatibility(String subject, String level) {
    ask("PUT", "/config/" + subject, "{\"compatibility\":\"" + level + "\"}");
  }

  private boolean isReady() {
    if (!child.isAlive()) {
      throw new AssertionError("Apicurio did not start:\n" + child.outputTail());
    }
    try {
      return ask("GET", "/subjects", "").statusCode() == 200;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  private HttpResponse<String> ask(String method, String path, String json) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(uri() + path))
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

  /** Kills it. */
  @Override
  public synchronized void close() {
    Shutdown.forget(this);
    child.close();
    Scratch.delete(folder);
  }
}
