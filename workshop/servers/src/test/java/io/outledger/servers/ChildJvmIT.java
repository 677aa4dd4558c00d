// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildJvmIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  @Test
  void childHasArgumentsPropertiesHeapAndAReaderOfItsOutput(@TempDir Path folder) throws Exception {
    List<String> heard = new CopyOnWriteArrayList<>();
    Path file = folder.resolve("output");
    try (ChildJvm child =
        ChildJvm.of(Babbler.class)
            .args("property", "secret", "heap", "an argument", "exit")
            .environment("TOLD", "a password")
            .property("told", "a value")
            .heapMib(64)
            .onLine(heard::add)
            .outputFile(file)
            .start()) {
      assertThat(child.awaitExit(SOON)).isEqualTo(3);
      assertThat(heard).containsExactly("a value", "a password", "64", "an argument");
      assertThat(Files.readAllLines(file)).isEqualTo(heard);
      assertThat(child.outputTail()).isEqualTo(String.join("\n", heard));
      assertThatThrownBy(() -> child.waitFor("ready"::equals, SOON))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("an argument");
    }
  }

  @Test
  void childIsSuspendedResumedStoppedAndKilled() {
    try (ChildJvm child = ready();
        ChildJvm other = ready();
        ChildJvm stubborn = ready("stubborn")) {
      child.suspend();
      child.resume();
      child.stop(SOON);
      assertThat(child.isAlive()).isFalse();
      other.suspend();
      other.kill();
      assertThat(other.isAlive()).isFalse();
      assertThat(other.awaitExit(SOON)).isEqualTo(137);
      assertThatThrownBy(() -> stubborn.stop(Duration.ofMillis(300)))
          .isInstanceOf(AssertionError.class);
      assertThat(stubborn.isAlive()).isFalse();
    }
  }

  @Test
  void nothingOutlivesAJvmThatIsKilled() {
    try (ChildJvm child = ready("postgres")) {
      String line = child.waitFor(said -> said.startsWith("postmaster"), SOON);
      long postmaster = Long.parseLong(line.split(" ", -1)[1]);
      List<Long> family = Signals.familyOf(postmaster);
      assertThat(family).hasSizeGreaterThan(3);
      child.kill();
      Await.until("its server ends", SOON, () -> family.stream().noneMatch(Signals::isAlive));
    }
  }

  @Test
  void nothingOutlivesAJvmThatIsStopped() {
    try (ChildJvm child = ready("postgres")) {
      String line = child.waitFor(said -> said.startsWith("postmaster"), SOON);
      List<Long> family = Signals.familyOf(Long.parseLong(line.split(" ", -1)[1]));
      child.stop(SOON);
      assertThat(family).noneMatch(Signals::isAlive);
    }
  }

  @Test
  void foldersOfAKilledJvmAreDeletedByTheNext() {
    String folder;
    try (ChildJvm child = ready("folder", "postgres")) {
      String line = child.waitFor(said -> said.startsWith("folder"), SOON);
      folder = line.split(" ", -1)[1];
      child.kill();
      assertThat(Path.of(folder)).exists();
    }
    try (ChildJvm next = ready("folder")) {
      assertThat(next.isAlive()).isTrue();
      Path root = Path.of(folder).getParent();
      Await.until("it is deleted", SOON, () -> Files.notExists(root));
    }
  }

  private static ChildJvm ready(String... args) {
    ChildJvm child = ChildJvm.of(Babbler.class).args(args).start();
    child.waitFor("ready"::equals, SOON);
    return child;
  }
}
