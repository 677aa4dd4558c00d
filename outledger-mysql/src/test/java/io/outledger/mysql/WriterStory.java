// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import java.util.List;

/**
 * What a writer knows of one of its transactions.
 *
 * @param key of all its messages
 * @param payloads of its messages, in their order, but for those that it rolled back to a savepoint
 * @param begun when the first was appended, by a clock of the test's
 * @param ended when the writer knew the outcome, by the same clock
 * @param outcome what the writer was told
 */
record WriterStory(
    String key, List<String> payloads, long begun, long ended, WriterStory.Outcome outcome) {

  enum Outcome {
    COMMITTED,
    ROLLED_BACK,
    /** The server or the session went away meanwhile: only the table tells. */
    IN_DOUBT
  }
}
