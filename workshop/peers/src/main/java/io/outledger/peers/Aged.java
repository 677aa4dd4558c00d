// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import io.outledger.benchmarks.SaveTime;

/**
 * What an entrant did under a burden.
 *
 * @param drained what it published
 * @param save how long its transactions took, while nothing was published
 */
record Aged(Drained drained, SaveTime save) {

  static Aged of(Reply reply) {
    return new Aged(
        Drained.of(reply), new SaveTime(reply.number("saveP50"), reply.number("saveP99")));
  }

  Reply reply() {
    return drained.reply().with("saveP50", save.p50()).with("saveP99", save.p99());
  }

  double perSecond() {
    return drained.perSecond();
  }

  double saveP50() {
    return save.p50();
  }

  double saveP99() {
    return save.p99();
  }
}
