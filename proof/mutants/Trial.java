// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos;

import static org.junit.platform.engine.discovery.ClassNameFilter.excludeClassNamePatterns;
import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs the tests of some folders of classes, and ends at the first that fails. */
final class Trial implements TestExecutionListener {

  private static final String UNIT = ".*Test";
  private static final String INTEGRATION = ".*IT";
  private static final String NONE = "(?!)";

  private final Set<Path> folders;
  private long passed;

  private Trial(Set<Path> folders) {
    this.folders = folders;
  }

  /**
   * The exit code is 0 where all tests passed, 1 where one did not, 2 where there is none.
   *
   * @param arguments the folders, as a path; {@code first} or {@code only}; then the simple names
   *     of the classes that come first, or are all that is run; those with a minus before them are
   *     not run
   */
  public static void main(String[] arguments) {
    Set<Path> folders =
        Arrays.stream(arguments[0].split(File.pathSeparator))
            .map(Path::of)
            .collect(Collectors.toSet());
    List<String> names = List.of(arguments).subList(2, arguments.length);
    String leftOut =
        anyOf(names.stream().filter(n -> n.startsWith("-")).map(n -> n.substring(1)));
    String first = anyOf(names.stream().filter(n -> !n.startsWith("-")));
    Trial trial = new Trial(folders);
    Launcher launcher = LauncherFactory.create();
    launcher.execute(trial.request(first, leftOut), trial);
    if (arguments[1].equals("first")) {
      launcher.execute(trial.request(UNIT, first, leftOut), trial);
      launcher.execute(trial.request(INTEGRATION, first, leftOut), trial);
    }
    System.out.println(trial.passed + " tests passed");
    System.exit(trial.passed > 0 ? 0 : 2);
  }

  private static String anyOf(Stream<String> simpleNames) {
    String any = simpleNames.collect(Collectors.joining("|"));
    return any.isEmpty() ? NONE : ".*\\.(" + any + ")";
  }

  private LauncherDiscoveryRequest request(String included, String... excluded) {
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(selectClasspathRoots(folders))
        .filters(includeClassNamePatterns(included), excludeClassNamePatterns(excluded))
        .configurationParameter("junit.jupiter.execution.timeout.default", "10 m")
        .build();
  }

  @Override
  public void executionStarted(TestIdentifier identifier) {
    classOf(identifier).ifPresent(simpleName -> System.out.println("running: " + simpleName));
  }

  @Override
  public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
    if (result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
      passed += identifier.isTest() ? 1 : 0;
      return;
    }
    System.out.println("red: " + name(identifier));
    classOf(identifier).ifPresent(simpleName -> System.out.println("class: " + simpleName));
    result.getThrowable().ifPresent(thrown -> thrown.printStackTrace(System.out));
    System.out.flush();
    System.exit(1); // the servers' hooks stop them
  }

  private static Optional<String> classOf(TestIdentifier identifier) {
    return identifier.getUniqueIdObject().getSegments().stream()
        .filter(segment -> segment.getType().equals("class"))
        .map(segment -> segment.getValue().substring(segment.getValue().lastIndexOf('.') + 1))
        .findFirst();
  }

  private static String name(TestIdentifier identifier) {
    return identifier
        .getSource()
        .map(
            source -> {
              if (source instanceof MethodSource method) {
                String owner = method.getClassName();
                return owner.substring(owner.lastIndexOf('.') + 1) + "." + method.getMethodName();
              }
              return source instanceof ClassSource type
                  ? type.getJavaClass().getSimpleName()
                  : identifier.getDisplayName();
            })
        .orElse(identifier.getDisplayName());
  }
}
