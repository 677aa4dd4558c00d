// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

/** Arrays of numbers, as H2's driver has them. */
final class Longs {

  private Longs() {}

  /** Returns numbers as the value of a parameter. */
  static Long[] array(long[] numbers) {
    Long[] boxed = new Long[numbers.length];
    for (int i = 0; i < boxed.length; i++) {
      boxed[i] = numbers[i];
    }
    return boxed;
  }
}
