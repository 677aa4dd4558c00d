// SPDX-License-Identifier: Apache-2.0
package io.outledger.inbox;

/** The outcome of receiving a message through an inbox. */
public enum InboxOutcome {
  /** The work ran; it takes effect when the caller's transaction commits. */
  PROCESSED,
  /** The message was processed before; the work did not run. Acknowledge it. */
  DUPLICATE
}
