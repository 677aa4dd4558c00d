// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import java.time.Instant;

/**
 * A short time in which something happened.
 *
 * @param from just before
 * @param to just after
 */
record Span(Instant from, Instant to) {

  /** Returns the span from a time until now. */
  static Span since(Instant from) {
    return new Span(from, Instant.now());
  }
}
