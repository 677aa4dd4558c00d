// SPDX-License-Identifier: Apache-2.0
package io.outledger.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * The numbers that a message or an enum reserves, so that nothing takes them again.
 *
 * @param ranges may overlap
 */
record Reserved(List<Range> ranges) {

  /** From one number to another, both within. */
  record Range(long first, long last) {}

  static Reserved of(Descriptor message) {
    return new Reserved(
        message.toProto().getReservedRangeList().stream()
            .map(each -> new Range(each.getStart(), each.getEnd() - 1L)) // its end is not within
            .toList());
  }

  static Reserved of(EnumDescriptor values) {
    return new Reserved(
        values.toProto().getReservedRangeList().stream()
            .map(each -> new Range(each.getStart(), each.getEnd()))
            .toList());
  }

  boolean contains(long number) {
    return around(number).isPresent();
  }

  private Optional<Range> around(long number) {
    return ranges.stream()
        .filter(each -> each.first() <= number && number <= each.last())
        .findFirst();
  }

  /**
   * Returns the first number of these that another one no longer reserves; empty if there is none.
   *
   * @param except numbers that do not count, since they are told otherwise
   */
  Optional<Long> firstLostIn(Reserved newer, LongPredicate except) {
    for (Range range : ranges) {
      long number = range.first();
      while (number <= range.last()) {
        Optional<Range> still = newer.around(number);
        if (still.isEmpty() && !except.test(number)) {
          return Optional.of(number);
        }
        number = still.map(Range::last).orElse(number) + 1;
      }
    }
    return Optional.empty();
  }
}
