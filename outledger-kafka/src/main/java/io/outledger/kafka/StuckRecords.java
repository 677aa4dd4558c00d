// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.Printable;
import io.outledger.log.QuietLog;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.event.Level;

/**
 * The partitions whose next record cannot, or possibly cannot, be decoded here: after a poll that
 * failed each of its partitions is suspect until the record is known to be good. Outlives the
 * consumer that has failed. For one thread.
 */
final class StuckRecords {

  private final RecordScout scout;
  private final QuietLog log;

  /** How often in a row each suspect was one. */
  private final Map<TopicPartition, Integer> failures = new HashMap<>();

  /** Where the records lie that are known to be bad. */
  private final Map<TopicPartition, Long> offsets = new HashMap<>();

  StuckRecords(RecordScout scout, QuietLog log) {
    this.scout = scout;
    this.log = log;
  }

  /** Says whether a partition's next record may not be decodable here. */
  boolean isSuspect(TopicPartition partition) {
    return failures.containsKey(partition);
  }

  /** Says whether a partition's next record was found to be one that cannot be decoded here. */
  boolean isStuck(TopicPartition partition) {
    return offsets.containsKey(partition);
  }

  /** Returns how often in a row a partition was suspect; 0 where it is not. */
  int failures(TopicPartition partition) {
    return failures.getOrDefault(partition, 0);
  }

  /** Suspects partitions, after a failure for which a record of any of them may be to blame. */
  void suspect(Collection<TopicPartition> partitions) {
    partitions.forEach(partition -> failures.merge(partition, 1, Integer::sum));
  }

  /** Forgets a partition whose next record is good, or was passed. */
  void forget(TopicPartition partition) {
    failures.remove(partition);
    offsets.remove(partition);
  }

  /**
   * Looks at suspects' next records. Remembers those that cannot be decoded, and forgets the good
   * ones. Those of which nobody knows stay what they were.
   *
   * @param positions where each partition's next record lies
   * @param enough says when to look no further
   */
  void find(Map<TopicPartition, Long> positions, BooleanSupplier enough) {
    RecordScout.Findings found = scout.look(positions, enough);
    found.good().forEach(this::forget);
    found
        .bad()
        .forEach(
            (partition, failure) -> {
              Long offset = positions.get(partition);
              offsets.put(partition, offset);
              String place = partition + "@" + offset;
              String text = Printable.text(failure);
              log.fails(
                  Level.ERROR,
                  "undecodable",
                  text,
                  () ->
                      ("cannot decode the record at %s; its partition is paused and the others"
                              + " continue: %s")
                          .formatted(place, text));
            });
  }

  /**
   * Looks again at a record that could not be decoded, or forgets it where the partition's next one
   * is another by now: a member of the group with more memory may have passed it.
   *
   * @return whether the partition still has to wait
   */
  boolean lookAgain(TopicPartition partition, long position, BooleanSupplier enough) {
    Long offset = offsets.get(partition);
    if (offset != null && offset == position) {
      suspect(List.of(partition));
      find(Map.of(partition, position), enough);
    } else {
      forget(partition);
    }
    return isStuck(partition);
  }
}
