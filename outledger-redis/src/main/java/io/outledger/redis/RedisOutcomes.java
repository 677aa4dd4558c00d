// SPDX-License-Identifier: Apache-2.0
package io.outledger.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.outledger.Causes;
import io.outledger.publish.Outcome;

/** What an error of Redis means for a message. Each begins with a word that is its code. */
final class RedisOutcomes {

  private RedisOutcomes() {}

  /** Says whether another server, or another user, has to be asked: by a new connection. */
  static boolean isOfAnotherServer(Throwable failure) {
    return switch (code(failure)) {
      case "READONLY", "MASTERDOWN", "NOAUTH" -> true;
      default -> false;
    };
  }

  static Outcome outcome(String stream, Throwable failure) {
    String said = "Redis answered for stream '" + stream + "': " + failure.getMessage();
    return switch (code(failure)) {
      // out of memory; a replica; starting; a script runs; cannot write to its disk or replicas
      case "OOM",
          "READONLY",
          "MASTERDOWN",
          "LOADING",
          "BUSY",
          "MISCONF",
          "NOREPLICAS",
          "NOAUTH",
          "CLUSTERDOWN",
          "TRYAGAIN" ->
          Outcome.unreachable(said);
      case "WRONGTYPE" -> Outcome.topicUnavailable(said + "; the key is not a stream");
      case "NOPERM" -> Outcome.topicUnavailable(said + "; give the user the right to XADD");
      case "MOVED", "ASK" -> Outcome.topicUnavailable(said + "; a Redis Cluster is not supported");
      case "" ->
          Outcome.unavailable("the connection to Redis ended before it answered: " + failure);
      default -> Outcome.suspect(said);
    };
  }

  /** Returns the code of an error that Redis answered; empty for another failure. */
  static String code(Throwable failure) {
    String text =
        Causes.of(failure).stream()
            .filter(RedisCommandExecutionException.class::isInstance)
            .findFirst()
            .map(answer -> String.valueOf(answer.getMessage()))
            .orElse("");
    int end = text.indexOf(' ');
    return end < 0 ? text : text.substring(0, end);
  }
}
