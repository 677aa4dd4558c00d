// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.order;

/** A rule of the business forbids the order; its transaction is rolled back, event and all. */
final class RefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RefusedException(String reason) {
    super(reason);
  }
}
