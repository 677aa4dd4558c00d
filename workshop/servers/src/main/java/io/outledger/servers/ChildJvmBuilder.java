// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How a child JVM is to be started. Not thread-safe. */
public final class ChildJvmBuilder {
  private static final int HEAP_MIB = 256;

  private final String main;
  private final List<String> options = new ArrayList<>();
  private final List<String> arguments = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();
  private String classPath = System.getProperty("java.class.path");
  private Path jdk = Path.of(System.getProperty("java.home"));
  private int heapMib = HEAP_MIB;
  private Consumer<String> reader = line -> {};
  private @Nullable Path outputFile;

  ChildJvmBuilder(String main) {
    this.main = main;
  }

  /**
   * Adds arguments of the main method.
   *
   * @param more in their order
   * @return this
   */
  public ChildJvmBuilder args(String... more) {
    arguments.addAll(List.of(more));
    return this;
  }

  /**
   * Sets a variable of the child's environment: the way for a password, since everybody on the
   * machine can read a command line.
   *
   * @param name of the variable
   * @param value of the variable
   * @return this
   */
  public ChildJvmBuilder environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /**
   * Sets a system property of the child. It inherits none of ours.
   *
   * @param name of the property
   * @param value of the property
   * @return this
   */
  public ChildJvmBuilder property(String name, String value) {
    options.add("-D" + name + "=" + value);
    return this;
  }

  /**
   * Adds an option of the child's JVM.
   *
   * @param option such as {@code -XX:+UseSerialGC}
   * @return this
   */
  public ChildJvmBuilder option(String option) {
    options.add(option);
    return this;
  }

  /**
   * Limits the heap. Default: 256 MiB.
   *
   * @param mib the maximum in MiB
   * @return this
   */
  public ChildJvmBuilder heapMib(int mib) {
    heapMib = mib;
    return this;
  }

  /**
   * Chooses the class path. Default: ours.
   *
   * @param classPath as {@code java -cp} takes it
   * @return this
   */
  public ChildJvmBuilder classPath(String classPath) {
    this.classPath = classPath;
    return this;
  }

  /**
   * Chooses the JDK. Default: ours.
   *
   * @param home the folder that contains {@code bin/java}
   * @return this
   */
  public ChildJvmBuilder jdk(Path home) {
    jdk = home;
    return this;
  }

  /**
   * Chooses the file to which output and errors are appended. Default: a temporary one.
   *
   * @param file made if need be
   * @return this
   */
  public ChildJvmBuilder outputFile(Path file) {
    outputFile = file;
    return this;
  }

  /**
   * Chooses who is told each line of output and errors, on a thread of its own.
   *
   * @param reader must not throw
   * @return this
   */
  public ChildJvmBuilder onLine(Consumer<String> reader) {
    this.reader = reader;
    return this;
  }

  /**
   * Starts the child and returns at once.
   *
   * @return the running child
   * @throws IllegalStateException when there is no such program
   */
  public ChildJvm start() {
    Path file = outputFile == null ? Scratch.folder("child").resolve("output") : outputFile;
    ProcessBuilder builder = new ProcessBuilder(Account.caller().command(command()));
    builder.environment().putAll(environment);
    Process process = Commands.start(builder.redirectErrorStream(true));
    ChildOutput output = new ChildOutput(file, reader);
    output.readFrom(process.getInputStream(), "output-of-" + process.pid());
    return new ChildJvm(process, output);
  }

  private List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(jdk.resolve("bin").resolve("java").toString());
    command.add("-Xmx" + heapMib + "m");
    command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, main));
    command.addAll(arguments);
    return command;
  }
}
