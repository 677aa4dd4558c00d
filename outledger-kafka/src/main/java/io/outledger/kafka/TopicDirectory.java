// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Where a client asks which topics there are. Thread-safe. */
interface TopicDirectory extends AutoCloseable {

  /**
   * Asks for topics, all in one question, without waiting.
   *
   * @return each topic's own answer: how many partitions it has, or why it cannot be had
   */
  Map<String, CompletionStage<Integer>> ask(Set<String> names);

  /** Ends at once; what was asked fails. */
  @Override
  void close();
}
