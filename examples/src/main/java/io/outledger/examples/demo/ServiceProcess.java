// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.servers.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A service in a JVM of its own, small and quick to start. */
final class ServiceProcess {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int HEAP_MIB = 128;

  private final String name;
  private final Class<?> main;
  private final Path folder;
  private final List<Path> settings;
  private final Consumer<String> lines;
  private @Nullable ChildJvm child;

  /**
   * Prepares it.
   *
   * @param folder where it writes its log
   * @param settings its arguments
   * @param lines takes what it says
   */
  ServiceProcess(
      String name, Class<?> main, Path folder, List<Path> settings, Consumer<String> lines) {
    this.name = name;
    this.main = main;
    this.folder = folder;
    this.settings = settings;
    this.lines = lines;
  }

  String name() {
    return name;
  }

  long pid() {
    return running().pid();
  }

  /** Starts it and returns when it says that it is ready. */
  ServiceProcess start() {
    child =
        ChildJvm.of(main)
            .args(settings.stream().map(Path::toString).toArray(String[]::new))
            .heapMib(HEAP_MIB)
            .option("-XX:+UseSerialGC")
            .option("-XX:TieredStopAtLevel=1")
            .option("-Xshare:auto")
            .property("java.io.tmpdir", folder.toString()) // what a killed one leaves goes with it
            .property("org.slf4j.simpleLogger.defaultLogLevel", "warn")
            .property("org.slf4j.simpleLogger.log.io.outledger", "info")
            .property("org.slf4j.simpleLogger.showDateTime", "true")
            .property("org.slf4j.simpleLogger.dateTimeFormat", "HH:mm:ss.SSS")
            .outputFile(folder.resolve(name + ".log"))
            .onLine(lines)
            .start();
    child.waitFor("ready"::equals, PATIENCE);
    return this;
  }

  void kill() {
    running().kill();
  }

  /** Asks it to end, if it runs. */
  void stop() {
    if (child != null && child.isAlive()) {
      child.stop(PATIENCE);
    }
  }

  private ChildJvm running() {
    if (child == null) {
      throw new IllegalStateException(name + " was never started");
    }
    return child;
  }
}
