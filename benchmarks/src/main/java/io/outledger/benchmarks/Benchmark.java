// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.io.IOException;
import java.sql.SQLException;
import java.util.function.Consumer;

/** One thing that is measured, from starting its servers to its figures. */
interface Benchmark {

  /**
   * Measures.
   *
   * @param wish how much of it, as far as somebody has said so
   * @param progress is told what is being done, a line at a time
   */
  Report run(Wish wish, Consumer<String> progress)
      throws IOException, SQLException, InterruptedException;

  /**
   * What came of it.
   *
   * @param text for people
   * @param json for machines
   */
  record Report(String text, String json) {}
}
