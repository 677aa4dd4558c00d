// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

/**
 * The result of a drain.
 *
 * @param state {@link StepReport.State#RELEASED} where everything pending was published and the
 *     subscription handed over; {@code STANDBY} where another relay is at work on it, or may be
 *     when the time was up; {@code OWNER} where the time was up or a destination cannot be reached;
 *     {@code RECOVERING} where the database failed
 * @param published how many messages were published
 * @param filtered how many were passed over, because no route wanted them
 * @param pending how many had been read and were not settled when it ended
 */
public record DrainReport(StepReport.State state, long published, long filtered, long pending) {}
