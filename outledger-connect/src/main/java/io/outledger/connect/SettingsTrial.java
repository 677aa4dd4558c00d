// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import io.outledger.ErrorCode;
import io.outledger.OutledgerException;
import io.outledger.jdbc.Outledger;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;

/**
 * Tries valid settings: asks the database and Kafka, both at once, and waits less than a minute. It
 * changes nothing in either. A topic that is missing is no problem yet.
 */
final class SettingsTrial {

  /** A worker that has other work to do may be slow; its own callers wait for 90 seconds. */
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private static final Duration LOOKUP = Duration.ofSeconds(30);

  private SettingsTrial() {}

  /**
   * Returns what is wrong, by the setting that it is told at; empty where both answer as they
   * should.
   */
  static Map<String, String> problems(ConnectorOptions options) {
    Map<String, String> problems = new TreeMap<>();
    Map<String, FutureTask<Optional<Problem>>> asked = new LinkedHashMap<>();
    asked.put(ConnectorSettings.URL, begun("database", () -> database(options)));
    if (options.looksTopicsUp()) {
      // Last: it ends by itself sooner than the database is waited for.
      asked.put(ConnectorSettings.BOOTSTRAP, begun("kafka", () -> kafka(options)));
    }
    asked.forEach((setting, task) -> told(task, setting, problems));
    return problems;
  }

  private record Problem(String setting, String text) {}

  // A driver may wait for minutes: what has not answered in time ends by itself, unheard.
  private static FutureTask<Optional<Problem>> begun(
      String name, Callable<Optional<Problem>> asked) {
    FutureTask<Optional<Problem>> task = new FutureTask<>(asked);
    Thread thread = new Thread(task, "outledger-validate-" + name);
    thread.setDaemon(true);
    thread.start();
    return task;
  }

  private static void told(
      FutureTask<Optional<Problem>> task, String setting, Map<String, String> problems) {
    try {
      task.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
          .ifPresent(problem -> problems.put(problem.setting(), problem.text()));
    } catch (TimeoutException e) {
      ErrorCode code =
          setting.equals(ConnectorSettings.URL)
              ? ErrorCode.STORE_UNAVAILABLE
              : ErrorCode.DESTINATION_UNAVAILABLE;
      problems.put(
          setting,
          "%s no answer within %s seconds: check the address, and the network between"
                  .formatted(code.code(), PATIENCE.toSeconds())
              + " it and the workers");
    } catch (ExecutionException e) {
      problems.put(setting, "could not be tried: " + e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Optional<Problem> database(ConnectorOptions options) {
    // A pull would make the subscription. What is declared is read by each relay, and no appender.
    try (Outledger outledger =
        options.ledger(options.dataSource(), "connect, validation").withoutRetention().build()) {
      outledger.admin().declarations();
      return Optional.empty();
    } catch (OutledgerException e) {
      return Optional.of(new Problem(setting(options, e), String.valueOf(e.getMessage())));
    }
  }

  private static String setting(ConnectorOptions options, OutledgerException failure) {
    if (DriverDataSource.isLoginRefused(failure)) {
      return ConnectorSettings.PASSWORD;
    }
    return switch (failure.code()) {
      case STORE_FAILED -> ConnectorSettings.USER;
      case SCHEMA_MISSING ->
          options.schema().isPresent() ? ConnectorSettings.SCHEMA : ConnectorSettings.URL;
      default -> ConnectorSettings.URL;
    };
  }

  private static Optional<Problem> kafka(ConnectorOptions options) throws InterruptedException {
    try (TopicLookup lookup = TopicLookup.by(Admin.create(options.kafka()))) {
      return lookup.ask(Set.of(options.heartbeatTopic()), LOOKUP).values().stream()
          .flatMap(Optional::stream)
          .flatMap(failure -> problem(failure).stream())
          .findFirst();
    } catch (KafkaException e) { // of the client's settings
      Throwable cause = e.getCause() == null ? e : e.getCause();
      return Optional.of(of(ErrorCode.INVALID_CONFIGURATION, "no client of kafka.*: " + cause));
    }
  }

  private static Optional<Problem> problem(Throwable failure) {
    if (failure instanceof AuthenticationException) {
      return Optional.of(
          of(
              ErrorCode.DESTINATION_UNAVAILABLE,
              "Kafka refuses the client of the settings kafka.*: " + failure));
    }
    if (failure instanceof org.apache.kafka.common.errors.TimeoutException) {
      return Optional.of(
          of(
              ErrorCode.DESTINATION_UNAVAILABLE,
              "Kafka does not answer the client of the settings kafka.*: " + failure));
    }
    return Optional.empty();
  }

  private static Problem of(ErrorCode code, String text) {
    return new Problem(ConnectorSettings.BOOTSTRAP, code.code() + " " + text);
  }
}
