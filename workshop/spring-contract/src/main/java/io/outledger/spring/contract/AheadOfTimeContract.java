// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.spring.contract.ahead.AheadOfTimeShop;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application that is processed ahead of time, compiled, and started from what was generated.
 */
public abstract class AheadOfTimeContract {

  private static final String PROCESSOR = "org.springframework.boot.SpringApplicationAotProcessor";

  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  @TempDir private Path folder;

  /** Creates it. */
  protected AheadOfTimeContract() {}

  @Test
  void anApplicationThatIsProcessedAheadOfTimePublishesAndHandles() throws Exception {
    String database = "--spring.datasource.url=" + RunningShop.database();
    Path sources = folder.resolve("sources");
    Path resources = folder.resolve("resources");
    Path classes = folder.resolve("classes");
    String main = AheadOfTimeShop.class.getName();
    java(
        CLASS_PATH,
        List.of(),
        List.of(
            PROCESSOR,
            main,
            sources.toString(),
            resources.toString(),
            classes.toString(),
            "test",
            "shop",
            database));
    compile(sources, classes);
    String hints = hints(resources).replace("\\", "");
    assertThat(hints)
        .contains("io.outledger.spring.contract.shop.OrderPlaced")
        .contains("queueMail")
        .contains("io/outledger/");
    String output =
        java(
            String.join(File.pathSeparator, classes.toString(), resources.toString(), CLASS_PATH),
            List.of("-Dspring.aot.enabled=true"),
            List.of(main, database));
    assertThat(output).contains("Starting AOT-processed AheadOfTimeShop", AheadOfTimeShop.DONE);
  }

  private static void compile(Path sources, Path classes) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-nowarn", "-proc:none", "-parameters", "-d"));
    arguments.add(classes.toString());
    arguments.add("-cp");
    arguments.add(classes + File.pathSeparator + CLASS_PATH);
    try (Stream<Path> files = Files.walk(sources)) {
      files.map(Path::toString).filter(each -> each.endsWith(".java")).forEach(arguments::add);
    }
    assertThat(arguments).hasSizeGreaterThan(10);
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, arguments.toArray(String[]::new)))
        .isZero();
  }

  private static String hints(Path resources) throws IOException {
    try (Stream<Path> files = Files.walk(resources)) {
      return String.join(
          "",
          files
              .filter(each -> each.toString().endsWith(".json"))
              .map(AheadOfTimeContract::text)
              .toList());
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String java(String classPath, List<String> options, List<String> arguments)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, "java", ".log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
    command.addAll(options);
    command.addAll(List.of("-cp", classPath));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor()).as(() -> text(output)).isZero();
    } finally {
      process.destroyForcibly();
    }
    return text(output);
  }
}
