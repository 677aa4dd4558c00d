// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects what is wrong with a configuration, so that one exception lists all of it. Performs no
 * I/O. Not thread-safe.
 */
public final class Problems {

  private final String subject;
  private final List<Problem> found = new ArrayList<>();

  /** One problem; refused is the exception it came with, null where it was only told. */
  private record Problem(ErrorCode code, String text, @Nullable ConfigurationException refused) {}

  private Problems(String subject) {
    this.subject = subject;
  }

  /**
   * Starts with no problem.
   *
   * @param subject what is checked; the error's text begins with it, such as {@code relay options}
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public static Problems of(String subject) {
    return new Problems(Require.nonNull("subject", subject));
  }

  /**
   * Adds a problem with the code {@code OUT-021}.
   *
   * @param problem what is wrong, and what to do where that is not plain
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public void add(String problem) {
    Require.nonNull("problem", problem);
    found.add(new Problem(ErrorCode.INVALID_CONFIGURATION, problem, null));
  }

  /**
   * Adds a problem with the code {@code OUT-021} unless something holds.
   *
   * @throws ConfigurationException {@code OUT-021} if the text is null
   */
  public void require(boolean holds, String problem) {
    Require.nonNull("problem", problem);
    if (!holds) {
      add(problem);
    }
  }

  /**
   * Runs a check and, if it fails with a {@link ConfigurationException}, adds that with its code.
   * Other exceptions pass through.
   *
   * @throws ConfigurationException {@code OUT-021} if the check is null
   */
  public void check(Runnable check) {
    Require.nonNull("check", check);
    attempt(
        () -> {
          check.run();
          return true;
        });
  }

  /**
   * Makes a value and, if that fails with a {@link ConfigurationException}, adds it with its code.
   * Other exceptions pass through.
   *
   * @return the value, or nothing if there was a problem
   * @throws ConfigurationException {@code OUT-021} if the maker or its result is null
   */
  public <T> Optional<T> attempt(Supplier<T> maker) {
    Require.nonNull("maker", maker);
    T result;
    try {
      result = maker.get();
    } catch (ConfigurationException e) {
      String code = e.code().code() + " ";
      String text = String.valueOf(e.getMessage());
      found.add(
          new Problem(e.code(), text.startsWith(code) ? text.substring(code.length()) : text, e));
      return Optional.empty();
    }
    return Optional.of(Require.nonNull("result", result));
  }

  /** Returns how many problems there are so far. */
  public int count() {
    return found.size();
  }

  /**
   * Ends the check.
   *
   * @throws ConfigurationException if there is a problem: the one exception that was collected, or
   *     a new one that lists every problem. Its code is that which all of them have; if they
   *     differ, {@code OUT-021}, and each problem of another code begins with its own
   */
  public void refuse() {
    if (found.isEmpty()) {
      return;
    }
    ConfigurationException only = found.get(0).refused();
    if (found.size() == 1 && only != null) {
      throw only;
    }
    ErrorCode code = commonCode();
    List<String> texts = new ArrayList<>();
    for (Problem problem : found) {
      texts.add(
          problem.code() == code ? problem.text() : problem.code().code() + " " + problem.text());
    }
    ConfigurationException all =
        new ConfigurationException(code, subject + ": " + String.join("; ", texts));
    for (Problem problem : found) {
      if (problem.refused() != null) {
        all.addSuppressed(problem.refused());
      }
    }
    throw all;
  }

  private ErrorCode commonCode() {
    ErrorCode first = found.get(0).code();
    return found.stream().allMatch(problem -> problem.code() == first)
        ? first
        : ErrorCode.INVALID_CONFIGURATION;
  }
}
