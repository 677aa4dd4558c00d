// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos;

import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs one test, or those of one class, and ends at the first that fails. */
final class Trial implements TestExecutionListener {

  private final Set<Path> folders;
  private long passed;

  private Trial(Set<Path> folders) {
    this.folders = folders;
  }

  /**
   * The exit code is 0 where the test passed, 1 where it did not, 2 where there is none.
   *
   * @param arguments the folders, as a path; the simple name of a class, or of a class and one of
   *     its methods, with a dot between
   */
  public static void main(String[] arguments) {
    Set<Path> folders =
        Arrays.stream(arguments[0].split(File.pathSeparator))
            .map(Path::of)
            .collect(Collectors.toSet());
    String[] test = arguments[1].split("\\.");
    Trial trial = new Trial(folders);
    String method = test.length > 1 ? test[1] : null;
    LauncherFactory.create().execute(trial.request(test[0], method), trial);
    System.out.println(trial.passed + " tests passed");
    System.exit(trial.passed > 0 ? 0 : 2);
  }

  private LauncherDiscoveryRequest request(String simpleName, String method) {
    PostDiscoveryFilter named =
        descriptor ->
            FilterResult.includedIf(
                method == null
                    || !(descriptor.getSource().orElse(null) instanceof MethodSource source)
                    || source.getMethodName().equals(method));
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(selectClasspathRoots(folders))
        .filters(includeClassNamePatterns(".*\\." + simpleName), named)
        .configurationParameter("junit.jupiter.execution.timeout.default", "5 m")
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
